use super::super::codes;
use super::Reader;
use super::line::values;
use crate::report::{Failure, counted};
use crate::text::{FieldsOf, RawText, Spot, TextLine, parse_u32};

/// The header's values.
#[derive(Debug, Default)]
pub(super) struct Header {
    pub version: RawText,
    pub vertices: u32,
    /// The position of that number.
    pub vertices_spot: Spot,
    pub joints: u32,
    pub materials: u32,
    pub frame_counts: Vec<u32>,
    pub has_collision: Option<bool>,
    pub singular_materials: bool,
}

const KEYS: [&str; 7] =
    ["version", "num_verts", "num_joints", "num_materials", "num_as", "frame_counts", "has_collision"];

/// Maximum number of frames of a clip without any lines in the file.
const MAX_UNBACKED_FRAMES: u32 = 100_000;

impl<'a> Reader<'a, '_> {
    pub(super) fn header(&mut self) -> Result<Header, Failure> {
        let mut header = Header::default();
        let mut clips = None;
        let mut frame_counts_spot = Spot::default();
        for (position, key) in KEYS.iter().enumerate() {
            let Some(line) = self.header_line(position)? else { break };
            let fields = values(&line);
            match *key {
                "version" => header.version = self.version(fields),
                "num_verts" => {
                    header.vertices_spot = fields.rest().spot();
                    header.vertices = self.count(fields, key);
                }
                "num_joints" => header.joints = self.count(fields, key),
                "num_materials" => {
                    let word = line.fields().next().unwrap_or(line.trimmed());
                    header.singular_materials = word.text() == b"num_material";
                    header.materials = self.count(fields, key);
                    if header.materials == 0 && self.text.errors == 0 {
                        let message = "the file must have at least one material";
                        self.text.error(&codes::NO_MATERIALS, word.spot(), message);
                    }
                }
                "num_as" => clips = Some(self.count(fields, key)),
                "frame_counts" => {
                    frame_counts_spot = fields.rest().spot();
                    header.frame_counts = self.frame_counts(&line, clips);
                }
                _ => header.has_collision = self.flag(fields),
            }
        }
        let most = header.frame_counts.iter().copied().max().unwrap_or(0);
        self.check_frames(&header, most, frame_counts_spot);
        // After a broken header, the rest of the file cannot be interpreted.
        if self.text.errors > 0 { Err(Failure::Invalid) } else { Ok(header) }
    }

    /// Reads the header line at a position; `None` if the optional last line is missing.
    fn header_line(&mut self, position: usize) -> Result<Option<TextLine<'a>>, Failure> {
        let key = KEYS[position];
        let optional = key == "has_collision";
        let Some(line) = self.text.peek()? else {
            let message = format!("the file ends where the header's {key} is expected");
            return match optional {
                true => Ok(None),
                false => Err(self.text.fatal(&codes::UNEXPECTED_END, self.text.here(), message)),
            };
        };
        let word = line.fields().next().unwrap_or(line.trimmed());
        let text = word.text();
        if text == key.as_bytes() || (key == "num_materials" && text == b"num_material") {
            self.text.pass(&line);
            return Ok(Some(line));
        }
        let in_header = KEYS.iter().any(|k| k.as_bytes() == text) || text == b"num_material";
        if optional && !in_header {
            return Ok(None);
        }
        let message = format!("expected the header's {key}, found {}", word.raw());
        Err(self.text.fatal(&codes::HEADER, word.spot(), message))
    }

    fn version(&mut self, fields: FieldsOf<'_>) -> RawText {
        let version = fields.rest();
        if version.is_empty() {
            self.text.error(&codes::MISSING_FIELD, fields.end().spot(), "version needs a number");
        } else if crate::text::parse_f32(version.text()) != Ok(1.0) {
            let message = format!("version {} is unknown; the file is read as version 1.0", version.raw());
            self.text.warning(&codes::VERSION, version.spot(), message);
        }
        version.raw()
    }

    fn count(&mut self, mut fields: FieldsOf<'_>, key: &str) -> u32 {
        let Some(field) = fields.next() else {
            let message = format!("{key} needs a number");
            self.text.error(&codes::MISSING_FIELD, fields.end().spot(), message);
            return 0;
        };
        let value = self.integer(field, key).unwrap_or(0);
        self.one_number(fields, key);
        value
    }

    fn one_number(&mut self, fields: FieldsOf<'_>, key: &str) {
        let rest = fields.rest();
        if !rest.is_empty() {
            self.text.error(&codes::EXTRA_FIELD, rest.spot(), format!("{key} takes only one number"));
        }
    }

    fn frame_counts(&mut self, line: &TextLine<'_>, clips: Option<u32>) -> Vec<u32> {
        let mut fields = line.fields();
        let word = fields.next().unwrap_or(line.trimmed());
        let counts: Vec<u32> =
            fields.map(|field| self.integer(field, "a frame count").unwrap_or(0)).collect();
        let clips = clips.unwrap_or(0);
        if u32::try_from(counts.len()) != Ok(clips) {
            let found = counted(counts.len(), "number", "numbers");
            let message = format!("num_as is {clips}, but frame_counts has {found}");
            self.text.error(&codes::FRAME_COUNTS, word.spot(), message);
        }
        counts
    }

    fn flag(&mut self, mut fields: FieldsOf<'_>) -> Option<bool> {
        let field = fields.next().unwrap_or(fields.end());
        let value = parse_u32(field.text()).filter(|&v| v <= 1);
        if value.is_none() {
            let message = format!("has_collision must be 0 or 1, found {}", field.raw());
            self.text.error(&codes::BAD_FLAG, field.spot(), message);
        }
        self.one_number(fields, "has_collision");
        value.map(|v| v == 1)
    }

    /// Reports frames that have no lines in the file, unless there are only a few.
    pub(super) fn check_frames(&mut self, header: &Header, frames: u32, spot: Spot) {
        let empty = header.joints == 0 && header.has_collision != Some(true);
        if empty && frames > MAX_UNBACKED_FRAMES {
            let message = format!("an animation set has {frames} frames, but no joints and no boxes");
            self.text.error(&codes::UNBACKED_FRAMES, spot, message);
        }
    }
}
