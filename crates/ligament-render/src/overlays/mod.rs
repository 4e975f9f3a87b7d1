//! The overlays, one per file.

pub(crate) mod axes;
pub(crate) mod bounds;
pub(crate) mod names;
pub(crate) mod normals;
pub(crate) mod shapes;
pub(crate) mod skeleton;
pub(crate) mod weights;
