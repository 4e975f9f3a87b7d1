//! Reads a file into a document.
//!
//! | file | what it reads |
//! |---|---|
//! | `tokens.rs` | words, numbers, strings and symbols |
//! | `usual.rs` | items of long lists in the layout of the exporters, at full speed |
//! | `objects.rs` | meshes, empties, cameras |
//! | `materials.rs` | materials of all versions |
//! | `armature.rs` | the armature and its bones |
//! | `actions.rs` | curves and parameters |
//! | `check.rs` | nothing; it checks names that refer to something |
//!
//! A syntax error ends the reading; its message says what was expected. A wrong value is reported and read as zero, so
//! that the rest of the file is checked too.

mod actions;
mod armature;
mod check;
mod materials;
mod objects;
mod tokens;
mod usual;

use super::codes;
use super::document::Document;
use super::version::Version;
use crate::Limits;
use crate::formats::Match;
use crate::io::{Content, Source};
use crate::report::{Code, Failure, Report};
use crate::text::{Joined, RawText, Spot, TextLine, TextReader, from_cp1250};
use check::Spots;

/// One pass over a file.
struct Reader<'a, 'r> {
    text: TextReader<'a, 'r>,
    /// The current line, up to which the text was passed, and the offset in it of the next token.
    line: Option<TextLine<'a>>,
    at: usize,
    version: Version,
    byte_order_mark: bool,
    spots: Spots,
}

/// Whether a file begins with `QMSH TMP`, after any white space and comments.
pub(super) fn sniff(head: &[u8]) -> Match {
    let mut aside = Report::default();
    let content = Content::Memory(head.into());
    let mut begins = || {
        let mut reader = Reader::new(&content, &Limits::default(), &mut aside)?;
        reader.text.skip_mark()?;
        Ok::<_, Failure>(reader.take_word("QMSH")? && reader.take_word("TMP")?)
    };
    if begins().unwrap_or(false) { Match::Yes } else { Match::No }
}

/// A list while it is read.
struct List {
    name: &'static str,
    /// The place of its announced length.
    spot: Spot,
    count: usize,
    /// The capacity to allocate.
    room: usize,
}

/// Reads a file.
pub(super) fn read(
    source: &Source<'_>,
    name: String,
    limits: &Limits,
    report: &mut Report,
) -> Result<Document, Failure> {
    Reader::new(&source.content, limits, report)?.document(name)
}

impl<'a, 'r> Reader<'a, 'r> {
    fn new(content: &'a Content<'a>, limits: &Limits, report: &'r mut Report) -> Result<Self, Failure> {
        Ok(Self {
            text: TextReader::new(content, limits, report)?.with_joined_lines(Joined::All),
            line: None,
            at: 0,
            version: Version::DOCUMENT,
            byte_order_mark: false,
            spots: Spots::default(),
        })
    }
}

impl Reader<'_, '_> {
    fn document(mut self, name: String) -> Result<Document, Failure> {
        self.header()?;
        let mut document = Document {
            name,
            version: self.version,
            byte_order_mark: self.byte_order_mark,
            objects: self.objects()?,
            actions: self.actions()?,
            params: self.params()?,
        };
        if self.peek()?.is_some() {
            let message = format!("expected the end of the file, found {}", self.shown_next());
            return Err(self.text.fatal(&codes::TRAILING, self.next_spot(), message));
        }
        self.check(&document)?;
        if self.text.errors > 0 {
            return Err(Failure::Invalid);
        }
        document.objects.shrink_to_fit();
        Ok(document)
    }

    fn header(&mut self) -> Result<(), Failure> {
        if let Some(spot) = self.text.skip_mark()? {
            self.byte_order_mark = true;
            let message = "the file begins with a byte order mark, which the original tools cannot read; \
                           names are taken as UTF-8";
            self.text.note(&codes::BYTE_ORDER_MARK, spot, message);
        }
        for word in ["QMSH", "TMP"] {
            if !self.take_word(word)? {
                let message = format!("expected `QMSH TMP`, found {}", self.shown_next());
                return Err(self.text.fatal(&codes::NOT_QMSH_TMP, self.next_spot(), message));
            }
        }
        self.peek()?;
        let spot = self.next_spot();
        let number = self.uint()?;
        self.version = Version::from_number(number).ok_or_else(|| {
            let message = format!("version {number} of QMSH TMP is not supported (supported: 10, 12 to 21)");
            self.text.fatal(&codes::VERSION, spot, message)
        })?;
        Ok(())
    }

