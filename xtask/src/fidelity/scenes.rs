//! The scenes that are converted through every pair of formats, each with one feature that is hard to convert.

use ligament::Scene;
use ligament::math::{DMat4, EulerRot, Quat, Vec2, Vec3};
use ligament::pose::Pose;
use ligament::scene::{
    Camera, CameraId, Clip, Extras, Faces, Influence, Influences, Interpolation, Light, LightId, LightKind,
    Local, Material, MaterialId, Mesh, MeshId, Morph, MorphDeltas, Node, NodeId, Part, Pbr, Phong,
    Projection, Skin, SkinId, Track, Trs, Values,
};
use std::f32::consts::{FRAC_PI_2, TAU};

/// A scene, and its name and description on the page.
pub struct Case {
    pub name: &'static str,
    pub about: &'static str,
    pub scene: Scene,
}

/// All scenes.
pub fn cases() -> Vec<Case> {
    let case = |name, about, scene| Case { name, about, scene };
    vec![
        case("static", "one static object with texture coordinates", still()),
        case(
            "objects",
            "several objects in a hierarchy, rotated and moved, with a camera and three kinds of light",
            objects(),
        ),
        case("bend", "two joints that bend a tube", bend()),
        case("seven", "seven joints, and seven influences per vertex", seven()),
        case("clips", "two clips that move different joints", two_clips()),
        case("scale", "objects and joints with non-uniform and negative scale", scale()),
        case("materials", "one object with three materials", materials()),
        case("tracks", "step, linear and cubic tracks, and keys between frames", tracks()),
        case("morphs", "two morph targets, one of which a clip animates", morphs()),
    ]
}

const RINGS: u32 = 9;
const SIDES: u32 = 7;

/// An asymmetric tube along +Y from 0 to `height`.
fn tube(height: f32) -> Part {
    let mut part = Part::default();
    let mut uvs = Vec::new();
    for ring in 0..RINGS {
        for side in 0..=SIDES {
            let (along, around) = (ring as f32 / (RINGS - 1) as f32, side as f32 / SIDES as f32);
            let (sin, cos) = (around * TAU).sin_cos();
            let radius = 0.3 + 0.1 * (along * 5.0).sin() + 0.05 * cos;
            part.positions.push(Vec3::new(sin * radius + 0.1 * along, along * height, cos * radius));
            part.normals.push(Vec3::new(sin, 0.1, cos).normalize());
            uvs.push(Vec2::new(around, 1.0 - along));
        }
    }
    let mut faces = Vec::new();
    let across = SIDES + 1;
    for ring in 0..RINGS - 1 {
        for side in 0..SIDES {
            let corner = ring * across + side;
            faces.extend([corner, corner + 1, corner + across]);
            faces.extend([corner + 1, corner + across + 1, corner + across]);
        }
    }
    part.uvs = vec![uvs];
    part.faces = Faces::Triangles(faces);
    part.material = Some(MaterialId(0));
    part
}

fn painted(name: &str, color: [f32; 3]) -> Material {
    let [r, g, b] = color;
    Material {
        name: name.into(),
        pbr: Some(Pbr { base_color: [r, g, b, 1.0], metallic: 0.0, roughness: 0.6, ..Pbr::default() }),
        phong: Some(Phong { diffuse: color, ..Phong::default() }),
        ..Material::default()
    }
}

fn mesh(name: &str, part: Part) -> Mesh {
    Mesh { name: name.into(), parts: vec![part], ..Mesh::default() }
}

fn turn([x, y, z]: [f32; 3]) -> Quat {
    Quat::from_euler(EulerRot::XYZ, x, y, z)
}

fn node(name: &str, parent: Option<u32>, translation: [f32; 3], euler: [f32; 3], scale: [f32; 3]) -> Node {
    let trs = Trs { translation: translation.into(), rotation: turn(euler), scale: scale.into() };
    Node { name: name.into(), parent: parent.map(NodeId), local: Local::Trs(trs), ..Node::default() }
}

