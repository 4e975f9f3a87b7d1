//! The lines of a text file: tags, and the lines below them.

use super::super::codes;
use super::super::document::Document;
use super::check::{Origins, check};
use super::tags::{Tag, word};
use crate::formats::ReadOptions;
use crate::io::Source;
use crate::report::{Failure, Report};
use crate::text::{Field, RawText, Spot, TextLine, TextReader};

/// One pass over a file.
pub(super) struct Reader<'a, 'r> {
    pub text: TextReader<'a, 'r>,
    pub document: Document,
    /// From `@vert_count`.
    pub vertex_count: Option<u32>,
    /// From `@skeleton`: bones and animations.
    pub skeleton: Option<(u32, u32)>,
    pub origins: TextOrigins,
    /// Blocks that were already read.
    seen: Vec<&'static str>,
}

/// Positions in the file of things that are checked later.
#[derive(Default)]
pub(super) struct TextOrigins {
    /// Each line below `@vb` with a larger bone than all lines before it, and that bone. The number of bones may come
    /// later, and the first line with an invalid bone is one of these.
    pub bones: Vec<(i32, Spot)>,
    /// The line of each node.
    pub nodes: Vec<Spot>,
    /// The tag of each channel, animation after animation.
    pub channels: Vec<Spot>,
    /// The `@skeleton` line.
    pub skeleton: Spot,
}

/// Reads a file.
pub(super) fn read(
    source: &Source<'_>,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<Document, Failure> {
    let mut reader = Reader {
        text: TextReader::new(&source.content, &options.limits, report)?,
        document: Document { header: RawText::default(), ..Document::default() },
        vertex_count: None,
        skeleton: None,
        origins: TextOrigins::default(),
        seen: Vec::new(),
    };
    reader.text.skip_mark()?;
    reader.header()?;
    reader.blocks()?;
    reader.finish(options)
}

impl<'a> Reader<'a, '_> {
    /// Reads the first line, which must look like that of an APG file.
    fn header(&mut self) -> Result<(), Failure> {
        let Some(first) = self.text.peek()?.filter(is_tag) else {
            let message = "expected a line that begins with `@`; this is not an APG file";
            let spot = match self.text.peek()? {
                Some(line) => line.trimmed().part(0..line.trimmed().text().len().min(60)).spot(),
                None => self.text.here(),
            };
            return Err(self.text.fatal(&codes::NOT_APG, spot, message));
        };
        let line = first.trimmed();
        let text = &line.text()[1..];
        if text.starts_with(b"Anton's") {
            self.document.header = RawText::from(text);
            self.text.pass(&first);
        } else if let Tag::Unknown = Tag::of(word(line)) {
            let message = "expected `@Anton's custom mesh format`, or a tag of the format";
            return Err(self.text.fatal(&codes::NOT_APG, line.spot(), message));
        } else {
            let message = "expected `@Anton's custom mesh format` on the first line";
            self.text.warning(&codes::NO_HEADER, line.spot(), message);
        }
        Ok(())
    }

    fn blocks(&mut self) -> Result<(), Failure> {
        while let Some(line) = self.text.line()? {
            self.text.give_up_after_too_many()?;
            if is_tag(&line) {
                self.tag(line.trimmed())?;
            } else {
                self.surplus(line.trimmed())?;
            }
        }
        Ok(())
    }

    fn finish(self, options: &ReadOptions) -> Result<Document, Failure> {
        let Self { mut text, mut document, origins, skeleton, vertex_count, .. } = self;
        if let Some((_, announced)) = skeleton.filter(|&(_, a)| a as usize != document.animations.len()) {
            let message =
                format!("{announced} animations are announced, but there are {}", document.animations.len());
            text.warning(&codes::ANIMATIONS, origins.skeleton, message);
        }
        let listed = document.vertices.positions.len();
        if listed == 0 && vertex_count.is_some_and(|n| n > 0) {
            let message = "vertices are announced, but there is no block `@vp`";
            text.error(&codes::NO_POINTS, text.here(), message);
        }
        document.bones = skeleton.map_or(0, |(bones, _)| bones);
        check(&document, &Origins::Text(origins), options, text.report);
        text.report.check().map(|()| document)
    }

    /// Skips lines below a complete block, up to the next tag.
    fn surplus(&mut self, first: Field<'_>) -> Result<(), Failure> {
        let mut count = 1;
        while let Some(line) = self.data_line()? {
            self.text.pass(&line);
            count += 1;
        }
        let lines =
            crate::report::counted(count, "line more than announced is", "lines more than announced are");
        self.text.warning(&codes::MORE_LINES, first.spot(), format!("{lines} ignored"));
        Ok(())
    }

    /// Reads an unknown tag with its lines, which are kept unchanged.
    pub(super) fn unknown(&mut self, tag: Field<'_>) -> Result<(), Failure> {
        let message = format!("{} is not a tag of the format", tag.raw());
        self.text.warning(&codes::UNKNOWN_TAG, tag.spot(), message);
        self.document.unknown.push(tag.raw());
        while let Some(line) = self.data_line()? {
            self.text.pass(&line);
            self.document.unknown.push(line.trimmed().raw());
        }
        Ok(())
    }

    /// Whether a block occurs for the first time; reports an error for a second one.
    pub(super) fn once(&mut self, name: &'static str, tag: Field<'_>) -> bool {
        if self.seen.contains(&name) {
            self.text.error(&codes::TWICE, tag.spot(), format!("there is already a block `{name}`"));
            return false;
        }
        self.seen.push(name);
        true
    }

    /// The next line, unless it is a tag.
    pub(super) fn data_line(&mut self) -> Result<Option<TextLine<'a>>, Failure> {
        Ok(self.text.peek()?.filter(|line| !is_tag(line)))
    }

    /// Skips the lines below a malformed tag: messages about them would add nothing.
    pub(super) fn skip_data(&mut self) -> Result<(), Failure> {
        while let Some(line) = self.data_line()? {
            self.text.pass(&line);
        }
        Ok(())
    }

    /// Reports a block with fewer lines than announced, at the next line, where the missing one should be.
    pub(super) fn ends_early(&mut self, tag: &str, found: usize, announced: u32) -> Result<(), Failure> {
        let spot = match self.text.peek()? {
            Some(line) => line.trimmed().spot(),
            None => self.text.here(),
        };
        let message = format!("the block `{tag}` ends after {found} of {announced} lines");
        self.text.error(&codes::ENDS_EARLY, spot, message);
        Ok(())
    }
}

fn is_tag(line: &TextLine<'_>) -> bool {
    line.trimmed().text().starts_with(b"@")
}
