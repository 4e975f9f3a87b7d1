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
        while let Some(next) = open.pop() {
            let Open::Node(index) = next else {
                w.close("node");
                continue;
            };
            self.node(w, index, std::mem::take(&mut ambient));
            open.push(Open::End);
            open.extend(self.children[index].iter().rev().map(|&child| Open::Node(child)));
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
            Some(Draws::Skinned(skin)) => {
                let skinned = &self.skinned[skin];
                w.open(("<instance_controller", url(&skinned.id), ">"));
                for &root in &skinned.roots {
                    w.leaf(("<skeleton>#", Text(self.ids.node(root)), "</skeleton>"));
                }
                self.bind_materials(w, skinned.mesh);
                w.close("instance_controller");
            }
        }
        if let Some(light) = node.light {
            w.leaf(("<instance_light", url(&self.ids.lights[light.index()].id), "/>"));
        }
        if has_ambient {
            w.leaf("<instance_light url=\"#ambient-light-light\"/>");
        }
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
