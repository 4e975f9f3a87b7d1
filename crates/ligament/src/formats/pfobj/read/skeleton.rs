//! Joints and animation sets.

use super::super::document::{Bounds, Clip, Dialect, Joint, Rotation, Transform, Transforms};
use super::super::import::{bind_globals, hierarchy, inverse_bind};
use super::super::{EULER_ORDER, codes};
use super::header::Header;
use super::line::{Context, Keyword};
use super::vertices::VertexArrays;
use super::{Reader, fast};
use crate::report::{Failure, counted};
use crate::text::{Fields, RawText};
use glam::Vec3;
use std::collections::HashSet;
use std::ops::Range;

/// The shortest joint: `j 0 a 1/1/1 0/0/0 0/0/0 0/0/0`, with line end.
const LEAST_JOINT_BYTES: usize = 30;
/// The shortest frame line: `1 1/1/1 0/0/0 0/0/0`, with line end.
const LEAST_FRAME_LINE_BYTES: usize = 20;

const AT_REST: Transform =
    Transform { scale: Vec3::ONE, rotation: Rotation::Angles([0.0; 3]), translation: Vec3::ZERO };

impl<'a> Reader<'a, '_> {
    pub(super) fn joints(&mut self, header: &Header, vertices: &VertexArrays) -> Result<Vec<Joint>, Failure> {
        let mut joints = Vec::with_capacity(self.room_for(header.joints.into(), LEAST_JOINT_BYTES));
        let mut spans = Vec::with_capacity(joints.capacity());
        for i in 0..header.joints {
            let of = Context::Joint(i as usize, header.joints);
            let Some(fields) = self.expect(Keyword::J, of)? else {
                // Without all joints, frames cannot be told apart.
                return Err(Failure::Invalid);
            };
            let fields: Vec<Range<usize>> = fields.collect();
            let end = fields.last().map_or(self.at, |f| f.end);
            match fields.as_slice() {
                [parent, name @ .., scale, rotation, translation, tip] => {
                    spans.push(parent.start..end);
                    let transform = [scale.clone(), rotation.clone(), translation.clone()];
                    joints.push(self.joint(header, parent.clone(), name, transform, tip.clone()));
                }
                _ => {
                    let message =
                        "a joint needs a parent, a name, a scale, a rotation, a translation and a tip";
                    self.error(&codes::MISSING_FIELD, end..end, message);
                    spans.push(end..end);
                    joints.push(Joint {
                        parent: 0,
                        name: RawText::default(),
                        bind: AT_REST,
                        tip: Vec3::ZERO,
                    });
                }
            }
        }
        self.check_names(joints.iter().map(|j| &j.name).zip(spans.iter().cloned()), "joint");
        self.check_hierarchy(&joints, &spans);
        if self.errors == 0 {
            self.check_binds(&joints, &spans, vertices);
        }
        Ok(joints)
    }

    fn joint(
        &mut self,
        header: &Header,
        parent: Range<usize>,
        name: &[Range<usize>],
        transform: [Range<usize>; 3],
        tip: Range<usize>,
    ) -> Joint {
        let index = self.whole(parent.clone(), "a parent's number").unwrap_or(0);
        if index > header.joints {
            let message = format!("parent {index} does not exist; there are {} joints", header.joints);
            self.error(&codes::PARENT_INDEX, parent, message);
        } else if name.is_empty() {
            self.warning(&codes::NO_NAME, parent, "the joint has no name");
        }
        let name = match name {
            [first, .., last] => self.name(first.start..last.end),
            [only] => self.name(only.clone()),
            [] => RawText::default(),
        };
        let bind = self.transform(transform);
        Joint { parent: index, name, bind, tip: self.vector(tip, "a tip") }
    }

    /// Loops of parents, and chains longer than the limit.
    fn check_hierarchy(&mut self, joints: &[Joint], spans: &[Range<usize>]) {
        let tree = hierarchy(joints);
        for &(_, joint) in &tree.cut {
            let message = format!("joint {} is its own ancestor", joints[joint].name);
            self.error(&codes::PARENT_LOOP, spans[joint].clone(), message);
        }
        let limit = self.options.limits.max_depth;
        if let Some(deep) = tree.deeper_than(limit.saturating_sub(1)) {
            let message = format!("more than {limit} joints are nested here");
            self.error(&codes::TOO_DEEP, spans[deep].clone(), message);
        }
    }

    /// Joints whose bind transform has no inverse that a f32 can hold: fatal for those that pull vertices.
    fn check_binds(&mut self, joints: &[Joint], spans: &[Range<usize>], vertices: &VertexArrays) {
        let globals = bind_globals(joints, self.options.own.get(&EULER_ORDER));
        if globals.iter().all(|g| inverse_bind(g).is_some()) {
            return;
        }
        let pulls: HashSet<u32> =
            vertices.pairs.iter().filter(|p| p.weight != 0.0).map(|p| p.joint).collect();
        for ((number, global), span) in (0..).zip(&globals).zip(spans) {
            if inverse_bind(global).is_some() {
                continue;
            }
            let name = &joints[number as usize].name;
            let message = format!(
                "the bind transform of joint {name} cannot be inverted; a scale is zero or too small, here or above"
            );
            if pulls.contains(&number) {
                self.error(&codes::NOT_INVERTIBLE, span.clone(), message);
            } else {
                self.warning(&codes::NOT_INVERTIBLE, span.clone(), message);
            }
        }
    }

    fn check_names<'n>(&mut self, names: impl Iterator<Item = (&'n RawText, Range<usize>)>, what: &str) {
        let mut seen = HashSet::new();
        for (name, span) in names {
            if !name.is_empty() && !seen.insert(name) {
                let message = format!("another {what} is called {name} already");
                self.warning(&codes::DUPLICATE_NAME, span, message);
            }
        }
    }

    /// The animation sets, and whether their lines are indented.
    pub(super) fn clips(&mut self, header: &Header, joints: usize) -> Result<(Vec<Clip>, bool), Failure> {
        let mut clips = Vec::new();
        let mut spans = Vec::new();
        let mut indented = None;
        for (i, &announced) in header.frame_counts.iter().enumerate() {
            let of = Context::Clip(i, header.frame_counts.len());
            let Some(fields) = self.expect(Keyword::As, of)? else { break };
            let (name, frames, span) = self.clip_line(fields, header, announced);
            indented.get_or_insert_with(|| match self.arrays.frames(self.at) {
                Some(frames) => frames.indented,
                None => self.peek().is_some_and(|(line, _)| line.start > self.at),
            });
            spans.push(span);
            clips.push(self.clip(header, i, name, frames, joints)?);
        }
        self.check_names(clips.iter().map(|c| &c.name).zip(spans), "animation set");
        Ok((clips, indented.unwrap_or(true)))
    }

    /// Name and frame count: the last field is the count, everything before it the name.
    fn clip_line(
        &mut self,
        fields: Fields<'a>,
        header: &Header,
        announced: u32,
    ) -> (RawText, u32, Range<usize>) {
        let end = fields.end();
        let fields: Vec<Range<usize>> = fields.collect();
        let [first, .., last] = fields.as_slice() else {
            self.error(&codes::MISSING_FIELD, end..end, "as needs a name and a frame count");
            return (RawText::default(), announced, end..end);
        };
        let name_end = fields[fields.len() - 2].end;
        let name = self.name(first.start..name_end);
        let frames = self.whole(last.clone(), "a frame count");
        if let Some(frames) = frames.filter(|&f| f != announced) {
            let found = counted(frames, "frame", "frames");
            let message = format!("animation set {name} has {found}, but the header says {announced}");
            if self.options.lenient {
                self.warning(&codes::CLIP_FRAMES, last.clone(), message);
                self.check_frames(header, frames, last.clone());
            } else {
                self.error(&codes::CLIP_FRAMES, last.clone(), message);
            }
        }
        (name, frames.unwrap_or(announced), first.start..last.end)
    }

    fn clip(
        &mut self,
        header: &Header,
        clip: usize,
        name: RawText,
        frames: u32,
        joints: usize,
    ) -> Result<Clip, Failure> {
        let collision = header.has_collision == Some(true);
        let (mut transforms, mut bounds, read) = self.first_frames(collision, frames, joints);
        // Frames without lines are worth no loop, and the header may announce very many.
        let frames_with_lines = if joints == 0 && !collision { 0 } else { frames };
        for frame in read..frames_with_lines {
            let of = Context::Frame { clip, frame };
            if !self.regular_frame(joints, &mut transforms) && !self.frame(of, joints, &mut transforms)? {
                break;
            }
            if collision {
                bounds.push(self.frame_bounds(of)?);
            }
        }
        Ok(Clip { name, frames, transforms, bounds })
    }

    /// The frames that the bulk pass has read, and how many these are; else none, with room for all.
    fn first_frames(
        &mut self,
        collision: bool,
        frames: u32,
        joints: usize,
    ) -> (Transforms, Vec<Bounds>, u32) {
        let fits = self
            .arrays
            .frames(self.at)
            .is_some_and(|read| read.count <= frames && Some(read.dialect) == self.rotations);
        if fits && let Some(read) = self.arrays.take_frames(self.at) {
            return (read.transforms, read.bounds, read.count);
        }
        let dialect = self.rotations.unwrap_or_default();
        let lines = (frames as u64).saturating_mul(joints as u64);
        let boxes = if collision { self.room_for(frames.into(), LEAST_FRAME_LINE_BYTES) } else { 0 };
        let room = self.room_for(lines, LEAST_FRAME_LINE_BYTES);
        (Transforms::with_capacity(dialect, room), Vec::with_capacity(boxes), 0)
    }

    fn frame_bounds(&mut self, of: Context) -> Result<Bounds, Failure> {
        if let Some((bounds, next)) = fast::frame_bounds(self.bytes, self.at) {
            self.at = next;
            return Ok(bounds);
        }
        Ok(self.bounds(of)?.unwrap_or_default())
    }

    /// A frame of the exporter's layout. False, and nothing read, if it is any different.
    fn regular_frame(&mut self, joints: usize, transforms: &mut Transforms) -> bool {
        let before = transforms.len();
        let mut at = self.at;
        for joint in 1..=joints as u32 {
            let line = match self.rotations {
                Some(Dialect::Engine) => fast::frame_line::<true>(self.bytes, at, joint),
                _ => fast::frame_line::<false>(self.bytes, at, joint),
            };
            let Some((transform, next)) = line else {
                transforms.truncate(before);
                return false;
            };
            transforms.push(transform);
            at = next;
        }
        self.at = at;
        true
    }

    /// A frame of any layout, its lines in any order; false if the frames end before it.
    fn frame(&mut self, of: Context, joints: usize, transforms: &mut Transforms) -> Result<bool, Failure> {
        let mut placed: Vec<Option<Transform>> = vec![None; joints];
        for line in 0..joints {
            let Some(fields) = self.expect(Keyword::Frame, of)? else {
                return Ok(line > 0);
            };
            let end = fields.end();
            let fields: Vec<Range<usize>> = fields.take(5).collect();
            let [number, scale, rotation, translation, more @ ..] = fields.as_slice() else {
                let message = "a frame line needs a joint's number, a scale, a rotation and a translation";
                self.error(&codes::MISSING_FIELD, end..end, message);
                continue;
            };
            if let Some(extra) = more.first() {
                self.error(&codes::EXTRA_FIELD, extra.start..end, "a frame line ends after its translation");
            }
            let transform = self.transform([scale.clone(), rotation.clone(), translation.clone()]);
            let Some(joint) = self.whole(number.clone(), "a joint's number") else { continue };
            match (joint as usize).checked_sub(1).and_then(|j| placed.get_mut(j)) {
                None => {
                    let message = format!("joint {joint} does not exist; they are numbered 1 to {joints}");
                    self.error(&codes::FRAME_INDEX, number.clone(), message);
                }
                Some(Some(_)) => {
                    let message = format!("joint {joint} appears twice in {of}");
                    self.error(&codes::FRAME_DUPLICATE, number.clone(), message);
                }
                Some(place) => *place = Some(transform),
            }
        }
        placed.into_iter().for_each(|transform| transforms.push(transform.unwrap_or(AT_REST)));
        Ok(true)
    }
}
