//! Bytes to document. Files are small, since they count with 16 bits, so they are read in one piece.

mod bytes;
mod check;

pub(super) use bytes::FARTHEST;

use super::codes;
use super::document::{
    Absent, Animation, Bone, Camera, Document, Group, Key, Modelled, Point, Split, Submesh, Version, Vertex,
    flags,
};
use super::write::VertexLayout;
use crate::Limits;
use crate::report::{Failure, Report};

/// Reads a whole file.
pub(super) fn read(
    bytes: &[u8],
    file: &str,
    limits: &Limits,
    report: &mut Report,
) -> Result<Document, Failure> {
    // What was reported before is not about this file.
    let mut own = Report::new(file, limits.max_diagnostics);
    let mut reader = Reader { bytes, at: 0, vertices_at: 0, record: String::new(), report: &mut own };
    let document = reader.document(crate::formats::stem(file));
    let document = document.and_then(|document| own.check().map(|()| document));
    report.append(own);
    document
}

/// One pass over a file.
struct Reader<'a, 'r> {
    bytes: &'a [u8],
    at: usize,
    /// Where the vertices begin.
    vertices_at: usize,
    /// The record that is being read, for messages: `submeshes[2]`.
    record: String,
    report: &'r mut Report,
}

/// The counts of a header.
#[derive(Default)]
struct Counts {
    vertices: u16,
    triangles: u16,
    submeshes: u16,
    bones: u16,
    animations: u16,
    points: u16,
    groups: u16,
}

impl Reader<'_, '_> {
    fn document(&mut self, name: String) -> Result<Document, Failure> {
        let mut document = Document { name, version: self.version()?, ..Document::default() };
        self.record = "header".into();
        document.flags = self.byte("flags")?;
        match document.version {
            Version::Original => self.original(&mut document)?,
            Version::Carpg(_) => self.carpg(&mut document)?,
        }
        self.record.clear();
        if self.at < self.bytes.len() {
            let message = format!("{} bytes after the last record", self.bytes.len() - self.at);
            self.warning(self.at, &codes::TRAILING, "end", message);
            document.trailing = self.bytes[self.at..].to_vec();
        }
        Ok(document)
    }

    fn version(&mut self) -> Result<Version, Failure> {
        if self.bytes.starts_with(b"TFQMSH10") {
            self.at = 8;
            return Ok(Version::Original);
        }
        if !self.bytes.starts_with(b"QMSH") {
            let message = if self.bytes.starts_with(b"TFQMSH") {
                "the only version of the original format that is read is TFQMSH10"
            } else {
                "the file begins with neither TFQMSH10 nor QMSH"
            };
            return Err(self.fatal_at(0, &codes::NOT_QMSH, "header.magic", message));
        }
        self.at = 4;
        let number = self.byte("header.version")?;
        if !(Version::OLDEST..=Version::NEWEST).contains(&number) {
            let message = format!("version {number}; versions 12 to 22 (and TFQMSH10) are read");
            return Err(self.fatal_at(4, &codes::VERSION, "header.version", message));
        }
        Ok(Version::Carpg(number))
    }

    fn original(&mut self, document: &mut Document) -> Result<(), Failure> {
        let counts = self.counts(document)?;
        self.bounds(document)?;
        let mut offsets = [0; 5];
        for (offset, section) in offsets.iter_mut().zip(SECTIONS) {
            *offset = self.word(&format!("{section} offset"))?;
        }
        self.section(&offsets, 0)?;
        self.vertices(document, counts.vertices)?;
        self.section(&offsets, 1)?;
        self.triangles(document, counts.triangles)?;
        self.section(&offsets, 2)?;
        self.submeshes(document, counts.submeshes)?;
        if document.has_bones() {
            self.section(&offsets, 3)?;
            self.bones(document, counts.bones)?;
            self.section(&offsets, 4)?;
            self.animations(document, counts.animations)?;
        } else {
            for (section, offset) in offsets.iter().enumerate().skip(3).filter(|(_, offset)| **offset != 0) {
                let message = format!("the offset is {offset}, and without the flag for bones it is 0");
                self.record = "header".into();
                self.offset_error(section, message);
            }
            document.absent = Absent { bones: counts.bones, animations: counts.animations, groups: 0 };
        }
        self.check_bones_of_vertices(document);
        Ok(())
    }

