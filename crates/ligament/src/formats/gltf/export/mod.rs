use super::document::Document;
use super::json::Root;
use crate::formats::WriteOptions;
use crate::io::Output;
use crate::report::{Failure, Report};
use crate::scene::Scene;
pub(super) struct Built;
impl Built {
    pub fn write(&self, _: &Root, _: bool, _: &mut dyn Output, _: &mut Report) -> Result<(), Failure> {
        todo!()
    }
}
pub(super) fn export(_: Scene, _: &WriteOptions, _: &mut Report) -> Result<Document<'static>, Failure> {
    todo!()
}
