//! Scene to document.
//!
//! | file | what it makes |
//! |---|---|
//! | `lists.rs` | lists without repetitions, and corners that refer to them |
//! | `materials.rs` | materials of the library, and what of a scene's has no place |
//!
//! Every node that draws something becomes an object with its vertices where they are at rest: there is no tree and there
//! are no skins.

mod lists;
mod materials;

use super::codes;
use super::import::KEY;
use super::mtl;
use crate::formats::obj_text::NameCleaner;
use crate::passes::codes as losses;
use crate::pose::{Pose, deform};
use crate::report::{Failure, Loss, Place, Report};
use crate::scene::{Faces, Mesh, Node, NodeId, Scene};
use crate::text::RawText;
use glam::DMat4;
use lists::Lists;
use std::collections::HashSet;

/// A scene in the shape of an OBJ file.
pub(super) struct Exported {
    pub(super) lists: lists::Finished,
    pub(super) objects: Vec<Object>,
    pub(super) materials: Vec<mtl::Material>,
}

/// An `o` line with what follows it.
pub(super) struct Object {
    pub(super) name: RawText,
    pub(super) parts: Vec<Elements>,
    /// How many positions, texture coordinates and normals there are when it is done.
    pub(super) ends: [usize; 3],
}

/// Elements of one material and group.
pub(super) struct Elements {
    pub(super) material: Option<usize>,
    /// Names of groups, with spaces between them.
    pub(super) groups: Option<RawText>,
    /// Position, texture coordinate and normal of each vertex, from 0; −1 for none.
    pub(super) corners: Vec<[i32; 3]>,
    pub(super) faces: Faces,
}

impl Exported {
    pub(super) fn from_scene(mut scene: Scene, report: &mut Report) -> Result<Self, Failure> {
        let drawn = scene.nodes.iter().filter_map(|node| node.mesh).map(|mesh| &scene.meshes[mesh.index()]);
        if drawn.flat_map(|mesh| &mesh.parts).all(|part| part.positions.is_empty()) {
            let message = "the model has no vertices, and OBJ can hold nothing else";
            return Err(report.invalid(&codes::NOTHING, Place::WHOLE, message));
        }
        let mut names = Names { cleaner: NameCleaner::new(&codes::NAME_CHANGED), taken: HashSet::new() };
        materials::name_all(&mut scene, report);
        let materials = materials::materials(&scene, &mut names, report);
        report_tree(&scene, report);
        let pose = Pose::rest(&scene);
        let mut last_use = vec![0; scene.meshes.len()];
        for (i, node) in scene.nodes.iter().enumerate() {
            node.mesh.into_iter().for_each(|mesh| last_use[mesh.index()] = i);
        }
        let colored = scene.meshes.iter().flat_map(|m| &m.parts).any(|part| !part.colors.is_empty());
        let mut lists = Lists::new(colored);
        let mut objects = Vec::new();
        for index in 0..scene.nodes.len() {
            let Some(id) = scene.nodes[index].mesh else { continue };
            let stays = scene.nodes[index].skin.is_none() && pose.globals[index] == DMat4::IDENTITY;
            let posed = if stays { Vec::new() } else { deform(&scene, &pose, NodeId::new(index)) };
            // The arrays of a mesh are done with after its last node.
            let mut mesh = match last_use[id.index()] == index {
                true => std::mem::take(&mut scene.meshes[id.index()]),
                false => scene.meshes[id.index()].clone(),
            };
            for (part, mut posed) in mesh.parts.iter_mut().zip(posed) {
                if !posed.positions.iter().all(|position| position.is_finite()) {
                    let message = "a vertex is farther away at rest than a 32-bit float can tell";
                    return Err(report.invalid(&codes::TOO_LARGE, Place::WHOLE, message));
                }
                for (normal, before) in posed.normals.iter_mut().zip(&part.normals) {
                    // Transforms that flatten or overflow leave no direction.
                    if !normal.is_finite() {
                        *normal = *before;
                    }
                }
                (part.positions, part.normals) = (posed.positions, posed.normals);
            }
            let node = &scene.nodes[index];
            if node.skin.is_none() && pose.globals[index].determinant() < 0.0 {
                mesh.parts.iter_mut().for_each(|part| turn_around(&mut part.faces));
            }
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

/// A mirrored node turns its faces inside out; vertices in scene space have no node left to do that.
fn turn_around(faces: &mut Faces) {
    match faces {
        Faces::Triangles(corners) => corners.chunks_exact_mut(3).for_each(|face| face.swap(1, 2)),
        Faces::Polygons { starts, corners } => {
            for face in starts.windows(2) {
                let face = corners.get_mut(face[0] as usize..face[1] as usize).unwrap_or_default();
                // The first corner stays the first, so that fans from it stay what they are.
                face.get_mut(1..).unwrap_or_default().reverse();
            }
        }
        Faces::Points(_) | Faces::Lines(_) => {}
    }
}

/// Says what becomes of nodes and skins.
fn report_tree(scene: &Scene, report: &mut Report) {
    if !scene.skins.is_empty() {
        let message = "the format has no skins; vertices are written where they are at rest";
        report.loss(Loss::dropped(&losses::SKINS, "", scene.skins.len(), message));
    }
    let joints: HashSet<NodeId> = scene.skins.iter().flat_map(|skin| &skin.joints).copied().collect();
    let is_empty = |id: &NodeId| scene.nodes[id.index()].mesh.is_none() && !joints.contains(id);
    let empty = scene.node_ids().filter(is_empty).count();
    if empty > 0 {
        let message =
            "the format has no tree; nodes that draw nothing are dropped, and objects keep their places";
        report.loss(Loss::dropped(&losses::NODES, "", empty, message));
    }
    let drawn = scene.nodes.iter().filter(|node| node.mesh.is_some());
    let moved = drawn.filter(|node| node.parent.is_some() || node.local != Default::default()).count();
    if moved > 0 {
        let message = "nodes' transforms are applied to their vertices";
        report.loss(Loss::kept(&losses::NODES, "", moved, message));
    }
}

/// Names that fit a line, those of materials each once.
pub(super) struct Names {
    cleaner: NameCleaner,
    taken: HashSet<String>,
}

impl Names {
    fn line(&mut self, name: &str, what: &str, index: usize, report: &mut Report) -> RawText {
        // A backslash at its end would join the line with the next.
        self.cleaner.clean(name.trim(), what, index, |c, _| c.is_control() || c == '\\', report)
    }

    fn material(&mut self, name: &str, index: usize, report: &mut Report) -> RawText {
        let clean = self.line(name, "material", index, report).to_text();
        let numbered = (2_u32..).map(|n| format!("{clean}.{n}"));
        let mut names = std::iter::once(clean.clone()).chain(numbered);
        let unique = names.find(|name| !self.taken.contains(name)).unwrap_or_default();
        if unique != clean {
            let message = format!("material {clean:?} is called {unique:?}, because another has its name");
            report.warning(&codes::NAME_CHANGED, crate::report::Place::WHOLE, message);
        }
        self.taken.insert(unique.clone());
        unique.into()
    }
}
