//! The formats, each in its own folder, and the table that everything else is derived from.
//!
//! A new format is one folder here and one line in [`FORMATS`]: command help, sniffing, the fuzz list and the tables in
//! the documentation are all derived from it. Nothing else knows a format by name.
//!
//! # Layout of a format's folder
//!
//! | file | what it does |
//! |---|---|
//! | `mod.rs` | states the grammar and quirks; the [`Format`] row |
//! | `document.rs` | the file's content as types, unchanged: a [`Document`] |
//! | `read.rs` | bytes to document |
//! | `import.rs` | document to [`Scene`] |
//! | `export.rs` | scene to [`Encoded`], where the format is written |
//! | `write.rs` | document or encoded file to bytes |
//! | `codes.rs` | the diagnostics it can report |
//! | `settings.rs` | the settings that only this format has, if any |

pub mod amo;
pub mod apg;
pub mod bogle;
pub mod collada;
#[cfg(feature = "fbx")]
pub mod fbx;
pub mod gltf;
pub mod obj;
pub mod pfobj;
pub mod qmsh;
pub mod qmsh_tmp;

mod bind;
mod binormals;
mod capabilities;
mod describe;
mod draining;
mod encoded;
mod hierarchy;
mod line;
mod obj_text;
mod options;
mod sniff;
mod stated;

pub use crate::text::RawText;
pub use capabilities::{Capabilities, Count, ImageTypes, Joints, Keys, Normals};
pub use describe::{Feature, describe};
pub use encoded::Encoded;
pub use options::{ReadOptions, WriteOptions};
pub use sniff::{HEAD_BYTES, Match, by_extension, by_id, detect};

use crate::io::{Output, Source};
use crate::pose::OwnMotion;
use crate::report::{Code, Diagnostic, Failure, Place, Report, Severity};
use crate::scene::Scene;
use crate::settings::Setting;

/// Every format, in the order of help texts and tables.
pub static FORMATS: &[&Format] = &[
    &pfobj::FORMAT,
    &gltf::FORMAT,
    &bogle::FORMAT,
    &qmsh_tmp::FORMAT,
    &qmsh::FORMAT,
    &apg::FORMAT,
    &amo::FORMAT,
    &obj::FORMAT,
    &collada::FORMAT,
    #[cfg(feature = "fbx")]
    &fbx::FORMAT,
];

/// One format: a row of [`FORMATS`].
#[derive(Debug)]
#[non_exhaustive]
pub struct Format {
    /// The id for `--from` and `--to`.
    pub id: &'static str,
    /// The display name.
    pub name: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// File extensions without the dot, the usual one first.
    pub extensions: &'static [&'static str],
    /// Whether files are text, so that places are lines and columns rather than byte offsets.
    pub is_text: bool,
    /// Dialects; the first is written by default. Empty if there is only one. A dialect named like an extension is
    /// chosen by that extension.
    pub dialects: &'static [Dialect],
    /// The diagnostics it can report.
    pub codes: &'static [&'static Code],
    /// The format-specific [settings](crate::settings) that apply to it.
    pub settings: &'static [&'static Setting],
    sniff: fn(&[u8]) -> Match,
    capabilities: fn(Option<&str>) -> Capabilities,
    read: Read,
    /// `None` for a format that is only read.
    export: Option<Export>,
}

type Read = for<'a> fn(Source<'a>, &ReadOptions, &mut Report) -> Result<Box<dyn Document + 'a>, Failure>;
type Export = fn(Scene, Option<&str>, &WriteOptions, &mut Report) -> Result<Encoded, Failure>;

impl Format {
    /// Returns how well a file that begins with `head` fits this format. `head` is the whole file if it is short,
    /// otherwise its first few kilobytes.
    pub fn sniff(&self, head: &[u8]) -> Match {
        (self.sniff)(head)
    }

    /// The capabilities of a dialect; `None` means the default one.
    pub fn capabilities(&self, dialect: Option<&str>) -> Capabilities {
        (self.capabilities)(dialect)
    }

    /// Whether scenes can be written in this format (in the given dialect, if any).
    pub fn writes(&self, dialect: Option<&str>) -> bool {
        let only_read = |id: &str| self.dialects.iter().any(|d| d.id == id && !d.is_written);
        self.export.is_some() && !dialect.is_some_and(only_read)
    }

