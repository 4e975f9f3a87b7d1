//! What can be computed about the vertices and faces of a mesh. Passes do it to a whole scene and report it; importers and
//! exporters use it where a file says less, or says it in another way, than a scene does.

pub mod envelopes;
pub(crate) mod normals;
pub(crate) mod polygons;
pub mod smoothing;
pub(crate) mod tangents;
pub(crate) mod vertices;
pub(crate) mod weld;
