//! Reports and depfiles must not replace what they are about.

use crate::input::is_stream;
use ligament::internal::is_same_file;
use std::path::Path;

/// Refuses a report or depfile that is the same file as an input, an output, the rules, or each other. `others` are these
/// files with what they are.
pub fn check<'a>(
    report: Option<&Path>,
    depfile: Option<&Path>,
    others: impl Iterator<Item = (&'static str, &'a Path)> + Clone,
) -> Result<(), String> {
    let files = [("--report", report), ("--depfile", depfile)];
    for (option, path) in files.into_iter().filter_map(|(option, path)| Some((option, path?))) {
        let mut others = others.clone().filter(|(_, other)| !is_stream(other));
        if let Some((what, other)) = others.find(|(_, other)| is_same_file(path, other)) {
            return Err(format!("{option} {} would replace {what} {}", path.display(), other.display()));
        }
    }
    match (report, depfile) {
        (Some(report), Some(depfile)) if is_same_file(report, depfile) => {
            Err(format!("--report and --depfile are the same file, {}", report.display()))
        }
        _ => Ok(()),
    }
}
