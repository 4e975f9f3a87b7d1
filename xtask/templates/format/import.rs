//! Document to scene: into the scene's axes, units and conventions, with a loss for everything that has no place there.

use super::codes;
use super::document::Document;
use crate::formats::ReadOptions;
use crate::report::{Failure, Place, Report};
use crate::scene::Scene;

/// Makes a scene, moving the document's arrays where they fit.
pub(super) fn import(
    _document: Document,
    _options: &ReadOptions,
    report: &mut Report,
) -> Result<Scene, Failure> {
    Err(report.invalid(&codes::UNFINISHED, Place::WHOLE, "{TITLE} files cannot be imported yet"))
}
