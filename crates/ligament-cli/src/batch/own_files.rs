//! Reports and depfiles must not replace what they are about.

use crate::input::is_stream;
use ligament::internal::is_same_file;
use std::path::Path;

/// Refuses a report or depfile that is the same file as an input, an output, the rules, or each other. `own` are these
/// files with their options, and `others` those that they must not be.
pub fn check<'a>(
    own: &[(&str, Option<&Path>)],
    others: impl Iterator<Item = (&'static str, &'a Path)> + Clone,
) -> Result<(), String> {
    let own: Vec<_> = own.iter().filter_map(|&(option, path)| Some((option, path?))).collect();
    for (number, &(option, path)) in own.iter().enumerate() {
        let mut others = others.clone().filter(|(_, other)| !is_stream(other));
        if let Some((what, other)) = others.find(|(_, other)| is_same_file(path, other)) {
            return Err(format!("{option} {} would replace {what} {}", path.display(), other.display()));
        }
        if let Some((other, _)) = own[number + 1..].iter().find(|(_, other)| is_same_file(path, other)) {
            return Err(format!("{option} and {other} are the same file, {}", path.display()));
        }
    }
    Ok(())
}
