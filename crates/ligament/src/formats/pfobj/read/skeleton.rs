//! Joints and animation sets.

use super::super::document::{Clip, Joint, Rotation, Transform, Transforms};
use super::super::import::{bind_globals, hierarchy};
use super::super::{EULER_ORDER, codes};
use super::Reader;
use super::frames::Frames;
use super::header::Header;
use super::line::{Context, Keyword, values};
use super::vertices::VertexArrays;
use crate::formats::bind::inverse_bind;
use crate::report::{Failure, counted};
use crate::text::{Field, FieldsOf, RawText, Spot};
use glam::Vec3;
use std::collections::HashSet;

/// The shortest joint: `j 0 a 1/1/1 0/0/0 0/0/0 0/0/0`, with line end.
const LEAST_JOINT_BYTES: usize = 30;
/// The shortest frame line: `1 1/1/1 0/0/0 0/0/0`, with line end.
const LEAST_FRAME_LINE_BYTES: usize = 20;

const AT_REST: Transform =
    Transform { scale: Vec3::ONE, rotation: Rotation::Angles([0.0; 3]), translation: Vec3::ZERO };

impl Reader<'_, '_> {
    pub(super) fn joints(&mut self, header: &Header, vertices: &VertexArrays) -> Result<Vec<Joint>, Failure> {
        let room = self.text.room_for(header.joints.into(), LEAST_JOINT_BYTES);
        let (mut joints, mut spots) = (Vec::with_capacity(room), Vec::with_capacity(room));
        for i in 0..header.joints {
            let of = Context::Record("joint", i as usize, header.joints as usize);
            let Some(line) = self.expect(Keyword::J, of)? else {
                // Without all joints, frames cannot be separated.
                return Err(Failure::Invalid);
            };
            let fields: Vec<Field<'_>> = values(&line).collect();
            if let &[parent, ref name @ .., scale, rotation, translation, tip] = fields.as_slice() {
                spots.push(parent.up_to(tip).spot());
                joints.push(self.joint(header, parent, name, [scale, rotation, translation], tip));
            } else {
                let spot = fields.last().map_or(self.text.here(), |last| last.end().spot());
                let message = "a joint needs a parent, a name, a scale, a rotation, a translation and a tip";
                self.text.error(&codes::MISSING_FIELD, spot, message);
                spots.push(spot);
                joints.push(Joint { parent: 0, name: RawText::default(), bind: AT_REST, tip: Vec3::ZERO });
            }
        }
        self.check_names(joints.iter().map(|j| &j.name).zip(spots.iter().copied()), "joint");
        self.check_hierarchy(&joints, &spots);
        if self.text.errors == 0 {
            self.check_binds(&joints, &spots, vertices);
        }
        Ok(joints)
    }

    fn joint(
        &mut self,
        header: &Header,
        parent: Field<'_>,
        name: &[Field<'_>],
        transform: [Field<'_>; 3],
        tip: Field<'_>,
    ) -> Joint {
        let index = self.integer(parent, "a parent's number").unwrap_or(0);
        if index > header.joints {
            let message = format!("parent {index} does not exist; there are {} joints", header.joints);
            self.text.error(&codes::PARENT_INDEX, parent.spot(), message);
        } else if name.is_empty() {
            self.text.warning(&codes::NO_NAME, parent.spot(), "the joint has no name");
        }
        let name = match name {
            [first, .., last] => self.name(first.up_to(*last)),
            [only] => self.name(*only),
            [] => RawText::default(),
        };
        let bind = self.transform(transform);
        Joint { parent: index, name, bind, tip: self.vector(tip, "a tip") }
    }

    /// Reports loops of parents, and chains longer than the limit.
    fn check_hierarchy(&mut self, joints: &[Joint], spots: &[Spot]) {
        let tree = hierarchy(joints);
        for &(_, joint) in &tree.cut {
            let message = format!("joint {} is its own ancestor", joints[joint].name);
            self.text.error(&codes::PARENT_LOOP, spots[joint], message);
        }
        let limit = self.options.limits.max_depth;
        if let Some(deep) = tree.deeper_than(limit.saturating_sub(1)) {
            let message = format!("more than {limit} joints are nested here");
            self.text.error(&codes::TOO_DEEP, spots[deep], message);
        }
    }

    /// Reports joints whose bind transform has no inverse in f32. It is an error if they influence vertices.
    fn check_binds(&mut self, joints: &[Joint], spots: &[Spot], vertices: &VertexArrays) {
        let globals = bind_globals(joints, self.options.own.get(&EULER_ORDER));
        if globals.iter().all(|g| inverse_bind(g).is_some()) {
            return;
        }
        let pulls: HashSet<u32> =
            vertices.pairs.iter().filter(|p| p.weight != 0.0).map(|p| p.joint).collect();
        for ((number, global), &spot) in (0..).zip(&globals).zip(spots) {
            if inverse_bind(global).is_some() {
                continue;
            }
            let name = &joints[number as usize].name;
            let message = format!(
                "the bind transform of joint {name} cannot be inverted; a scale is zero or too small, here or in an ancestor"
            );
            if pulls.contains(&number) {
                self.text.error(&codes::NOT_INVERTIBLE, spot, message);
            } else {
                self.text.warning(&codes::NOT_INVERTIBLE, spot, message);
            }
        }
    }

    fn check_names<'n>(&mut self, names: impl Iterator<Item = (&'n RawText, Spot)>, what: &str) {
        let mut seen = HashSet::new();
        for (name, spot) in names {
            if !name.is_empty() && !seen.insert(name) {
                let message = format!("another {what} already has the name {name}");
                self.text.warning(&codes::DUPLICATE_NAME, spot, message);
            }
        }
    }

