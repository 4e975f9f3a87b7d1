//! Document to scene.
//!
//! - The mesh is one node named after the file; identical vertices are merged.
//! - Nodes of the hierarchy are nodes: `bone3` if they move bone 3, else `node5`. A root transform other than the
//!   identity is a node `root` above them.
//! - A file has no rest pose. Bones rest where their offset matrices leave the mesh as stored, which is what the
//!   viewer shows without an animation; other nodes rest where the first animation begins.
//! - In a file, a node without keys is at its parent's position; where it rests elsewhere, a track expresses that.

mod clips;
mod rest;
mod stored_tangents;
mod vertices;

use super::codes;
use super::document::{Document, IDENTITY};
use super::read::tree;
use crate::formats::ReadOptions;
use crate::mesh::tangents::add_tangents;
use crate::mesh::weld::weld_part;
use crate::passes::codes::TANGENTS_COMPUTED;
use crate::report::{Failure, Loss, Place, Report, counted};
use crate::scene::{Local, Mesh, MeshId, Node, NodeId, Scene, Skin, SkinId, Y_UP, affine};
use glam::DMat4;

impl Document {
    pub(super) fn into_scene(mut self, _: &ReadOptions, report: &mut Report) -> Result<Scene, Failure> {
        let mut scene = Scene { name: self.name.clone(), ..Scene::default() };
        let z_up = self.is_z_up();
        if z_up {
            report.note(&codes::Z_UP, Place::WHOLE, "the file has Z up; the model is rotated to Y up");
        }
        let matrices = self.matrices(z_up, report);
        self.import_mesh(&mut scene, z_up, report);
        let nodes = self.import_nodes(&mut scene, &matrices);
        self.import_skin(&mut scene, &matrices, &nodes, report);
        for (index, animation) in std::mem::take(&mut self.animations).into_iter().enumerate() {
            let clip = clips::import(animation, index, &scene, &nodes, report);
            scene.clips.push(clip);
        }
        report.check().map(|()| scene)
    }

    fn import_mesh(&mut self, scene: &mut Scene, z_up: bool, report: &mut Report) {
        let has_skeleton = self.bones > 0;
        let vertices = std::mem::take(&mut self.vertices);
        if !vertices.bones.is_empty() && !has_skeleton {
            let message = "vertices have bones, but there is no skeleton";
            report.warning(&codes::NO_SKELETON, Place::WHOLE, message);
        }
        let had_tangents = !vertices.tangents.is_empty();
        let Some(mut part) = vertices::import(vertices, has_skeleton, z_up, report) else { return };
        let skin = (!part.influences.is_empty()).then_some(SkinId(0));
        // Only tangents that could not be repaired are missing now.
        if had_tangents && add_tangents(&mut part, 0) {
            let object = if self.name.is_empty() { "mesh0".into() } else { format!("mesh {:?}", self.name) };
            let message = "the source has no tangents; they are computed by MikkTSpace";
            report.loss(Loss::kept(&TANGENTS_COMPUTED, object, part.positions.len(), message));
        }
        weld_part(&mut part);
        scene.meshes.push(Mesh { name: self.name.clone(), parts: vec![part], ..Mesh::default() });
        scene.add_node(Node { name: self.name.clone(), mesh: Some(MeshId(0)), skin, ..Node::default() });
    }

    /// The root transform and the offset matrices in ligament's axes; transposed ones are transposed back.
    fn matrices(&self, z_up: bool, report: &mut Report) -> Matrices {
        let mut transposed = 0;
        let mut meant = |matrix: &[f32; 16], field: String, report: &mut Report| {
            let is_transposed = is_transposed(matrix);
            transposed += usize::from(is_transposed);
            let matrix = if is_transposed { transpose(matrix) } else { *matrix };
            if [(3, 0.0), (7, 0.0), (11, 0.0), (15, 1.0)].iter().any(|&(i, v)| (matrix[i] - v).abs() > 1e-5) {
                let message = "the last row of the matrix is not 0 0 0 1";
                report.error(&codes::NOT_AFFINE, Place::field(field), message);
            }
            affine(&matrix)
        };
        let root = self.root_transform.map(|matrix| meant(&matrix, "root_transform".to_owned(), report));
        let mut root = root.unwrap_or(DMat4::IDENTITY);
        let offset = |(i, matrix): (usize, &[f32; 16])| meant(matrix, format!("offset_mat[{i}]"), report);
        let mut offsets: Vec<DMat4> = self.offsets.iter().enumerate().map(offset).collect();
        if transposed > 0 {
            let message = counted(transposed, "matrix is transposed", "matrices are transposed");
            report.note(&codes::TRANSPOSED, Place::WHOLE, message);
        }
        if self.bones > 0 && self.offsets.is_empty() {
            let message = "there are no offset matrices: bones rotate about the origin";
            report.warning(&codes::NO_OFFSETS, Place::WHOLE, message);
        }
        offsets.resize(self.joint_count(), DMat4::IDENTITY);
        if z_up {
            root = Y_UP * root;
            let back = Y_UP.inverse();
            offsets.iter_mut().for_each(|offset| *offset *= back);
        }
        Matrices { root, offsets }
    }

