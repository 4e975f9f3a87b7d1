//! The whole pipeline, and the entry points that most users want.
//!
//! [`convert`] goes from file to file; [`read`] and [`write`](write()) stop at the [`Scene`]. [`Conversion`] says what was
//! converted, what was lost, and how far the result is from its source.
//!
//! | file | what |
//! |---|---|
//! | `pipeline.rs` | [`convert_source`]: the whole flow on one screen |
//! | `target.rs` | which format and dialect are written |
//! | `options.rs` | what can be asked for, and what comes of it |
//! | `settings.rs` | the same by name, for command lines and panels |

pub mod codes;
mod options;
mod pipeline;
pub mod settings;
mod target;
mod text;

pub use options::{Conversion, ConvertOptions};
pub use pipeline::{Reopen, convert_scene, convert_source, read_document};
pub use target::{Target, target};

use crate::formats::{Info, ReadOptions};
use crate::io::{DirFolder, FileOutput, Folder, Source};
use crate::progress::Stage;
use crate::report::{Error, Failure, Place, Report};
use crate::scene::Scene;
use std::path::Path;

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
    let imported = Source::open(path, &options.limits, &mut report)
        .and_then(|source| import_source(source, Some(path), options, &mut report));
    match imported {
        Ok(imported) => Ok((imported.scene, report)),
        Err(failure) => Err(Error::new(failure, report)),
    }
}

/// A file that was read.
#[derive(Debug)]
pub struct Imported {
    /// Its format.
    pub format: &'static Info,
    /// Its dialect.
    pub dialect: &'static str,
    /// What it holds.
    pub scene: Scene,
}

/// Reads any source into a scene. `path` helps to find its format.
pub fn import_source(
    source: Source<'_>,
    path: Option<&Path>,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<Imported, Failure> {
    options.progress.enter(Stage::Read, report)?;
    let (format, document) = read_document(source, path, options, report)?;
    let dialect = document.dialect();
    options.progress.enter(Stage::Import, report)?;
    let scene = document.import(options, report)?;
    Ok(Imported { format: format.info(), dialect, scene })
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
    let folder = DirFolder::new(path.parent().unwrap_or(Path::new(".")));
    let options = ConvertOptions { verify: false, max_error: None, ..options.clone() };
    save(scene, &folder, path, &options).map(|done| done.report)
}

/// Writes a scene to a file and, unless told not to, proves the result by posing both side by side. Images that the scene
/// refers to are looked up in `folder`. The scene must keep [the promise](crate::scene#the-promise), which
/// [`validate`](crate::validate::validate) checks.
///
/// Nothing is written unless everything went well: the output appears complete or not at all.
pub fn save(
    scene: Scene,
    folder: &dyn Folder,
    path: impl AsRef<Path>,
    options: &ConvertOptions,
) -> Result<Conversion, Error> {
    let path = path.as_ref();
    let mut report = Report::new(&path.display().to_string(), options.read.limits.max_diagnostics);
    let written = (|report: &mut Report| {
        let target = target(path, options, report)?;
        check_existing(path, options, report)?;
        let mut output = create(path, report)?;
        let done = convert_scene(scene, target, folder, &mut output, options, report)?;
        options.read.progress.check(report)?;
        commit(output, options, report)?;
        Ok(done)
    })(&mut report);
    match written {
        Ok(done) => Ok(Conversion { report, ..done }),
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
    check_existing(output, options, report)?;
    let mut file = create(output, report)?;
    let done = convert_source(source, path, target, &mut file, options, report)?;
    options.read.progress.check(report)?;
    commit(file, options, report)?;
    Ok(done)
}

/// Refuses to replace a file where that was asked for.
fn check_existing(output: &Path, options: &ConvertOptions, report: &mut Report) -> Result<(), Failure> {
    if options.keep_existing && output.symlink_metadata().is_ok() {
        report.error(&crate::io::codes::EXISTS, Place::WHOLE, "the output file is already there");
        return Err(Failure::Io);
    }
    Ok(())
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
