//! Meshes by material: one object per material, or one part per material.

use super::{codes, label};
use crate::known::{self, Known};
use crate::mesh::vertices::append;
use crate::report::{Loss, Report};
use crate::scene::{Faces, MaterialId, Mesh, MeshId, MorphDeltas, Node, NodeId, Part, Scene, Track, Values};
use crate::text::UniqueNames;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::ops::Range;

/// What to do with meshes of several parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByMaterialOptions {
    /// Split or merge.
    pub way: Way,
}

/// What to do with meshes of several parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// A mesh of several materials becomes one object per material, below its own.
    Split,
    /// Parts of a mesh that share a material become one part, if they have the same attributes.
    Merge,
}

/// Splits or merges meshes by material. Every corner of every face stays where it is.
///
/// A split object is named `<object>.<material>`; a number is added to names that exist already.
///
/// ```
/// use ligament::passes::by_material::{ByMaterialOptions, Way, by_material};
/// use ligament::scene::{Material, MaterialId, Mesh, MeshId, Node, Part, Scene};
///
/// let material = |name: &str| Material { name: name.into(), ..Material::default() };
/// let part = |id| Part { material: Some(MaterialId(id)), ..Part::default() };
/// let mesh = Mesh { parts: vec![part(0), part(1), part(0)], ..Mesh::default() };
/// let node = Node { name: "Vase".into(), mesh: Some(MeshId(0)), ..Node::default() };
/// let materials = vec![material("Clay"), material("Gold")];
/// let mut scene = Scene { nodes: vec![node], meshes: vec![mesh], materials, ..Scene::default() };
/// by_material(&mut scene, &ByMaterialOptions { way: Way::Split }, &mut Default::default());
/// let names: Vec<_> = scene.nodes.iter().map(|n| n.name.as_str()).collect();
/// assert_eq!(names, ["Vase", "Vase.Clay", "Vase.Gold"]);
/// ```
pub fn by_material(scene: &mut Scene, options: &ByMaterialOptions, report: &mut Report) {
    match options.way {
        Way::Split => split(scene, report),
        Way::Merge => merge(scene, report),
    }
}

fn split(scene: &mut Scene, report: &mut Report) {
    let mut names = UniqueNames::default();
    for node in &scene.nodes {
        names.insert(node.name.clone());
    }
    let mut placed: Vec<Vec<NodeId>> = vec![Vec::new(); scene.meshes.len()];
    for node in scene.node_ids() {
        if let Some(mesh) = scene.nodes[node.index()].mesh {
            placed[mesh.index()].push(node);
        }
    }
    let mut children = Vec::new();
    for (index, placed) in placed.into_iter().enumerate() {
        let materials = used_materials(&scene.meshes[index]);
        if materials.len() < 2 {
            continue;
        }
        let mesh = std::mem::take(&mut scene.meshes[index]);
        let object = label("mesh", &mesh.name, index);
        let message = "a mesh of several materials became one object per material";
        report.loss(Loss::kept(&codes::BY_MATERIAL, object, materials.len(), message));
        let shapes = divide(scene, mesh, index, &materials);
        for node in placed {
            children.push((node, place(scene, node, &materials, &shapes, &mut names)));
        }
    }
    move_weights(scene, &children);
}

/// The materials of a mesh's parts, in the order of the scene's list; no material comes last.
fn used_materials(mesh: &Mesh) -> Vec<Option<MaterialId>> {
    let mut used: Vec<_> = mesh.parts.iter().map(|p| p.material).collect();
    used.sort_by_key(|m| m.map_or(u32::MAX, |m| m.0));
    used.dedup();
    used
}

fn material_name(scene: &Scene, material: Option<MaterialId>) -> String {
    match material {
        Some(id) if scene.materials[id.index()].name.is_empty() => format!("material{}", id.index()),
        Some(id) => scene.materials[id.index()].name.clone(),
        None => String::new(),
    }
}

