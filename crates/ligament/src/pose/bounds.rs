use super::deform::Deformer;
use super::hierarchy::Pose;
use crate::scene::Scene;
use glam::Vec3;

/// An axis-aligned box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Least coordinates.
    pub min: Vec3,
    /// Greatest coordinates.
    pub max: Vec3,
}

impl Bounds {
    /// The box around points; `None` without any.
    pub fn of(points: impl IntoIterator<Item = Vec3>) -> Option<Self> {
        points.into_iter().map(|p| Bounds { min: p, max: p }).reduce(Bounds::union)
    }

    /// The box around both.
    pub fn union(self, other: Bounds) -> Bounds {
        Bounds { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The distance from corner to opposite corner.
    pub fn diagonal(&self) -> f64 {
        self.min.as_dvec3().distance(self.max.as_dvec3())
    }
}

/// The box around all vertices of all placements in a pose; `None` without vertices.
pub fn bounds(scene: &Scene, pose: &Pose) -> Option<Bounds> {
    let (mut deformer, mut parts) = (Deformer::positions_only(), Vec::new());
    let mut all: Option<Bounds> = None;
    for node in scene.node_ids() {
        deformer.deform(scene, pose, node, &mut parts);
        for part in &parts {
            let found = Bounds::of(part.positions.iter().copied());
            all = [all, found].into_iter().flatten().reduce(Bounds::union);
        }
    }
    all
}
