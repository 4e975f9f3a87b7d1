//! The whole pipeline, and the entry points that most users want.
//!
//! [`convert`] goes from file to file; [`read`] and [`write`] stop at the [`Scene`]. [`Conversion`] says what was
//! converted, what was lost, and how far the result is from its source.

use crate::compare::{CompareOptions, Comparison, compare};
use crate::formats::{self, Document, Format, HEAD_BYTES, ReadOptions, WriteOptions};
use crate::io::{FileOutput, Folder, Output, Source};
use crate::passes::axes::{AxesOptions, axes};
use crate::passes::bake_pose::{PoseOptions, bake_pose};
use crate::passes::carry_images::carry_images;
use crate::passes::select_clips::select_clips;
use crate::passes::textures::{TextureMode, textures};
use crate::passes::{PrepareOptions, prepare};
use crate::report::{Diagnostic, Error, Failure, LossKind, Place, Report, Severity};
use crate::scene::{Counts, ImageData, Scene};
use std::path::Path;
use std::sync::Arc;

/// Codes of conversions.
pub mod codes {
    crate::report::codes! {
        DIALECT = "CV001", "dialect written",
            "The format has several dialects. The note names the one that was written and the others.",
            "ligament convert fox.glb fox.pfobj",
            "Choose another with --dialect.";
        UNKNOWN_DIALECT = "CV002", "no such dialect",
            "The target format has no dialect of that name.",
            "ligament convert fox.glb fox.pfobj --dialect latin",
            "`ligament formats` lists the dialects of each format.";
        NOT_WRITABLE = "CV003", "format is read only",
            "Ligament reads this format but does not write it.",
            "ligament convert mage.pfobj mage.fbx",
            "Choose a format that `ligament formats` marks as written.";
        STRICT = "CV004", "loss under --strict",
            "--strict was given, and the conversion approximated or dropped something. Nothing was written.",
            "ligament convert --strict scene.glb scene.pfobj",
            "Leave out --strict, or remove from the source what the target cannot hold.";
        MAX_ERROR = "CV005", "deviation above --max-error",
            "Source and result were posed side by side, and a vertex of the result is farther from its place than --max-error allows. Nothing was written.",
            "ligament convert --max-error 0.01% fox.glb fox.pfobj",
            "Raise --fps or --max-error, or look at the losses for the cause.";
        VERIFY_FAILED = "CV006", "result cannot be read back",
            "What was written could not be read again, so it was not kept. This is a defect in ligament.",
            "none known",
            "Please report it together with the input file.";
    }
}

/// How a file is converted.
#[derive(Debug, Clone)]
pub struct ConvertOptions {
    /// How the input is read.
    pub read: ReadOptions,
    /// How the output is written.
    pub write: WriteOptions,
    /// The target format's id; `None` goes by the output's extension.
    pub to: Option<String>,
    /// Only these clips; empty keeps all.
    pub clips: Vec<String>,
    /// Bake one pose into a static model.
    pub pose: Option<PoseOptions>,
    /// Turn and scale the whole scene.
    pub axes: Option<AxesOptions>,
    /// Where pictures go.
    pub textures: TextureMode,
    /// Frames a second of clips that must be sampled.
    pub fps: Option<f32>,
    /// Go through the scene even when the format stays the same.
    pub reencode: bool,
    /// Read the result back and pose it beside the source.
    pub verify: bool,
    /// Any approximation or drop fails, and nothing is written.
    pub strict: bool,
    /// Largest allowed deviation as a fraction of the model's size; beyond it the conversion fails.
    pub max_error: Option<f64>,
    /// Fail instead of replacing a file that is there.
    pub keep_existing: bool,
}

impl Default for ConvertOptions {
    fn default() -> Self {
        Self {
            read: ReadOptions::default(),
            write: WriteOptions::default(),
            to: None,
            clips: Vec::new(),
            pose: None,
            axes: None,
            textures: TextureMode::Auto,
            fps: None,
            reencode: false,
            verify: true,
            strict: false,
            max_error: None,
            keep_existing: false,
        }
    }
}

impl ConvertOptions {
    /// Whether anything asked for changes the scene, so that a rewrite of the document alone would not do.
    fn changes_scene(&self) -> bool {
        self.reencode
            || !self.clips.is_empty()
            || self.pose.is_some()
            || self.axes.is_some()
            || self.fps.is_some()
            || self.textures != TextureMode::Auto
    }
}

