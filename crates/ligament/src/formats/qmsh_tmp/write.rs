//! Document to bytes, in the exporter's layout (one item per line, tabs) with line feeds.
//!
//! | file | what it writes |
//! |---|---|
//! | `mesh.rs` | mesh objects |
//! | `placed.rs` | armatures, empties and cameras |
//! | `words.rs` | labels, numbers and strings |
//! | `lists.rs` | the source of the long lists |

mod lists;
mod mesh;
mod placed;
mod words;

pub(super) use lists::{Lists, Weights};

use super::codes;
use super::document::{Action, Curve, Document, Object};
use super::version::Version;
use crate::io::Output;
use crate::report::{Failure, Place, Report};
use crate::settings::Precision;
use crate::text::TextWriter;

impl Document {
    /// Writes the document with long lists from `lists`.
    pub(super) fn write_with(
        &self,
        lists: &dyn Lists,
        precision: Precision,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let out = TextWriter::new(output.main());
        let mut file = Writer { out, version: self.version, precision, finite: true };
        file.document(self, lists);
        let finite = file.finite;
        file.out.finish().map_err(|error| report.cannot_write(error))?;
        if finite {
            return Ok(());
        }
        let message = "the model has coordinates, matrices or keys beyond 3.4e38";
        Err(report.invalid(&codes::TOO_LARGE, Place::WHOLE, message))
    }
}

struct Writer<'w> {
    out: TextWriter<'w>,
    version: Version,
    precision: Precision,
    /// Whether all numbers so far can be read back: transforms of extreme scenes only overflow as they are written.
    finite: bool,
}

impl Writer<'_> {
    fn document(&mut self, document: &Document, lists: &dyn Lists) {
        self.line((document.byte_order_mark.then_some("\u{feff}"), "QMSH TMP ", self.version.number()));
        self.line("objects {");
        for (i, object) in document.objects.iter().enumerate() {
            match object {
                Object::Mesh(mesh) => self.mesh(mesh, i, lists),
                Object::Armature(armature) => self.armature(armature),
                Object::Empty(empty) => self.empty(empty),
                Object::Camera(camera) => self.camera(camera),
            }
        }
        self.line("}");
        self.line("actions {");
        for (i, action) in document.actions.iter().enumerate() {
            self.action(action, i, lists);
        }
        self.line("}");
        self.line("params {");
        for param in &document.params {
            let equals = if self.version.equals() { " = " } else { " " };
            self.line(("\t", param.kind.word(), equals, param.value));
        }
        self.line("}");
    }

    fn action(&mut self, action: &Action, index: usize, lists: &dyn Lists) {
        self.line(("\t", &action.name, " {"));
        lists.channels(index, &mut |name, curves| {
            self.line(("\t\t", name, " {"));
            curves.iter().for_each(|curve| self.curve(curve));
            self.line("\t\t}");
        });
        self.line("\t}");
    }

    fn curve(&mut self, curve: &Curve) {
        let extend = self.version.extends().then(|| (" ", curve.extend.word()));
        self.put(("\t\t\t", &curve.name, " ", curve.interpolation.word(), extend, " { "));
        curve.keys.iter().for_each(|&[frame, value]| self.put((frame, ",", value, " ")));
        self.line("}");
    }
}
