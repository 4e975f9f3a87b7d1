use super::deform::{Deformer, PosedPart};
use super::hierarchy::Pose;
use crate::scene::{NodeId, Scene};
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

    /// The eight corners.
    pub fn corners(&self) -> [Vec3; 8] {
        let pick = |i: usize, axis: usize| if i >> axis & 1 == 0 { self.min[axis] } else { self.max[axis] };
        std::array::from_fn(|i| Vec3::new(pick(i, 0), pick(i, 1), pick(i, 2)))
    }

    /// The distance from corner to opposite corner.
    pub fn diagonal(&self) -> f64 {
        self.min.as_dvec3().distance(self.max.as_dvec3())
    }
}

/// The distance of the farthest point from the origin: the radius of a ball around it that holds them all. 0 without any.
pub fn radius(points: impl IntoIterator<Item = Vec3>) -> f32 {
    let squares = points.into_iter().map(|p| p.as_dvec3().length_squared());
    squares.fold(0.0, f64::max).sqrt() as f32
}

/// The box around all vertices of all placements in a pose; `None` without vertices.
pub fn bounds(scene: &Scene, pose: &Pose) -> Option<Bounds> {
    let (mut deformer, mut parts) = (Deformer::positions_only(), Vec::new());
    let of_node = |node| bounds_of_node(scene, pose, node, &mut deformer, &mut parts);
    scene.node_ids().filter_map(of_node).reduce(Bounds::union)
}

/// The box around all vertices of one placement. The deformer and the parts are memory to be used again.
pub(super) fn bounds_of_node(
    scene: &Scene,
    pose: &Pose,
    node: NodeId,
    deformer: &mut Deformer,
    parts: &mut Vec<PosedPart>,
) -> Option<Bounds> {
    deformer.deform(scene, pose, node, parts);
    parts.iter().filter_map(|part| Bounds::of(part.positions.iter().copied())).reduce(Bounds::union)
}
