//! Scene to document.

use super::document::Document;
use crate::formats::WriteOptions;
use crate::report::{Failure, Place, Report};
use crate::scene::Scene;

pub(super) fn export(_: Scene, _: &WriteOptions, report: &mut Report) -> Result<Document, Failure> {
    Err(report.invalid(&super::codes::VERSION, Place::WHOLE, "not yet"))
}
