//! Matrices, the hierarchy and keys.

use super::super::codes;
use super::super::document::{Channel, Kind, Node, Values};
use super::FARTHEST;
use super::rows::{Numbers, plain_row};
use super::text::Reader;
use crate::report::counted;
use crate::text::{Fields, Line, RawText, parse_decimal};
use glam::{Quat, Vec3};

impl Reader<'_, '_> {
    pub(super) fn root_transform(&mut self, line: Line) {
        let first = self.once("@root_transform", line);
        let Some([_]) = self.matrix_comps(line, "@root_transform comps 16").filter(|_| first) else {
            return self.skip_data();
        };
        let mut matrix = None;
        let found = self.rows(0, 1, Numbers::Bounded, |row| matrix = Some(row));
        self.document.root_transform = matrix;
        if found == 0 {
            self.ends_early("@root_transform", 0, 1);
        }
    }

    pub(super) fn offsets(&mut self, line: Line) {
        let first = self.once("@offset_mat", line);
        let Some([_]) = self.matrix_comps(line, "@offset_mat comps 16").filter(|_| first) else {
            return self.skip_data();
        };
        let Some((bones, _)) = self.skeleton else {
            let message = "`@offset_mat` comes before `@skeleton`, which says how many bones there are";
            self.error(&codes::NO_COUNT, line.start..line.end, message);
            return self.skip_data();
        };
        let mut offsets = Vec::with_capacity(self.room_for(bones.into(), 32));
        let found = self.rows(0, bones.into(), Numbers::Bounded, |row| offsets.push(row));
        self.document.offsets = offsets;
        if found < bones as usize {
            self.ends_early("@offset_mat", found, bones.into());
        }
    }

    fn matrix_comps(&mut self, line: Line, form: &str) -> Option<[u32; 1]> {
        let comps = self.counts(line, form, [Some("comps")])?;
        if comps != [16] {
            let message = format!("a matrix has 16 components, not {}", comps[0]);
            self.error(&codes::COMPS, line.start..line.end, message);
            return None;
        }
        Some(comps)
    }

    /// Lines `parent P bone_id B`.
    pub(super) fn hierarchy(&mut self, line: Line) {
        let first = self.once("@hierarchy", line);
        let Some([count]) = self.counts(line, "@hierarchy nodes N", [Some("nodes")]).filter(|_| first) else {
            return self.skip_data();
        };
        self.origins.hierarchy = self.at;
        let mut nodes = Vec::with_capacity(self.room_for(count.into(), "parent 0 bone_id 0".len()));
        while nodes.len() < count as usize {
            let Some(line) = self.data_line() else { break };
            self.at = line.next;
            let node = self.node(line).unwrap_or(Node { parent: -1, bone: -1 });
            nodes.push(node);
        }
        if nodes.len() < count as usize {
            self.ends_early("@hierarchy", nodes.len(), count.into());
        }
        self.document.nodes = nodes;
    }

    fn node(&mut self, line: Line) -> Option<Node> {
        let mut fields = Fields::new(self.bytes, line.start, line.end);
        let fields: [_; 5] = std::array::from_fn(|_| fields.next());
        let [Some(a), Some(parent), Some(b), Some(bone), None] = fields else {
            return self.bad_node(line);
        };
        if &self.bytes[a] != b"parent" || &self.bytes[b] != b"bone_id" {
            return self.bad_node(line);
        }
        Some(Node { parent: self.index(parent)?, bone: self.index(bone)? })
    }

    fn bad_node(&mut self, line: Line) -> Option<Node> {
        let text = RawText::from(&self.bytes[line.start..line.end]);
        let message = format!("expected `parent N bone_id N`, found {text}");
        self.error(&codes::FIELDS, line.start..line.end, message);
        None
    }

