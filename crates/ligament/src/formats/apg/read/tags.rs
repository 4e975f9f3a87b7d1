//! Tag lines: what begins with `@`.

use super::super::codes;
use super::super::document::{Animation, Kind};
use super::text::Reader;
use crate::report::Failure;
use crate::text::{Fields, Line, RawText, parse_u32};
use std::ops::Range;

/// What a tag line announces. `comps` stands after a space or, in the first Blender scripts, after an underscore.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    VertexCount,
    /// A block with a line for each vertex.
    Vertices(Attribute),
    Skeleton,
    RootTransform,
    Offsets,
    Hierarchy,
    Animation,
    Keys(Kind),
    BoundingRadius,
    Unknown,
}

/// What a block of vertices holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attribute {
    Points,
    Normals,
    TextureCoordinates,
    Tangents,
    Colors,
    Bones,
    Weights,
}

impl Attribute {
    const TAGS: [(Attribute, &'static str); 7] = [
        (Attribute::Points, "@vp"),
        (Attribute::Normals, "@vn"),
        (Attribute::TextureCoordinates, "@vt"),
        (Attribute::Tangents, "@vtan"),
        (Attribute::Colors, "@vc"),
        (Attribute::Bones, "@vb"),
        (Attribute::Weights, "@vw"),
    ];

    pub(super) fn tag(self) -> &'static str {
        Self::TAGS.iter().find(|(attribute, _)| *attribute == self).map_or("", |(_, tag)| tag)
    }

    /// Whether so many components are allowed, and what to say if not.
    fn comps(self) -> (std::ops::RangeInclusive<u32>, &'static str) {
        match self {
            Attribute::Points | Attribute::Normals | Attribute::Colors => (3..=3, "3"),
            Attribute::TextureCoordinates => (2..=2, "2"),
            Attribute::Tangents => (3..=4, "3 or 4"),
            Attribute::Bones | Attribute::Weights => (1..=4, "1 to 4"),
        }
    }
}

impl Tag {
    pub(super) fn of(word: &[u8]) -> Self {
        let plain = word.strip_suffix(b"_comps").unwrap_or(word);
        if let Some((attribute, _)) = Attribute::TAGS.iter().find(|(_, tag)| tag.as_bytes() == plain) {
            return Tag::Vertices(*attribute);
        }
        if let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.tag().as_bytes() == word) {
            return Tag::Keys(kind);
        }
        match word {
            b"@vert_count" => Tag::VertexCount,
            b"@skeleton" => Tag::Skeleton,
            b"@root_transform" => Tag::RootTransform,
            b"@offset_mat" => Tag::Offsets,
            b"@hierarchy" => Tag::Hierarchy,
            b"@animation" => Tag::Animation,
            b"@bounding_radius" | b"@bounding" => Tag::BoundingRadius,
            _ => Tag::Unknown,
        }
    }
}

impl Reader<'_, '_> {
    /// The first word of a line.
    pub(super) fn word(&self, line: Line) -> &[u8] {
        let word = Fields::new(self.bytes, line.start, line.end).next();
        word.map_or(&[], |word| &self.bytes[word])
    }

    /// Reads a tag and what stands below it.
    pub(super) fn tag(&mut self, line: Line) -> Result<(), Failure> {
        match Tag::of(self.word(line)) {
            Tag::VertexCount => self.vertex_count(line),
            Tag::Vertices(attribute) => return self.vertex_block(attribute, line),
            Tag::Skeleton => self.skeleton(line),
            Tag::RootTransform => self.root_transform(line),
            Tag::Offsets => self.offsets(line),
            Tag::Hierarchy => self.hierarchy(line),
            Tag::Animation => self.animation(line),
            Tag::Keys(kind) => self.keys(kind, line),
            Tag::BoundingRadius => self.bounding_radius(line),
            Tag::Unknown => self.unknown(line),
        }
        Ok(())
    }

    fn vertex_count(&mut self, line: Line) {
        if self.once("@vert_count", line)
            && let Some([count]) = self.counts(line, "@vert_count N", [None])
        {
            self.vertex_count = Some(count);
        }
    }

