//! Lists without duplicates, and faces.
//!
//! Lists replace the scene's arrays, so that both are never in memory.

use super::rig::Rig;
use crate::formats::amo::codes;
use crate::formats::amo::document::{Corner, Model};
use crate::formats::obj_text::Distinct;
use crate::mesh::vertices::{concat, take_corners};
use crate::report::{Failure, Place, Report};
use crate::scene::{Influence, Influences, Part, Scene};
use bytemuck::allocation::{cast_vec, try_cast_vec};
use bytemuck::{NoUninit, cast_slice_mut};
use glam::{Vec2, Vec3};

/// The corners that faces share: their numbers in each list.
#[derive(Default)]
pub(super) struct Corners {
    count: usize,
    positions: Numbers,
    uvs: Numbers,
    normals: Numbers,
    /// Numbers in joint sets and weight sets, if there are any.
    pulls: Option<(Numbers, Numbers)>,
}

impl Corners {
    pub(super) fn at(&self, corner: u32) -> Option<Corner> {
        let number = |numbers: &Numbers| numbers.at(corner);
        ((corner as usize) < self.count).then(|| Corner {
            position: number(&self.positions),
            uv: number(&self.uvs),
            normal: number(&self.normals),
            joints: self.pulls.as_ref().map_or(-1, |(joints, _)| number(joints)),
            weights: self.pulls.as_ref().map_or(-1, |(_, weights)| number(weights)),
        })
    }

    pub(super) fn are_pulled(&self) -> bool {
        self.pulls.is_some() && self.count > 0
    }
}

/// The number of each corner in a list; no numbers are stored while all corners are distinct.
#[derive(Default)]
struct Numbers {
    own: u32,
    numbers: Vec<u32>,
}

impl Numbers {
    /// Adds the number of the next of `count` corners.
    fn push(&mut self, number: u32, count: usize) {
        if self.numbers.is_empty() {
            if number == self.own {
                self.own += 1;
                return;
            }
            self.numbers.reserve_exact(count);
            self.numbers.extend(0..self.own);
        }
        self.numbers.push(number);
    }

    fn at(&self, corner: u32) -> i32 {
        self.numbers.get(corner as usize).map_or(corner, |&number| number) as i32
    }
}

/// Moves the parts of the scene's mesh into the model.
pub(super) fn vertices(
    scene: &mut Scene,
    rig: &Rig,
    model: &mut Model,
    report: &mut Report,
) -> Result<Corners, Failure> {
    let mut parts: Vec<Part> =
        scene.meshes.iter_mut().flat_map(|mesh| std::mem::take(&mut mesh.parts)).collect();
    let total = |count: fn(&Part) -> usize| parts.iter().map(count).sum::<usize>();
    let (count, corners) = (total(|part| part.positions.len()), total(|part| part.faces.corners().len()));
    if count > i32::MAX as usize || corners > i32::MAX as usize {
        let message = "the mesh has more vertices or corners than the format's indices can address";
        return Err(report.invalid(&codes::TOO_MANY, Place::WHOLE, message));
    }
    model.faces.corners = take_corners(&mut parts);
    let counts: Vec<usize> = parts.iter().map(|part| part.positions.len()).collect();
    let mut made = Corners { count, ..Corners::default() };

    if parts.iter().any(|part| !part.influences.is_empty()) {
        let (mut joint_sets, mut joints) = (Distinct::new(), Numbers::default());
        let weights = parts.iter_mut().zip(&counts).map(|(part, &own)| {
            let influences = std::mem::take(&mut part.influences);
            // There are no more sets than vertices, whose number was checked.
            let number = |set| joints.push(joint_sets.number(&set).unwrap_or_default(), count);
            weight_sets(influences, own, rig, number)
        });
        let (sets, weights) = list(concat(weights, count));
        (model.joint_sets, model.weight_sets) = (joint_sets.into_records(), sets);
        made.pulls = Some((joints, weights));
    }
    let positions = parts.iter_mut().map(|part| {
        let mut positions = std::mem::take(&mut part.positions);
        positions.iter_mut().for_each(|v| *v = rig.to_file(*v).into());
        cast_vec(positions)
    });
    (model.positions, made.positions) = list(concat(positions, count));
    let uvs = parts.iter_mut().zip(&counts).map(|(part, &own)| {
        let mut uvs = std::mem::take(&mut part.uvs).into_iter().next().unwrap_or_default();
        uvs.resize(own, Vec2::Y);
        uvs.iter_mut().for_each(|uv| uv.y = 1.0 - uv.y);
        cast_vec(uvs)
    });
    (model.uvs, made.uvs) = list(concat(uvs, count));
    let normals = parts.iter_mut().zip(&counts).map(|(part, &own)| {
        let mut normals = std::mem::take(&mut part.normals);
        normals.resize(own, Vec3::Y);
        normals.iter_mut().for_each(|v| *v = rig.to_file(*v).into());
        cast_vec(normals)
    });
    (model.normals, made.normals) = list(concat(normals, count));
    Ok(made)
}

