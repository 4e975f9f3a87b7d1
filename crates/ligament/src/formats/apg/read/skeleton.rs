//! Matrices, the hierarchy and keys.

use super::super::codes;
use super::super::document::{Channel, Kind, Node, Values};
use super::FARTHEST;
use super::rows::{Numbers, plain_row};
use super::text::Reader;
use crate::report::{Failure, counted};
use crate::text::{Field, Spot, parse_decimal};
use glam::{Quat, Vec3};

impl Reader<'_, '_> {
    pub(super) fn root_transform(&mut self, tag: Field<'_>) -> Result<(), Failure> {
        let first = self.once("@root_transform", tag);
        if !self.is_matrix(tag, "@root_transform comps 16") || !first {
            return self.skip_data();
        }
        self.document.root_transform = self.rows(1, Numbers::Bounded, |row| row)?.pop();
        match self.document.root_transform {
            Some(_) => Ok(()),
            None => self.ends_early("@root_transform", 0, 1),
        }
    }

    pub(super) fn offsets(&mut self, tag: Field<'_>) -> Result<(), Failure> {
        let first = self.once("@offset_mat", tag);
        if !self.is_matrix(tag, "@offset_mat comps 16") || !first {
            return self.skip_data();
        }
        let Some((bones, _)) = self.skeleton else {
            let message = "`@offset_mat` comes before `@skeleton`, which gives the number of bones";
            self.text.error(&codes::NO_COUNT, tag.spot(), message);
            return self.skip_data();
        };
        self.document.offsets = self.rows(bones, Numbers::Bounded, |row| row)?;
        let found = self.document.offsets.len();
        if found < bones as usize { self.ends_early("@offset_mat", found, bones) } else { Ok(()) }
    }

    /// Whether a tag announces matrices; reports an error if not.
    fn is_matrix(&mut self, tag: Field<'_>, form: &str) -> bool {
        let Some([comps]) = self.counts(tag, form, [Some("comps")]) else { return false };
        if comps != 16 {
            let message = format!("a matrix has 16 components, not {comps}");
            self.text.error(&codes::COMPS, tag.spot(), message);
        }
        comps == 16
    }

    /// Lines `parent P bone_id B`.
    pub(super) fn hierarchy(&mut self, tag: Field<'_>) -> Result<(), Failure> {
        let first = self.once("@hierarchy", tag);
        let Some([count]) = self.counts(tag, "@hierarchy nodes N", [Some("nodes")]).filter(|_| first) else {
            return self.skip_data();
        };
        let room = self.text.room_for(count.into(), "parent 0 bone_id 0".len());
        let (mut nodes, mut spots) = (Vec::with_capacity(room), Vec::with_capacity(room));
        while nodes.len() < count as usize
            && let Some(line) = self.data_line()?
        {
            self.text.pass(&line);
            nodes.push(self.node(line.trimmed()).unwrap_or(Node { parent: -1, bone: -1 }));
            spots.push(line.trimmed().spot());
        }
        let found = nodes.len();
        (self.document.nodes, self.origins.nodes) = (nodes, spots);
        if found < count as usize { self.ends_early("@hierarchy", found, count) } else { Ok(()) }
    }

    fn node(&mut self, line: Field<'_>) -> Option<Node> {
        let mut fields = line.fields();
        let fields: [_; 5] = std::array::from_fn(|_| fields.next());
        if let [Some(a), Some(parent), Some(b), Some(bone), None] = fields
            && a.text() == b"parent"
            && b.text() == b"bone_id"
        {
            return Some(Node { parent: self.index(parent)?, bone: self.index(bone)? });
        }
        let message = format!("expected `parent N bone_id N`, found {}", line.raw());
        self.text.error(&codes::FIELDS, line.spot(), message);
        None
    }

    /// Reads a block of keys, as long as it continues: the Blender script announces one key too few.
    pub(super) fn keys(&mut self, kind: Kind, tag: Field<'_>) -> Result<(), Failure> {
        let form = format!("{} node N count N comps {}", kind.tag(), kind.comps());
        let words = [Some("node"), Some("count"), Some("comps")];
        let Some([node, announced, comps]) = self.counts(tag, &form, words) else { return self.skip_data() };
        if self.document.animations.is_empty() {
            let message = format!("`{}` comes before any `@animation`", kind.tag());
            self.text.error(&codes::NO_COUNT, tag.spot(), message);
            return self.skip_data();
        }
        if comps as usize != kind.comps() {
            let message = format!("`{}` has {} components, not {comps}", kind.tag(), kind.comps());
            self.text.warning(&codes::COMPS, tag.spot(), message);
        }
        let room = self.text.room_for(announced.into(), "t 0 TRA 0 0 0 ".len());
        let mut keys = Keys::with_capacity(kind, room);
        let first_surplus = self.key_lines(&mut keys, announced as usize)?;
        let found = keys.times.len();
        if found < announced as usize {
            self.ends_early(kind.tag(), found, announced)?;
        } else if let Some(spot) = first_surplus {
            let more = counted(found - announced as usize, "key", "keys");
            let message = format!("{more} more than the {announced} announced");
            self.text.warning(&codes::MORE_LINES, spot, message);
        }
        self.origins.channels.push(tag.spot());
        if let Some(animation) = self.document.animations.last_mut() {
            animation.channels.push(keys.into_channel(node));
        }
        Ok(())
    }

