//! Skins, with the joints that glTF needs and scenes do not: a static one for vertices without influences, and a common root.

use super::super::extensions::OF_OBJECT;
use super::super::{codes, json};
use super::data::Chunk;
use super::extras::plain;
use super::{Export, extensions, extras};
use crate::scene::{Part, Scene};
use serde_json::json;
use std::collections::HashSet;

/// The joints to be added to a scene's skeletons.
pub(super) struct Plan {
    /// For each mesh that has vertices without influences and is drawn with a skin, the index of the joint that is
    /// static in all of its skins.
    pub static_joint: Vec<Option<u32>>,
    /// The number of joints of each skin, including added ones.
    pub joints: Vec<usize>,
    /// Whether each mesh is drawn with a skin.
    pub is_skinned: Vec<bool>,
}

/// Whether a vertex has no influence with a positive weight.
pub(super) fn is_free(influences: &[crate::scene::Influence]) -> bool {
    !influences.iter().any(|i| i.weight > 0.0)
}

fn has_free_vertices(part: &Part) -> bool {
    part.influences.is_empty() || part.influences.iter().any(is_free)
}

pub(super) fn plan(scene: &Scene) -> Plan {
    let mut joints: Vec<usize> = scene.skins.iter().map(|s| s.joints.len()).collect();
    let mut static_joint = vec![None; scene.meshes.len()];
    let mut is_skinned = vec![false; scene.meshes.len()];
    let drawn = || scene.nodes.iter().filter_map(|n| Some((n.mesh?.index(), n.skin?.index())));
    for (mesh, skin) in drawn() {
        if !is_skinned[mesh] {
            is_skinned[mesh] = true;
            if scene.meshes[mesh].parts.iter().any(has_free_vertices) {
                static_joint[mesh] = Some(0);
            }
        }
        let own = scene.skins[skin].joints.len() as u32;
        static_joint[mesh] = static_joint[mesh].map(|s: u32| s.max(own));
    }
    for (mesh, skin) in drawn() {
        if let Some(free) = static_joint[mesh] {
            joints[skin] = joints[skin].max(free as usize + 1);
        }
    }
    Plan { static_joint, joints, is_skinned }
}

impl Export<'_> {
    /// Writes the skins and adds the nodes that they need. Returns the file's index of each skin that has joints.
    pub(super) fn skins(&mut self, scene: &mut Scene, plan: &Plan, tops: &[usize]) -> Vec<Option<u32>> {
        let mut numbers = Vec::new();
        let mut gathered: Vec<usize> = Vec::new();
        for (index, mut skin) in std::mem::take(&mut scene.skins).into_iter().enumerate() {
            if plan.joints[index] == 0 {
                let message = "a skin without joints cannot be written";
                self.dropped(&codes::EMPTY, &format!("skin {:?}", skin.name), 1, message);
                numbers.push(None);
                continue;
            }
            let mut joints: Vec<u32> = skin.joints.iter().map(|j| j.0).collect();
            let mut roots: Vec<usize> = skin.joints.iter().map(|j| tops[j.index()]).collect();
            self.distinct(&mut joints);
            let mut inverse_binds = skin.inverse_binds;
            while joints.len() < plan.joints[index] {
                let node = self.add_node("static", "static_joint");
                joints.push(node as u32);
                roots.push(node);
                inverse_binds.push(glam::Mat4::IDENTITY.to_cols_array());
            }
            roots.sort_unstable();
            roots.dedup();
            if roots.len() > 1 {
                gathered.extend(roots);
            }
            for m in &mut inverse_binds {
                [m[3], m[7], m[11], m[15]] = [0.0, 0.0, 0.0, 1.0];
            }
            let inverse_binds = self.data.add(Chunk::Mat4(inverse_binds), "MAT4", None);
            numbers.push(Some(self.root.skins.len() as u32));
            let extensions = extensions::kept(&mut skin.extras, OF_OBJECT);
            self.root.skins.push(json::Skin {
                name: skin.name,
                extensions,
                inverse_bind_matrices: Some(inverse_binds),
                joints,
                extras: plain(skin.extras),
                ..json::Skin::default()
            });
        }
        self.gather(gathered);
        numbers
    }

    /// Gives repeated joints a second node below them: glTF allows a joint only once per skin.
    fn distinct(&mut self, joints: &mut [u32]) {
        let mut seen = HashSet::new();
        for joint in joints {
            if !seen.insert(*joint) {
                let double = self.add_double(*joint as usize) as u32;
                self.root.nodes[*joint as usize].children.push(double);
                *joint = double;
                let message =
                    "joints that a skin names twice get a second node; reading the file again removes it";
                self.kept(&codes::MOVED, "", 1, message);
            }
        }
    }

    /// Adds one node above all these roots.
    fn gather(&mut self, mut roots: Vec<usize>) {
        if roots.is_empty() {
            return;
        }
        roots.sort_unstable();
        roots.dedup();
        let message = "joints without a common root are given one; reading the file again removes it";
        self.kept(&codes::MOVED, "", roots.len(), message);
        let node = self.add_node("skeletons", "added");
        self.root.nodes[node].children = roots.iter().map(|&r| r as u32).collect();
        let top = &mut self.root.scenes[0].nodes;
        top.retain(|&n| roots.binary_search(&(n as usize)).is_err());
    }

    /// Adds a node that the scene does not have, marked so that the reader removes it; at the root for now.
    fn add_node(&mut self, name: &str, mark: &str) -> usize {
        let extras = extras::mark(mark, json!(true));
        self.root.nodes.push(json::Node { name: name.to_owned(), extras, ..json::Node::default() });
        let index = self.root.nodes.len() - 1;
        self.root.scenes[0].nodes.push(index as u32);
        index
    }
}
