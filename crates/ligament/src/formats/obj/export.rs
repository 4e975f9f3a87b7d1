//! Scene to document.
//!
//! | file | what it makes |
//! |---|---|
//! | `lists.rs` | lists without duplicates, and corners that refer to them |
//! | `materials.rs` | materials of the library, and reports of what it cannot hold |
//!
//! The scene has been reduced to the format's [capabilities](super::FORMAT): every node that draws something has a mesh
//! of its own, with vertices in their rest pose, and becomes an object.

mod lists;
mod materials;

use super::codes;
use super::import::KEY;
use super::mtl;
use crate::formats::obj_text::NameCleaner;
use crate::formats::{Encoded, WriteOptions};
use crate::report::{Failure, Place, Report};
use crate::scene::{Faces, Mesh, Node, Scene};
use crate::settings::PRECISION;
use crate::text::{RawText, UniqueNames};
use lists::Lists;

/// Exports a scene that is within the format's [capabilities](super::FORMAT).
pub(super) fn export(
    scene: Scene,
    _: Option<&str>,
    options: &WriteOptions,
    report: &mut Report,
) -> Result<Encoded, Failure> {
    let (made, precision) = (Exported::from_scene(scene, report)?, options.own.get(&PRECISION));
    Ok(Encoded::new("", move |output, report| made.write(precision, output, report)))
}

/// A scene in the structure of an OBJ file.
pub(super) struct Exported {
    pub(super) lists: lists::Finished,
    pub(super) objects: Vec<Object>,
    pub(super) materials: Vec<mtl::Material>,
}

/// An `o` line with its elements.
pub(super) struct Object {
    pub(super) name: RawText,
    pub(super) parts: Vec<Elements>,
    /// The number of positions, texture coordinates and normals after this object.
    pub(super) ends: [usize; 3],
}

/// Elements of one material and group.
pub(super) struct Elements {
    pub(super) material: Option<usize>,
    /// Names of groups, separated by spaces.
    pub(super) groups: Option<RawText>,
    /// Position, texture coordinate and normal index of each vertex, from 0; −1 for none.
    pub(super) corners: Vec<[i32; 3]>,
    pub(super) faces: Faces,
}

impl Exported {
    fn from_scene(mut scene: Scene, report: &mut Report) -> Result<Self, Failure> {
        let drawn = scene.nodes.iter().filter_map(|node| node.mesh).map(|mesh| &scene.meshes[mesh.index()]);
        if drawn.flat_map(|mesh| &mesh.parts).all(|part| part.positions.is_empty()) {
            let message = "the model has no vertices, and OBJ cannot hold anything else";
            return Err(report.invalid(&codes::NOTHING, Place::WHOLE, message));
        }
        let mut names =
            Names { cleaner: NameCleaner::new(&codes::NAME_CHANGED), taken: UniqueNames::default() };
        materials::name_all(&mut scene, report);
        let materials = materials::materials(&scene, &mut names, report);
        let parts = || scene.meshes.iter().flat_map(|m| &m.parts);
        if !parts().flat_map(|part| &part.positions).all(|position| position.is_finite()) {
            let message = "a vertex's rest position is too large for a 32-bit float";
            return Err(report.invalid(&codes::TOO_LARGE, Place::WHOLE, message));
        }
        let mut lists = Lists::new(parts().any(|part| !part.colors.is_empty()));
        let mut objects = Vec::new();
        for node in &scene.nodes {
            let Some(id) = node.mesh else { continue };
            let mesh = std::mem::take(&mut scene.meshes[id.index()]);
            objects.push(object(node, mesh, objects.len(), &mut lists, &mut names, report)?);
        }
        names.cleaner.report("object or material", "objects or materials", report);
        Ok(Self { lists: lists.finish(), objects, materials })
    }
}

fn object(
    node: &Node,
    mesh: Mesh,
    index: usize,
    lists: &mut Lists,
    names: &mut Names,
    report: &mut Report,
) -> Result<Object, Failure> {
    let name = if node.name.is_empty() { &mesh.name } else { &node.name };
    let name = names.line(name, "object", index, report);
    let mut parts = Vec::with_capacity(mesh.parts.len());
    for part in mesh.parts {
        let groups = part.extras.get(KEY).and_then(|v| v.get("groups")?.as_str());
        let groups = groups.map(clean_groups).filter(|groups| !groups.is_empty());
        let corners = lists.corners(&part, report)?;
        let material = part.material.map(|m| m.index());
        parts.push(Elements { material, groups: groups.map(RawText::from), corners, faces: part.faces });
    }
    Ok(Object { name, parts, ends: lists.lengths() })
}

fn clean_groups(groups: &str) -> String {
    let words =
        groups.split_whitespace().map(|word| word.replace(|c: char| c.is_control() || c == '\\', "_"));
    words.collect::<Vec<_>>().join(" ")
}

/// Names that fit on a line; those of materials are unique.
pub(super) struct Names {
    cleaner: NameCleaner,
    taken: UniqueNames<String>,
}

impl Names {
    fn line(&mut self, name: &str, what: &str, index: usize, report: &mut Report) -> RawText {
        // A backslash at the end would continue the line on the next.
        self.cleaner.clean(name.trim(), what, index, |c, _| c.is_control() || c == '\\', report)
    }

    fn material(&mut self, name: &str, index: usize, report: &mut Report) -> RawText {
        let clean = self.line(name, "material", index, report).to_text();
        let numbered = |number| if number == 0 { clean.clone() } else { format!("{clean}.{}", number + 1) };
        let number = self.taken.take(numbered);
        let unique = numbered(number);
        if number > 0 {
            let message = format!(
                "material {clean:?} is renamed {unique:?}, because another material has the same name"
            );
            report.warning(&codes::NAME_CHANGED, crate::report::Place::WHOLE, message);
        }
        unique.into()
    }
}
