//! Finds equal items among many, in linear time.

use std::hash::{BuildHasher, RandomState};

const FREE: u32 = u32::MAX;

/// A fast hash of numbers, with a random key, so that no file can be made to collide. Results do not depend on the key,
/// because items are compared.
#[derive(Clone, Copy)]
pub(crate) struct Hash {
    key: u64,
    state: u64,
}

impl Hash {
    fn new() -> Self {
        let key = RandomState::new().hash_one(0) | 1;
        Self { key, state: key }
    }

    /// Adds two numbers.
    #[inline(always)]
    pub(crate) fn add(self, low: u32, high: u32) -> Self {
        let word = u64::from(low) | u64::from(high) << 32;
        let product = u128::from(self.state ^ word) * 0x9e37_79b9_7f4a_7c15_u128;
        let state = product as u64 ^ (product >> 64) as u64 ^ self.key.rotate_left(23);
        Self { state, ..self }
    }

    /// The hash as an index below `length`. Its high bits are used, which depend on all numbers.
    #[inline(always)]
    fn below(self, length: usize) -> usize {
        let mixed = u128::from(self.state ^ self.state >> 29) * u128::from(self.key);
        ((u128::from(mixed as u64 ^ (mixed >> 64) as u64) * length as u128) >> 64) as usize
    }
}

/// For each of `count` items, the first item that is equal to it. Equal items must have the same hash.
pub(crate) fn first_equal(
    count: usize,
    hash: impl Fn(usize, Hash) -> Hash,
    is_same: impl Fn(usize, usize) -> bool,
) -> Vec<u32> {
    // Open addressing, at most two thirds full.
    let mut table = vec![FREE; count + count / 2 + 1];
    let start = Hash::new();
    let first = |item: usize| {
        let mut slot = hash(item, start).below(table.len());
        loop {
            match table[slot] {
                FREE => {
                    table[slot] = item as u32;
                    return item as u32;
                }
                first if is_same(first as usize, item) => return first,
                _ => slot = if slot + 1 < table.len() { slot + 1 } else { 0 },
            }
        }
    };
    (0..count).map(first).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn the_first_of_equal_items_is_found_whatever_the_key() {
        let items: Vec<[u32; 3]> = (0..50_000_u64)
            .map(|i| i.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 40)
            .map(|random| [random % 31, random / 31 % 37, random % 7].map(|v| v as u32))
            .collect();
        let mut known = HashMap::new();
        let expected: Vec<u32> =
            items.iter().enumerate().map(|(i, item)| *known.entry(item).or_insert(i as u32)).collect();
        for _ in 0..3 {
            let hash = |i: usize, hash: Hash| hash.add(items[i][0], items[i][1]).add(items[i][2], 0);
            assert_eq!(first_equal(items.len(), hash, |a, b| items[a] == items[b]), expected);
        }
        assert!(first_equal(0, |_, hash| hash, |_, _| true).is_empty());
    }

    #[test]
    fn regular_items_do_not_pile_up() {
        // Grids of numbers, as in real files. Steps are counted by comparisons of items that differ.
        let grids: [fn(u32) -> [u32; 2]; 4] = [
            |i| [i, 0],
            |i| [0, i],
            |i| [(i as f32).to_bits(), (i as f32 * 0.25).to_bits()],
            |i| [i << 20, i >> 12],
        ];
        for item in grids {
            let steps = std::cell::Cell::new(0_usize);
            let count = 100_000;
            let hash = |i: usize, hash: Hash| {
                let [a, b] = item(i as u32);
                hash.add(a, b)
            };
            let is_same = |a: usize, b: usize| {
                steps.set(steps.get() + 1);
                item(a as u32) == item(b as u32)
            };
            let first = first_equal(count, hash, is_same);
            assert!(first.iter().enumerate().all(|(i, &first)| i == first as usize));
            assert!(steps.get() < 2 * count, "{} steps", steps.get());
        }
    }
}
