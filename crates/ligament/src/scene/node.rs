use super::{CameraId, Extras, LightId, MeshId, NodeId, SkinId, Trs};
use glam::DMat4;

/// A node of the hierarchy. Joints are ordinary nodes that a [`Skin`](super::Skin) refers to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Node {
    /// Name; empty if the format has none. Names need not be unique.
    pub name: String,
    /// The parent, which comes before this node in the scene's list; `None` for a root.
    pub parent: Option<NodeId>,
    /// The transform from this node's space to its parent's, at rest.
    pub local: Local,
    /// The mesh that is drawn here.
    pub mesh: Option<MeshId>,
    /// The skin that deforms the mesh; only together with `mesh`.
    pub skin: Option<SkinId>,
    /// Weights of the mesh's morph targets at rest, overriding [`Morph::weight`](super::Morph::weight). Empty, or one
    /// per target.
    pub morph_weights: Vec<f32>,
    /// A camera that looks along this node's −Z.
    pub camera: Option<CameraId>,
    /// A light that shines along this node's −Z.
    pub light: Option<LightId>,
    /// The drawn end of a joint's bone in the joint's space, if the format stores one. Not used in posing.
    pub tip: Option<[f32; 3]>,
    /// Key-value data.
    pub extras: Extras,
}

/// A node's transform to its parent's space.
///
/// A matrix is used only if translation, rotation and scale cannot express it (shear); importers call
/// [`Local::from_matrix`], which decides. Animated nodes are always `Trs`.
#[derive(Debug, Clone, PartialEq)]
pub enum Local {
    /// Translation · rotation · scale.
    Trs(Trs),
    /// A general affine matrix, column by column.
    Matrix([f32; 16]),
}

impl Default for Local {
    fn default() -> Self {
        Local::Trs(Trs::IDENTITY)
    }
}

impl From<Trs> for Local {
    fn from(trs: Trs) -> Self {
        Local::Trs(trs)
    }
}

impl Local {
    /// The transform as a matrix, in f64 so that rounding does not accumulate in long joint chains.
    pub fn to_matrix(&self) -> DMat4 {
        match self {
            Local::Trs(trs) => trs.to_matrix(),
            Local::Matrix(m) => DMat4::from_cols_array(&m.map(f64::from)),
        }
    }

    /// `Trs` if the matrix can be expressed so within f32 rounding, otherwise the matrix itself.
    pub fn from_matrix(matrix: &DMat4) -> Self {
        match super::decompose(matrix) {
            Some((trs, error)) if error <= 1e-6 => Local::Trs(trs),
            _ => Local::Matrix(matrix.to_cols_array().map(|v| v as f32)),
        }
    }

    /// The nearest translation, rotation and scale, and how much of the matrix they miss (see
    /// [`decompose`](super::decompose)).
    pub fn nearest_trs(&self) -> (Trs, f64) {
        match self {
            Local::Trs(trs) => (*trs, 0.0),
            Local::Matrix(_) => super::decompose(&self.to_matrix()).unwrap_or((Trs::IDENTITY, 1.0)),
        }
    }

    /// Translation, rotation and scale, if the transform is stored that way.
    pub fn trs(&self) -> Option<&Trs> {
        match self {
            Local::Trs(trs) => Some(trs),
            Local::Matrix(_) => None,
        }
    }
}
