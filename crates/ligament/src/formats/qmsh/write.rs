//! Document to bytes.

use super::document::{Animation, Bone, Document, Key, Point, Submesh, Version, Vertex, flags};
use crate::io::{Output, little_endian};
use crate::report::{Failure, Report};
use crate::text::RawText;
use bytemuck::Pod;
use std::borrow::Cow;
use std::io::{self, Write};

impl Document {
    /// Writes the document in its own version. A document that was read gives the same bytes.
    pub fn write_to(&self, output: &mut dyn Output, report: &mut Report) -> Result<(), Failure> {
        self.write_with(self, output, report)
    }

    /// Writes the document with long lists from `lists`.
    pub(super) fn write_with(
        &self,
        lists: &dyn Lists,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        self.stream(lists, output.main()).map_err(|error| report.cannot_write(error))
    }

    /// Only animations can be long: all other lists have 16-bit counts.
    fn stream(&self, lists: &dyn Lists, out: &mut dyn Write) -> io::Result<()> {
        let mut before = Bytes::default();
        match self.version {
            Version::Original => self.original(&mut before)?,
            Version::Carpg(number) => self.carpg(number, &mut before)?,
        }
        out.write_all(&before.0)?;
        drop(before);
        if self.has_bones() {
            (0..self.animations.len()).try_for_each(|index| self.animation(index, lists, out))?;
        }
        let mut after = Bytes::default();
        if self.version != Version::Original {
            self.carpg_end(&mut after)?;
        }
        out.write_all(&after.0)?;
        out.write_all(&self.trailing)
    }

    /// `TFQMSH10` up to the animations: a table of offsets, and a zero before each section.
    fn original(&self, out: &mut Bytes) -> io::Result<()> {
        out.0.extend_from_slice(b"TFQMSH10");
        out.byte(self.flags);
        self.counts(out)?;
        out.bounds(self.radius, &self.bounds);
        let table = out.0.len();
        out.0.extend_from_slice(&[0; 20]);
        let mut section = 0;
        let mut begin = |out: &mut Bytes| -> io::Result<()> {
            let at = u32::try_from(out.0.len()).map_err(|_| too_many("bytes"))?;
            let entry = table + 4 * section;
            out.0[entry..entry + 4].copy_from_slice(&at.to_le_bytes());
            out.byte(0);
            section += 1;
            Ok(())
        };
        begin(out)?;
        self.vertices(out);
        begin(out)?;
        out.words(&self.triangles);
        begin(out)?;
        self.submeshes(out)?;
        if self.has_bones() {
            begin(out)?;
            self.bones(out)?;
            begin(out)?;
        }
        Ok(())
    }

    /// carpg's layout up to the animations.
    fn carpg(&self, number: u8, out: &mut Bytes) -> io::Result<()> {
        out.0.extend_from_slice(b"QMSH");
        out.byte(number);
        out.byte(self.flags);
        self.counts(out)?;
        out.count(self.points.len(), "points")?;
        out.count(self.stated(self.groups.len(), self.absent.groups), "groups")?;
        out.bounds(self.radius, &self.bounds);
        let points_offset = out.0.len();
        if self.version.since(20) {
            out.0.extend_from_slice(&[0; 4]);
        }
        if self.version.since(13) {
            out.words(&self.camera.position);
            out.words(&self.camera.target);
        }
        if self.version.since(15) {
            out.words(&self.camera.up);
        }
        self.vertices(out);
        out.words(&self.triangles);
        self.submeshes(out)?;
        if self.has_bones() {
            self.bones(out)?;
            if self.version.since(21) {
                self.groups(out)?;
            }
        }
        if self.version.since(20) {
            let at = u32::try_from(out.0.len() + self.animations_size()).map_err(|_| too_many("bytes"))?;
            let at = self.points_offset.unwrap_or(at);
            out.0[points_offset..points_offset + 4].copy_from_slice(&at.to_le_bytes());
        }
        Ok(())
    }

