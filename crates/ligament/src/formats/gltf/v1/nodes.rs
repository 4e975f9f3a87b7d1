//! Nodes and scenes. A node that draws several meshes gets a child for each.

use super::super::export::join_extras;
use super::super::import::take_apart;
use super::super::json::{self, extension};
use super::super::locate::Step::{Index, Name};
use super::super::{COMMON, LIGHTS};
use super::json::Node;
use super::{Convert, named};
use serde_json::{Map, json};

impl Convert<'_, '_, '_> {
    pub(super) fn nodes(&mut self) {
        let source = self.source;
        for (at, (id, node)) in source.nodes.iter().enumerate() {
            let path = |field| [Name("nodes"), Name(id), Name(field)];
            let made = json::Node {
                name: named(&node.name, id),
                children: self.numbers(&source.nodes, &node.children, "node", &path("children")),
                matrix: node.matrix.clone(),
                translation: node.translation,
                rotation: node.rotation,
                scale: node.scale,
                camera: self.optional(&source.cameras, &node.camera, "camera", &path("camera")),
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
        json::one_extension(LIGHTS, json!({ "light": number }))
    }

    pub(super) fn scenes(&mut self) {
        let source = self.source;
        let ambient = self.ambient();
        for (id, scene) in source.scenes.iter() {
            let path = [Name("scenes"), Name(id), Name("nodes")];
            let nodes = self.numbers(&source.nodes, &scene.nodes, "node", &path);
            let mut extras = scene.extras.clone();
            if let Some(ambient) = ambient {
                // This is where the importer looks for it.
                let marks = Map::from_iter([("ambient".to_owned(), json!(ambient))]);
                extras = join_extras(take_apart(extras).0, marks);
            }
            self.root.scenes.push(json::Scene {
                // The id is not used as a name: it is `defaultScene` in every file.
                name: scene.name.clone(),
                nodes,
                extras,
                ..json::Scene::default()
            });
        }
        self.root.scene = self.optional(&source.scenes, &source.scene, "scene", &[Name("scene")]);
    }
}
