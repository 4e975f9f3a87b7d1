use super::super::codes;
use super::Reader;
use crate::report::{Failure, counted};
use crate::text::{Fields, Line, RawText, next_line, parse_u32};
use std::ops::Range;

/// The header's values.
#[derive(Debug, Default)]
pub(super) struct Header {
    pub version: RawText,
    pub vertices: u32,
    /// Where that number stands.
    pub vertices_span: Range<usize>,
    /// Where the header ends.
    pub end: usize,
    pub joints: u32,
    pub materials: u32,
    pub frame_counts: Vec<u32>,
    pub has_collision: Option<bool>,
    pub singular_materials: bool,
}

const KEYS: [&str; 7] =
    ["version", "num_verts", "num_joints", "num_materials", "num_as", "frame_counts", "has_collision"];

/// Frames that a clip may have without a line in the file that backs them.
const MAX_UNBACKED_FRAMES: u32 = 100_000;

impl Reader<'_, '_> {
    pub(super) fn header(&mut self) -> Result<Header, Failure> {
        let mut header = Header::default();
        let mut clips = None;
        let mut frame_counts_span = 0..0;
        for (position, key) in KEYS.iter().enumerate() {
            let Some((line, word)) = self.header_line(position)? else { break };
            let mut fields = Fields::new(self.bytes, word.end, line.end);
            match *key {
                "version" => header.version = self.version(&fields),
                "num_verts" => {
                    header.vertices_span = fields.rest();
                    header.vertices = self.count(&mut fields, key);
                }
                "num_joints" => header.joints = self.count(&mut fields, key),
                "num_materials" => {
                    header.singular_materials = &self.bytes[word.clone()] == b"num_material";
                    header.materials = self.count(&mut fields, key);
                    if header.materials == 0 && self.errors == 0 {
                        self.error(&codes::NO_MATERIALS, word, "the file must have at least one material");
                    }
                }
                "num_as" => clips = Some(self.count(&mut fields, key)),
                "frame_counts" => {
                    frame_counts_span = fields.rest();
                    header.frame_counts = self.frame_counts(fields, word, clips);
                }
                _ => header.has_collision = self.flag(&mut fields),
            }
        }
        let most = header.frame_counts.iter().copied().max().unwrap_or(0);
        self.check_frames(&header, most, frame_counts_span);
        header.end = self.at;
        // With a broken header nothing after it can be told apart.
        if self.errors > 0 { Err(Failure::Invalid) } else { Ok(header) }
    }

    /// The header's line at a position, and its key; `None` if the optional last one is not there.
    fn header_line(&mut self, position: usize) -> Result<Option<(Line, Range<usize>)>, Failure> {
        let key = KEYS[position];
        let optional = key == "has_collision";
        let Some(line) = next_line(self.bytes, self.at) else {
            let end = self.bytes.len();
            let message = format!("the file ends where the header's {key} is expected");
            return if optional {
                Ok(None)
            } else {
                Err(self.fatal(&codes::UNEXPECTED_END, end..end, message))
            };
        };
        let word = Fields::new(self.bytes, line.start, line.end).next().unwrap_or(line.start..line.end);
        let text = &self.bytes[word.clone()];
        if text == key.as_bytes() || (key == "num_materials" && text == b"num_material") {
            self.at = line.next;
            return Ok(Some((line, word)));
        }
        let in_header = KEYS.iter().any(|k| k.as_bytes() == text) || text == b"num_material";
        if optional && !in_header {
            return Ok(None);
        }
        let text = RawText::from(text);
        let message = format!("expected the header's {key}, found {text}");
        Err(self.fatal(&codes::HEADER, word, message))
    }

    fn version(&mut self, fields: &Fields<'_>) -> RawText {
        let span = fields.rest();
        let version = RawText::from(&self.bytes[span.clone()]);
        if version.is_empty() {
            self.error(&codes::MISSING_FIELD, fields.end()..fields.end(), "version needs a number");
        } else if crate::text::parse_f32(version.as_bytes()) != Ok(1.0) {
            self.warning(&codes::VERSION, span, format!("version {version} is read as if it were 1.0"));
        }
        version
    }

    fn count(&mut self, fields: &mut Fields<'_>, key: &str) -> u32 {
        let Some(field) = fields.next() else {
            self.error(&codes::MISSING_FIELD, fields.end()..fields.end(), format!("{key} needs a number"));
            return 0;
        };
        let value = self.whole(field, key).unwrap_or(0);
        let rest = fields.rest();
        if !rest.is_empty() {
            self.error(&codes::EXTRA_FIELD, rest, format!("{key} has one number only"));
        }
        value
    }

    fn frame_counts(&mut self, fields: Fields<'_>, word: Range<usize>, clips: Option<u32>) -> Vec<u32> {
        let mut counts = Vec::new();
        for field in fields {
            counts.push(self.whole(field, "a frame count").unwrap_or(0));
        }
        let clips = clips.unwrap_or(0);
        if u32::try_from(counts.len()) != Ok(clips) {
            let found = counted(counts.len(), "number", "numbers");
            let message = format!("num_as is {clips}, but frame_counts has {found}");
            self.error(&codes::FRAME_COUNTS, word, message);
        }
        counts
    }

    fn flag(&mut self, fields: &mut Fields<'_>) -> Option<bool> {
        let field = fields.next().unwrap_or(fields.end()..fields.end());
        let value = parse_u32(&self.bytes[field.clone()]).filter(|&v| v <= 1);
        if value.is_none() {
            let text = RawText::from(&self.bytes[field.clone()]);
            self.error(&codes::BAD_FLAG, field, format!("has_collision must be 0 or 1, found {text}"));
        }
        let rest = fields.rest();
        if !rest.is_empty() {
            self.error(&codes::EXTRA_FIELD, rest, "has_collision has one number only");
        }
        value.map(|v| v == 1)
    }

    /// Frames take up room in the file, one way or the other, or there may be only so many of them.
    pub(super) fn check_frames(&mut self, header: &Header, frames: u32, span: Range<usize>) {
        let empty = header.joints == 0 && header.has_collision != Some(true);
        if empty && frames > MAX_UNBACKED_FRAMES {
            let message = format!("an animation set of {frames} frames, but no joints and no boxes");
            self.error(&codes::UNBACKED_FRAMES, span, message);
        }
    }
}
