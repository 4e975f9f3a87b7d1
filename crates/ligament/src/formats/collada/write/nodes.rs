//! `<visual_scene>`: the tree, and what its nodes show.

use super::super::export::{Draws, Exported};
use super::effects::{symbol, uv_sets};
use super::xml::{Attr, Numbers, Text, Writer, rows};
use std::collections::BTreeSet;

/// What is still to be written.
enum Open {
    Node(usize),
    End,
}

impl Exported {
    pub(super) fn visual_scene(&self, w: &mut Writer<'_>) {
        w.open("<library_visual_scenes>");
        let name = (!self.scene.name.is_empty()).then_some(Attr("name", &self.scene.name));
        w.open(("<visual_scene id=\"scene-root\"", name, ">"));
        let mut open: Vec<Open> = self.scene.roots().map(|root| Open::Node(root.index())).collect();
        if open.is_empty() {
            // The schema wants a node.
            w.leaf("<node id=\"empty-node\"/>");
        }
        open.reverse();
        let mut ambient = self.scene.ambient.is_some();
        let mut lone = Vec::new();
        while let Some(next) = open.pop() {
            let Open::Node(index) = next else {
                w.close("node");
                continue;
            };
            if matches!(self.draws[index], Some(Draws::Skinned(_))) {
                lone.push(index);
                if self.is_alone(index) {
                    continue;
                }
            }
            self.node(w, index, std::mem::take(&mut ambient));
            open.push(Open::End);
            open.extend(self.children[index].iter().rev().map(|&child| Open::Node(child)));
        }
        // In the scene's order, by which programs tell nodes that draw the same mesh apart.
        lone.sort_unstable();
        lone.into_iter().for_each(|index| self.skinned_node(w, index));
        if ambient {
            w.leaf("<node id=\"ambient-node\"><instance_light url=\"#ambient-light-light\"/></node>");
        }
        w.close("visual_scene");
        w.close("library_visual_scenes");
    }

    /// Writes a node up to its children.
    fn node(&self, w: &mut Writer<'_>, index: usize, has_ambient: bool) {
        let (node, named) = (&self.scene.nodes[index], &self.ids.nodes[index]);
        let is_joint = self.is_joint[index];
        let sid = is_joint.then_some(Attr("sid", &named.id));
        let kind = if is_joint { " type=\"JOINT\">" } else { " type=\"NODE\">" };
        w.open(("<node", Attr("id", &named.id), Attr("name", &named.name), sid, kind));
        let matrix = rows(&node.local.to_matrix());
        w.leaf(("<matrix sid=\"transform\">", Numbers(matrix), "</matrix>"));
        if let Some(camera) = node.camera {
            w.leaf(("<instance_camera", url(&self.ids.cameras[camera.index()].id), "/>"));
        }
        match self.draws[index] {
            None => {}
            Some(Draws::Mesh(mesh)) => {
                w.open(("<instance_geometry", url(&self.ids.meshes[mesh].id), ">"));
                self.bind_materials(w, mesh);
                w.close("instance_geometry");
            }
            Some(Draws::Morphed(morph)) => {
                let morphed = &self.morphed[morph];
                w.open(("<instance_controller", url(&morphed.id), ">"));
                self.bind_materials(w, morphed.mesh);
                w.close("instance_controller");
            }
            // At the root.
            Some(Draws::Skinned(_)) => {}
        }
        if let Some(light) = node.light {
            w.leaf(("<instance_light", url(&self.ids.lights[light.index()].id), "/>"));
        }
        if has_ambient {
            w.leaf("<instance_light url=\"#ambient-light-light\"/>");
        }
    }

    /// Writes a node at the root that draws a skinned mesh: Blender shows none below a joint, and moves those that are
    /// below other nodes twice.
    fn skinned_node(&self, w: &mut Writer<'_>, index: usize) {
        let Some(Draws::Skinned(skin)) = self.draws[index] else { return };
        let (skinned, named) = (&self.skinned[skin], &self.ids.nodes[index]);
        let own = self.is_alone(index).then(|| named.id.clone());
        let id = own.unwrap_or_else(|| format!("{}-skinned", named.id));
        w.open(("<node", Attr("id", &id), Attr("name", &named.name), " type=\"NODE\">"));
        w.open(("<instance_controller", url(&skinned.id), ">"));
        for &root in &skinned.roots {
            w.leaf(("<skeleton>#", Text(self.ids.node(root)), "</skeleton>"));
        }
        self.bind_materials(w, skinned.mesh);
        w.close("instance_controller");
        w.close("node");
    }

    /// Whether a node does nothing but draw a skinned mesh, so that its transform and its parent mean nothing.
    pub(in super::super) fn is_alone(&self, index: usize) -> bool {
        let node = &self.scene.nodes[index];
        let draws = matches!(self.draws[index], Some(Draws::Skinned(_)));
        let has_more = node.camera.is_some() || node.light.is_some() || self.is_joint[index];
        draws && !has_more && self.children[index].is_empty()
    }

    /// Binds the symbols of a mesh's parts to materials.
    fn bind_materials(&self, w: &mut Writer<'_>, mesh: usize) {
        let parts = &self.scene.meshes[mesh].parts;
        let used: BTreeSet<usize> = parts.iter().filter_map(|part| Some(part.material?.index())).collect();
        if used.is_empty() {
            return;
        }
        w.open("<bind_material>");
        w.open("<technique_common>");
        for material in used {
            let target = format!("#{}", self.ids.materials[material].id);
            let start = ("<instance_material", Attr("symbol", &symbol(material)), Attr("target", &target));
            let sets = uv_sets(&self.scene.materials[material]);
            if sets.is_empty() {
                w.leaf((start, "/>"));
                continue;
            }
            w.open((start, ">"));
            for set in sets {
                let semantic = (" semantic=\"UVSET", set, "\" input_semantic=\"TEXCOORD\"");
                w.leaf(("<bind_vertex_input", semantic, " input_set=\"", set, "\"/>"));
            }
            w.close("instance_material");
        }
        w.close("technique_common");
        w.close("bind_material");
    }
}

/// A reference to an element of this file.
fn url(id: &str) -> (&'static str, Text<'_>, &'static str) {
    (" url=\"#", Text(id), "\"")
}
