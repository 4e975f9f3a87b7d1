//! Joins equal corners to vertices, without hashing.

use std::collections::HashMap;

const NONE: u32 = u32::MAX;

/// This many vertices at one position are searched before a hash table takes over: real files have a handful, and a
/// file made to have a million must not take forever.
const MOST_STEPS: usize = 24;

/// Distinct corners of a position, a texture coordinate and a normal (−1 for none), numbered in order of first
/// appearance. Corners at the same position form a chain: consecutive faces use nearby positions, so the chain is in
/// the cache, where the slots of a hash table would not be.
#[derive(Debug, Default)]
pub(crate) struct Chained {
    links: Vec<Link>,
    /// The last vertex added at each position.
    last: Vec<u32>,
    /// Vertices at positions that have very many.
    crowded: HashMap<[i32; 3], u32>,
}

#[derive(Debug, Clone, Copy)]
struct Link {
    corner: [i32; 3],
    /// The vertex added before it at the same position.
    before: u32,
}

impl Chained {
    /// Returns the number of a corner, adding it if it is new. The position must not be negative; memory for all
    /// positions up to it is used. `None` if there are more than 32 bits can count.
    #[inline(always)]
    pub(crate) fn number(&mut self, corner: [i32; 3]) -> Option<u32> {
        let position = corner[0] as usize;
        let Some(&last) = self.last.get(position) else { return self.grow(corner) };
        match self.links.get(last as usize) {
            Some(link) if link.corner == corner => Some(last),
            _ => self.search(corner, last),
        }
    }

    fn search(&mut self, corner: [i32; 3], last: u32) -> Option<u32> {
        let mut at = last;
        for _ in 0..MOST_STEPS {
            match self.links.get(at as usize) {
                Some(link) if link.corner == corner => return Some(at),
                Some(link) => at = link.before,
                None => return self.add(corner, last),
            }
        }
        if let Some(&number) = self.crowded.get(&corner) {
            return Some(number);
        }
        // From here on, the whole chain is in the table, so only its end is checked.
        let number = self.add(corner, last)?;
        at = last;
        while let Some(link) = self.links.get(at as usize) {
            if self.crowded.insert(link.corner, at).is_some() {
                break;
            }
            at = link.before;
        }
        self.crowded.insert(corner, number);
        Some(number)
    }

    #[inline(always)]
    fn add(&mut self, corner: [i32; 3], before: u32) -> Option<u32> {
        let number = u32::try_from(self.links.len()).ok().filter(|&n| n < NONE)?;
        self.links.push(Link { corner, before });
        self.last[corner[0] as usize] = number;
        Some(number)
    }

    #[cold]
    fn grow(&mut self, corner: [i32; 3]) -> Option<u32> {
        let least = usize::try_from(corner[0]).ok()? + 1;
        self.last.resize(least.max(self.last.len() * 2).max(16), NONE);
        self.add(corner, NONE)
    }

    /// The number of positions, out of `of`, that have a vertex.
    pub(crate) fn used_positions(&self, of: usize) -> usize {
        self.last.iter().take(of).filter(|&&last| last != NONE).count()
    }

    /// The number of corners.
    pub(crate) fn len(&self) -> usize {
        self.links.len()
    }

    /// The corners, by number.
    pub(crate) fn into_corners(self) -> Vec<[i32; 3]> {
        self.links.into_iter().map(|link| link.corner).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::obj_text::Distinct;

    #[test]
    fn corners_are_numbered_as_a_hash_table_numbers_them() {
        let (mut chained, mut distinct) = (Chained::default(), Distinct::<3>::new());
        for i in 0..300_000_u64 {
            let random = i.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 40;
            // Few positions with many normals each, many with few, and repetitions.
            let position = if i % 3 == 0 { random % 5 } else { random % 4001 };
            let corner = [position as i32, (random / 4001 % 3) as i32 - 1, (random / 12_003 % 97) as i32 - 1];
            assert_eq!(chained.number(corner), distinct.number(&corner));
        }
        assert_eq!((chained.used_positions(4001), chained.used_positions(100)), (4001, 100));
        assert_eq!(chained.into_corners(), distinct.into_records());
    }

    #[test]
    fn a_crowded_position_takes_no_longer_than_others() {
        let mut chained = Chained::default();
        for round in 0..2 {
            for i in 0..200_000 {
                assert_eq!(chained.number([0, i, -1]), Some(i as u32), "{round}");
            }
        }
    }
}