    /// A block of keys. The Blender script announces one key too few, so that lines of keys are read as long as they last.
    pub(super) fn keys(&mut self, kind: Kind, line: Line) {
        let form = format!("{} node N count N comps {}", kind.tag(), kind.comps());
        let words = [Some("node"), Some("count"), Some("comps")];
        let Some([node, count, comps]) = self.counts(line, &form, words) else { return self.skip_data() };
        if self.document.animations.is_empty() {
            let message = format!("`{}` comes before any `@animation`", kind.tag());
            self.error(&codes::NO_COUNT, line.start..line.end, message);
            return self.skip_data();
        }
        if comps as usize != kind.comps() {
            let message = format!("`{}` has {} components, not {comps}", kind.tag(), kind.comps());
            self.warning(&codes::COMPS, line.start..line.end, message);
        }
        let room = self.room_for(count.into(), "t 0 TRA 0 0 0 ".len());
        let taken = self.runs.take(self.at, |run| run.keys(kind));
        let mut keys = taken.unwrap_or_else(|| Keys::with_capacity(kind, room));
        let mut surplus = (0_usize, 0..0);
        while let Some(line) = self.key(&mut keys, u64::from(count)) {
            if keys.times.len() > count as usize {
                if surplus.0 == 0 {
                    surplus.1 = line.start..line.end;
                }
                surplus.0 += 1;
            }
        }
        if keys.times.len() < count as usize {
            self.ends_early(kind.tag(), keys.times.len(), count.into());
        } else if surplus.0 > 0 {
            let more = counted(surplus.0, "key", "keys");
            self.warning(&codes::MORE_LINES, surplus.1, format!("{more} more than the {count} announced"));
        }
        self.origins.channels.push(line.start..line.end);
        if let Some(animation) = self.document.animations.last_mut() {
            animation.channels.push(keys.into_channel(node));
        }
    }

    /// The next key; beyond the announced ones only if the line looks like one.
    fn key(&mut self, keys: &mut Keys, announced: u64) -> Option<Line> {
        let kind = keys.values.kind();
        if let Some(next) = plain_key(self.bytes, self.at, kind, keys) {
            let line = Line { start: self.at, end: next - 1, next };
            self.at = next;
            return Some(line);
        }
        let line = self.data_line()?;
        if keys.times.len() as u64 >= announced && !self.bytes[line.start..line.end].starts_with(b"t ") {
            return None;
        }
        self.at = line.next;
        let (time, values) = self.key_line(line, kind);
        keys.push(time, values);
        Some(line)
    }

    fn key_line(&mut self, line: Line, kind: Kind) -> (f32, [f32; 4]) {
        let mut values = [0.0; 4];
        let mut fields = Fields::new(self.bytes, line.start, line.end);
        let word = |field: Option<std::ops::Range<usize>>, want: &str| {
            field.is_some_and(|f| &self.bytes[f] == want.as_bytes())
        };
        let begins = word(fields.next(), "t");
        let time = fields.next();
        let named = word(fields.next(), kind.word());
        let (Some(time), true, true) = (time, begins, named) else {
            let text = RawText::from(&self.bytes[line.start..line.end]);
            let message = format!("expected `t SECONDS {}` and numbers, found {text}", kind.word());
            self.error(&codes::FIELDS, line.start..line.end, message);
            return (0.0, values);
        };
        let time = self.number(time).unwrap_or(0.0);
        let rest = Line { start: fields.rest().start, ..line };
        if kind == Kind::Rotation {
            values = self.row(rest, Numbers::Bounded);
        } else {
            let three: [f32; 3] = self.row(rest, Numbers::Bounded);
            values[..3].copy_from_slice(&three);
        }
        (time, values)
    }
}

/// The keys of a channel that is being read.
pub(super) struct Keys {
    pub times: Vec<f32>,
    pub values: Values,
}

impl Keys {
    pub fn with_capacity(kind: Kind, count: usize) -> Self {
        Self { times: Vec::with_capacity(count), values: Values::with_capacity(kind, count) }
    }

    /// Rotations as a file has them, w first.
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

/// A key in the usual layout: one space between fields, plain numbers.
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
