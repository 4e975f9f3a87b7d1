//! Merges identical vertices.

use super::vertices::{corners_mut, gather};
use crate::scene::{Influences, Part};
use std::hash::{BuildHasher, Hasher, RandomState};

/// Merges the vertices of a part that are identical bit by bit in every attribute, including influences and morph
/// deltas. The first of them stays, so the order of vertices is kept. Takes time linear in the vertices.
pub(crate) fn weld_part(part: &mut Part) {
    const FREE: u32 = u32::MAX;
    let count = part.positions.len();
    let attributes = Attributes::of(part);
    // Open addressing, at most half full. The hash is randomly keyed against crafted collisions; the result does not
    // depend on it.
    let mut table = vec![FREE; (count * 2).next_power_of_two()];
    let mask = table.len() - 1;
    let keys = RandomState::new();
    let mut first: Vec<u32> = Vec::new();
    let mut new_index = Vec::with_capacity(count);
    for vertex in 0..count {
        let mut slot = attributes.hash(vertex, &keys) as usize & mask;
        let index = loop {
            match table[slot] {
                FREE => {
                    table[slot] = first.len() as u32;
                    first.push(vertex as u32);
                    break table[slot];
                }
                index if attributes.same(first[index as usize] as usize, vertex) => break index,
                _ => slot = (slot + 1) & mask,
            }
        };
        new_index.push(index);
    }
    drop(table);
    if first.len() < count {
        corners_mut(&mut part.faces).iter_mut().for_each(|c| *c = new_index[*c as usize]);
        drop(new_index);
        gather(part, &first);
    }
}

/// The bytes of all vertex attributes of a part.
struct Attributes<'a> {
    /// Arrays with the same number of bytes for every vertex.
    arrays: Vec<(&'a [u8], usize)>,
    influences: &'a Influences,
}

impl<'a> Attributes<'a> {
    fn of(part: &'a Part) -> Self {
        let mut arrays = Vec::new();
        fn add<'a, T: bytemuck::Pod>(arrays: &mut Vec<(&'a [u8], usize)>, values: &'a [T]) {
            if !values.is_empty() {
                arrays.push((bytemuck::cast_slice(values), size_of::<T>()));
            }
        }
        add(&mut arrays, &part.positions);
        add(&mut arrays, &part.normals);
        add(&mut arrays, &part.tangents);
        part.uvs.iter().for_each(|set| add(&mut arrays, set));
        part.colors.iter().for_each(|set| add(&mut arrays, set));
        for deltas in &part.morphs {
            add(&mut arrays, &deltas.positions);
            add(&mut arrays, &deltas.normals);
            add(&mut arrays, &deltas.tangents);
        }
        Self { arrays, influences: &part.influences }
    }

    fn bytes(&self, vertex: usize) -> impl Iterator<Item = &'a [u8]> {
        let pairs = self.influences.of(vertex);
        let arrays = self.arrays.iter().map(move |&(bytes, size)| &bytes[vertex * size..(vertex + 1) * size]);
        arrays.chain([bytemuck::cast_slice(pairs)])
    }

    fn hash(&self, vertex: usize, keys: &RandomState) -> u64 {
        let mut hasher = keys.build_hasher();
        self.bytes(vertex).for_each(|bytes| hasher.write(bytes));
        hasher.finish()
    }

    fn same(&self, a: usize, b: usize) -> bool {
        self.bytes(a).eq(self.bytes(b))
    }
}
