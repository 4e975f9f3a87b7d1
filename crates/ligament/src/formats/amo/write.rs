//! Document to bytes, in ligament's layout. The first line names the dialect; then come the lists in the order of
//! the specification, numbers with as many digits as needed to restore them.

use super::document::{
    Bases, Clip, Corner, Dialect, Document, JointBox, JointPose, Key, KeyPose, KeyValue, Keys, Model, Object,
    Section, Shapes,
};
use crate::formats::line::{Part, parts};
use crate::text::{RawText, TextWriter};
use std::io;

const IDENTITY: [f32; 16] = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// Bits of the mask of a model in the counted dialect, which says what the model contains.
mod mask {
    pub(super) const MESH: u32 = 1;
    pub(super) const RIG: u32 = 2;
    pub(super) const CLIPS: u32 = 4;
    pub(super) const HOOKS: u32 = 8;
    pub(super) const BOUNDS: u32 = 1024;
    pub(super) const ELLIPSOID: u32 = 2048;
    pub(super) const COLLISION: u32 = 4096;
    pub(super) const BOXES: u32 = 8192;
}

impl Document {
    /// Writes the file's text in a dialect of the same family: `document` and `one-based`, or `keyed` and `counted`.
    /// The keyed dialect is written as the counted one.
    pub fn write_text(&self, dialect: Dialect, sink: &mut dyn io::Write) -> io::Result<()> {
        self.write_with(self, dialect, sink)
    }

    /// Writes the document with long lists from `lists`.
    pub(super) fn write_with(
        &self,
        lists: &dyn Lists,
        dialect: Dialect,
        sink: &mut dyn io::Write,
    ) -> io::Result<()> {
        let dialect = dialect.written();
        let only_comments = dialect == Dialect::Counted && self.dialect != dialect;
        let mut out = Writer { out: TextWriter::new(sink), lists, model: 0, next_aside: 0, only_comments };
        out.line((super::read::MARK, dialect.id()));
        for (i, model) in self.models.iter().enumerate() {
            (out.model, out.next_aside) = (i, 0);
            match dialect {
                Dialect::Counted => out.counted(model, self.dialect == Dialect::Counted),
                _ => out.plain(model, Bases::of(dialect)),
            }
        }
        out.out.finish()
    }
}

/// The long lists of a file: a document's own, or made from a scene.
pub(super) trait Lists {
    /// A distinct corner of a model's faces.
    fn corner(&self, model: usize, corner: u32) -> Option<Corner>;
    /// Whether any corner has joints or weights.
    fn are_pulled(&self, model: usize) -> bool;
    /// The keys of a model's clip, if each is of one joint.
    fn single_keys(&self, model: usize, clip: usize, each: &mut dyn FnMut(&Key));
    /// The number of poses of a model's clip.
    fn pose_count(&self, model: usize, clip: usize) -> usize;
    /// The poses of a model's clip.
    fn poses(&self, model: usize, clip: usize, each: &mut dyn FnMut(&KeyPose));
}

impl Document {
    fn own_poses(&self, model: usize, clip: usize) -> &[KeyPose] {
        match &self.models[model].clips[clip].keys {
            Keys::Poses(poses) => poses,
            Keys::Single(_) => &[],
        }
    }
}

impl Lists for Document {
    fn corner(&self, model: usize, corner: u32) -> Option<Corner> {
        self.models[model].vertices.get(corner as usize).copied()
    }

    fn are_pulled(&self, model: usize) -> bool {
        let corners = &self.models[model].vertices;
        corners.iter().any(|corner| corner.joints >= 0 || corner.weights >= 0)
    }

    fn single_keys(&self, model: usize, clip: usize, each: &mut dyn FnMut(&Key)) {
        if let Keys::Single(keys) = &self.models[model].clips[clip].keys {
            keys.iter().for_each(each);
        }
    }

    fn pose_count(&self, model: usize, clip: usize) -> usize {
        self.own_poses(model, clip).len()
    }

    fn poses(&self, model: usize, clip: usize, each: &mut dyn FnMut(&KeyPose)) {
        self.own_poses(model, clip).iter().for_each(each);
    }
}

struct Writer<'w> {
    out: TextWriter<'w>,
    lists: &'w dyn Lists,
    /// The index of the model being written.
    model: usize,
    next_aside: usize,
    /// Whether lines without meaning become comments, because they might have a meaning in this dialect.
    only_comments: bool,
}

