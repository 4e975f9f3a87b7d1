//! Meshes, empties and cameras.

use super::super::codes;
use super::super::document::{Camera, Corner, Empty, FaceHead, Faces, Group, Mesh, Object, Placement};
use super::super::version::MaterialStyle;
use super::Reader;
use super::bulk::Run;
use super::check::MeshSpans;
use crate::report::{Failure, Severity};
use glam::{Vec2, Vec3};

impl Reader<'_, '_> {
    pub(super) fn objects(&mut self) -> Result<Vec<Object>, Failure> {
        self.word("objects")?;
        self.symbol(b'{')?;
        let mut objects = Vec::new();
        let mut has_armature = false;
        while !self.take(b'}')? {
            let span = self.next_span();
            let object = if self.take_word("mesh")? {
                Object::Mesh(self.mesh()?)
            } else if self.take_word("armature")? {
                if std::mem::replace(&mut has_armature, true) {
                    let message = "a second armature; there can be one";
                    return Err(self.fatal(&codes::TWO_ARMATURES, span, message));
                }
                Object::Armature(self.armature()?)
            } else if self.version.empties() && self.take_word("empty")? {
                Object::Empty(self.empty()?)
            } else if self.version.cameras() && self.take_word("camera")? {
                Object::Camera(self.camera()?)
            } else {
                return Err(self.expected(match self.version.empties() {
                    false => "`mesh`, `armature` or '}'",
                    true => "`mesh`, `armature`, `empty`, `camera` or '}'",
                }));
            };
            objects.push(object);
        }
        Ok(objects)
    }

    fn mesh(&mut self) -> Result<Mesh, Failure> {
        let (name, name_span) = self.string()?;
        self.symbol(b'{')?;
        let placement = match self.version.named_transform() {
            false => self.placement()?,
            true => {
                self.label("pos")?;
                let position = self.vector()?;
                self.label("rot")?;
                let rotation = self.vector()?;
                self.label("scale")?;
                let scale = self.vector()?;
                self.label("parent")?;
                Placement { position, rotation, scale }
            }
        };
        let (parent, parent_span) = self.string()?;
        let (parent_bone, bone_span) = self.string()?;
        self.spans.meshes.push(MeshSpans { parent: parent_span, bone: bone_span });
        let smooth_angle = if !self.version.named_transform() {
            Some(self.degrees()?)
        } else if self.version.named_smoothing() && self.next_word()? == b"smooth" {
            self.label("smooth")?;
            Some(self.degrees()?)
        } else {
            None
        };
        let materials = self.materials()?;
        if self.version.materials() == MaterialStyle::Name && materials.len() > 16 {
            let message = format!("{} materials; the document allows 16", materials.len());
            self.push(Severity::Warning, &codes::MATERIAL_NUMBER, name_span, message);
        }
        let (vertices, normals) = self.vertices()?;
        let faces = self.faces(vertices.len())?;
        let groups = self.vertex_groups(vertices.len())?;
        self.symbol(b'}')?;
        Ok(Mesh {
            name,
            placement,
            parent,
            parent_bone,
            smooth_angle,
            materials,
            vertices,
            normals,
            faces,
            groups,
        })
    }

    pub(super) fn placement(&mut self) -> Result<Placement, Failure> {
        Ok(Placement { position: self.vector()?, rotation: self.vector()?, scale: self.vector()? })
    }

    fn vertices(&mut self) -> Result<(Vec<Vec3>, Vec<Vec3>), Failure> {
        let has_normals = self.version.vertex_normals();
        let mut list = self.list("vertices", if has_normals { 12 } else { 6 })?;
        let mut vertices = self.left_out(Run::vertices).unwrap_or_else(|| Vec::with_capacity(list.room));
        list.found = vertices.len() as u32;
        let mut normals = Vec::with_capacity(if has_normals { list.room } else { 0 });
        while self.more(&mut list)? {
            vertices.push(self.vector()?);
            if has_normals {
                self.symbol(b',')?;
                normals.push(self.vector()?);
            }
        }
        Ok((vertices, normals))
    }

