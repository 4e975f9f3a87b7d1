//! Poses two scenes side by side: measures how far each vertex is from its counterpart, and lists the features in which
//! the scenes differ.
//!
//! # What is compared
//!
//! Both scenes are posed at rest, at every key time of either, and between neighbouring keys. Clips are matched by
//! name; the rest are matched in order if both scenes have equally many left. Only drawn geometry counts. Conversions
//! may weld or split vertices, split and merge meshes, reorder parts and cut polygons into triangles. Vertices are
//! therefore paired through the corners of the faces, as [`Pairing`] describes, and each pair is measured once per
//! pose. Scenes without faces are compared by their joints.
//!
//! ```
//! use ligament::{Scene, compare, compare::CompareOptions};
//! # let (source, result) = (Scene::default(), Scene::default());
//! let comparison = compare(&source, &result, &CompareOptions::default());
//! if let Some(worst) = &comparison.worst {
//!     println!("{} at {} s: {:.4} %", worst.mesh, worst.time, worst.relative * 100.0);
//! }
//! # assert!(comparison.worst.is_none() && comparison.differences.is_empty());
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `clips.rs` | matches clips, and picks the times to pose them at |
//! | `surface.rs` | all drawn vertices and corners of a scene, and their positions in a pose |
//! | `pairing.rs`, `kd_tree.rs` | pairs vertices of the two scenes |
//! | `measure.rs` | measures how far apart the pairs are in every pose |
//! | `parallel_map.rs` | spreads the poses over several cores |
//! | `twins.rs` | finds pairs that are equal but for rounding, and poses in which they need not be measured |
//! | `side_by_side.rs` | the distance of every vertex in one pose |
//! | `features.rs`, `materials.rs`, `attributes.rs` | all other differences |

mod attributes;
mod clips;
mod features;
mod json;
mod kd_tree;
mod materials;
mod measure;
mod pairing;
mod parallel_map;
mod side_by_side;
mod surface;
mod twins;

pub use side_by_side::SideBySide;

use crate::progress::Progress;
use crate::scene::Scene;

/// How thoroughly to compare.
#[derive(Debug, Clone)]
pub struct CompareOptions {
    /// Poses between two neighbouring keys, besides the keys themselves.
    pub between_keys: usize,
    /// Maximum number of poses per clip. Beyond it, keys are thinned out evenly; [`Comparison::skipped`] counts the
    /// poses left out.
    pub max_poses_per_clip: usize,
    /// Watches the comparison and can stop it. Poses not compared by then count as skipped.
    pub progress: Progress,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self { between_keys: 1, max_poses_per_clip: 2000, progress: Progress::default() }
    }
}

/// The result of a comparison.
///
/// If the scenes differ only in the rounding of weights, distances are upper bounds, below a millionth of the model's
/// size.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
#[non_exhaustive]
pub struct Comparison {
    /// The model's size: the diagonal of the first scene's bounding box at rest. If that is a point, it is the box over
    /// all clips; without vertices, the box of the joints; otherwise 1.
    pub size: f64,
    /// The largest deviation over everything compared; `None` if there was nothing to compare.
    pub worst: Option<Deviation>,
    /// The largest deviation at rest and at times where both scenes have keys. It covers what is stored, and not how it
    /// is interpolated.
    pub worst_at_keys: Option<Deviation>,
    /// The largest at rest, and then of each clip that both scenes have.
    pub by_clip: Vec<Deviation>,
    /// Mean over all vertices and poses, in scene units.
    pub mean: f64,
    /// Poses compared.
    pub poses: usize,
    /// Poses left out to stay within the limit.
    pub skipped: usize,
    /// Vertices (or, in scenes without faces, joints) compared in each pose.
    pub points: usize,
    /// How the vertices were paired; `None` if there was nothing to compare.
    pub pairing: Option<Pairing>,
    /// Features that differ.
    pub differences: Vec<Difference>,
}

crate::words! {
    /// How vertices of the two scenes were paired.
    pub enum Pairing(name) {
        /// Face corners were paired in the order in which both scenes list them, material by material.
        InOrder = "in order",
        /// Each vertex was paired with the nearest one of the other scene; among several at one position, with the one of
        /// the same material, texture coordinates, normal and joints. A vertex that moved to where another one was goes
        /// unnoticed, so this is used only where the order does not fit.
        Nearest = "nearest",
        /// Joints were paired by name, because there are no faces to compare.
        Joints = "joints",
    }
}

/// One vertex's distance between the two scenes.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Deviation {
    /// In scene units.
    pub distance: f64,
    /// As a fraction of the model's size.
    pub relative: f64,
    /// The clip that was playing; `None` at rest.
    pub clip: Option<String>,
    /// Seconds into the clip.
    pub time: f64,
    /// The mesh; empty where joints were compared.
    pub mesh: String,
    /// The vertex, counted over the mesh's parts in the first scene.
    pub vertex: usize,
    /// The joint with the largest weight on it.
    pub joint: Option<String>,
}

/// A feature in which the scenes differ.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// The feature's name: `vertices`, `joints`, `clip "Walk"`, `clip "Walk": frames per second`, `materials "Skin",
    /// "Hair": blocks`...
    pub feature: String,
    /// The first scene's value.
    pub first: String,
    /// The second scene's value.
    pub second: String,
}

/// Compares two scenes.
pub fn compare(first: &Scene, second: &Scene, options: &CompareOptions) -> Comparison {
    let mut differences = features::Differences::default();
    let matched = clips::matched(first, second);
    // For example after a rewrite. Equal scenes have equal features, and equal vertices in every pose.
    let equal = first == second;
    if !equal {
        features::compare(first, second, &mut differences);
        clips::compare(first, second, &matched, &mut differences);
        materials::compare(first, second, &mut differences);
    }
    let size = measure::size(first);
    let surfaces = (surface::Surface::new(first), surface::Surface::new(second));
    let measured = if surfaces.0.corners.is_empty() || surfaces.1.corners.is_empty() {
        measure::joints(first, second, &matched, size, options)
    } else if equal {
        let pairs = pairing::with_itself(&surfaces.0);
        measure::equal(&surfaces.0, &pairs, &matched, size, options)
    } else {
        let pairs = pairing::pair(&surfaces.0, &surfaces.1, &matched, size);
        attributes::compare(&surfaces.0, &surfaces.1, &pairs, &mut differences);
        measure::surfaces(&surfaces.0, &surfaces.1, &pairs, &matched, size, options)
    };
    Comparison {
        size,
        worst: measured.worst,
        worst_at_keys: measured.worst_at_keys,
        by_clip: measured.by_clip,
        mean: measured.mean,
        poses: measured.poses,
        skipped: measured.skipped,
        points: measured.points,
        pairing: measured.pairing,
        differences: differences.0,
    }
}
