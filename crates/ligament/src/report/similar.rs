//! Finds the name that the user probably meant.

/// The candidate with the fewest typing errors, if they are few enough to be typing errors.
pub fn most_similar<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = name.to_lowercase();
    let allowed = (wanted.chars().count() / 3).max(1);
    candidates
        .map(|candidate| (typing_errors(&wanted, &candidate.to_lowercase()), candidate))
        .filter(|&(errors, _)| errors <= allowed)
        .min_by_key(|&(errors, _)| errors)
        .map(|(_, candidate)| candidate)
}

/// The number of insertions, removals, replacements and swaps of neighbours that turn `a` into `b`.
pub fn typing_errors(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_errors_are_counted() {
        for (a, b, errors) in [
            ("", "abc", 3),
            ("IO001", "IO001", 0),
            ("I001", "IO001", 1),
            ("IO010", "IO001", 1),
            ("Wlak", "Walk", 1),
        ] {
            assert_eq!(typing_errors(a, b), errors, "{a} {b}");
        }
    }

    #[test]
    fn what_is_too_different_is_no_typing_error() {
        let names = ["Idle", "Walk"];
        assert_eq!(most_similar("walks", names.into_iter()), Some("Walk"));
        assert_eq!(most_similar("Jump", names.into_iter()), None);
    }
}
