//! Document to bytes.

mod binary;
mod numbers;
mod recent;

use super::codes;
use super::document::{Channel, Dialect, Document, Values, Vertices};
use crate::formats::line::parts;
use crate::io::Output;
use crate::report::{Failure, Place, Report};
use crate::settings::Precision;
use crate::text::{RawText, TextWriter};
use numbers::{Numbers, Style};
use recent::Recent;

/// The original viewer's limits.
const VIEWER_NODES: usize = 32;
const VIEWER_NAME: usize = 63;
const VIEWER_LINE: usize = 1023;

impl Document {
    /// Writes the document. One that was read from ligament's layout gives the same bytes in its own dialect.
    pub fn write_to(
        &self,
        dialect: Dialect,
        precision: Precision,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        if self.vertices.count() > i32::MAX as usize {
            let message = format!("{} vertices; the format can hold {}", self.vertices.count(), i32::MAX);
            return Err(report.invalid(&codes::TOO_MANY, Place::WHOLE, message));
        }
        let (written, longest) = match dialect {
            Dialect::Text => {
                let mut form =
                    TextForm { out: TextWriter::new(output.main()), numbers: Numbers::new(precision) };
                form.document(self);
                form.numbers.report(report);
                let longest = form.out.longest_line();
                (form.out.finish(), longest)
            }
            Dialect::Binary => (self.write_binary(output.main()), 0),
        };
        self.viewer_limits(longest, report);
        written.map_err(|error| report.cannot_write(error))
    }

    fn viewer_limits(&self, longest: usize, report: &mut Report) {
        let name = self.animations.iter().map(|a| a.name.as_bytes().len()).max().unwrap_or(0);
        for (what, count, most) in [
            ("bones", self.bones as usize, VIEWER_NODES),
            ("nodes", self.nodes.len(), VIEWER_NODES),
            ("bytes in a clip's name", name, VIEWER_NAME),
            ("bytes in a line", longest, VIEWER_LINE),
        ] {
            if count > most {
                let message = format!("{count} {what}; the original viewer supports {most}");
                report.note(&codes::VIEWER_LIMITS, Place::WHOLE, message);
            }
        }
    }
}

/// Writes the lines of a text file.
struct TextForm<'w> {
    out: TextWriter<'w>,
    numbers: Numbers,
}

/// A bone or a node, -1 for none.
struct Index(i32);

parts! { TextForm:
    &RawText = |form, text| form.out.text(text.as_bytes());
    Index = |form, index| form.put(index.0.max(-1));
}