/// What a conversion did.
#[derive(Debug, Clone)]
pub struct Conversion {
    /// The input's format.
    pub from: &'static str,
    /// The output's format.
    pub to: &'static str,
    /// The dialect written.
    pub dialect: &'static str,
    /// Whether the document was rewritten as it is, without going through a scene.
    pub rewritten: bool,
    /// What the source holds, after clips were selected or a pose was baked.
    pub counts: Counts,
    /// The proof, unless it was skipped.
    pub comparison: Option<Comparison>,
    /// Diagnostics and losses.
    pub report: Report,
}

/// Reads a file of any known format into a scene.
///
/// ```no_run
/// let (scene, report) = ligament::read("mage.pfobj")?;
/// println!("{} joints, {} warnings", scene.joint_count(), report.diagnostics().len());
/// # Ok::<(), ligament::Error>(())
/// ```
pub fn read(path: impl AsRef<Path>) -> Result<(Scene, Report), Error> {
    read_with(path, &ReadOptions::default())
}

/// Reads a file with options.
pub fn read_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<(Scene, Report), Error> {
    let path = path.as_ref();
    let mut report = Report::new("", options.limits.max_diagnostics);
    let scene = Source::open(path, &options.limits, &mut report)
        .and_then(|source| read_document(source, Some(path), options, &mut report))
        .and_then(|(_, document)| document.import(options, &mut report));
    match scene {
        Ok(scene) => Ok((scene, report)),
        Err(failure) => Err(Error::new(failure, report)),
    }
}

/// Finds a source's format and reads its document.
pub fn read_document<'a>(
    source: Source<'a>,
    path: Option<&Path>,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<(&'static dyn Format, Box<dyn Document + 'a>), Failure> {
    report.set_file(&source.name);
    let format = match &options.format {
        Some(id) => format_by_id(id, report)?,
        None => {
            let head = source.range(0, source.content.len().min(HEAD_BYTES as u64), report)?;
            formats::detect(&head, path).ok_or_else(|| {
                let diagnostic = Diagnostic::new(
                    Severity::Error,
                    &crate::io::codes::UNKNOWN_FORMAT,
                    Place::WHOLE,
                    "neither the content nor the extension is that of a known format",
                );
                report.push(diagnostic.help("name the format with --from; `ligament formats` lists them"));
                Failure::Invalid
            })?
        }
    };
    Ok((format, format.read(source, options, report)?))
}

/// Writes a scene to a file, in the format of its extension.
///
/// ```no_run
/// let (scene, _) = ligament::read("mage.pfobj")?;
/// let report = ligament::write(scene, "mage.glb")?;
/// for loss in report.losses() {
///     println!("{}: {}", loss.kind.name(), loss.message);
/// }
/// # Ok::<(), ligament::Error>(())
/// ```
pub fn write(scene: Scene, path: impl AsRef<Path>) -> Result<Report, Error> {
    write_with(scene, path, &ConvertOptions::default())
}

/// Writes a scene to a file with options; those about reading and verifying have no meaning here. Images that the scene
/// refers to are looked up in the output's folder.
pub fn write_with(scene: Scene, path: impl AsRef<Path>, options: &ConvertOptions) -> Result<Report, Error> {
    let path = path.as_ref();
    let mut report = Report::new(&path.display().to_string(), options.read.limits.max_diagnostics);
    let folder = crate::io::DirFolder::new(path.parent().unwrap_or(Path::new(".")));
    let written = (|report: &mut Report| {
        let target = target(path, options, report)?;
        let mut options = options.clone();
        options.write.dialect = target.dialect.map(str::to_owned);
        let mut output = create(path, report)?;
        let written = export(scene, target.format, &folder, &mut output, &options, report)?;
        if target.dialect.is_none() {
            note_dialect(target.format, written, report);
        }
        commit(output, &options, report)
    })(&mut report);
    match written {
        Ok(()) => Ok(report),
        Err(failure) => Err(Error::new(failure, report)),
    }
}

