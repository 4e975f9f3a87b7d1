//! Skins, whose joints are found by name below the skeletons of the node that uses the skin.

use super::super::locate::Step::{Index, Name};
use super::super::{codes, json};
use super::{Convert, named};
use std::collections::HashMap;

/// Nodes by joint name, and their positions in the tree.
struct Joints<'c> {
    /// In the order of a walk over the tree.
    by_name: HashMap<&'c str, Vec<u32>>,
    /// When a walk over the tree enters and leaves each node.
    spans: Vec<(u32, u32)>,
}

impl Joints<'_> {
    fn below(&self, name: &str, root: u32) -> Option<u32> {
        let nodes = self.by_name.get(name)?;
        let (start, end) = self.spans[root as usize];
        let first = nodes.partition_point(|&n| self.spans[n as usize].0 < start);
        nodes.get(first).copied().filter(|&n| self.spans[n as usize].0 < end)
    }

    /// The joint of this name below one of the skeletons, otherwise one elsewhere.
    fn find(&self, name: &str, skeletons: &[u32]) -> Option<u32> {
        skeletons
            .iter()
            .find_map(|&root| self.below(name, root))
            .or_else(|| self.by_name.get(name)?.first().copied())
    }
}

impl<'c> Convert<'c, '_, '_> {
    pub(super) fn skins(&mut self) {
        let source = self.source;
        if source.skins.names.is_empty() && source.nodes.values.iter().all(|n| n.skin.is_none()) {
            return;
        }
        let joints = self.joints();
        let mut made: HashMap<(u32, Vec<u32>), Option<u32>> = HashMap::new();
        let mut is_used = vec![false; source.skins.names.len()];
        // A skin that nodes use with different skeletons is made once per combination; no real file comes near this limit.
        let mut budget = self.length;
        for (at, (id, node)) in source.nodes.iter().enumerate() {
            let Some(skin) = &node.skin else { continue };
            let path = [Name("nodes"), Name(id), Name("skin")];
            let Some(skin) = self.number(&source.skins, skin, "skin", &path) else { continue };
            let list = [Name("nodes"), Name(id), Name("skeletons")];
            let key = (skin, self.numbers(&source.nodes, &node.skeletons, "node", &list));
            let number = match made.get(&key) {
                Some(number) => *number,
                None => {
                    let work = source.skins.values[skin as usize].joint_names.len();
                    let work = work.saturating_mul(key.1.len().max(1));
                    let Some(left) = budget.checked_sub(work) else {
                        let message = "the skin is used with too many different skeletons";
                        self.error(&codes::TOO_BIG, &path, message);
                        return;
                    };
                    budget = left;
                    let number = self.skin(skin, &key.1, &joints);
                    made.insert(key, number);
                    number
                }
            };
            is_used[skin as usize] = true;
            if self.root.nodes[at].mesh.is_some() {
                self.root.nodes[at].skin = number;
            }
            if node.meshes.len() > 1 {
                self.skin_children(at, number);
            }
        }
        for skin in (0..is_used.len()).filter(|&s| !is_used[s]) {
            self.skin(skin as u32, &[], &joints);
        }
    }

    /// Gives the skin to the children that draw the node's meshes. They are its last ones.
    fn skin_children(&mut self, node: usize, skin: Option<u32>) {
        let own = self.source.nodes.values.len();
        for at in (0..self.root.nodes[node].children.len()).rev() {
            let child = self.root.nodes[node].children[at] as usize;
            if child < own {
                break;
            }
            self.root.nodes[child].skin = skin;
        }
    }

    fn skin(&mut self, number: u32, skeletons: &[u32], joints: &Joints<'_>) -> Option<u32> {
        let source = self.source;
        let id = source.skins.names[number as usize].as_str();
        let skin = &source.skins.values[number as usize];
        let path = [Name("skins"), Name(id), Name("inverseBindMatrices")];
        let inverse_bind_matrices =
            self.optional(&source.accessors, &skin.inverse_bind_matrices, "accessor", &path);
        let mut found = Vec::with_capacity(skin.joint_names.len());
        for (at, name) in skin.joint_names.iter().enumerate() {
            // Some exporters write ids.
            match joints.find(name, skeletons).or_else(|| source.nodes.number(name)) {
                Some(node) => found.push(node),
                None => {
                    let path = [Name("skins"), Name(id), Name("jointNames"), Index(at)];
                    self.error(&codes::SKIN, &path, format!("no node has the jointName {name:?}"));
                }
            }
        }
        self.root.skins.push(json::Skin {
            name: named(&skin.name, id),
            inverse_bind_matrices,
            bind_shape_matrix: skin.bind_shape_matrix.clone(),
            joints: found,
            extras: skin.extras.clone(),
            ..json::Skin::default()
        });
        self.origins.skins.push(number);
        Some(self.root.skins.len() as u32 - 1)
    }

    /// Walks over all nodes once. A cycle, which the importer refuses, is cut where it closes.
    fn joints(&self) -> Joints<'c> {
        let nodes = &self.root.nodes;
        let mut spans = vec![(u32::MAX, 0); nodes.len()];
        let mut is_child = vec![false; nodes.len()];
        for &child in nodes.iter().flat_map(|n| &n.children) {
            is_child[child as usize] = true;
        }
        let mut time = 0;
        let mut order = Vec::new();
        let roots = (0..nodes.len()).filter(|&n| !is_child[n]).chain(0..nodes.len());
        for root in roots {
            let mut open = vec![(root, 0)];
            while let Some((node, next)) = open.pop() {
                if next == 0 {
                    if spans[node].0 != u32::MAX {
                        continue;
                    }
                    spans[node].0 = time;
                    time += 1;
                    order.push(node);
                }
                match nodes[node].children.get(next) {
                    Some(&child) => {
                        open.push((node, next + 1));
                        open.push((child as usize, 0));
                    }
                    None => spans[node].1 = time,
                }
            }
        }
        let mut by_name: HashMap<&str, Vec<u32>> = HashMap::new();
        for node in order {
            let source = self.source.nodes.values.get(node);
            if let Some(name) = source.and_then(|n| n.joint_name.as_deref()) {
                by_name.entry(name).or_default().push(node as u32);
            }
        }
        Joints { by_name, spans }
    }
}