    /// Reads the file into its document. Continues after recoverable errors and reports all of them.
    pub fn read<'a>(
        &self,
        source: Source<'a>,
        options: &ReadOptions,
        report: &mut Report,
    ) -> Result<Box<dyn Document + 'a>, Failure> {
        (self.read)(source, options, report).map_err(|failure| match failure {
            Failure::Invalid => report.refusal(),
            other => other,
        })
    }

    /// Exports a scene that the passes have reduced to [`capabilities`](Self::capabilities), in the given or the
    /// default dialect. Takes the scene by value so that its arrays can be moved instead of copied.
    pub fn export(
        &self,
        scene: Scene,
        dialect: Option<&str>,
        options: &WriteOptions,
        report: &mut Report,
    ) -> Result<Encoded, Failure> {
        match self.export {
            Some(export) => export(scene, dialect, options, report),
            None => Err(self.not_written(dialect, report)),
        }
    }

    /// Reports that the format, or this dialect of it, is read-only.
    pub(crate) fn not_written(&self, dialect: Option<&str>, report: &mut Report) -> Failure {
        // A dialect is worth a word only if others of the format are written.
        let dialect = dialect.filter(|_| self.writes(None));
        let which = dialect.map_or(String::new(), |dialect| format!("the {dialect:?} dialect of "));
        let written = FORMATS.iter().filter(|f| f.writes(None)).map(|f| f.id);
        let message = format!("{which}{} is read but not written", self.name);
        let help = format!("writable formats are {}", written.collect::<Vec<_>>().join(", "));
        let code = &crate::convert::codes::NOT_WRITABLE;
        report.push(Diagnostic::new(Severity::Error, code, Place::WHOLE, message).help(help));
        Failure::Usage
    }
}

/// A variant of a format.
#[derive(Debug)]
#[non_exhaustive]
pub struct Dialect {
    /// The id for `--dialect`.
    pub id: &'static str,
    /// A one-line description of what sets it apart.
    pub summary: &'static str,
    /// Whether scenes can be written in it; otherwise it is only read, and perhaps rewritten.
    pub is_written: bool,
}

impl Dialect {
    const fn new(id: &'static str, summary: &'static str) -> Self {
        Self { id, summary, is_written: true }
    }

    const fn only_read(id: &'static str, summary: &'static str) -> Self {
        Self { id, summary, is_written: false }
    }
}

/// A file of one format that was read, with its content unchanged.
pub trait Document {
    /// The dialect, one of [`Format::dialects`].
    fn dialect(&self) -> &'static str;

    /// Whether [`write`](Self::write) can write this document in a dialect directly, without going through a scene.
    fn can_write(&self, dialect: &str) -> bool {
        dialect == self.dialect()
    }

    /// The default dialect of a rewrite: the file's own, unless that is read-only.
    fn rewrite_dialect(&self) -> &'static str {
        self.dialect()
    }

    /// The image files beside the document, for a document that is written although it cannot be imported.
    fn image_files(&self) -> Vec<String> {
        Vec::new()
    }

    /// What the file says about itself that is not part of a scene, each with its name: `generator`, `extensions used`.
    fn about(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Checks rules of the format that reading does not need, and reports what breaks them. Only
    /// [`validate_from`](crate::convert::validate_from) asks for it: a file that other programs open is read, whatever
    /// its specification says.
    fn check(&self, _: &ReadOptions, _: &mut Report) {}

    /// Converts the document to a scene, moving arrays where possible.
    fn import(self: Box<Self>, options: &ReadOptions, report: &mut Report) -> Result<Scene, Failure>;

    /// Converts the document to a scene, like [`import`](Self::import), and returns the file's exact motion where the
    /// scene's tracks only approximate it.
    fn import_with_motion(
        self: Box<Self>,
        options: &ReadOptions,
        report: &mut Report,
    ) -> Result<(Scene, Option<OwnMotion>), Failure> {
        Ok((self.import(options, report)?, None))
    }

    /// Writes the document in a dialect that it [can](Self::can_write) be written in. In its own dialect, the result is
    /// identical to the file as far as the format's page promises.
    fn write(
        &self,
        dialect: &str,
        options: &WriteOptions,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure>;
}

/// Whether extras under this key are a format's own values, which only its exporter reads.
pub(crate) fn owns_extras(key: &str) -> bool {
    FORMATS.iter().any(|format| format.id == key)
}

/// The model's name: the file name without folder and extension.
fn stem(name: &str) -> String {
    let path = std::path::Path::new(name);
    path.file_stem().map(|s| s.to_string_lossy().into_owned()).filter(|s| s != "-").unwrap_or_default()
}
