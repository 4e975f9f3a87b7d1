//! The hierarchy, skins, and the nodes of scenes.

use super::contents::{Check, Rule};
use super::layout::{Arrays, Use};
use super::view::{List, index, indices, items, morph_count, sets};
use super::{Rules, at, codes, deeper};
use crate::formats::gltf::accessor::Component;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Comparisons of scenes; no real file needs nearly as many.
const MOST_STEPS: usize = 1 << 24;

pub(super) fn check<'v>(rules: &mut Rules<'_, '_, '_, 'v>, arrays: &mut Arrays<'v>) {
    let root = rules.root;
    let nodes = List::Nodes.of(root);
    let tree = Tree::new(rules, nodes);
    for (i, node) in nodes.iter().enumerate() {
        mesh(rules, node, i, &tree);
    }
    for (i, skin) in List::Skins.of(root).iter().enumerate() {
        self::skin(rules, skin, i, &tree);
        inverse_binds(rules, arrays, skin, i);
    }
    let mut scenes: HashMap<usize, HashSet<usize>> = HashMap::new();
    for (s, scene) in List::Scenes.of(root).iter().enumerate() {
        for (position, node) in indices(scene, "nodes") {
            if tree.parents.get(node).is_some_and(Option::is_some) {
                let message = format!(
                    "node {node} is not a root: node {} is its parent",
                    tree.parents[node].unwrap_or(0)
                );
                rules.error(&codes::HIERARCHY, at!["scenes", s, "nodes", position], message);
            } else {
                scenes.entry(node).or_default().insert(s);
            }
        }
    }
    joints_in_scenes(rules, nodes, &tree, &scenes);
}

/// Parents, and the order of a walk through the trees.
struct Tree {
    parents: Vec<Option<usize>>,
    /// The root above each node; `None` in a loop.
    roots: Vec<Option<usize>>,
    /// When a walk enters and leaves each node.
    spans: Vec<(usize, usize)>,
}

impl Tree {
    fn new(rules: &mut Rules<'_, '_, '_, '_>, nodes: &[Value]) -> Self {
        let mut parents = vec![None; nodes.len()];
        for (i, node) in nodes.iter().enumerate() {
            for (position, child) in indices(node, "children") {
                let Some(parent) = parents.get_mut(child) else { continue };
                if let Some(other) = parent.replace(i) {
                    let message = format!("node {child} is also a child of node {other}");
                    rules.error(&codes::HIERARCHY, at!["nodes", i, "children", position], message);
                }
            }
        }
        let mut children = vec![Vec::new(); nodes.len()];
        for (i, parent) in parents.iter().enumerate() {
            parent.iter().for_each(|parent: &usize| children[*parent].push(i));
        }
        let (mut roots, mut spans) = (vec![None; nodes.len()], vec![(0, 0); nodes.len()]);
        let mut clock = 0;
        for root in (0..nodes.len()).filter(|i| parents[*i].is_none()) {
            let mut open = vec![(root, false)];
            while let Some((node, is_left)) = open.pop() {
                if is_left {
                    spans[node].1 = clock;
                    continue;
                }
                (roots[node], spans[node].0) = (Some(root), clock);
                clock += 1;
                open.push((node, true));
                open.extend(children[node].iter().map(|child| (*child, false)));
            }
        }
        let tree = Self { parents, roots, spans };
        tree.loops(rules);
        tree
    }

    /// A walk from the roots never reaches the nodes of a loop.
    fn loops(&self, rules: &mut Rules<'_, '_, '_, '_>) {
        let mut seen = vec![false; self.parents.len()];
        for start in (0..seen.len()).filter(|i| self.roots[*i].is_none()) {
            let (mut node, mut trail) = (start, HashSet::new());
            while !std::mem::replace(&mut seen[node], true) {
                trail.insert(node);
                node = self.parents[node].unwrap_or(node);
            }
            if trail.contains(&node) {
                rules.error(&codes::HIERARCHY, at!["nodes", node], "the node is its own ancestor");
            }
        }
    }

    fn root(&self, node: usize) -> Option<usize> {
        *self.roots.get(node)?
    }

    fn is_above(&self, node: usize, other: usize) -> bool {
        let (Some(above), Some(below)) = (self.spans.get(node), self.spans.get(other)) else { return false };
        (above.0..above.1).contains(&below.0)
    }
}

