//! A file that was read: its facts, its faces, its poses.

use crate::files::Files;
use crate::options::options;
use crate::outcome::{extend, new_report, outcome};
use js_sys::Function;
use ligament::compare::{CompareOptions, Deviation, Model as Compared};
use ligament::convert::{Imported, read_from};
use ligament::facts::{facts, nodes};
use ligament::passes::triangulate::{TriangulateOptions, triangulate};
use ligament::pose::{Pose, PosedPart, deform};
use ligament::scene::{Faces, ImageData, Material, NodeId, Part, Scene, pbr_from_phong};
use ligament::{Failure, Report};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

/// A file that was read, or the reason why it was not.
#[wasm_bindgen]
pub struct Loaded {
    json: String,
    model: Option<Model>,
}

#[wasm_bindgen]
impl Loaded {
    /// The facts and the report, as `ligament info --tree --json` prints them.
    pub fn json(&self) -> String {
        self.json.clone()
    }

    /// Takes the model out, if the file was read.
    pub fn take(&mut self) -> Option<Model> {
        self.model.take()
    }
}

/// A model in memory.
#[wasm_bindgen]
pub struct Model {
    imported: Imported,
    /// Which part of which node's mesh is drawn, in the order of nodes.
    drawn: Vec<(NodeId, usize)>,
}

/// Reads a file.
#[wasm_bindgen]
pub fn load(files: &Files, path: &str, settings: &str, watcher: Option<Function>) -> Result<Loaded, JsError> {
    let options = options(settings, watcher)?;
    let mut report = new_report(&options);
    let read = files.source(path, &mut report).and_then(|source| {
        let (bytes, folder) = (source.content.len(), Arc::clone(&source.folder));
        let imported =
            read_from(source, Some(Path::new(path)), &options.read, &options.progress, &mut report)?;
        let mut facts = facts(path, bytes, &imported, &*folder);
        let reading = imported.model().reading_cost(&CompareOptions::default());
        extend(&mut facts, json!({ "nodes": nodes(&imported.scene) }));
        extend(&mut facts, json!({ "reading": reading.as_ref().map(Deviation::to_json) }));
        Ok::<_, Failure>((imported, facts))
    });
    let mut object = outcome(read.as_ref().err().copied());
    let model = match read {
        Ok((imported, facts)) => {
            extend(&mut object, facts);
            Some(Model::new(imported))
        }
        Err(_) => {
            extend(&mut object, json!({ "file": path }));
            None
        }
    };
    extend(&mut object, report.to_json());
    Ok(Loaded { json: object.to_string(), model })
}

impl Model {
    fn new(mut imported: Imported) -> Self {
        // Faces are drawn as triangles. Vertices stay as they are, and so do all poses and comparisons.
        triangulate(&mut imported.scene, &TriangulateOptions::default(), &mut Report::default());
        let scene = &imported.scene;
        let parts = |node: NodeId| {
            let mesh = scene.nodes[node.index()].mesh;
            let count = mesh.map_or(0, |mesh| scene.meshes[mesh.index()].parts.len());
            (0..count).map(move |part| (node, part))
        };
        let drawn = scene.node_ids().flat_map(parts).collect();
        Self { imported, drawn }
    }

    /// What is compared: the file as it moves by its own rules.
    pub fn model(&self) -> Compared<'_> {
        self.imported.model()
    }

    fn scene(&self) -> &Scene {
        &self.imported.scene
    }

    fn part(&self, index: usize) -> Option<&Part> {
        let (node, part) = *self.drawn.get(index)?;
        let mesh = self.scene().nodes[node.index()].mesh?;
        self.scene().meshes.get(mesh.index())?.parts.get(part)
    }
}

#[wasm_bindgen]
impl Model {
    /// The parts that are drawn, in the order of their indices, and the materials, as JSON.
    pub fn surfaces(&self) -> String {
        let scene = self.scene();
        let part = |&(node, part): &(NodeId, usize)| {
            let of = &scene.nodes[node.index()];
            let mesh = of.mesh.map(|mesh| &scene.meshes[mesh.index()]);
            let material = mesh.and_then(|mesh| mesh.parts[part].material);
            json!({
                "node": node.index(),
                "mesh": of.mesh.map(|mesh| mesh.index()),
                "part": part,
                "skin": of.skin.map(|skin| skin.index()),
                "material": material.map(|material| material.index()),
            })
        };
        let material = |material: &Material| material_json(scene, material);
        let skin = |skin: &ligament::scene::Skin| skin.joints.iter().map(|j| j.index()).collect::<Vec<_>>();
        let morphs = scene.nodes.iter().enumerate().flat_map(|(node, of)| {
            let mesh = of.mesh.and_then(|mesh| scene.meshes.get(mesh.index()));
            let morphs = mesh.map_or(&[][..], |mesh| &mesh.morphs);
            morphs
                .iter()
                .map(move |morph| json!({ "node": node, "name": morph.name, "weight": morph.weight }))
        });
        json!({
            "morphs": morphs.collect::<Vec<_>>(),
            "parts": self.drawn.iter().map(part).collect::<Vec<_>>(),
            "materials": scene.materials.iter().map(material).collect::<Vec<_>>(),
            "skins": scene.skins.iter().map(skin).collect::<Vec<_>>(),
        })
        .to_string()
    }