    /// The zero at the beginning of a section of `TFQMSH10`, which must be where the header says.
    fn section(&mut self, offsets: &[u32; 5], section: usize) -> Result<(), Failure> {
        self.record.clear();
        if offsets[section] as usize != self.at {
            let message = format!(
                "the header says byte {}, and what comes before ends at {}",
                offsets[section], self.at
            );
            self.record = "header".into();
            return Err(self.offset_error(section, message));
        }
        let mark = self.byte(SECTIONS[section])?;
        if mark != 0 {
            let message = format!("the section begins with {mark} instead of 0");
            return Err(self.fatal_at(self.at - 1, &codes::SECTION_MARK, SECTIONS[section], message));
        }
        Ok(())
    }

    fn offset_error(&mut self, section: usize, message: String) -> Failure {
        let field = format!("{} offset", SECTIONS[section]);
        self.fatal_at(OFFSET_TABLE + 4 * section, &codes::SECTION_OFFSET, &field, message)
    }

    fn carpg(&mut self, document: &mut Document) -> Result<(), Failure> {
        let mut counts = self.counts(document)?;
        counts.points = self.half("points")?;
        counts.groups = self.half("groups")?;
        self.bounds(document)?;
        let offset_at = self.at;
        let points_offset = if document.version.since(20) { Some(self.word("points offset")?) } else { None };
        let mut camera = Camera::default();
        if document.version.since(13) {
            camera.position = self.raw_floats("camera position")?;
            camera.target = self.raw_floats("camera target")?;
        }
        if document.version.since(15) {
            camera.up = self.raw_floats("camera up")?;
        }
        document.camera = camera;
        self.vertices(document, counts.vertices)?;
        self.triangles(document, counts.triangles)?;
        self.submeshes(document, counts.submeshes)?;
        if document.has_bones() {
            self.bones(document, counts.bones)?;
            if document.version.since(21) {
                self.groups(document, counts.groups)?;
            }
            self.animations(document, counts.animations)?;
        } else {
            let Counts { bones, animations, groups, .. } = counts;
            document.absent = Absent { bones, animations, groups };
        }
        self.check_bones_of_vertices(document);
        let found = self.at;
        document.points_offset = points_offset.filter(|&offset| offset as usize != found);
        if let Some(wrong) = document.points_offset {
            let message = format!("the header says byte {wrong}, and the points begin at {found}");
            self.record = "header".into();
            self.warning(offset_at, &codes::POINTS_OFFSET, "points offset", message);
        }
        self.points(document, counts.points)?;
        if document.has_bones() && !document.version.since(21) {
            self.groups(document, counts.groups)?;
        }
        if document.has(flags::SPLIT) {
            self.room("splits", document.submeshes.len(), size_of::<Split>())?;
            for i in 0..document.submeshes.len() {
                self.record = format!("splits[{i}]");
                document.splits.push(bytemuck::cast(self.raw_floats::<10>("")?));
            }
        }
        Ok(())
    }

    fn counts(&mut self, document: &Document) -> Result<Counts, Failure> {
        let counts = Counts {
            vertices: self.half("vertices")?,
            triangles: self.half("triangles")?,
            submeshes: self.half("submeshes")?,
            bones: self.half("bones")?,
            animations: self.half("animations")?,
            ..Counts::default()
        };
        let most = document.version.max_bones();
        if document.has_bones() && usize::from(counts.bones) > most {
            let message = format!("{} bones, and the engine holds {most}", counts.bones);
            self.warning(self.at - 4, &codes::MANY_BONES, "bones", message);
        }
        Ok(counts)
    }

    fn bounds(&mut self, document: &mut Document) -> Result<(), Failure> {
        [document.radius] = self.raw_floats("radius")?;
        document.bounds = [self.raw_floats("box")?, self.raw_floats("box")?];
        Ok(())
    }

    fn vertices(&mut self, document: &mut Document, count: u16) -> Result<(), Failure> {
        let (layout, count) = (VertexLayout::of(document), usize::from(count));
        self.record.clear();
        self.vertices_at = self.at;
        self.room("vertices", count, layout.size())?;
        document.vertices.reserve_exact(count);
        for i in 0..count {
            let vertex = self.vertex(layout, i)?;
            document.vertices.push(vertex);
        }
        Ok(())
    }

