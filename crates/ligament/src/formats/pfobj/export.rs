use super::document::Document;
use super::*;
impl Document {
    pub(super) fn from_scene(_: Scene, _: Dialect, _: &mut Report) -> Result<Self, Failure> {
        todo!()
    }
}
