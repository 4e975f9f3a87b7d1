//! Vertex lists: a part's arrays rebuilt from a choice of its own vertices.

use crate::scene::{Influences, Part};

/// Makes vertex `i` of the part what vertex `chosen[i]` was, in every attribute. Faces are left to the caller. Works array
/// by array, so that never more than one is there twice.
pub(super) fn gather(part: &mut Part, chosen: &[u32]) {
    fn pick<T: Copy>(values: &mut Vec<T>, chosen: &[u32]) {
        if !values.is_empty() {
            *values = chosen.iter().map(|&v| values[v as usize]).collect();
        }
    }
    pick(&mut part.positions, chosen);
    pick(&mut part.normals, chosen);
    pick(&mut part.tangents, chosen);
    part.uvs.iter_mut().for_each(|set| pick(set, chosen));
    part.colors.iter_mut().for_each(|set| pick(set, chosen));
    for deltas in &mut part.morphs {
        pick(&mut deltas.positions, chosen);
        pick(&mut deltas.normals, chosen);
        pick(&mut deltas.tangents, chosen);
    }
    if !part.influences.is_empty() {
        let pairs = chosen.iter().map(|&v| part.influences.of(v as usize).len()).sum();
        let mut influences = Influences::with_capacity(chosen.len(), pairs);
        for &vertex in chosen {
            influences.push(part.influences.of(vertex as usize).iter().copied());
        }
        part.influences = influences;
    }
}
