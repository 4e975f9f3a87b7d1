//! The parts of the mesh, merged.

use super::super::codes;
use super::super::document::Vertices;
use super::super::import::flip_v;
use crate::mesh::vertices::{concat, take_corners};
use crate::pose::Rig;
use crate::report::{Failure, Place, Report};
use crate::scene::{Influences, Part, Scene};
use glam::{Vec2, Vec3};

/// Takes the parts of the mesh that the scene shows.
pub(super) fn take_parts(scene: &mut Scene) -> Vec<Part> {
    let mesh = scene.nodes.iter().find_map(|n| n.mesh);
    let mesh = mesh.and_then(|id| scene.meshes.get_mut(id.index()));
    mesh.map(|mesh| std::mem::take(&mut mesh.parts)).unwrap_or_default()
}

/// Merges the parts' arrays, one property at a time, so that little is in memory twice.
pub(super) fn join(
    mut parts: Vec<Part>,
    rig: &Rig,
    last_material: usize,
    report: &mut Report,
) -> Result<Vertices, Failure> {
    let counts: Vec<usize> = parts.iter().map(|p| p.positions.len()).collect();
    let total: usize = counts.iter().sum();
    let corner_count: usize = parts.iter().map(|p| p.faces.corners().len()).sum();
    if u32::try_from(total.max(corner_count)).is_err() {
        let message = format!("{corner_count} corners are more than the format can address");
        return Err(report.invalid(&codes::TOO_LARGE_TO_WRITE, Place::WHOLE, message));
    }
    let material = |part: &Part| part.material.map_or(last_material as u32, |m| m.0);
    let used: Vec<u32> = parts.iter().map(material).collect();
    let materials = if used.iter().all(|&m| m == 0) {
        Vec::new()
    } else {
        used.iter().zip(&counts).flat_map(|(&m, &count)| std::iter::repeat_n(m, count)).collect()
    };
    let mut corners = take_corners(&mut parts);
    // Nothing needs to be said of vertices in order.
    if corners.iter().copied().eq(0..total as u32) {
        corners = Vec::new();
    }
    let positions = concat(parts.iter_mut().map(|p| std::mem::take(&mut p.positions)), total);
    let normals = concat(
        parts.iter_mut().zip(&counts).map(|(p, &n)| or_fill(std::mem::take(&mut p.normals), n, Vec3::Y)),
        total,
    );
    let first_uvs = |part: &mut Part| std::mem::take(&mut part.uvs).into_iter().next().unwrap_or_default();
    // Becomes 0, 0 when V is flipped.
    let mut uvs =
        concat(parts.iter_mut().zip(&counts).map(|(p, &n)| or_fill(first_uvs(p), n, Vec2::Y)), total);
    flip_v(&mut uvs);
    let influences = join_influences(parts, &counts, total, rig);
    Ok(Vertices { positions, uvs, normals, influences, materials, corners })
}

fn or_fill<T: Clone>(array: Vec<T>, length: usize, fill: T) -> Vec<T> {
    if array.len() == length { array } else { vec![fill; length] }
}

fn join_influences(parts: Vec<Part>, counts: &[usize], total: usize, rig: &Rig) -> Influences {
    let pairs: usize = parts.iter().map(|p| p.influences.pairs().len()).sum();
    if pairs == 0 || rig.bones.is_empty() {
        return Influences::new();
    }
    let mut joined = match <[Part; 1]>::try_from(parts) {
        Ok([only]) => only.influences,
        Err(parts) => {
            let mut joined = Influences::with_capacity(total, pairs);
            for (part, &count) in parts.iter().zip(counts) {
                for vertex in 0..count {
                    joined.push(part.influences.of(vertex).iter().copied());
                }
            }
            joined
        }
    };
    if !rig.of_joint.iter().copied().eq(0..rig.of_joint.len() as u32) {
        for pair in joined.pairs_mut() {
            pair.joint = rig.of_joint.get(pair.joint as usize).copied().unwrap_or(0);
        }
    }
    joined
}
