//! Computes missing normals from the faces.

use super::triangulate::newell;
use super::vertices::split_corners;
use super::{codes, label};
use crate::report::{Loss, Report};
use crate::scene::{Faces, Part, Scene};
use glam::{DVec3, Vec3};
use std::collections::HashMap;

/// How normals are computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalsOptions {
    /// Faces that meet at a larger angle (in degrees) have a hard edge between them: 0 makes every face flat, 180 makes
    /// everything smooth.
    pub crease: f32,
}

impl Default for NormalsOptions {
    /// Flat faces: what glTF prescribes for meshes without normals.
    fn default() -> Self {
        Self { crease: 0.0 }
    }
}

/// Beyond so many corners at one place, hard edges between them are not looked for.
const MOST_CORNERS: usize = 1024;

/// Gives normals to the parts that have none: at each corner the mean of the faces around its position, weighted by
/// their angle there. Where faces meet at more than the crease angle, vertices are split.
///
/// ```
/// use ligament::passes::normals::{NormalsOptions, normals};
/// use ligament::scene::{Faces, Mesh, Part, Scene};
/// use ligament::math::Vec3;
///
/// let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
/// let part = Part { positions, faces: Faces::Triangles(vec![0, 1, 2]), ..Part::default() };
/// let mut scene = Scene { meshes: vec![Mesh { parts: vec![part], ..Mesh::default() }], ..Scene::default() };
/// normals(&mut scene, &NormalsOptions::default(), &mut Default::default());
/// assert_eq!(scene.meshes[0].parts[0].normals, [Vec3::Z; 3]);
/// ```
pub fn normals(scene: &mut Scene, options: &NormalsOptions, report: &mut Report) {
    for (index, mesh) in scene.meshes.iter_mut().enumerate() {
        let mut count = 0;
        for part in mesh.parts.iter_mut().filter(|p| p.normals.is_empty() && !p.positions.is_empty()) {
            if !matches!(part.faces, Faces::Points(_) | Faces::Lines(_)) {
                compute(part, options.crease);
                count += part.positions.len();
            }
        }
        if count > 0 {
            let object = label("mesh", &mesh.name, index);
            let message = "the source has no normals; they are computed from the faces";
            report.loss(Loss::approximated(
                &codes::NORMALS_COMPUTED,
                object,
                count,
                None,
                "degrees",
                message,
            ));
        }
    }
}

fn compute(part: &mut Part, crease: f32) {
    let corners = Corner::all(part);
    let at_corners = smooth(part, &corners, crease);
    part.normals = split_corners::<Vec3, [u32; 3]>(part, &at_corners, Vec3::Y);
}

/// What a face says about one of its corners.
struct Corner {
    /// Unit normal of the face; zero if it has no area.
    face: DVec3,
    angle: f64,
}

impl Corner {
    /// One for each corner of the part's faces, in their order.
    fn all(part: &Part) -> Vec<Corner> {
        let at = |&corner: &u32| part.positions[corner as usize].as_dvec3();
        let mut all = Vec::with_capacity(part.faces.corners().len());
        let mut add = |face: &[u32]| {
            let normal = newell(face.iter().map(at)).normalize_or_zero();
            let n = face.len();
            for i in 0..n {
                let here = at(&face[i]);
                let (before, after) = (at(&face[(i + n - 1) % n]) - here, at(&face[(i + 1) % n]) - here);
                let angle = before.angle_between(after);
                all.push(Corner { face: normal, angle: if angle.is_finite() { angle } else { 0.0 } });
            }
        };
        match &part.faces {
            Faces::Polygons { starts, corners } => {
                starts.windows(2).for_each(|f| add(&corners[f[0] as usize..f[1] as usize]));
            }
            faces => faces.corners().chunks(3).for_each(add),
        }
        all
    }
}

fn smooth(part: &Part, corners: &[Corner], crease: f32) -> Vec<Vec3> {
    let mut places: HashMap<[u32; 3], Vec<u32>> = HashMap::new();
    for (index, &vertex) in part.faces.corners().iter().enumerate() {
        let place: [u32; 3] = bytemuck::cast(part.positions[vertex as usize] + Vec3::ZERO);
        places.entry(place).or_default().push(index as u32);
    }
    // A little slack, so that flat faces that differ by rounding share a normal.
    let least = f64::from(crease).to_radians().cos().min(1.0 - 1e-9);
    let mut normals = vec![Vec3::ZERO; corners.len()];
    for place in places.values() {
        let sum = |wanted: &dyn Fn(&Corner) -> bool| {
            let around = place.iter().map(|&i| &corners[i as usize]).filter(|c| wanted(c));
            around.map(|c| c.face * c.angle).sum::<DVec3>()
        };
        let together = (crease >= 180.0 || place.len() > MOST_CORNERS).then(|| sum(&|_| true));
        for &index in place {
            let own = corners[index as usize].face;
            let mean = together.unwrap_or_else(|| sum(&|c| c.face.dot(own) >= least));
            let normal = mean.try_normalize().unwrap_or(if own == DVec3::ZERO { DVec3::Y } else { own });
            normals[index as usize] = normal.as_vec3();
        }
    }
    normals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Mesh;

    /// A cube of eight shared vertices around the origin, as quads.
    fn cube(crease: f32) -> Part {
        let positions = (0..8).map(|i| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32) - 0.5);
        let quads = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5];
        let faces = Faces::Polygons { starts: (0..7).map(|i| i * 4).collect(), corners: quads.into() };
        let part = Part { positions: positions.collect(), faces, ..Part::default() };
        let mut scene =
            Scene { meshes: vec![Mesh { parts: vec![part], ..Mesh::default() }], ..Scene::default() };
        let mut report = Report::default();
        normals(&mut scene, &NormalsOptions { crease }, &mut report);
        assert_eq!(report.losses().len(), 1);
        scene.meshes.remove(0).parts.remove(0)
    }

    #[test]
    fn a_smooth_cube_points_along_its_diagonals() {
        let part = cube(180.0);
        assert_eq!(part.positions.len(), 8);
        for (normal, position) in part.normals.iter().zip(&part.positions) {
            assert!(normal.distance(position.normalize()) < 1e-6, "{normal} at {position}");
        }
    }

    #[test]
    fn a_cube_with_creases_is_split_into_flat_faces() {
        for crease in [0.0, 60.0] {
            let part = cube(crease);
            assert_eq!((part.positions.len(), part.faces.count()), (24, 6));
            for face in part.faces.corners().chunks(4) {
                let [normal, ..] = [part.normals[face[0] as usize]];
                assert!(face.iter().all(|&c| part.normals[c as usize] == normal));
                assert!(face.iter().all(|&c| (part.positions[c as usize].dot(normal) - 0.5).abs() < 1e-6));
            }
        }
    }

    #[test]
    fn faces_without_area_get_unit_normals() {
        let faces = Faces::Triangles(vec![0, 1, 2]);
        let part = Part { positions: vec![Vec3::ONE; 3], faces, ..Part::default() };
        let mut scene =
            Scene { meshes: vec![Mesh { parts: vec![part], ..Mesh::default() }], ..Scene::default() };
        normals(&mut scene, &NormalsOptions::default(), &mut Report::default());
        assert_eq!(scene.meshes[0].parts[0].normals, [Vec3::Y; 3]);
    }
}
