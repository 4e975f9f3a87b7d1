use super::{Spot, TextReader};
use crate::report::{Code, Failure, Place, Severity};

/// An error with its place.
#[derive(Debug)]
pub(crate) struct Fault {
    pub code: &'static Code,
    pub spot: Spot,
    pub message: String,
}

impl<A> TextReader<'_, '_, A> {
    /// Reports an error. Reading goes on.
    pub fn error(&mut self, code: &'static Code, place: impl Into<Place>, message: impl Into<String>) {
        self.errors += 1;
        self.report.error(code, place.into(), message);
    }

    /// Reports an error that ends the reading.
    pub fn fatal(
        &mut self,
        code: &'static Code,
        place: impl Into<Place>,
        message: impl Into<String>,
    ) -> Failure {
        self.error(code, place, message);
        Failure::Invalid
    }

    pub fn warning(&mut self, code: &'static Code, place: impl Into<Place>, message: impl Into<String>) {
        self.report.warning(code, place.into(), message);
    }

    pub fn note(&mut self, code: &'static Code, place: impl Into<Place>, message: impl Into<String>) {
        self.report.note(code, place.into(), message);
    }

    /// Reports something once for all lines to which it applies. `key` distinguishes messages with the same code.
    pub fn tally(
        &mut self,
        severity: Severity,
        code: &'static Code,
        key: &str,
        place: impl Into<Place>,
        message: impl FnOnce() -> String,
    ) {
        self.tallies.add(severity, code, key, || (place.into(), message()));
    }

    /// Moves the tallied messages into the report.
    pub fn flush_tallies(&mut self) {
        self.tallies.flush(self.report);
    }

    /// Returns the value, or reports the error and returns `None`.
    pub fn checked<T>(&mut self, value: Result<T, Fault>) -> Option<T> {
        value.map_err(|fault| self.error(fault.code, fault.spot, fault.message)).ok()
    }

    /// Fails after too many errors: the file is probably not a model.
    pub fn give_up_after_too_many(&self) -> Result<(), Failure> {
        if self.errors > self.max_errors { Err(Failure::Invalid) } else { Ok(()) }
    }
}