    /// Reads the animation sets, and whether their lines are indented.
    pub(super) fn clips(&mut self, header: &Header, joints: usize) -> Result<(Vec<Clip>, bool), Failure> {
        let mut clips = Vec::new();
        let mut spots = Vec::new();
        let mut indented = None;
        for (i, &announced) in header.frame_counts.iter().enumerate() {
            let of = Context::Record("animation set", i, header.frame_counts.len());
            let Some(line) = self.expect(Keyword::As, of)? else { break };
            let (name, frames, spot) = self.clip_line(values(&line), header, announced);
            if indented.is_none() {
                let at = self.text.here().start;
                let next = self.text.peek()?;
                indented = Some(next.is_some_and(|line| line.trimmed().spot().start > at));
            }
            spots.push(spot);
            clips.push(self.clip(header, i, name, frames, joints)?);
        }
        self.check_names(clips.iter().map(|c| &c.name).zip(spots), "animation set");
        Ok((clips, indented.unwrap_or(true)))
    }

    /// Reads name and frame count: the last field is the count, everything before it the name.
    fn clip_line(&mut self, fields: FieldsOf<'_>, header: &Header, announced: u32) -> (RawText, u32, Spot) {
        let end = fields.end().spot();
        let fields: Vec<Field<'_>> = fields.collect();
        let &[first, .., last] = fields.as_slice() else {
            self.text.error(&codes::MISSING_FIELD, end, "as needs a name and a frame count");
            return (RawText::default(), announced, end);
        };
        let name = self.name(first.up_to(fields[fields.len() - 2]));
        let frames = self.integer(last, "a frame count");
        if let Some(frames) = frames.filter(|&f| f != announced) {
            let found = counted(frames, "frame", "frames");
            let message = format!("animation set {name} has {found}, but the header says {announced}");
            if self.options.lenient {
                self.text.warning(&codes::CLIP_FRAMES, last.spot(), message);
                self.check_frames(header, frames, last.spot());
            } else {
                self.text.error(&codes::CLIP_FRAMES, last.spot(), message);
            }
        }
        (name, frames.unwrap_or(announced), first.up_to(last).spot())
    }

    fn clip(
        &mut self,
        header: &Header,
        clip: usize,
        name: RawText,
        frames: u32,
        joints: usize,
    ) -> Result<Clip, Failure> {
        let boxes = header.has_collision == Some(true);
        // Frames without lines need no loop, and the header may announce very many.
        let most = if joints == 0 && !boxes { 0 } else { frames as usize };
        let mut read = self.no_frames(joints, boxes, most);
        while read.count < most {
            // Without joints, the first frame determines the dialect.
            if joints == 0 || self.rotations.is_some() {
                self.text.run_shared(&mut read)?;
            }
            let of = Context::Frame { clip, frame: read.count as u32 };
            if read.count == most || !self.frame(of, joints, &mut read.transforms)? {
                break;
            }
            if boxes {
                read.bounds.push(self.bounds(of)?.unwrap_or_default());
            }
            read.count += 1;
        }
        Ok(Clip { name, frames, transforms: read.transforms, bounds: read.bounds })
    }

    /// An empty list with room for the frames of a clip.
    fn no_frames(&self, joints: usize, boxes: bool, most: usize) -> Frames {
        let dialect = self.rotations.unwrap_or_default();
        let lines = (most as u64).saturating_mul(joints as u64);
        let room = self.text.room_for(lines, LEAST_FRAME_LINE_BYTES);
        let room_for_boxes = if boxes { self.text.room_for(most as u64, LEAST_FRAME_LINE_BYTES) } else { 0 };
        Frames {
            joints,
            boxes,
            dialect,
            count: 0,
            most,
            transforms: Transforms::with_capacity(dialect, room),
            bounds: Vec::with_capacity(room_for_boxes),
        }
    }

    /// Reads a frame of any layout, with lines in any order; false if the frames end before it.
    fn frame(&mut self, of: Context, joints: usize, transforms: &mut Transforms) -> Result<bool, Failure> {
        let mut placed: Vec<Option<Transform>> = vec![None; joints];
        for line in 0..joints {
            let Some(found) = self.expect(Keyword::Frame, of)? else {
                return Ok(line > 0);
            };
            let end = found.fields().end();
            let fields: Vec<Field<'_>> = found.fields().take(5).collect();
            let &[number, scale, rotation, translation, ref more @ ..] = fields.as_slice() else {
                let message = "a frame line needs a joint's number, a scale, a rotation and a translation";
                self.text.error(&codes::MISSING_FIELD, end.spot(), message);
                continue;
            };
            if let Some(extra) = more.first() {
                let message = "a frame line ends after its translation";
                self.text.error(&codes::EXTRA_FIELD, extra.up_to(end).spot(), message);
            }
            let transform = self.transform([scale, rotation, translation]);
            let Some(joint) = self.integer(number, "a joint's number") else { continue };
            match (joint as usize).checked_sub(1).and_then(|j| placed.get_mut(j)) {
                None => {
                    let message = format!("joint {joint} does not exist; they are numbered 1 to {joints}");
                    self.text.error(&codes::FRAME_INDEX, number.spot(), message);
                }
                Some(Some(_)) => {
                    let message = format!("joint {joint} appears twice in {of}");
                    self.text.error(&codes::FRAME_DUPLICATE, number.spot(), message);
                }
                Some(place) => *place = Some(transform),
            }
        }
        placed.into_iter().for_each(|transform| transforms.push(transform.unwrap_or(AT_REST)));
        Ok(true)
    }
}