    /// The triangles of a part, as indices of its vertices.
    pub fn triangles(&self, part: usize) -> Vec<u32> {
        match self.part(part).map(|part| &part.faces) {
            Some(Faces::Triangles(corners)) => corners.clone(),
            _ => Vec::new(),
        }
    }

    /// The texture coordinates of a part, two numbers per vertex, V down; empty if it has no such set.
    pub fn uvs(&self, part: usize, set: usize) -> Vec<f32> {
        let set = self.part(part).and_then(|part| part.uvs.get(set));
        set.map_or(Vec::new(), |set| bytemuck::cast_slice(set).to_vec())
    }

    /// How much a joint of the part's skin moves each vertex, from 0 to 1. Empty if the part is not skinned.
    pub fn weights(&self, part: usize, joint: u32) -> Vec<f32> {
        let Some(part) = self.part(part).filter(|part| !part.influences.is_empty()) else {
            return Vec::new();
        };
        let share = |vertex: usize| {
            let all = part.influences.of(vertex);
            let sum: f32 = all.iter().map(|i| i.weight).sum();
            let own: f32 = all.iter().filter(|i| i.joint == joint).map(|i| i.weight).sum();
            if sum > 0.0 { own / sum } else { 0.0 }
        };
        (0..part.positions.len()).map(share).collect()
    }

    /// The bytes of an image that is embedded in the file.
    pub fn image(&self, index: usize) -> Option<Vec<u8>> {
        match &self.scene().images.get(index)?.data {
            ImageData::Embedded { bytes, .. } => Some(bytes.to_vec()),
            ImageData::File(_) => None,
        }
    }

    /// Poses the model at a time of a clip, or at rest. Weights of morph targets, in the order of `surfaces().morphs`,
    /// replace those of the clip where they are finite.
    pub fn pose(
        &self,
        clip: Option<usize>,
        seconds: f32,
        morphs: Option<Vec<f32>>,
    ) -> Result<Posed, JsError> {
        let scene = self.scene();
        if !seconds.is_finite() {
            return Err(JsError::new("the time must be a finite number of seconds"));
        }
        let mut pose = match clip {
            None => Pose::rest(scene),
            Some(index) => match scene.clips.get(index) {
                Some(clip) => Pose::at(scene, clip, seconds),
                None => {
                    let count = scene.clips.len();
                    return Err(JsError::new(&format!("there is no clip {index}; the model has {count}")));
                }
            },
        };
        let weights = pose.morph_weights.iter_mut().flatten();
        let given = morphs.into_iter().flatten();
        weights.zip(given).filter(|(_, given)| given.is_finite()).for_each(|(weight, given)| *weight = given);
        let parts = scene.node_ids().flat_map(|node| deform(scene, &pose, node)).collect();
        Ok(Posed { parts, pose })
    }
}

/// A model at one time.
#[wasm_bindgen]
pub struct Posed {
    parts: Vec<PosedPart>,
    pose: Pose,
}

#[wasm_bindgen]
impl Posed {
    /// Three coordinates per vertex of a part.
    pub fn positions(&self, part: usize) -> Vec<f32> {
        self.parts.get(part).map_or(Vec::new(), |part| bytemuck::cast_slice(&part.positions).to_vec())
    }

    /// Three coordinates per vertex of a part; empty if it has no normals.
    pub fn normals(&self, part: usize) -> Vec<f32> {
        self.parts.get(part).map_or(Vec::new(), |part| bytemuck::cast_slice(&part.normals).to_vec())
    }

    /// A matrix of 16 numbers per node, column by column: from its space to the scene's.
    pub fn nodes(&self) -> Vec<f64> {
        self.pose.globals.iter().flat_map(|matrix| matrix.to_cols_array()).collect()
    }
}

/// What a plain renderer needs of a material.
fn material_json(scene: &Scene, material: &Material) -> Value {
    let derived = || material.phong.as_ref().map(pbr_from_phong);
    let pbr = material.pbr.clone().or_else(derived);
    let texture = pbr.as_ref().and_then(|pbr| pbr.base_color_texture.as_ref());
    let image = texture.and_then(|used| Some(scene.textures.get(used.texture.index())?.image.index()));
    json!({
        "name": material.name,
        "color": pbr.as_ref().map_or([1.0; 4], |pbr| pbr.base_color),
        "metallic": pbr.as_ref().map_or(0.0, |pbr| pbr.metallic),
        "roughness": pbr.as_ref().map_or(1.0, |pbr| pbr.roughness),
        "image": image,
        "double_sided": material.double_sided,
        "unlit": material.unlit,
    })
}
