//! Vertices, triangles and submeshes.

use super::{Document, Reader, Submesh, Vertex, VertexLayout, codes};
use crate::formats::qmsh::document::{Version, flags};
use crate::report::Failure;

impl Reader<'_, '_> {
    pub(super) fn vertices(&mut self, document: &mut Document, count: u16) -> Result<(), Failure> {
        let layout = VertexLayout::of(document);
        self.fields.record.clear();
        self.vertices_at = self.fields.at();
        let count = self.room("vertices", count, layout.size())?;
        document.vertices.reserve_exact(count);
        for i in 0..count {
            let vertex = self.vertex(layout, i)?;
            document.vertices.push(vertex);
        }
        Ok(())
    }

    fn vertex(&mut self, layout: VertexLayout, index: usize) -> Result<Vertex, Failure> {
        let start = self.fields.at();
        let mut vertex = Vertex { position: self.fields.raw_floats("")?, ..Vertex::default() };
        if layout.skinned {
            [vertex.weight] = self.fields.raw_floats("")?;
            vertex.bone_word = self.fields.word("bones")?;
        }
        if layout.shaded {
            vertex.normal = self.fields.raw_floats("")?;
            vertex.uv = self.fields.raw_floats("")?;
        }
        if layout.tangents {
            vertex.tangent = self.fields.raw_floats("")?;
            vertex.binormal = self.fields.raw_floats("")?;
        }
        self.check_vertex(start, layout, index, &vertex);
        Ok(vertex)
    }

    pub(super) fn triangles(&mut self, document: &mut Document, count: u16) -> Result<(), Failure> {
        let at = self.fields.at();
        let count = self.room("triangles", count, 6)?;
        document.triangles = self.fields.array("triangles", count)?;
        let vertices = document.vertices.len();
        for (i, triangle) in document.triangles.iter().enumerate() {
            if let Some(corner) = triangle.iter().position(|&v| usize::from(v) >= vertices) {
                let message = format!("there is no vertex {}; the file has {vertices}", triangle[corner]);
                let (at, field) = (at + 6 * i as u64 + 2 * corner as u64, format_args!("triangles[{i}]"));
                self.fields.error(at, &codes::VERTEX_INDEX, field, message);
            }
        }
        Ok(())
    }

    pub(super) fn submeshes(&mut self, document: &mut Document, count: u16) -> Result<(), Failure> {
        self.room("submeshes", count, 10)?;
        let mut all = 0;
        for i in 0..count {
            self.fields.record = format!("submeshes[{i}]");
            let at = self.fields.at();
            let submesh = self.submesh(document)?;
            all += usize::from(submesh.triangles);
            self.check_submesh(at, document, &submesh, all);
            document.submeshes.push(submesh);
        }
        self.fields.record.clear();
        Ok(())
    }

    fn submesh(&mut self, document: &Document) -> Result<Submesh, Failure> {
        let material = if document.version == Version::Original { "material" } else { "texture" };
        let mut submesh = Submesh {
            first_triangle: self.fields.half("first triangle")?,
            triangles: self.fields.half("triangles")?,
            first_vertex: self.fields.half("first vertex")?,
            vertices: self.fields.half("vertices")?,
            name: self.fields.string::<1>("name")?,
            material: self.fields.string::<1>(material)?,
            ..Submesh::default()
        };
        if document.version.since(18) {
            submesh.specular_color = self.fields.floats("specular colour")?;
            [submesh.specular_intensity] = self.fields.floats("specular intensity")?;
            submesh.specular_hardness = self.fields.word("specular hardness")?.cast_signed();
        }
        if document.version.since(16) {
            if document.has(flags::TANGENTS) {
                submesh.normal_map = self.fields.string::<1>("normal map")?;
                if !submesh.normal_map.is_empty() {
                    [submesh.normal_factor] = self.fields.floats("normal factor")?;
                }
            }
            submesh.specular_map = self.fields.string::<1>("specular map")?;
            if !submesh.specular_map.is_empty() {
                submesh.specular_factors = self.fields.floats("specular factors")?;
            }
        }
        Ok(submesh)
    }
}
