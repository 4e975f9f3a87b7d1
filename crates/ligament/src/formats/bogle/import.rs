//! Document to scene.
use super::document::Document;
use crate::formats::ReadOptions;
use crate::report::{Failure, Report};
use crate::scene::Scene;
impl Document {
    pub(super) fn into_scene(self, _options: &ReadOptions, _report: &mut Report) -> Result<Scene, Failure> {
        todo!()
    }
}
