//! A small scene with features that the creature lacks: a camera, lights, metal and glass, a rotating hierarchy, tracks
//! of all three interpolations, morph targets, and a mesh that is placed twice.

use super::lathe::{ball, lathe, square};
use super::math::{noise, ramp, rotation, sin};
use super::texture;
use ligament::Scene;
use ligament::math::{DMat3, DQuat, DVec3, Quat, Vec3};
use ligament::scene::{
    AlphaMode, Camera, CameraId, Clip, Extras, Image, ImageData, ImageId, Interpolation, Light, LightId,
    LightKind, Material, MaterialId, Mesh, MeshId, Morph, MorphDeltas, Node, NodeId, Part, Pbr, Projection,
    Texture, TextureId, TextureRef, Track, Trs, Values,
};

/// The whole scene.
pub fn scene() -> Scene {
    let mut scene = Scene { name: "garden".into(), ..Scene::default() };
    add_materials(&mut scene);
    add_meshes(&mut scene);
    let orrery = add_nodes(&mut scene);
    scene.clips.push(turning(&orrery));
    add_camera_and_lights(&mut scene);
    scene
}

const GROUND: MaterialId = MaterialId(0);
const STONE: MaterialId = MaterialId(1);
const BRASS: MaterialId = MaterialId(2);
const GLASS: MaterialId = MaterialId(3);
const LEAF: MaterialId = MaterialId(4);
const LAMP: MaterialId = MaterialId(5);

fn add_materials(scene: &mut Scene) {
    scene.images.push(Image {
        name: "paving".into(),
        data: ImageData::Embedded { mime: "image/png".into(), bytes: paving().into() },
        extras: Extras::new(),
    });
    scene.textures.push(Texture::new(ImageId(0)));
    let plain = |name: &str, [r, g, b, a]: [f32; 4], metallic, roughness| Material {
        name: name.into(),
        pbr: Some(Pbr { base_color: [r, g, b, a], metallic, roughness, ..Pbr::default() }),
        ..Material::default()
    };
    let mut ground = plain("ground", [1.0; 4], 0.0, 0.9);
    if let Some(pbr) = &mut ground.pbr {
        pbr.base_color_texture = Some(TextureRef::new(TextureId(0)));
    }
    let glass = Material { alpha: AlphaMode::Blend, ..plain("glass", [0.70, 0.85, 0.95, 0.35], 0.0, 0.05) };
    let lamp = Material {
        emissive: [1.0, 0.75, 0.4],
        emissive_strength: 4.0,
        ..plain("lamp", [1.0, 0.9, 0.7, 1.0], 0.0, 0.5)
    };
    scene.materials = vec![
        ground,
        plain("stone", [0.42, 0.40, 0.37, 1.0], 0.0, 0.85),
        plain("brass", [0.91, 0.70, 0.30, 1.0], 1.0, 0.25),
        glass,
        Material { double_sided: true, ..plain("leaf", [0.20, 0.55, 0.28, 1.0], 0.0, 0.6) },
        lamp,
    ];
}

/// Worn paving stones.
fn paving() -> Vec<u8> {
    const SIZE: u32 = 128;
    let mut pixels = Vec::new();
    for row in 0..SIZE {
        for column in 0..SIZE {
            let (x, y) = (f64::from(column) / 32.0, f64::from(row) / 32.0);
            // Every other row is shifted by half a stone.
            let shifted = x + 0.5 * f64::from((row / 32) % 2);
            let edge = |t: f64| (t - t.floor() - 0.5).abs() * 2.0;
            let gap = ramp(0.88, 0.95, edge(shifted).max(edge(y)));
            let stone = (f64::from((shifted.floor() as i32).rem_euclid(4)) * 0.37 + y.floor() * 0.23).fract();
            let grain = noise(x * 9.0, y * 9.0) * 0.10 + noise(x * 3.0, y * 3.0) * 0.10;
            let light = (0.52 + 0.12 * stone + grain) * (1.0 - 0.55 * gap);
            let color = [light, light * 0.95, light * 0.86];
            pixels.extend(color.map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8));
        }
    }
    texture::encode(SIZE, &pixels)
}

const GROUND_MESH: MeshId = MeshId(0);
const PILLAR: MeshId = MeshId(1);
const STAND: MeshId = MeshId(2);
const ARM: MeshId = MeshId(3);
const MOON: MeshId = MeshId(4);
const BUD: MeshId = MeshId(5);
const BULB: MeshId = MeshId(6);

