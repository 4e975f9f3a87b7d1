//! `examples/art/`: a folder of small models, as an artist might leave it, and `examples/broken.pfobj`: one of them, as an
//! editor that writes decimal commas would damage it.

use super::lathe::{ball, lathe};
use super::math::{ramp, rotation, sin};
use super::write;
use crate::run::Result;
use ligament::Scene;
use ligament::math::{DVec3, Mat4, Quat, Vec2, Vec3};
use ligament::scene::{
    Clip, Extras, Image, ImageData, ImageId, Influence, Influences, Interpolation, Material, MaterialId,
    Mesh, MeshId, Node, NodeId, Part, Pbr, Skin, SkinId, Texture, TextureId, TextureRef, Track, Trs, Values,
};
use std::fs;
use std::path::Path;

/// Writes the folder and the broken file.
pub fn write_art(folder: &Path) -> Result {
    let art = folder.join("art");
    let create = |path: &Path| {
        fs::create_dir_all(path).map_err(|error| format!("cannot create {}: {error}", path.display()))
    };
    create(&art.join("garden"))?;
    write(reed(), &art.join("reed.glb"))?;
    write(pebble(), &art.join("garden/pebble.obj"))?;
    write(vase(), &art.join("garden/vase.bgl"))?;
    write_broken(&folder.join("broken.pfobj"))
}

/// The reed as PFOBJ, with a comma instead of a point in the last place of a joint.
fn write_broken(path: &Path) -> Result {
    let mut reed = reed();
    // Every material of the format has a texture; this one already exists.
    let data = ImageData::File("creature.png".into());
    reed.images.push(Image { name: "creature".into(), data, extras: Extras::new() });
    reed.textures.push(Texture::new(ImageId(0)));
    if let Some(pbr) = &mut reed.materials[0].pbr {
        pbr.base_color_texture = Some(TextureRef::new(TextureId(0)));
    }
    write(reed, path)?;
    let text =
        fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let place = text.rfind('/').and_then(|slash| Some(slash + text[slash..].find('.')?));
    let place = place.ok_or("the broken model has no joints")?;
    let broken = format!("{},{}", &text[..place], &text[place + 1..]);
    fs::write(path, broken).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

fn plain(name: &str, [r, g, b]: [f32; 3]) -> Material {
    let pbr = Pbr { base_color: [r, g, b, 1.0], metallic: 0.0, roughness: 0.8, ..Pbr::default() };
    Material { name: name.into(), pbr: Some(pbr), ..Material::default() }
}

/// One mesh with one material at the origin.
fn single(name: &str, part: Part, color: [f32; 3]) -> Scene {
    let mut scene = Scene { name: name.into(), ..Scene::default() };
    scene.materials.push(plain(name, color));
    scene.meshes.push(Mesh { name: name.into(), parts: vec![part], ..Mesh::default() });
    scene.add_node(Node { name: name.into(), mesh: Some(MeshId(0)), ..Node::default() });
    scene
}

/// A flattened ball.
fn pebble() -> Scene {
    let mut part = lathe(&ball(0.1, 5), 8, MaterialId(0));
    part.positions.iter_mut().for_each(|p| p.y *= 0.5);
    part.normals.iter_mut().for_each(|n| *n = Vec3::new(n.x, n.y * 2.0, n.z).normalize());
    single("pebble", part, [0.5, 0.48, 0.45])
}

fn vase() -> Scene {
    let profile = [[0.0, 0.0], [0.08, 0.0], [0.14, 0.12], [0.06, 0.26], [0.08, 0.3]];
    single("vase", lathe(&profile, 8, MaterialId(0)), [0.6, 0.3, 0.2])
}

/// The length of each of the reed's joints.
const STEP: f64 = 0.4;

/// Three joints, one above the other, and a stalk that follows them in the wind.
fn reed() -> Scene {
    let profile = [[0.05, 0.0], [0.045, 0.3], [0.04, 0.5], [0.03, 0.7], [0.025, 0.9], [0.0, 1.2]];
    const AROUND: usize = 5;
    let mut part = lathe(&profile, AROUND as u32, MaterialId(0));
    let around = |i: usize| (i % (AROUND + 1)) as f32 / AROUND as f32;
    let uvs = part.positions.iter().enumerate().map(|(i, p)| Vec2::new(around(i), 1.0 - p.y / 1.2));
    part.uvs = vec![uvs.collect()];
    part.influences = weights(&part.positions);
    let mut scene = single("reed", part, [0.45, 0.6, 0.25]);
    let mut parent = None;
    let joints: Vec<NodeId> = ["root", "middle", "top"]
        .iter()
        .map(|name| {
            let height = if parent.is_some() { STEP as f32 } else { 0.0 };
            let local = Trs { translation: Vec3::Y * height, ..Trs::IDENTITY }.into();
            let joint = scene.add_node(Node { name: (*name).into(), parent, local, ..Node::default() });
            parent = Some(joint);
            joint
        })
        .collect();
    let bind = |i: usize| Mat4::from_translation(Vec3::Y * -(STEP * i as f64) as f32).to_cols_array();
    let inverse_binds = (0..joints.len()).map(bind).collect();
    scene.clips.push(sway(&joints));
    scene.skins.push(Skin { joints, inverse_binds, ..Skin::default() });
    scene.nodes[0].skin = Some(SkinId(0));
    scene
}

/// Each vertex follows the joint below it and, near the next joint, also that one.
fn weights(positions: &[Vec3]) -> Influences {
    let mut influences = Influences::default();
    for position in positions {
        let at = f64::from(position.y) / STEP;
        let joint = (at.floor() as u32).min(2);
        let next = if joint < 2 { ramp(0.5, 1.0, at - f64::from(joint)) as f32 } else { 0.0 };
        let pairs = [(joint, 1.0 - next), (joint + 1, next)];
        influences.push(pairs.into_iter().filter(|(_, weight)| *weight > 0.0).map(influence));
    }
    influences
}

fn influence((joint, weight): (u32, f32)) -> Influence {
    Influence { joint, weight }
}

/// A second of wind.
fn sway(joints: &[NodeId]) -> Clip {
    const KEYS: usize = 8;
    let times: Vec<f32> = (0..=KEYS).map(|i| i as f32 / KEYS as f32).collect();
    let key = |i: usize| rotation(DVec3::Z, 12.0 * sin((i % KEYS) as f64 / KEYS as f64)).as_quat();
    let keys: Vec<Quat> = (0..=KEYS).map(key).collect();
    let track = |&node: &NodeId| Track {
        node,
        interpolation: Interpolation::Linear,
        times: times.clone().into(),
        values: Values::Rotation(keys.clone()),
    };
    Clip { name: "sway".into(), duration: 1.0, tracks: joints.iter().map(track).collect(), ..Clip::default() }
}
