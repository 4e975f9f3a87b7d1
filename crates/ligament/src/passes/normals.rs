//! Computes missing normals from the faces.

use super::{codes, label};
use crate::mesh::normals::facing;
use crate::mesh::smoothing::{FaceList, smooth_faces};
use crate::mesh::vertices::split_corners;
use crate::report::{Loss, Report};
use crate::scene::{Faces, Part, Scene};
use glam::Vec3;

/// How normals are computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalsOptions {
    /// Faces that meet at a larger angle (in degrees) have a hard edge between them: 0 makes every face flat, 180 makes
    /// everything smooth.
    pub crease: f32,
    /// Which faces around a position share a normal.
    pub grouping: Grouping,
}

/// Which faces around a position share a normal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Grouping {
    /// Each face with all those within the crease angle of itself, weighted by their angles at the position. This looks
    /// smoothest.
    #[default]
    Facing,
    /// Connected faces: two faces are connected if they share an edge at the position and meet there within the crease
    /// angle. They are weighted by area. Tools of the early 2000s (NVMeshMender) did this, and formats of that time
    /// mean it by a smoothing angle.
    Connected,
}

impl Default for NormalsOptions {
    /// Flat faces, as glTF prescribes for meshes without normals.
    fn default() -> Self {
        Self { crease: 0.0, grouping: Grouping::Facing }
    }
}

/// Adds normals to the parts that have none: at each corner the mean of the faces around its position that the options
/// group together. Vertices are split where faces meet at more than the crease angle.
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
                let at_corners = at_corners(part, options);
                part.normals = split_corners::<Vec3, [u32; 3]>(part, &at_corners, Vec3::Y);
                count += part.positions.len();
            }
        }
        let object = label("mesh", &mesh.name, index);
        let message = "the source has no normals; they are computed from the faces";
        report.loss(Loss::approximated(&codes::NORMALS_COMPUTED, object, count, None, "degrees", message));
    }
}

/// Whether some drawn parts have normals and others do not.
pub(super) fn are_of_some_parts(scene: &Scene) -> bool {
    let parts = || scene.meshes.iter().flat_map(|m| &m.parts).filter(|p| p.faces.count() > 0);
    parts().any(|p| p.normals.is_empty()) && parts().any(|p| !p.normals.is_empty())
}

