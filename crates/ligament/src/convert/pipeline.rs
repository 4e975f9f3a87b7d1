//! The pipeline itself: read, import, passes, export, write, and the proof.

use super::target::{check_written, format_by_id, unknown_format};
use super::{Conversion, ConvertOptions, Target, codes};
use crate::compare::{CompareOptions, Comparison, compare};
use crate::formats::{self, BindPose, Document, Format, HEAD_BYTES, ReadOptions};
use crate::io::{FileOutput, Folder, MemoryOutput, Output, Source};
use crate::passes::axes::axes;
use crate::passes::bake_pose::bake_pose;
use crate::passes::carry_images::carry_images;
use crate::passes::select_clips::select_clips;
use crate::passes::textures::textures;
use crate::passes::{PrepareOptions, prepare};
use crate::progress::{Stage, WatchedOutput};
use crate::report::{Failure, LossKind, Place, Report, counted};
use crate::scene::{Counts, ImageData, Scene};
use std::path::Path;
use std::sync::Arc;

/// An output that can be read back before it is put in place.
pub trait Reopen: Output {
    /// What was written so far, as an input.
    fn reopen(&mut self) -> std::io::Result<Source<'_>>;
}

impl Reopen for FileOutput {
    fn reopen(&mut self) -> std::io::Result<Source<'_>> {
        self.source()
    }
}

impl Reopen for MemoryOutput {
    fn reopen(&mut self) -> std::io::Result<Source<'_>> {
        Ok(self.source("output"))
    }
}

/// The pipeline: any source to any output. The returned conversion's report is empty; `report` holds everything.
pub fn convert_source(
    source: Source<'_>,
    path: Option<&Path>,
    target: Target,
    output: &mut dyn Reopen,
    options: &ConvertOptions,
    report: &mut Report,
) -> Result<Conversion, Failure> {
    let input_name = source.name.clone();
    let folder = Arc::clone(&source.folder);
    let format = source_format(&source, path, &options.read, report)?;
    let same_format = format.info().id == target.format.info().id;
    // Refused before a large file is read for nothing.
    if !same_format || options.changes_scene() {
        check_written(target, report)?;
    }
    let progress = options.read.progress.clone();
    progress.enter(Stage::Read, report)?;
    let document = format.read(source, &options.read, report)?;
    // Even a dialect that is only read may stay as it is.
    if target.dialect.is_some_and(|dialect| dialect != document.rewrite_dialect()) {
        check_written(target, report)?;
    }

    // A file that stays in its format keeps its dialect, and goes through its document alone if nothing changes it.
    let dialect = target.dialect.or(same_format.then_some(document.rewrite_dialect()));
    let rewritten = same_format && !options.changes_scene() && dialect.is_none_or(|d| document.can_write(d));
    let mut options = options.clone();
    options.write.dialect = dialect.map(str::to_owned);

    let (written, counts, reference) = if rewritten {
        write(&*document, output, &options, report)?;
        let written = dialect.unwrap_or(document.dialect());
        // A dialect that takes images into the file has done so.
        let refers = written == document.dialect() || !target.format.capabilities(dialect).embedded_textures;
        // The scene is only looked at, so what it cannot hold is not lost; what is wrong in the file still counts.
        progress.enter(Stage::Import, report)?;
        let mut aside = Report::new(&input_name, options.read.limits.max_diagnostics);
        let imported = document.import(&options.read, &mut aside);
        report.append_diagnostics(aside);
        let scene = imported?;
        if refers {
            let files = scene.images.iter().filter_map(|image| match &image.data {
                ImageData::File(path) => Some(path.as_str()),
                ImageData::Embedded { .. } => None,
            });
            carry_images(files, &*folder, output, report)?;
        }
        (written, scene.counts(), options.verify.then_some(scene))
    } else {
        check_written(target, report)?;
        progress.enter(Stage::Import, report)?;
        let scene = document.import(&options.read, report)?;
        from_scene(scene, target, &*folder, output, &options, report)?
    };
    if dialect.is_none() {
        note_dialect(target.format, written, report);
    }
    let comparison = prove(reference.as_ref(), target.format, output, &options, report)?;
    report.set_file(&input_name);
    let done = Conversion {
        from: format.info().id,
        to: target.format.info().id,
        dialect: written,
        rewritten,
        counts,
        comparison,
        report: Report::default(),
    };
    check(&done, &options, report)?;
    Ok(done)
}

/// The pipeline's second half: any scene to any output. Images that the scene refers to are looked up in `folder`. The
/// returned conversion's report is empty, and comes from no format; `report` holds everything.
pub fn convert_scene(
    scene: Scene,
    target: Target,
    folder: &dyn Folder,
    output: &mut dyn Reopen,
    options: &ConvertOptions,
    report: &mut Report,
) -> Result<Conversion, Failure> {
    check_written(target, report)?;
    let mut options = options.clone();
    options.write.dialect = target.dialect.map(str::to_owned);
    let (written, counts, reference) = from_scene(scene, target, folder, output, &options, report)?;
    if target.dialect.is_none() {
        note_dialect(target.format, written, report);
    }
    let comparison = prove(reference.as_ref(), target.format, output, &options, report)?;
    let to = target.format.info().id;
    let done = Conversion {
        from: "",
        to,
        dialect: written,
        rewritten: false,
        counts,
        comparison,
        report: Report::default(),
    };
    check(&done, &options, report)?;
    Ok(done)
}