fn add_meshes(scene: &mut Scene) {
    let mesh = |name: &str, parts: Vec<Part>| Mesh { name: name.into(), parts, ..Mesh::default() };
    let pillar = [
        [0.0, 0.0],
        [0.30, 0.0],
        [0.30, 0.0],
        [0.30, 0.12],
        [0.30, 0.12],
        [0.19, 0.20],
        [0.16, 0.5],
        [0.15, 1.0],
        [0.19, 1.32],
        [0.28, 1.40],
        [0.28, 1.40],
        [0.28, 1.50],
        [0.28, 1.50],
        [0.0, 1.50],
    ];
    let stand = [
        [0.0, 0.0],
        [0.35, 0.0],
        [0.35, 0.0],
        [0.33, 0.06],
        [0.08, 0.14],
        [0.05, 0.30],
        [0.05, 0.85],
        [0.10, 0.92],
        [0.0, 0.96],
    ];
    let arm = [[0.0, -0.55], [0.03, -0.55], [0.03, -0.55], [0.03, 0.55], [0.03, 0.55], [0.0, 0.55]];
    scene.meshes = vec![
        mesh("ground", vec![square(4.0, 4.0, GROUND)]),
        mesh("pillar", vec![lathe(&pillar, 20, STONE)]),
        mesh("stand", vec![lathe(&stand, 20, BRASS), sphere_on_top()]),
        mesh("arm", vec![lathe(&arm, 10, BRASS)]),
        mesh("moon", vec![lathe(&ball(0.11, 10), 18, STONE)]),
        bud(),
        mesh("bulb", vec![lathe(&ball(0.12, 8), 14, LAMP)]),
    ];
}

/// The glass ball of the stand.
fn sphere_on_top() -> Part {
    let mut part = lathe(&ball(0.20, 12), 20, GLASS);
    part.positions.iter_mut().for_each(|p| p.y += 1.15);
    part
}

/// A bud with two morph targets: it opens, and it leans.
fn bud() -> Mesh {
    let closed = [
        [0.0, 0.0],
        [0.10, 0.03],
        [0.17, 0.12],
        [0.20, 0.24],
        [0.18, 0.38],
        [0.12, 0.50],
        [0.05, 0.58],
        [0.0, 0.60],
    ];
    let mut part = lathe(&closed, 16, LEAF);
    let open = |p: Vec3| Vec3::new(p.x, 0.0, p.z) * (p.y * p.y * 3.0) - Vec3::Y * (p.y * p.y * 0.5);
    let lean = |p: Vec3| Vec3::new(0.6 * p.y * p.y, -0.15 * p.y * p.y, 0.0);
    let deltas = |shape: &dyn Fn(Vec3) -> Vec3| MorphDeltas {
        positions: part.positions.iter().map(|&p| shape(p)).collect(),
        ..MorphDeltas::default()
    };
    part.morphs = vec![deltas(&open), deltas(&lean)];
    let morph = |name: &str| Morph { name: name.into(), weight: 0.0 };
    Mesh {
        name: "bud".into(),
        parts: vec![part],
        morphs: vec![morph("open"), morph("lean")],
        ..Mesh::default()
    }
}

fn at(x: f32, y: f32, z: f32) -> Trs {
    Trs { translation: Vec3::new(x, y, z), ..Trs::IDENTITY }
}

/// The nodes that move.
struct Orrery {
    axle: NodeId,
    moon: NodeId,
    bulb: NodeId,
    bud: NodeId,
}

fn add_nodes(scene: &mut Scene) -> Orrery {
    let mut add = |name: &str, parent: Option<NodeId>, mesh: Option<MeshId>, local: Trs| {
        scene.add_node(Node { name: name.into(), parent, mesh, local: local.into(), ..Node::default() })
    };
    let garden = add("garden", None, None, Trs::IDENTITY);
    add("ground", Some(garden), Some(GROUND_MESH), Trs::IDENTITY);
    // One mesh, placed twice.
    add("pillar_left", Some(garden), Some(PILLAR), at(-1.5, 0.0, -1.0));
    add("pillar_right", Some(garden), Some(PILLAR), at(1.5, 0.0, -1.0));
    let stand = add("orrery", Some(garden), Some(STAND), at(0.0, 0.0, -0.3));
    let axle = add("axle", Some(stand), None, at(0.0, 1.15, 0.0));
    let lying = Trs { rotation: rotation(DVec3::Z, 90.0).as_quat(), ..Trs::IDENTITY };
    add("arm", Some(axle), Some(ARM), lying);
    let moon = add("moon", Some(axle), Some(MOON), at(0.65, 0.0, 0.0));
    let bulb = add("bulb", Some(axle), Some(BULB), at(-0.65, 0.0, 0.0));
    let bud = add("bud", Some(garden), Some(BUD), at(0.9, 0.0, 0.8));
    Orrery { axle, moon, bulb, bud }
}

