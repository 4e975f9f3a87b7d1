//! Names that no two things share.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// The names that are in use. A thing whose name is taken gets a number with it.
///
/// Each name's numbers are counted on, never tried again from the start: a thousand things of one name cost a thousand
/// steps.
///
/// ```
/// use ligament::internal::UniqueNames;
///
/// let mut names = UniqueNames::default();
/// let numbered = |number: u64| if number == 0 { "bone".to_owned() } else { format!("bone.{number}") };
/// assert_eq!((names.take(numbered), names.take(numbered)), (0, 1));
/// ```
#[derive(Debug, Clone)]
pub struct UniqueNames<N> {
    used: HashSet<N>,
    /// For a name that was taken more than once, a number before which all are used.
    next: HashMap<N, u64>,
}

impl<N> Default for UniqueNames<N> {
    fn default() -> Self {
        Self { used: HashSet::new(), next: HashMap::new() }
    }
}

impl<N: Eq + Hash> UniqueNames<N> {
    /// Takes the first name that is free: `numbered(0)`, which is the name as it is wanted, `numbered(1)`, and so on.
    /// Returns its number.
    pub fn take(&mut self, numbered: impl Fn(u64) -> N) -> u64 {
        let number = self.first_free(&numbered);
        self.used.insert(numbered(number));
        number
    }

    /// The number of the first name that is free, without taking it.
    pub fn first_free(&mut self, numbered: impl Fn(u64) -> N) -> u64 {
        let wanted = numbered(0);
        if !self.used.contains(&wanted) {
            return 0;
        }
        let next = self.next.entry(wanted).or_insert(1);
        while self.used.contains(&numbered(*next)) {
            *next += 1;
        }
        *next
    }

    /// Takes a name. Returns whether it was free.
    pub fn insert(&mut self, name: N) -> bool {
        self.used.insert(name)
    }

    /// Whether a name is taken.
    pub fn contains(&self, name: &N) -> bool {
        self.used.contains(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn dotted(name: &str, number: u64) -> String {
        if number == 0 { name.to_owned() } else { format!("{name}.{}", number + 1) }
    }

    #[test]
    fn names_that_look_numbered_are_skipped() {
        let mut names = UniqueNames::default();
        let wanted = ["a", "a.2", "a", "a", "a.2", "b", "a"];
        let taken: Vec<String> =
            wanted.iter().map(|name| dotted(name, names.take(|number| dotted(name, number)))).collect();
        assert_eq!(taken, ["a", "a.2", "a.3", "a.4", "a.2.2", "b", "a.5"]);
    }

    #[test]
    fn ten_times_the_names_cost_ten_times_the_steps() {
        let steps = |count: u64| {
            let (mut names, steps) = (UniqueNames::default(), Cell::new(0));
            let numbered = |number: u64| {
                steps.set(steps.get() + 1);
                number
            };
            // Half of the numbered names are taken before anything is called so.
            (1..=count / 2).for_each(|number| assert!(names.insert(number)));
            for _ in 0..count {
                names.take(numbered);
            }
            steps.get()
        };
        let (few, many) = (steps(1000), steps(10_000));
        assert!(many <= 12 * few, "{few} steps for 1000 names, {many} for 10000");
    }
}
