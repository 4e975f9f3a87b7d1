//! Document to scene: in the scene's axes, units and conventions, with a loss for everything that a scene cannot hold.

use super::codes;
use super::document::Document;
use crate::formats::ReadOptions;
use crate::report::{Failure, Place, Report};
use crate::scene::Scene;

/// Makes a scene, moving the document's arrays where possible.
pub(super) fn import(
{RW}    _document: Document,
{RO}    _document: Document<'_>,
    _options: &ReadOptions,
    report: &mut Report,
) -> Result<Scene, Failure> {
    Err(report.invalid(&codes::UNFINISHED, Place::WHOLE, "{TITLE} files cannot be imported yet"))
}
