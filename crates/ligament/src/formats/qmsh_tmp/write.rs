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
use super::document::{Action, Curve, Document, Extend, Interpolation, Object, ParamKind, word_of};
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
        if document.byte_order_mark {
            self.out.text(b"\xef\xbb\xbf");
        }
        self.out.text(b"QMSH TMP ");
        self.out.whole(self.version.number());
        self.out.end_line();
        self.line(b"objects {");
        for (i, object) in document.objects.iter().enumerate() {
            match object {
                Object::Mesh(mesh) => self.mesh(mesh, i, lists),
                Object::Armature(armature) => self.armature(armature),
                Object::Empty(empty) => self.empty(empty),
                Object::Camera(camera) => self.camera(camera),
            }
        }
        self.line(b"}");
        self.line(b"actions {");
        for (i, action) in document.actions.iter().enumerate() {
            self.action(action, i, lists);
        }
        self.line(b"}");
        self.line(b"params {");
        for param in &document.params {
            self.out.text(b"\t");
            self.out.text(word_of(&ParamKind::ALL, &param.kind).as_bytes());
            self.out.text(if self.version.equals() { b" = " } else { b" " });
            self.int(param.value);
            self.out.end_line();
        }
        self.line(b"}");
    }

    fn action(&mut self, action: &Action, index: usize, lists: &dyn Lists) {
        self.out.text(b"\t");
        self.string(&action.name);
        self.line(b" {");
        lists.channels(index, &mut |name, curves| {
            self.out.text(b"\t\t");
            self.string(name);
            self.line(b" {");
            curves.iter().for_each(|curve| self.curve(curve));
            self.line(b"\t\t}");
        });
        self.line(b"\t}");
    }

    fn curve(&mut self, curve: &Curve) {
        self.out.text(b"\t\t\t");
        self.string(&curve.name);
        self.out.text(b" ");
        self.out.text(word_of(&Interpolation::ALL, &curve.interpolation).as_bytes());
        if self.version.extends() {
            self.out.text(b" ");
            self.out.text(word_of(&Extend::ALL, &curve.extend).as_bytes());
        }
        self.out.text(b" { ");
        for key in &curve.keys {
            self.numbers(key, b",");
            self.out.text(b" ");
        }
        self.line(b"}");
    }
}
