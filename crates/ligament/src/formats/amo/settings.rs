//! What can be asked for because a file leaves it open.

use crate::settings::{OwnSetting, Scope, Setting, choices};

/// The number of the first thing in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IndexBase {
    /// Counting from 0.
    Zero,
    /// Counting from 1.
    One,
}

choices! { IndexBase { Zero = "0": "Counting from 0", One = "1": "Counting from 1" } }

/// The number of the first joint and weight; `None` finds it out.
pub static INDEX_BASE: OwnSetting<Option<IndexBase>> = OwnSetting::new(Setting {
    name: "index_base",
    value_name: "NUMBER",
    help: "Index of the first joint and weight, instead of detecting it, for formats whose dialects differ in it",
    reads: Scope::Listed,
    ..Setting::BASE
});

/// Where joints stand when the mesh is not deformed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BindPose {
    /// At the origin, all of them: the keys move the vertices as they are stored.
    #[default]
    Identity,
    /// Where the first keys put them.
    FirstKey,
}

choices! { BindPose {
    Identity = "identity": "All joints at the origin: keys move the vertices as they are stored",
    FirstKey = "first-key": "Joints where the first keys put them",
} }

/// [`BindPose`] of files that do not store it.
pub static BIND: OwnSetting<BindPose> = OwnSetting::new(Setting {
    name: "bind",
    value_name: "WHERE",
    help: "Bind pose, for formats that do not store one",
    reads: Scope::Listed,
    ..Setting::BASE
});
