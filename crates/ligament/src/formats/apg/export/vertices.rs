//! Parts of a mesh to blocks of vertices.

use super::super::codes;
use super::super::document::Vertices;
use crate::mesh::vertices::{concat, take_corners};
use crate::report::{Failure, Loss, Place, Report};
use crate::scene::{Faces, Influence, Part, Scene};
use glam::Vec2;

/// Maximum number of bones per vertex that is written.
const MOST_BONES: usize = 4;

/// Takes the mesh out of the scene. Returns its vertices, and how many of them follow no bone although there are
/// bones: those get the bone after the last.
pub(super) fn export(
    scene: &mut Scene,
    joints: usize,
    report: &mut Report,
) -> Result<(Vertices, usize), Failure> {
    let drawn = |part: &Part| matches!(&part.faces, Faces::Triangles(c) if !c.is_empty());
    let mut parts: Vec<Part> = std::mem::take(&mut scene.meshes).into_iter().flat_map(|m| m.parts).collect();
    parts.retain(drawn);
    let count: usize = parts.iter().map(|p| p.positions.len()).sum();
    if count > i32::MAX as usize {
        let message = format!("{count} vertices; the format can hold {}", i32::MAX);
        return Err(report.invalid(&codes::TOO_MANY, Place::WHOLE, message));
    }
    let mut vertices = Vertices::default();
    let unmoved = if joints > 0 { bones(&parts, joints, &mut vertices) } else { 0 };
    let has_uvs = parts.iter().any(|p| !p.uvs.is_empty());
    let has_tangents = !parts.is_empty() && parts.iter().all(|p| !p.tangents.is_empty());
    report_gaps(&parts, has_uvs, has_tangents, report);
    vertices.corners = take_corners(&mut parts);
    if has_uvs {
        let uvs = parts.iter_mut().map(|part| {
            let own = std::mem::take(&mut part.uvs).into_iter().next();
            let mut own = own.unwrap_or_else(|| vec![Vec2::new(0.0, 1.0); part.positions.len()]);
            own.iter_mut().for_each(|uv| uv.y = 1.0 - uv.y);
            own
        });
        vertices.uvs = concat(uvs, count);
    }
    if has_tangents {
        vertices.tangents = concat(parts.iter_mut().map(|part| std::mem::take(&mut part.tangents)), count);
    }
    vertices.normals = concat(parts.iter_mut().map(|part| std::mem::take(&mut part.normals)), count);
    vertices.positions = concat(parts.into_iter().map(|part| part.positions), count);
    Ok((vertices, unmoved))
}

fn report_gaps(parts: &[Part], has_uvs: bool, has_tangents: bool, report: &mut Report) {
    let without = parts.iter().filter(|p| p.uvs.is_empty()).map(|p| p.positions.len()).sum();
    if has_uvs && without > 0 {
        let message = "vertices without texture coordinates got zeros, because others have some";
        report.loss(Loss::kept(&codes::FILLED, "", without, message));
    }
    let with = parts.iter().filter(|p| !p.tangents.is_empty()).map(|p| p.positions.len()).sum();
    if !has_tangents && with > 0 {
        let message = "tangents were left out, because other vertices have none";
        report.loss(Loss::dropped(&codes::FILLED, "", with, message));
    }
}

/// Adds the bones and weights of all vertices; returns how many follow no bone.
fn bones(parts: &[Part], joints: usize, vertices: &mut Vertices) -> usize {
    let pulls = |pair: &&Influence| pair.weight != 0.0;
    let most =
        |part: &Part| part.influences.iter().map(|v| v.iter().filter(pulls).count()).max().unwrap_or(0);
    let slots = parts.iter().map(most).max().unwrap_or(0).clamp(1, MOST_BONES);
    vertices.bones_per_vertex = slots;
    let mut unmoved = 0;
    for part in parts {
        for vertex in 0..part.positions.len() {
            let pairs = part.influences.of(vertex);
            let sum: f64 = pairs.iter().map(|p| f64::from(p.weight)).sum();
            let fixed = [Influence { joint: joints as u32, weight: 1.0 }];
            let (pairs, sum) = if sum == 0.0 {
                unmoved += 1;
                (&fixed[..], 1.0)
            } else {
                (pairs, sum)
            };
            let heaviest = pairs.iter().filter(pulls).take(if slots == 1 { usize::MAX } else { slots });
            push(heaviest, slots, sum, vertices);
        }
    }
    if slots == 1 {
        vertices.weights = Vec::new();
    }
    unmoved
}

/// Adds the bones of a vertex: all of them with weights that sum to 1, or the heaviest alone.
fn push<'i>(pairs: impl Iterator<Item = &'i Influence>, slots: usize, sum: f64, vertices: &mut Vertices) {
    if slots == 1 {
        let heaviest = pairs.reduce(|a, b| if b.weight > a.weight { b } else { a });
        vertices.bones.push(heaviest.map_or(0, |p| p.joint as i32));
        return;
    }
    let start = vertices.bones.len();
    for pair in pairs {
        vertices.bones.push(pair.joint as i32);
        // Weights that sum to 1 to f32 precision are kept.
        let is_whole = (sum - 1.0).abs() <= 1e-6;
        vertices.weights.push(if is_whole { pair.weight } else { (f64::from(pair.weight) / sum) as f32 });
    }
    vertices.bones.resize(start + slots, 0);
    vertices.weights.resize(start + slots, 0.0);
}
