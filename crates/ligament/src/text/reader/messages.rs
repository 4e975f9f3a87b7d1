use super::{Spot, TextReader};
use crate::report::{Code, Failure, Place, Severity};

/// Something that is wrong at a place of a file.
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

    /// Reports something once for all lines that it is true of; `key` tells apart what has the same code.
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

    /// Puts into the report what was said once for many lines.
    pub fn flush_tallies(&mut self) {
        self.tallies.flush(self.report);
    }

    /// A value, or `None` where what is wrong with it was reported.
    pub fn checked<T>(&mut self, value: Result<T, Fault>) -> Option<T> {
        value.map_err(|fault| self.error(fault.code, fault.spot, fault.message)).ok()
    }

    /// Stops when the report is full of errors: whatever this is, it is no model.
    pub fn give_up_after_too_many(&self) -> Result<(), Failure> {
        if self.errors > self.max_errors { Err(Failure::Invalid) } else { Ok(()) }
    }
}