fn at_corners(part: &Part, options: &NormalsOptions) -> Vec<Vec3> {
    let faces = FaceList::of(&part.faces);
    match options.grouping {
        Grouping::Facing => facing(&part.positions, faces, options.crease),
        Grouping::Connected => {
            let smooth = smooth_faces(&part.positions, faces, options.crease);
            smooth.of_corner.iter().map(|&number| smooth.normals[number as usize]).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::normals::group_normals;
    use crate::passes::testing::of_part;

    /// A cube of eight shared vertices around the origin, as quads.
    fn cube(crease: f32, grouping: Grouping) -> Part {
        let positions = (0..8).map(|i| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32) - 0.5);
        let quads = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5];
        let faces = Faces::Polygons { starts: (0..7).map(|i| i * 4).collect(), corners: quads.into() };
        let mut scene = of_part(Part { positions: positions.collect(), faces, ..Part::default() });
        let mut report = Report::default();
        normals(&mut scene, &NormalsOptions { crease, grouping }, &mut report);
        assert_eq!(report.losses().len(), 1);
        scene.meshes.remove(0).parts.remove(0)
    }

    #[test]
    fn a_smooth_cube_points_along_its_diagonals() {
        for grouping in [Grouping::Facing, Grouping::Connected] {
            let part = cube(180.0, grouping);
            assert_eq!(part.positions.len(), 8);
            for (normal, position) in part.normals.iter().zip(&part.positions) {
                assert!(normal.distance(position.normalize()) < 1e-6, "{normal} at {position}");
            }
        }
    }

    #[test]
    fn a_cube_with_creases_is_split_into_flat_faces() {
        let groupings = [Grouping::Facing, Grouping::Connected];
        for (crease, grouping) in [0.0, 60.0].into_iter().flat_map(|c| groupings.map(|g| (c, g))) {
            let part = cube(crease, grouping);
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
        let mut scene = of_part(Part { positions: vec![Vec3::ONE; 3], faces, ..Part::default() });
        normals(&mut scene, &NormalsOptions::default(), &mut Report::default());
        assert_eq!(scene.meshes[0].parts[0].normals, [Vec3::Y; 3]);
    }

    fn of_triangles(positions: Vec<Vec3>, faces: &[u32], crease: f32, grouping: Grouping) -> Vec<Vec3> {
        let faces = Faces::Triangles(faces.into());
        let mut scene = of_part(Part { positions, faces, ..Part::default() });
        normals(&mut scene, &NormalsOptions { crease, grouping }, &mut Report::default());
        let part = &scene.meshes[0].parts[0];
        part.faces.corners().iter().map(|&c| part.normals[c as usize]).collect()
    }

    /// Two triangles meet at 40 degrees along the Z axis, one three times as large as the other. A third, coplanar with
    /// the first, touches them in one point only, through its own vertex.
    #[test]
    fn connected_faces_are_weighted_by_area_and_points_do_not_connect() {
        let (sin, cos) = 40_f32.to_radians().sin_cos();
        let [first, second] = [Vec3::Y, Vec3::new(sin, cos, 0.0)];
        let positions = vec![
            Vec3::ZERO,
            Vec3::Z,
            Vec3::NEG_X,
            3.0 * Vec3::new(cos, -sin, 0.0),
            Vec3::ZERO,
            Vec3::NEG_Z,
            -Vec3::X - Vec3::Z,
        ];
        let faces = [0, 2, 1, 0, 1, 3, 4, 5, 6];
        let corner = |crease, grouping| of_triangles(positions.clone(), &faces, crease, grouping);
        let near = |a: Vec3, b: Vec3| assert!(a.distance(b) < 1e-6, "{a}, not {b}");
        let found = corner(50.0, Grouping::Connected);
        (0..2).for_each(|c| near(found[3 * c], (first + 3.0 * second).normalize()));
        near(found[6], first);
        let found = corner(30.0, Grouping::Connected);
        (0..3).zip([first, second, first]).for_each(|(c, expected)| near(found[3 * c], expected));
        // By angle: 90 degrees each for the first two, 45 for the third.
        let found = corner(50.0, Grouping::Facing);
        (0..3).for_each(|c| near(found[3 * c], (1.5 * first + second).normalize()));
    }

    #[test]
    fn connected_faces_need_not_all_face_the_same_way() {
        let rim = |angle: f32| Vec3::new(angle.to_radians().sin(), -0.5, angle.to_radians().cos());
        let spokes = [0.0, 60.0, 120.0, 180.0].map(rim);
        let area = |i: usize| spokes[i].cross(spokes[i + 1]);
        let between = |a: usize, b: usize| area(a).angle_between(area(b)).to_degrees();
        assert!(between(0, 1) < 35.0 && between(1, 2) < 35.0 && between(0, 2) > 40.0);
        let positions: Vec<Vec3> = [Vec3::ZERO].into_iter().chain(spokes).collect();
        let found = of_triangles(positions, &[0, 1, 2, 0, 2, 3, 0, 3, 4], 35.0, Grouping::Connected);
        let expected = (area(0) + area(1) + area(2)).normalize();
        (0..3).for_each(|c| assert!(found[3 * c].distance(expected) < 1e-6));
    }

    #[test]
    fn smoothing_groups_end_where_another_begins() {
        // A roof of two squares that meet at a right angle along the Y axis, and a third that continues the second.
        let positions: Vec<Vec3> = [(-1, -1), (0, 0), (1, -1), (2, -1)]
            .iter()
            .flat_map(|&(x, z)| [0, 1].map(|y| Vec3::new(x as f32, y as f32, z as f32)))
            .collect();
        let corners = vec![0, 2, 3, 1, 2, 4, 5, 3, 4, 6, 7, 5];
        let faces = Faces::Polygons { starts: vec![0, 4, 8, 12], corners };
        let (left, right) = (Vec3::new(-1.0, 0.0, 1.0).normalize(), Vec3::new(1.0, 0.0, 1.0).normalize());
        let close = |a: Vec3, b: Vec3| assert!(a.distance(b) < 1e-6, "{a} is not {b}");
        let flat = group_normals(&positions, &faces, &[0, 0, 0]);
        close(flat[1], left);
        close(flat[4], right);
        let smooth = group_normals(&positions, &faces, &[7, 7, 0]);
        close(smooth[0], left);
        close(smooth[1], Vec3::Z);
        close(smooth[4], Vec3::Z);
        close(smooth[5], right);
        close(smooth[8], Vec3::Z);
        let apart = group_normals(&positions, &faces, &[1, 2, 2]);
        close(apart[1], left);
        close(apart[4], right);
        close(apart[5], (right + Vec3::Z).normalize());
    }
}
