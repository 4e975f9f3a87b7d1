//! Computations on the vertices and faces of a mesh. Passes apply them to a whole scene and report it; importers and
//! exporters use them where a file stores less than a scene, or stores it differently.

pub mod envelopes;
pub(crate) mod equal;
pub(crate) mod mikktspace;
pub(crate) mod normals;
pub(crate) mod order;
pub(crate) mod polygons;
pub mod smoothing;
pub(crate) mod tangents;
pub(crate) mod vertices;
pub(crate) mod weld;
