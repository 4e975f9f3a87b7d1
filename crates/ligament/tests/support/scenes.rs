//! Scenes made of arbitrary bytes: every feature that a scene can have, in combinations that no file has. Each byte
//! decides something; after the last one every choice is the plainest, so that short inputs make small scenes.

use ligament::Scene;
use ligament::math::{DMat4, DVec3, Quat, Vec2, Vec3, Vec4};
use ligament::passes::axes::{AxesOptions, axes};
use ligament::pose::Pose;
use ligament::scene::{
    AlphaMode, Camera, CameraId, Clip, Extras, Faces, Image, ImageData, ImageId, Influence, Influences,
    Interpolation, Light, LightId, LightKind, Local, Material, MaterialId, Mesh, MeshId, Morph, MorphDeltas,
    Node, NodeId, Part, Pbr, Phong, Projection, Skin, SkinId, Texture, TextureId, TextureRef, Track, Trs,
    Values,
};
use std::f32::consts::PI;

/// The smallest PNG: one white pixel.
const PIXEL: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0:~\x9bU\0\0\0\nIDATx\x9cc\xf8\x0f\0\x01\x01\x01\0\x1b\xb6\xeeV\0\0\0\0IEND\xaeB`\x82";

/// Names that some format cannot hold as they are.
const NAMES: [&str; 12] = [
    "",
    "hips",
    "arm.L",
    "two words",
    "ünï/cödé",
    "a\"b\\c",
    "#",
    "hips",
    "mixamorig:Spine",
    "-1",
    "a|b",
    "<b>&amp;",
];

/// The choices that a string of bytes makes.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        self.0.next().copied().unwrap_or(0)
    }

    /// A number below `end`, 0 after the last byte.
    fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end.max(1)
    }

    /// True for one of `of` bytes, never after the last.
    fn chance(&mut self, of: u8) -> bool {
        self.byte() % of == of - 1
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A number from −1 to 1.
    fn signed(&mut self) -> f32 {
        let half = i16::from_le_bytes([self.byte(), self.byte()]);
        f32::from(half) / 32768.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }

    fn rotation(&mut self) -> Quat {
        let axis = self.vector();
        let axis = if axis.length() < 1e-3 { Vec3::Y } else { axis.normalize() };
        Quat::from_axis_angle(axis, self.signed() * PI)
    }

    fn scale(&mut self) -> Vec3 {
        match self.below(12) {
            0..7 => Vec3::ONE,
            7 => Vec3::splat(0.01),
            8 => Vec3::splat(1.5 + self.signed()),
            9 => Vec3::new(-1.0, 1.0, 1.0),
            10 => Vec3::new(1.0, 1.5 + self.signed(), 0.5),
            _ => Vec3::splat(100.0),
        }
    }

    fn trs(&mut self) -> Trs {
        let translation = self.vector();
        let rotation = if self.chance(2) { self.rotation() } else { Quat::IDENTITY };
        Trs { translation, rotation, scale: self.scale() }
    }

    fn name(&mut self) -> String {
        self.of(&NAMES).to_owned()
    }

    fn color(&mut self) -> [f32; 3] {
        (self.vector().abs()).to_array()
    }

    fn extras(&mut self) -> Extras {
        let mut extras = Extras::new();
        if self.chance(6) {
            extras
                .insert(self.name(), serde_json::json!({ "list": [1, "two", null], "more": self.below(9) }));
        }
        extras
    }
}

/// The scene that some bytes make.
pub fn scene(bytes: &[u8]) -> Scene {
    let choices = &mut Choices(bytes.iter());
    let mut scene = Scene { name: choices.name(), ..Scene::default() };
    let size = choices.of(&[1.0, 1.0, 1e-3, 1e3]);
    looks(&mut scene, choices);
    hierarchy(&mut scene, choices);
    for _ in 0..choices.below(3) {
        skin(&mut scene, choices);
    }
    for _ in 0..=choices.below(3) {
        mesh(&mut scene, choices);
    }
    for _ in 0..choices.below(4) {
        clip(&mut scene, choices);
    }
    if choices.chance(3) {
        cameras_and_lights(&mut scene, choices);
    }
    if choices.chance(8) {
        scene.ambient = Some([0.1, 0.2, 0.3, 1.0]);
    }
    scene.extras = choices.extras();
    axes(&mut scene, &AxesOptions { scale: size, ..AxesOptions::default() });
    scene
}

/// Images, textures and materials.
fn looks(scene: &mut Scene, choices: &mut Choices) {
    for _ in 0..choices.below(3) {
        let data = match choices.below(3) {
            0 => ImageData::Embedded { mime: "image/png".to_owned(), bytes: PIXEL.into() },
            1 => ImageData::File("missing.png".to_owned()),
            _ => ImageData::File("folder/of a/ünï.jpg".to_owned()),
        };
        let image = ImageId::new(scene.images.len());
        scene.images.push(Image { name: choices.name(), data, extras: choices.extras() });
        scene.textures.push(Texture { name: choices.name(), ..Texture::new(image) });
    }
    let textures = scene.textures.len();
    for _ in 0..choices.below(3) {
        let texture = |choices: &mut Choices| {
            let is_there = textures > 0 && choices.chance(2);
            is_there.then(|| TextureRef::new(TextureId::new(choices.below(textures))))
        };
        let mut material = Material { name: choices.name(), extras: choices.extras(), ..Material::default() };
        if choices.chance(2) {
            material.phong = Some(Phong {
                diffuse: choices.color(),
                specular: choices.color(),
                shininess: choices.chance(2).then_some(20.0),
                diffuse_texture: texture(choices),
                ..Phong::default()
            });
        } else {
            let [r, g, b] = choices.color();
            let (metallic, base_color_texture) = (choices.signed().abs(), texture(choices));
            material.pbr =
                Some(Pbr { base_color: [r, g, b, 1.0], metallic, base_color_texture, ..Pbr::default() });
        }
        material.normal_texture = texture(choices);
        material.emissive = if choices.chance(4) { choices.color() } else { [0.0; 3] };
        material.alpha = choices.of(&[AlphaMode::Opaque, AlphaMode::Blend, AlphaMode::Mask(0.25)]);
        material.double_sided = choices.chance(2);
        scene.materials.push(material);
    }
}

/// Nodes, some with a shear or a negative scale.
fn hierarchy(scene: &mut Scene, choices: &mut Choices) {
    for index in 0..1 + choices.below(9) {
        let parent = (index > 0 && !choices.chance(4)).then(|| NodeId::new(choices.below(index)));
        let trs = choices.trs();
        let local = if choices.chance(16) {
            let (axis, by) = (choices.rotation().as_dquat(), DVec3::new(1.0, 0.9, 1.1));
            let turned = DMat4::from_quat(axis) * DMat4::from_scale(by) * DMat4::from_quat(axis.inverse());
            let stretched = DMat4::from_scale(DVec3::new(1.1, 1.0, 1.0));
            Local::from_matrix(&(DMat4::from_translation(trs.translation.as_dvec3()) * turned * stretched))
        } else {
            Local::Trs(trs)
        };
        let (name, extras) = (choices.name(), choices.extras());
        scene.add_node(Node { name, parent, local, extras, ..Node::default() });
    }
}

/// A skin of some of the nodes, bound where they are at rest or elsewhere.
fn skin(scene: &mut Scene, choices: &mut Choices) {
    let globals = Pose::rest(scene).globals;
    let mut skin = Skin { name: choices.name(), ..Skin::default() };
    let bound_elsewhere = choices.chance(4);
    for node in scene.node_ids() {
        // What is squashed flat cannot be inverted.
        if choices.chance(3) || globals[node.index()].determinant().abs() < 1e-12 {
            continue;
        }
        let mut bind = globals[node.index()];
        if bound_elsewhere {
            let (turn, by) = (choices.rotation().as_dquat(), choices.vector().as_dvec3());
            bind *= DMat4::from_rotation_translation(turn.normalize(), by * 0.25);
        }
        skin.joints.push(node);
        skin.inverse_binds.push(bind.inverse().to_cols_array().map(|v| v as f32));
    }
    if !skin.joints.is_empty() {
        scene.skins.push(skin);
    }
}

/// A mesh on one or two nodes, with or without a skin.
fn mesh(scene: &mut Scene, choices: &mut Choices) {
    let skin =
        (!scene.skins.is_empty() && choices.chance(2)).then(|| SkinId::new(choices.below(scene.skins.len())));
    let joints = skin.map_or(0, |skin| scene.skins[skin.index()].joints.len());
    let morphs = if choices.chance(3) { 1 + choices.below(2) } else { 0 };
    let mut mesh = Mesh { name: choices.name(), extras: choices.extras(), ..Mesh::default() };
    for _ in 0..morphs {
        let weight = if choices.chance(3) { choices.signed() } else { 0.0 };
        mesh.morphs.push(Morph { name: choices.name(), weight });
    }
    for _ in 0..=choices.below(2) {
        let part = part(scene.materials.len(), joints, morphs, choices);
        mesh.parts.push(part);
    }
    let id = MeshId::push(&mut scene.meshes, mesh);
    for _ in 0..1 + usize::from(choices.chance(5)) {
        let parent = choices.chance(3).then(|| NodeId::new(choices.below(scene.nodes.len())));
        let local = if choices.chance(2) { choices.trs().into() } else { Local::default() };
        let morph_weights = match choices.chance(5) {
            true => (0..morphs).map(|_| choices.signed()).collect(),
            false => Vec::new(),
        };
        let name = choices.name();
        scene.add_node(Node { name, parent, local, mesh: Some(id), skin, morph_weights, ..Node::default() });
    }
}

/// A grid of a few vertices, bent so that no two are at one place.
fn part(materials: usize, joints: usize, morphs: usize, choices: &mut Choices) -> Part {
    let (wide, high) = (2 + choices.below(3), 2 + choices.below(4));
    let count = wide * high;
    let material = (materials > 0 && !choices.chance(4)).then(|| MaterialId::new(choices.below(materials)));
    let mut part = Part { material, extras: choices.extras(), ..Part::default() };
    let (bend, middle) = (choices.vector(), choices.vector());
    for i in 0..count {
        let (u, v) = ((i % wide) as f32 / (wide - 1) as f32, (i / wide) as f32 / (high - 1) as f32);
        part.positions
            .push(middle * 0.3 + Vec3::new(u - 0.5 + bend.x * v * 0.2, v, bend.y * u * u + bend.z * u * v));
    }
    if choices.chance(2) {
        part.normals = (0..count).map(|_| (choices.vector() * 0.3 + Vec3::Z).normalize()).collect();
        if choices.chance(3) {
            part.tangents = part.normals.iter().map(|n| n.any_orthonormal_vector().extend(1.0)).collect();
        }
    }
    for _ in 0..choices.below(3) {
        part.uvs.push((0..count).map(|_| Vec2::new(choices.signed() * 2.0, choices.signed())).collect());
    }
    if choices.chance(5) {
        part.colors
            .push((0..count).map(|_| (choices.vector() * 0.5 + 0.5).extend(1.0)).collect::<Vec<Vec4>>());
    }
    if joints > 0 {
        part.influences = influences(count, joints, choices);
    }
    for _ in 0..morphs {
        let positions =
            (0..count).map(|_| if choices.chance(2) { choices.vector() * 0.3 } else { Vec3::ZERO });
        part.morphs.push(MorphDeltas { positions: positions.collect(), ..MorphDeltas::default() });
    }
    part.faces = faces(wide as u32, high as u32, choices);
    part
}

fn influences(count: usize, joints: usize, choices: &mut Choices) -> Influences {
    let mut influences = Influences::new();
    let most = choices.of(&[1, 2, 4, 6]).min(joints);
    for _ in 0..count {
        let first = choices.below(joints);
        let several = (0..1 + choices.below(most)).map(|i| Influence {
            joint: ((first + i) % joints) as u32,
            weight: 0.05 + choices.signed().abs(),
        });
        let mut several: Vec<Influence> = several.collect();
        // Weights need not sum to one, and a vertex may have none.
        if !choices.chance(6) {
            let sum: f32 = several.iter().map(|i| i.weight).sum();
            several.iter_mut().for_each(|i| i.weight /= sum);
        } else if choices.chance(4) {
            several.clear();
        }
        influences.push(several);
    }
    influences
}

fn faces(wide: u32, high: u32, choices: &mut Choices) -> Faces {
    let quads = (0..high - 1).flat_map(|y| (0..wide - 1).map(move |x| y * wide + x));
    let quads = quads.map(|a| [a, a + 1, a + wide + 1, a + wide]);
    match choices.below(8) {
        6 => Faces::Points((0..wide * high).collect()),
        7 => Faces::Lines(quads.flat_map(|[a, b, c, _]| [a, b, b, c]).collect()),
        0..4 => Faces::Triangles(quads.flat_map(|[a, b, c, d]| [a, b, c, c, d, a]).collect()),
        _ => {
            let corners: Vec<u32> = quads.flatten().collect();
            Faces::Polygons { starts: (0..=corners.len() as u32).step_by(4).collect(), corners }
        }
    }
}

/// Tracks of some nodes, of every property and kind.
fn clip(scene: &mut Scene, choices: &mut Choices) {
    let mut clip = Clip { name: choices.name(), extras: choices.extras(), ..Clip::default() };
    for node in scene.node_ids() {
        let Some(rest) = scene.nodes[node.index()].local.trs().copied() else { continue };
        if choices.chance(2) {
            let values = (0..3 * 9).map(|_| rest.rotation * Quat::IDENTITY.slerp(choices.rotation(), 0.4));
            clip.tracks.push(track(node, Values::Rotation(values.collect()), choices));
        }
        if choices.chance(4) {
            let values = (0..3 * 9).map(|_| rest.translation + choices.vector() * 0.5);
            clip.tracks.push(track(node, Values::Translation(values.collect()), choices));
        }
        if choices.chance(8) {
            let values = (0..3 * 9).map(|_| rest.scale * (Vec3::ONE + choices.vector() * 0.25));
            clip.tracks.push(track(node, Values::Scale(values.collect()), choices));
        }
        let morphs = scene.nodes[node.index()].mesh.map_or(0, |mesh| scene.meshes[mesh.index()].morphs.len());
        if morphs > 0 && choices.chance(2) {
            let weights = (0..3 * 9 * morphs).map(|_| choices.signed()).collect();
            clip.tracks.push(track(node, Values::MorphWeights { count: morphs, weights }, choices));
        }
    }
    clip.duration = clip.last_key() + if choices.chance(3) { 0.4 } else { 0.0 };
    scene.clips.push(clip);
}

/// A track of the first few of the values, three for each of nine keys.
fn track(node: NodeId, mut values: Values, choices: &mut Choices) -> Track {
    let interpolation = choices.of(&[
        Interpolation::Linear,
        Interpolation::Linear,
        Interpolation::Step,
        Interpolation::Cubic,
    ]);
    let keys = 1 + choices.below(8);
    let (start, step) = (choices.of(&[0.0, 0.0, 0.25]), choices.of(&[0.25, 1.0 / 24.0, 0.1, 0.37]));
    let stored = keys * interpolation.values_per_key();
    match &mut values {
        Values::Translation(v) | Values::Scale(v) => v.truncate(stored),
        Values::Rotation(v) => v.truncate(stored),
        Values::MorphWeights { count, weights } => weights.truncate(stored * *count),
    }
    if interpolation == Interpolation::Cubic {
        calm(&mut values);
    }
    let times = (0..keys).map(|key| start + key as f32 * step).collect();
    Track { node, interpolation, times, values }
}

/// Makes tangents of what are values: small changes per second.
fn calm(values: &mut Values) {
    let is_tangent = |i: usize| i % 3 != 1;
    match values {
        Values::Translation(v) | Values::Scale(v) => {
            v.iter_mut()
                .enumerate()
                .filter(|(i, _)| is_tangent(*i))
                .for_each(|(_, v)| *v = (*v - v.round()) * 0.5);
        }
        Values::Rotation(v) => {
            let half = |q: Quat| Quat::from_xyzw(q.x, q.y, q.z, 0.0) * 0.5;
            v.iter_mut().enumerate().filter(|(i, _)| is_tangent(*i)).for_each(|(_, q)| *q = half(*q));
            // Between opposite quaternions a spline goes through zero, where it turns infinitely fast.
            for i in (4..v.len()).step_by(3) {
                if v[i].dot(v[i - 3]) < 0.0 {
                    v[i] = -v[i];
                }
            }
        }
        Values::MorphWeights { .. } => {}
    }
}

fn cameras_and_lights(scene: &mut Scene, choices: &mut Choices) {
    let projection = match choices.chance(2) {
        true => Projection::Perspective { fov_y: 0.7, aspect: None },
        false => Projection::Orthographic { half_width: 2.0, half_height: 1.0 },
    };
    let far = choices.chance(2).then_some(50.0);
    let (name, extras) = (choices.name(), Extras::new());
    let camera = CameraId::push(&mut scene.cameras, Camera { name, projection, near: 0.1, far, extras });
    let kind = match choices.below(3) {
        0 => LightKind::Point,
        1 => LightKind::Directional,
        _ => LightKind::Spot { inner_angle: 0.2, outer_angle: 0.6 },
    };
    let (name, color, extras) = (choices.name(), choices.color(), Extras::new());
    let light = Light { name, kind, color, intensity: 3.0, range: far, extras };
    let light = LightId::push(&mut scene.lights, light);
    let local = Local::Trs(Trs { scale: Vec3::ONE, ..choices.trs() });
    let name = choices.name();
    scene.add_node(Node { name, local, camera: Some(camera), light: Some(light), ..Node::default() });
}
