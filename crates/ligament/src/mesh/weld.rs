//! Merges identical vertices.

use super::equal::{Hash, first_equal};
use super::vertices::{corners_mut, gather};
use crate::scene::{Influences, Part};

/// Merges the vertices of a part that are identical bit by bit in every attribute, including influences and morph
/// deltas. The first of them stays, so the order of vertices is kept. Takes time linear in the vertices.
pub(crate) fn weld_part(part: &mut Part) {
    let count = part.positions.len();
    let attributes = Attributes::of(part);
    let hash = |vertex, hash| attributes.hash(vertex, hash);
    let mut numbers = first_equal(count, hash, |a, b| attributes.is_same(a, b));
    // From the first equal vertex, which comes before and is already numbered, to its number among those that stay.
    let mut kept: Vec<u32> = Vec::new();
    for vertex in 0..count {
        let first = numbers[vertex] as usize;
        if first == vertex {
            numbers[vertex] = kept.len() as u32;
            kept.push(vertex as u32);
        } else {
            numbers[vertex] = numbers[first];
        }
    }
    if kept.len() < count {
        corners_mut(&mut part.faces).iter_mut().for_each(|c| *c = numbers[*c as usize]);
        drop(numbers);
        gather(part, &kept);
    }
}

/// The numbers of all vertex attributes of a part, as bits.
struct Attributes<'a> {
    /// Arrays with the same count of numbers for every vertex.
    arrays: Vec<(&'a [u32], usize)>,
    influences: &'a Influences,
}

impl<'a> Attributes<'a> {
    fn of(part: &'a Part) -> Self {
        let mut arrays = Vec::new();
        fn add<'a, T: bytemuck::Pod>(arrays: &mut Vec<(&'a [u32], usize)>, values: &'a [T]) {
            if !values.is_empty() {
                arrays.push((bytemuck::cast_slice(values), size_of::<T>() / size_of::<u32>()));
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

    fn numbers(&self, vertex: usize) -> impl Iterator<Item = &'a [u32]> {
        let pairs = self.influences.of(vertex);
        let arrays =
            self.arrays.iter().map(move |&(numbers, count)| &numbers[vertex * count..(vertex + 1) * count]);
        arrays.chain([bytemuck::cast_slice(pairs)])
    }

    fn hash(&self, vertex: usize, hash: Hash) -> Hash {
        self.numbers(vertex).fold(hash, |hash, numbers| {
            let (pairs, rest) = numbers.as_chunks::<2>();
            let hash = pairs.iter().fold(hash, |hash, &[low, high]| hash.add(low, high));
            rest.iter().fold(hash, |hash, &number| hash.add(number, 0))
        })
    }

    fn is_same(&self, a: usize, b: usize) -> bool {
        self.numbers(a).eq(self.numbers(b))
    }
}
