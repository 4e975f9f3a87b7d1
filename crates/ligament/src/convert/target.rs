use super::{ConvertOptions, codes};
use crate::formats::{self, Format};
use crate::report::{Diagnostic, Failure, Place, Report, Severity};
use std::path::Path;

/// A format to write, and the dialect if one was chosen.
#[derive(Clone, Copy)]
pub struct Target {
    /// The format.
    pub format: &'static Format,
    /// The dialect given by an option, by the output's extension or by the word after `--to`; `None` if none was
    /// chosen.
    pub dialect: Option<&'static str>,
}

/// The format to write: the one given by an option, otherwise by the output's extension. An extension that is also a
/// dialect's id (`glb`) chooses that dialect.
pub fn target(output: &Path, options: &ConvertOptions, report: &mut Report) -> Result<Target, Failure> {
    report.set_file(&output.display().to_string());
    let format = match &options.to {
        Some(id) => format_by_id(id, report)?,
        None => formats::by_extension(output).ok_or_else(|| {
            unknown_format("the output's extension is not that of a known format", "--to", report);
            Failure::Usage
        })?,
    };
    let known = format.dialects;
    let named = |word: &str| known.iter().map(|d| d.id).find(|d| d.eq_ignore_ascii_case(word));
    let dialect = match &options.dialect {
        Some(word) => Some(named(word).ok_or_else(|| {
            let known: Vec<_> = known.iter().map(|d| d.id).collect();
            let known = if known.is_empty() {
                "it has no dialects".into()
            } else {
                format!("its dialects are {}", known.join(", "))
            };
            let message = format!("{} has no dialect {word:?}; {known}", format.name);
            report.error(&codes::UNKNOWN_DIALECT, Place::WHOLE, message);
            Failure::Usage
        })?),
        None => {
            let extension = output.extension().map(|e| e.to_string_lossy());
            options.to.as_deref().and_then(named).or_else(|| extension.and_then(|e| named(&e)))
        }
    };
    Ok(Target { format, dialect })
}

impl Target {
    /// Whether this is the format to write.
    pub(super) fn is_format(self, format: &'static Format) -> bool {
        self.format.id == format.id
    }

    /// Refuses a target that is read-only. A document that is kept as it is needs no such check.
    pub(super) fn check_written(self, report: &mut Report) -> Result<(), Failure> {
        match self.format.writes(self.dialect) {
            true => Ok(()),
            false => Err(self.format.not_written(self.dialect, report)),
        }
    }

    /// Notes which dialect was written if the user did not choose it and there are others.
    pub(super) fn note_dialect(self, written: &'static str, report: &mut Report) {
        let is_other = |d: &&str| *d != written && self.format.writes(Some(d));
        let others: Vec<_> = self.format.dialects.iter().map(|d| d.id).filter(is_other).collect();
        if !others.is_empty() {
            let message =
                format!("wrote dialect {written:?} (also available: --dialect {})", others.join(", "));
            report.note(&codes::DIALECT, Place::WHOLE, message);
        }
    }
}

/// Reports that the format is unknown, and the option that names it.
pub(super) fn unknown_format(message: &str, option: &str, report: &mut Report) {
    let code = &crate::io::codes::UNKNOWN_FORMAT;
    let help = format!("name the format with {option}; `ligament formats` lists them");
    report.push(Diagnostic::new(Severity::Error, code, Place::WHOLE, message).help(help));
}

/// The format with this id.
pub(super) fn format_by_id(id: &str, report: &mut Report) -> Result<&'static Format, Failure> {
    formats::by_id(id).ok_or_else(|| {
        let known: Vec<_> = formats::FORMATS.iter().map(|f| f.id).collect();
        let message = format!("there is no format {id:?}; the formats are {}", known.join(", "));
        report.error(&crate::io::codes::UNKNOWN_FORMAT, Place::WHOLE, message);
        Failure::Usage
    })
}
