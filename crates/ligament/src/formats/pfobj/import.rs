//! Document to scene.
//!
//! - The mesh is one node named after the file, with one part per material in the order of first use.
//! - Joints are nodes in the file's hierarchy. Several roots get a common parent, `armature`, as glTF requires.
//! - Clips have a track for each joint's translation, rotation and scale; a constant track has a single key.
//! - Values that a scene cannot hold travel in `extras` under `pfobj`; see [`super::export`].

use super::codes;
use super::document::{Clip, Document, Joint, Transform, Vertices};
use super::{EULER_ORDER, EulerOrder, FRAME_RATE, rotation, stated};
use crate::formats::ReadOptions;
use crate::formats::bind::{pulling_joints, skin_at_rest};
use crate::formats::hierarchy::Hierarchy;
use crate::report::{Failure, Place, Report};
use crate::scene::{
    self, AlphaMode, Extras, Faces, Frames, Influences, Interpolation, Local, Mesh, MeshId, Node, NodeId,
    Part, Phong, Scene, SkinId, TextureRef, Track, Trs, Values,
};
use glam::{DMat4, Vec2};
use serde_json::json;
use std::collections::HashMap;
use std::sync::Arc;

impl Document {
    pub(super) fn into_scene(mut self, options: &ReadOptions, report: &mut Report) -> Result<Scene, Failure> {
        let mut scene = Scene { name: self.name.clone(), ..Scene::default() };
        scene.extras = self.extras();
        self.import_materials(&mut scene, report);
        let vertices = std::mem::take(&mut self.vertices);
        let weighted = !vertices.influences.is_empty();
        let pulls = pulling_joints(vertices.influences.pairs(), self.joints.len());
        if !vertices.is_empty() {
            let mesh = Mesh { name: self.name.clone(), parts: parts(vertices), ..Mesh::default() };
            scene.meshes.push(mesh);
            let skin = (weighted && !self.joints.is_empty()).then_some(SkinId(0));
            scene.add_node(Node { name: self.name.clone(), mesh: Some(MeshId(0)), skin, ..Node::default() });
        }
        let order = options.own.get(&EULER_ORDER);
        let nodes = self.import_joints(&mut scene, order);
        if !self.joints.is_empty() {
            scene.skins.push(skin_at_rest(&scene, self.name.clone(), nodes.clone(), &pulls, |i| {
                let message =
                    format!("the bind transform of joint {} cannot be inverted", self.joints[i].name);
                report.error(&codes::NOT_INVERTIBLE, Place::field(format!("joints[{i}]")), message);
            }));
        }
        let rate = options.fps.filter(|fps| fps.is_finite() && *fps > 0.0).unwrap_or(FRAME_RATE);
        // A spline needs tangents, which frames do not have.
        let interpolation = match options.interpolation {
            Some(Interpolation::Linear | Interpolation::Cubic) => Interpolation::Linear,
            Some(Interpolation::Step) | None => Interpolation::Step,
        };
        let clips = self.clips.into_iter();
        scene.clips = clips.map(|clip| import_clip(clip, &nodes, order, rate, interpolation)).collect();
        report.check().map(|()| scene)
    }

    fn extras(&self) -> Extras {
        let mut values = json!({ "has_collision": self.has_collision == Some(true) });
        if let Some(bounds) = &self.bounds {
            values["bounds"] = stated::to_extras(std::slice::from_ref(bounds));
        }
        Extras::from_iter([("pfobj".to_owned(), values)])
    }

    fn import_materials(&self, scene: &mut Scene, report: &mut Report) {
        let mut known = HashMap::new();
        for (i, material) in self.materials.iter().enumerate() {
            let texture = material.texture.to_text();
            let diffuse_texture = match crate::io::safe_relative(&texture) {
                // The placeholder image for materials without a texture.
                Ok(path) if path == super::WHITE_TEXTURE => None,
                Ok(path) => {
                    let new = |path: &String| scene.add_image_file(path, String::new());
                    Some(TextureRef::new(*known.entry(path).or_insert_with_key(new)))
                }
                Err(refusal) => {
                    let place = Place::field(format!("materials[{i}].texture"));
                    let message = format!("texture {}: {refusal}", material.texture);
                    report.error(&codes::TEXTURE_PATH, place, message);
                    None
                }
            };
            let phong = Phong {
                ambient: [material.ambient; 3],
                diffuse: material.diffuse,
                specular: material.specular,
                diffuse_texture,
                ..Phong::default()
            };
            scene.materials.push(scene::Material {
                name: material.name.to_text(),
                phong: Some(phong),
                // The engine discards fragments with an alpha of at most one half.
                alpha: AlphaMode::Mask(0.5),
                ..scene::Material::default()
            });
        }
    }

    /// Adds the joints' nodes, parents first, and returns the node of each joint.
    fn import_joints(&self, scene: &mut Scene, order: EulerOrder) -> Vec<NodeId> {
        let roots = self.joints.iter().filter(|j| j.parent == 0).count();
        let armature =
            (roots > 1).then(|| scene.add_node(Node { name: "armature".to_owned(), ..Node::default() }));
        let mut nodes = vec![NodeId(0); self.joints.len()];
        for index in hierarchy(&self.joints).order {
            let joint = &self.joints[index];
            let parent = match joint.parent.checked_sub(1) {
                Some(parent) => nodes.get(parent as usize).copied(),
                None => armature,
            };
            nodes[index] = scene.add_node(Node {
                name: joint.name.to_text(),
                parent,
                local: trs(&joint.bind, order).into(),
                tip: Some(joint.tip.to_array()),
                ..Node::default()
            });
        }
        nodes
    }
}

