use super::{Giver, Object};
use crate::arrays;
use bytemuck::Pod;
use ligament::scene::{Faces, Influences, Mesh, Morph, MorphDeltas, Part};
use pyo3::prelude::*;

impl<'py> Giver<'py> {
    pub(super) fn mesh(&self, mesh: Mesh) -> PyResult<Object<'py>> {
        let fields = [
            self.text(&mesh.name)?,
            self.list(mesh.parts, Self::part)?,
            self.list(mesh.morphs, Self::morph)?,
            self.extras(&mesh.extras)?,
        ];
        self.make(&self.classes.mesh, fields)
    }

    fn morph(&self, morph: Morph) -> PyResult<Object<'py>> {
        self.make(&self.classes.morph, [self.text(&morph.name)?, self.any(morph.weight)?])
    }

    fn part(&self, part: Part) -> PyResult<Object<'py>> {
        let fields = [
            self.rows(part.positions, 3)?,
            self.faces(part.faces)?,
            self.any(part.material.map(|id| id.0))?,
            self.rows_or_none(part.normals, 3)?,
            self.rows_or_none(part.tangents, 4)?,
            self.list(part.uvs, |giver, set| giver.rows(set, 2))?,
            self.list(part.colors, |giver, set| giver.rows(set, 4))?,
            self.influences(part.influences)?,
            self.list(part.morphs, Self::deltas)?,
            self.extras(&part.extras)?,
        ];
        self.make(&self.classes.part, fields)
    }

    fn deltas(&self, deltas: MorphDeltas) -> PyResult<Object<'py>> {
        let fields = [
            self.rows_or_none(deltas.positions, 3)?,
            self.rows_or_none(deltas.normals, 3)?,
            self.rows_or_none(deltas.tangents, 3)?,
        ];
        self.make(&self.classes.morph_deltas, fields)
    }

    fn faces(&self, faces: Faces) -> PyResult<Object<'py>> {
        let (kind, corners, starts) = match faces {
            Faces::Points(corners) => ("points", corners, None),
            Faces::Lines(corners) => ("lines", corners, None),
            Faces::Triangles(corners) => ("triangles", corners, None),
            Faces::Polygons { starts, corners } => ("polygons", corners, Some(starts)),
        };
        let starts = match starts {
            Some(starts) => self.indices(starts)?,
            None => self.any(None::<()>)?,
        };
        self.make(&self.classes.faces, [self.indices(corners)?, self.any(kind)?, starts])
    }

    fn influences(&self, influences: Influences) -> PyResult<Object<'py>> {
        if influences.is_empty() {
            return self.any(None::<()>);
        }
        self.make(&self.classes.influences, arrays::adopt_influences(self.py, influences)?)
    }

    /// Vectors, one per row.
    pub(super) fn rows<T: Pod + Send + Sync>(&self, data: Vec<T>, columns: usize) -> PyResult<Object<'py>> {
        let shape = [data.len(), columns];
        arrays::adopt::<f32, _>(self.py, data, &shape)
    }

    fn rows_or_none<T: Pod + Send + Sync>(&self, data: Vec<T>, columns: usize) -> PyResult<Object<'py>> {
        if data.is_empty() { self.any(None::<()>) } else { self.rows(data, columns) }
    }

    fn indices(&self, data: Vec<u32>) -> PyResult<Object<'py>> {
        let shape = [data.len()];
        arrays::adopt::<u32, _>(self.py, data, &shape)
    }
}
