use super::deform::{Deformer, PosedPart};
use super::hierarchy::Pose;
use crate::scene::{NodeId, Part, Scene};
use glam::{DVec3, Vec3};

/// An axis-aligned box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Smallest coordinates.
    pub min: Vec3,
    /// Largest coordinates.
    pub max: Vec3,
}

impl Bounds {
    /// The box around points; `None` if there are none.
    pub fn of(points: impl IntoIterator<Item = Vec3>) -> Option<Self> {
        points.into_iter().map(|p| Bounds { min: p, max: p }).reduce(Bounds::union)
    }

    /// The box around both.
    pub fn union(self, other: Bounds) -> Bounds {
        Bounds { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The eight corners.
    pub fn corners(&self) -> [DVec3; 8] {
        let pick = |i: usize, axis: usize| {
            f64::from(if i >> axis & 1 == 0 { self.min[axis] } else { self.max[axis] })
        };
        std::array::from_fn(|i| DVec3::new(pick(i, 0), pick(i, 1), pick(i, 2)))
    }

    /// Extends a box, if there is one yet, to hold a point.
    pub(crate) fn add(all: &mut Option<Bounds>, point: Vec3) {
        let own = Bounds { min: point, max: point };
        *all = Some(all.map_or(own, |b| b.union(own)));
    }

    /// The distance from corner to opposite corner.
    pub fn diagonal(&self) -> f64 {
        self.min.as_dvec3().distance(self.max.as_dvec3())
    }
}

/// The largest distance of a point from the origin: the radius of a sphere around it that holds them all. 0 if there
/// are no points.
pub fn radius(points: impl IntoIterator<Item = Vec3>) -> f32 {
    let squares = points.into_iter().map(|p| p.as_dvec3().length_squared());
    squares.fold(0.0, f64::max).sqrt() as f32
}

/// The box around the vertices that each joint influences; indices of missing joints are ignored.
pub(crate) fn joint_bounds<'a>(
    parts: impl IntoIterator<Item = &'a Part>,
    joints: usize,
) -> Vec<Option<Bounds>> {
    let mut boxes = vec![None; joints];
    for part in parts {
        for (pairs, &position) in part.influences.iter().zip(&part.positions) {
            for pair in pairs.iter().filter(|pair| pair.weight != 0.0) {
                if let Some(own) = boxes.get_mut(pair.joint as usize) {
                    Bounds::add(own, position);
                }
            }
        }
    }
    boxes
}

/// The box around all vertices of all placements in a pose; `None` if there are no vertices.
pub fn bounds(scene: &Scene, pose: &Pose) -> Option<Bounds> {
    let (mut deformer, mut parts) = (Deformer::positions_only(), Vec::new());
    let of_node = |node| bounds_of_node(scene, pose, node, &mut deformer, &mut parts);
    scene.node_ids().filter_map(of_node).reduce(Bounds::union)
}

/// The box around all vertices of one placement. The deformer and the parts are reused buffers.
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
