use super::{Extras, NodeId};
use glam::DMat4;

/// The joints that deform a mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Skin {
    /// Name; empty if the format has none.
    pub name: String,
    /// The nodes that are joints; influences refer to them by index.
    pub joints: Vec<NodeId>,
    /// For each joint, the affine matrix from the mesh's space to the joint's at bind time, column by column.
    pub inverse_binds: Vec<[f32; 16]>,
    /// Key-value data.
    pub extras: Extras,
}

impl Skin {
    /// The joints with their inverse bind matrices, in f64 for further multiplication.
    pub fn binds(&self) -> impl Iterator<Item = (NodeId, DMat4)> {
        let matrix = |m: &[f32; 16]| DMat4::from_cols_array(&m.map(f64::from));
        self.joints.iter().zip(&self.inverse_binds).map(move |(&joint, bind)| (joint, matrix(bind)))
    }
}
