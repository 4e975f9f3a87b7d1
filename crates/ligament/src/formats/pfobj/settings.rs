//! Settings for what the specification leaves open.

use crate::settings::{OwnSetting, Scope, Setting, choices};

choices! {
    /// The order of rotations about X, Y and Z, as products of matrices on column vectors.
    #[derive(Default)]
    pub enum EulerOrder {
        #[default]
        Zyx = "zyx": "Rz · Ry · Rx: X first",
        Xyz = "xyz": "Rx · Ry · Rz: Z first",
    }
}

/// The [`EulerOrder`] of files that are read and written.
pub static EULER_ORDER: OwnSetting<EulerOrder> = OwnSetting::new(Setting {
    name: "euler_order",
    value_name: "ORDER",
    help: "Euler rotation order for formats that do not define one, as a product of matrices on column vectors; used for reading and writing",
    reads: Scope::Listed,
    writes: Scope::Listed,
    ..Setting::BASE
});
