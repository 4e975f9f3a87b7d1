//! Skins: joints and inverse bind matrices.

use super::super::codes;
use super::super::extensions::OF_OBJECT;
use super::super::json::Num;
use super::Import;
use super::extras::kept;
use super::nodes::Tree;
use crate::report::label;
use crate::scene::{NodeId, Scene, Skin, SkinId};
use glam::DMat4;
use std::fmt::Arguments;

/// For each joint of a skin in the file, its index in the scene; `None` for a joint that the writer added for vertices
/// without influences.
pub(super) type Remap = Vec<Option<u32>>;

/// The joints of all skins, and what meshes need of the skins that they are drawn with.
pub(super) struct Skinning {
    remaps: Vec<Remap>,
    /// The first skin that each mesh is drawn with.
    first: Vec<Option<SkinId>>,
    /// The skin with the fewest joints that each mesh is drawn with, and how many these are.
    fewest: Vec<Option<(usize, usize)>>,
}

impl Skinning {
    /// Finds a skin that the mesh is drawn with and that has no joint of this index. Returns the skin and its number of joints.
    pub fn lacking(&self, mesh: usize, joint: u32) -> Option<(usize, usize)> {
        self.fewest[mesh].filter(|&(_, joints)| joints <= joint as usize)
    }

    /// How a mesh's joint indices change, according to its first skin; `None` if it is drawn without a skin.
    pub fn joints_of(&self, mesh: usize) -> Option<&Remap> {
        self.first[mesh].map(|skin| &self.remaps[skin.index()])
    }
}

const IDENTITY: [f32; 16] = glam::Mat4::IDENTITY.to_cols_array();

impl Import<'_, '_, '_> {
    pub(super) fn skins(&mut self, tree: &Tree, scene: &mut Scene) -> Skinning {
        let mut remaps = Vec::new();
        for index in 0..self.root.skins.len() {
            let (skin, remap) = self.skin(index, tree).unwrap_or_default();
            scene.skins.push(skin);
            remaps.push(remap);
        }
        let meshes = self.root.meshes.len();
        let (mut first, mut fewest) = (vec![None; meshes], vec![None; meshes]);
        for node in &scene.nodes {
            if let (Some(mesh), Some(skin)) = (node.mesh, node.skin) {
                first[mesh.index()].get_or_insert(skin);
                let joints: usize = remaps[skin.index()].len();
                // A skin without joints has already been reported.
                let least = fewest[mesh.index()].map_or(usize::MAX, |(_, least)| least);
                if joints != 0 && joints < least {
                    fewest[mesh.index()] = Some((skin.index(), joints));
                }
            }
        }
        Skinning { remaps, first, fewest }
    }

    fn skin(&mut self, index: usize, tree: &Tree) -> Option<(Skin, Remap)> {
        let root = self.root;
        let source = &root.skins[index];
        let path = format_args!("skins[{index}]");
        if source.joints.is_empty() {
            return self.fault(&codes::SKIN, path, "a skin needs at least one joint");
        }
        let mut extras = kept(&source.extras);
        self.keep_extensions(&source.extensions, OF_OBJECT, &mut extras);
        let mut skin = Skin { name: source.name.clone(), extras, ..Skin::default() };
        let inverse_binds = match source.inverse_bind_matrices {
            Some(accessor) => {
                let path = format_args!("{path}.inverseBindMatrices");
                self.inverse_binds(accessor, source.joints.len(), path)?
            }
            None => Vec::new(),
        };
        let inverse_binds = match &source.bind_shape_matrix {
            Some(shape) => self.shaped(inverse_binds, shape, source.joints.len(), path)?,
            None => inverse_binds,
        };
        let mut remap = Remap::with_capacity(source.joints.len());
        for (at, &joint) in source.joints.iter().enumerate() {
            let path = format_args!("{path}.joints[{at}]");
            let joint = self.index(Some(joint), root.nodes.len(), path, "node")?;
            if tree.is_static_joint[joint] {
                remap.push(None);
                continue;
            }
            let Some(node): Option<NodeId> = tree.ids[joint] else {
                return self.fault(&codes::SKIN, path, "the joint is not a node of the scene");
            };
            remap.push(Some(skin.joints.len() as u32));
            skin.joints.push(node);
            skin.inverse_binds.push(inverse_binds.get(at).copied().unwrap_or(IDENTITY));
        }
        Some((skin, remap))
    }

    fn inverse_binds(&mut self, accessor: u32, joints: usize, path: Arguments<'_>) -> Option<Vec<[f32; 16]>> {
        let accessor = self.accessor(accessor, path)?;
        if accessor.components != 16 {
            return self.fault(&codes::ACCESSOR_TYPE, path, "inverse bind matrices must be MAT4");
        }
        if accessor.count < joints {
            let message = format!("{} inverse bind matrices are too few for {joints} joints", accessor.count);
            return self.fault(&codes::SKIN, path, message);
        }
        let mut matrices = self.floats::<[f32; 16]>(&accessor)?;
        matrices.truncate(joints);
        let mut odd = 0;
        for m in &mut matrices {
            let rows = [m[3], m[7], m[11], m[15]];
            odd += usize::from(rows.iter().zip([0.0, 0.0, 0.0, 1.0]).any(|(a, b)| (a - b).abs() > 1e-5));
            [m[3], m[7], m[11], m[15]] = [0.0, 0.0, 0.0, 1.0];
        }
        if odd > 0 {
            let message = format!("the last row of {odd} matrices is not 0 0 0 1; it is read as such");
            self.warning(&codes::VALUE, path, message);
        }
        Some(matrices)
    }

    /// Combines the inverse bind matrices with the bind shape matrix, which vertices go through first.
    fn shaped(
        &mut self,
        mut inverse_binds: Vec<[f32; 16]>,
        shape: &[Num; 16],
        joints: usize,
        path: Arguments<'_>,
    ) -> Option<Vec<[f32; 16]>> {
        let path = format_args!("{path}.bindShapeMatrix");
        let shape = self.matrix(shape, path);
        inverse_binds.resize(joints, IDENTITY);
        for matrix in &mut inverse_binds {
            let product = DMat4::from_cols_array(&matrix.map(f64::from)) * shape;
            *matrix = product.to_cols_array().map(|v| v as f32);
        }
        if inverse_binds.as_flattened().iter().any(|v| !v.is_finite()) {
            let message = "its product with an inverse bind matrix is too large for a 32-bit float";
            return self.fault(&codes::SKIN, path, message);
        }
        Some(inverse_binds)
    }

    /// Checks that every skin that a mesh is drawn with has all joints that the mesh uses.
    pub(super) fn check_joints(&mut self, mesh: usize, part: usize, largest: u32, skinning: &Skinning) {
        let Some((skin, joints)) = skinning.lacking(mesh, largest) else { return };
        let name = label("skin", &self.root.skins[skin].name, skin);
        let message = format!("a vertex names joint {largest}, but {name} has {joints} joints");
        let path = format!("meshes[{mesh}].primitives[{part}].attributes");
        self.error(&codes::SKIN, &path, message);
    }
}
