use super::{Extras, NodeId};

/// The joints that deform a mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Skin {
    /// Name; empty where the format has none.
    pub name: String,
    /// The nodes that are joints, in the order that influences count them.
    pub joints: Vec<NodeId>,
    /// For each joint, the affine matrix from the mesh's space to the joint's at bind time, column by column.
    pub inverse_binds: Vec<[f32; 16]>,
    /// Key-value data.
    pub extras: Extras,
}
