//! The formats, each in a folder of its own, and the one table that everything else derives from.
//!
//! A new format is one folder here and one line in [`FORMATS`]: command help, sniffing, the fuzz list and the tables in
//! the documentation all come from it. Nothing else knows a format by name.
//!
//! # The shape of a format's folder
//!
//! | file | what it does |
//! |---|---|
//! | `mod.rs` | states the grammar and quirks; the [`Format`] row |
//! | `document.rs` | the file's own typed tree, exactly what it says: a [`Document`] |
//! | `read.rs` | bytes to document |
//! | `import.rs` | document to [`Scene`] |
//! | `export.rs` | scene to [`Encoded`], where the format is written |
//! | `write.rs` | document or encoded file to bytes |
//! | `codes.rs` | the diagnostics it can report |
//! | `settings.rs` | what can be asked for because of its peculiarities, if it has any of its own |

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

mod capabilities;
mod describe;
mod draining;
mod encoded;
mod hierarchy;
mod obj_text;
mod options;
mod sniff;

pub(crate) use crate::settings::{Posing, Precision};
pub use capabilities::{Capabilities, Count, Joints, Keys, Normals};
pub use describe::{Feature, describe};
pub use encoded::Encoded;
pub use options::{ReadOptions, WriteOptions};
pub use sniff::{HEAD_BYTES, Match, by_extension, by_id, detect};

use crate::io::{Output, Source};
use crate::report::{Code, Diagnostic, Failure, Place, Report, Severity};
use crate::scene::Scene;
use crate::settings::Setting;

/// Every format, in the order that help and tables show them.
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
pub struct Format {
    /// The word for `--from` and `--to`.
    pub id: &'static str,
    /// The name in prose.
    pub name: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
    /// File extensions without the dot, the usual one first.
    pub extensions: &'static [&'static str],
    /// Whether files are text, so that places are lines and columns.
    pub is_text: bool,
    /// Dialects; the first is written by default. Empty where there is only one way. A dialect that is called like an
    /// extension is chosen by that extension.
    pub dialects: &'static [Dialect],
    /// The diagnostics it can report.
    pub codes: &'static [&'static Code],
    /// The [settings](crate::settings) that count for it because of its peculiarities.
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
    /// Whether a file that begins with `head` is in this format. `head` is the whole file if that is short, else its
    /// first few kilobytes.
    pub fn sniff(&self, head: &[u8]) -> Match {
        (self.sniff)(head)
    }

    /// What a dialect can hold; `None` is the one written by default.
    pub fn capabilities(&self, dialect: Option<&str>) -> Capabilities {
        (self.capabilities)(dialect)
    }

    /// Whether files are made from scenes, in any dialect or in this one.
    pub fn writes(&self, dialect: Option<&str>) -> bool {
        let only_read = |id: &str| self.dialects.iter().any(|d| d.id == id && !d.is_written);
        self.export.is_some() && !dialect.is_some_and(only_read)
    }

    /// Reads the file into its document. Goes on after recoverable faults and reports all of them.
    pub fn read<'a>(
        &self,
        source: Source<'a>,
        options: &ReadOptions,
        report: &mut Report,
    ) -> Result<Box<dyn Document + 'a>, Failure> {
        (self.read)(source, options, report)
    }

    /// Makes a file from a scene that the passes have brought within [`capabilities`](Self::capabilities), in a dialect
    /// or else the default one. Takes the scene so that its arrays can move instead of being copied.
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

    /// Says that the format, or a dialect of it, is only read.
    pub(crate) fn not_written(&self, dialect: Option<&str>, report: &mut Report) -> Failure {
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
pub struct Dialect {
    /// The word for `--dialect`.
    pub id: &'static str,
    /// One line on what sets it apart.
    pub summary: &'static str,
    /// Whether files are made in it; else they are read, and perhaps rewritten.
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

/// A file of one format that was read, exactly as it says it.
pub trait Document {
    /// The dialect, one of [`Format::dialects`].
    fn dialect(&self) -> &'static str;

    /// Whether [`write`](Self::write) can put this document into a dialect as it stands, without going through a scene.
    fn can_write(&self, dialect: &str) -> bool {
        dialect == self.dialect()
    }

    /// The dialect that a rewrite has unless another is asked for: the file's own, but where that is only read.
    fn rewrite_dialect(&self) -> &'static str {
        self.dialect()
    }

    /// Turns the document into a scene, moving what can be moved.
    fn import(self: Box<Self>, options: &ReadOptions, report: &mut Report) -> Result<Scene, Failure>;

    /// Writes the document in a dialect that it [can](Self::can_write) be written in. In its own, this gives the file
    /// back unchanged as far as the format's page promises.
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

/// The model's name: the file's without folder and extension.
fn stem(name: &str) -> String {
    let path = std::path::Path::new(name);
    path.file_stem().map(|s| s.to_string_lossy().into_owned()).filter(|s| s != "-").unwrap_or_default()
}
