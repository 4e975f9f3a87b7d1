//! Everything worth telling a person about a file or a conversion.
//!
//! A [`Report`] collects *diagnostics* (something is wrong or unusual at a place in a file) and *losses* (a conversion
//! kept a feature in another form, approximated it, or dropped it). Both carry a stable [`Code`] that `ligament explain
//! CODE` describes.
//!
//! Functions that can fail take `&mut Report`, report there what is wrong, and return `Err(`[`Failure`]`)`, which only
//! states the *kind* of failure. The public entry points combine the two into an [`Error`].

mod code;
mod diagnostic;
pub mod drawing;
mod json;
mod loss;
mod remedy;
pub(crate) mod shown;
pub(crate) mod similar;
mod text;

pub(crate) use code::codes;
pub use code::{Code, all_codes, find_code};
pub use diagnostic::{Diagnostic, Place, Quote, Severity};
pub use loss::{Loss, LossKind, announced};
pub use remedy::Remedy;
pub(crate) use shown::counted;
pub(crate) use similar::most_similar;
pub use text::{LossEntry, Paint, Plain};

use crate::known::Known;
use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::Arc;

/// The name of an object in a report: `clip "Walk"`, or `clip 2` if it has no name.
pub(crate) fn label(kind: &str, name: &str, index: usize) -> String {
    if name.is_empty() { format!("{kind} {index}") } else { format!("{kind} {name:?}") }
}

/// Diagnostics and losses, in the order they were found.
#[derive(Debug, Clone)]
pub struct Report {
    diagnostics: Vec<Diagnostic>,
    losses: Vec<Loss>,
    /// The losses by code, object and message.
    known_losses: Known,
    omitted: u64,
    /// The model's size, to which lengths are related.
    model_size: Option<f64>,
    max_diagnostics: usize,
    /// Notes, warnings and errors, including those that were not kept.
    found: [usize; 3],
    /// The errors that are about something that ligament cannot do.
    unsupported: usize,
    /// Whether the system has refused memory. Then nothing is known about the file.
    lacks_memory: bool,
    file: Arc<str>,
    /// The system's error, if a file could not be read or written.
    cause: Option<Arc<io::Error>>,
}

impl Default for Report {
    fn default() -> Self {
        Self::new("", crate::Limits::default().max_diagnostics)
    }
}

impl Report {
    /// An empty report about `file` that keeps at most `max_diagnostics` errors, and as many warnings and notes. The rest
    /// are counted. At least one error is kept: without it, nobody would know what is wrong.
    pub fn new(file: &str, max_diagnostics: usize) -> Self {
        Self {
            diagnostics: Vec::new(),
            losses: Vec::new(),
            known_losses: Known::default(),
            omitted: 0,
            model_size: None,
            max_diagnostics,
            found: [0; 3],
            unsupported: 0,
            lacks_memory: false,
            file: file.into(),
            cause: None,
        }
    }

    /// Runs something that can fail, with a report of its own.
    pub fn collect<T>(
        limits: &crate::Limits,
        work: impl FnOnce(&mut Report) -> Result<T, Failure>,
    ) -> Result<(T, Report), Error> {
        let mut report = Self::new("", limits.max_diagnostics);
        match work(&mut report) {
            Ok(done) => Ok((done, report)),
            Err(failure) => Err(Error::new(failure, report)),
        }
    }

    /// Sets the file that the following diagnostics are about.
    pub fn set_file(&mut self, file: &str) {
        self.file = file.into();
    }

    /// Adds a diagnostic. Beyond the limit it is only counted. Errors have a limit of their own, so that warnings before
    /// them never hide what is wrong.
    pub fn push(&mut self, mut diagnostic: Diagnostic) {
        let severity = diagnostic.severity;
        self.unsupported += usize::from(severity == Severity::Error && diagnostic.code.is_unsupported);
        self.lacks_memory |= diagnostic.code.id == crate::limits::codes::NO_ROOM.id;
        if self.keeps(severity) {
            diagnostic.file = self.file.clone();
            self.diagnostics.push(diagnostic);
        } else {
            self.omitted += 1;
        }
        self.found[severity as usize] += 1;
    }