    fn vertex(&mut self, layout: VertexLayout, index: usize) -> Result<Vertex, Failure> {
        let start = self.at;
        let mut vertex = Vertex { position: self.quick_floats()?, ..Vertex::default() };
        if layout.skinned {
            [vertex.weight] = self.quick_floats()?;
            vertex.bone_word = self.word("bones")?;
        }
        if layout.shaded {
            vertex.normal = self.quick_floats()?;
            vertex.uv = self.quick_floats()?;
        }
        if layout.tangents {
            vertex.tangent = self.quick_floats()?;
            vertex.binormal = self.quick_floats()?;
        }
        self.check_vertex(start, layout, index, &vertex);
        Ok(vertex)
    }

    fn triangles(&mut self, document: &mut Document, count: u16) -> Result<(), Failure> {
        let count = usize::from(count);
        self.room("triangles", count, 6)?;
        document.triangles.reserve_exact(count);
        for i in 0..count {
            let at = self.at;
            let triangle = [self.half("triangles")?, self.half("triangles")?, self.half("triangles")?];
            if let Some(corner) = triangle.iter().position(|&v| usize::from(v) >= document.vertices.len()) {
                let message = format!("vertex {} of {}", triangle[corner], document.vertices.len());
                let field = format!("triangles[{i}]");
                self.error(at + 2 * corner, &codes::VERTEX_INDEX, &field, message);
            }
            document.triangles.push(triangle);
        }
        Ok(())
    }

    fn submeshes(&mut self, document: &mut Document, count: u16) -> Result<(), Failure> {
        self.room("submeshes", usize::from(count), 10)?;
        let mut all = 0;
        for i in 0..count {
            self.record = format!("submeshes[{i}]");
            let at = self.at;
            let submesh = self.submesh(document)?;
            all += usize::from(submesh.triangles);
            self.check_submesh(at, document, &submesh, all);
            document.submeshes.push(submesh);
        }
        self.record.clear();
        Ok(())
    }

    fn submesh(&mut self, document: &Document) -> Result<Submesh, Failure> {
        let mut submesh = Submesh {
            first_triangle: self.half("first triangle")?,
            triangles: self.half("triangles")?,
            first_vertex: self.half("first vertex")?,
            vertices: self.half("vertices")?,
            name: self.string("name")?,
            material: self.string(if document.version == Version::Original {
                "material"
            } else {
                "texture"
            })?,
            ..Submesh::default()
        };
        if document.version.since(18) {
            submesh.specular_color = self.floats("specular colour")?;
            [submesh.specular_intensity] = self.floats("specular intensity")?;
            submesh.specular_hardness = self.word("specular hardness")?.cast_signed();
        }
        if document.version.since(16) {
            if document.has(flags::TANGENTS) {
                submesh.normal_map = self.string("normal map")?;
                if !submesh.normal_map.is_empty() {
                    [submesh.normal_factor] = self.floats("normal factor")?;
                }
            }
            submesh.specular_map = self.string("specular map")?;
            if !submesh.specular_map.is_empty() {
                submesh.specular_factors = self.floats("specular factors")?;
            }
        }
        Ok(submesh)
    }

    fn bones(&mut self, document: &mut Document, count: u16) -> Result<(), Failure> {
        let modelled = document.version.since(21);
        self.room("bones", usize::from(count), if modelled { 148 } else { 51 })?;
        for i in 0..count {
            self.record = format!("bones[{i}]");
            let mut bone = Bone::default();
            if modelled {
                bone.name = self.string("name")?;
            }
            let parent_at = self.at;
            bone.parent = self.half("parent")?;
            bone.matrix = self.places("matrix")?;
            if modelled {
                bone.modelled = Modelled {
                    matrix: self.raw_floats("modelled matrix")?,
                    head: self.raw_floats("head")?,
                    tail: self.raw_floats("tail")?,
                    connected: self.byte("connected")?,
                };
            } else {
                bone.name = self.string("name")?;
            }
            if bone.parent > i {
                let message = format!(
                    "the parent of bone {} is bone {}, which does not come first",
                    i + 1,
                    bone.parent
                );
                self.error(parent_at, &codes::BONE_PARENT, "parent", message);
            }
            document.bones.push(bone);
        }
        self.record.clear();
        Ok(())
    }