/// The tree of the joints, whose parents count from 1.
pub(super) fn hierarchy(joints: &[Joint]) -> Hierarchy {
    Hierarchy::of(joints.iter().map(|joint| (joint.parent as usize).checked_sub(1)))
}

/// Maps each joint's space to the model's, when the mesh was bound.
pub(super) fn bind_globals(joints: &[Joint], order: EulerOrder) -> Vec<DMat4> {
    let mut globals = vec![DMat4::IDENTITY; joints.len()];
    for index in hierarchy(joints).order {
        let local = Local::from(trs(&joints[index].bind, order)).to_matrix();
        let parent = (joints[index].parent as usize).checked_sub(1).and_then(|p| globals.get(p));
        globals[index] = parent.map_or(local, |parent| *parent * local);
    }
    globals
}

/// Converts a transform to a scene's translation, rotation and scale.
pub(super) fn trs(transform: &Transform, order: EulerOrder) -> Trs {
    Trs {
        translation: transform.translation,
        rotation: rotation::to_scene(transform.rotation, order),
        scale: transform.scale,
    }
}

/// Flips V, which points up in the file and down in a scene.
pub(super) fn flip_v(uvs: &mut [Vec2]) {
    uvs.iter_mut().for_each(|uv| uv.y = 1.0 - uv.y);
}

/// Makes a part for each material that triangles use, in the order of first use.
fn parts(mut vertices: Vertices) -> Vec<Part> {
    flip_v(&mut vertices.uvs);
    let triangle_corners = (vertices.len() / 3 * 3) as u32;
    let first = vertices.materials.first().copied().unwrap_or(0);
    if vertices.corners.is_empty() && vertices.materials.iter().all(|&m| m == first) {
        return vec![Part {
            material: Some(scene::MaterialId(first)),
            positions: vertices.positions,
            normals: vertices.normals,
            uvs: vec![vertices.uvs],
            influences: vertices.influences,
            faces: Faces::Triangles((0..triangle_corners).collect()),
            ..Part::default()
        }];
    }
    split(&vertices, triangle_corners as usize)
}

fn split(vertices: &Vertices, corners: usize) -> Vec<Part> {
    let stored = |corner: usize| vertices.corners.get(corner).map_or(corner, |&v| v as usize);
    let material = |corner: usize| vertices.materials.get(stored(corner)).copied().unwrap_or(0);
    // The materials in order of first use with the number of vertices of each, and the part of each material.
    let mut used: Vec<(u32, usize)> = Vec::new();
    let mut part_of = HashMap::new();
    for corner in (0..corners).step_by(3) {
        let material = material(corner);
        let part = *part_of.entry(material).or_insert_with(|| {
            used.push((material, 0));
            used.len() - 1
        });
        used[part].1 += 3;
    }
    let mut parts: Vec<Part> = used
        .iter()
        .map(|&(material, count)| Part {
            material: Some(scene::MaterialId(material)),
            positions: Vec::with_capacity(count),
            normals: Vec::with_capacity(count),
            uvs: vec![Vec::with_capacity(count)],
            influences: Influences::with_capacity(if vertices.influences.is_empty() { 0 } else { count }, 0),
            faces: Faces::Triangles((0..count as u32).collect()),
            ..Part::default()
        })
        .collect();
    for corner in 0..corners {
        let part = &mut parts[part_of[&material(corner / 3 * 3)]];
        let vertex = stored(corner);
        part.positions.push(vertices.positions[vertex]);
        part.normals.push(vertices.normals[vertex]);
        part.uvs[0].push(vertices.uvs[vertex]);
        if !vertices.influences.is_empty() {
            part.influences.push(vertices.influences.of(vertex).iter().copied());
        }
    }
    parts
}

fn import_clip(
    clip: Clip,
    nodes: &[NodeId],
    order: EulerOrder,
    rate: f32,
    interpolation: Interpolation,
) -> scene::Clip {
    let frames = Frames { rate, count: clip.frames };
    let mut imported = scene::Clip {
        name: clip.name.to_text(),
        duration: frames.time(frames.count),
        frames: Some(frames),
        ..scene::Clip::default()
    };
    if !clip.bounds.is_empty() {
        let values = json!({ "bounds": stated::to_extras(&clip.bounds) });
        imported.extras.insert("pfobj".to_owned(), values);
    }
    if clip.transforms.is_empty() {
        return imported;
    }
    let all_times = frames.times();
    let one_time: Arc<[f32]> = Arc::new([0.0]);
    imported.tracks.reserve_exact(nodes.len() * 3);
    for (joint, &node) in nodes.iter().enumerate() {
        let frames = || (joint..clip.transforms.len()).step_by(nodes.len());
        let keys = || frames().map(|i| trs(&clip.transforms.get(i), order));
        let mut track = |mut values: Values| {
            values.keep_one_if_constant();
            let times = Arc::clone(if values.len() == 1 { &one_time } else { &all_times });
            imported.tracks.push(Track { node, interpolation, times, values });
        };
        track(Values::Translation(keys().map(|t| t.translation).collect()));
        track(Values::Rotation(keys().map(|t| t.rotation).collect()));
        track(Values::Scale(keys().map(|t| t.scale).collect()));
    }
    imported
}
