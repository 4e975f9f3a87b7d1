//! EXT_mesh_gpu_instancing: a node that draws its mesh many times. Each instance becomes a node below it.

use super::super::extensions::INSTANCING;
use super::super::{codes, json};
use super::Import;
use super::nodes::Tree;
use crate::report::{Loss, label};
use crate::scene::{Node, NodeId, Scene, Trs};
use glam::{Quat, Vec3};
use serde_json::Value;

/// The memory that an instance may take, for the limit on small files with many instances.
const NODE_BYTES: u64 = size_of::<Node>() as u64 + 64;

impl Import<'_, '_, '_> {
    pub(super) fn instances(&mut self, tree: &Tree, scene: &mut Scene) {
        let root = self.root;
        for (index, source) in root.nodes.iter().enumerate() {
            let attributes = json::extension(&source.extensions, INSTANCING).map(|e| e.get("attributes"));
            if let (Some(attributes), Some(node)) = (attributes, tree.ids[index]) {
                let placed = attributes.and_then(|a| self.placements(a, index));
                self.expand(node, index, placed.unwrap_or_default(), scene);
            }
        }
    }

    /// The transforms of a node's instances.
    fn placements(&mut self, attributes: &Value, index: usize) -> Option<Vec<Trs>> {
        let path = format!("nodes[{index}].extensions.{INSTANCING}.attributes");
        let names = ["TRANSLATION", "ROTATION", "SCALE"];
        let mut found = [None, None, None];
        let mut count = None;
        for (name, value) in attributes.as_object()? {
            let path = format!("{path}.{name}");
            let Some(number) = value.as_u64() else {
                return self.fault(&codes::VALUE, path, "expected the index of an accessor");
            };
            let accessor = self.accessor(u32::try_from(number).unwrap_or(u32::MAX), &path)?;
            if *count.get_or_insert(accessor.count) != accessor.count {
                let message = "all attributes of instances need the same number of elements";
                return self.fault(&codes::MESH, path, message);
            }
            match names.iter().position(|known| known == name) {
                Some(at) => found[at] = Some(accessor),
                None => {
                    let message = format!("the attribute {name} of instances is not read");
                    self.lose(&codes::OTHER_ATTRIBUTES, "", accessor.count, message);
                }
            }
        }
        let count = count?;
        self.spend((count as u64).saturating_mul(NODE_BYTES), &path)?;
        let mut placed = vec![Trs::IDENTITY; count];
        let [translation, rotation, scale] = found;
        if let Some(accessor) = translation {
            let path = format_args!("{path}.TRANSLATION");
            let values: Vec<Vec3> = self.attribute(&accessor, 3, count, path)?;
            placed.iter_mut().zip(values).for_each(|(p, v)| p.translation = v);
        }
        if let Some(accessor) = rotation {
            let path = format_args!("{path}.ROTATION");
            let mut values: Vec<Quat> = self.attribute(&accessor, 4, count, path)?;
            self.unit_rotations(&mut values, path);
            placed.iter_mut().zip(values).for_each(|(p, v)| p.rotation = v);
        }
        if let Some(accessor) = scale {
            let path = format_args!("{path}.SCALE");
            let values: Vec<Vec3> = self.attribute(&accessor, 3, count, path)?;
            placed.iter_mut().zip(values).for_each(|(p, v)| p.scale = v);
        }
        Some(placed)
    }

    /// Gives a node one child per instance, which draws the node's mesh.
    fn expand(&mut self, id: NodeId, index: usize, placed: Vec<Trs>, scene: &mut Scene) {
        let node = &mut scene.nodes[id.index()];
        let object = label("node", &self.root.nodes[index].name, index);
        if node.mesh.is_none() || placed.is_empty() {
            return;
        }
        if node.skin.is_some() {
            // Posing ignores the transforms of nodes that draw a skinned mesh, so all instances are in one place.
            let message = "instances of a skinned mesh are drawn once";
            return self.lose(&codes::INSTANCES, &object, placed.len() - 1, message);
        }
        let name = node.name.clone();
        let drawn = Node {
            parent: Some(id),
            mesh: node.mesh.take(),
            morph_weights: std::mem::take(&mut node.morph_weights),
            ..Node::default()
        };
        let message = "instances of a mesh are read as one node each";
        self.report.loss(Loss::kept(&codes::INSTANCES, object, placed.len(), message));
        for (number, local) in placed.into_iter().enumerate() {
            let name = if name.is_empty() { String::new() } else { format!("{name}.{number}") };
            scene.add_node(Node { name, local: local.into(), ..drawn.clone() });
        }
    }
}
