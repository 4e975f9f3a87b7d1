//! Scene to document.
use super::document::{Dialect, Document};
use crate::formats::Posing;
use crate::report::{Failure, Report};
use crate::scene::Scene;
impl Document {
    pub(super) fn from_scene(
        _scene: Scene,
        _dialect: Dialect,
        _posing: Posing,
        _report: &mut Report,
    ) -> Result<Self, Failure> {
        todo!()
    }
}
