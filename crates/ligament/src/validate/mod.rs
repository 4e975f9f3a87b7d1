//! The promise of [`Scene`](crate::Scene), rule by rule.

use crate::report::Report;
use crate::scene::Scene;

/// Codes of scene rules.
pub mod codes {
    crate::report::codes! {
        INDEX = "SC001", "index out of range",
            "An id or index in the scene points past the end of the list that it refers to.",
            "node.mesh = MeshId(7) in a scene of three meshes",
            "Point it at an element that exists, or remove the reference.";
    }
}

/// Checks every rule and reports every breach.
pub fn validate(_scene: &Scene, _report: &mut Report) {}