fn plain(name: &str) -> Node {
    node(name, None, [0.0; 3], [0.0; 3], [1.0; 3])
}

fn still() -> Scene {
    Scene {
        name: "static".into(),
        nodes: vec![Node { mesh: Some(MeshId(0)), ..plain("Vase") }],
        meshes: vec![mesh("Vase", tube(2.0))],
        materials: vec![painted("Clay", [0.7, 0.4, 0.3])],
        ..Scene::default()
    }
}

fn objects() -> Scene {
    let mut nodes = vec![
        node("Table", None, [1.0, 0.0, 2.0], [0.3, 0.5, -0.2], [1.5; 3]),
        node("Cup", Some(0), [0.0, 1.2, 0.3], [0.0, 1.0, 0.3], [0.5; 3]),
        node("Group", None, [0.0, 3.0, 0.0], [0.0; 3], [1.0; 3]),
        node("Lamp", Some(2), [0.5, 0.0, 0.0], [0.4, 0.0, 0.0], [0.8; 3]),
        node("Eye", None, [0.0, 2.0, 9.0], [-0.1, 0.0, 0.0], [1.0; 3]),
        node("Sun", None, [0.0, 9.0, 0.0], [-FRAC_PI_2, 0.2, 0.0], [1.0; 3]),
        node("Bulb", Some(3), [0.0, 2.0, 0.0], [0.0; 3], [1.0; 3]),
        node("Spot", None, [3.0, 4.0, 3.0], [-0.8, 0.7, 0.0], [1.0; 3]),
    ];
    for (node, mesh) in [(0, 0), (1, 1), (3, 1)] {
        nodes[node].mesh = Some(MeshId(mesh));
    }
    nodes[4].camera = Some(CameraId(0));
    (5..8).zip(0..).for_each(|(node, light)| nodes[node].light = Some(LightId(light)));
    let light = |name: &str, kind, range| Light {
        name: name.into(),
        kind,
        color: [1.0, 0.9, 0.8],
        intensity: 5.0,
        range,
        extras: Extras::new(),
    };
    let spot = LightKind::Spot { inner_angle: 0.3, outer_angle: 0.5 };
    Scene {
        name: "objects".into(),
        nodes,
        meshes: vec![mesh("Table", tube(1.0)), mesh("Cup", tube(2.0))],
        materials: vec![painted("Wood", [0.5, 0.3, 0.1])],
        cameras: vec![Camera {
            name: "Eye".into(),
            projection: Projection::Perspective { fov_y: 0.8, aspect: Some(1.5) },
            near: 0.1,
            far: Some(100.0),
            extras: Extras::new(),
        }],
        lights: vec![
            light("Sun", LightKind::Directional, None),
            light("Bulb", LightKind::Point, Some(10.0)),
            light("Spot", spot, Some(20.0)),
        ],
        ambient: Some([0.1, 0.1, 0.15, 1.0]),
        ..Scene::default()
    }
}

/// A tube with a chain of joints along it. Every vertex is influenced by the `spread` nearest joints.
fn chain(joints: u32, spread: usize) -> Scene {
    let height = 3.0;
    let mut part = tube(height);
    let length = height / joints as f32;
    let mut influences = Influences::new();
    for position in &part.positions {
        let pull = |joint: u32| 1.0 / (0.2 + (position.y - (joint as f32 + 0.5) * length).abs());
        let mut pairs: Vec<_> = (0..joints).map(|joint| Influence { joint, weight: pull(joint) }).collect();
        pairs.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        pairs.truncate(spread);
        let sum: f32 = pairs.iter().map(|p| p.weight).sum();
        pairs.iter_mut().for_each(|p| p.weight /= sum);
        influences.push(pairs);
    }
    part.influences = influences;
    let mut scene = Scene {
        nodes: vec![Node { mesh: Some(MeshId(0)), skin: Some(SkinId(0)), ..plain("Body") }],
        meshes: vec![mesh("Body", part)],
        materials: vec![painted("Skin", [0.8, 0.6, 0.5])],
        ..Scene::default()
    };
    for joint in 0..joints {
        let parent = (joint > 0).then_some(joint);
        let y = if joint == 0 { 0.1 } else { length };
        scene.nodes.push(node(&format!("Joint{joint}"), parent, [0.0, y, 0.02], [0.1, 0.2, 0.0], [1.0; 3]));
    }
    bind(&mut scene, joints);
    scene
}

