//! Nodes and scenes. A node that draws several meshes gets a child for each.

use super::super::json::{self, extension};
use super::super::locate::Step::{Index, Name};
use super::super::{COMMON, LIGHTS};
use super::json::Node;
use super::{Convert, named};
use serde_json::{Map, Value, json};

impl Convert<'_, '_, '_> {
    pub(super) fn nodes(&mut self) {
        let source = self.source;
        self.origins.node_ids.clone_from(&source.nodes.names);
        for (at, (id, node)) in source.nodes.iter().enumerate() {
            let path = |field, index| [Name("nodes"), Name(id), Name(field), Index(index)];
            let children = node.children.iter().enumerate();
            let children = children
                .filter_map(|(i, child)| self.number(&source.nodes, child, "node", &path("children", i)))
                .collect();
            let camera = node.camera.as_ref();
            let camera = camera.and_then(|c| {
                self.number(&source.cameras, c, "camera", &[Name("nodes"), Name(id), Name("camera")])
            });
            let made = json::Node {
                name: named(&node.name, id),
                children,
                matrix: node.matrix.clone(),
                translation: node.translation,
                rotation: node.rotation,
                scale: node.scale,
                camera,
                extensions: self.light_of(id, node),
                extras: node.extras.clone(),
                ..json::Node::default()
            };
            self.root.nodes.push(made);
            self.origins.nodes.push((at as u32, None));
        }
        // After all nodes of the file, so that those keep their indices.
        for (at, (id, node)) in source.nodes.iter().enumerate() {
            for (i, mesh) in node.meshes.iter().enumerate() {
                let path = [Name("nodes"), Name(id), Name("meshes"), Index(i)];
                let Some(mesh) = self.number(&source.meshes, mesh, "mesh", &path) else { continue };
                if node.meshes.len() == 1 {
                    self.root.nodes[at].mesh = Some(mesh);
                    continue;
                }
                let child = self.root.nodes.len() as u32;
                let name = self.root.meshes[mesh as usize].name.clone();
                self.root.nodes.push(json::Node { name, mesh: Some(mesh), ..json::Node::default() });
                self.root.nodes[at].children.push(child);
                self.origins.nodes.push((at as u32, Some(i)));
            }
        }
    }

    fn light_of(&mut self, id: &str, node: &Node) -> json::Extensions {
        let light = extension(&node.extensions, COMMON)?.get("light")?.as_str()?;
        if self.is_ambient(light) {
            return None;
        }
        let Some(&number) = self.lights.get(light) else {
            let path = [Name("nodes"), Name(id), Name("extensions"), Name(COMMON), Name("light")];
            self.error(&super::codes::INDEX, &path, format!("there is no light {light:?}"));
            return None;
        };
        let mut extensions = Map::new();
        extensions.insert(LIGHTS.to_owned(), json!({ "light": number }));
        Some(Box::new(extensions))
    }

    pub(super) fn scenes(&mut self) {
        let source = self.source;
        let ambient = self.ambient();
        for (id, scene) in source.scenes.iter() {
            let nodes = scene.nodes.iter().enumerate().filter_map(|(i, node)| {
                self.number(&source.nodes, node, "node", &[Name("scenes"), Name(id), Name("nodes"), Index(i)])
            });
            let nodes = nodes.collect();
            let mut extras = scene.extras.clone();
            if let Some(ambient) = ambient {
                // This is where the importer looks for it.
                extras = Some(Box::new(with_mark(extras, "ambient", json!(ambient))));
            }
            self.root.scenes.push(json::Scene {
                // The id is not used as a name: it is `defaultScene` in every file.
                name: scene.name.clone(),
                nodes,
                extras,
                ..json::Scene::default()
            });
        }
        self.origins.scenes.clone_from(&source.scenes.names);
        if let Some(scene) = &source.scene {
            self.root.scene = self.number(&source.scenes, scene, "scene", &[Name("scene")]);
        }
    }
}

/// Extras with one of ligament's marks.
fn with_mark(extras: json::Extra, key: &str, value: Value) -> Value {
    let mut marks = Map::new();
    marks.insert(key.to_owned(), value);
    let mut all = match extras.map(|e| *e) {
        None => Map::new(),
        Some(Value::Object(all)) => all,
        Some(other) => {
            marks.insert("value".to_owned(), other);
            Map::new()
        }
    };
    all.insert(super::super::KEY.to_owned(), Value::Object(marks));
    Value::Object(all)
}
