//! The proof: reads back what was written, and poses it beside its source.

use super::{Conversion, ConvertOptions, Exhibit, Reopen, Target, codes};
use crate::compare::{CompareOptions, Comparison, Deviation, Model, compare};
use crate::formats::ReadOptions;
use crate::io::Folder;
use crate::limits::scene_bytes;
use crate::progress::Progress;
use crate::report::{Diagnostic, Failure, LossKind, Place, Report, Severity, counted};
use std::sync::Arc;

/// Memory per corner that a comparison takes, if there are about as many vertices.
const COMPARED_PER_CORNER: u64 = 64;

/// Reads back what was written, and poses it beside the source.
pub(super) fn verify(
    source: Model<'_>,
    source_folder: &dyn Folder,
    target: Target,
    output: &mut dyn Reopen,
    options: &ConvertOptions,
    report: &mut Report,
) -> Result<Comparison, Failure> {
    let format = Some(target.format.id.to_owned());
    let read = ReadOptions { format, ..options.read_back() };
    let mut second = Report::new("", read.limits.max_diagnostics);
    let result = match output.reopen() {
        Ok(source) => {
            let folder = Arc::clone(&source.folder);
            let read = super::read_from(source, None, &read, &Progress::default(), &mut second);
            read.map(|result| (result, folder))
        }
        Err(error) => Err(second.cannot_read(error)),
    };
    let room = options.read.limits.for_made(scene_bytes(source.scene)) / COMPARED_PER_CORNER;
    let mut thoroughly = CompareOptions { progress: options.progress.clone(), ..CompareOptions::default() };
    thoroughly.max_corners = thoroughly.max_corners.min(usize::try_from(room).unwrap_or(usize::MAX));
    let compared = result.map(|(result, result_folder)| {
        let comparison = compare(source, result.model(), &thoroughly);
        let (result, result_folder) = (result.model(), &*result_folder);
        let exhibit = Exhibit { source, source_folder, result, result_folder, comparison: &comparison };
        options.witness.look(&exhibit);
        comparison
    });
    compared.inspect_err(|_| {
        report.append(second);
        report.error(
            &codes::VERIFY_FAILED,
            Place::WHOLE,
            "the written file cannot be read back; it was not kept",
        );
    })
}

/// Makes the checks that the user asked for.
pub(super) fn check(done: &Conversion, options: &ConvertOptions, report: &mut Report) -> Result<(), Failure> {
    let lost = report.losses().iter().filter(|l| l.kind != LossKind::Kept).count();
    if options.strict && lost > 0 {
        let ways = counted(lost, "way", "ways");
        let message = format!("the conversion loses something in {ways}, and --strict allows none");
        report.error(&codes::STRICT, Place::WHOLE, message);
        return Err(Failure::Check);
    }
    let Some(comparison) = &done.comparison else { return Ok(()) };
    let mut failed = false;
    let mut fault = |code, fails: bool, message: String| {
        let severity = if fails { Severity::Error } else { Severity::Warning };
        failed |= fails;
        report.push(Diagnostic::new(severity, code, Place::WHOLE, message));
    };
    let asked = options.max_error.is_some();
    if let Some(gap) = comparison.gap() {
        let meaning = if asked { "; --max-error allows no vertex of which nothing is known" } else { "" };
        fault(&codes::UNCOMPARED, asked, format!("{gap}{meaning}"));
    } else if comparison.worst.is_none() && asked && done.counts.as_ref().is_some_and(|c| c.vertices > 0) {
        let message = "nothing of the source is left to compare, so --max-error cannot be checked";
        fault(&codes::UNCOMPARED, true, message.to_owned());
    }
    let Some(worst) = &comparison.worst else { return outcome(failed) };
    let place = place(worst);
    let allowed = options.max_error.filter(|allowed| worst.relative > *allowed);
    if worst.relative.is_infinite() {
        let limit = allowed.map_or(String::new(), |a| format!("; --max-error allows {:.4} %", a * 100.0));
        let message = format!("the deviation is infinite, {place}: its position is not finite{limit}");
        fault(&codes::INFINITE, asked, message);
    } else if let Some(allowed) = allowed {
        let doubt = comparison.doubt().map_or(String::new(), |doubt| format!("; {doubt}"));
        let message = format!(
            "the worst deviation is {:.4} % of the model's size, {place}; --max-error allows {:.4} %{doubt}",
            worst.relative * 100.0,
            allowed * 100.0
        );
        fault(&codes::MAX_ERROR, true, message);
    }
    outcome(failed)
}

fn outcome(failed: bool) -> Result<(), Failure> {
    if failed { Err(Failure::Check) } else { Ok(()) }
}

/// The clip, time, vertex and mesh of a deviation.
fn place(worst: &Deviation) -> String {
    let clip = worst.clip.as_ref();
    let clip = clip.map_or("at rest".to_owned(), |clip| format!("in clip {clip:?} at {:.3} s", worst.time));
    format!("{clip}, vertex {} of mesh {:?}", worst.vertex, worst.mesh)
}
