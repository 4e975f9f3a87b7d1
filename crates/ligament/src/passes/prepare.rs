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
    _scene: &mut Scene,
    _target: &Capabilities,
    _options: &PrepareOptions,
    _report: &mut Report,
) -> Result<(), Failure> {
    todo!()
}
