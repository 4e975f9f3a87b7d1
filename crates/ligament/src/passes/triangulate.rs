//! Cuts polygons into triangles.

use super::{codes, label};
pub use crate::mesh::polygons::Diagonal;
use crate::mesh::polygons::{Cutter, MOST_CORNERS};
use crate::report::{Loss, Report};
use crate::scene::{Faces, Scene};

/// How polygons are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TriangulateOptions {
    /// The diagonal that cuts a quad if both are possible.
    pub diagonal: Diagonal,
}

/// Cuts every polygon into triangles; vertex arrays do not change. Convex polygons become fans from their first corner;
/// concave ones are cut by ear clipping. Faces of fewer than three corners are dropped with a loss.
///
/// ```
/// use ligament::passes::triangulate::{TriangulateOptions, triangulate};
/// use ligament::scene::{Faces, Mesh, Part, Scene};
/// use ligament::math::Vec3;
///
/// let positions = vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
/// let faces = Faces::Polygons { starts: vec![0, 4], corners: vec![0, 1, 2, 3] };
/// let part = Part { positions, faces, ..Part::default() };
/// let mut scene = Scene { meshes: vec![Mesh { parts: vec![part], ..Mesh::default() }], ..Scene::default() };
/// triangulate(&mut scene, &TriangulateOptions::default(), &mut Default::default());
/// assert_eq!(scene.meshes[0].parts[0].faces, Faces::Triangles(vec![0, 1, 2, 0, 2, 3]));
/// ```
pub fn triangulate(scene: &mut Scene, options: &TriangulateOptions, report: &mut Report) {
    for (index, mesh) in scene.meshes.iter_mut().enumerate() {
        let mut cutter = Cutter::new(options.diagonal);
        for part in &mut mesh.parts {
            if let Faces::Polygons { starts, corners } = &part.faces {
                let triangles = cutter.cut_all(&part.positions, starts, corners);
                part.faces = Faces::Triangles(triangles);
            }
        }
        let object = label("mesh", &mesh.name, index);
        let message = "faces of fewer than three corners are dropped";
        report.loss(Loss::dropped(&codes::FACES, object.clone(), cutter.dropped, message));
        let message = format!("concave faces of more than {MOST_CORNERS} corners are cut as fans");
        report.loss(Loss::approximated(&codes::FACES, object, cutter.fanned, None, "units", message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::polygons::newell;
    use crate::passes::testing::of_part;
    use crate::scene::Part;
    use glam::{DVec3, Vec3};

    fn cut(positions: &[Vec3], starts: &[u32], diagonal: Diagonal) -> (Vec<u32>, Report) {
        let corners = (0..positions.len() as u32).collect();
        let faces = Faces::Polygons { starts: starts.to_vec(), corners };
        let mut scene = of_part(Part { positions: positions.to_vec(), faces, ..Part::default() });
        let mut report = Report::default();
        triangulate(&mut scene, &TriangulateOptions { diagonal }, &mut report);
        (scene.meshes[0].parts[0].faces.corners().to_vec(), report)
    }

    fn area(positions: &[Vec3], triangles: &[u32]) -> (f64, f64) {
        let at = |&i: &u32| positions[i as usize].as_dvec3();
        let areas = triangles.chunks(3).map(|t| newell(t.iter().map(at)).dot(DVec3::Z) / 2.0);
        areas.fold((0.0, f64::MAX), |(sum, least), a| (sum + a, least.min(a)))
    }

    #[test]
    fn the_diagonal_is_the_one_asked_for() {
        let quad = [[0.0, 0.0], [3.0, 0.0], [4.0, 1.0], [1.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
        assert_eq!(cut(&quad, &[0, 4], Diagonal::First).0, [0, 1, 2, 0, 2, 3]);
        assert_eq!(cut(&quad, &[0, 4], Diagonal::Shorter).0, [1, 2, 3, 1, 3, 0]);
    }

    #[test]
    fn concave_faces_are_covered_exactly_once() {
        let dart = [[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]];
        let comb = [
            [0., 0.],
            [7., 0.],
            [7., 5.],
            [6., 5.],
            [5., 1.],
            [4., 5.],
            [3., 1.],
            [2., 5.],
            [1., 1.],
            [0., 5.],
        ];
        for (outline, expected) in [(&dart[..], 4.0), (&comb[..], 23.0)] {
            for turn in 0..outline.len() {
                let mut points: Vec<_> = outline.iter().map(|&[x, y]| Vec3::new(x, y, 2.0)).collect();
                points.rotate_left(turn);
                let (triangles, report) = cut(&points, &[0, points.len() as u32], Diagonal::First);
                let (sum, least) = area(&points, &triangles);
                assert_eq!(triangles.len(), 3 * (points.len() - 2));
                assert!((sum - expected).abs() < 1e-9, "{sum}, not {expected}, from corner {turn}");
                assert!(least > 0.0, "a triangle is turned over, from corner {turn}");
                assert!(report.losses().is_empty());
            }
        }
    }

    #[test]
    fn faces_without_area_or_corners_do_no_harm() {
        let points = [Vec3::ZERO; 9];
        let (triangles, report) = cut(&points, &[0, 2, 6, 9], Diagonal::Shorter);
        assert_eq!(triangles.len(), 9);
        assert_eq!(report.losses().len(), 1);
        assert_eq!(report.losses()[0].count, 1);
    }
}