    fn groups(&mut self, document: &mut Document, count: u16) -> Result<(), Failure> {
        self.room("groups", usize::from(count), 4)?;
        for i in 0..count {
            self.record = format!("groups[{i}]");
            let name = self.string("name")?;
            let parent_at = self.at;
            let parent = self.half("parent")?;
            if parent >= count {
                let message = format!("group {parent} of {count}");
                self.error(parent_at, &codes::GROUP_PARENT, "parent", message);
            }
            let size = self.byte("bones")?;
            let at = self.at;
            let bones = self.take("bones", usize::from(size))?.to_vec();
            if let Some(i) = bones.iter().position(|&b| usize::from(b) > document.bones.len()) {
                let message = format!("bone {} of {}", bones[i], document.bones.len());
                self.error(at + i, &codes::BONE_INDEX, "bones", message);
            }
            document.groups.push(Group { name, parent, bones });
        }
        self.record.clear();
        Ok(())
    }

    fn animations(&mut self, document: &mut Document, count: u16) -> Result<(), Failure> {
        self.room("animations", usize::from(count), 7)?;
        for i in 0..count {
            self.record = format!("animations[{i}]");
            let name = self.string("name")?;
            let [length] = self.floats("length")?;
            let mut animation = Animation { name, length, ..Animation::default() };
            self.keys(document, &mut animation)?;
            document.animations.push(animation);
        }
        self.record.clear();
        Ok(())
    }

    fn keys(&mut self, document: &Document, animation: &mut Animation) -> Result<(), Failure> {
        let count = usize::from(self.half("keys")?);
        let three = document.version.since(22);
        let bones = document.bones.len();
        self.room("keys", count, 4 + bones * if three { 40 } else { 32 })?;
        animation.times.reserve_exact(count);
        animation.keys.reserve_exact(count * bones);
        for key in 0..count {
            let at = self.at;
            let [time] = self.places("keys")?;
            self.check_time(at, key, animation.times.last().copied(), time);
            animation.times.push(time);
            for bone in 0..bones {
                let start = self.at;
                let translation = self.quick_floats()?;
                let rotation = self.quick_floats()?;
                let scale =
                    if three { self.quick_floats()? } else { self.quick_floats::<1>().map(|[s]| [s; 3])? };
                let read = Key { translation, rotation, scale };
                self.check_key(start, key, bone, &read);
                animation.keys.push(read);
            }
        }
        if let Some(&last) = animation.times.last().filter(|&&last| last > animation.length * 1.000_01 + 1e-6)
        {
            let message = format!("the length is {}, and the last key is at {last}", animation.length);
            self.warning(self.at, &codes::LENGTH, "length", message);
        }
        Ok(())
    }

    fn points(&mut self, document: &mut Document, count: u16) -> Result<(), Failure> {
        let version = document.version;
        let least =
            1 + 64 + 4 + if version.since(14) { 12 } else { 4 } + if version.since(19) { 12 } else { 0 };
        self.room("points", usize::from(count), least)?;
        for i in 0..count {
            self.record = format!("points[{i}]");
            let name = self.string("name")?;
            let matrix = self.places("matrix")?;
            let bone_at = self.at;
            let bone = self.half("bone")?;
            let kind = self.half("type")?;
            let size = if version.since(14) {
                self.floats("size")?
            } else {
                self.floats::<1>("size").map(|[s]| [s; 3])?
            };
            let rotation = if version.since(19) { self.floats("rotation")? } else { [0.0; 3] };
            let point = Point { name, matrix, bone, kind, size, rotation };
            // The bones of a shared skeleton are not known.
            if document.has_bones() && document.bone_of(&point).is_some_and(|b| b >= document.bones.len()) {
                let message = format!("bone {bone} of {}", document.bones.len());
                self.error(bone_at, &codes::BONE_INDEX, "bone", message);
            }
            document.points.push(point);
        }
        self.record.clear();
        Ok(())
    }
}

/// The sections of `TFQMSH10` in their order.
const SECTIONS: [&str; 5] = ["vertices", "triangles", "submeshes", "bones", "animations"];
/// Where its header says where they are.
const OFFSET_TABLE: usize = 47;
