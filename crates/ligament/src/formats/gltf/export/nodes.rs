//! Nodes keep their indices; skinned meshes move to the root, as glTF recommends.

use super::super::extensions::{HIDDEN, OF_OBJECT, To, take};
use super::super::json::{self, Num, nums};
use super::super::{LIGHTS, codes};
use super::skins::Plan;
use super::{Export, extensions, extras};
use crate::scene::{LightId, Local, MeshId, Node, NodeId, Scene, SkinId, Trs};
use glam::{Quat, Vec3};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The nodes and weights that clips may animate.
pub(super) struct Targets {
    /// Nodes whose own transform has no effect, because they only draw a skinned mesh.
    pub is_inert: Vec<bool>,
    /// The number of morph weights of each node.
    pub morphs: Vec<usize>,
    /// For each node, the node in the file that draws its mesh.
    pub drawn_by: Vec<usize>,
}

impl Export<'_> {
    pub(super) fn nodes(&mut self, scene: &mut Scene, plan: &Plan, meshes: &[Option<u32>]) -> Targets {
        let count = scene.nodes.len();
        let is_joint = scene.are_joints();
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (index, node) in scene.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent.index()].push(index as u32);
            }
        }
        let is_moved = moved_nodes(scene);
        let is_inert: Vec<bool> = (0..count)
            .map(|i| scene.nodes[i].skin.is_some() && children[i].is_empty() && !is_joint[i])
            .collect();
        let mut tops: Vec<usize> = Vec::with_capacity(count);
        let mut scene_root = json::Scene { name: std::mem::take(&mut scene.name), ..json::Scene::default() };
        for (index, node) in scene.nodes.iter().enumerate() {
            let parent = node.parent.filter(|_| !is_inert[index]);
            match parent {
                Some(parent) => tops.push(tops[parent.index()]),
                None => {
                    tops.push(index);
                    scene_root.nodes.push(index as u32);
                }
            }
        }
        self.root.scenes.push(scene_root);
        let names: Vec<String> = scene.nodes.iter().map(|n| n.name.clone()).collect();
        let nodes = std::mem::take(&mut scene.nodes);
        let placements: Vec<_> = nodes.iter().map(|n| (n.mesh, n.skin)).collect();
        for (index, node) in nodes.into_iter().enumerate() {
            let children = std::mem::take(&mut children[index]);
            let children = children.into_iter().filter(|&c| !is_inert[c as usize]).collect();
            let node = self.node(node, is_inert[index], children, &names);
            self.root.nodes.push(node);
        }
        let skins = self.skins(scene, plan, &tops);
        let mut morphs = vec![0; count];
        let mut drawn_by: Vec<usize> = (0..count).collect();
        let mut copies = BTreeMap::new();
        for (index, (mesh, skin)) in placements.into_iter().enumerate() {
            let Some(mesh) = mesh.and_then(|m| meshes[m.index()]) else {
                self.root.nodes[index].weights.clear();
                continue;
            };
            morphs[index] = self.root.meshes[mesh as usize].primitives[0].targets.len();
            let skin = skin.and_then(|s| skins[s.index()]);
            if skin.is_some() && !is_inert[index] && is_moved[index] {
                drawn_by[index] = self.split(index);
            }
            let mesh = if skin.is_none() { self.without_joints(mesh, &mut copies) } else { mesh };
            let node = &mut self.root.nodes[drawn_by[index]];
            node.mesh = Some(mesh);
            node.skin = skin;
        }
        Targets { is_inert, morphs, drawn_by }
    }

    /// The version of a mesh that is drawn without a skin: a mesh with joints gets a copy without them that shares everything else.
    fn without_joints(&mut self, mesh: u32, copies: &mut BTreeMap<u32, u32>) -> u32 {
        let is_skinning = |name: &str| name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_");
        let original = &self.root.meshes[mesh as usize];
        if !original.primitives.iter().any(|p| p.attributes.keys().any(|name| is_skinning(name))) {
            return mesh;
        }
        if let Some(&copy) = copies.get(&mesh) {
            return copy;
        }
        let mut copy = original.clone();
        for primitive in &mut copy.primitives {
            primitive.attributes.retain(|name, _| !is_skinning(name));
        }
        copy.extras = extras::mark("copy_of", json!(mesh));
        let message = "skinned meshes that are also drawn without a skin are written twice; reading the file again joins them";
        self.kept(&codes::MOVED, "", 1, message);
        let number = self.root.meshes.len() as u32;
        self.root.meshes.push(copy);
        copies.insert(mesh, number);
        number
    }

    /// Adds a node at the root for the skinned mesh of a node with children: glTF wants a skinned mesh where no
    /// transform could appear to move it.
    fn split(&mut self, index: usize) -> usize {
        let message = "skinned meshes of nodes with children, or of joints, get a node of their own; reading the file again puts them back";
        self.kept(&codes::MOVED, "", 1, message);
        let weights = std::mem::take(&mut self.root.nodes[index].weights);
        let node = self.add_double(index);
        self.root.nodes[node].weights = weights;
        self.root.scenes[0].nodes.push(node as u32);
        node
    }

    /// Adds a node that stands for another one, marked so that the reader removes it. It has no parent yet.
    pub(super) fn add_double(&mut self, original: usize) -> usize {
        let name = self.root.nodes[original].name.clone();
        let extras = extras::mark("double", json!({ "index": original }));
        self.root.nodes.push(json::Node { name, extras, ..json::Node::default() });
        self.root.nodes.len() - 1
    }

    fn node(&mut self, mut node: Node, is_inert: bool, children: Vec<u32>, names: &[String]) -> json::Node {
        let mut marks = Map::new();
        if let Some(tip) = node.tip {
            marks.insert("tip".to_owned(), json!(tip));
            self.kept(&codes::IN_EXTRAS, "joints", 1, "bone tips are kept in extras");
        }
        let mut written = json::Node { children, ..json::Node::default() };
        if is_inert && (node.parent.is_some() || node.local != Local::default()) {
            marks.insert("local".to_owned(), noted(&node.local, node.parent, names));
            let message =
                "nodes of skinned meshes are moved to the root; reading the file again puts them back";
            self.kept(&codes::MOVED, "", 1, message);
        } else {
            self.transform(&node.local, &mut written);
        }
        if let Some(light) = node.light {
            written.extensions = json::one_extension(LIGHTS, json!({ "light": light.0 }));
        }
        extensions::add(&mut written.extensions, extensions::kept(&mut node.extras, OF_OBJECT));
        written.name = node.name;
        written.camera = node.camera.map(|c| c.0);
        written.weights = node.morph_weights.into_iter().map(Num).collect();
        written.extras = extras::join(node.extras, marks);
        written
    }

    fn transform(&mut self, local: &Local, written: &mut json::Node) {
        match local {
            Local::Trs(trs) => {
                let Trs { translation, rotation, scale } = *trs;
                written.translation = (translation != Vec3::ZERO).then(|| nums(translation.to_array()));
                written.rotation = (rotation != Quat::IDENTITY).then(|| nums(rotation.to_array()));
                written.scale = (scale != Vec3::ONE).then(|| nums(scale.to_array()));
            }
            Local::Matrix(matrix) => {
                let message =
                    "a transform with shear is written as a matrix, which the specification discourages";
                self.kept(&codes::SHEAR, "", 1, message);
                written.matrix = Some(Box::new(nums(*matrix)));
            }
        }
    }
}

