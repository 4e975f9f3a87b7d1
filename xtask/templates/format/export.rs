//! Scene to an encoded file. The passes have brought the scene within the capabilities; nothing is converted here.

use super::codes;
use crate::formats::{Encoded, WriteOptions};
use crate::report::{Failure, Place, Report};
use crate::scene::Scene;

/// Encodes a scene. What the scene's arrays already hold is written from them.
pub(super) fn export(
    _scene: Scene,
    _dialect: Option<&str>,
    _options: &WriteOptions,
    report: &mut Report,
) -> Result<Encoded, Failure> {
    Err(report.invalid(&codes::UNFINISHED, Place::WHOLE, "{TITLE} files cannot be made from scenes yet"))
}
