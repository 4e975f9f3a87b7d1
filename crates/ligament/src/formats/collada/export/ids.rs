//! Ids: names in XML that no two elements share.
//!
//! Made of the object's name with everything but letters, digits and underscores replaced, and an ending that begins
//! with a hyphen and says what kind of element it is. So ids of different kinds never meet. Nodes and clips have no ending, because some programs
//! show ids instead of names.

use super::codes;
use crate::formats::obj_text::NameCleaner;
use crate::report::Report;
use crate::scene::{NodeId, Scene};
use crate::text::UniqueNames;

/// What is written for each object of the scene: an id, and the name as it is.
pub(in super::super) struct Ids {
    pub nodes: Vec<Named>,
    pub meshes: Vec<Named>,
    pub materials: Vec<Named>,
    pub images: Vec<Named>,
    pub cameras: Vec<Named>,
    pub lights: Vec<Named>,
    pub clips: Vec<Named>,
}

/// An element's `id` and `name`.
pub(in super::super) struct Named {
    pub id: String,
    pub name: String,
}

impl Ids {
    pub(super) fn of(scene: &Scene, report: &mut Report) -> Self {
        let mut cleaner = NameCleaner::new(&codes::NAME_CHANGED);
        let mut taken = UniqueNames::<String>::default();
        let mut make = |what: &str, ending: &str, names: &mut dyn Iterator<Item = &str>| {
            let named = names.enumerate().map(|(index, name)| {
                let name = cleaner.clean(name, what, index, |c, _| !is_xml(c), report).to_text();
                let base = plain(&name);
                let numbered = |n: u64| match n {
                    0 => format!("{base}{ending}"),
                    n => format!("{base}_{}{ending}", n + 1),
                };
                let id = numbered(taken.take(numbered));
                Named { id, name }
            });
            named.collect::<Vec<_>>()
        };
        let of_images = scene.images.iter().map(|image| match &*image.name {
            "" => image.file_name(),
            name => name.to_owned(),
        });
        let of_images: Vec<String> = of_images.collect();
        let ids = Self {
            nodes: make("node", "", &mut scene.nodes.iter().map(|o| &*o.name)),
            meshes: make("mesh", "-mesh", &mut scene.meshes.iter().map(|o| &*o.name)),
            materials: make("material", "-material", &mut scene.materials.iter().map(|o| &*o.name)),
            images: make("image", "-image", &mut of_images.iter().map(|name| &**name)),
            cameras: make("camera", "-camera", &mut scene.cameras.iter().map(|o| &*o.name)),
            lights: make("light", "-light", &mut scene.lights.iter().map(|o| &*o.name)),
            clips: make("clip", "", &mut scene.clips.iter().map(|o| &*o.name)),
        };
        cleaner.report("object", "objects", report);
        ids
    }

    /// The id of a node.
    pub fn node(&self, node: NodeId) -> &str {
        &self.nodes[node.index()].id
    }
}

/// A name with only what every program takes in an id.
fn plain(name: &str) -> String {
    let mut plain = String::with_capacity(name.len() + 1);
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        plain.push('_');
    }
    plain.extend(name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }));
    plain
}

/// Whether XML 1.0 can hold a character.
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Camera, Node, Projection};

    #[test]
    fn ids_are_names_and_no_two_are_the_same() {
        let names =
            ["hip", "hip", "hip_2", "", "1st", "mixamorig:Hips", "kość", "a b", "a-b", "x\0y", "-mesh"];
        let nodes = names.map(|name| Node { name: name.to_owned(), ..Node::default() });
        let projection = Projection::Orthographic { half_width: 1.0, half_height: 1.0 };
        let camera =
            Camera { name: "hip".into(), projection, near: 1.0, far: None, extras: Default::default() };
        let scene = Scene { nodes: nodes.into(), cameras: vec![camera], ..Scene::default() };
        let mut report = Report::default();
        let ids = Ids::of(&scene, &mut report);
        let made: Vec<&str> = ids.nodes.iter().map(|n| &*n.id).collect();
        let expected = [
            "hip",
            "hip_2",
            "hip_2_2",
            "node3",
            "_1st",
            "mixamorig_Hips",
            "ko__",
            "a_b",
            "a_b_2",
            "x_y",
            "__mesh",
        ];
        assert_eq!(made, expected);
        assert_eq!(ids.cameras[0].id, "hip-camera");
        assert_eq!(ids.nodes[6].name, "kość");
        assert_eq!(ids.nodes[9].name, "x_y");
        assert_eq!(report.diagnostics().len(), 2);
    }
}