    /// carpg's layout after the animations.
    fn carpg_end(&self, out: &mut Bytes) -> io::Result<()> {
        self.points.iter().try_for_each(|point| self.point(point, out))?;
        if self.has_bones() && !self.version.since(21) {
            self.groups(out)?;
        }
        out.words(&self.splits);
        Ok(())
    }

    /// The five counts that all versions have.
    fn counts(&self, out: &mut Bytes) -> io::Result<()> {
        out.count(self.vertices.len(), "vertices")?;
        out.count(self.triangles.len(), "triangles")?;
        out.count(self.submeshes.len(), "submeshes")?;
        out.count(self.stated(self.bones.len(), self.absent.bones), "bones")?;
        out.count(self.stated(self.animations.len(), self.absent.animations), "animations")
    }

    /// The count in the header of a list that comes with bones.
    fn stated(&self, count: usize, absent: u16) -> usize {
        if self.has_bones() { count } else { usize::from(absent) }
    }

    fn vertices(&self, out: &mut Bytes) {
        let layout = VertexLayout::of(self);
        out.0.reserve(self.vertices.len() * layout.size());
        self.vertices.iter().for_each(|vertex| layout.write(vertex, out));
    }

    fn submeshes(&self, out: &mut Bytes) -> io::Result<()> {
        self.submeshes.iter().try_for_each(|submesh| self.submesh(submesh, out))
    }

    fn submesh(&self, submesh: &Submesh, out: &mut Bytes) -> io::Result<()> {
        let Submesh { first_triangle, triangles, first_vertex, vertices, .. } = *submesh;
        out.words(&[first_triangle, triangles, first_vertex, vertices]);
        out.string(&submesh.name)?;
        out.string(&submesh.material)?;
        if self.version.since(18) {
            let [r, g, b] = submesh.specular_color;
            out.words(&[r, g, b, submesh.specular_intensity]);
            out.words(&[submesh.specular_hardness]);
        }
        if self.version.since(16) {
            if self.has(flags::TANGENTS) {
                out.string(&submesh.normal_map)?;
                if !submesh.normal_map.is_empty() {
                    out.words(&[submesh.normal_factor]);
                }
            }
            out.string(&submesh.specular_map)?;
            if !submesh.specular_map.is_empty() {
                out.words(&submesh.specular_factors);
            }
        }
        Ok(())
    }

    fn bones(&self, out: &mut Bytes) -> io::Result<()> {
        self.bones.iter().try_for_each(|bone| self.bone(bone, out))
    }

    fn bone(&self, bone: &Bone, out: &mut Bytes) -> io::Result<()> {
        if !self.version.since(21) {
            out.half(bone.parent);
            out.words(&bone.matrix);
            return out.string(&bone.name);
        }
        out.string(&bone.name)?;
        out.half(bone.parent);
        out.words(&bone.matrix);
        out.words(&bone.modelled.matrix);
        out.words(&bone.modelled.head);
        out.words(&bone.modelled.tail);
        out.byte(bone.modelled.connected);
        Ok(())
    }

    fn groups(&self, out: &mut Bytes) -> io::Result<()> {
        for group in &self.groups {
            out.string(&group.name)?;
            out.half(group.parent);
            out.byte(u8::try_from(group.bones.len()).map_err(|_| too_many("bones of a group"))?);
            out.0.extend_from_slice(&group.bones);
        }
        Ok(())
    }

    /// The number of values in a key's scale.
    fn scales(&self) -> usize {
        if self.version.since(22) { 3 } else { 1 }
    }

    /// The size of all animations in bytes, if the file has them.
    fn animations_size(&self) -> usize {
        let frame = 4 + self.bones.len() * 4 * (3 + 4 + self.scales());
        let size = |a: &Animation| 1 + a.name.as_bytes().len() + 4 + 2 + a.times.len() * frame;
        if self.has_bones() { self.animations.iter().map(size).sum() } else { 0 }
    }

