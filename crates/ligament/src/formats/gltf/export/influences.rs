//! Influences as glTF wants them: sets of four joints and weights per vertex, weights that sum to one, each joint once.

use super::data::Chunk;
use super::skins::is_free;
use crate::scene::{Influence, Influences};

/// The sets of a part, and counts of what was changed.
pub(super) struct Sets {
    /// Joints and weights of each set.
    pub sets: Vec<(Chunk, Chunk)>,
    /// Vertices that were bound to the static joint.
    pub free: usize,
    /// Vertices whose weights were normalised, or in which a joint occurred twice.
    pub adjusted: usize,
    /// Vertices whose negative weights were left out.
    pub negative: usize,
}

/// How far a sum of `count` weights may be from one before it is normalised: the Khronos validator's tolerance.
fn tolerance(count: usize) -> f32 {
    2e-7 * count as f32
}

pub(super) fn sets(influences: &Influences, vertices: usize, static_joint: u32) -> Sets {
    let largest = influences.pairs().iter().map(|i| i.joint).max().unwrap_or(0).max(static_joint);
    if largest <= 255 {
        sets_as(influences, vertices, static_joint, |joint| joint as u8, Chunk::U8)
    } else {
        sets_as(influences, vertices, static_joint, |joint| joint as u16, Chunk::U16)
    }
}

/// Builds the sets with joints of one type in place: a large mesh leaves no memory for a second copy.
fn sets_as<J: Copy + Default>(
    influences: &Influences,
    vertices: usize,
    static_joint: u32,
    joint: impl Fn(u32) -> J,
    chunk: impl Fn(Vec<J>) -> Chunk,
) -> Sets {
    let width = influences.max_per_vertex().max(1).div_ceil(4);
    let mut joints = vec![vec![[J::default(); 4]; vertices]; width];
    let mut weights = vec![vec![[0.0_f32; 4]; vertices]; width];
    let mut result = Sets { sets: Vec::new(), free: 0, adjusted: 0, negative: 0 };
    let mut pairs: Vec<Influence> = Vec::new();
    for vertex in 0..vertices {
        pairs.clear();
        let of_vertex = influences.of(vertex);
        if is_free(of_vertex) {
            result.free += 1;
            pairs.push(Influence { joint: static_joint, weight: 1.0 });
        } else {
            gather(of_vertex, &mut pairs, &mut result);
        }
        for (slot, pair) in pairs.iter().enumerate() {
            joints[slot / 4][vertex][slot % 4] = joint(pair.joint);
            weights[slot / 4][vertex][slot % 4] = pair.weight;
        }
    }
    for (joints, weights) in joints.into_iter().zip(weights) {
        result.sets.push((chunk(joints.into_flattened()), Chunk::F32(weights.into_flattened())));
    }
    result
}

/// Collects the positive weights of one vertex, each joint once, summing to one.
fn gather(of_vertex: &[Influence], pairs: &mut Vec<Influence>, result: &mut Sets) {
    let mut adjusted = false;
    for &influence in of_vertex {
        if influence.weight <= 0.0 {
            result.negative += usize::from(influence.weight < 0.0);
            continue;
        }
        match pairs.iter_mut().find(|p| p.joint == influence.joint) {
            Some(same) => {
                same.weight += influence.weight;
                adjusted = true;
            }
            None => pairs.push(influence),
        }
    }
    let sum: f32 = pairs.iter().map(|p| p.weight).sum();
    if (sum - 1.0).abs() > tolerance(pairs.len()) {
        let exact: f64 = pairs.iter().map(|p| f64::from(p.weight)).sum();
        pairs.iter_mut().for_each(|p| p.weight = (f64::from(p.weight) / exact) as f32);
        adjusted = true;
    }
    result.adjusted += usize::from(adjusted);
}