    /// The number of diagnostics that were kept.
    pub(crate) fn mark(&self) -> usize {
        self.diagnostics.len()
    }

    /// Quotes the text that the diagnostics since a [mark](Self::mark) are about, where the file holds other bytes.
    pub(crate) fn quote_since(&mut self, mark: usize, text: &[u8]) {
        for diagnostic in self.diagnostics.iter_mut().skip(mark) {
            if diagnostic.place.line_column.is_some() {
                diagnostic.quote = Quote::of(text, &diagnostic.place);
            }
        }
    }

    /// Whether another diagnostic of this severity would be kept. If not, its place need not be looked up.
    pub(crate) fn keeps(&self, severity: Severity) -> bool {
        let [notes, warnings, errors] = self.found;
        match severity {
            Severity::Error => errors < self.max_diagnostics.max(1),
            Severity::Warning | Severity::Note => notes + warnings < self.max_diagnostics,
        }
    }

    /// Adds an error: the file breaks a rule and gives no scene.
    pub fn error(&mut self, code: &'static Code, place: Place, message: impl Into<String>) {
        self.push(Diagnostic::new(Severity::Error, code, place, message));
    }

    /// Adds a warning: readable, but probably not what was meant.
    pub fn warning(&mut self, code: &'static Code, place: Place, message: impl Into<String>) {
        self.push(Diagnostic::new(Severity::Warning, code, place, message));
    }

    /// Adds a note: worth knowing, nothing wrong.
    pub fn note(&mut self, code: &'static Code, place: Place, message: impl Into<String>) {
        self.push(Diagnostic::new(Severity::Note, code, place, message));
    }

    /// Adds an error and returns the failure, for `return Err(report.invalid(..))`.
    pub fn invalid(&mut self, code: &'static Code, place: Place, message: impl Into<String>) -> Failure {
        self.error(code, place, message);
        self.refusal()
    }

    /// The kind of failure of an input that gave no scene: a file that breaks rules is invalid, whatever else it needs.
    /// Where memory is lacking, that is no fault of the file.
    pub(crate) fn refusal(&self) -> Failure {
        if self.lacks_memory {
            return Failure::Io;
        }
        if self.has_errors() && self.count(Severity::Error) == self.unsupported {
            Failure::Unsupported
        } else {
            Failure::Invalid
        }
    }

    /// Adds the error that the file cannot be read, with the system's error as its cause, and returns the failure.
    pub fn cannot_read(&mut self, error: io::Error) -> Failure {
        self.system(&crate::io::codes::CANNOT_READ, Place::WHOLE, "cannot read", error)
    }

    /// Adds the error that the file cannot be written, with the system's error as its cause, and returns the failure.
    pub fn cannot_write(&mut self, error: io::Error) -> Failure {
        self.system(&crate::io::codes::CANNOT_WRITE, Place::WHOLE, "cannot write", error)
    }

    /// Adds an error with the system's reason: `what: reason`.
    pub(crate) fn system(
        &mut self,
        code: &'static Code,
        place: Place,
        what: &str,
        error: io::Error,
    ) -> Failure {
        self.fail(Diagnostic::new(Severity::Error, code, place, format!("{what}: {error}")), error)
    }

    /// Adds an error and what caused it, and returns the failure.
    pub(crate) fn fail(&mut self, error: Diagnostic, cause: io::Error) -> Failure {
        self.push(error);
        self.cause = Some(Arc::new(cause));
        Failure::Io
    }

    /// Adds a loss, unless nothing was lost. It is merged with an earlier one of the same code, object and kind.
    pub fn loss(&mut self, loss: Loss) {
        if loss.is_none() {
            return;
        }
        let (losses, key) = (&mut self.losses, (loss.code.id, &loss.object, &loss.message));
        match self.known_losses.find(key, losses.len(), |known| losses[known].same_kind(&loss)) {
            Some(same) => losses[same].add(&loss),
            None => losses.push(loss),
        }
    }

    /// The file that diagnostics are about.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// Sets the model's size, so that lengths can be shown as parts of it.
    pub(crate) fn set_model_size(&mut self, size: f64) {
        self.model_size = Some(size).filter(|size| size.is_finite() && *size > 0.0);
    }