/// One mesh per material; the first one replaces the whole mesh.
fn divide(scene: &mut Scene, mut mesh: Mesh, index: usize, materials: &[Option<MaterialId>]) -> Vec<MeshId> {
    let mut ids = Vec::with_capacity(materials.len());
    let mut parts: HashMap<Option<MaterialId>, Vec<Part>> = HashMap::new();
    for part in std::mem::take(&mut mesh.parts) {
        parts.entry(part.material).or_default().push(part);
    }
    for (number, &material) in materials.iter().enumerate() {
        let own = parts.remove(&material).unwrap_or_default();
        let name = format!("{}.{}", mesh.name, material_name(scene, material));
        let extras = if number == 0 { std::mem::take(&mut mesh.extras) } else { Default::default() };
        let divided = Mesh { name, parts: own, morphs: mesh.morphs.clone(), extras };
        if number == 0 {
            scene.meshes[index] = divided;
            ids.push(MeshId::new(index));
        } else {
            ids.push(MeshId::push(&mut scene.meshes, divided));
        }
    }
    ids
}

/// Adds a child to a node for each mesh that its own was divided into, and returns them.
fn place(
    scene: &mut Scene,
    node: NodeId,
    materials: &[Option<MaterialId>],
    meshes: &[MeshId],
    names: &mut UniqueNames<String>,
) -> Range<u32> {
    let first = scene.nodes.len() as u32;
    let object = scene.node_label(node);
    let whole = &mut scene.nodes[node.index()];
    let (skin, morph_weights) = (whole.skin.take(), std::mem::take(&mut whole.morph_weights));
    whole.mesh = None;
    for (&material, &mesh) in materials.iter().zip(meshes) {
        let wanted = format!("{object}.{}", material_name(scene, material));
        let numbered = |number| match number {
            0 => wanted.clone(),
            _ => format!("{wanted}.{}", number + 1),
        };
        let name = numbered(names.take(numbered));
        let morph_weights = morph_weights.clone();
        let child =
            Node { name, parent: Some(node), mesh: Some(mesh), skin, morph_weights, ..Node::default() };
        scene.add_node(child);
    }
    first..scene.nodes.len() as u32
}

/// Moves the weight tracks of nodes to their new children.
fn move_weights(scene: &mut Scene, children: &[(NodeId, Range<u32>)]) {
    let divided: HashSet<NodeId> = children.iter().map(|(node, _)| *node).collect();
    for clip in &mut scene.clips {
        let is_moved =
            |t: &Track| divided.contains(&t.node) && matches!(t.values, Values::MorphWeights { .. });
        let (moved, kept) = std::mem::take(&mut clip.tracks).into_iter().partition(is_moved);
        clip.tracks = kept;
        let mut own: HashMap<NodeId, Vec<Track>> = HashMap::new();
        for track in moved {
            own.entry(track.node).or_default().push(track);
        }
        for (node, children) in children {
            let Some(own) = own.remove(node) else { continue };
            for child in children.clone() {
                clip.tracks.extend(own.iter().cloned().map(|track| Track { node: NodeId(child), ..track }));
            }
        }
    }
}

fn merge(scene: &mut Scene, report: &mut Report) {
    for (index, mesh) in scene.meshes.iter_mut().enumerate() {
        let before = mesh.parts.len();
        let mut merged: Vec<Part> = Vec::with_capacity(before);
        let mut known = Known::default();
        for part in std::mem::take(&mut mesh.parts) {
            let key =
                (part.material, std::mem::discriminant(&part.faces), shape(&part), known::json(&part.extras));
            match known.find(key, merged.len(), |known| fit(&merged[known], &part)) {
                Some(first) => append(&mut merged[first], part),
                None => merged.push(part),
            }
        }
        mesh.parts = merged;
        let joined = before - mesh.parts.len();
        let message = "parts of the same material were merged";
        report.loss(Loss::kept(&codes::BY_MATERIAL, label("mesh", &mesh.name, index), joined, message));
    }
}

