//! What can be asked for because the specification leaves it open.

use crate::settings::{OwnSetting, Scope, Setting, choices};

/// In which order angles about X, Y and Z turn; products are of column vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum EulerOrder {
    /// `Rz · Ry · Rx`: about X first, then Y, then Z.
    #[default]
    Zyx,
    /// `Rx · Ry · Rz`: about Z first, then Y, then X.
    Xyz,
}

choices! { EulerOrder {
    Zyx = "zyx": "Rz · Ry · Rx: X first",
    Xyz = "xyz": "Rx · Ry · Rz: Z first",
} }

/// [`EulerOrder`] of files that are read and written.
pub static EULER_ORDER: OwnSetting<EulerOrder> = OwnSetting::new(Setting {
    name: "euler_order",
    value_name: "ORDER",
    help: "Euler rotation order for formats that do not define one, as a product of matrices on column vectors; used for reading and writing",
    reads: Scope::Listed,
    writes: Scope::Listed,
    ..Setting::BASE
});