/// Returns the distinct values and the number of each. Values are equal if their bits are.
fn list<const N: usize>(mut values: Vec<[i32; N]>) -> (Vec<[f32; N]>, Numbers)
where
    [i32; N]: NoUninit,
    [f32; N]: bytemuck::AnyBitPattern,
{
    let (count, mut numbers) = (values.len(), Numbers::default());
    Distinct::compact(&mut values, |number| numbers.push(number, count));
    (cast_vec(values), numbers)
}

/// The bits of the weights of each vertex; `joints` receives the joints. They reuse the memory of the influences if
/// each vertex and those before it have two or more, which take as much room.
fn weight_sets(
    influences: Influences,
    count: usize,
    rig: &Rig,
    mut joints: impl FnMut([i32; 4]),
) -> Vec<[i32; 4]> {
    let mut bits = |pairs: &[Influence]| {
        let (set, weights) = slots(rig, pairs);
        joints(set);
        weights.map(|weight| weight.to_bits() as i32)
    };
    let (starts, mut pairs) = influences.into_raw();
    let range = |vertex: usize| starts[vertex] as usize..starts[vertex + 1] as usize;
    if starts.len() <= count {
        return (0..count).map(|_| bits(&[])).collect();
    }
    if (0..count).any(|vertex| range(vertex).end < 2 * (vertex + 1)) {
        return (0..count).map(|vertex| bits(&pairs[range(vertex)])).collect();
    }
    for vertex in 0..count {
        let made = bits(&pairs[range(vertex)]);
        cast_slice_mut::<Influence, i32>(&mut pairs)[4 * vertex..][..4].copy_from_slice(&made);
    }
    pairs.truncate(2 * count);
    pairs.shrink_to_fit();
    try_cast_vec(pairs).unwrap_or_else(|(_, pairs)| {
        let set = |pair: &[Influence]| bytemuck::pod_read_unaligned(bytemuck::cast_slice(pair));
        pairs.chunks_exact(2).map(set).collect()
    })
}

/// Makes four joints and weights. The specification requires a sum of one, and its players do not divide by the sum.
fn slots(rig: &Rig, pairs: &[Influence]) -> ([i32; 4], [f32; 4]) {
    let (mut joints, mut weights) = ([-1; 4], [0.0; 4]);
    let used = pairs.iter().filter(|pair| pair.weight != 0.0);
    let sum: f64 = used.clone().map(|pair| f64::from(pair.weight)).sum();
    if sum == 0.0 || !sum.is_finite() {
        return (joints, weights);
    }
    let keep = (sum - 1.0).abs() < 1e-6;
    for (slot, pair) in used.take(4).enumerate() {
        joints[slot] = rig.number(pair.joint as usize);
        let weight = if keep { pair.weight } else { (f64::from(pair.weight) / sum) as f32 };
        weights[slot] = if weight.is_finite() { weight } else { 0.0 };
    }
    (joints, weights)
}
