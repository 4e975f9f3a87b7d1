//! What can be asked for because files state their own axes and unit.

use crate::settings::{OwnSetting, Scope, Setting, choices};

/// Where the turn and the scale go that bring a file's own axes and unit into the scene's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum AxesConversion {
    /// The scale into vertices and distances, the turn into the topmost nodes: no node is added and none is scaled.
    #[default]
    Geometry,
    /// Both into one node above all others; everything below stays as the file has it.
    Root,
    /// Nowhere: axes and unit stay the file's.
    None,
}

choices! { AxesConversion {
    Geometry = "geometry": "Transform the vertices and the root nodes",
    Root = "root": "Add one node above all others",
    None = "none": "Keep the file's axes and unit",
} }

/// [`AxesConversion`] of files that are read.
pub static AXES: OwnSetting<AxesConversion> = OwnSetting::new(Setting {
    name: "axes",
    value_name: "WHERE",
    help: "How to convert the file's axes and unit to +Y up and metres, for formats that state them",
    reads: Scope::Listed,
    ..Setting::BASE
});
