//! Elements and attributes, and the sources that all kinds of lists are kept in.

use crate::formats::line::{Part, parts};
use crate::text::TextWriter;
use std::io;

/// Elements deeper than this are not indented further: a chain of ten thousand joints would be mostly spaces.
const DEEPEST: usize = 24;

/// Writes elements, one per line.
pub(super) struct Writer<'w> {
    pub(super) out: TextWriter<'w>,
    depth: usize,
}

/// An attribute, with a space before it.
pub(super) struct Attr<'t>(pub &'static str, pub &'t str);

/// Text between tags.
pub(super) struct Text<'t>(pub &'t str);

/// Numbers with spaces between them.
pub(super) struct Numbers<I>(pub I);

parts! { Writer:
    f32 = |writer, value| writer.out.shortest(value);
    usize = |writer, value| writer.out.text(value.to_string().as_bytes());
    Attr<'_> = |writer, attr| {
        writer.put((" ", attr.0, "=\""));
        writer.escaped(attr.1);
        writer.put("\"");
    };
    Text<'_> = |writer, text| writer.escaped(text.0);
}

impl<'w, I> Part<Writer<'w>> for Numbers<I>
where
    I: IntoIterator,
    I::Item: Part<Writer<'w>>,
{
    fn put(self, writer: &mut Writer<'w>) {
        for (index, number) in self.0.into_iter().enumerate() {
            writer.put((index > 0).then_some(" "));
            number.put(writer);
        }
    }
}

impl<'w> Writer<'w> {
    pub(super) fn new(out: TextWriter<'w>) -> Self {
        Self { out, depth: 0 }
    }

    /// Writes a line with a start tag.
    pub(super) fn open(&mut self, parts: impl Part<Self>) {
        self.leaf(parts);
        self.depth += 1;
    }

    /// Writes a line with an end tag.
    pub(super) fn close(&mut self, tag: &str) {
        self.depth -= 1;
        self.leaf(("</", tag, ">"));
    }

    /// Writes a line with a whole element.
    pub(super) fn leaf(&mut self, parts: impl Part<Self>) {
        (0..self.depth.min(DEEPEST)).for_each(|_| self.out.text(b"  "));
        self.line(parts);
    }

    pub(super) fn finish(self) -> io::Result<()> {
        self.out.finish()
    }

    /// Writes text with everything escaped that means something in XML, and spaces that a parser would change.
    fn escaped(&mut self, text: &str) {
        let mut from = 0;
        for (at, byte) in text.bytes().enumerate() {
            let escape = match byte {
                b'<' => "&lt;",
                b'>' => "&gt;",
                b'&' => "&amp;",
                b'"' => "&quot;",
                b'\t' => "&#9;",
                b'\n' => "&#10;",
                b'\r' => "&#13;",
                _ => continue,
            };
            self.out.text(&text.as_bytes()[from..at]);
            self.out.text(escape.as_bytes());
            from = at + 1;
        }
        self.out.text(&text.as_bytes()[from..]);
    }

    /// Writes a source of numbers, in rows of one number per name of `params`.
    pub(super) fn floats<const N: usize>(
        &mut self,
        id: &str,
        params: [&'static str; N],
        count: usize,
        rows: impl IntoIterator<Item = [f32; N]>,
    ) {
        self.source(id, "float_array", count * N, Numbers(rows.into_iter().flatten()));
        self.accessor(id, count, N, &params, "float");
    }

    /// Writes a source of matrices, given row by row.
    pub(super) fn matrices(&mut self, id: &str, count: usize, matrices: impl IntoIterator<Item = [f32; 16]>) {
        self.source(id, "float_array", count * 16, Numbers(matrices.into_iter().flatten()));
        self.accessor(id, count, 16, &["TRANSFORM"], "float4x4");
    }

    /// Writes a source of words: names, or references by id.
    pub(super) fn words<'t>(
        &mut self,
        id: &str,
        tag: &'static str,
        param: &'static str,
        count: usize,
        words: impl IntoIterator<Item = &'t str>,
    ) {
        self.source(id, tag, count, Numbers(words.into_iter().map(Text)));
        self.accessor(id, count, 1, &[param], if tag == "IDREF_array" { "IDREF" } else { "name" });
    }

    fn source(&mut self, id: &str, tag: &'static str, count: usize, list: impl Part<Self>) {
        self.open(("<source", Attr("id", id), ">"));
        let start = (("<", tag), Attr("id", &format!("{id}-array")), " count=\"", count, "\">");
        self.leaf((start, list, ("</", tag, ">")));
    }

    fn accessor(
        &mut self,
        id: &str,
        count: usize,
        stride: usize,
        params: &[&'static str],
        kind: &'static str,
    ) {
        self.open("<technique_common>");
        let source = format!("#{id}-array");
        let sizes = (" count=\"", count, "\" stride=\"", stride, "\">");
        self.open(("<accessor", Attr("source", &source), sizes));
        for param in params {
            self.leaf(("<param", Attr("name", param), Attr("type", kind), "/>"));
        }
        self.close("accessor");
        self.close("technique_common");
        self.close("source");
    }

    /// Writes an `<input>`, with an offset and a set if it has them.
    pub(super) fn input(&mut self, semantic: &str, source: &str, offset: Option<usize>, set: Option<usize>) {
        let source = format!("#{source}");
        let offset = offset.map(|offset| (" offset=\"", offset, "\""));
        let set = set.map(|set| (" set=\"", set, "\""));
        self.leaf(("<input", Attr("semantic", semantic), Attr("source", &source), offset, set, "/>"));
    }
}

/// A matrix row by row, as the file has it.
pub(super) fn rows(matrix: &glam::DMat4) -> [f32; 16] {
    matrix.transpose().to_cols_array().map(|v| v as f32)
}