impl Writer<'_> {
    /// Writes the lines that follow `count` lines of a section.
    fn asides(&mut self, model: &Model, section: Section, count: usize) {
        while let Some(line) = model.asides.after(section, count, &mut self.next_aside) {
            let mark = (self.only_comments && !line.starts_with(b"#")).then_some("# ");
            self.line((mark, line));
        }
    }

    /// Writes a list of number lines, with `prefix` before each.
    fn list<const N: usize>(&mut self, model: &Model, section: Section, prefix: &str, values: &[[f32; N]]) {
        for (i, value) in values.iter().enumerate() {
            self.line((prefix, value));
            self.asides(model, section, i + 1);
        }
    }

    fn joint_sets(&mut self, model: &Model, prefix: &str, base: i32) {
        for (i, joints) in model.joint_sets.iter().enumerate() {
            // In a file that counts from 1, 0 means no joint.
            self.line((prefix, &joints.map(|joint| if joint < 0 { base - 1 } else { joint + base })));
            self.asides(model, Section::JointSets, i + 1);
        }
    }

    fn plain(&mut self, model: &Model, bases: Bases) {
        self.asides(model, Section::Start, 0);
        let mut objects = model.objects.iter().enumerate().peekable();
        if let Some((_, object)) = objects.next() {
            self.object(object);
        }
        self.asides(model, Section::Object, usize::MAX);
        self.list(model, Section::Positions, "v ", &model.positions);
        self.list(model, Section::Uvs, "vt ", &model.uvs);
        self.list(model, Section::Normals, "vn ", &model.normals);
        self.joint_sets(model, "vj ", bases.joints);
        self.list(model, Section::WeightSets, "vw ", &model.weight_sets);
        for face in 0..model.faces.len() {
            while let Some((_, object)) = objects.next_if(|(_, o)| o.first_face as usize <= face) {
                self.object(object);
            }
            self.face(model, face, bases);
            self.asides(model, Section::Faces, face + 1);
        }
        objects.for_each(|(_, object)| self.object(object));
        for (i, joint) in model.joints.iter().enumerate() {
            let parent = if joint.parent < 0 { -1 } else { joint.parent + bases.parents };
            self.line(("j ", &joint.name, " ", parent));
            self.asides(model, Section::Joints, i + 1);
        }
        let mut lines = 0;
        for (i, clip) in model.clips.iter().enumerate() {
            self.plain_clip(model, i, clip, bases.keys, &mut lines);
        }
        self.asides(model, Section::Shapes, usize::MAX);
    }

    fn object(&mut self, object: &Object) {
        // A texture before the first object creates one without a name.
        if !object.name.is_empty() || object.texture.is_none() {
            self.line((if object.still { "o" } else { "ao" }, spaced(&object.name)));
        }
        if let Some(texture) = &object.texture {
            self.line(("t ", texture));
        }
    }

    fn face(&mut self, model: &Model, face: usize, bases: Bases) {
        self.put("f");
        for &vertex in &model.faces.corners[model.faces.range(face, face + 1)] {
            let Some(corner) = self.lists.corner(self.model, vertex) else { continue };
            let parts = [
                (corner.position, 1),
                (corner.uv, 1),
                (corner.normal, 1),
                (corner.joints, bases.joint_sets),
                (corner.weights, bases.weight_sets),
            ];
            let count = parts.iter().rposition(|(index, _)| *index >= 0).map_or(0, |last| last + 1);
            for (i, &(index, base)) in parts[..count].iter().enumerate() {
                let index = (index >= 0).then(|| index.saturating_add(base));
                self.put((if i == 0 { " " } else { "/" }, index));
            }
        }
        self.line("");
    }

    fn plain_clip(&mut self, model: &Model, index: usize, clip: &Clip, base: i32, lines: &mut usize) {
        self.line(("a", spaced(&clip.name)));
        *lines += 1;
        self.asides(model, Section::Clips, *lines);
        self.lists.single_keys(self.model, index, &mut |Key { time, joint, value }| {
            match value {
                KeyValue::Position(position) => self.line(("ap ", *time, " ", joint + base, " ", position)),
                KeyValue::Rotation(rotation) => self.line(("ar ", *time, " ", joint + base, " ", rotation)),
            }
            *lines += 1;
            self.asides(model, Section::Clips, *lines);
        });
    }

    /// Writes the length of a list, unless the list is empty.
    fn count(&mut self, keyword: &str, count: usize) {
        if count > 0 {
            self.line((keyword, " ", u32::try_from(count).unwrap_or(u32::MAX)));
        }
    }

    fn counted(&mut self, model: &Model, keep_mask: bool) {
        self.asides(model, Section::Start, 0);
        let first = model.objects.first();
        let name: &[u8] = first.map(|o| o.name.as_bytes()).filter(|n| !n.is_empty()).unwrap_or(b"model");
        let mask = first.and_then(|o| o.mask).filter(|_| keep_mask).unwrap_or_else(|| mask_of(model));
        self.line(("ao ", name, " ", mask));
        self.asides(model, Section::Object, usize::MAX);
        self.counted_vertices(model);
        self.counted_faces(model);
        self.count("j", model.joints.len());
        for (i, joint) in model.joints.iter().enumerate() {
            self.line((&joint.name, " ", joint.parent, " ", &joint.rest.unwrap_or(IDENTITY)));
            self.asides(model, Section::Joints, i + 1);
        }
        self.counted_clips(model);
        self.shapes(&model.shapes);
        self.asides(model, Section::Shapes, usize::MAX);
        self.line("end");
    }

    fn counted_vertices(&mut self, model: &Model) {
        self.count("v", model.positions.len());
        self.list(model, Section::Positions, "", &model.positions);
        self.count("vt", model.uvs.len());
        self.list(model, Section::Uvs, "", &model.uvs);
        self.count("vn", model.normals.len());
        self.list(model, Section::Normals, "", &model.normals);
        self.count("vj", model.joint_sets.len());
        self.joint_sets(model, "", 0);
        self.count("vw", model.weight_sets.len());
        self.list(model, Section::WeightSets, "", &model.weight_sets);
    }

    /// Writes triangles only: faces with more corners are split into fans, which the dialect's own files never need.
    fn counted_faces(&mut self, model: &Model) {
        let faces = &model.faces;
        if faces.is_empty() {
            return;
        }
        let sizes = (0..faces.len()).map(|face| faces.range(face, face + 1).len());
        let count: usize = sizes.map(|size| size.saturating_sub(2)).sum();
        self.line(("f ", u32::try_from(count).unwrap_or(u32::MAX)));
        let rigged = self.lists.are_pulled(self.model);
        for face in 0..faces.len() {
            let corners = &faces.corners[faces.range(face, face + 1)];
            for pair in corners.get(1..).unwrap_or_default().windows(2) {
                for (i, vertex) in [corners[0], pair[0], pair[1]].into_iter().enumerate() {
                    let Some(corner) = self.lists.corner(self.model, vertex) else { continue };
                    let parts = [corner.position, corner.uv, corner.normal, corner.joints, corner.weights];
                    for (part, &index) in parts[..if rigged { 5 } else { 3 }].iter().enumerate() {
                        self.put(((i + part > 0).then_some(" "), index));
                    }
                }
                self.line("");
            }
            self.asides(model, Section::Faces, face + 1);
        }
    }

    fn counted_clips(&mut self, model: &Model) {
        self.count("a", model.clips.len());
        let mut lines = 1;
        for (i, clip) in model.clips.iter().enumerate() {
            let made_up = clip.name.is_empty().then(|| format!("clip{i}"));
            let (duration, count) = (clip.duration.unwrap_or(0.0), self.lists.pose_count(self.model, i));
            self.line(("an ", made_up.as_deref(), &clip.name, " ", duration, " ", count as u32));
            lines += 1;
            self.asides(model, Section::Clips, lines);
            self.lists.poses(self.model, i, &mut |pose| self.pose(model, pose, &mut lines));
        }
    }

    fn pose(&mut self, model: &Model, pose: &KeyPose, lines: &mut usize) {
        self.line(("k ", pose.progress, " ", pose.joints.len() as u32));
        *lines += 1;
        self.asides(model, Section::Clips, *lines);
        for JointPose { joint, position, rotation: [x, y, z, w] } in &pose.joints {
            self.line((*joint, " ", position, " ", &[*w, *x, *y, *z]));
            *lines += 1;
            self.asides(model, Section::Clips, *lines);
        }
    }

    fn shapes(&mut self, shapes: &Shapes) {
        self.count("hk", shapes.hooks.len());
        for hook in &shapes.hooks {
            let numbers = (&hook.position, " ", &hook.direction, " ", &hook.matrix);
            self.line((hook.index, " ", hook.joint, " ", numbers));
        }
        for (keyword, values) in [("bb ", &shapes.bounds), ("ne ", &shapes.ellipsoid)] {
            if let Some(values) = values {
                self.line((keyword, values));
            }
        }
        self.count("cv", shapes.collision_positions.len());
        shapes.collision_positions.iter().for_each(|position| self.line(position));
        self.count("ci", shapes.collision_triangles.len());
        shapes.collision_triangles.iter().for_each(|triangle| self.line(triangle));
        self.count("rb", shapes.boxes.len());
        for JointBox { joint, position, scale, matrix } in &shapes.boxes {
            self.line((*joint, " ", position, " ", scale, " ", matrix));
        }
    }
}

