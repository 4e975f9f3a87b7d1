//! The node tree: finds parents, refuses cycles, puts parents first, and removes the nodes that only the writer needed.

use super::super::extensions::OF_OBJECT;
use super::super::json::{self, Num, plain};
use super::super::{LIGHTS, codes};
use super::Import;
use super::extras::{Marks, numbers, split};
use super::placed::light_sources;
use crate::formats::hierarchy::Hierarchy;
use crate::scene::{CameraId, LightId, Local, MeshId, Node, NodeId, Scene, SkinId, Trs, affine};
use glam::{DMat4, Quat, Vec3};
use std::collections::HashSet;
use std::fmt::Display;

/// Maps the file's nodes to the scene's.
pub(super) struct Tree {
    pub ids: Vec<Option<NodeId>>,
    /// Whether each is a joint that the writer added for vertices without influences.
    pub is_static_joint: Vec<bool>,
}

impl Import<'_, '_, '_> {
    pub(super) fn nodes(&mut self, scene: &mut Scene) -> Option<Tree> {
        let root = self.root;
        let mut parents = self.parents();
        self.check_loops(&parents)?;
        let mut marks: Vec<Marks> = root.nodes.iter().map(|n| split(&n.extras).1).collect();
        let is = |marks: &Marks, key: &str| marks.get(key).is_some_and(|v| v == true);
        let is_static_joint: Vec<bool> = marks.iter().map(|m| is(m, "static_joint")).collect();
        let is_added: Vec<bool> = marks.iter().map(|m| is(m, "added")).collect();
        for (index, marks) in marks.iter_mut().enumerate() {
            if !self.restore_parent(index, marks, &mut parents) {
                marks.shift_remove("local");
            }
        }
        let mut kept = self.kept(&parents);
        let left_out = kept.iter().filter(|k| !**k).count();
        self.lose(&codes::OTHER_SCENES, "", left_out, "nodes outside the default scene are not read");
        let others = root.scenes.len().saturating_sub(1);
        self.lose(&codes::OTHER_SCENES, "", others, "scenes other than the default one are not read");
        for (index, kept) in kept.iter_mut().enumerate() {
            *kept &= !is_static_joint[index] && !is_added[index];
        }
        let doubles = self.doubles(&marks, &parents);
        for &(double, _) in &doubles {
            kept[double] = false;
        }
        for (index, parent) in parents.iter_mut().enumerate() {
            // Children of a removed node become roots, as they were before the node was added.
            *parent = parent.filter(|&p| kept[p] && kept[index]);
        }
        let mut tree = Tree { ids: vec![None; root.nodes.len()], is_static_joint };
        let mut depths = vec![0_usize; root.nodes.len()];
        for index in Hierarchy::of(parents.iter().copied()).order.into_iter().filter(|&i| kept[i]) {
            depths[index] = parents[index].map_or(1, |p| depths[p] + 1);
            if depths[index] > self.max_depth {
                let message = format!("nodes are nested deeper than {}", self.max_depth);
                return self.fault(&codes::HIERARCHY, format!("nodes[{index}]"), message);
            }
            let mut node = self.node(index, &marks[index]);
            node.parent = parents[index].and_then(|p| tree.ids[p]);
            tree.ids[index] = Some(scene.add_node(node));
        }
        for (double, original) in doubles {
            self.undouble(double, original, &mut tree, scene);
        }
        Some(tree)
    }

    /// The nodes that stand for another one, with that one. The writer gives a second node to a joint that a skin names
    /// twice, and to a skinned mesh whose node has children or is a joint.
    fn doubles(&self, marks: &[Marks], parents: &[Option<usize>]) -> Vec<(usize, usize)> {
        let nodes = &self.root.nodes;
        let mut doubles: Vec<(usize, usize)> = Vec::new();
        let mut draw_for = HashSet::new();
        for (index, mark) in marks.iter().enumerate().filter_map(|(i, m)| Some((i, m.get("double")?))) {
            let original = mark.get("index").and_then(|v| v.as_u64()).map(|v| v as usize);
            let named =
                |o: &usize| nodes.get(*o).map(|n| n.name.as_str()) == Some(nodes[index].name.as_str());
            // No double of a double, and no two meshes on one node.
            let is_free = |o: &usize| {
                marks[*o].get("double").is_none() && (nodes[index].mesh.is_none() || !draw_for.contains(o))
            };
            let Some(original) = original.filter(named).filter(is_free) else { continue };
            // A double that has since been given a transform, children or another parent is now a node of its own.
            let node = &nodes[index];
            let is_still = node.children.is_empty() && node.is_unplaced();
            let fits = match node.mesh {
                Some(_) => parents[index].is_none() && nodes[original].mesh.is_none(),
                None => parents[index] == Some(original),
            };
            if is_still && fits {
                doubles.push((index, original));
                if node.mesh.is_some() {
                    draw_for.insert(original);
                }
            }
        }
        doubles
    }

    fn undouble(&mut self, double: usize, original: usize, tree: &mut Tree, scene: &mut Scene) {
        let Some(id) = tree.ids[original] else { return };
        tree.ids[double] = Some(id);
        let Node { mesh, skin, morph_weights, .. } = self.node(double, &Marks::new());
        if mesh.is_some() {
            let node = &mut scene.nodes[id.index()];
            (node.mesh, node.skin, node.morph_weights) = (mesh, skin, morph_weights);
        }
    }

    fn parents(&mut self) -> Vec<Option<usize>> {
        let root = self.root;
        let mut parents: Vec<Option<usize>> = vec![None; root.nodes.len()];
        for (index, node) in root.nodes.iter().enumerate() {
            for (at, &child) in node.children.iter().enumerate() {
                let path = || format!("nodes[{index}].children[{at}]");
                match parents.get(child as usize) {
                    None => {
                        let message = format!("there is no node {child}; the file has {}", root.nodes.len());
                        self.error(&codes::INDEX, path(), message);
                    }
                    Some(Some(first)) => {
                        let [child, first] = [child as usize, *first].map(|n| self.node_name(n));
                        let message = format!("{child} is already a child of {first}");
                        self.error(&codes::HIERARCHY, path(), message);
                    }
                    Some(None) => parents[child as usize] = Some(index),
                }
            }
        }
        parents
    }

    /// A node's name in messages: its index, or its id in glTF 1.0.
    fn node_name(&self, node: usize) -> String {
        match self.document.first {
            Some(_) => self.places.name(&format!("nodes[{node}]")),
            None => format!("node {node}"),
        }
    }

    fn check_loops(&mut self, parents: &[Option<usize>]) -> Option<()> {
        match Hierarchy::of(parents.iter().copied()).cut.first() {
            Some((_, node)) => {
                let message = "the node is its own ancestor";
                self.fault(&codes::HIERARCHY, format!("nodes[{node}]"), message)
            }
            None => Some(()),
        }
    }

    /// Restores the parent of a skinned mesh's node, which the writer moved to the root. Returns false if there is no
    /// mark, or if it no longer fits.
    fn restore_parent(&self, index: usize, marks: &Marks, parents: &mut [Option<usize>]) -> bool {
        let untouched = parents[index].is_none() && self.root.nodes[index].is_unplaced();
        let Some(place) = marks.get("local").filter(|_| untouched) else { return false };
        let Some(parent) = place.get("parent") else { return true };
        let found = parent.get("index").and_then(|v| v.as_u64()).map(|v| v as usize);
        let name = parent.get("name").and_then(|v| v.as_str()).unwrap_or("");
        let is_same = |p: &usize| self.root.nodes.get(*p).is_some_and(|n| n.name == name);
        let Some(found) = found.filter(is_same) else { return false };
        // Above a node that is too deep, nothing is looked for: the file is refused anyway.
        let above = std::iter::successors(Some(found), |&ancestor| parents[ancestor]);
        let is_fine = above.take(self.max_depth.saturating_add(1)).all(|ancestor| ancestor != index);
        if is_fine {
            parents[index] = Some(found);
        }
        is_fine
    }

    /// Whether each node belongs to the default scene, or to a tree that contains a joint.
    fn kept(&mut self, parents: &[Option<usize>]) -> Vec<bool> {
        let root = self.root;
        let count = root.nodes.len();
        let scene = match root.scene {
            Some(_) => self.index(root.scene, root.scenes.len(), "scene", "scene"),
            None => (!root.scenes.is_empty()).then_some(0),
        };
        let Some(scene) = scene else { return vec![true; count] };
        let (mut kept, mut climbed) = (vec![false; count], vec![false; count]);
        for (at, &node) in root.scenes[scene].nodes.iter().enumerate() {
            let path = format_args!("scenes[{scene}].nodes[{at}]");
            if let Some(node) = self.index(Some(node), count, path, "node") {
                kept[node] = true;
            }
        }
        for &joint in root.skins.iter().flat_map(|s| &s.joints) {
            let mut at = Some(joint as usize).filter(|&joint| joint < count);
            // Above a node that another joint has below it, all is known.
            while let Some(node) = at.filter(|&node| !std::mem::replace(&mut climbed[node], true)) {
                kept[node] |= parents[node].is_none();
                at = parents[node];
            }
        }
        let mut open: Vec<usize> = (0..count).filter(|&i| kept[i]).collect();
        while let Some(node) = open.pop() {
            for &child in &root.nodes[node].children {
                if kept.get(child as usize) == Some(&false) {
                    kept[child as usize] = true;
                    open.push(child as usize);
                }
            }
        }
        kept
    }

    fn node(&mut self, index: usize, marks: &Marks) -> Node {
        let root = self.root;
        let source = &root.nodes[index];
        let path = format_args!("nodes[{index}]");
        let mesh = self.index(source.mesh, root.meshes.len(), format_args!("{path}.mesh"), "mesh");
        let skin = self.index(source.skin, root.skins.len(), format_args!("{path}.skin"), "skin");
        if skin.is_some() && mesh.is_none() {
            self.warning(&codes::VALUE, format_args!("{path}.skin"), "a skin without a mesh is ignored");
        }
        let camera = self.index(source.camera, root.cameras.len(), format_args!("{path}.camera"), "camera");
        let light = json::extension(&source.extensions, LIGHTS).and_then(|v| v.get("light")?.as_u64());
        let light = light.map(|l| u32::try_from(l).unwrap_or(u32::MAX));
        let lights = light_sources(root).len();
        let light = self.index(light, lights, format_args!("{path}.extensions.{LIGHTS}.light"), "light");
        let local = match marks.get("local") {
            Some(local) => stored_local(local),
            None => self.local(source, path),
        };
        let mut extras = split(&source.extras).0;
        self.keep_extensions(&source.extensions, OF_OBJECT, &mut extras);
        Node {
            name: source.name.clone(),
            parent: None,
            local,
            mesh: mesh.map(|m| MeshId::new(self.meshes.number(m))),
            skin: skin.filter(|_| mesh.is_some()).map(SkinId::new),
            morph_weights: source.weights.iter().map(|w| w.0).collect(),
            camera: camera.map(CameraId::new),
            light: light.map(LightId::new),
            tip: numbers(marks.get("tip")),
            extras,
        }
    }

    fn local(&mut self, node: &json::Node, path: impl Display) -> Local {
        if let Some(matrix) = &node.matrix {
            return Local::from_matrix(&self.matrix(matrix, format_args!("{path}.matrix")));
        }
        let mut rotation = [node.rotation.map_or(Quat::IDENTITY, |r| Quat::from_array(plain(r)))];
        self.unit_rotations(&mut rotation, format_args!("{path}.rotation"));
        Local::Trs(Trs {
            translation: node.translation.map_or(Vec3::ZERO, |t| plain(t).into()),
            rotation: rotation[0],
            scale: node.scale.map_or(Vec3::ONE, |s| plain(s).into()),
        })
    }

    /// Reads a matrix. Its last row should be 0 0 0 1.
    pub(super) fn matrix(&mut self, matrix: &[Num; 16], path: impl Display) -> DMat4 {
        let matrix = plain(*matrix);
        if [matrix[3], matrix[7], matrix[11], matrix[15]] != [0.0, 0.0, 0.0, 1.0] {
            let message = "the last row of the matrix is not 0 0 0 1; it is read as such";
            self.warning(&codes::VALUE, path, message);
        }
        affine(&matrix)
    }

    /// Normalises quaternions that are off by rounding or quantisation; a zero quaternion has no meaning.
    pub(super) fn unit_rotations(&mut self, rotations: &mut [Quat], path: impl Display) {
        let (mut far, mut zero) = (0, 0);
        for rotation in rotations {
            let length = rotation.length_squared();
            let off = (length - 1.0).abs();
            if off <= 2e-6 {
                continue;
            }
            let precise = rotation.as_dquat();
            if precise.length_squared() < 1e-12 {
                zero += 1;
                *rotation = Quat::IDENTITY;
                continue;
            }
            far += usize::from(off > 1e-2);
            *rotation = precise.normalize().as_quat();
        }
        if far > 0 {
            let message = format!("{far} rotations were not unit quaternions; normalised");
            self.warning(&codes::VALUE, &path, message);
        }
        if zero > 0 {
            let message = format!("{zero} rotations are zero; they are read as no rotation");
            self.warning(&codes::VALUE, path, message);
        }
    }

    /// Checks morph weights against the mesh, which is known only now.
    pub(super) fn check_placements(&mut self, scene: &mut Scene) {
        for index in 0..scene.nodes.len() {
            let node = &scene.nodes[index];
            let expected = node.mesh.map_or(0, |m| scene.meshes[m.index()].morphs.len());
            if !node.morph_weights.is_empty() && node.morph_weights.len() != expected {
                let message = format!(
                    "node {} has {} morph weights, but its mesh has {expected} morph targets; the weights are ignored",
                    scene.node_label(NodeId::new(index)),
                    node.morph_weights.len()
                );
                self.warning(&codes::VALUE, "nodes", message);
                scene.nodes[index].morph_weights.clear();
            }
        }
    }
}

/// A transform that the writer stored.
fn stored_local(value: &serde_json::Value) -> Local {
    if let Some(matrix) = numbers::<16>(value.get("matrix")) {
        return Local::from_matrix(&DMat4::from_cols_array(&matrix.map(f64::from)));
    }
    let rotation = numbers(value.get("rotation")).map_or(Quat::IDENTITY, Quat::from_array);
    let is_unit = (rotation.length_squared() - 1.0).abs() <= 2e-6;
    let trs = Trs {
        translation: numbers(value.get("translation")).map_or(Vec3::ZERO, Vec3::from_array),
        rotation: if is_unit { rotation } else { rotation.normalize() },
        scale: numbers(value.get("scale")).map_or(Vec3::ONE, Vec3::from_array),
    };
    if trs.rotation.is_finite() { Local::Trs(trs) } else { Local::default() }
}
