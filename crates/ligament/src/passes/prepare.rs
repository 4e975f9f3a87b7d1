use super::drop_features::{KeepOptions, drop_features};
use super::influences::{InfluenceOptions, influences};
use super::limit_clips::limit_clips;
use super::materials::{MaterialOptions, materials};
use super::triangulate::{TriangulateOptions, triangulate};
use crate::formats::Capabilities;
use crate::report::{Failure, Report};
use crate::scene::Scene;

/// What the user may say about how a scene is brought within a format's capabilities.
#[derive(Debug, Clone, Default)]
pub struct PrepareOptions {
    /// Frames a second for clips that must be sampled; `None` is the clip's own rate, else 24.
    pub fps: Option<f32>,
}

/// Brings a scene within what a format can hold. Picks the passes by comparing the two; a scene that fits is not
/// touched.
pub fn prepare(
    scene: &mut Scene,
    target: &Capabilities,
    _options: &PrepareOptions,
    report: &mut Report,
) -> Result<(), Failure> {
    limit_clips(scene, target.clips, report);
    drop_features(scene, &KeepOptions::of(target), report);
    if !target.polygons {
        triangulate(scene, &TriangulateOptions::default(), report);
    }
    influences(scene, &InfluenceOptions { max: target.max_influences, normalise: false }, report);
    let blocks = MaterialOptions { phong: target.phong, pbr: target.pbr, required: !target.pbr };
    materials(scene, &blocks, report);
    Ok(())
}
