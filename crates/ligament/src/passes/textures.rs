//! Decides where a model's pictures go: into the file, beside it, left where they are, or nowhere.

use crate::formats::Capabilities;
use crate::io::{Folder, Output};
use crate::report::{Failure, Report};
use crate::scene::Scene;

/// Where pictures go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextureMode {
    /// Into the file where the format can hold them, else beside it.
    #[default]
    Auto,
    /// Into the file.
    Embed,
    /// Beside it, as files.
    Copy,
    /// Left where they are; the file refers to them.
    Reference,
    /// Nowhere: materials lose their textures.
    None,
}

/// Embeds, copies, keeps or removes the scene's images. Copies are written through `output`.
pub fn textures(
    _scene: &mut Scene,
    _mode: TextureMode,
    _target: &Capabilities,
    _from: &dyn Folder,
    _output: &mut dyn Output,
    _report: &mut Report,
) -> Result<(), Failure> {
    todo!()
}
