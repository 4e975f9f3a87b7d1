use super::by_material::{ByMaterialOptions, Way, by_material};
use super::influences::{InfluenceOptions, influences};
use super::reduce_keys::{ReduceKeysOptions, reduce_keys};
use super::tangents::{TangentsOptions, tangents};
use super::weld::{unweld, weld};
use crate::report::Report;
use crate::scene::Scene;

/// Passes that no format needs but someone may want. None is run unless asked for.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Asked {
    /// Remove keys as long as no vertex moves farther than this fraction of the model's size.
    pub reduce_keys: Option<f64>,
    /// Split or merge meshes by material.
    pub by_material: Option<Way>,
    /// Whether corners of faces share vertices.
    pub vertices: Option<Sharing>,
    /// Divide the weights of every vertex by their sum.
    pub normalise_weights: bool,
    /// Compute tangents where there are none.
    pub tangents: bool,
}

/// Whether corners of faces share vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// Identical vertices are joined.
    Weld,
    /// Every corner has a vertex of its own.
    Unweld,
}

impl Asked {
    /// Runs what was asked for.
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
            influences(scene, &InfluenceOptions { max: None, normalise: true }, report);
        }
        if let Some(tolerance) = self.reduce_keys {
            reduce_keys(scene, &ReduceKeysOptions { tolerance }, report);
        }
    }
}
