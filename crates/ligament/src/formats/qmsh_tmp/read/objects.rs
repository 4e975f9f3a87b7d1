//! Reads meshes, empties and cameras.

use super::super::codes;
use super::super::document::{Camera, Corner, Empty, FaceHead, Faces, Group, Mesh, Object, Placement};
use super::super::version::MaterialStyle;
use super::{Reader, usual};
use crate::report::Failure;
use crate::text::Spot;
use glam::{Vec2, Vec3};

impl Reader<'_, '_> {
    pub(super) fn objects(&mut self) -> Result<Vec<Object>, Failure> {
        self.word("objects")?;
        self.symbol(b'{')?;
        let mut objects = Vec::new();
        let mut has_armature = false;
        while !self.take(b'}')? {
            let spot = self.next_spot();
            let object = if self.take_word("mesh")? {
                Object::Mesh(self.mesh()?)
            } else if self.take_word("armature")? {
                if std::mem::replace(&mut has_armature, true) {
                    let message = "a second armature; a file can have only one";
                    return Err(self.text.fatal(&codes::TWO_ARMATURES, spot, message));
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
        let (name, name_spot) = self.string()?;
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
        let (parent, parent_spot) = self.string()?;
        let (parent_bone, bone_spot) = self.string()?;
        self.spots.meshes.push([parent_spot, bone_spot]);
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
            self.text.warning(&codes::MATERIAL_NUMBER, name_spot, message);
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
        let list = self.list("vertices", if has_normals { 12 } else { 6 })?;
        let mut vertices = Vec::with_capacity(list.room);
        let mut normals = Vec::with_capacity(if has_normals { list.room } else { 0 });
        loop {
            self.usual_lines(|text, at| {
                if vertices.len() == list.count {
                    return None;
                }
                let ((vertex, normal), next) = usual::vertex(text, at, has_normals)?;
                vertices.push(vertex);
                normals.extend(normal);
                Some(next)
            })?;
            if !self.more(&list, vertices.len())? {
                return Ok((vertices, normals));
            }
            vertices.push(self.vector()?);
            if has_normals {
                self.symbol(b',')?;
                normals.push(self.vector()?);
            }
        }
    }

    fn faces(&mut self, vertices: usize) -> Result<Faces, Failure> {
        let has_normals = self.version.face_normals();
        let list = self.list("faces", 24)?;
        let mut faces = Faces {
            heads: Vec::with_capacity(list.room),
            corners: Vec::with_capacity(list.room.saturating_mul(3)),
            normals: Vec::with_capacity(if has_normals { list.room } else { 0 }),
        };
        let mut many = None;
        loop {
            self.usual_lines(|text, at| {
                if faces.heads.len() == list.count {
                    return None;
                }
                let ((head, corners, normal), next) = usual::face(text, at, vertices, has_normals)?;
                faces.heads.push(head);
                faces.corners.extend_from_slice(corners.get(..head.corners.into())?);
                faces.normals.extend(normal);
                Some(next)
            })?;
            if !self.more(&list, faces.heads.len())? {
                break;
            }
            self.face(&mut faces, vertices, &mut many)?;
        }
        faces.corners.shrink_to_fit();
        if let Some((spot, material)) = many {
            let message = format!("material number {material}; the document allows 0 to 15");
            self.text.warning(&codes::MATERIAL_NUMBER, spot, message);
        }
        Ok(faces)
    }

    /// Reads a face of any layout. `many` is the first material number that is too large.
    fn face(
        &mut self,
        faces: &mut Faces,
        vertices: usize,
        many: &mut Option<(Spot, u32)>,
    ) -> Result<(), Failure> {
        let corners = self.uint()?;
        if !matches!(corners, 3 | 4) {
            let message = format!("a face has {corners} corners; expected 3 or 4");
            return Err(self.text.fatal(&codes::FACE_CORNERS, self.last_number(), message));
        }
        let material = self.uint()?;
        if material > 15 {
            many.get_or_insert((self.last_number(), material));
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
        Ok(())
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
            let mut weights = Vec::new();
            while !self.take(b'}')? {
                if self.usual_items(&mut weights, |text, at| usual::weight(text, at, vertices)) {
                    continue;
                }
                let vertex = self.uint()?;
                if vertex as usize >= vertices {
                    outside += 1;
                    first.get_or_insert((self.last_number(), vertex));
                }
                weights.push((vertex, self.float()?));
            }
            weights.shrink_to_fit();
            groups.push(Group { name, weights });
        }
        if let Some((spot, vertex)) = first {
            let message = format!(
                "vertex {vertex} of a group does not exist, there are {vertices}; \
                 such weights ({outside} in this mesh) are left out"
            );
            self.text.warning(&codes::GROUP_INDEX, spot, message);
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