/// Converts a file into another and, unless told not to, proves the result by posing both side by side.
///
/// Nothing is written unless everything went well: the output appears complete or not at all.
///
/// ```no_run
/// let done = ligament::convert("mage.pfobj", "mage.glb", &Default::default())?;
/// let proof = done.comparison.expect("verified by default");
/// println!("worst deviation {:?}", proof.worst);
/// # Ok::<(), ligament::Error>(())
/// ```
pub fn convert(
    input: impl AsRef<Path>,
    output: impl AsRef<Path>,
    options: &ConvertOptions,
) -> Result<Conversion, Error> {
    let (input, output) = (input.as_ref(), output.as_ref());
    let mut report = Report::new("", options.read.limits.max_diagnostics);
    let converted = (|report: &mut Report| {
        let source = Source::open(input, &options.read.limits, report)?;
        convert_to(source, Some(input), output, options, report)
    })(&mut report);
    match converted {
        Ok(done) => Ok(Conversion { report, ..done }),
        Err(failure) => Err(Error::new(failure, report)),
    }
}

/// Converts any source into a file. `path` helps to find the source's format. The returned conversion's report is empty;
/// `report` holds everything.
pub fn convert_to(
    source: Source<'_>,
    path: Option<&Path>,
    output: &Path,
    options: &ConvertOptions,
    report: &mut Report,
) -> Result<Conversion, Failure> {
    let target = target(output, options, report)?;
    if options.keep_existing && output.symlink_metadata().is_ok() {
        report.error(&crate::io::codes::EXISTS, Place::WHOLE, "the output file is already there");
        return Err(Failure::Io);
    }
    let mut file = create(output, report)?;
    let done = convert_source(source, path, target, &mut file, options, report)?;
    commit(file, options, report)?;
    Ok(done)
}

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

impl Reopen for crate::io::MemoryOutput {
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
    let (format, document) = read_document(source, path, &options.read, report)?;

    // A file that stays in its format keeps its dialect, and goes through its document alone if nothing changes it.
    let same_format = format.info().id == target.format.info().id;
    let dialect = target.dialect.or(same_format.then_some(document.dialect()));
    let rewritten = same_format && !options.changes_scene() && dialect.is_none_or(|d| document.can_write(d));
    let mut options = options.clone();
    options.write.dialect = dialect.map(str::to_owned);

    let (written, counts, reference) = if rewritten {
        document.write(&options.write, output, report)?;
        let written = dialect.unwrap_or(document.dialect());
        let stays = written == document.dialect();
        // The scene is only looked at, so what it cannot hold is not lost; what is wrong in the file still counts.
        let mut aside = Report::new(&input_name, options.read.limits.max_diagnostics);
        let imported = document.import(&options.read, &mut aside);
        report.append_diagnostics(aside);
        let scene = imported?;
        if stays {
            let files = scene.images.iter().filter_map(|image| match &image.data {
                ImageData::File(path) => Some(path.as_str()),
                ImageData::Embedded { .. } => None,
            });
            carry_images(files, &*folder, output, report)?;
        }
        (written, scene.counts(), options.verify.then_some(scene))
    } else {
        let mut scene = document.import(&options.read, report)?;
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
        (export(scene, target.format, &*folder, output, &options, report)?, counts, reference)
    };
    if dialect.is_none() {
        note_dialect(target.format, written, report);
    }
    let comparison = match &reference {
        Some(reference) => Some(verify(reference, target.format, output, &options, report)?),
        None => None,
    };
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
    let playing = PrepareOptions { fps: options.fps, interpolation: options.read.interpolation };
    prepare(&mut scene, &capabilities, &playing, report)?;
    let document = target.export(scene, &options.write, report)?;
    document.write(&options.write, output, report)?;
    Ok(document.dialect())
}

/// Reads what was written and poses it beside the source.
fn verify(
    reference: &Scene,
    target: &'static dyn Format,
    output: &mut dyn Reopen,
    options: &ConvertOptions,
    report: &mut Report,
) -> Result<Comparison, Failure> {
    let options = ReadOptions { format: Some(target.info().id.to_owned()), ..options.read.clone() };
    let mut second = Report::new("", options.limits.max_diagnostics);
    let result = match output.reopen() {
        Ok(source) => read_document(source, None, &options, &mut second)
            .and_then(|(_, document)| document.import(&options, &mut second)),
        Err(error) => {
            second.error(&crate::io::codes::CANNOT_READ, Place::WHOLE, format!("cannot read: {error}"));
            Err(Failure::Io)
        }
    };
    result.map(|result| compare(reference, &result, &CompareOptions::default())).map_err(|failure| {
        report.append(second);
        report.error(
            &codes::VERIFY_FAILED,
            Place::WHOLE,
            "what was written cannot be read back; it was not kept",
        );
        failure
    })
}

