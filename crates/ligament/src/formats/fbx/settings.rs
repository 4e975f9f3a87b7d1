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
    Geometry = "geometry": "Into vertices and the topmost nodes",
    Root = "root": "Into one node above all others",
    None = "none": "Nowhere: axes and unit stay the file's",
} }

/// [`AxesConversion`] of files that are read.
pub static AXES: OwnSetting<AxesConversion> = OwnSetting::new(Setting {
    name: "axes",
    value_name: "WHERE",
    help: "Where the turn and the scale go that bring a file into +Y up and metres, for formats that state their axes and unit",
    reads: Scope::Listed,
    ..Setting::BASE
});
