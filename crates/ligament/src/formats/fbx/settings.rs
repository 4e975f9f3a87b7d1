//! The FBX settings: how a file's own axes and unit are converted.

use crate::settings::{OwnSetting, Scope, Setting, choices};

choices! {
    /// How to convert a file's axes and unit to the scene's.
    #[derive(Default)]
    pub enum AxesConversion {
        /// Scales vertices and distances, and rotates the topmost nodes: no node is added, and none is scaled.
        #[default]
        Geometry = "geometry": "Transform the vertices and the root nodes",
        /// Puts both into one node above all others; everything below stays as in the file.
        Root = "root": "Add one node above all others",
        /// Converts nothing: the file's axes and unit stay.
        None = "none": "Keep the file's axes and unit",
    }
}

/// [`AxesConversion`] for reading files.
pub static AXES: OwnSetting<AxesConversion> = OwnSetting::new(Setting {
    name: "axes",
    value_name: "WHERE",
    help: "How to convert the file's axes and unit to +Y up and metres, for formats that state them",
    reads: Scope::Listed,
    ..Setting::BASE
});
