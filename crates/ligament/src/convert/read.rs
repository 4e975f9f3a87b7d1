//! Reads any source into a scene.

use super::target::{format_by_id, unknown_input};
use crate::compare::Model;
use crate::formats::{self, Document, Format, HEAD_BYTES, Match, ReadOptions};
use crate::io::{Source, git_lfs};
use crate::pose::OwnMotion;
use crate::progress::{Progress, Stage};
use crate::report::{Diagnostic, Failure, Place, Report, Severity};
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
    /// What the file says [about](crate::formats::Document::about) itself.
    pub about: Vec<(&'static str, String)>,
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
    let (dialect, about) = (document.dialect(), document.about());
    let (scene, own) = document.import_with_motion(options, report)?;
    Ok(Imported { format, dialect, scene, own, about })
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
    let document = read_document(format, source, options, report)?;
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
    let document = read_document(format, source, options, report)?;
    let (dialect, about) = (document.dialect(), document.about());
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
    Ok(Imported { format, dialect, scene, own, about })
}

/// Reads a file of a format. If the format was given and is clearly not the file's own, a failure says only that.
pub(super) fn read_document<'s>(
    format: &'static Format,
    source: Source<'s>,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<Box<dyn Document + 's>, Failure> {
    let other = options.format.as_ref().and_then(|_| {
        let head = source.content.range(0, source.content.len().min(HEAD_BYTES as u64)).ok()?;
        let own = formats::detect(&head, None).filter(|own| own.sniff(&head) == Match::Yes)?;
        (own.id != format.id && format.sniff(&head) == Match::No).then_some(own)
    });
    let Some(other) = other else { return format.read(source, options, report) };
    let mut found = Report::new(&source.name, options.limits.max_diagnostics);
    match format.read(source, options, &mut found) {
        Ok(document) => {
            let message = format!("the content is {}, and was read as {}", other.name, format.name);
            report.warning(&crate::io::codes::UNKNOWN_FORMAT, Place::WHOLE, message);
            report.append(found);
            Ok(document)
        }
        Err(_) => {
            let message = format!("the content is {}, and cannot be read as {}", other.name, format.name);
            let code = &crate::io::codes::UNKNOWN_FORMAT;
            let error = Diagnostic::new(Severity::Error, code, Place::WHOLE, message);
            report.push(error.help("leave out --from: the format is detected by its content"));
            Err(Failure::Invalid)
        }
    }
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
    formats::detect(&head, path).ok_or_else(|| unknown_input(path, report))
}
