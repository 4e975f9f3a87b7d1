//! Sends a scene through a format and its proof, and holds the report to its word.

use ligament::Scene;
use ligament::compare::{Deviation, Pairing};
use ligament::convert::{ConvertOptions, Input, Target, convert_to};
use ligament::formats::Format;
use ligament::io::{MemoryOutput, NoFolder};
use ligament::pose::Pose;
use ligament::report::{Report, announced};
use std::fmt::Write;
use std::sync::Arc;

/// A deviation that needs no loss, as a fraction of the model's size and of its distance from the origin: numbers of a
/// format have six digits.
const EXACT: f64 = 2e-5;

/// What became of a scene.
pub enum Through {
    /// Written, read back and compared.
    Proven,
    /// Refused with an error.
    Refused,
}

/// Writes a scene in a format and compares what is read back. The error tells what was not announced.
pub fn through(scene: &Scene, format: &'static Format) -> Result<Through, String> {
    let mut report = Report::default();
    let target = Target { format, dialect: None };
    let input = Input::Scene(scene.clone(), Arc::new(NoFolder));
    let options = ConvertOptions::default();
    let Ok(proven) = convert_to(input, target, MemoryOutput::new("made"), &options, &mut report) else {
        return match report.diagnostics().iter().any(|found| found.code.id == "CV006") {
            _ if !report.has_errors() => Err("refused without an error that says why".to_owned()),
            true => Err(format!("what was written cannot be read back\n{}", told(&report))),
            false => Ok(Through::Refused),
        };
    };
    let comparison = proven.conversion.comparison.ok_or("not compared")?;
    let mut faults = String::new();
    // Losses speak of vertices, and guessed pairs of nothing.
    let is_sure = comparison.doubtful == 0 && comparison.pairing != Some(Pairing::Joints);
    let exact = EXACT * (1.0 + reach(scene) / comparison.size);
    for worst in comparison.by_clip.iter().filter(|_| is_sure) {
        let said = announced(report.losses(), worst.clip.as_deref(), comparison.size);
        if worst.relative > said * 1.05 + exact {
            let pairing = comparison.pairing.map_or("none", Pairing::name);
            let _ = writeln!(faults, "{}, {said:.2e} announced; vertices paired {pairing}", place(worst));
        }
    }
    match faults.is_empty() {
        true => Ok(Through::Proven),
        false => Err(format!("{faults}{}", told(&report))),
    }
}

/// How far from the origin the nodes are.
fn reach(scene: &Scene) -> f64 {
    Pose::rest(scene).globals.iter().map(|m| m.w_axis.truncate().length()).fold(0.0, f64::max)
}

fn place(worst: &Deviation) -> String {
    let clip = worst.clip.as_ref().map_or("at rest".to_owned(), |clip| format!("in clip {clip:?}"));
    format!(
        "{:.2e} of the model's size {clip} at {:.3} s, mesh {:?}, vertex {}, joint {:?}",
        worst.relative, worst.time, worst.mesh, worst.vertex, worst.joint
    )
}

/// All diagnostics and losses, a line each.
fn told(report: &Report) -> String {
    let mut lines = String::new();
    for found in report.diagnostics() {
        let _ = writeln!(lines, "    {found}");
    }
    for loss in report.losses() {
        let _ = writeln!(lines, "    {} {}: {:?}, {}", loss.code.id, loss.object, loss.kind, loss.message);
    }
    lines
}