/// The checks that the user asked for.
fn check(done: &Conversion, options: &ConvertOptions, report: &mut Report) -> Result<(), Failure> {
    let lost = report.losses().iter().filter(|l| l.kind != LossKind::Kept).count();
    if options.strict && lost > 0 {
        let message = format!("the conversion loses something in {lost} ways, and --strict allows none");
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
    let others: Vec<_> = target.info().dialects.iter().map(|d| d.id).filter(|&d| d != written).collect();
    if !others.is_empty() {
        let message =
            format!("written in the {written:?} dialect; --dialect also knows {}", others.join(", "));
        report.note(&codes::DIALECT, Place::WHOLE, message);
    }
}

fn format_by_id(id: &str, report: &mut Report) -> Result<&'static dyn Format, Failure> {
    formats::by_id(id).ok_or_else(|| {
        let known: Vec<_> = formats::FORMATS.iter().map(|f| f.info().id).collect();
        let message = format!("there is no format {id:?}; known are {}", known.join(", "));
        report.error(&crate::io::codes::UNKNOWN_FORMAT, Place::WHOLE, message);
        Failure::Usage
    })
}

/// A format to write, and the dialect if one was chosen.
#[derive(Clone, Copy)]
pub struct Target {
    /// The format.
    pub format: &'static dyn Format,
    /// The dialect that an option, the output's extension or the word after `--to` names; `None` where nobody chose.
    pub dialect: Option<&'static str>,
}

/// The format to write: by option, else by the output's extension. A dialect that is called like the extension (`glb`)
/// is chosen by it.
pub fn target(output: &Path, options: &ConvertOptions, report: &mut Report) -> Result<Target, Failure> {
    report.set_file(&output.display().to_string());
    let format = match &options.to {
        Some(id) => format_by_id(id, report)?,
        None => formats::by_extension(output).ok_or_else(|| {
            let diagnostic = Diagnostic::new(
                Severity::Error,
                &crate::io::codes::UNKNOWN_FORMAT,
                Place::WHOLE,
                "the output's extension is not that of a known format",
            );
            report.push(diagnostic.help("name the format with --to; `ligament formats` lists them"));
            Failure::Usage
        })?,
    };
    let known = format.info().dialects;
    let named = |word: &str| known.iter().map(|d| d.id).find(|d| d.eq_ignore_ascii_case(word));
    let dialect = match &options.write.dialect {
        Some(word) => Some(named(word).ok_or_else(|| {
            let known: Vec<_> = known.iter().map(|d| d.id).collect();
            let known = if known.is_empty() {
                "it has none".into()
            } else {
                format!("known are {}", known.join(", "))
            };
            let message = format!("{} has no dialect {word:?}; {known}", format.info().name);
            report.error(&codes::UNKNOWN_DIALECT, Place::WHOLE, message);
            Failure::Usage
        })?),
        None => {
            let extension = output.extension().map(|e| e.to_string_lossy());
            options.to.as_deref().and_then(named).or_else(|| extension.and_then(|e| named(&e)))
        }
    };
    if !format.capabilities(dialect).write {
        let message = format!("{} is read but not written", format.info().name);
        report.error(&codes::NOT_WRITABLE, Place::WHOLE, message);
        return Err(Failure::Usage);
    }
    Ok(Target { format, dialect })
}

fn create(path: &Path, report: &mut Report) -> Result<FileOutput, Failure> {
    FileOutput::create(path).map_err(|error| cannot_write(path, &error, report))
}

fn commit(output: FileOutput, options: &ConvertOptions, report: &mut Report) -> Result<(), Failure> {
    let path = output.target().to_owned();
    let committed = if options.keep_existing { output.commit_new() } else { output.commit() };
    committed.map_err(|error| cannot_write(&path, &error, report))
}

fn cannot_write(path: &Path, error: &std::io::Error, report: &mut Report) -> Failure {
    report.set_file(&path.display().to_string());
    let code = match error.kind() {
        std::io::ErrorKind::AlreadyExists => &crate::io::codes::EXISTS,
        _ => &crate::io::codes::CANNOT_WRITE,
    };
    report.error(code, Place::WHOLE, format!("cannot write: {error}"));
    Failure::Io
}
