//! Finding an equal value in a list without comparing all of it.

use crate::scene::Extras;
use serde_json::Value;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

/// The elements of a list by a hash of what makes them equal. The list itself stays the caller's.
#[derive(Debug, Clone, Default)]
pub(crate) struct Known(HashMap<u64, Vec<u32>>);

impl Known {
    /// The first element with this key for which `is_same` is true. If there is none, the list's next element, number
    /// `length`, is noted under the key, and the caller adds it.
    pub(crate) fn find(
        &mut self,
        key: impl Hash,
        length: usize,
        is_same: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let hash = self.0.hasher().hash_one(key);
        let alike = self.0.entry(hash).or_default();
        let found = alike.iter().map(|&known| known as usize).find(|&known| is_same(known));
        if found.is_none() {
            alike.push(length as u32);
        }
        found
    }
}

/// Numbers as a key. Those that are equal give the same: the signs of zeros do not count.
pub(crate) fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|number| (number + 0.0).to_bits()).collect()
}

/// Extras as a key: the order of their fields does not count.
pub(crate) fn json(extras: &Extras) -> String {
    let mut key = String::new();
    add_object(extras, &mut key);
    key
}

fn add_object(object: &Extras, key: &mut String) {
    let mut fields: Vec<_> = object.iter().collect();
    fields.sort_unstable_by_key(|(name, _)| *name);
    for (name, value) in fields {
        *key += name;
        key.push('\0');
        add_value(value, key);
    }
    key.push('\x01');
}

fn add_value(value: &Value, key: &mut String) {
    match value {
        Value::Object(object) => add_object(object, key),
        Value::Array(list) => list.iter().for_each(|value| add_value(value, key)),
        plain => *key += &plain.to_string(),
    }
    key.push('\0');
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn ten_times_the_values_cost_ten_times_the_comparisons() {
        let comparisons = |count: u32| {
            let (mut known, mut list, steps) = (Known::default(), Vec::new(), Cell::new(0));
            for number in (0..count).chain(0..count) {
                let is_same = |index: usize| {
                    steps.set(steps.get() + 1);
                    list[index] == number
                };
                match known.find(number, list.len(), is_same) {
                    Some(index) => assert_eq!(index, number as usize),
                    None => list.push(number),
                }
            }
            assert_eq!(list.len(), count as usize);
            steps.get()
        };
        let (few, many) = (comparisons(1000), comparisons(10_000));
        assert!(few >= 1000 && many <= 12 * few, "{few} comparisons, then {many}");
    }

    #[test]
    fn the_order_of_fields_does_not_count() {
        let key = |text: &str| json(&serde_json::from_str(text).expect("an object"));
        let nested = r#"{"a":[1,{"b":null,"c":"x"}],"d":true}"#;
        assert_eq!(key(nested), key(r#"{"d":true,"a":[1,{"c":"x","b":null}]}"#));
        assert_ne!(key(nested), key(r#"{"d":true,"a":[2,{"c":"x","b":null}]}"#));
        assert_eq!(key("{}"), key("{}"));
    }

    #[test]
    fn zeros_are_equal_whatever_their_sign() {
        assert_eq!(bits(&[0.0, 1.0]), bits(&[-0.0, 1.0]));
        assert_ne!(bits(&[1.0]), bits(&[-1.0]));
    }
}