/// Sets the bind pose to the rest pose.
fn bind(scene: &mut Scene, joints: u32) {
    let rest = Pose::rest(scene);
    let inverse = |joint: u32| -> [f32; 16] {
        let matrix: DMat4 = rest.globals[joint as usize + 1].inverse();
        matrix.to_cols_array().map(|v| v as f32)
    };
    scene.skins = vec![Skin {
        name: "Rig".into(),
        joints: (1..=joints).map(NodeId).collect(),
        inverse_binds: (0..joints).map(inverse).collect(),
        extras: Extras::new(),
    }];
}

fn swing(node: u32, interpolation: Interpolation, times: &[f32], angles: &[[f32; 3]]) -> Track {
    let values = Values::Rotation(angles.iter().map(|&angles| turn(angles)).collect());
    Track { node: NodeId(node), interpolation, times: times.into(), values }
}

fn clip(name: &str, duration: f32, tracks: Vec<Track>) -> Clip {
    Clip { name: name.into(), duration, tracks, ..Clip::default() }
}

/// Key times on frames at 24 frames per second, so that formats that store frames can represent them exactly.
const QUARTERS: [f32; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
const BENDS: [[f32; 3]; 5] =
    [[0.1, 0.2, 0.0], [0.6, 0.3, 0.1], [1.1, -0.2, 0.3], [0.4, 0.0, -0.4], [0.1, 0.2, 0.0]];

fn bend() -> Scene {
    let mut scene = chain(2, 2);
    scene.name = "bend".into();
    scene.clips = vec![clip("Bend", 1.0, vec![swing(2, Interpolation::Linear, &QUARTERS, &BENDS)])];
    scene
}

fn seven() -> Scene {
    let mut scene = chain(7, 7);
    scene.name = "seven".into();
    let wave = |node: u32| {
        let angles: Vec<_> =
            BENDS.iter().map(|[x, y, z]| [0.3 * x * node as f32 / 4.0, *y, 0.5 * z]).collect();
        swing(node, Interpolation::Linear, &QUARTERS, &angles)
    };
    scene.clips = vec![clip("Wave", 1.0, (1..=7).map(wave).collect())];
    scene
}

fn slide(node: u32, interpolation: Interpolation, times: &[f32], values: &[[f32; 3]]) -> Track {
    let values = Values::Translation(values.iter().map(|&v| v.into()).collect());
    Track { node: NodeId(node), interpolation, times: times.into(), values }
}

fn two_clips() -> Scene {
    let mut scene = chain(3, 2);
    scene.name = "clips".into();
    let steps = [[0.0, 0.1, 0.02], [0.2, 0.3, 0.0], [0.4, 0.1, 0.1]];
    scene.clips = vec![
        clip("Nod", 1.0, vec![swing(3, Interpolation::Linear, &QUARTERS, &BENDS)]),
        clip(
            "Walk",
            0.5,
            vec![
                slide(1, Interpolation::Linear, &QUARTERS[..3], &steps),
                swing(2, Interpolation::Linear, &QUARTERS[..3], &BENDS[..3]),
            ],
        ),
    ];
    scene
}

fn scale() -> Scene {
    let mut scene = chain(3, 2);
    scene.name = "scale".into();
    for (joint, scale) in [(1, [1.2, 1.2, 1.2]), (2, [1.0, 1.3, 0.8])] {
        if let Local::Trs(trs) = &mut scene.nodes[joint].local {
            trs.scale = scale.into();
        }
    }
    bind(&mut scene, 3);
    let stretch = Values::Scale([[1.0, 1.0, 1.0], [1.0, 1.6, 0.7], [1.0, 1.0, 1.0]].map(Vec3::from).into());
    let times = QUARTERS[..3].into();
    scene.clips = vec![clip(
        "Stretch",
        0.5,
        vec![
            Track { node: NodeId(3), interpolation: Interpolation::Linear, times, values: stretch },
            swing(3, Interpolation::Linear, &QUARTERS[..3], &BENDS[..3]),
        ],
    )];
    scene.meshes.push(mesh("Mirror", tube(1.5)));
    let mirrored = node("Mirror", None, [2.0, 0.5, 0.0], [0.2, 0.6, 0.1], [-1.0, 1.5, 0.5]);
    scene.nodes.push(Node { mesh: Some(MeshId(1)), ..mirrored });
    scene
}

fn materials() -> Scene {
    let mut scene = still();
    scene.name = "materials".into();
    let whole = scene.meshes.remove(0).parts.remove(0);
    let corners = whole.faces.corners();
    // Each material has a third of the tube and all vertices, as written by exporters that share vertices.
    let third = corners.len() / 9 * 3;
    let parts = (0..3).map(|i| Part {
        faces: Faces::Triangles(
            corners[i * third..if i == 2 { corners.len() } else { (i + 1) * third }].into(),
        ),
        material: Some(MaterialId(i as u32)),
        ..whole.clone()
    });
    scene.meshes = vec![Mesh { name: "Vase".into(), parts: parts.collect(), ..Mesh::default() }];
    scene.materials = vec![
        painted("Clay", [0.7, 0.4, 0.3]),
        painted("Glaze", [0.1, 0.3, 0.8]),
        painted("Gold", [0.9, 0.7, 0.2]),
    ];
    scene
}

fn tracks() -> Scene {
    let mut scene = chain(3, 2);
    scene.name = "tracks".into();
    // In-tangent, value, out-tangent.
    let cubic: Vec<Quat> = (0..3)
        .flat_map(|key| {
            let value = turn(BENDS[key]);
            let tangent = Quat::from_xyzw(0.4, -0.2, 0.3 * key as f32, 0.0);
            [tangent, value, tangent]
        })
        .collect();
    let cubic = Track {
        node: NodeId(3),
        interpolation: Interpolation::Cubic,
        times: [0.0, 0.5, 1.0].into(),
        values: Values::Rotation(cubic),
    };
    let steps = [[0.0, 0.1, 0.02], [0.2, 0.1, 0.0], [0.1, 0.2, 0.1]];
    scene.clips = vec![
        clip("Step", 1.0, vec![slide(1, Interpolation::Step, &[0.0, 0.25, 0.75], &steps)]),
        clip("Linear", 1.0, vec![swing(2, Interpolation::Linear, &[0.0, 0.37, 1.0], &BENDS[..3])]),
        clip("Cubic", 1.0, vec![cubic]),
    ];
    scene
}

fn morphs() -> Scene {
    let mut scene = still();
    scene.name = "morphs".into();
    let part = &mut scene.meshes[0].parts[0];
    let deltas = |f: &dyn Fn(Vec3) -> Vec3| MorphDeltas {
        positions: part.positions.iter().map(|&p| f(p)).collect(),
        ..MorphDeltas::default()
    };
    let bulge = deltas(&|p| Vec3::new(p.x, 0.0, p.z) * 0.3 * p.y);
    let lean = deltas(&|p| Vec3::new(0.2 * p.y * p.y, 0.0, 0.0));
    part.morphs = vec![bulge, lean];
    scene.meshes[0].morphs =
        vec![Morph { name: "bulge".into(), weight: 0.25 }, Morph { name: "lean".into(), weight: 0.0 }];
    let weights = Values::MorphWeights { count: 2, weights: vec![0.0, 0.0, 1.0, 0.5, 0.25, 0.0] };
    let track = Track {
        node: NodeId(0),
        interpolation: Interpolation::Linear,
        times: [0.0, 0.5, 1.0].into(),
        values: weights,
    };
    scene.clips = vec![clip("Breathe", 1.0, vec![track])];
    scene
}
