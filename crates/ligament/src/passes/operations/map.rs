//! Maps from names to other names, as people write them: `OLD=NEW`, or a TOML file of such pairs.
//!
//! ```toml
//! # mine to theirs
//! "mixamorig:Hips" = "pelvis"
//! "mixamorig:*" = "*"        # what the star stands for stays
//! ```

use super::codes;
use super::spec::pair;
use crate::Limits;
use crate::io::Source;
use crate::report::{Diagnostic, Failure, Place, Report, Severity};
use crate::text::Lines;
use std::path::Path;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

/// A line of a map.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pair {
    pub(super) from: String,
    pub(super) to: String,
    /// The file it is from.
    file: Option<Arc<str>>,
    place: Place,
}

/// Limit of a map's length in bytes.
const LONGEST: u64 = 4 << 20;
/// The table of a map's pairs; they may also be outside of any table.
const TABLE: &str = "joints";

/// Whether a word names a file, and is no pair itself.
pub(super) fn is_file(word: &str) -> bool {
    Path::new(word).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

impl Pair {
    /// Reports what is wrong with it.
    pub(super) fn wrong(&self, message: impl Into<String>, report: &mut Report) -> Failure {
        let error =
            Diagnostic::new(Severity::Error, &codes::BAD_OPERATION, self.place.clone(), message.into());
        self.report(error, report)
    }

    /// Reports an error about it.
    pub(super) fn report(&self, mut error: Diagnostic, report: &mut Report) -> Failure {
        let file = report.file().to_owned();
        error.place = self.place.clone();
        if let Some(own) = &self.file {
            report.set_file(own);
        }
        report.push(error);
        report.set_file(&file);
        Failure::Usage
    }
}

/// The pairs of several words, in their order.
pub(super) fn pairs(words: &[String], limits: &Limits, report: &mut Report) -> Result<Vec<Pair>, Failure> {
    let mut all = Vec::new();
    for word in words {
        if is_file(word) {
            let file = report.file().to_owned();
            let read = read(Path::new(word), limits, report);
            all.extend(read?);
            report.set_file(&file);
            continue;
        }
        match pair(word) {
            Ok((from, to)) => {
                let (from, to) = (from.to_owned(), to.to_owned());
                all.push(Pair { from, to, file: None, place: Place::WHOLE });
            }
            Err(message) => {
                let message = format!("{message}; a file of pairs ends in .toml");
                report.error(&codes::BAD_OPERATION, Place::WHOLE, message);
                return Err(Failure::Usage);
            }
        }
    }
    Ok(all)
}

/// The pairs of a file.
fn read(path: &Path, limits: &Limits, report: &mut Report) -> Result<Vec<Pair>, Failure> {
    let limits = Limits { max_file_bytes: limits.max_file_bytes.min(LONGEST), ..*limits };
    let source = Source::open(path, &limits, report)?;
    let bytes = source.bytes(report)?;
    let lines = Lines::new(&bytes);
    let mut wrong = |span, message: String| {
        report.error(&codes::BAD_OPERATION, lines.place(span), message);
        Failure::Usage
    };
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let at = error.valid_up_to();
        wrong(at..at + 1, "this is not UTF-8".to_owned())
    })?;
    let (table, errors) = DeTable::parse_recoverable(text);
    if let Some(error) = errors.first() {
        return Err(wrong(error.span().unwrap_or(0..0), error.message().replace('\n', ", ")));
    }
    let file: Arc<str> = source.name.as_str().into();
    let mut all = Vec::new();
    let mut tables = vec![table.get_ref()];
    while let Some(table) = tables.pop() {
        for (key, value) in table.iter() {
            match value.get_ref() {
                DeValue::String(to) => all.push(Pair {
                    from: key.get_ref().to_string(),
                    to: to.to_string(),
                    file: Some(Arc::clone(&file)),
                    place: lines.place(key.span()),
                }),
                DeValue::Table(joints) if key.get_ref() == TABLE && tables.is_empty() => tables.push(joints),
                DeValue::Table(_) => {
                    let message = format!(
                        "{:?} is a table; pairs are outside of any table or in [{TABLE}], and names with dots are in quotes",
                        key.get_ref()
                    );
                    return Err(wrong(key.span(), message));
                }
                _ => return Err(wrong(value.span(), "expected a name in quotes".to_owned())),
            }
        }
    }
    all.sort_by_key(|pair| pair.place.span.as_ref().map(|span| span.start));
    Ok(all)
}
