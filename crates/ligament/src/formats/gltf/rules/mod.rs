//! The rules of glTF 2.0 beyond what reading needs: those that the Khronos validator checks.
//!
//! Reading accepts every file that can be understood. `validate` also asks whether the file keeps to the specification,
//! because the next program may be stricter. The rules look at the document, its JSON and its buffers, not at a scene.
//!
//! | file | what it checks |
//! |---|---|
//! | `schema.rs`, `walk.rs` | types, ranges, references and extensions of every object: tables, and what interprets them |
//! | `local.rs` | several properties of one object |
//! | `glb.rs` | the chunks of a GLB file |
//! | `layout.rs` | accessors and buffer views: lengths, alignment, strides, one use each |
//! | `meshes.rs`, `nodes.rs`, `animations.rs` | objects that refer to each other |
//! | `elements.rs`, `contents.rs`, `influences.rs` | the numbers in accessors |
//! | `images.rs` | the headers of images |
//! | `view.rs` | the JSON, asked by meaning |

mod animations;
mod contents;
mod elements;
mod glb;
mod images;
mod influences;
mod layout;
mod local;
mod meshes;
mod nodes;
mod schema;
mod view;
mod walk;

use super::buffers::Buffers;
use super::codes;
use super::document::Document;
use super::locate::{Places, Step};
use crate::formats::ReadOptions;
use crate::report::{Code, Diagnostic, Place, Report, Severity};
use serde_json::Value;
use std::collections::HashSet;

impl<'p> From<&'p str> for Step<'p> {
    fn from(name: &'p str) -> Self {
        Step::Name(name)
    }
}

impl From<usize> for Step<'_> {
    fn from(index: usize) -> Self {
        Step::Index(index)
    }
}

/// A path in the JSON: `at!["meshes", 3, "weights"]`.
macro_rules! at {
    ($($step:expr),* $(,)?) => { &[$($crate::formats::gltf::locate::Step::from($step)),*] };
}
use at;

/// What the rules look at, and where they report.
struct Rules<'r, 's, 'a, 'v> {
    document: &'r Document<'a>,
    places: &'r Places<'s, 'a>,
    report: &'r mut Report,
    root: &'v Value,
    /// The names in `extensionsUsed`.
    used: HashSet<&'v str>,
}

/// Checks everything. A glTF 1.0 document keeps to other rules, and is left alone.
pub(super) fn check(document: &Document<'_>, options: &ReadOptions, report: &mut Report) {
    if document.first.is_some() {
        return;
    }
    let places = document.places();
    // The text was read before, so it is JSON.
    let Ok(root) = serde_json::from_slice::<Value>(places.text()) else { return };
    let used = view::items(&root["extensionsUsed"]).iter().filter_map(Value::as_str).collect();
    let mut rules = Rules { document, places: &places, report, root: &root, used };
    glb::check(&mut rules);
    walk::check(&mut rules);
    let mut arrays = layout::check(&mut rules);
    // Missing buffers are errors of reading.
    let buffers = Buffers::open(document, &places, &options.limits, &mut Report::default());
    images::check(&mut rules, &mut arrays, &buffers, &options.limits);
    meshes::check(&mut rules, &mut arrays);
    nodes::check(&mut rules, &mut arrays);
    animations::check(&mut rules, &mut arrays);
    contents::check(&mut rules, &arrays, &buffers);
}

impl Rules<'_, '_, '_, '_> {
    fn error(&mut self, code: &'static Code, path: &[Step<'_>], message: impl Into<String>) {
        self.say(Severity::Error, code, path, message.into());
    }

    fn warning(&mut self, code: &'static Code, path: &[Step<'_>], message: impl Into<String>) {
        self.say(Severity::Warning, code, path, message.into());
    }

    fn say(&mut self, severity: Severity, code: &'static Code, path: &[Step<'_>], message: String) {
        let place = self.places.while_kept(self.report, severity, path);
        self.report.push(Diagnostic::new(severity, code, place, message));
    }

    /// Reports something at an offset of the file.
    fn at_byte(
        &mut self,
        severity: Severity,
        code: &'static Code,
        offset: u64,
        field: String,
        message: String,
    ) {
        self.report.push(Diagnostic::new(severity, code, Place::binary(offset, field), message));
    }

    fn uses(&self, extension: &str) -> bool {
        self.used.contains(extension)
    }
}

/// A path with further steps.
fn deeper<'p>(path: &[Step<'p>], more: &[Step<'p>]) -> Vec<Step<'p>> {
    [path, more].concat()
}
