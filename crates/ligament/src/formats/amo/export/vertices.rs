//! Lists without repetitions, and faces.

use super::rig::Rig;
use crate::formats::amo::codes;
use crate::formats::amo::document::{Corner, Model};
use crate::formats::obj_text::Distinct;
use crate::report::{Failure, Place, Report};
use crate::scene::{Influence, Part, Scene};
use glam::Vec3;

/// The lists that are being filled. Numbers are equal if their bits are.
struct Lists<'r> {
    rig: &'r Rig,
    rigged: bool,
    positions: Distinct<3>,
    uvs: Distinct<2>,
    normals: Distinct<3>,
    joint_sets: Distinct<4>,
    weight_sets: Distinct<4>,
}

/// Moves the parts of the scene's mesh into the model.
pub(super) fn vertices(
    scene: &mut Scene,
    rig: &Rig,
    model: &mut Model,
    report: &mut Report,
) -> Result<(), Failure> {
    let parts: Vec<Part> = scene.meshes.iter_mut().flat_map(|mesh| std::mem::take(&mut mesh.parts)).collect();
    let mut lists = Lists {
        rig,
        rigged: parts.iter().any(|part| !part.influences.is_empty()),
        positions: Distinct::new(),
        uvs: Distinct::new(),
        normals: Distinct::new(),
        joint_sets: Distinct::new(),
        weight_sets: Distinct::new(),
    };
    for part in parts {
        let first = model.faces.vertices.len();
        let total = first + part.positions.len();
        if total > i32::MAX as usize
            || model.faces.corners.len() + part.faces.corners().len() > i32::MAX as usize
        {
            let message = "the mesh has more vertices or corners than the format's indices can count";
            return Err(report.invalid(&codes::TOO_MANY, Place::WHOLE, message));
        }
        for vertex in 0..part.positions.len() {
            model.faces.vertices.extend(lists.corner(&part, vertex));
        }
        model.faces.corners.extend(part.faces.corners().iter().map(|&corner| corner + first as u32));
    }
    let floats = |bits: i32| f32::from_bits(bits as u32);
    model.positions = lists.positions.into_records().into_iter().map(|v| v.map(floats)).collect();
    model.uvs = lists.uvs.into_records().into_iter().map(|v| v.map(floats)).collect();
    model.normals = lists.normals.into_records().into_iter().map(|v| v.map(floats)).collect();
    model.joint_sets = lists.joint_sets.into_records();
    model.weight_sets = lists.weight_sets.into_records().into_iter().map(|v| v.map(floats)).collect();
    Ok(())
}

impl Lists<'_> {
    fn corner(&mut self, part: &Part, vertex: usize) -> Option<Corner> {
        let bits = |v: [f32; 3]| v.map(|v| v.to_bits() as i32);
        let position = self.rig.to_file(part.positions[vertex]);
        let normal = self.rig.to_file(part.normals.get(vertex).copied().unwrap_or(Vec3::Y));
        let uv = part.uvs.first().and_then(|set| set.get(vertex)).copied().unwrap_or(glam::Vec2::Y);
        let mut corner = Corner {
            position: self.positions.number(&bits(position))? as i32,
            uv: self.uvs.number(&[uv.x, 1.0 - uv.y].map(|v| v.to_bits() as i32))? as i32,
            normal: self.normals.number(&bits(normal))? as i32,
            joints: -1,
            weights: -1,
        };
        if self.rigged {
            let pairs = if part.influences.is_empty() { &[][..] } else { part.influences.of(vertex) };
            let (joints, weights) = self.slots(pairs);
            corner.joints = self.joint_sets.number(&joints)? as i32;
            corner.weights = self.weight_sets.number(&weights.map(|w| w.to_bits() as i32))? as i32;
        }
        Some(corner)
    }

    /// Four joints and weights. The specification wants them to sum to one, and its players do not divide by their sum.
    fn slots(&self, pairs: &[Influence]) -> ([i32; 4], [f32; 4]) {
        let (mut joints, mut weights) = ([-1; 4], [0.0; 4]);
        let used = pairs.iter().filter(|pair| pair.weight != 0.0);
        let sum: f64 = used.clone().map(|pair| f64::from(pair.weight)).sum();
        if sum == 0.0 || !sum.is_finite() {
            return (joints, weights);
        }
        let keep = (sum - 1.0).abs() < 1e-6;
        for (slot, pair) in used.take(4).enumerate() {
            joints[slot] = self.rig.number(pair.joint as usize);
            let weight = if keep { pair.weight } else { (f64::from(pair.weight) / sum) as f32 };
            weights[slot] = if weight.is_finite() { weight } else { 0.0 };
        }
        (joints, weights)
    }
}
