//! How far two models are apart over the time of a clip.

use super::moments::moments;
use super::surface::Buffers;
use super::{CompareOptions, SideBySide, parallel_map};
use crate::progress::Progress;

impl SideBySide<'_> {
    /// Seconds into the first model's clip and the largest deviation then, in ascending order of time: at the keys of
    /// both, between them, and before steps. Beyond `most` moments, they are thinned out evenly; the first and the last
    /// stay. `clips` is one of [`clips`](Self::clips).
    pub fn over_time(&self, clips: (usize, usize), most: usize) -> Vec<(f64, f64)> {
        let (first, second) = (&self.first.scene.clips[clips.0], &self.second.scene.clips[clips.1]);
        if self.pairs.list.is_empty() {
            return Vec::new();
        }
        let (moments, _) = moments(first, second, &CompareOptions::default(), most);
        let vertices = self.first.vertex_count.max(self.second.vertex_count);
        let scratch = || (Buffers::default(), Vec::new(), Vec::new());
        let measured =
            parallel_map::each(moments.len(), vertices, &Progress::default(), scratch, |number, scratch| {
                let (buffers, own, other) = scratch;
                let moment = moments[number];
                let pose = self.first.model.pose(clips.0, moment.first, moment.before);
                self.first.pose(&pose, buffers, own);
                let pose = self.second.model.pose(clips.1, moment.second, moment.before);
                self.second.pose(&pose, buffers, other);
                let distances = self
                    .pairs
                    .list
                    .iter()
                    .map(|&(a, b)| own[a as usize].as_dvec3().distance(other[b as usize].as_dvec3()));
                let worst = distances.fold(0.0, |worst: f64, distance| match distance.is_nan() {
                    // A distance that is not a number is the worst of all.
                    true => f64::INFINITY,
                    false => worst.max(distance),
                });
                (f64::from(moment.shown()), worst)
            });
        measured.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Clip, Faces, Interpolation, Mesh, MeshId, Node, NodeId, Part, Scene, Track, Values};
    use glam::Vec3;

    /// A triangle that moves along x, with these keys.
    fn moving(keys: &[(f32, f32)]) -> Scene {
        let faces = Faces::Triangles(vec![0, 1, 2]);
        let part = Part { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y], faces, ..Part::default() };
        let mut scene =
            Scene { meshes: vec![Mesh { parts: vec![part], ..Mesh::default() }], ..Scene::default() };
        scene.add_node(Node { mesh: Some(MeshId(0)), ..Node::default() });
        let track = Track {
            node: NodeId(0),
            interpolation: Interpolation::Linear,
            times: keys.iter().map(|key| key.0).collect::<Vec<_>>().into(),
            values: Values::Translation(keys.iter().map(|key| Vec3::X * key.1).collect()),
        };
        let duration = keys.last().map_or(0.0, |key| key.0);
        scene.clips.push(Clip { name: "go".into(), duration, tracks: vec![track], ..Clip::default() });
        scene
    }

    #[test]
    fn the_curve_is_the_distance_at_each_moment() {
        let (first, second) =
            (moving(&[(0.0, 0.0), (2.0, 2.0)]), moving(&[(0.0, 0.0), (1.0, 0.5), (2.0, 2.0)]));
        let both = SideBySide::new(&first, &second);
        assert_eq!(both.clips(), [(0, 0)]);
        let points = [(0.0, 0.0), (0.5, 0.25), (1.0, 0.5), (1.5, 0.25), (2.0, 0.0)];
        assert_eq!(both.over_time((0, 0), 100), points);
        let few = both.over_time((0, 0), 3);
        assert!(few.len() <= 3 && few[0] == points[0] && few.last() == points.last(), "{few:?}");
    }

    #[test]
    fn a_clip_of_one_key_is_one_point() {
        let (first, second) = (moving(&[(0.0, 0.0)]), moving(&[(0.0, 0.75)]));
        assert_eq!(SideBySide::new(&first, &second).over_time((0, 0), 100), [(0.0, 0.75)]);
    }
}