/// Whether two parts can be merged: they have the same material, kind of faces and attributes, and no extras that would
/// mix.
fn fit(a: &Part, b: &Part) -> bool {
    let kind = |f: &Faces| std::mem::discriminant(f);
    let vertices = a.positions.len() + b.positions.len();
    a.material == b.material
        && kind(&a.faces) == kind(&b.faces)
        && a.extras == b.extras
        && u32::try_from(vertices).is_ok()
        && shape(a) == shape(b)
}

/// The attributes that each vertex of a part has.
fn shape(part: &Part) -> impl Hash + PartialEq + use<> {
    let count = part.positions.len();
    let has = |length: usize| length == count;
    let sets = part.uvs.iter().map(|s| has(s.len())).chain(part.colors.iter().map(|s| has(s.len())));
    let deltas = |d: &MorphDeltas| [d.positions.len(), d.normals.len(), d.tangents.len()].map(has);
    let own = [part.normals.len(), part.tangents.len(), part.influences.len()].map(has);
    let morphs: Vec<_> = part.morphs.iter().map(deltas).collect();
    (own, part.uvs.len(), part.colors.len(), sets.collect::<Vec<bool>>(), morphs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{CompareOptions, compare};
    use crate::passes::testing;
    use crate::scene::Material;

    fn run(before: &Scene, way: Way) -> (Scene, Report) {
        let (mut after, mut report) = (before.clone(), Report::default());
        by_material(&mut after, &ByMaterialOptions { way }, &mut report);
        testing::assert_valid("by material", &after);
        let found = compare(before, &after, &CompareOptions::default());
        assert!(found.worst.as_ref().is_none_or(|w| w.relative < 1e-6), "{:?}", (found.worst, found.pairing));
        (after, report)
    }

    /// The scene with the faces of every mesh spread over three materials and none, in two parts each.
    fn painted(mut scene: Scene) -> Scene {
        let name = |name: &str| Material { name: name.into(), ..Material::default() };
        scene.materials = vec![name("a"), name("a"), name("")];
        for mesh in &mut scene.meshes {
            let whole = mesh.parts.remove(0);
            let faces: Vec<u32> = whole.faces.corners().to_vec();
            for (number, triangles) in faces.chunks(6).enumerate() {
                let material = Some(number % 4).filter(|m| *m < 3).map(MaterialId::new);
                mesh.parts.push(Part {
                    material,
                    faces: Faces::Triangles(triangles.into()),
                    ..whole.clone()
                });
            }
        }
        scene
    }

    #[test]
    fn every_vertex_keeps_its_place_both_ways() {
        let mut ran = 0;
        for (_, scene) in testing::scenes() {
            let before = painted(scene);
            let (after, report) = run(&before, Way::Split);
            assert!(after.meshes.iter().all(|m| used_materials(m).len() <= 1));
            assert_eq!(report.losses().len(), before.meshes.len());
            let (merged, _) = run(&before, Way::Merge);
            for mesh in &merged.meshes {
                let pairs = mesh
                    .parts
                    .iter()
                    .enumerate()
                    .flat_map(|(i, a)| mesh.parts[..i].iter().map(move |b| (a, b)));
                assert!(
                    mesh.parts.len() <= 5 && pairs.clone().all(|(a, b)| !fit(a, b)),
                    "one part per material"
                );
            }
            ran += 1;
        }
        assert!(ran >= 10);
    }

    #[test]
    fn objects_are_named_after_their_material_and_told_apart() {
        let (after, _) = run(&painted(testing::tree()), Way::Split);
        let names: Vec<_> = after.nodes.iter().map(|n| n.name.as_str()).collect();
        assert_eq!(names[4..8], ["table.a", "table.a.2", "table.material2", "table."]);
    }

    #[test]
    fn what_has_one_material_stays_as_it_is() {
        for (name, before) in testing::scenes() {
            for way in [Way::Split, Way::Merge] {
                let (after, report) = run(&before, way);
                if before.meshes.iter().all(|m| m.parts.len() == 1) {
                    assert_eq!(before, after, "{name}");
                    assert!(report.losses().is_empty());
                }
            }
        }
    }
}
