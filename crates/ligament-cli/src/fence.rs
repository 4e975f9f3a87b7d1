//! A fault of ligament itself is an error of the file at hand: it ends neither the process nor the other files of a run.

use crate::codes;
use ligament::report::{Diagnostic, Place, Severity};
use ligament::{Failure, Report};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

/// Where the latest panic was. It may have been on another thread, whose panic rayon passes on.
static LATEST: Mutex<String> = Mutex::new(String::new());

/// Replaces what Rust prints about a panic, which would land between other messages. `RUST_BACKTRACE` shows it again.
pub fn install() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let place = info.location().map(|at| format!("{}:{}", at.file(), at.line())).unwrap_or_default();
        *LATEST.lock().unwrap_or_else(PoisonError::into_inner) = place;
        if std::env::var_os("RUST_BACKTRACE").is_some() {
            usual(info);
        }
    }));
}

/// Does the work, and turns a panic into an error in the report.
pub fn fenced<T>(
    report: &mut Report,
    work: impl FnOnce(&mut Report) -> Result<T, Failure>,
) -> Result<T, Failure> {
    // Nothing that the work leaves half done is used afterwards but the report, which is a list.
    catch_unwind(AssertUnwindSafe(|| work(&mut *report))).unwrap_or_else(|panic| {
        let message = format!("ligament itself failed: {}", said(&*panic));
        let help = "this is a fault of ligament, whatever the file contains; please report it with the file";
        report.push(Diagnostic::new(Severity::Error, &codes::INTERNAL, Place::WHOLE, message).help(help));
        Err(Failure::Internal)
    })
}

/// What a panic said, and where.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
    let place = LATEST.lock().unwrap_or_else(PoisonError::into_inner);
    if place.is_empty() { text.to_owned() } else { format!("{text} ({place})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_of_the_file() {
        let mut report = Report::new("model.glb", 10);
        let fine = fenced(&mut report, |_| Ok(7));
        assert_eq!(fine, Ok(7));
        assert!(report.diagnostics().is_empty());
        let failed: Result<(), _> = fenced(&mut report, |_| panic!("{} is not a length", -1));
        assert_eq!(failed, Err(Failure::Internal));
        let found = &report.diagnostics()[0];
        assert_eq!(found.code.id, "CL001");
        assert!(found.message.starts_with("ligament itself failed: -1 is not a length"), "{}", found.message);
        assert_eq!(fenced(&mut report, |_| Err::<(), _>(Failure::Io)), Err(Failure::Io));
    }
}
