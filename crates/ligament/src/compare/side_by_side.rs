//! Measures every vertex in one pose, where [`compare`](super::compare()) sums up all poses.

use super::clips::{Matched, matched};
use super::pairing::{Pairs, pair};
use super::surface::{Buffers, Surface};
use super::{CompareOptions, Model, Pairing, measure};
use crate::pose::Pose;
use crate::scene::Scene;

/// Two scenes with their vertices paired as [`compare`](super::compare()) pairs them, to be measured in any pose.
///
/// ```
/// use ligament::{Scene, compare::SideBySide, pose::Pose};
/// # let (source, result) = (Scene::default(), Scene::default());
/// let both = SideBySide::new(&source, &result);
/// for distance in both.distances(&Pose::rest(&source), &Pose::rest(&result)).into_iter().flatten() {
///     println!("{:.4} %", distance / both.size() * 100.0);
/// }
/// ```
pub struct SideBySide<'a> {
    pub(super) first: Surface<'a>,
    pub(super) second: Surface<'a>,
    pub(super) pairs: Pairs,
    matched: Matched,
    size: f64,
}

impl<'a> SideBySide<'a> {
    /// Pairs the vertices of two scenes.
    pub fn new(first: &'a Scene, second: &'a Scene) -> Self {
        Self::of_models(first.into(), second.into())
    }

    /// Pairs the vertices of two models, which may move by their files' own rules.
    pub fn of_models(first: Model<'a>, second: Model<'a>) -> Self {
        let (matched, _) = matched(first.scene, second.scene);
        let size = measure::size(first.scene);
        let most = CompareOptions::default().max_corners;
        let (first, second) = (Surface::new(first, most), Surface::new(second, most));
        let pairs = pair(&first, &second, &matched, size);
        Self { first, second, pairs, matched, size }
    }

    /// The indices of clips that belong together, in the first and in the second scene.
    pub fn clips(&self) -> &[(usize, usize)] {
        &self.matched
    }

    /// The first model's size, as in [`Comparison::size`](super::Comparison::size).
    pub fn size(&self) -> f64 {
        self.size
    }

    /// How vertices were paired.
    pub fn pairing(&self) -> Pairing {
        self.pairs.pairing
    }

    /// The vertices that belong together, of the first and of the second scene. Vertices are numbered through all parts
    /// of all nodes' meshes, in the order of the nodes.
    pub fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs.list
    }

    /// The distance of each vertex of the second scene from its counterpart in the first; `None` if it has none.
    /// Vertices are numbered as in [`pairs`](Self::pairs).
    pub fn distances(&self, first: &Pose, second: &Pose) -> Vec<Option<f64>> {
        let mut buffers = Buffers::default();
        let (mut own, mut other) = (Vec::new(), Vec::new());
        self.first.pose(first, &mut buffers, &mut own);
        self.second.pose(second, &mut buffers, &mut other);
        let mut distances = vec![None; self.second.vertex_count];
        for &(a, b) in &self.pairs.list {
            let distance = own[a as usize].as_dvec3().distance(other[b as usize].as_dvec3());
            // A distance that is not a number is the worst of all.
            let distance = if distance.is_nan() { f64::INFINITY } else { distance };
            let known: &mut Option<f64> = &mut distances[b as usize];
            *known = Some(known.map_or(distance, |known| known.max(distance)));
        }
        distances
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{CompareOptions, compare};
    use crate::scene::{Faces, Mesh, MeshId, Node, Part};
    use glam::Vec3;

    fn scene(points: &[Vec3]) -> Scene {
        let faces = Faces::Triangles((0..points.len() as u32 / 3 * 3).collect());
        let part = Part { positions: points.to_vec(), faces, ..Part::default() };
        let mut scene =
            Scene { meshes: vec![Mesh { parts: vec![part], ..Mesh::default() }], ..Scene::default() };
        scene.add_node(Node { mesh: Some(MeshId(0)), ..Node::default() });
        scene
    }

    #[test]
    fn distances_are_those_that_compare_finds() {
        let points = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE, Vec3::X + Vec3::Y];
        let mut moved = points;
        moved[4].z += 0.25;
        let (first, second) = (scene(&points), scene(&moved));
        let both = SideBySide::new(&first, &second);
        let found = both.distances(&Pose::rest(&first), &Pose::rest(&second));
        assert_eq!(found, [0.0, 0.0, 0.0, 0.0, 0.25, 0.0].map(Some));
        let comparison = compare(&first, &second, &CompareOptions::default());
        assert_eq!(comparison.worst.map(|worst| worst.distance), Some(0.25));
        assert_eq!((both.size(), both.pairing()), (comparison.size, Pairing::InOrder));
    }

    #[test]
    fn vertices_that_no_face_uses_stand_for_none() {
        let (first, second) =
            (scene(&[Vec3::ZERO, Vec3::X, Vec3::Y]), scene(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z]));
        let both = SideBySide::new(&first, &second);
        let found = both.distances(&Pose::rest(&first), &Pose::rest(&second));
        assert_eq!(found, [Some(0.0), Some(0.0), Some(0.0), None]);
    }
}