    /// Begins a list in braces with an announced length. `least` is the size in bytes of the shortest entry: no more is
    /// allocated than the file can hold.
    fn list(&mut self, name: &'static str, least: usize) -> Result<List, Failure> {
        self.word(name)?;
        if self.version.list_colons() {
            self.symbol(b':')?;
        }
        self.peek()?;
        let spot = self.next_spot();
        let count = self.uint()?;
        self.symbol(b'{')?;
        Ok(List { name, spot, count: count as usize, room: self.text.room_for(count.into(), least) })
    }

    /// Whether a list has another entry after the first `found`. If not, skips its end, and reports a wrong length.
    fn more(&mut self, list: &List, found: usize) -> Result<bool, Failure> {
        let next = self.peek()?;
        let List { name, count, .. } = *list;
        let ends = next == Some(b'}');
        if found < count && !ends {
            return Ok(true);
        }
        if found < count {
            let message = format!("{count} {name} are announced, found {found}");
            self.error(&codes::COUNT, list.spot, message)?;
        } else if !ends && next.is_some() {
            let message = format!("{count} {name} are announced, found more");
            self.error(&codes::COUNT, list.spot, message)?;
            self.skip_block()?;
        }
        self.symbol(b'}')?;
        Ok(false)
    }

    /// Skips everything up to the brace that closes the block.
    fn skip_block(&mut self) -> Result<(), Failure> {
        let mut depth = 0_usize;
        while let Some(byte) = self.peek()? {
            match byte {
                b'}' if depth == 0 => return Ok(()),
                b'}' => depth -= 1,
                b'{' => depth += 1,
                b'"' => {
                    self.string()?;
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
        Ok(())
    }

    /// Skips the name of a field, and the colon after it in some versions.
    fn label(&mut self, name: &str) -> Result<(), Failure> {
        self.word(name)?;
        if self.version.colons() { self.symbol(b':') } else { Ok(()) }
    }

    fn floats<const N: usize>(&mut self) -> Result<[f32; N], Failure> {
        let mut values = [0.0; N];
        for (i, value) in values.iter_mut().enumerate() {
            if i > 0 {
                self.symbol(b',')?;
            }
            *value = self.float()?;
        }
        Ok(values)
    }

    fn vector(&mut self) -> Result<glam::Vec3, Failure> {
        self.floats().map(glam::Vec3::from_array)
    }

    fn matrix<const R: usize, const C: usize>(&mut self) -> Result<[[f32; C]; R], Failure> {
        let mut rows = [[0.0; C]; R];
        for row in &mut rows {
            *row = self.floats()?;
            if self.version.semicolons() {
                self.symbol(b';')?;
            }
        }
        Ok(rows)
    }

    /// The next token, for messages.
    fn shown_next(&self) -> String {
        let next = &self.line()[self.next_span()];
        if next.is_empty() { "the end of the file".to_owned() } else { self.shown(next) }
    }

    fn shown(&self, bytes: &[u8]) -> String {
        let text =
            if self.byte_order_mark { RawText::from(bytes) } else { RawText::from(from_cp1250(bytes)) };
        text.to_string()
    }

    /// Reports that something else was expected here.
    #[cold]
    fn expected(&mut self, expected: &str) -> Failure {
        let word = &self.line()[self.next_span()];
        let unsigned = word.strip_prefix(b"-").unwrap_or(word);
        let is = |name: &[u8]| unsigned.get(..3).is_some_and(|w| w.eq_ignore_ascii_case(name));
        let is_symbol = |b: &u8| b.is_ascii_graphic();
        let code = match word.first() {
            Some(b) if !is_symbol(b) => &codes::STRAY_BYTE,
            _ if is(b"nan") || is(b"inf") => &codes::TOO_LARGE,
            _ => &codes::SYNTAX,
        };
        let message = format!("expected {expected}, found {}", self.shown_next());
        self.text.fatal(code, self.next_spot(), message)
    }

    /// Reports an error; reading goes on unless there were too many.
    #[cold]
    fn error(&mut self, code: &'static Code, spot: Spot, message: String) -> Result<(), Failure> {
        self.text.error(code, spot, message);
        self.text.give_up_after_too_many()
    }
}
