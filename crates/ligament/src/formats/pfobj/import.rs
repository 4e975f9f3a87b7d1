use super::document::Document;
use super::*;
impl Document {
    pub(super) fn into_scene(self, _: &ReadOptions, _: &mut Report) -> Result<Scene, Failure> {
        todo!()
    }
}
