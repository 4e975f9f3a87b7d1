//! Scene to an encoded file. The passes have reduced the scene to the format's capabilities; nothing is converted here.

use super::codes;
use crate::formats::{Encoded, WriteOptions};
use crate::report::{Failure, Place, Report};
use crate::scene::Scene;

/// Encodes a scene. Data that the scene's arrays already hold is written directly from them.
pub(super) fn export(
    _scene: Scene,
    _dialect: Option<&str>,
    _options: &WriteOptions,
    report: &mut Report,
) -> Result<Encoded, Failure> {
    Err(report.invalid(&codes::UNFINISHED, Place::WHOLE, "{TITLE} files cannot be made from scenes yet"))
}
