//! The deviation of the second model from the first.

use crate::curve::{Curve, Curves};
use ligament::Scene;
use ligament::compare::{Pairing, SideBySide};
use ligament::math::Vec3;
use ligament::pose::{Deformer, Pose, PosedPart};
use ligament_render::{deviations, is_identical};
use std::sync::Arc;

/// Two scenes with their vertices paired.
pub struct Difference {
    scenes: [Arc<Scene>; 2],
    pairs: Vec<(u32, u32)>,
    clips: Vec<(usize, usize)>,
    /// The first model's size.
    pub size: f64,
    /// How vertices were paired.
    pub pairing: Pairing,
    /// The largest deviation in the pose that was measured last.
    pub worst: f64,
    /// The largest deviation in any pose that was measured: where the scale of colours ends, so that it does not jump from
    /// picture to picture.
    pub peak: f64,
    /// The deviation over each clip, once it was measured.
    pub curves: Vec<Curve>,
    memory: [Vec<Vec3>; 2],
    distances: Vec<Option<f32>>,
    deformer: Deformer,
    parts: Vec<PosedPart>,
}

impl Difference {
    /// Pairs the vertices of two scenes. This may take a while.
    pub fn new(scenes: [Arc<Scene>; 2]) -> Self {
        let both = SideBySide::new(&scenes[0], &scenes[1]);
        let (pairs, clips) = (both.pairs().to_vec(), both.clips().to_vec());
        let (size, pairing) = (both.size(), both.pairing());
        Self {
            scenes,
            pairs,
            clips,
            size,
            pairing,
            worst: 0.0,
            peak: 0.0,
            curves: Vec::new(),
            memory: [Vec::new(), Vec::new()],
            distances: Vec::new(),
            deformer: Deformer::positions_only(),
            parts: Vec::new(),
        }
    }

    /// The same pairs, to be measured on another thread.
    pub fn again(&self) -> Self {
        Self {
            scenes: self.scenes.clone(),
            pairs: self.pairs.clone(),
            clips: self.clips.clone(),
            size: self.size,
            pairing: self.pairing,
            worst: 0.0,
            peak: 0.0,
            curves: Vec::new(),
            memory: [Vec::new(), Vec::new()],
            distances: Vec::new(),
            deformer: Deformer::positions_only(),
            parts: Vec::new(),
        }
    }

    /// Both scenes.
    pub fn scenes(&self) -> &[Arc<Scene>; 2] {
        &self.scenes
    }

    /// The clips that belong together, of the first and the second scene.
    pub fn clips(&self) -> &[(usize, usize)] {
        &self.clips
    }

    /// The largest deviation in a pose.
    pub fn worst_of(&mut self, poses: [&Pose; 2]) -> f64 {
        self.measure(poses);
        self.worst
    }

    /// Takes the curves. The scale of colours ends at the largest deviation of all clips from now on.
    pub fn take_curves(&mut self, curves: Curves) {
        self.curves = curves.all;
        let worst = self.worst_moment().map_or(0.0, |(_, _, worst)| worst);
        self.peak = self.peak.max(worst);
    }

    /// The clip of the first model, the second and the deviation where it is largest.
    pub fn worst_moment(&self) -> Option<(usize, f64, f64)> {
        let moments = self.curves.iter().filter_map(|curve| {
            let (time, worst) = curve.worst()?;
            Some((curve.clip, time, worst))
        });
        moments.max_by(|a, b| a.2.total_cmp(&b.2))
    }

    /// The second model's counterpart of a clip of the first.
    pub fn partner(&self, clip: usize) -> Option<usize> {
        self.clips.iter().find(|pair| pair.0 == clip).map(|pair| pair.1)
    }

    /// Whether this pairing belongs to these scenes.
    pub fn is_of(&self, first: &Arc<Scene>, second: &Arc<Scene>) -> bool {
        Arc::ptr_eq(&self.scenes[0], first) && Arc::ptr_eq(&self.scenes[1], second)
    }

    /// Whether there is anything to compare.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// A colour per vertex of the second model, by its distance from the first.
    pub fn colors(&mut self, poses: [&Pose; 2]) -> Vec<[u8; 4]> {
        self.measure(poses);
        let distances = self.distances.iter().map(|distance| distance.map(f64::from));
        deviations(distances, self.peak, self.peak, self.size)
    }

    /// Whether the models have been the same in all poses that were measured, but for rounding.
    pub fn is_identical(&self) -> bool {
        is_identical(self.peak, self.size)
    }

    fn measure(&mut self, poses: [&Pose; 2]) {
        for (which, pose) in poses.into_iter().enumerate() {
            let (scene, places) = (&self.scenes[which], &mut self.memory[which]);
            places.clear();
            for node in scene.node_ids() {
                self.deformer.deform(scene, pose, node, &mut self.parts);
                self.parts.iter().for_each(|part| places.extend_from_slice(&part.positions));
            }
        }
        let [first, second] = &self.memory;
        self.distances.clear();
        self.distances.resize(second.len(), None);
        self.worst = 0.0;
        for &(a, b) in &self.pairs {
            let (Some(own), Some(other)) = (first.get(a as usize), second.get(b as usize)) else { continue };
            let distance = own.distance(*other);
            // A deviation that cannot be measured counts as the worst one.
            let distance = if distance.is_finite() { distance } else { f32::MAX };
            let known = &mut self.distances[b as usize];
            *known = Some(known.map_or(distance, |known| known.max(distance)));
            self.worst = self.worst.max(f64::from(distance));
        }
        self.peak = self.peak.max(self.worst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament::scene::{Faces, Mesh, MeshId, Node, Part};
    use ligament_render::heat;

    fn scene(points: &[Vec3]) -> Arc<Scene> {
        let faces = Faces::Triangles((0..points.len() as u32 / 3 * 3).collect());
        let part = Part { positions: points.to_vec(), faces, ..Part::default() };
        let mesh = Mesh { parts: vec![part], ..Mesh::default() };
        let mut scene = Scene { meshes: vec![mesh], ..Scene::default() };
        scene.add_node(Node { mesh: Some(MeshId(0)), ..Node::default() });
        Arc::new(scene)
    }

    /// The library's own comparison is the reference.
    #[test]
    fn distances_are_those_of_the_library() {
        let points = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let mut moved = points;
        moved[1].z += 0.25;
        let (first, second) = (scene(&points), scene(&moved));
        let poses = [Pose::rest(&first), Pose::rest(&second)];
        let expected = SideBySide::new(&first, &second).distances(&poses[0], &poses[1]);
        let mut difference = Difference::new([Arc::clone(&first), Arc::clone(&second)]);
        let colors = difference.colors([&poses[0], &poses[1]]);
        let found: Vec<Option<f64>> = difference.distances.iter().map(|d| d.map(f64::from)).collect();
        assert_eq!(found, expected);
        assert_eq!(difference.worst, 0.25);
        assert_eq!(colors[..3], [heat(0.0), heat(1.0), heat(0.0)]);
        assert!(!difference.is_identical());
        // In a pose without deviation the scale stays.
        difference.colors([&poses[0], &poses[0]]);
        assert_eq!(difference.peak, 0.25);
        assert!(difference.is_of(&first, &second) && !difference.is_of(&second, &first));
    }
}
