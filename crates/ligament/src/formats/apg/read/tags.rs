//! Tag lines, which begin with `@`.

use super::super::codes;
use super::super::document::{Animation, Kind};
use super::text::Reader;
use crate::report::Failure;
use crate::text::{Field, RawText, parse_u32};

/// The meaning of a tag line. `comps` comes after a space or, in the first Blender scripts, after an underscore.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    VertexCount,
    /// A block with one line per vertex.
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

crate::words! {
    /// The content of a block of vertices.
    pub(super) enum Attribute(tag) {
        Points = "@vp",
        Normals = "@vn",
        TextureCoordinates = "@vt",
        Tangents = "@vtan",
        Colors = "@vc",
        Bones = "@vb",
        Weights = "@vw",
    }
}

impl Attribute {
    /// The allowed numbers of components, and their description for messages.
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
        if let Some(attribute) = Attribute::ALL.into_iter().find(|a| a.tag().as_bytes() == plain) {
            return Tag::Vertices(attribute);
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

/// The first word of a line.
pub(super) fn word<'l>(line: Field<'l>) -> &'l [u8] {
    line.fields().next().map_or(&[], Field::text)
}

impl Reader<'_, '_> {
    /// Reads a tag and the lines below it.
    pub(super) fn tag(&mut self, tag: Field<'_>) -> Result<(), Failure> {
        match Tag::of(word(tag)) {
            Tag::VertexCount => self.vertex_count(tag),
            Tag::Vertices(attribute) => self.vertex_block(attribute, tag)?,
            Tag::Skeleton => self.skeleton(tag),
            Tag::RootTransform => self.root_transform(tag)?,
            Tag::Offsets => self.offsets(tag)?,
            Tag::Hierarchy => self.hierarchy(tag)?,
            Tag::Animation => self.animation(tag),
            Tag::Keys(kind) => self.keys(kind, tag)?,
            Tag::BoundingRadius => self.bounding_radius(tag),
            Tag::Unknown => self.unknown(tag)?,
        }
        Ok(())
    }

    fn vertex_count(&mut self, tag: Field<'_>) {
        if self.once("@vert_count", tag)
            && let Some([count]) = self.counts(tag, "@vert_count N", [None])
        {
            self.vertex_count = Some(count);
        }
    }

    /// The number of components of a vertex block, if it is valid for that block.
    pub(super) fn comps(&mut self, attribute: Attribute, tag: Field<'_>) -> Option<u32> {
        let joined = word(tag).ends_with(b"_comps");
        let form = format!("{} comps N", attribute.tag());
        let [comps] = self.counts(tag, &form, [if joined { None } else { Some("comps") }])?;
        let (allowed, text) = attribute.comps();
        if allowed.contains(&comps) {
            return Some(comps);
        }
        let message = format!("`{}` has {text} components, not {comps}", attribute.tag());
        self.text.error(&codes::COMPS, tag.spot(), message);
        None
    }

    fn skeleton(&mut self, tag: Field<'_>) {
        if self.once("@skeleton", tag) {
            let words = [Some("bones"), Some("animations")];
            let counts = self.counts(tag, "@skeleton bones N animations N", words);
            self.skeleton = counts.map(|[bones, animations]| (bones, animations));
            self.origins.skeleton = tag.spot();
        }
    }

    /// Reads `@animation name NAME duration SECONDS`; the name may contain spaces.
    fn animation(&mut self, tag: Field<'_>) {
        const NAME: &[u8] = b" name ";
        const DURATION: &[u8] = b" duration ";
        let text = tag.text();
        let name = memchr::memmem::find(text, NAME).map(|at| at + NAME.len());
        let duration = memchr::memmem::rfind(text, DURATION);
        // An empty name may have only one of the spaces around it.
        let found = name.zip(duration).filter(|(name, duration)| *name <= duration + 1);
        let mut animation = Animation::default();
        if let Some((name, duration)) = found {
            animation.name = RawText::from(text.get(name..duration).unwrap_or_default());
            let seconds = tag.part(duration + DURATION.len()..text.len());
            animation.duration = self.number(seconds).unwrap_or(0.0);
        } else {
            self.malformed(tag, "@animation name NAME duration SECONDS");
        }
        self.document.animations.push(animation);
    }

    fn bounding_radius(&mut self, tag: Field<'_>) {
        if !self.once("@bounding_radius", tag) {
            return;
        }
        let mut fields = tag.fields();
        let spaced = fields.next().is_some_and(|f| f.text() == b"@bounding");
        if spaced && fields.next().is_none_or(|f| f.text() != b"radius") {
            return self.malformed(tag, "@bounding_radius R");
        }
        match (fields.next(), fields.next()) {
            (Some(field), None) => self.document.bounding_radius = self.number(field),
            _ => self.malformed(tag, "@bounding_radius R"),
        }
    }

    /// Reads the numbers of a tag line, each after its keyword, if any; `None` with an error if the line is malformed.
    pub(super) fn counts<const N: usize>(
        &mut self,
        tag: Field<'_>,
        form: &str,
        words: [Option<&str>; N],
    ) -> Option<[u32; N]> {
        let mut counts = [0; N];
        let mut fields = tag.fields();
        fields.next();
        for (count, word) in counts.iter_mut().zip(words) {
            let fits = word.is_none_or(|w| fields.next().is_some_and(|f| f.text() == w.as_bytes()));
            let Some(field) = fields.next().filter(|_| fits) else {
                self.malformed(tag, form);
                return None;
            };
            *count = self.integer(field)?;
        }
        if fields.next().is_some() {
            self.malformed(tag, form);
            return None;
        }
        Some(counts)
    }

    pub(super) fn malformed(&mut self, tag: Field<'_>, form: &str) {
        self.text.error(&codes::BAD_TAG, tag.spot(), format!("expected `{form}`, found {}", tag.raw()));
    }

    /// Reads an integer that fits in 31 bits, as the format's own programs store it.
    fn integer(&mut self, field: Field<'_>) -> Option<u32> {
        let number = parse_u32(field.text()).filter(|&n| n <= i32::MAX as u32);
        if number.is_none() {
            let message = format!("expected an integer, found {}", field.raw());
            self.text.error(&codes::BAD_WHOLE, field.spot(), message);
        }
        number
    }
}
