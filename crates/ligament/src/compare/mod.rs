//! Two scenes posed side by side: how far any vertex of the one is from where the other has it, and which features one
//! has and the other lacks.

use crate::scene::Scene;
use serde_json::Value;

/// How thoroughly to compare.
#[derive(Debug, Clone)]
pub struct CompareOptions {
    /// Poses between two neighbouring keys, besides the keys themselves.
    pub between_keys: usize,
    /// At most so many poses a clip; beyond it, keys are thinned evenly, and the comparison says so.
    pub max_poses_per_clip: usize,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self { between_keys: 1, max_poses_per_clip: 2000 }
    }
}

/// The outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The model's size: the diagonal of the first scene's box at rest (or, if that is a point, over its clips).
    pub size: f64,
    /// The largest deviation over everything compared; `None` if there was nothing to compare.
    pub worst: Option<Deviation>,
    /// The largest at rest and at times where both scenes have keys: what is stored, without how it is interpolated.
    pub worst_at_keys: Option<Deviation>,
    /// Mean over all vertices and poses, in scene units.
    pub mean: f64,
    /// Poses compared.
    pub poses: usize,
    /// Vertices (or, in scenes without meshes, joints) compared in each pose.
    pub points: usize,
    /// Features that differ.
    pub differences: Vec<Difference>,
}

/// One vertex's distance between the two scenes.
#[derive(Debug, Clone, PartialEq)]
pub struct Deviation {
    /// In scene units.
    pub distance: f64,
    /// As a fraction of the model's size.
    pub relative: f64,
    /// The clip that was playing; `None` at rest.
    pub clip: Option<String>,
    /// Seconds into the clip.
    pub time: f64,
    /// The mesh.
    pub mesh: String,
    /// The vertex, counted over the mesh's parts in the first scene.
    pub vertex: usize,
    /// The joint with the largest weight on it.
    pub joint: Option<String>,
}

/// A feature that the scenes do not share.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// What: `clips`, `materials`, `cameras`, `clip "Walk" frame rate`...
    pub feature: String,
    /// What the first scene has.
    pub first: String,
    /// What the second has.
    pub second: String,
}

/// Compares two scenes.
pub fn compare(_first: &Scene, _second: &Scene, _options: &CompareOptions) -> Comparison {
    todo!()
}

impl Comparison {
    /// Everything, for `--json`.
    pub fn to_json(&self) -> Value {
        todo!()
    }
}
