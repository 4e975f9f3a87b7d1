//! What is in a file, as JSON: for `ligament info --json`, and for the pages and programs that show it.

use crate::convert::Imported;
use crate::images::dimensions;
use crate::io::Folder;
use crate::pose::{Bounds, Pose, bounds, clip_bounds, joint_boxes};
use crate::scene::{
    Clip, Faces, Image, ImageData, LightKind, Material, Mesh, MeshId, NodeId, Part, Projection, Scene,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What is in a file of this many bytes. Images that it refers to are looked up in its folder.
pub fn facts(name: &str, bytes: u64, imported: &Imported, folder: &dyn Folder) -> Value {
    let scene = &imported.scene;
    let bounds = bounds(scene, &Pose::rest(scene));
    let counts = scene.counts();
    let joints: BTreeSet<NodeId> = scene.skins.iter().flat_map(|skin| &skin.joints).copied().collect();
    json!({
        "file": name,
        "format": imported.format.id,
        "dialect": imported.dialect,
        "bytes": bytes,
        "name": scene.name,
        "counts": {
            "vertices": counts.vertices,
            "joints": counts.joints,
            "clips": counts.clips,
            "nodes": scene.nodes.len(),
            "triangles": scene.meshes.iter().flat_map(|mesh| &mesh.parts).map(|part| triangles(&part.faces)).sum::<usize>(),
        },
        "about": imported.about.iter().map(|(name, text)| ((*name).to_owned(), json!(text))).collect::<serde_json::Map<_, _>>(),
        "bounds": bounds.map(|b| json!({
            "min": b.min.to_array(),
            "max": b.max.to_array(),
            "size": (b.max - b.min).to_array(),
        })),
        "meshes": list(&scene.meshes, |index, mesh| mesh_facts(scene, index, mesh)),
        "skins": list(&scene.skins, |_, skin| json!({
            "name": skin.name,
            "joints": skin.joints.len(),
            "joint_names": skin.joints.iter().map(|joint| scene.nodes[joint.index()].name.clone()).collect::<Vec<_>>(),
        })),
        "clips": list(&scene.clips, |_, clip| clip_facts(clip, &joints)),
        "materials": list(&scene.materials, |_, material| material_facts(scene, material)),
        "images": list(&scene.images, |_, image| image_facts(folder, image)),
        "cameras": list(&scene.cameras, |_, camera| json!({
            "name": camera.name,
            "kind": match camera.projection {
                Projection::Perspective { .. } => "perspective",
                Projection::Orthographic { .. } => "orthographic",
            },
        })),
        "lights": list(&scene.lights, |_, light| json!({
            "name": light.name,
            "kind": match light.kind {
                LightKind::Directional => "directional",
                LightKind::Point => "point",
                LightKind::Spot { .. } => "spot",
            },
            "intensity": light.intensity,
        })),
        "ambient": scene.ambient,
    })
}

fn list<T>(items: &[T], fact: impl Fn(usize, &T) -> Value) -> Value {
    Value::Array(items.iter().enumerate().map(|(index, item)| fact(index, item)).collect())
}

fn mesh_facts(scene: &Scene, index: usize, mesh: &Mesh) -> Value {
    let placements = scene.nodes.iter().filter(|n| n.mesh == Some(MeshId::new(index)));
    let most = |of: &dyn Fn(&Part) -> usize| mesh.parts.iter().map(of).max().unwrap_or(0);
    let mut faces: Vec<(&str, usize)> = Vec::new();
    for part in &mesh.parts {
        let kind = match part.faces {
            Faces::Points(_) => "points",
            Faces::Lines(_) => "lines",
            Faces::Triangles(_) => "triangles",
            Faces::Polygons { .. } => "polygons",
        };
        match faces.iter_mut().find(|(k, _)| *k == kind) {
            Some((_, count)) => *count += part.faces.count(),
            None => faces.push((kind, part.faces.count())),
        }
    }
    json!({
        "name": mesh.name,
        "placements": placements.clone().count(),
        "skinned": placements.clone().any(|n| n.skin.is_some()),
        "parts": mesh.parts.len(),
        "vertices": mesh.vertex_count(),
        "faces": faces.into_iter().map(|(k, n)| (k.to_owned(), json!(n))).collect::<serde_json::Map<_, _>>(),
        "max_influences": most(&|p| p.influences.max_per_vertex()),
        "uv_sets": most(&|p| p.uvs.len()),
        "color_sets": most(&|p| p.colors.len()),
        "normals": mesh.parts.iter().any(|p| !p.normals.is_empty()),
        "tangents": mesh.parts.iter().any(|p| !p.tangents.is_empty()),
        "morphs": mesh.morphs.len(),
    })
}

/// The number of triangles that faces are or can be cut into.
pub fn triangles(faces: &Faces) -> usize {
    match faces {
        Faces::Triangles(_) => faces.count(),
        Faces::Polygons { starts, .. } => {
            starts.windows(2).map(|ends| (ends[1].saturating_sub(ends[0]) as usize).saturating_sub(2)).sum()
        }
        Faces::Points(_) | Faces::Lines(_) => 0,
    }
}

fn clip_facts(clip: &Clip, joints: &BTreeSet<NodeId>) -> Value {
    let moved: BTreeSet<NodeId> = clip.tracks.iter().map(|track| track.node).collect();
    let mut interpolations: Vec<_> = clip.tracks.iter().map(|t| t.interpolation.name()).collect();
    interpolations.sort_unstable();
    interpolations.dedup();
    json!({
        "name": clip.name,
        "seconds": clip.duration,
        "tracks": clip.tracks.len(),
        "nodes": moved.len(),
        "joints": moved.intersection(joints).count(),
        "keys": key_times(clip),
        "frames": clip.frames.map(|f| f.count),
        "fps": clip.frames.map(|f| f.rate),
        "interpolations": interpolations,
    })
}

/// The number of distinct times at which any track has a key.
fn key_times(clip: &Clip) -> usize {
    let mut lists: Vec<&Arc<[f32]>> = clip.tracks.iter().map(|t| &t.times).collect();
    // The tracks of a sampled clip share one list of times, which need not be read more than once.
    lists.sort_by_key(|l| l.as_ptr());
    lists.dedup_by_key(|l| (l.as_ptr(), l.len()));
    let mut times: Vec<f32> = lists.into_iter().flat_map(|l| l.iter().copied()).collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    times.len()
}

fn material_facts(scene: &Scene, material: &Material) -> Value {
    let mut kinds = Vec::new();
    if material.phong.is_some() {
        kinds.push("phong");
    }
    if material.pbr.is_some() {
        kinds.push("metallic-roughness");
    }
    if material.unlit {
        kinds.push("unlit");
    }
    let textures = material.textures().into_iter().map(|(slot, used)| {
        let image = scene.textures.get(used.texture.index()).map(|t| t.image.index());
        json!({ "slot": slot, "image": image })
    });
    json!({ "name": material.name, "kinds": kinds, "textures": textures.collect::<Vec<_>>() })
}

/// Bytes at the beginning of an image file that tell its size, even after a long comment.
const IMAGE_HEAD: u64 = 1 << 18;

fn image_facts(folder: &dyn Folder, image: &Image) -> Value {
    let (mut facts, size) = match &image.data {
        ImageData::File(path) => {
            let file = folder.open(path, u64::MAX).ok();
            let head =
                file.and_then(|file| Some(file.range(0, file.len().min(IMAGE_HEAD)).ok()?.into_owned()));
            let found = folder.contains(path);
            let size = head.and_then(|head| dimensions(&head));
            (json!({ "name": image.name, "file": path, "found": found }), size)
        }
        ImageData::Embedded { mime, bytes } => {
            (json!({ "name": image.name, "type": mime, "bytes": bytes.len() }), dimensions(bytes))
        }
    };
    if let Some([width, height]) = size {
        facts["width"] = json!(width);
        facts["height"] = json!(height);
    }
    facts
}

/// Every node with its parent, what it carries, and the clips that move it.
pub fn nodes(scene: &Scene) -> Value {
    let joints: BTreeSet<NodeId> = scene.skins.iter().flat_map(|skin| &skin.joints).copied().collect();
    let mut clips = vec![Vec::new(); scene.nodes.len()];
    for (index, clip) in scene.clips.iter().enumerate() {
        let moved: BTreeSet<NodeId> = clip.tracks.iter().map(|track| track.node).collect();
        moved.into_iter().for_each(|node| clips[node.index()].push(index));
    }
    let node = |(id, clips): (NodeId, Vec<usize>)| {
        let node = &scene.nodes[id.index()];
        json!({
            "name": node.name,
            "parent": node.parent.map(|parent| parent.index()),
            "joint": joints.contains(&id),
            "mesh": node.mesh.map(|mesh| mesh.index()),
            "camera": node.camera.map(|camera| camera.index()),
            "light": node.light.map(|light| light.index()),
            "clips": clips,
        })
    };
    scene.node_ids().zip(clips).map(node).collect()
}

/// For each clip, the box that holds everything it shows; for each skin, the boxes around the vertices of its joints, in the joints'
/// own spaces.
pub fn boxes(scene: &Scene) -> Value {
    let clip = |index: usize| {
        let found = clip_bounds(scene, index);
        let slack = found.map(|found| found.slack);
        let mut own = found.map_or(json!({}), |found| boxed(&found.bounds));
        (own["clip"], own["slack"]) = (json!(scene.clips[index].name), json!(slack));
        own
    };
    let joints = scene.skins.iter().zip(joint_boxes(scene)).flat_map(|(skin, boxes)| {
        skin.joints.iter().zip(boxes).map(|(joint, found)| {
            let mut own = found.map_or(json!({}), |found| boxed(&found));
            (own["skin"], own["joint"]) = (json!(skin.name), json!(scene.nodes[joint.index()].name));
            own
        })
    });
    json!({
        "clips": (0..scene.clips.len()).map(clip).collect::<Vec<_>>(),
        "joints": joints.collect::<Vec<_>>(),
    })
}

fn boxed(bounds: &Bounds) -> Value {
    json!({ "min": bounds.min.to_array(), "max": bounds.max.to_array() })
}