    fn faces(&mut self, vertices: usize) -> Result<Faces, Failure> {
        let mut list = self.list("faces", 24)?;
        let (heads, corners) = match self.left_out(Run::faces) {
            Some(faces) => faces,
            None => (Vec::with_capacity(list.room), Vec::with_capacity(list.room.saturating_mul(4))),
        };
        list.found = heads.len() as u32;
        let mut faces = Faces {
            heads,
            corners,
            normals: Vec::with_capacity(if self.version.face_normals() { list.room } else { 0 }),
        };
        let mut many = None;
        while self.more(&mut list)? {
            let corners = self.uint()?;
            if !matches!(corners, 3 | 4) {
                let message = format!("a face of {corners} corners; it has 3 or 4");
                return Err(self.fatal(&codes::FACE_CORNERS, self.last_number(), message));
            }
            let material = self.uint()?;
            if material > 15 && many.is_none() {
                many = Some((self.last_number(), material));
            }
            faces.heads.push(FaceHead { material, smooth: self.uint()?, corners: corners as u8 });
            for _ in 0..corners {
                let vertex = self.uint()?;
                if vertex as usize >= vertices {
                    let message = format!("vertex {vertex} does not exist, there are {vertices}");
                    self.error(&codes::VERTEX_INDEX, self.last_number(), message)?;
                }
                faces.corners.push(Corner { vertex, uv: Vec2::from_array(self.floats()?) });
            }
            if self.version.face_normals() {
                faces.normals.push(self.vector()?);
            }
        }
        faces.corners.shrink_to_fit();
        if let Some((span, material)) = many {
            let message = format!("material number {material}; the document allows 0 to 15");
            self.push(Severity::Warning, &codes::MATERIAL_NUMBER, span, message);
        }
        Ok(faces)
    }

    fn vertex_groups(&mut self, vertices: usize) -> Result<Vec<Group>, Failure> {
        self.word("vertex_groups")?;
        if self.version.list_colons() {
            self.symbol(b':')?;
        }
        self.symbol(b'{')?;
        let mut groups = Vec::new();
        let (mut outside, mut first) = (0_u64, None);
        while !self.take(b'}')? {
            let (name, _) = self.string()?;
            self.symbol(b'{')?;
            let mut weights = self.left_out(Run::weights).unwrap_or_default();
            while !self.take(b'}')? {
                let vertex = self.uint()?;
                if vertex as usize >= vertices {
                    outside += 1;
                    let span = self.last_number();
                    first.get_or_insert((span, vertex));
                }
                weights.push((vertex, self.float()?));
            }
            weights.shrink_to_fit();
            groups.push(Group { name, weights });
        }
        if let Some((span, vertex)) = first {
            let message = format!(
                "vertex {vertex} of a group does not exist, there are {vertices}; \
                 such weights ({outside} in this mesh) are left out"
            );
            self.push(Severity::Warning, &codes::GROUP_INDEX, span, message);
        }
        Ok(groups)
    }

    fn empty(&mut self) -> Result<Empty, Failure> {
        let (name, _) = self.string()?;
        self.symbol(b'{')?;
        self.label("bone")?;
        let (bone, _) = self.string()?;
        self.label("type")?;
        let (kind, _) = self.string()?;
        self.label("size")?;
        let (size, scale) = if self.version.vector_sizes() {
            let size = self.vector()?;
            self.label("scale")?;
            (size, self.float()?)
        } else {
            (Vec3::splat(self.float()?), 1.0)
        };
        self.label("matrix")?;
        let matrix = self.matrix()?;
        let rotation = if self.version.empty_rotations() {
            self.label("rot")?;
            self.vector()?
        } else {
            Vec3::ZERO
        };
        self.symbol(b'}')?;
        Ok(Empty { name, bone, kind, size, scale, matrix, rotation })
    }

    fn camera(&mut self) -> Result<Camera, Failure> {
        self.symbol(b'{')?;
        let (position, target) = (self.vector()?, self.vector()?);
        let up = if self.version.camera_up() { self.vector()? } else { Vec3::Z };
        self.symbol(b'}')?;
        Ok(Camera { position, target, up })
    }
}
