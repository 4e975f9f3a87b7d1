//! The faces of an object as the scene has them: what they look like in the file, and what normals are rebuilt from.

use crate::mesh::polygons::cut_face;
use crate::scene::{Faces, Part};
use glam::{DMat3, DMat4, Vec3};
use std::borrow::Cow;

/// Triangles of all parts of an object, in the scene's axes. Arrays of the scene are used as they are where they can be.
pub(super) struct Surface<'a> {
    /// The positions of all vertices, part after part.
    pub positions: Cow<'a, [Vec3]>,
    /// Their normals; zero where there is none, or empty.
    normals: Cow<'a, [Vec3]>,
    /// Three vertices a triangle.
    pub corners: Cow<'a, [u32]>,
    /// The corners that a face has in one triangle already; empty if there are none.
    again: Vec<bool>,
}

impl<'a> Surface<'a> {
    /// `baked` is a matrix that is applied to the vertices, and `flip` whether faces are turned around.
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
        let mut surface = Surface {
            positions: Cow::Borrowed(&part.positions[..]),
            normals: Cow::Borrowed(&part.normals[..]),
            corners: Cow::Borrowed(&[]),
            again: Vec::new(),
        };
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
        let mut surface = Surface {
            positions: Cow::default(),
            normals: Cow::default(),
            corners: Cow::default(),
            again: Vec::new(),
        };
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

    /// Adds the triangles of a part. A quad is cut between its second and its fourth corner.
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

    /// The normal at a corner of a triangle; zero where there is none that counts.
    pub(super) fn normal(&self, corner: usize) -> Vec3 {
        if self.again.get(corner).copied().unwrap_or(false) {
            return Vec3::ZERO;
        }
        self.normals.get(self.corners[corner] as usize).copied().unwrap_or_default()
    }
}

/// Every face of a part as it is written: three or four of the part's vertices. Returns how many faces have fewer.
pub(super) fn each_face(part: &Part, flip: bool, mut each: impl FnMut(&[u32])) -> usize {
    let mut turned = |face: &[u32]| match *face {
        // Turned around, the second corner and the fourth stay what they are to the cut.
        [a, b, c] if flip => each(&[b, a, c]),
        [a, b, c, d] if flip => each(&[c, b, a, d]),
        _ => each(face),
    };
    let mut dropped = 0;
    // Points and lines are gone by now.
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

/// A face of four corners so that the file's cut, between the second corner and the fourth, is the scene's.
fn quad(part: &Part, face: [u32; 4]) -> [u32; 4] {
    let [a, b, c, d] = face;
    let triangles = cut_face(&part.positions, &face);
    let twice = |corner: u32| triangles.iter().filter(|&&t| t == corner).count() > 1;
    if twice(b) && twice(d) && !(twice(a) && twice(c)) { face } else { [d, a, b, c] }
}
