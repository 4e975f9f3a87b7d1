//! Primitives that share one set of vertices and differ in their indices. Each part keeps only the vertices that it
//! uses; otherwise a model with fifty materials would hold its vertices fifty times.

use super::super::json::Root;
use super::Import;
use crate::scene::{Faces, Influences, MorphDeltas, Part};
use std::collections::BTreeMap;

/// Counts how often each accessor is used for positions.
pub(super) fn shared_positions(root: &Root, own: usize) -> BTreeMap<u32, usize> {
    let mut uses = BTreeMap::new();
    for primitive in root.meshes.iter().take(own).flat_map(|m| &m.primitives) {
        if let Some(&accessor) = primitive.attributes.get("POSITION") {
            *uses.entry(accessor).or_insert(0) += 1;
        }
    }
    uses
}

impl Import<'_, '_, '_> {
    /// Removes the vertices that no face uses, keeping the order of the others.
    pub(super) fn compact(&mut self, part: &mut Part) {
        let vertices = part.positions.len();
        let mut is_used = vec![false; vertices];
        part.faces.corners().iter().for_each(|&c| is_used[c as usize] = true);
        let used = is_used.iter().filter(|u| **u).count();
        if used == vertices || used == 0 {
            return;
        }
        let mut next = 0;
        let numbers: Vec<u32> = is_used
            .iter()
            .map(|&used| {
                next += u32::from(used);
                next.wrapping_sub(1)
            })
            .collect();
        if let Faces::Points(c) | Faces::Lines(c) | Faces::Triangles(c) = &mut part.faces {
            c.iter_mut().for_each(|c| *c = numbers[*c as usize]);
        }
        let before = size(part);
        keep(&mut part.positions, &is_used);
        keep(&mut part.normals, &is_used);
        keep(&mut part.tangents, &is_used);
        part.uvs.iter_mut().for_each(|uvs| keep(uvs, &is_used));
        part.colors.iter_mut().for_each(|colors| keep(colors, &is_used));
        for MorphDeltas { positions, normals, tangents } in &mut part.morphs {
            [positions, normals, tangents].into_iter().for_each(|deltas| keep(deltas, &is_used));
        }
        if !part.influences.is_empty() {
            let mut influences = Influences::with_capacity(used, 0);
            for (of_vertex, _) in part.influences.iter().zip(&is_used).filter(|(_, used)| **used) {
                influences.push(of_vertex.iter().copied());
            }
            part.influences = influences;
        }
        self.budget.refund(before.saturating_sub(size(part)));
    }
}

fn keep<T>(values: &mut Vec<T>, is_used: &[bool]) {
    let mut used = is_used.iter();
    values.retain(|_| used.next().copied().unwrap_or(false));
    values.shrink_to_fit();
}

/// The size of the vertex arrays in bytes.
fn size(part: &Part) -> u64 {
    let vertices = part.positions.len();
    let vectors = part.normals.len() + part.tangents.len();
    let sets = part.uvs.iter().map(Vec::len).sum::<usize>() + part.colors.iter().map(Vec::len).sum::<usize>();
    let morphs: usize =
        part.morphs.iter().map(|m| m.positions.len() + m.normals.len() + m.tangents.len()).sum();
    ((vertices + vectors + sets + morphs) * 8 + part.influences.pairs().len() * 8) as u64
}