    /// The number of components of a vertex block, if it is one that the block can have.
    pub(super) fn comps(&mut self, attribute: Attribute, line: Line) -> Option<u32> {
        let joined = self.word(line).ends_with(b"_comps");
        let form = format!("{} comps N", attribute.tag());
        let [comps] = self.counts(line, &form, [if joined { None } else { Some("comps") }])?;
        let (allowed, text) = attribute.comps();
        if allowed.contains(&comps) {
            return Some(comps);
        }
        let message = format!("`{}` has {text} components, not {comps}", attribute.tag());
        self.error(&codes::COMPS, line.start..line.end, message);
        None
    }

    fn skeleton(&mut self, line: Line) {
        if self.once("@skeleton", line) {
            let words = [Some("bones"), Some("animations")];
            let counts = self.counts(line, "@skeleton bones N animations N", words);
            self.skeleton = counts.map(|[bones, animations]| (bones, animations));
            self.origins.skeleton = line.start..line.end;
        }
    }

    /// `@animation name NAME duration SECONDS`; the name may hold blanks.
    fn animation(&mut self, line: Line) {
        const NAME: &[u8] = b" name ";
        const DURATION: &[u8] = b" duration ";
        let text = &self.bytes[line.start..line.end];
        let name = memchr::memmem::find(text, NAME).map(|at| at + NAME.len());
        let duration = memchr::memmem::rfind(text, DURATION);
        // Of an empty name only one of the blanks around it may be left.
        let found = name.zip(duration).filter(|(name, duration)| *name <= duration + 1);
        let mut animation = Animation::default();
        if let Some((name, duration)) = found {
            animation.name = RawText::from(text.get(name..duration).unwrap_or_default());
            let seconds = line.start + duration + DURATION.len()..line.end;
            animation.duration = self.number(seconds).unwrap_or(0.0);
        } else {
            self.malformed(line, "@animation name NAME duration SECONDS");
        }
        self.document.animations.push(animation);
    }

    fn bounding_radius(&mut self, line: Line) {
        if !self.once("@bounding_radius", line) {
            return;
        }
        let mut fields = Fields::new(self.bytes, line.start, line.end);
        let first = fields.next().map_or(0, |f| f.len());
        let spaced = first == "@bounding".len();
        if spaced && fields.next().is_none_or(|f| &self.bytes[f] != b"radius") {
            return self.malformed(line, "@bounding_radius R");
        }
        match (fields.next(), fields.next()) {
            (Some(field), None) => self.document.bounding_radius = self.number(field),
            _ => self.malformed(line, "@bounding_radius R"),
        }
    }

    /// The numbers of a tag line, each after its word if it has one; `None` with an error if the line is different.
    pub(super) fn counts<const N: usize>(
        &mut self,
        line: Line,
        form: &str,
        words: [Option<&str>; N],
    ) -> Option<[u32; N]> {
        let mut counts = [0; N];
        let mut fields = Fields::new(self.bytes, line.start, line.end);
        fields.next();
        for (count, word) in counts.iter_mut().zip(words) {
            let fits = word.is_none_or(|w| fields.next().is_some_and(|f| &self.bytes[f] == w.as_bytes()));
            let Some(field) = fields.next().filter(|_| fits) else {
                self.malformed(line, form);
                return None;
            };
            *count = self.whole(field)?;
        }
        if fields.next().is_some() {
            self.malformed(line, form);
            return None;
        }
        Some(counts)
    }

    pub(super) fn malformed(&mut self, line: Line, form: &str) {
        let text = RawText::from(&self.bytes[line.start..line.end]);
        self.error(&codes::BAD_TAG, line.start..line.end, format!("expected `{form}`, found {text}"));
    }

    /// A whole number that fits into 31 bits, as the format's own programs store it.
    fn whole(&mut self, field: Range<usize>) -> Option<u32> {
        let number = parse_u32(&self.bytes[field.clone()]).filter(|&n| n <= i32::MAX as u32);
        if number.is_none() {
            let text = RawText::from(&self.bytes[field.clone()]);
            self.error(&codes::BAD_WHOLE, field, format!("expected a whole number, found {text}"));
        }
        number
    }
}
