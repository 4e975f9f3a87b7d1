//! Primitives that share one set of vertices and differ in their indices. Each part keeps only the vertices that it
//! uses; otherwise a model with fifty materials would hold its vertices fifty times.

use super::super::json::Root;
use super::Import;
use crate::mesh::vertices::{corners_mut, gather};
use crate::scene::Part;
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
        // Marks the used vertices, then numbers them.
        let mut numbers = vec![u32::MAX; vertices];
        part.faces.corners().iter().for_each(|&c| numbers[c as usize] = 0);
        let used: Vec<u32> = (0..vertices as u32).filter(|&v| numbers[v as usize] == 0).collect();
        if used.len() == vertices || used.is_empty() {
            return;
        }
        (0..).zip(&used).for_each(|(number, &vertex)| numbers[vertex as usize] = number);
        corners_mut(&mut part.faces).iter_mut().for_each(|c| *c = numbers[*c as usize]);
        let before = size(part);
        gather(part, &used);
        self.budget.refund(before.saturating_sub(size(part)));
    }
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
