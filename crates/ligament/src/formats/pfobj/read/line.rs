//! Finds the expected line, and recovers from an unexpected one.

use super::super::codes;
use super::Reader;
use crate::report::Failure;
use crate::text::{FieldsOf, TextLine};
use std::fmt;

crate::words! {
    /// The first word of a line, in the order of the file.
    #[derive(PartialOrd, Ord)]
    pub(super) enum Keyword(word) {
        V = "v",
        Vt = "vt",
        Vn = "vn",
        Vw = "vw",
        Vm = "vm",
        Material = "material",
        Ambient = "ambient",
        Diffuse = "diffuse",
        Specular = "specular",
        Texture = "texture",
        J = "j",
        As = "as",
        /// A frame line, which begins with a number.
        Frame = "frame line",
        XBounds = "x_bounds",
        YBounds = "y_bounds",
        ZBounds = "z_bounds",
        /// Not a word of the format, or a word of its header.
        Other = "something else",
    }
}

use Keyword::*;

impl Keyword {
    pub(super) fn of(line: &TextLine<'_>) -> Self {
        let word = line.fields().next().map_or(&[][..], |field| field.text());
        match Self::ALL.into_iter().find(|keyword| keyword.word().as_bytes() == word) {
            Some(keyword) => keyword,
            None if word.first().is_some_and(|b| b.is_ascii_digit() || *b == b'-') => Frame,
            None => Other,
        }
    }

    fn section(self) -> u8 {
        match self {
            V | Vt | Vn | Vw | Vm => 1,
            Material | Ambient | Diffuse | Specular | Texture => 2,
            J => 3,
            As | Frame => 4,
            XBounds | YBounds | ZBounds => 5,
            Other => 0,
        }
    }

    /// Whether the line begins a vertex, material, joint or animation set.
    fn begins_record(self) -> bool {
        matches!(self, V | Material | J | As)
    }
}

impl fmt::Display for Keyword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Frame | Other => f.write_str(self.word()),
            _ => write!(f, "`{}`", self.word()),
        }
    }
}

/// The record being read, for messages. Indices count from 0 and are shown from 1.
#[derive(Debug, Clone, Copy)]
pub(super) enum Context {
    /// The kind of record, its index, and the number of such records.
    Record(&'static str, usize, usize),
    Frame {
        clip: usize,
        frame: u32,
    },
    Model,
}

impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Context::Record(what, i, n) => write!(f, "{what} {} of {n}", i + 1),
            Context::Frame { clip, frame } => write!(f, "frame {} of animation set {}", frame + 1, clip + 1),
            Context::Model => f.write_str("the model"),
        }
    }
}

/// The values after a line's keyword.
pub(super) fn values<'l>(line: &'l TextLine<'_>) -> FieldsOf<'l> {
    let mut fields = line.fields();
    fields.next();
    fields
}

impl<'a> Reader<'a, '_> {
    /// Advances to the line with the keyword `want` and returns it.
    ///
    /// Stray lines, and lines of an earlier part of the file, are reported and skipped. If the line is missing because
    /// a later part of the file has already begun, that is reported, nothing is consumed, and the result is `None`.
    /// The end of the file is fatal.
    pub(super) fn expect(&mut self, want: Keyword, of: Context) -> Result<Option<TextLine<'a>>, Failure> {
        loop {
            let Some(line) = self.text.peek()? else {
                let message = format!("the file ends where the {want} of {of} is expected");
                return Err(self.text.fatal(&codes::UNEXPECTED_END, self.text.here(), message));
            };
            let found = Keyword::of(&line);
            if found == want {
                self.text.give_up_after_too_many()?;
                self.skipping = false;
                self.text.pass(&line);
                return Ok(Some(line));
            }
            let skip = self.misplaced(&line, found, want, of);
            self.text.give_up_after_too_many()?;
            if !skip {
                return Ok(None);
            }
            self.text.pass(&line);
        }
    }

    /// Reports a line that is not the wanted one; returns whether to skip it.
    fn misplaced(&mut self, line: &TextLine<'_>, found: Keyword, want: Keyword, of: Context) -> bool {
        let later = found.section() > want.section();
        let same = found.section() == want.section();
        let ends_record = same && (found > want || found.begins_record()) && !want.begins_record();
        let skip = !(later || ends_record);
        let spot = line.trimmed().spot();
        if self.misplaced_at.replace(spot.start) == Some(spot.start) {
            return skip;
        }
        if found == Other {
            let message = format!("expected the {want} of {of}, found {}", line.trimmed().raw());
            self.text.error(&codes::STRAY_TEXT, spot, message);
        } else if later && want.begins_record() {
            let message = format!("expected {want} of {of}, found {found}: fewer than the header announces");
            self.text.error(&codes::FEWER, spot, message);
        } else if skip {
            // One message per run of skipped lines.
            if !std::mem::replace(&mut self.skipping, true) {
                let too_many = want.begins_record() || (found == Frame && want == XBounds);
                let (code, why) = if too_many {
                    (&codes::MORE, ": more than the header announces")
                } else {
                    (&codes::UNEXPECTED_LINE, "")
                };
                let message = format!("expected the {want} of {of}, found {found}{why}");
                self.text.error(code, spot, message);
            }
            return true;
        } else {
            let message = format!("expected the {want} of {of}, found {found}");
            self.text.error(&codes::UNEXPECTED_LINE, spot, message);
        }
        self.skipping = false;
        skip
    }
}