    /// Adds everything from another report.
    pub fn append(&mut self, mut other: Report) {
        for loss in std::mem::take(&mut other.losses) {
            self.loss(loss);
        }
        self.append_diagnostics(other);
    }

    /// Adds the diagnostics of another report, but not its losses.
    pub fn append_diagnostics(&mut self, other: Report) {
        // What the other report counted but did not keep still counts.
        let unkept = Severity::ALL.map(|severity| other.count(severity) - other.kept(severity));
        let kept = |d: &&Diagnostic| d.severity == Severity::Error && d.code.is_unsupported;
        self.unsupported += other.unsupported - other.diagnostics.iter().filter(kept).count();
        self.lacks_memory |= other.lacks_memory;
        let current = self.file.clone();
        for diagnostic in other.diagnostics {
            self.file = diagnostic.file.clone();
            self.push(diagnostic);
        }
        self.file = current;
        self.found.iter_mut().zip(unkept).for_each(|(found, unkept)| *found += unkept);
        self.omitted += other.omitted;
        self.cause = self.cause.take().or(other.cause);
    }

    /// Adds the diagnostics of another report about places at which nothing as serious was reported yet.
    pub(crate) fn append_new(&mut self, mut other: Report) {
        let mut known = HashMap::new();
        for diagnostic in &self.diagnostics {
            let worst = known.entry(diagnostic.place.field.clone()).or_insert(diagnostic.severity);
            *worst = diagnostic.severity.max(*worst);
        }
        let is_new = |d: &Diagnostic| known.get(&d.place.field).is_none_or(|worst| *worst < d.severity);
        other.keep_only(is_new);
        let found: HashSet<_> =
            other.diagnostics.iter().map(|d| (d.place.field.clone(), d.code.id)).collect();
        // What the other report takes more seriously is not said twice.
        self.keep_only(|d| {
            d.severity == Severity::Error || !found.contains(&(d.place.field.clone(), d.code.id))
        });
        self.append_diagnostics(other);
    }

    /// Forgets diagnostics as if they had not been found.
    fn keep_only(&mut self, keeps: impl Fn(&Diagnostic) -> bool) {
        let (found, unsupported) = (&mut self.found, &mut self.unsupported);
        self.diagnostics.retain(|diagnostic| {
            let stays = keeps(diagnostic);
            if !stays {
                let is_error = diagnostic.severity == Severity::Error;
                found[diagnostic.severity as usize] -= 1;
                *unsupported -= usize::from(is_error && diagnostic.code.is_unsupported);
            }
            stays
        });
    }

    /// The diagnostics that were kept.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The losses.
    pub fn losses(&self) -> &[Loss] {
        &self.losses
    }

    /// The losses, to add to them.
    pub(crate) fn losses_mut(&mut self) -> impl Iterator<Item = &mut Loss> {
        self.losses.iter_mut()
    }

    /// Diagnostics that were counted but not kept.
    pub fn omitted(&self) -> u64 {
        self.omitted
    }

    /// Whether any error was reported.
    pub fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    /// The number of diagnostics of one severity, including those that were not kept.
    pub fn count(&self, severity: Severity) -> usize {
        self.found[severity as usize]
    }

    fn kept(&self, severity: Severity) -> usize {
        self.diagnostics.iter().filter(|d| d.severity == severity).count()
    }

    /// The failure if any error was reported: [`Failure::Invalid`], or [`Failure::Unsupported`] if no error is about a
    /// broken rule. Readers end with it after going through the whole file.
    pub fn check(&self) -> Result<(), Failure> {
        if self.has_errors() { Err(self.refusal()) } else { Ok(()) }
    }
}

/// The kind of failure that ended an operation. The report has the details.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// The input breaks its format's rules, or has no known format.
    Invalid,
    /// The input may well be valid, but it needs something that ligament does not support.
    Unsupported,
    /// A file cannot be read or written.
    Io,
    /// The request itself is wrong: an unknown clip, dialect or format.
    Usage,
    /// A requested check failed: a loss under `strict`, a deviation above `max_error`.
    Check,
    /// The work was [stopped](crate::progress::Progress).
    Cancelled,
    /// A fault of ligament itself. The library never returns it: it is for programs that catch a panic and go on with other
    /// files, as the command line does.
    Internal,
}

