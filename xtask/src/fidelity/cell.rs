//! One scene through one pair of formats: into the first, to the second and back to the first, with the losses that were
//! reported before the poses were compared.

use ligament::compare::{CompareOptions, compare};
use ligament::convert::{ConvertOptions, Input, Target, convert_to, read_from};
use ligament::formats::{Format, ReadOptions, WriteOptions};
use ligament::io::MemoryOutput;
use ligament::passes::{PrepareOptions, prepare};
use ligament::progress::Progress;
use ligament::report::{Loss, LossKind, Report, announced};
use ligament::scene::Clip;
use ligament::{Failure, Scene};
use std::collections::BTreeSet;

/// The largest deviation that counts as exact, as a fraction of the model's size.
pub const EXACT: f64 = 1e-5;

/// The result for a scene.
#[derive(Debug, Default)]
pub struct Cell {
    /// The largest deviation as a fraction of the model's size.
    pub deviation: f64,
    /// Codes of approximated or dropped features.
    pub losses: BTreeSet<&'static str>,
    /// Changes that were not announced, in words; empty if the cell is right.
    pub faults: Vec<String>,
}

/// A scene as a file of a format.
pub struct File {
    output: MemoryOutput,
    /// The file, read back.
    scene: Scene,
}

/// Writes a scene as a file: the source of all conversions from that format.
pub fn file(scene: &Scene, format: &'static Format) -> Result<File, String> {
    let mut report = Report::default();
    let mut output = MemoryOutput::new(&scene.name);
    let mut scene = scene.clone();
    let options = WriteOptions::default();
    let written = prepare(&mut scene, &format.capabilities(None), &PrepareOptions::default(), &mut report)
        .and_then(|()| format.export(scene, None, &options, &mut report))
        .and_then(|file| file.write(&mut output, &mut report));
    check(written, format, "cannot write", &report)?;
    let scene = read(&output, format)?;
    Ok(File { output, scene })
}

fn check<T>(result: Result<T, Failure>, format: &Format, what: &str, report: &Report) -> Result<T, String> {
    result.map_err(|_| {
        let last = report.diagnostics().last().map(ToString::to_string).unwrap_or_default();
        format!("{what} {}: {last}", format.name)
    })
}

fn read(output: &MemoryOutput, format: &'static Format) -> Result<Scene, String> {
    let mut report = Report::default();
    let options = ReadOptions { format: Some(format.id.to_owned()), ..ReadOptions::default() };
    let imported = read_from(output.source("fidelity"), None, &options, &Progress::default(), &mut report);
    Ok(check(imported, format, "cannot read", &report)?.scene)
}

fn convert(
    from: &'static Format,
    to: &'static Format,
    input: &MemoryOutput,
) -> Result<(MemoryOutput, Report), String> {
    let mut report = Report::default();
    let output = MemoryOutput::new("fidelity");
    let read = ReadOptions { format: Some(from.id.to_owned()), ..ReadOptions::default() };
    let options = ConvertOptions { read, reencode: true, verify: false, ..ConvertOptions::default() };
    let target = Target { format: to, dialect: None };
    let input = Input::Source(input.source("fidelity"), None);
    let done = convert_to(input, target, output, &options, &mut report);
    Ok((check(done, to, "cannot convert to", &report)?.output, report))
}

/// Converts there and back, posing both ends after each conversion.
pub fn there_and_back(file: &File, a: &'static Format, b: &'static Format) -> Cell {
    let mut cell = Cell::default();
    if let Err(message) = cell.run(file, a, b) {
        cell.faults.push(message);
    }
    cell
}

impl Cell {
    /// A cell whose source could not even be written.
    pub fn failed(message: String) -> Self {
        Self { faults: vec![message], ..Self::default() }
    }

    fn run(&mut self, file: &File, a: &'static Format, b: &'static Format) -> Result<(), String> {
        let (there, first) = convert(a, b, &file.output)?;
        let mut losses: Vec<Loss> = first.losses().to_vec();
        self.judge("there", &file.scene, &read(&there, b)?, &losses);
        let (back, second) = convert(b, a, &there)?;
        losses.extend(second.losses().iter().cloned());
        self.judge("back", &file.scene, &read(&back, a)?, &losses);
        let lost = losses.iter().filter(|l| l.kind != LossKind::Kept);
        self.losses = lost.map(|l| l.code.id).collect();
        Ok(())
    }

    /// Poses two scenes at rest and clip by clip, and compares the deviations with the announced ones.
    fn judge(&mut self, way: &str, source: &Scene, result: &Scene, losses: &[Loss]) {
        let is_announced = |code: &str| losses.iter().any(|l| l.code.id == code);
        let triangles = |scene: &Scene| -> usize {
            let drawn =
                scene.nodes.iter().filter_map(|n| n.mesh).flat_map(|m| &scene.meshes[m.index()].parts);
            drawn.map(|p| p.faces.corners().len()).sum()
        };
        if triangles(source) != triangles(result) && !is_announced("LS008") && !is_announced("LS012") {
            self.faults.push(format!("{way}: the number of faces changed"));
        }
        let comparison = compare(source, result, &CompareOptions::default());
        for worst in &comparison.by_clip {
            self.deviation = self.deviation.max(worst.relative);
            let said = announced(losses, worst.clip.as_deref(), comparison.size);
            if worst.relative > said + EXACT {
                let pose = worst.clip.as_ref().map_or("at rest".into(), |clip| format!("in clip {clip:?}"));
                let relative = worst.relative;
                self.faults
                    .push(format!("{way}: {relative:.1e} of the model's size {pose}, {said:.1e} announced"));
            }
        }
        let is_there = |clip: &Clip| result.clips.iter().any(|c| c.name == clip.name);
        for clip in source.clips.iter().filter(|clip| !is_there(clip)) {
            let dropped = |l: &Loss| l.kind == LossKind::Dropped && l.object == object(&clip.name);
            if !losses.iter().any(dropped) {
                self.faults.push(format!("{way}: clip {:?} is gone", clip.name));
            }
        }
    }
}

fn object(clip: &str) -> String {
    format!("clip {clip:?}")
}
