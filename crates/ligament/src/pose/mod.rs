//! Posing: what a scene looks like at a time of a clip.
//!
//! [`Pose::at`] samples every track, multiplies the hierarchy out (in f64, so that long chains do not add up rounding)
//! and keeps the morph weights; [`deform`] then moves the vertices of one mesh placement.

use crate::scene::{Clip, Local, NodeId, Scene};
use glam::{DMat4, Vec3, Vec4};

/// All nodes of a scene at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Pose {
    /// For each node, the matrix from its space to the scene's.
    pub globals: Vec<DMat4>,
    /// For each node that draws a mesh with morph targets, their weights; empty elsewhere.
    pub morph_weights: Vec<Vec<f32>>,
}

impl Pose {
    /// The scene at rest: no clip is playing.
    pub fn rest(_scene: &Scene) -> Self {
        todo!()
    }

    /// The scene at a time of a clip. Before the first key and after the last, tracks hold their end values; nodes
    /// without a track are at rest.
    pub fn at(_scene: &Scene, _clip: &Clip, _seconds: f32) -> Self {
        todo!()
    }
}

/// Every node's local transform at a time of a clip: sampled where a track moves it, at rest elsewhere.
pub fn locals_at(_scene: &Scene, _clip: &Clip, _seconds: f32) -> Vec<Local> {
    todo!()
}

/// The vertices of one part, posed, in the scene's space.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PosedPart {
    /// Positions, one for each vertex of the part.
    pub positions: Vec<Vec3>,
    /// Unit normals, or empty where the part has none.
    pub normals: Vec<Vec3>,
    /// Unit tangents with the bitangent's sign, or empty.
    pub tangents: Vec<Vec4>,
}

/// Poses the mesh that a node draws: one entry for each part; none if the node draws nothing.
pub fn deform(_scene: &Scene, _pose: &Pose, _node: NodeId) -> Vec<PosedPart> {
    todo!()
}

/// An axis-aligned box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Least coordinates.
    pub min: Vec3,
    /// Greatest coordinates.
    pub max: Vec3,
}

/// The box around all vertices of all placements in a pose; `None` without vertices.
pub fn bounds(_scene: &Scene, _pose: &Pose) -> Option<Bounds> {
    todo!()
}
