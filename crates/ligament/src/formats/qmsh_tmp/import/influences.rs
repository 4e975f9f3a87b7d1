//! Influences of vertices: from groups, or from envelopes for vertices without groups.

use super::super::document::Mesh;
use super::skeleton::Skeleton;
use crate::scene::{Influence, Influences};
use glam::DVec3;

/// Maximum number of envelopes that influence one vertex. Groups list their vertices individually, but envelopes could
/// expand a small file to any size.
const MOST_ENVELOPES: usize = 8;

/// The influences of each vertex of the file, and the number of vertices in too many envelopes. `world` returns a
/// vertex's position in the file's world space.
pub(super) fn influences(
    mesh: &Mesh,
    skeleton: &Skeleton,
    world: impl Fn(usize) -> DVec3,
) -> (Influences, usize) {
    let grouped = if skeleton.use_groups { from_groups(mesh, skeleton) } else { Grouped::none(mesh) };
    let mut cut = 0;
    let mut all = Influences::with_capacity(mesh.vertices.len(), grouped.pairs.len());
    for vertex in 0..mesh.vertices.len() {
        let own = grouped.of(vertex);
        if !own.is_empty() || skeleton.envelopes.is_empty() {
            all.push(own.iter().copied());
            continue;
        }
        let place = world(vertex);
        let weights = skeleton.envelopes.iter().map(|e| (e.joint, e.weight(place) as f32));
        let pulls = weights.filter(|(_, weight)| *weight > 0.0);
        let mut pulls: Vec<_> = pulls.map(|(joint, weight)| Influence { joint, weight }).collect();
        if pulls.len() > MOST_ENVELOPES {
            cut += 1;
            pulls.sort_by(|a, b| b.weight.total_cmp(&a.weight));
            pulls.truncate(MOST_ENVELOPES);
        }
        all.push(pulls);
    }
    (all, cut)
}

/// Influences by vertex; a list may be shorter than its room, because repeated entries are left out.
struct Grouped {
    starts: Vec<u32>,
    lengths: Vec<u32>,
    pairs: Vec<Influence>,
}

impl Grouped {
    fn none(mesh: &Mesh) -> Self {
        let zeros = vec![0; mesh.vertices.len()];
        Self { starts: zeros.clone(), lengths: zeros, pairs: Vec::new() }
    }

    fn of(&self, vertex: usize) -> &[Influence] {
        let start = self.starts[vertex] as usize;
        &self.pairs[start..start + self.lengths[vertex] as usize]
    }
}

fn from_groups(mesh: &Mesh, skeleton: &Skeleton) -> Grouped {
    // If several groups have one name, the first is used.
    let mut taken = vec![false; skeleton.nodes.len()];
    let mut groups = Vec::new();
    for group in &mesh.groups {
        if let Some(&bone) = skeleton.bones.get(&group.name)
            && !std::mem::replace(&mut taken[bone], true)
        {
            groups.push((bone, group));
        }
    }
    let mut grouped = Grouped::none(mesh);
    // Weights of zero are ignored, and so are those of vertices that do not exist.
    let counts = |&&(vertex, weight): &&(u32, f32)| weight > 0.0 && (vertex as usize) < mesh.vertices.len();
    for (vertex, _) in groups.iter().flat_map(|(_, g)| &g.weights).filter(counts) {
        grouped.lengths[*vertex as usize] += 1;
    }
    let mut sum = 0;
    for (start, length) in grouped.starts.iter_mut().zip(&mut grouped.lengths) {
        *start = sum;
        sum += std::mem::take(length);
    }
    grouped.pairs = vec![Influence::default(); sum as usize];
    for (bone, group) in &groups {
        for &(vertex, weight) in group.weights.iter().filter(counts) {
            let vertex = vertex as usize;
            let (start, length) = (grouped.starts[vertex], &mut grouped.lengths[vertex]);
            // A vertex's last entry is of this group only if the group has already listed the vertex.
            let last = length.checked_sub(1).and_then(|l| grouped.pairs.get((start + l) as usize));
            if last.is_none_or(|l| l.joint != *bone as u32) {
                grouped.pairs[(start + *length) as usize] = Influence { joint: *bone as u32, weight };
                *length += 1;
            }
        }
    }
    grouped
}
