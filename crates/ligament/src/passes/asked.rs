use super::by_material::{ByMaterialOptions, Way, by_material};
use super::influences::{InfluenceOptions, influences};
use super::optimise::optimise;
use super::reduce_keys::{ReduceKeysOptions, reduce_keys};
use super::store_bounds::store_bounds;
use super::tangents::{TangentsOptions, tangents};
use super::weld::{unweld, weld};
use crate::report::Report;
use crate::scene::Scene;

/// Passes that no format needs. None is run unless asked for.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Asked {
    /// Removes keys as long as no vertex moves farther than this fraction of the model's size.
    pub reduce_keys: Option<f64>,
    /// Splits or merges meshes by material.
    pub by_material: Option<Way>,
    /// Makes face corners share vertices, or not.
    pub vertices: Option<Sharing>,
    /// Divides the weights of every vertex by their sum.
    pub normalise_weights: bool,
    /// Orders triangles and vertices for graphics cards.
    pub optimise: bool,
    /// Stores boxes around clips and joints as extras.
    pub store_bounds: bool,
    /// Computes missing tangents.
    pub tangents: bool,
}

/// Whether face corners share vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// Identical vertices are merged.
    Weld,
    /// Every corner has a vertex of its own.
    Unweld,
}

impl Asked {
    /// Runs the passes that were asked for.
    pub fn run(&self, scene: &mut Scene, report: &mut Report) {
        if let Some(way) = self.by_material {
            by_material(scene, &ByMaterialOptions { way }, report);
        }
        if self.tangents {
            tangents(scene, &TangentsOptions::default(), report);
        }
        match self.vertices {
            Some(Sharing::Weld) => weld(scene),
            Some(Sharing::Unweld) => unweld(scene),
            None => {}
        }
        if self.normalise_weights {
            influences(scene, &InfluenceOptions { max: None, possible: None, normalise: true }, report);
        }
        if self.optimise {
            optimise(scene, report);
        }
        if let Some(tolerance) = self.reduce_keys {
            reduce_keys(scene, &ReduceKeysOptions { tolerance }, report);
        }
        // The last, because boxes are about what is written.
        if self.store_bounds {
            store_bounds(scene, report);
        }
    }
}