/// What was asked for, then the export; returns the dialect, and what the scene held before it was brought within the
/// target's capabilities, where there is a proof to make.
fn from_scene(
    mut scene: Scene,
    target: Target,
    folder: &dyn Folder,
    output: &mut dyn Output,
    options: &ConvertOptions,
    report: &mut Report,
) -> Result<(&'static str, Counts, Option<Scene>), Failure> {
    options.read.progress.enter(Stage::Prepare, report)?;
    if !options.clips.is_empty() {
        select_clips(&mut scene, &options.clips, report)?;
    }
    if let Some(pose) = &options.pose {
        bake_pose(&mut scene, pose, report)?;
    }
    if let Some(turn) = &options.axes {
        axes(&mut scene, turn);
    }
    let counts = scene.counts();
    // Without a proof to make, the scene's arrays move into the result instead of being copied.
    let reference = options.verify.then(|| scene.clone());
    Ok((export(scene, target.format, folder, output, options, report)?, counts, reference))
}

/// The proof, where there is a scene to compare with.
fn prove(
    reference: Option<&Scene>,
    target: &'static dyn Format,
    output: &mut dyn Reopen,
    options: &ConvertOptions,
    report: &mut Report,
) -> Result<Option<Comparison>, Failure> {
    let Some(reference) = reference else { return Ok(None) };
    options.read.progress.enter(Stage::Verify, report)?;
    let proof = verify(reference, target, output, options, report)?;
    options.read.progress.check(report)?;
    Ok(Some(proof))
}

/// Finds a source's format and reads its document.
pub fn read_document<'a>(
    source: Source<'a>,
    path: Option<&Path>,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<(&'static dyn Format, Box<dyn Document + 'a>), Failure> {
    let format = source_format(&source, path, options, report)?;
    Ok((format, format.read(source, options, report)?))
}

/// The format that the options name, else the one that a source is in.
fn source_format(
    source: &Source<'_>,
    path: Option<&Path>,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<&'static dyn Format, Failure> {
    report.set_file(&source.name);
    if let Some(id) = &options.format {
        return format_by_id(id, report);
    }
    let head = source.range(0, source.content.len().min(HEAD_BYTES as u64), report)?;
    formats::detect(&head, path).ok_or_else(|| {
        let message = "neither the content nor the extension is that of a known format";
        unknown_format(message, "--from", report);
        Failure::Invalid
    })
}

/// Brings a scene within a format's capabilities and writes it; returns the dialect.
fn export(
    mut scene: Scene,
    target: &'static dyn Format,
    folder: &dyn Folder,
    output: &mut dyn Output,
    options: &ConvertOptions,
    report: &mut Report,
) -> Result<&'static str, Failure> {
    let capabilities = target.capabilities(options.write.dialect.as_deref());
    textures(&mut scene, options.textures, &capabilities, folder, output, report)?;
    let wanted = PrepareOptions {
        fps: options.fps,
        interpolation: options.read.interpolation,
        influences: options.write.influences,
    };
    options.asked.run(&mut scene, report);
    prepare(&mut scene, &capabilities, &wanted, report)?;
    options.read.progress.enter(Stage::Export, report)?;
    let document = target.export(scene, &options.write, report)?;
    write(&*document, output, options, report)?;
    Ok(document.dialect())
}

/// Writes a document, as long as nobody stops it.
fn write(
    document: &dyn Document,
    output: &mut dyn Output,
    options: &ConvertOptions,
    report: &mut Report,
) -> Result<(), Failure> {
    let progress = &options.read.progress;
    progress.enter(Stage::Write, report)?;
    let mut watched = WatchedOutput { output, progress };
    let written = document.write(&options.write, &mut watched, report);
    progress.outcome(written, report)
}

/// Reads what was written and poses it beside the source.
fn verify(
    reference: &Scene,
    target: &'static dyn Format,
    output: &mut dyn Reopen,
    options: &ConvertOptions,
    report: &mut Report,
) -> Result<Comparison, Failure> {
    let options = ReadOptions {
        format: Some(target.info().id.to_owned()),
        euler_order: options.write.euler_order,
        // What we write says itself how it is to be read.
        index_base: None,
        bind: BindPose::default(),
        lenient: false,
        ..options.read.clone()
    };
    let mut second = Report::new("", options.limits.max_diagnostics);
    let result = match output.reopen() {
        Ok(source) => read_document(source, None, &options, &mut second)
            .and_then(|(_, document)| document.import(&options, &mut second)),
        Err(error) => {
            second.error(&crate::io::codes::CANNOT_READ, Place::WHOLE, format!("cannot read: {error}"));
            Err(Failure::Io)
        }
    };
    let thoroughly = CompareOptions { progress: options.progress.clone(), ..CompareOptions::default() };
    result.map(|result| compare(reference, &result, &thoroughly)).inspect_err(|_| {
        report.append(second);
        report.error(
            &codes::VERIFY_FAILED,
            Place::WHOLE,
            "what was written cannot be read back; it was not kept",
        );
    })
}

/// The checks that the user asked for.
fn check(done: &Conversion, options: &ConvertOptions, report: &mut Report) -> Result<(), Failure> {
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
        let message = format!(
            "the worst deviation is {:.4} % of the model's size, {clip}, vertex {} of mesh {:?}; --max-error allows {:.4} %",
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

/// Says which dialect was written where the user did not choose it and there are others.
fn note_dialect(target: &'static dyn Format, written: &'static str, report: &mut Report) {
    let others: Vec<_> = target
        .info()
        .dialects
        .iter()
        .map(|d| d.id)
        .filter(|&d| d != written && target.capabilities(Some(d)).write)
        .collect();
    if !others.is_empty() {
        let message =
            format!("written in the {written:?} dialect; --dialect also knows {}", others.join(", "));
        report.note(&codes::DIALECT, Place::WHOLE, message);
    }
}
