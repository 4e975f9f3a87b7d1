//! `<skin>`: joints, inverse binds, the bind shape and weights.
//!
//! A vertex is transformed to `Σ w · G · IBM · BSM · v`. The bind shape matrix is folded into the inverse bind
//! matrices, which is exact: `B = IBM · BSM`. Lengths are in metres on both sides.

use super::codes;
use super::ids::expected;
use super::import::Import;
use super::mesh::Deform;
use super::transforms::{Kind, matrix};
use super::xml::{Xml, child, children, label, name, short_numbers, tag, whole};
use crate::scene::{Influence, Influences, Local, MeshId, Node, NodeId, Skin, SkinId, Trs};
use glam::{DMat4, Mat4};
use std::collections::HashMap;

/// The weights of a geometry's positions.
pub(super) struct Weights {
    pub influences: Influences,
    /// The index of the static joint.
    pub still: u32,
}

/// The elements that a controller refers to.
#[derive(Default)]
struct Chain<'d> {
    skin: Option<Xml<'d>>,
    morph: Option<Xml<'d>>,
    geometry: Option<Xml<'d>>,
}

impl<'d> Import<'d, '_> {
    /// Adds a controller's mesh and skin to a node.
    pub(super) fn controller(&mut self, node: NodeId, instance: Xml<'d>, target: Xml<'d>) {
        let chain = self.chain(instance, target);
        let Some(geometry) = chain.geometry else { return };
        let joints = chain.skin.map(|skin| self.joints(skin, instance));
        let weights = chain.skin.zip(joints.as_ref()).map(|(skin, joints)| self.weights(skin, joints.len()));
        let deform = Deform { controller: target, morph: chain.morph, weights };
        let Some(mesh) = self.mesh(instance, geometry, Some(&deform)) else { return };
        let node = self.free(node, target, |n| n.mesh.is_none());
        self.scene.nodes[node.index()].mesh = Some(mesh);
        if let (Some(skin), Some(joints)) = (chain.skin, joints) {
            let skin = self.skin(target, skin, joints, mesh);
            self.scene.nodes[node.index()].skin = Some(skin);
        }
        if let Some(morph) = chain.morph {
            self.driven.morphed.entry(morph.id().get()).or_default().push(node);
        }
    }

    /// Follows a controller to its geometry: a skin, a morph, or a skin over a morph.
    fn chain(&mut self, instance: Xml<'d>, target: Xml<'d>) -> Chain<'d> {
        let mut chain = Chain::default();
        let mut at = target;
        // At most a skin over a morph: a longer chain is a cycle, or cannot be represented in a scene.
        for _ in 0..3 {
            self.used.insert(at.id());
            if tag(at) == "geometry" {
                chain.geometry = Some(at);
                return chain;
            }
            let deformer = child(at, "skin").or_else(|| child(at, "morph"));
            let Some(deformer) = deformer else { break };
            let slot = if tag(deformer) == "skin" { &mut chain.skin } else { &mut chain.morph };
            if slot.is_some() {
                let message = format!("{} is applied to another <{}>", label(at), tag(deformer));
                self.error(&codes::CONTROLLER, deformer, message);
                return chain;
            }
            *slot = Some(deformer);
            if tag(deformer) == "morph" && chain.skin.is_none() && self.is_skinned(deformer) {
                let message = "a morph over a skin is applied before the skin";
                self.lose(&codes::CONTROLLER_ORDER, label(at), 1, message);
            }
            match self.target(deformer, "source") {
                Some(next) => at = next,
                None => return chain,
            }
        }
        self.warning(&codes::CONTROLLER, instance, format!("{} refers to no geometry", label(target)));
        chain
    }

    fn is_skinned(&self, morph: Xml<'d>) -> bool {
        let source = morph.attribute("source").and_then(|url| {
            let id = url.trim_start_matches('#');
            self.ids.get(id, expected("morph"))
        });
        source.is_some_and(|s| child(s, "skin").is_some())
    }

    /// Finds the nodes of a skin's joints. A joint that is not found never moves.
    fn joints(&mut self, skin: Xml<'d>, instance: Xml<'d>) -> Vec<Option<NodeId>> {
        let list = child(skin, "joints");
        let source = list.and_then(|list| self.input_source(list, "JOINT"));
        let words = source.and_then(|source| self.words_of(source));
        let (words, by_id) = words.unwrap_or_default();
        let roots = self.skeletons(instance);
        let names = self.names(&roots);
        let mut joints = Vec::with_capacity(words.len());
        for word in &words {
            let by_sid = || names.sids.get(word.as_str()).copied();
            let by_id_of = || self.ids.get(word.as_str(), &["node"]);
            let found = if by_id { by_id_of().or_else(by_sid) } else { by_sid().or_else(by_id_of) };
            // Some exporters write names instead of sids.
            let found = found.or_else(|| names.names.get(word.as_str()).copied());
            let node = found.and_then(|element| self.placed.get(&element.id())?.first().copied());
            if node.is_none() {
                let message =
                    format!("there is no node for joint {word:?}; its vertices stay in the bind pose");
                self.warning(&codes::JOINT, instance, message);
                let object = label(skin.parent().unwrap_or(skin));
                self.lose(&codes::JOINT, object, 1, "joints without a node never move");
            }
            joints.push(node);
        }
        joints
    }

    /// Nodes by sid and by name: those below the skeleton roots first, then all others.
    fn names(&self, roots: &[Xml<'d>]) -> Names<'d> {
        let mut names = Names::default();
        let scenes = self.library("library_visual_scenes", "visual_scene");
        let nodes = self.library("library_nodes", "node");
        for root in roots.iter().copied().chain(scenes).chain(nodes) {
            for node in root.descendants().filter(|n| n.is_element() && tag(*n) == "node") {
                if !self.placed.contains_key(&node.id()) {
                    continue;
                }
                if let Some(sid) = node.attribute("sid") {
                    names.sids.entry(sid).or_insert(node);
                }
                if let Some(name) = node.attribute("name") {
                    names.names.entry(name).or_insert(node);
                }
            }
        }
        names
    }

    /// Reads the weights of `<vertex_weights>`. Joint −1 is the bind shape itself.
    fn weights(&mut self, skin: Xml<'d>, joints: usize) -> Weights {
        let mut weights = Weights { influences: Influences::new(), still: joints as u32 };
        let Some(list) = child(skin, "vertex_weights") else { return weights };
        let offset = |input: Option<Xml<'d>>| input.and_then(|i| whole(i, "offset")).unwrap_or(0_usize);
        let joint_at = offset(self.input(list, "JOINT"));
        let weight_at = offset(self.input(list, "WEIGHT"));
        let Some(source) = self.input_source(list, "WEIGHT") else { return weights };
        let Some(values) = self.floats_of(source, 1) else { return weights };
        let stride = children(list, "input").map(|i| offset(Some(i)).saturating_add(1)).max().unwrap_or(1);
        let counts = child(list, "vcount").map(|v| self.wholes(v)).unwrap_or_default();
        let indices = child(list, "v").map(|v| self.wholes(v)).unwrap_or_default();
        weights.influences = Influences::with_capacity(counts.len(), indices.len() / stride);
        let mut tuples = indices.chunks_exact(stride);
        let mut of_position = Vec::new();
        for count in counts {
            for _ in 0..count.max(0) {
                let Some(tuple) = tuples.next() else {
                    self.warning(&codes::COUNT, list, "vcount asks for more weights than <v> has");
                    return weights;
                };
                let (joint, weight) = (tuple[joint_at], tuple[weight_at]);
                if joint < -1 || joint >= joints as i32 || weight < 0 || weight as usize >= values.count {
                    let message = format!(
                        "joint {joint} with weight {weight} is out of range; there are {joints} joints and {} weights",
                        values.count
                    );
                    self.error(&codes::INDEX, list, message);
                    return weights;
                }
                let joint = if joint < 0 { weights.still } else { joint as u32 };
                of_position.push(Influence { joint, weight: values.get(weight as usize, 0) });
            }
            weights.influences.push(of_position.drain(..));
        }
        weights
    }

    /// Creates the skin, with a static joint if any vertex needs one.
    fn skin(
        &mut self,
        controller: Xml<'d>,
        skin: Xml<'d>,
        joints: Vec<Option<NodeId>>,
        mesh: MeshId,
    ) -> SkinId {
        let shape =
            child(skin, "bind_shape_matrix").map_or(DMat4::IDENTITY, |m| self.metres(&short_numbers(m)));
        let list = child(skin, "joints");
        let source = list.and_then(|list| self.input_source(list, "INV_BIND_MATRIX"));
        let inverse_binds = source.and_then(|source| self.floats_of(source, 16));
        let stated = inverse_binds.as_ref().map_or(0, |m| m.count);
        let count = joints.len();
        if stated < count {
            let message =
                format!("found {stated} inverse bind matrices for {count} joints; the rest are identity");
            self.warning(&codes::COUNT, list.unwrap_or(skin), message);
        }
        let mut made = Skin { name: name(controller).to_owned(), ..Skin::default() };
        let parts = &self.scene.meshes[mesh.index()].parts;
        let mut pairs = parts.iter().flat_map(|p| p.influences.pairs());
        let needs_still = pairs.any(|pair| pair.joint as usize == count);
        for (index, node) in joints.into_iter().enumerate() {
            let inverse = match &inverse_binds {
                Some(all) if index < all.count => self.metres(&all.row::<16>(index).map(f64::from)),
                _ => DMat4::IDENTITY,
            };
            let (node, inverse) = match node {
                Some(node) => (node, inverse * shape),
                None => (self.still_joint(), shape),
            };
            made.joints.push(node);
            made.inverse_binds.push(rounded(&inverse));
        }
        if needs_still {
            let node = self.still_joint();
            made.joints.push(node);
            made.inverse_binds.push(rounded(&shape));
        }
        self.scene.skins.push(made);
        SkinId::new(self.scene.skins.len() - 1)
    }

    /// A matrix of the file with its lengths in metres.
    fn metres(&self, values: &[f64]) -> DMat4 {
        if values.len() != 16 {
            return DMat4::IDENTITY;
        }
        let mut matrix = matrix(Kind::Matrix, values);
        matrix.w_axis = (matrix.w_axis.truncate() * self.unit).extend(1.0);
        matrix
    }

    /// The static joint: a node at the file's origin.
    fn still_joint(&mut self) -> NodeId {
        if let Some(node) = self.driven.still {
            return node;
        }
        let rotation = self.upright_rotation().as_quat();
        let local = Local::Trs(Trs { rotation, ..Trs::IDENTITY });
        let node = self.scene.add_node(Node { name: "bind_shape".to_owned(), local, ..Node::default() });
        self.driven.still = Some(node);
        node
    }
}

/// Nodes by the names that joints may use for them.
#[derive(Default)]
struct Names<'d> {
    sids: HashMap<&'d str, Xml<'d>>,
    names: HashMap<&'d str, Xml<'d>>,
}

fn rounded(matrix: &DMat4) -> [f32; 16] {
    let rounded = matrix.as_mat4();
    if rounded.is_finite() { rounded } else { Mat4::IDENTITY }.to_cols_array()
}
