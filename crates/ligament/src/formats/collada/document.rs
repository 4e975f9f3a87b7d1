//! A COLLADA file, unchanged: its bytes.

use super::archive::{self, Archive};
use super::image::Pictures;
use super::outline::Outline;
use super::{codes, import, read};
use crate::formats::{ReadOptions, WriteOptions};
use crate::io::{Output, Source};
use crate::pose::OwnMotion;
use crate::report::{Failure, Place, Report};
use crate::scene::Scene;

/// A .dae or .zae file. The document is the file itself.
/// [`import`](crate::formats::Document::import) parses it, and a rewrite copies it unchanged.
pub struct Document<'a> {
    source: Source<'a>,
    dialect: &'static str,
}

impl<'a> Document<'a> {
    /// Accepts a file that is not empty and looks like COLLADA.
    pub fn read(source: Source<'a>, report: &mut Report) -> Result<Self, Failure> {
        let head = source.range(0, source.content.len().min(4), report)?;
        let dialect = if archive::is_archive(&head) { "zae" } else { "dae" };
        if head.is_empty() {
            return Err(report.invalid(&codes::XML, Place::WHOLE, "the file is empty"));
        }
        drop(head);
        Ok(Self { source, dialect })
    }
}

impl crate::formats::Document for Document<'_> {
    fn dialect(&self) -> &'static str {
        self.dialect
    }

    fn import(self: Box<Self>, options: &ReadOptions, report: &mut Report) -> Result<Scene, Failure> {
        self.import_with_motion(options, report).map(|(scene, _)| scene)
    }

    fn import_with_motion(
        self: Box<Self>,
        options: &ReadOptions,
        report: &mut Report,
    ) -> Result<(Scene, Option<OwnMotion>), Failure> {
        let source = &self.source;
        let name = crate::formats::stem(&source.name);
        let bytes = source.bytes(report)?;
        let folder = &*source.folder;
        if self.dialect == "dae" {
            return scene(&bytes, name, Pictures { folder, archive: None }, options, report);
        }
        let archive = Archive::open(&bytes, &options.limits, report)?;
        let (path, model) = archive.model(report)?;
        let inside = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        scene(&model, name, Pictures { folder, archive: Some((&archive, inside)) }, options, report)
    }

    fn write(
        &self,
        _: &str,
        _: &WriteOptions,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let message = "nothing changes, so the file is copied";
        report.note(&codes::COPIED, Place::WHOLE, message);
        self.source.content.copy_to(output.main()).map_err(|error| report.cannot_write(error))
    }
}

fn scene(
    bytes: &[u8],
    name: String,
    pictures: Pictures<'_>,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<(Scene, Option<OwnMotion>), Failure> {
    let mark = report.mark();
    let text = match read::text(bytes, report) {
        Ok(text) => text,
        Err(failure) => {
            report.quote_since(mark, bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes));
            return Err(failure);
        }
    };
    let is_file = pictures.archive.is_none() && std::ptr::eq(text.as_ptr(), bytes.as_ptr());
    let outline = Outline::of(&text);
    let imported = read::parse(&outline, report)
        .and_then(|document| import::import(&document, &outline, name, pictures, options.limits, report));
    if !is_file {
        report.quote_since(mark, text.as_bytes());
    }
    imported.map(|(scene, own)| (scene, Some(own)))
}