/// A failed operation, with its report.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Error {
    /// The kind of failure.
    pub failure: Failure,
    /// Everything that was found up to the failure.
    pub report: Box<Report>,
}

impl Error {
    /// Combines a failure with its report.
    pub fn new(failure: Failure, report: Report) -> Self {
        Self { failure, report: Box::new(report) }
    }
}

impl std::fmt::Display for Error {
    /// The first error (or, if there is none, the first diagnostic) in one line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let all = self.report.diagnostics();
        match all.iter().find(|d| d.severity == Severity::Error).or(all.first()) {
            Some(first) => write!(f, "{first}"),
            None => write!(f, "failed ({:?})", self.failure),
        }
    }
}

impl std::error::Error for Error {
    /// The system's error, if a file could not be read or written.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let cause = self.report.cause.as_deref().filter(|_| self.failure == Failure::Io);
        cause.map(|error| error as _)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::codes::CANNOT_READ;

    static NEWER: Code = Code { is_unsupported: true, id: "XX001", ..CODE };
    const CODE: Code = Code {
        id: "",
        title: "",
        explanation: "",
        example: "",
        fix: "",
        is_unsupported: false,
        is_minor: false,
        counts: None,
    };

    #[test]
    fn a_file_is_unsupported_only_if_nothing_else_is_wrong_with_it() {
        let mut report = Report::new("", 2);
        assert_eq!((report.check(), report.refusal()), (Ok(()), Failure::Invalid));
        report.warning(&CANNOT_READ, Place::WHOLE, "odd");
        report.error(&NEWER, Place::WHOLE, "too new");
        assert_eq!(report.check(), Err(Failure::Unsupported));
        // Beyond the limit, errors are only counted, also when reports are joined.
        report.error(&NEWER, Place::WHOLE, "too new");
        let mut whole = Report::default();
        whole.append(report.clone());
        assert_eq!(whole.check(), Err(Failure::Unsupported));
        report.error(&CANNOT_READ, Place::WHOLE, "broken");
        whole.append(report);
        assert_eq!(whole.check(), Err(Failure::Invalid));
    }

    #[test]
    fn warnings_never_hide_an_error_and_everything_is_counted() {
        for most in [0, 1, 3] {
            let mut report = Report::new("", most);
            (0..5).for_each(|_| report.warning(&CANNOT_READ, Place::WHOLE, "odd"));
            report.note(&CANNOT_READ, Place::WHOLE, "by the way");
            (0..4).for_each(|n| report.error(&CANNOT_READ, Place::WHOLE, format!("broken {n}")));
            let mut joined = Report::new("", most);
            joined.warning(&CANNOT_READ, Place::WHOLE, "odd");
            joined.append(report.clone());
            for (report, warnings) in [(report, 5), (joined, 6)] {
                let counted = Severity::ALL.map(|severity| report.count(severity));
                assert_eq!(counted, [1, warnings, 4]);
                let kept = report.diagnostics().len() as u64;
                assert_eq!(
                    (kept, report.omitted()),
                    ((most + most.max(1)) as u64, 5 + warnings as u64 - kept)
                );
                let error = Error::new(Failure::Invalid, report);
                assert!(error.to_string().contains("broken 0"), "{error}");
            }
        }
    }

    #[test]
    fn what_another_report_says_better_is_not_counted_twice() {
        let mut report = Report::default();
        report.warning(&CANNOT_READ, Place::field("a"), "odd");
        report.warning(&CANNOT_READ, Place::field("b"), "odd");
        let mut other = Report::default();
        other.error(&CANNOT_READ, Place::field("a"), "broken");
        other.warning(&CANNOT_READ, Place::field("b"), "odd");
        report.append_new(other);
        assert_eq!(Severity::ALL.map(|severity| report.count(severity)), [0, 1, 1]);
        assert_eq!(report.diagnostics().len(), 2);
    }
}
