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
//! | `document.rs` | the file's own typed tree, exactly what it says |
//! | `read.rs`, `write.rs` | bytes ↔ document; inverses of each other |
//! | `import.rs`, `export.rs` | document ↔ [`Scene`] |
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
mod hierarchy;
mod obj_text;
mod options;
mod sniff;

pub(crate) use crate::settings::{Posing, Precision};
pub use capabilities::{Capabilities, Count, Joints, Keys, Normals};
pub use describe::{Feature, describe};
pub use options::{ReadOptions, WriteOptions};
pub use sniff::{HEAD_BYTES, Match, by_extension, by_id, detect};

use crate::io::{Output, Source};
use crate::report::{Code, Failure, Report};
use crate::scene::Scene;
use crate::settings::Setting;

/// Every format, in the order that help and tables show them.
pub static FORMATS: &[&dyn Format] = &[
    &pfobj::Pfobj,
    &gltf::Gltf,
    &bogle::Bogle,
    &qmsh_tmp::QmshTmp,
    &qmsh::Qmsh,
    &apg::Apg,
    &amo::Amo,
    &obj::Obj,
    &collada::Collada,
    #[cfg(feature = "fbx")]
    &fbx::Fbx,
];

/// One format: a row of [`FORMATS`].
pub trait Format: Sync {
    /// Names, extensions, dialects.
    fn info(&self) -> &'static Info;

    /// Whether a file that begins with `head` is in this format. `head` is the whole file if that is short, else its
    /// first few kilobytes.
    fn sniff(&self, head: &[u8]) -> Match;

    /// What a dialect can hold; `None` is the one written by default.
    fn capabilities(&self, dialect: Option<&str>) -> Capabilities;

    /// Reads the file into its document. Goes on after recoverable faults and reports all of them.
    fn read<'a>(
        &self,
        source: Source<'a>,
        options: &ReadOptions,
        report: &mut Report,
    ) -> Result<Box<dyn Document + 'a>, Failure>;

    /// Makes a document from a scene that the passes have brought within [`capabilities`](Self::capabilities). Takes
    /// the scene so that its arrays can move instead of being copied.
    fn export(
        &self,
        scene: Scene,
        options: &WriteOptions,
        report: &mut Report,
    ) -> Result<Box<dyn Document>, Failure>;
}

/// A file of one format, exactly as it says it.
pub trait Document {
    /// The dialect, one of [`Info::dialects`].
    fn dialect(&self) -> &'static str;

    /// Whether [`write`](Self::write) can put this document into a dialect as it stands, without going through a scene.
    fn can_write(&self, dialect: &str) -> bool {
        dialect == self.dialect()
    }

    /// The dialect that a rewrite has unless someone asks for another: the file's own, but where that is only read.
    fn rewrite_dialect(&self) -> &'static str {
        self.dialect()
    }

    /// Turns the document into a scene, moving what can be moved.
    fn import(self: Box<Self>, options: &ReadOptions, report: &mut Report) -> Result<Scene, Failure>;

    /// Writes the document. On a document that was read, this gives the file back unchanged as far as the format's page
    /// promises.
    fn write(
        &self,
        options: &WriteOptions,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure>;
}

/// What a format is called and made of.
#[derive(Debug)]
pub struct Info {
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
}

/// A variant of a format.
#[derive(Debug)]
pub struct Dialect {
    /// The word for `--dialect`.
    pub id: &'static str,
    /// One line on what sets it apart.
    pub summary: &'static str,
}

/// Whether extras under this key are a format's own values, which only its exporter reads.
pub(crate) fn owns_extras(key: &str) -> bool {
    FORMATS.iter().any(|format| format.info().id == key)
}

/// The model's name: the file's without folder and extension.
fn stem(name: &str) -> String {
    let path = std::path::Path::new(name);
    path.file_stem().map(|s| s.to_string_lossy().into_owned()).filter(|s| s != "-").unwrap_or_default()
}