/// Four seconds: the arm rotates (linear), the moon rises and falls (cubic), the bulb changes size at once (step), the
/// bud opens and leans (linear).
fn turning(orrery: &Orrery) -> Clip {
    let times = |count: usize| (0..=count).map(|i| 4.0 * i as f32 / count as f32).collect();
    let quarter = |i: usize| rotation(DVec3::Y, 90.0 * i as f64).as_quat();
    let spin: Vec<Quat> = (0..=4).map(quarter).collect();
    // A sine through four keys: up, back, down, back; tangents are its slope in metres per second.
    let height = |i: usize| (sin(i as f64 / 4.0) * 0.18) as f32;
    let slope = |i: usize| (sin(i as f64 / 4.0 + 0.25) * 0.18 * std::f64::consts::TAU / 4.0) as f32;
    let bob = |i: usize| [Vec3::Y * slope(i), Vec3::new(0.65, height(i), 0.0), Vec3::Y * slope(i)];
    let blink = [1.0, 0.6, 1.3, 0.8, 1.0].map(Vec3::splat).to_vec();
    let weights = vec![0.0, 0.0, 0.8, 0.0, 1.0, 0.6, 0.4, 1.0, 0.0, 0.0];
    let track = |node, interpolation, values| Track { node, interpolation, times: times(4), values };
    Clip {
        name: "turning".into(),
        duration: 4.0,
        tracks: vec![
            track(orrery.axle, Interpolation::Linear, Values::Rotation(spin)),
            track(orrery.moon, Interpolation::Cubic, Values::Translation((0..=4).flat_map(bob).collect())),
            track(orrery.bulb, Interpolation::Step, Values::Scale(blink)),
            track(orrery.bud, Interpolation::Linear, Values::MorphWeights { count: 2, weights }),
        ],
        ..Clip::default()
    }
}

fn add_camera_and_lights(scene: &mut Scene) {
    scene.cameras.push(Camera {
        name: "camera".into(),
        projection: Projection::Perspective { fov_y: 0.7, aspect: Some(1.5) },
        near: 0.1,
        far: Some(100.0),
        extras: Extras::new(),
    });
    let camera = looking(DVec3::new(2.6, 2.2, 4.6), DVec3::new(0.0, 0.7, -0.2));
    scene.add_node(Node {
        name: "camera".into(),
        local: camera.into(),
        camera: Some(CameraId(0)),
        ..Node::default()
    });
    let spot = LightKind::Spot { inner_angle: 0.30, outer_angle: 0.50 };
    let lights = [
        ("sun", LightKind::Directional, [1.0, 0.96, 0.88], 3.0, None, DVec3::new(3.0, 6.0, 4.0)),
        ("lamp", LightKind::Point, [1.0, 0.75, 0.4], 20.0, Some(8.0), DVec3::new(-1.5, 2.0, -0.9)),
        ("spot", spot, [0.6, 0.8, 1.0], 60.0, Some(12.0), DVec3::new(0.9, 3.0, 2.4)),
    ];
    for (i, (name, kind, color, intensity, range, place)) in lights.into_iter().enumerate() {
        scene.lights.push(Light { name: name.into(), kind, color, intensity, range, extras: Extras::new() });
        let local = looking(place, DVec3::new(0.9, 0.2, 0.8)).into();
        let light = Some(LightId::new(i));
        scene.add_node(Node { name: name.into(), local, light, ..Node::default() });
    }
}

/// A transform whose −Z points at a target, with +Y as far up as possible.
fn looking(from: DVec3, target: DVec3) -> Trs {
    let back = (from - target).normalize();
    let right = DVec3::Y.cross(back).normalize();
    let turn = DQuat::from_mat3(&DMat3::from_cols(right, back.cross(right), back));
    Trs { translation: from.as_vec3(), rotation: turn.as_quat(), ..Trs::IDENTITY }
}