/// Writes numbers after the current content of the line.
fn spaced(name: &RawText) -> Option<(&'static str, &RawText)> {
    (!name.is_empty()).then_some((" ", name))
}

parts! { Writer:
    &[u8] = |writer, text| writer.out.text(text);
    &RawText = |writer, text| writer.out.text(text.as_bytes());
    f32 = |writer, value| writer.out.shortest(value);
}

impl<'w, T: Copy + Part<Writer<'w>>, const N: usize> Part<Writer<'w>> for &[T; N] {
    #[inline(always)]
    fn put(self, writer: &mut Writer<'w>) {
        for (i, &value) in self.iter().enumerate() {
            writer.put(((i > 0).then_some(" "), value));
        }
    }
}

fn mask_of(model: &Model) -> u32 {
    let shapes = &model.shapes;
    let bits = [
        (mask::MESH, !model.faces.is_empty()),
        (mask::RIG, !model.joints.is_empty()),
        (mask::CLIPS, !model.clips.is_empty()),
        (mask::HOOKS, !shapes.hooks.is_empty()),
        (mask::BOUNDS, shapes.bounds.is_some()),
        (mask::ELLIPSOID, shapes.ellipsoid.is_some()),
        (mask::COLLISION, !shapes.collision_positions.is_empty()),
        (mask::BOXES, !shapes.boxes.is_empty()),
    ];
    bits.into_iter().filter(|(_, there)| *there).map(|(bit, _)| bit).sum()
}
