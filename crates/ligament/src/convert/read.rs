//! Reads any source into a scene.

use super::target::{format_by_id, unknown_format};
use crate::compare::Model;
use crate::formats::{self, Document, Format, HEAD_BYTES, ReadOptions};
use crate::io::{Source, git_lfs};
use crate::pose::OwnMotion;
use crate::progress::{Progress, Stage};
use crate::report::{Failure, Place, Report, Severity};
use crate::scene::Scene;
use crate::validate::{advise, validate};
use std::path::Path;

/// A file that was read.
#[derive(Debug)]
#[must_use]
#[non_exhaustive]
pub struct Imported {
    /// Its format.
    pub format: &'static Format,
    /// Its dialect.
    pub dialect: &'static str,
    /// Its content.
    pub scene: Scene,
    /// How the file moves by its own rules, where the scene's tracks only approximate it.
    pub own: Option<OwnMotion>,
}

impl Imported {
    /// The model to compare with others: the file as it moves by its own rules.
    pub fn model(&self) -> Model<'_> {
        Model { scene: &self.scene, own: self.own.as_ref() }
    }
}

/// Reads any source into a scene. `path` helps to find its format; `progress` can stop it.
pub fn read_from(
    source: Source<'_>,
    path: Option<&Path>,
    options: &ReadOptions,
    progress: &Progress,
    report: &mut Report,
) -> Result<Imported, Failure> {
    let (format, document) = document(source, path, options, progress, report)?;
    let dialect = document.dialect();
    let (scene, own) = document.import_with_motion(options, report)?;
    Ok(Imported { format, dialect, scene, own })
}

/// Reads any source into a scene, and forgets how the file itself moves.
pub(super) fn read_scene(
    source: Source<'_>,
    path: Option<&Path>,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<Scene, Failure> {
    document(source, path, options, &Progress::default(), report)?.1.import(options, report)
}

/// Reads any source into a document that is about to be imported.
fn document<'s>(
    source: Source<'s>,
    path: Option<&Path>,
    options: &ReadOptions,
    progress: &Progress,
    report: &mut Report,
) -> Result<(&'static Format, Box<dyn Document + 's>), Failure> {
    progress.enter(Stage::Read, report)?;
    let format = source_format(&source, path, options, report)?;
    let document = format.read(source, options, report)?;
    progress.enter(Stage::Import, report)?;
    Ok((format, document))
}

/// Reads any source like [`read_from`], and reports everything that breaks a rule, of reading, of the format's
/// specification and of scenes, and what is worth a look. It fails only if the file cannot be read as a scene.
pub fn validate_from(
    source: Source<'_>,
    path: Option<&Path>,
    options: &ReadOptions,
    progress: &Progress,
    report: &mut Report,
) -> Result<Imported, Failure> {
    progress.enter(Stage::Read, report)?;
    let format = source_format(&source, path, options, report)?;
    let name = source.name.clone();
    let document = format.read(source, options, report)?;
    let dialect = document.dialect();
    progress.enter(Stage::Import, report)?;
    let mut rules = Report::new(&name, options.limits.max_diagnostics);
    document.check(options, &mut rules);
    let imported = document.import_with_motion(options, report);
    report.append_new(rules);
    let (scene, own) = imported?;
    report.set_file(&name);
    let before = report.count(Severity::Error);
    validate(&scene, report);
    if report.count(Severity::Error) == before {
        advise(&scene, report);
    }
    Ok(Imported { format, dialect, scene, own })
}

/// The format given by the options, otherwise the one that the source is in.
pub(super) fn source_format(
    source: &Source<'_>,
    path: Option<&Path>,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<&'static Format, Failure> {
    report.set_file(&source.name);
    let head = source.range(0, source.content.len().min(HEAD_BYTES as u64), report)?;
    if git_lfs::is_pointer(source.content.len(), &head) {
        let message = format!("the file {}", git_lfs::MESSAGE);
        return Err(report.invalid(&crate::io::codes::GIT_LFS_POINTER, Place::WHOLE, message));
    }
    if let Some(id) = &options.format {
        return format_by_id(id, report);
    }
    formats::detect(&head, path).ok_or_else(|| {
        let message = "neither the content nor the extension is that of a known format";
        unknown_format(message, "--from", report);
        Failure::Invalid
    })
}
