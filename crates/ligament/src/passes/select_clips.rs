//! Keeps only some clips.

use crate::report::{Failure, Report};
use crate::scene::Scene;

/// Keeps the clips with these names, in the scene's order. A name that no clip has is an error that lists those there
/// are ([`Failure::Usage`]).
pub fn select_clips(_scene: &mut Scene, _names: &[String], _report: &mut Report) -> Result<(), Failure> {
    todo!()
}
