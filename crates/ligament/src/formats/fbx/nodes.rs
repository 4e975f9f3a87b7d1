//! Nodes: the tree, with pivots and unusual inheritance already in the transforms.

use super::KEY;
use super::codes;
use super::import::{Import, user_properties};
use crate::report::{Failure, Place, counted};
use crate::scene::{CameraId, LightId, Local, Node, NodeId};
use serde_json::json;

/// Maps the file's nodes to the scene's.
pub(super) struct Tree {
    /// By `typed_id`; `None` for a root that needs no node.
    ids: Vec<Option<NodeId>>,
}

impl Tree {
    pub(super) fn id(&self, node: &ufbx::Node) -> Option<NodeId> {
        self.ids.get(node.element.typed_id as usize).copied().flatten()
    }
}

/// Creates the nodes, without meshes.
pub(super) fn import(import: &mut Import<'_, '_, '_>) -> Result<Tree, Failure> {
    let fbx = import.fbx;
    let mut tree = Tree { ids: vec![None; fbx.nodes.len()] };
    let mut waiting: Vec<&ufbx::Node> = vec![&fbx.root_node];
    let mut hidden = 0;
    while let Some(source) = waiting.pop() {
        waiting.extend(source.children.as_ref().iter().rev().map(AsRef::as_ref));
        let trs = import.finite.trs(&source.local_transform);
        if source.is_root && trs == crate::scene::Trs::IDENTITY {
            continue;
        }
        let name = if source.is_root { "RootNode".to_owned() } else { source.element.name.to_string() };
        let mut node = Node {
            name,
            parent: source.parent.as_ref().and_then(|parent| tree.id(parent)),
            local: Local::Trs(trs),
            camera: source.camera.as_ref().map(|camera| CameraId(camera.element.typed_id)),
            light: source.light.as_ref().map(|light| LightId(light.element.typed_id)),
            extras: user_properties(&source.element.props),
            ..Node::default()
        };
        if !source.visible {
            hidden += 1;
            node.extras.insert(KEY.to_owned(), json!({ "visible": false }));
        }
        let id = import.scene.add_node(node);
        match tree.ids.get_mut(source.element.typed_id as usize) {
            Some(slot @ None) => *slot = Some(id),
            // `ufbx` promises a tree; with a cycle, this would never end.
            _ => {
                let place = Place::field(format!("node {:?}", &*source.element.name));
                return Err(import.report.invalid(&codes::BROKEN, place, "the node is in the tree twice"));
            }
        }
    }
    let message = "hidden nodes are kept and drawn like the others; their extras say that they were hidden";
    import.kept(&codes::HIDDEN, hidden, message);
    helpers(import);
    Ok(tree)
}

/// Reports nodes that the file does not have.
fn helpers(import: &mut Import<'_, '_, '_>) {
    let nodes = &import.fbx.nodes;
    let scale = nodes.iter().filter(|n| n.is_scale_helper).count();
    let geometry = nodes.iter().filter(|n| n.is_geometry_transform_helper).count();
    let of = |count: usize| counted(count as u64, "node is", "nodes are");
    let message = format!("{} added for scales that children do not inherit", of(scale));
    import.kept(&codes::HELPERS, scale, &message);
    let message = format!("{} added for transforms that apply to a mesh only", of(geometry));
    import.kept(&codes::HELPERS, geometry, &message);
}