impl TextForm<'_> {
    fn document(&mut self, document: &Document) {
        if !document.header.is_empty() {
            self.line(("@", &document.header));
        }
        self.vertices(document);
        self.skeleton(document);
        for animation in &document.animations {
            self.put(("@animation name ", &animation.name, " duration "));
            self.row(&[animation.duration], Style::SixDecimals);
            animation.channels.iter().for_each(|channel| self.channel(channel));
        }
        if let Some(radius) = document.bounding_radius {
            self.put("@bounding_radius ");
            self.row(&[radius], Style::Hundredths);
        }
        document.unknown.iter().for_each(|line| self.line(line));
    }

    fn vertices(&mut self, document: &Document) {
        let vertices = &document.vertices;
        self.tag("@vert_count", &[("", vertices.count())]);
        let tangents = if vertices.short_tangents { 3 } else { 4 };
        self.block("@vp", 3, &vertices.positions, vertices, Style::Hundredths);
        self.block("@vn", 3, &vertices.normals, vertices, Style::ThreeDigits);
        self.block("@vt", 2, &vertices.uvs, vertices, Style::ThreeDigits);
        self.block("@vtan", tangents, &vertices.tangents, vertices, Style::ThreeDigits);
        self.block("@vc", 3, &vertices.colors, vertices, Style::ThreeDigits);
        self.bones(document);
    }

    /// Writes the first `comps` numbers of a value of each vertex, if there are any values.
    fn block<const N: usize, T: Copy + Into<[f32; N]>>(
        &mut self,
        tag: &str,
        comps: usize,
        values: &[T],
        vertices: &Vertices,
        style: Style,
    ) {
        if !values.is_empty() {
            self.tag(tag, &[("comps", comps)]);
            self.rows(vertices, |i| values[i].into(), |row| &row[..comps], style);
        }
    }

    /// Writes a row of numbers for each vertex in the file. Those of shared vertices are repeated.
    fn rows<R>(
        &mut self,
        vertices: &Vertices,
        values: impl Fn(usize) -> R,
        row: impl Fn(&R) -> &[f32],
        style: Style,
    ) {
        let mut recent = Recent::new(vertices);
        for i in vertices.listed() {
            if let Some((text, off)) = recent.find(i) {
                self.out.text(text);
                self.numbers.count(off, style);
            } else {
                let off = self.numbers_of(row(&values(i)), style);
                recent.add(i, self.out.line(), off);
            }
            self.line("");
        }
    }

    fn bones(&mut self, document: &Document) {
        let vertices = &document.vertices;
        let comps = vertices.bones_per_vertex;
        if !vertices.bones.is_empty() {
            self.tag("@vb", &[("comps", comps)]);
            let mut recent = Recent::new(vertices);
            for i in vertices.listed() {
                if let Some((text, _)) = recent.find(i) {
                    self.out.text(text);
                } else {
                    for (slot, &bone) in vertices.bones[i * comps..(i + 1) * comps].iter().enumerate() {
                        self.put(((slot > 0).then_some(" "), Index(bone)));
                    }
                    recent.add(i, self.out.line(), 0.0);
                }
                self.line("");
            }
        }
        if !vertices.weights.is_empty() {
            self.tag("@vw", &[("comps", comps)]);
            let row = |i: usize| &vertices.weights[i * comps..(i + 1) * comps];
            self.rows(vertices, row, |row| row, Style::SixDecimals);
        }
    }

    fn skeleton(&mut self, document: &Document) {
        if document.bones > 0 || !document.nodes.is_empty() || !document.animations.is_empty() {
            let counts = [("bones", document.bones as usize), ("animations", document.animations.len())];
            self.tag("@skeleton", &counts);
        }
        if let Some(matrix) = &document.root_transform {
            self.tag("@root_transform", &[("comps", 16)]);
            self.row(matrix, Style::SixDecimals);
        }
        if !document.offsets.is_empty() {
            self.tag("@offset_mat", &[("comps", 16)]);
            document.offsets.iter().for_each(|matrix| self.row(matrix, Style::SixDecimals));
        }
        if !document.nodes.is_empty() {
            self.tag("@hierarchy", &[("nodes", document.nodes.len())]);
            for node in &document.nodes {
                self.line(("parent ", Index(node.parent), " bone_id ", Index(node.bone)));
            }
        }
    }

    fn channel(&mut self, channel: &Channel) {
        let kind = channel.values.kind();
        let counts =
            [("node", channel.node as usize), ("count", channel.times.len()), ("comps", kind.comps())];
        self.tag(kind.tag(), &counts);
        let word = format!(" {} ", kind.word());
        for (i, &time) in channel.times.iter().enumerate() {
            self.put("t ");
            self.numbers.write(time, Style::SixDecimals, &mut self.out);
            self.put(&*word);
            match &channel.values {
                Values::Translation(values) | Values::Scale(values) => {
                    self.row(&values[i].to_array(), Style::SixDecimals);
                }
                Values::Rotation(values) => {
                    let [x, y, z, w] = values[i].to_array();
                    self.row(&[w, x, y, z], Style::SixDecimals);
                }
            }
        }
    }

    /// Writes a tag with its keywords and numbers.
    fn tag(&mut self, tag: &str, counts: &[(&str, usize)]) {
        self.put(tag);
        for &(word, count) in counts {
            let space = (!word.is_empty()).then_some(" ");
            self.put((space, word, " ", u32::try_from(count).unwrap_or(u32::MAX)));
        }
        self.line("");
    }

    fn row(&mut self, values: &[f32], style: Style) {
        self.numbers_of(values, style);
        self.line("");
    }

    /// Writes numbers with spaces between them, and returns the error of the row.
    fn numbers_of(&mut self, values: &[f32], style: Style) -> f64 {
        for (i, &value) in values.iter().enumerate() {
            self.put((i > 0).then_some(" "));
            self.numbers.write(value, style, &mut self.out);
        }
        self.numbers.end_row(style)
    }
}