    /// Reads the lines of keys; beyond the announced ones only lines like keys. Returns where those begin.
    fn key_lines(&mut self, keys: &mut Keys, announced: usize) -> Result<Option<Spot>, Failure> {
        let kind = keys.values.kind();
        let mut first_surplus = None;
        loop {
            self.text.run(&mut |text: &[u8], at: usize| {
                if keys.times.len() >= announced { None } else { plain_key(text, at, kind, keys) }
            })?;
            let Some(line) = self.data_line()? else { return Ok(first_surplus) };
            if keys.times.len() >= announced {
                if !line.trimmed().text().starts_with(b"t ") {
                    return Ok(first_surplus);
                }
                first_surplus.get_or_insert(line.trimmed().spot());
            }
            self.text.pass(&line);
            let (time, values) = self.key_line(line.trimmed(), kind);
            keys.push(time, values);
        }
    }

    fn key_line(&mut self, line: Field<'_>, kind: Kind) -> (f32, [f32; 4]) {
        let mut values = [0.0; 4];
        let mut fields = line.fields();
        let is = |field: Option<Field<'_>>, word: &str| field.is_some_and(|f| f.text() == word.as_bytes());
        let begins = is(fields.next(), "t");
        let time = fields.next();
        let named = is(fields.next(), kind.word());
        let (Some(time), true, true) = (time, begins, named) else {
            let message = format!("expected `t SECONDS {}` and numbers, found {}", kind.word(), line.raw());
            self.text.error(&codes::FIELDS, line.spot(), message);
            return (0.0, values);
        };
        let time = self.number(time).unwrap_or(0.0);
        if kind == Kind::Rotation {
            values = self.row(fields.rest(), Numbers::Bounded);
        } else {
            let three: [f32; 3] = self.row(fields.rest(), Numbers::Bounded);
            values[..3].copy_from_slice(&three);
        }
        (time, values)
    }
}

/// The keys of the channel being read.
pub(super) struct Keys {
    pub times: Vec<f32>,
    pub values: Values,
}

impl Keys {
    pub fn with_capacity(kind: Kind, count: usize) -> Self {
        Self { times: Vec::with_capacity(count), values: Values::with_capacity(kind, count) }
    }

    /// Adds a key; rotations as stored, w first.
    #[inline(always)]
    pub fn push(&mut self, time: f32, [a, b, c, d]: [f32; 4]) {
        self.times.push(time);
        match &mut self.values {
            Values::Translation(values) | Values::Scale(values) => values.push(Vec3::new(a, b, c)),
            Values::Rotation(values) => values.push(Quat::from_xyzw(b, c, d, a)),
        }
    }

    pub fn into_channel(self, node: u32) -> Channel {
        Channel { node, times: self.times.into(), values: self.values }
    }
}

/// Reads a key in the usual layout: fields separated by one space, plain numbers.
#[inline(always)]
pub(super) fn plain_key(bytes: &[u8], at: usize, kind: Kind, keys: &mut Keys) -> Option<usize> {
    if !bytes.get(at..)?.starts_with(b"t ") {
        return None;
    }
    let (time, end) = parse_decimal(bytes, at + 2).filter(|(time, _)| time.abs() <= FARTHEST)?;
    let [space, a, b, c, second] = *bytes.get(end..)?.first_chunk::<5>()?;
    if space != b' ' || second != b' ' || [a, b, c] != *kind.word().as_bytes() {
        return None;
    }
    let mut values = [0.0; 4];
    let next = if kind == Kind::Rotation {
        let (row, next) = plain_row::<4>(bytes, end + 5)?;
        values = row;
        next
    } else {
        let (row, next) = plain_row::<3>(bytes, end + 5)?;
        values[..3].copy_from_slice(&row);
        next
    };
    keys.push(time, values);
    Some(next)
}
