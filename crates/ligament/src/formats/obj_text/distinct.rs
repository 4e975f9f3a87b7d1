//! Joins equal records.

use std::hash::{BuildHasher, RandomState};

/// Distinct records of `N` numbers, numbered in order of first appearance.
///
/// A hash table with open addressing: the time is linear in the number of records. The hash is seeded at random, so
/// that no file can be made to collide; the numbering does not depend on it.
#[derive(Debug)]
pub(crate) struct Distinct<const N: usize> {
    records: Vec<[i32; N]>,
    /// The number of a record plus one, at the slot of its hash or after it; 0 is free. The length is a power of two.
    table: Vec<u32>,
    seed: u64,
    /// The expected number of records.
    expected: usize,
    /// The number of the last record: neighbours are often equal.
    last: Option<u32>,
}

impl<const N: usize> Distinct<N> {
    pub(crate) fn new() -> Self {
        let seed = RandomState::new().hash_one(0) | 1;
        Self { records: Vec::new(), table: Vec::new(), seed, expected: 0, last: None }
    }

    /// Reserves room for about `records` records when the first one is added.
    pub(crate) fn expect(&mut self, records: usize) {
        self.expected = records;
    }

    /// The table length for a number of records.
    fn slots(records: usize) -> usize {
        (records.saturating_mul(8) / 5 + 1).next_power_of_two().max(16)
    }

    /// Returns the number of a record, adding it if it is new. `None` if there are more than 32 bits can count.
    #[inline(always)]
    pub(crate) fn number(&mut self, record: &[i32; N]) -> Option<u32> {
        if let Some(last) = self.last
            && self.records.get(last as usize) == Some(record)
        {
            return Some(last);
        }
        // At most five eighths full, so that searches are short.
        if self.records.len() * 8 >= self.table.len() * 5 {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut at = self.hash(record) as usize & mask;
        loop {
            let found = self.table[at];
            if found == 0 {
                let number = u32::try_from(self.records.len()).ok().filter(|&n| n < u32::MAX)?;
                self.table[at] = number + 1;
                self.records.push(*record);
                self.last = Some(number);
                return Some(number);
            }
            if self.records[found as usize - 1] == *record {
                self.last = Some(found - 1);
                return self.last;
            }
            at = (at + 1) & mask;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    /// Removes all records after the first `length`.
    pub(crate) fn truncate(&mut self, length: usize) {
        while self.records.len() > length
            && let Some(record) = self.records.pop()
        {
            // Safe, because no search for another record passes the one that was added last.
            let (number, mask) = (self.records.len() as u32 + 1, self.table.len() - 1);
            let mut at = self.hash(&record) as usize & mask;
            while self.table[at] != number {
                at = (at + 1) & mask;
            }
            self.table[at] = 0;
        }
        self.last = None;
    }

    /// Removes duplicates from a list in place; `each` gets the number of every record in turn.
    pub(crate) fn compact(records: &mut Vec<[i32; N]>, mut each: impl FnMut(u32)) {
        let slots = Self::slots(records.len());
        let mut distinct = Self { table: vec![0; slots], ..Self::new() };
        let mut kept = 0;
        for i in 0..records.len() {
            let record = records[i];
            let mut at = distinct.hash(&record) as usize & (slots - 1);
            let number = loop {
                match distinct.table[at] as usize {
                    0 => {
                        records[kept] = record;
                        kept += 1;
                        distinct.table[at] = kept as u32;
                        break kept - 1;
                    }
                    found if records[found - 1] == record => break found - 1,
                    _ => at = (at + 1) & (slots - 1),
                }
            };
            each(number as u32);
        }
        records.truncate(kept);
        records.shrink_to_fit();
    }

    /// The records, by number.
    pub(crate) fn into_records(self) -> Vec<[i32; N]> {
        self.records
    }

    #[inline(always)]
    fn hash(&self, record: &[i32; N]) -> u64 {
        let mut hash = self.seed;
        // Two numbers at a time.
        for pair in record.chunks(2) {
            let [low, high] =
                [pair[0], pair.get(1).copied().unwrap_or_default()].map(|v| u64::from(v as u32));
            let product = u128::from(hash ^ (low | high << 32)) * 0x9e37_79b9_7f4a_7c15_u128;
            hash = (product as u64) ^ ((product >> 64) as u64) ^ self.seed.rotate_left(23);
        }
        hash ^ hash >> 29
    }

    #[cold]
    fn grow(&mut self) {
        let length = (self.table.len() * 2).max(Self::slots(self.expected));
        self.records.reserve(self.expected.saturating_sub(self.records.len()));
        self.table = vec![0; length];
        for (i, record) in self.records.iter().enumerate() {
            let mut at = self.hash(record) as usize & (length - 1);
            while self.table[at] != 0 {
                at = (at + 1) & (length - 1);
            }
            self.table[at] = i as u32 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn numbers_follow_first_use_whatever_the_seed() {
        for _ in 0..3 {
            let mut distinct = Distinct::<2>::new();
            let (mut known, mut next) = (HashMap::new(), 0);
            for i in 0..200_000_u64 {
                let random = i.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 40;
                let record = [(random % 311) as i32 - 5, (random / 311 % 97) as i32];
                let expected = *known.entry(record).or_insert_with(|| {
                    next += 1;
                    next - 1
                });
                assert_eq!(distinct.number(&record), Some(expected));
            }
            assert_eq!(distinct.into_records().len(), known.len());
        }
    }

    #[test]
    fn room_changes_nothing() {
        let (mut grown, mut roomy) = (Distinct::<1>::new(), Distinct::<1>::new());
        roomy.expect(10);
        for i in 0..1000 {
            assert_eq!(grown.number(&[i % 77]), roomy.number(&[i % 77]));
        }
        assert_eq!(grown.into_records(), roomy.into_records());
    }

    #[test]
    fn what_was_put_in_last_can_be_forgotten() {
        let mut distinct = Distinct::<1>::new();
        for i in 0..1000 {
            assert_eq!(distinct.number(&[i]), Some(i as u32));
            let length = distinct.len();
            for more in 0..i % 40 {
                assert_eq!(distinct.number(&[-1 - more]), Some((i + 1 + more) as u32));
            }
            distinct.truncate(length);
        }
        assert!((0..1000).all(|i| distinct.number(&[i]) == Some(i as u32)) && distinct.len() == 1000);
    }

    #[test]
    fn a_list_is_compacted_in_place() {
        let records: Vec<[i32; 1]> = (0..1000).map(|i| [i * i % 77]).collect();
        let mut distinct = Distinct::<1>::new();
        let expected: Vec<u32> = records.iter().filter_map(|record| distinct.number(record)).collect();
        let (mut compact, mut numbers) = (records, Vec::new());
        Distinct::compact(&mut compact, |number| numbers.push(number));
        assert_eq!((compact, numbers), (distinct.into_records(), expected));
    }

    #[test]
    fn runs_of_regular_records_do_not_pile_up() {
        // Grids of indices, as in real files, must not collide in a few slots of the table.
        let mut distinct = Distinct::<5>::new();
        for i in 0..100_000 {
            distinct.number(&[i, i * 2, i / 6, 0, i % 3]).expect("few");
        }
        let longest = distinct.table.split(|&slot| slot == 0).map(<[u32]>::len).max();
        assert!(longest < Some(200), "{longest:?}");
    }
}
