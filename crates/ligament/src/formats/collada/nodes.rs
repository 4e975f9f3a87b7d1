//! The visual scene: nodes, instances of nodes, and what is attached to them.

use super::codes;
use super::import::Import;
use super::xml::{Xml, child, children, elements, label, name, tag, word};
use crate::scene::{Local, Node, NodeId};

/// An `<instance_...>` element below a node.
pub(super) struct Instance<'d> {
    pub node: NodeId,
    pub element: Xml<'d>,
}

/// A node that is still to be added.
struct Open<'d> {
    element: Xml<'d>,
    parent: Option<NodeId>,
    depth: usize,
    /// The chain of instanced nodes that led here: an index into a list of (element, previous).
    way: Option<usize>,
}

/// Approximate size of a node.
const NODE_BYTES: usize = 400;

impl<'d> Import<'d, '_> {
    /// Adds all nodes of the shown scene. Returns what they instance.
    pub(super) fn visual_scene(&mut self) -> Vec<Instance<'d>> {
        let Some(shown) = self.shown() else { return Vec::new() };
        let title = name(shown);
        if !title.is_empty() {
            self.scene.name = title.to_owned();
        }
        let others = self.library("library_visual_scenes", "visual_scene").filter(|s| *s != shown).count();
        self.lose(&codes::OTHER_SCENES, "", others, "scenes other than the shown one are not read");
        let mut ways: Vec<(Xml<'d>, Option<usize>)> = Vec::new();
        let mut instances = Vec::new();
        let top = children(shown, "node").map(|element| Open { element, parent: None, depth: 1, way: None });
        let mut open: Vec<Open<'d>> = top.collect();
        open.reverse();
        while let Some(Open { element, parent, depth, way }) = open.pop() {
            if depth > self.limits.max_depth {
                let message = format!("nodes are nested deeper than {}", self.limits.max_depth);
                self.error(&codes::TOO_DEEP, element, message);
                return instances;
            }
            if self.spend(NODE_BYTES, element).is_none() {
                return instances;
            }
            let id = self.node(element, parent);
            let first_new = open.len();
            for item in elements(element) {
                match tag(item) {
                    "node" => open.push(Open { element: item, parent: Some(id), depth: depth + 1, way }),
                    "instance_node" => {
                        let Some(target) = self.instanced_node(item) else { continue };
                        if self.is_loop(target, element, way, &ways) {
                            self.error(&codes::LOOP, item, format!("{} contains itself", label(target)));
                            continue;
                        }
                        ways.push((target, way));
                        let way = Some(ways.len() - 1);
                        open.push(Open { element: target, parent: Some(id), depth: depth + 1, way });
                    }
                    "instance_geometry" | "instance_controller" | "instance_camera" | "instance_light" => {
                        instances.push(Instance { node: id, element: item });
                    }
                    _ => {}
                }
            }
            // Children are kept in file order.
            open[first_new..].reverse();
        }
        instances
    }

    /// The visual scene that `<scene>` names, otherwise the first.
    fn shown(&mut self) -> Option<Xml<'d>> {
        let instance = child(self.root, "scene").and_then(|s| child(s, "instance_visual_scene"));
        let named = instance.and_then(|i| self.target(i, "url")).filter(|s| tag(*s) == "visual_scene");
        let first = self.library("library_visual_scenes", "visual_scene").next();
        if named.is_none() {
            match first {
                Some(first) => {
                    let message = "the file does not say which scene to show; the first is read";
                    self.warning(&codes::NO_SCENE, first, message);
                }
                None => {
                    self.warning(&codes::NO_SCENE, self.root, "there is no visual scene: nothing is shown")
                }
            }
        }
        named.or(first)
    }

    fn instanced_node(&mut self, item: Xml<'d>) -> Option<Xml<'d>> {
        let target = self.target(item, "url")?;
        if tag(target) != "node" {
            let message = format!("<instance_node> refers to {}, which is not a node", label(target));
            self.warning(&codes::REFERENCE, item, message);
            return None;
        }
        Some(target)
    }

    /// Whether a node is instanced within itself.
    fn is_loop(
        &self,
        target: Xml<'d>,
        element: Xml<'d>,
        mut way: Option<usize>,
        ways: &[(Xml<'d>, Option<usize>)],
    ) -> bool {
        if element.ancestors().any(|a| a == target) {
            return true;
        }
        while let Some((on_the_way, before)) = way.and_then(|w| ways.get(w)) {
            if on_the_way.ancestors().any(|a| a == target) {
                return true;
            }
            way = *before;
        }
        false
    }

    fn node(&mut self, element: Xml<'d>, parent: Option<NodeId>) -> NodeId {
        let stack = self.stack(element, parent.is_none());
        let local = match self.driven.nodes.contains_key(&element.id().get()) {
            true => Local::Trs(stack.rest().trs()),
            false => stack.rest_local(),
        };
        let id =
            self.scene.add_node(Node { name: name(element).to_owned(), parent, local, ..Node::default() });
        self.placed.entry(element.id()).or_default().push(id);
        id
    }

    /// Attaches meshes, skins, cameras and lights to their nodes.
    pub(super) fn instances(&mut self, instances: Vec<Instance<'d>>) {
        for Instance { node, element } in instances {
            let Some(target) = self.target(element, "url") else { continue };
            match tag(element) {
                "instance_geometry" => {
                    let mesh = self.mesh(element, target, None);
                    if let Some(mesh) = mesh {
                        let node = self.free(node, target, |n| n.mesh.is_none());
                        self.scene.nodes[node.index()].mesh = Some(mesh);
                    }
                }
                "instance_controller" => self.controller(node, element, target),
                "instance_camera" => {
                    if let Some(camera) = self.camera(target) {
                        let node = self.free(node, target, |n| n.camera.is_none());
                        self.scene.nodes[node.index()].camera = Some(camera);
                    }
                }
                _ => {
                    if let Some(light) = self.light(target) {
                        let node = self.free(node, target, |n| n.light.is_none());
                        self.scene.nodes[node.index()].light = Some(light);
                    }
                }
            }
        }
    }

    /// The node itself, or a new child of it if the node already has such an object.
    pub(super) fn free(&mut self, node: NodeId, thing: Xml<'d>, is_free: impl Fn(&Node) -> bool) -> NodeId {
        if is_free(&self.scene.nodes[node.index()]) {
            return node;
        }
        self.scene.add_node(Node { name: name(thing).to_owned(), parent: Some(node), ..Node::default() })
    }

    /// The `<skeleton>` roots of an instance.
    pub(super) fn skeletons(&mut self, instance: Xml<'d>) -> Vec<Xml<'d>> {
        let urls: Vec<_> = children(instance, "skeleton").map(|s| (s, word(s))).collect();
        urls.into_iter().filter_map(|(element, url)| self.follow(element, &url)).collect()
    }
}
