//! The proof: reads back what was written, and poses it beside its source.

use super::{Conversion, ConvertOptions, Reopen, Target, codes};
use crate::compare::{CompareOptions, Comparison, Model, compare};
use crate::formats::ReadOptions;
use crate::progress::Progress;
use crate::report::{Failure, LossKind, Place, Report, counted};

/// Reads back what was written, and poses it beside the source.
pub(super) fn verify(
    source: Model<'_>,
    target: Target,
    output: &mut dyn Reopen,
    options: &ConvertOptions,
    report: &mut Report,
) -> Result<Comparison, Failure> {
    let format = Some(target.format.id.to_owned());
    let read = ReadOptions { format, ..options.read_back() };
    let mut second = Report::new("", read.limits.max_diagnostics);
    let result = match output.reopen() {
        Ok(source) => super::read_from(source, None, &read, &Progress::default(), &mut second),
        Err(error) => Err(second.cannot_read(error)),
    };
    let thoroughly = CompareOptions { progress: options.progress.clone(), ..CompareOptions::default() };
    result.map(|result| compare(source, result.model(), &thoroughly)).inspect_err(|_| {
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
    let worst = done.comparison.as_ref().and_then(|c| c.worst.as_ref());
    if let Some((worst, allowed)) =
        worst.zip(options.max_error).filter(|(worst, allowed)| worst.relative > *allowed)
    {
        let clip = worst
            .clip
            .as_ref()
            .map_or("at rest".to_owned(), |clip| format!("in clip {clip:?} at {:.3} s", worst.time));
        let doubt = done.comparison.as_ref().and_then(Comparison::doubt);
        let doubt = doubt.map_or(String::new(), |doubt| format!("; {doubt}"));
        let message = format!(
            "the worst deviation is {:.4} % of the model's size, {clip}, vertex {} of mesh {:?}; --max-error allows {:.4} %{doubt}",
            worst.relative * 100.0,
            worst.vertex,
            worst.mesh,
            allowed * 100.0
        );
        report.error(&codes::MAX_ERROR, Place::WHOLE, message);
        return Err(Failure::Check);
    }
    Ok(())
}