    /// Adds the hierarchy, parents first, and returns the node for each number.
    fn import_nodes(&self, scene: &mut Scene, matrices: &Matrices) -> Vec<NodeId> {
        let top = (matrices.root != DMat4::IDENTITY && !self.nodes.is_empty()).then(|| {
            let local = Local::from_matrix(&matrices.root);
            scene.add_node(Node { name: "root".to_owned(), local, ..Node::default() })
        });
        let order = tree(&self.nodes).order;
        let rest = rest::rest(self, &order, matrices);
        let mut ids = vec![NodeId(0); self.nodes.len()];
        for number in order {
            let node = self.nodes[number];
            let parent = usize::try_from(node.parent).ok().and_then(|p| ids.get(p)).copied().or(top);
            let name = if node.bone >= 0 { format!("bone{}", node.bone) } else { format!("node{number}") };
            let local = Local::Trs(rest[number]);
            ids[number] = scene.add_node(Node { name, parent, local, ..Node::default() });
        }
        ids
    }

    fn import_skin(&self, scene: &mut Scene, matrices: &Matrices, nodes: &[NodeId], report: &mut Report) {
        if matrices.offsets.is_empty() {
            return;
        }
        let mut skin = Skin { name: self.name.clone(), ..Skin::default() };
        let movers = self.movers();
        let shared = self.nodes.iter().filter(|n| n.bone >= 0).count() - movers.iter().flatten().count();
        let unmoved = movers.iter().filter(|m| m.is_none()).count();
        for (bone, mover) in movers.iter().enumerate() {
            match mover {
                Some(number) => {
                    skin.joints.push(nodes[*number]);
                    let offset = matrices.offsets[bone].to_cols_array().map(|v| v as f32);
                    skin.inverse_binds.push(offset);
                }
                None => {
                    let name = format!("bone{bone}");
                    skin.joints.push(scene.add_node(Node { name, ..Node::default() }));
                    skin.inverse_binds.push(IDENTITY);
                }
            }
        }
        if unmoved > 0 {
            let message =
                counted(unmoved, "bone has no node and never moves", "bones have no node and never move");
            report.warning(&codes::BONE_NODE, Place::WHOLE, message);
        }
        if shared > 0 {
            let message = counted(shared, "node has", "nodes have") + " a bone that a later node moves";
            report.warning(&codes::BONE_NODE, Place::WHOLE, message);
        }
        scene.skins.push(skin);
    }

    /// The number of bones that have a node or a matrix.
    fn joint_count(&self) -> usize {
        (self.bones as usize).min(self.nodes.len().max(self.offsets.len()))
    }

    /// The number of the node that moves each bone.
    fn movers(&self) -> Vec<Option<usize>> {
        let mut movers = vec![None; self.joint_count()];
        for (number, node) in self.nodes.iter().enumerate() {
            if let Some(mover) = usize::try_from(node.bone).ok().and_then(|bone| movers.get_mut(bone)) {
                *mover = Some(number);
            }
        }
        movers
    }
}

/// All matrices of a file, in ligament's axes.
struct Matrices {
    root: DMat4,
    offsets: Vec<DMat4>,
}

/// Whether a matrix was written row by row: translation and zeros have swapped positions.
fn is_transposed(m: &[f32; 16]) -> bool {
    [m[3], m[7], m[11]] != [0.0; 3] && [m[12], m[13], m[14]] == [0.0; 3]
}

fn transpose(m: &[f32; 16]) -> [f32; 16] {
    std::array::from_fn(|i| m[i % 4 * 4 + i / 4])
}
