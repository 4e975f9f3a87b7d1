//! Vertices, triangles and the submeshes that they make.

use super::{Document, Reader, Submesh, Vertex, VertexLayout, codes};
use crate::formats::qmsh::document::{Version, flags};
use crate::report::Failure;

impl Reader<'_, '_> {
    pub(super) fn vertices(&mut self, document: &mut Document, count: u16) -> Result<(), Failure> {
        let (layout, count) = (VertexLayout::of(document), usize::from(count));
        self.record.clear();
        self.vertices_at = self.at();
        self.room("vertices", count, layout.size())?;
        document.vertices.reserve_exact(count);
        for i in 0..count {
            let vertex = self.vertex(layout, i)?;
            document.vertices.push(vertex);
        }
        Ok(())
    }

    fn vertex(&mut self, layout: VertexLayout, index: usize) -> Result<Vertex, Failure> {
        let start = self.at();
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

    pub(super) fn triangles(&mut self, document: &mut Document, count: u16) -> Result<(), Failure> {
        let count = usize::from(count);
        self.room("triangles", count, 6)?;
        document.triangles.reserve_exact(count);
        for i in 0..count {
            let at = self.at();
            let triangle = [self.half("triangles")?, self.half("triangles")?, self.half("triangles")?];
            if let Some(corner) = triangle.iter().position(|&v| usize::from(v) >= document.vertices.len()) {
                let message = format!("vertex {} of {}", triangle[corner], document.vertices.len());
                let field = format!("triangles[{i}]");
                self.error(at + 2 * corner as u64, &codes::VERTEX_INDEX, &field, message);
            }
            document.triangles.push(triangle);
        }
        Ok(())
    }

    pub(super) fn submeshes(&mut self, document: &mut Document, count: u16) -> Result<(), Failure> {
        self.room("submeshes", usize::from(count), 10)?;
        let mut all = 0;
        for i in 0..count {
            self.record = format!("submeshes[{i}]");
            let at = self.at();
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
}
