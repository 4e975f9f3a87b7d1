//! An upper bound for how far apart two clips put any vertex, without posing the vertices.

use crate::pose::{Pose, bounds};
use crate::scene::{Clip, Scene};
use glam::{DMat4, DVec3, Vec3};

/// Boxes around the vertices that each node moves. The corners of a box move at least as far as anything in it, and a
/// blend of several joints is never farther off than the worst of them.
pub(super) struct Probes {
    probes: Vec<Probe>,
    /// The model's size: the diagonal of its box at rest.
    size: f64,
}

struct Probe {
    node: usize,
    /// From the mesh's space to the node's.
    bind: DMat4,
    min: Vec3,
    max: Vec3,
}

impl Probe {
    fn new(node: usize, bind: DMat4) -> Self {
        Self { node, bind, min: Vec3::INFINITY, max: Vec3::NEG_INFINITY }
    }

    fn add(&mut self, point: Vec3) {
        (self.min, self.max) = (self.min.min(point), self.max.max(point));
    }

    fn corners(&self) -> impl Iterator<Item = DVec3> + '_ {
        let pick = |i: usize, axis: usize| if i >> axis & 1 == 0 { self.min[axis] } else { self.max[axis] };
        (0..8).map(move |i| Vec3::new(pick(i, 0), pick(i, 1), pick(i, 2)).as_dvec3())
    }
}

impl Probes {
    pub(super) fn new(scene: &Scene) -> Self {
        let mut probes = Vec::new();
        for (index, node) in scene.nodes.iter().enumerate() {
            let Some(mesh) = node.mesh else { continue };
            let first = probes.len();
            match node.skin.map(|s| &scene.skins[s.index()]) {
                Some(skin) => {
                    probes.extend(skin.joints.iter().zip(&skin.inverse_binds).map(|(joint, bind)| {
                        Probe::new(joint.index(), DMat4::from_cols_array(&bind.map(f64::from)))
                    }))
                }
                None => probes.push(Probe::new(index, DMat4::IDENTITY)),
            }
            for part in &scene.meshes[mesh.index()].parts {
                if node.skin.is_none() {
                    part.positions.iter().for_each(|&p| probes[first].add(p));
                    continue;
                }
                for (influences, &position) in part.influences.iter().zip(&part.positions) {
                    for pair in influences.iter().filter(|p| p.weight != 0.0) {
                        probes[first + pair.joint as usize].add(position);
                    }
                }
            }
        }
        probes.retain(|p| p.min.x <= p.max.x);
        let size = bounds(scene, &Pose::rest(scene)).map_or(0.0, |b| b.diagonal());
        Self { probes, size }
    }

    /// The largest distance at any of the times, as a fraction of the model's size; `None` where nothing is drawn.
    pub(super) fn between(&self, scene: &Scene, a: &Clip, b: &Clip, times: &[f32]) -> Option<f64> {
        self.between_scenes(self, times, |time| (Pose::at(scene, a, time), Pose::at(scene, b, time)))
    }

    /// The same for two scenes of the same nodes and vertices whose joints are bound differently.
    pub(super) fn between_scenes(
        &self,
        other: &Probes,
        times: &[f32],
        poses: impl Fn(f32) -> (Pose, Pose),
    ) -> Option<f64> {
        if self.probes.is_empty() || self.size <= 0.0 {
            return None;
        }
        let at_time = |&time: &f32| {
            let (a, b) = poses(time);
            let of_pair = |(p, q): (&Probe, &Probe)| {
                let difference = a.globals[p.node] * p.bind - b.globals[q.node] * q.bind;
                p.corners().map(|c| (difference * c.extend(1.0)).truncate().length()).fold(0.0, f64::max)
            };
            self.probes.iter().zip(&other.probes).map(of_pair).fold(0.0, f64::max)
        };
        Some(times.iter().map(at_time).fold(0.0, f64::max) / self.size)
    }
}