    fn animation(&self, index: usize, lists: &dyn Lists, out: &mut dyn Write) -> io::Result<()> {
        let animation = &self.animations[index];
        let mut bytes = Bytes::default();
        bytes.string(&animation.name)?;
        bytes.words(&[animation.length]);
        bytes.count(animation.times.len(), "keys")?;
        for (i, time) in animation.times.iter().enumerate() {
            bytes.words(&[*time]);
            for key in lists.frame(index, i).iter() {
                bytes.words(&key.translation);
                bytes.words(&key.rotation);
                bytes.words(&key.scale[..self.scales()]);
            }
            out.write_all(&bytes.0)?;
            bytes.0.clear();
        }
        out.write_all(&bytes.0)
    }

    fn point(&self, point: &Point, out: &mut Bytes) -> io::Result<()> {
        out.string(&point.name)?;
        out.words(&point.matrix);
        out.words(&[point.bone, point.kind]);
        out.words(&point.size[..if self.version.since(14) { 3 } else { 1 }]);
        if self.version.since(19) {
            out.words(&point.rotation);
        }
        Ok(())
    }
}

/// The long lists of a file: a document's own, or made from a scene.
pub(super) trait Lists {
    /// The keys of all bones at one time of an animation.
    fn frame(&self, animation: usize, time: usize) -> Cow<'_, [Key]>;
}

impl Lists for Document {
    fn frame(&self, animation: usize, time: usize) -> Cow<'_, [Key]> {
        let (keys, bones) = (&self.animations[animation].keys, self.bones.len());
        let end = keys.len().min((time + 1) * bones);
        Cow::Borrowed(&keys[end.min(time * bones)..end])
    }
}

/// The fields that the vertices of a file have.
#[derive(Clone, Copy)]
pub(super) struct VertexLayout {
    pub(super) skinned: bool,
    pub(super) shaded: bool,
    pub(super) tangents: bool,
}

impl VertexLayout {
    pub(super) fn of(document: &Document) -> Self {
        let shaded = document.version == Version::Original || !document.has(flags::PHYSICS);
        Self {
            skinned: shaded && document.has(flags::SKINNED),
            shaded,
            tangents: shaded && document.has(flags::TANGENTS),
        }
    }

    /// Bytes per vertex.
    pub(super) fn size(self) -> usize {
        12 + if self.skinned { 8 } else { 0 }
            + if self.shaded { 20 } else { 0 }
            + if self.tangents { 24 } else { 0 }
    }

    fn write(self, vertex: &Vertex, out: &mut Bytes) {
        out.words(&vertex.position);
        if self.skinned {
            out.words(&[vertex.weight]);
            out.words(&[vertex.bone_word]);
        }
        if self.shaded {
            out.words(&vertex.normal);
            out.words(&vertex.uv);
        }
        if self.tangents {
            out.words(&vertex.tangent);
            out.words(&vertex.binormal);
        }
    }
}

/// An output buffer of bytes, 16- and 32-bit words, and strings with a one-byte length.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    fn half(&mut self, value: u16) {
        self.words(&[value]);
    }

    fn words<T: Pod>(&mut self, values: &[T]) {
        self.0.extend_from_slice(&little_endian::bytes(values));
    }

    fn bounds(&mut self, radius: f32, bounds: &[[f32; 3]; 2]) {
        self.words(&[radius]);
        self.words(bounds.as_flattened());
    }

    fn count(&mut self, count: usize, what: &str) -> io::Result<()> {
        self.half(u16::try_from(count).map_err(|_| too_many(what))?);
        Ok(())
    }

    fn string(&mut self, text: &RawText) -> io::Result<()> {
        let bytes = text.as_bytes();
        self.byte(u8::try_from(bytes.len()).map_err(|_| too_many("bytes of a name"))?);
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

fn too_many(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("more {what} than the format can hold"))
}