/// A node's mesh, and its skin and weights, which must fit the mesh.
fn mesh(rules: &mut Rules<'_, '_, '_, '_>, node: &Value, i: usize, tree: &Tree) {
    let Some(mesh) = index(node, "mesh").and_then(|mesh| List::Meshes.of(rules.root).get(mesh)) else {
        return;
    };
    let primitives = items(&mesh["primitives"]);
    let weights = items(&node["weights"]).len();
    if weights != 0 && weights != morph_count(mesh) {
        let message = format!("{weights} weights for {} morph targets", morph_count(mesh));
        rules.error(&codes::MORPHS, at!["nodes", i, "weights"], message);
    }
    let is_skinned = |primitive: &Value| {
        let joints = sets(primitive, "JOINTS");
        joints != 0 && joints == sets(primitive, "WEIGHTS")
    };
    let has_skin = index(node, "skin").is_some_and(|skin| skin < List::Skins.of(rules.root).len());
    if primitives.is_empty() {
        return;
    }
    if !has_skin {
        if primitives.iter().any(is_skinned) {
            let message = "the mesh has joints and weights, but the node has no skin";
            rules.warning(&codes::SKINNED_NODE, at!["nodes", i], message);
        }
        return;
    }
    if !primitives.iter().any(is_skinned) {
        let message = "the node has a skin, but its mesh has no joints and weights";
        rules.error(&codes::SKINNED_NODE, at!["nodes", i, "skin"], message);
    }
    let is_placed =
        ["matrix", "translation", "rotation", "scale"].iter().any(|name| moves(name, &node[*name]));
    if tree.parents.get(i).is_some_and(Option::is_some) {
        let message = "a skinned mesh ignores the transforms of its parents; make its node a root";
        rules.warning(&codes::NO_EFFECT, at!["nodes", i], message);
    } else if is_placed {
        let message = "a skinned mesh ignores the transform of its node";
        rules.warning(&codes::NO_EFFECT, at!["nodes", i], message);
    }
}

/// Whether a transform is not the identity.
fn moves(name: &str, value: &Value) -> bool {
    let identity = |i: usize| match name {
        "matrix" => i.is_multiple_of(5),
        "rotation" => i == 3,
        "scale" => true,
        _ => false,
    };
    items(value).iter().enumerate().any(|(i, v)| v.as_f64() != Some(f64::from(u8::from(identity(i)))))
}

fn skin(rules: &mut Rules<'_, '_, '_, '_>, skin: &Value, i: usize, tree: &Tree) {
    let joints = || indices(skin, "joints").filter(|(_, joint)| *joint < tree.parents.len());
    let Some(first) = joints().next().and_then(|(_, joint)| tree.root(joint)) else { return };
    if let Some((position, joint)) = joints().find(|(_, joint)| tree.root(*joint) != Some(first)) {
        let message = format!("joint {position}, node {joint}, has no common root with the first joint");
        return rules.error(&codes::SKINNED_NODE, at!["skins", i, "joints"], message);
    }
    let Some(skeleton) = index(skin, "skeleton").filter(|node| *node < tree.parents.len()) else { return };
    if let Some((_, joint)) = joints().find(|(_, joint)| !tree.is_above(skeleton, *joint)) {
        let message = format!("node {skeleton} is not above joint node {joint}");
        rules.error(&codes::SKINNED_NODE, at!["skins", i, "skeleton"], message);
    }
}

fn inverse_binds<'v>(rules: &mut Rules<'_, '_, '_, 'v>, arrays: &mut Arrays<'v>, skin: &'v Value, i: usize) {
    let Some(accessor) = index(skin, "inverseBindMatrices") else { return };
    let path = at!["skins", i, "inverseBindMatrices"];
    let Some(array) = arrays.use_accessor(rules, accessor, Use::InverseBinds, path) else { return };
    if array.format() == ("MAT4", Component::F32, false) {
        arrays.look(Check { accessor, rule: Rule::InverseBinds, path: deeper(path, &[]) });
    } else {
        let message = format!("inverse bind matrices are FLOAT MAT4, not {}", array.shown());
        rules.error(&codes::ACCESSOR_TYPE, path, message);
    }
    let joints = items(&skin["joints"]).len() as u64;
    if array.count < joints {
        let message = format!("{} matrices for {joints} joints", array.count);
        rules.error(&codes::SKIN, path, message);
    }
}

/// Every scene that shows a skinned mesh must have its joints.
fn joints_in_scenes(
    rules: &mut Rules<'_, '_, '_, '_>,
    nodes: &[Value],
    tree: &Tree,
    scenes: &HashMap<usize, HashSet<usize>>,
) {
    let nowhere = HashSet::new();
    let scenes_of = |root: usize| scenes.get(&root).unwrap_or(&nowhere);
    let mut steps = 0;
    for (i, node) in nodes.iter().enumerate() {
        let skin = index(node, "skin").and_then(|skin| List::Skins.of(rules.root).get(skin));
        let joint = skin.and_then(|skin| indices(skin, "joints").next());
        let roots = joint.and_then(|(_, joint)| tree.root(i).zip(tree.root(joint)));
        let Some((own, joints)) = roots.filter(|(own, joints)| own != joints) else { continue };
        steps += scenes_of(own).len();
        if steps < MOST_STEPS && !scenes_of(own).is_subset(scenes_of(joints)) {
            let message = "the node is in a scene that does not have the joints of its skin";
            rules.error(&codes::SKINNED_NODE, at!["nodes", i, "skin"], message);
        }
    }
}