/// Puts back the meshes and lights that importing took off hidden nodes. The nodes still have the extension that hides them.
pub(super) fn show(scene: &mut Scene, marks: &extensions::Marks) {
    for index in 0..scene.nodes.len() {
        let node = &mut scene.nodes[index];
        let Some(note) = take(&mut node.extras, HIDDEN).filter(|_| node.mesh.is_none()) else { continue };
        let number = |key: &str, to: To| marks.get(to, note.get(key)?.as_u64()?);
        if node.light.is_none() {
            node.light = number("light", To::Light).map(LightId::new);
        }
        let Some(mesh) = number("mesh", To::Mesh) else { continue };
        let weights = note.get("weights").and_then(Value::as_array).into_iter().flatten();
        let weights: Vec<f32> =
            weights.filter_map(|w| w.as_f64().map(|w| w as f32)).filter(|w| w.is_finite()).collect();
        node.mesh = Some(MeshId::new(mesh));
        node.skin = number("skin", To::Skin).map(SkinId::new);
        if weights.len() == scene.meshes[mesh].morphs.len() {
            node.morph_weights = weights;
        }
    }
}

/// Whether each node has a parent or a transform, or is animated: a mesh there would appear to move too.
fn moved_nodes(scene: &Scene) -> Vec<bool> {
    let is_placed = |n: &Node| n.parent.is_some() || n.local != Local::default();
    scene.nodes.iter().zip(scene.are_animated()).map(|(node, moves)| moves || is_placed(node)).collect()
}

/// A transform and parent as a mark that the reader restores.
fn noted(local: &Local, parent: Option<NodeId>, names: &[String]) -> Value {
    let mut note = match local {
        Local::Trs(trs) => json!({
            "translation": trs.translation.to_array(),
            "rotation": trs.rotation.to_array(),
            "scale": trs.scale.to_array(),
        }),
        Local::Matrix(matrix) => json!({ "matrix": matrix }),
    };
    if let Some(parent) = parent {
        note["parent"] = json!({ "index": parent.0, "name": names[parent.index()] });
    }
    note
}
