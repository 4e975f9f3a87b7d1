//! Settings for what a file leaves open.

use crate::settings::{OwnSetting, Scope, Setting, choices};

choices! {
    /// The number of the first entry in a list.
    pub enum IndexBase {
        Zero = "0": "Counting from 0",
        One = "1": "Counting from 1",
    }
}

/// The number of the first joint and weight; `None` detects it.
pub static INDEX_BASE: OwnSetting<Option<IndexBase>> = OwnSetting::new(Setting {
    name: "index_base",
    value_name: "NUMBER",
    help: "Index of the first joint and weight, instead of detecting it, for formats whose dialects differ in it",
    reads: Scope::Listed,
    ..Setting::BASE
});

choices! {
    /// The bind pose of joints.
    #[derive(Default)]
    pub enum BindPose {
        #[default]
        Identity = "identity": "All joints at the origin: keys move the vertices as they are stored",
        FirstKey = "first-key": "Joints where the first keys put them",
    }
}

/// The [`BindPose`] of files that do not store it.
pub static BIND: OwnSetting<BindPose> = OwnSetting::new(Setting {
    name: "bind",
    value_name: "WHERE",
    help: "Bind pose, for formats that do not store one",
    reads: Scope::Listed,
    ..Setting::BASE
});
