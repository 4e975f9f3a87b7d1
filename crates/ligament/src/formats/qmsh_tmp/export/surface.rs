//! The faces of an object in the scene: their form in the file, and the triangles from which normals are recomputed.

use crate::mesh::polygons::cut_face;
use crate::scene::{Faces, Part};
use glam::{DMat3, DMat4, Vec3};
use std::borrow::Cow;

/// Triangles of all parts of an object, in the scene's axes. The scene's arrays are borrowed where possible.
#[derive(Default)]
pub(super) struct Surface<'a> {
    /// The positions of all vertices, part after part.
    pub positions: Cow<'a, [Vec3]>,
    /// Their normals; zero if there is none, or empty.
    normals: Cow<'a, [Vec3]>,
    /// Three vertices per triangle.
    pub corners: Cow<'a, [u32]>,
    /// Marks corners that a face already has in another triangle; empty if there are none.
    again: Vec<bool>,
}

impl<'a> Surface<'a> {
    /// Makes the surface. `baked` is a matrix to apply to the vertices, and `flip` says whether faces are flipped.
    pub(super) fn of(parts: &'a [Part], baked: Option<&DMat4>, flip: bool) -> Self {
        let mut surface = match parts {
            [part] => Self::one(part, flip),
            _ => Self::several(parts, flip),
        };
        if let Some(matrix) = baked {
            let through = DMat3::from_mat4(*matrix).inverse().transpose();
            for position in surface.positions.to_mut() {
                *position = matrix.transform_point3(position.as_dvec3()).as_vec3();
            }
            for normal in surface.normals.to_mut() {
                let turned = through * normal.as_dvec3();
                *normal = turned.try_normalize().map_or(Vec3::ZERO, |n| n.as_vec3());
            }
        }
        surface
    }

    fn one(part: &'a Part, flip: bool) -> Self {
        let (positions, normals) = (Cow::from(&part.positions), Cow::from(&part.normals));
        let mut surface = Surface { positions, normals, ..Surface::default() };
        match &part.faces {
            Faces::Triangles(corners) if !flip => {
                surface.corners = Cow::Borrowed(&corners[..corners.len() / 3 * 3]);
            }
            _ => surface.cut(part, flip, 0),
        }
        surface
    }

    fn several(parts: &'a [Part], flip: bool) -> Self {
        let mut positions = Vec::with_capacity(parts.iter().map(|p| p.positions.len()).sum());
        let mut normals = Vec::new();
        let mut surface = Surface::default();
        for part in parts {
            surface.cut(part, flip, positions.len() as u32);
            if !part.normals.is_empty() {
                normals.resize(positions.len(), Vec3::ZERO);
                normals.extend_from_slice(&part.normals);
            }
            positions.extend_from_slice(&part.positions);
        }
        (surface.positions, surface.normals) = (positions.into(), normals.into());
        surface
    }

    /// Adds the triangles of a part. A quad is split between its second and its fourth corner.
    fn cut(&mut self, part: &Part, flip: bool, first: u32) {
        let (corners, again) = (self.corners.to_mut(), &mut self.again);
        each_face(part, flip, |face| match *face {
            [a, b, c, d] => {
                again.resize(corners.len(), false);
                again.extend([false, false, false, false, true, true]);
                corners.extend([b, c, d, a, b, d].map(|corner| corner + first));
            }
            _ => corners.extend(face.iter().map(|corner| corner + first)),
        });
    }

    /// Whether any vertex has a normal.
    pub(super) fn has_normals(&self) -> bool {
        self.normals.iter().any(|n| *n != Vec3::ZERO)
    }

    /// The normal at a corner of a triangle; zero if there is none to compare.
    pub(super) fn normal(&self, corner: usize) -> Vec3 {
        if self.again.get(corner).copied().unwrap_or(false) {
            return Vec3::ZERO;
        }
        self.normals.get(self.corners[corner] as usize).copied().unwrap_or_default()
    }
}

/// Visits every face of a part as written: three or four vertices. Returns the number of faces with fewer.
pub(super) fn each_face(part: &Part, flip: bool, mut each: impl FnMut(&[u32])) -> usize {
    let mut turned = |face: &[u32]| match *face {
        // Flipping keeps the second and fourth corner at the split.
        [a, b, c] if flip => each(&[b, a, c]),
        [a, b, c, d] if flip => each(&[c, b, a, d]),
        _ => each(face),
    };
    let mut dropped = 0;
    // Points and lines were already removed.
    match &part.faces {
        Faces::Triangles(corners) => corners.chunks_exact(3).for_each(turned),
        Faces::Polygons { starts, corners } => {
            for range in starts.windows(2) {
                let face = &corners[range[0] as usize..range[1] as usize];
                match *face {
                    [] | [_] | [_, _] => dropped += 1,
                    [_, _, _] => turned(face),
                    [a, b, c, d] => turned(&quad(part, [a, b, c, d])),
                    _ => cut_face(&part.positions, face).chunks_exact(3).for_each(&mut turned),
                }
            }
        }
        _ => {}
    }
    dropped
}

/// Rotates a quad so that the file's split, between the second and the fourth corner, is the scene's.
fn quad(part: &Part, face: [u32; 4]) -> [u32; 4] {
    let [a, b, c, d] = face;
    let triangles = cut_face(&part.positions, &face);
    let twice = |corner: u32| triangles.iter().filter(|&&t| t == corner).count() > 1;
    if twice(b) && twice(d) && !(twice(a) && twice(c)) { face } else { [d, a, b, c] }
}
