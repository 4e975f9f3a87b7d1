//! Files with very many things of one kind. Each is converted in a few seconds, and would take minutes if any loop compared
//! each thing with all others.

use ligament::compare::{CompareOptions, compare};
use ligament::convert::{Input, convert_to, create};
use ligament::formats::{FORMATS, by_id};
use ligament::io::{NoFolder, Source};
use ligament::math::{Vec2, Vec3};
use ligament::report::Report;
use ligament::scene::{
    Camera, Clip, Faces, Influence, Influences, Interpolation, Local, Material, MaterialId, Mesh, MeshId,
    Node, NodeId, Part, Phong, Projection, Scene, Skin, SkinId, Track, Trs, Values,
};
use ligament::{ConvertOptions, ReadOptions};
use std::sync::Arc;

/// Comparing each of them with all others takes a debug build minutes per loop.
const MANY: usize = 60_000;
/// For what costs more per thing.
const SOME: usize = 8_000;

/// Writes a scene in a format, without the proof.
fn write(scene: &Scene, to: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join(format!("model.{to}"));
    let options = ConvertOptions { verify: false, ..ConvertOptions::default() };
    let input = Input::Scene(scene.clone(), Arc::new(NoFolder));
    let done = Report::collect(&options.read.limits, |report| {
        let (format, file) = create(&target, &options, report)?;
        convert_to(input, format, file, &options, report)?.commit(report)
    });
    assert!(done.is_ok(), "{to}: {:?}", done.err().map(|error| error.to_string()));
}

/// Reads a file from memory.
fn read(id: &str, bytes: Vec<u8>) -> Scene {
    let format = by_id(id).expect("a format");
    let (mut report, options) = (Report::default(), ReadOptions::default());
    let document = format.read(Source::from_bytes("many", bytes), &options, &mut report);
    let scene = document.and_then(|document| document.import(&options, &mut report));
    scene.unwrap_or_else(|_| panic!("{id}: {:?}", report.diagnostics().first()))
}

fn triangle() -> Part {
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    Part { positions, faces: Faces::Triangles(vec![0, 1, 2]), ..Part::default() }
}

fn mesh(parts: Vec<Part>) -> Mesh {
    Mesh { name: "mesh".into(), parts, ..Mesh::default() }
}

fn placed(x: usize) -> Local {
    Local::Trs(Trs { translation: Vec3::X * x as f32, ..Trs::IDENTITY })
}

/// Formats that hold a scene of any size. QMSH and QMSH TMP have small limits.
fn large() -> impl Iterator<Item = &'static str> {
    let writes = FORMATS.iter().filter(|format| format.writes(None) && !format.id.starts_with("qmsh"));
    writes.map(|format| format.extensions[0])
}

#[test]
fn nodes_of_one_name_and_static_objects_are_flattened() {
    let node = |x| Node { name: "same".into(), mesh: Some(MeshId(0)), local: placed(x), ..Node::default() };
    let nodes = (0..MANY).map(node).collect();
    let scene = Scene { nodes, meshes: vec![mesh(vec![triangle()])], ..Scene::default() };
    large().for_each(|to| write(&scene, to));
    write(&Scene { nodes: scene.nodes[..20_000].to_vec(), ..scene.clone() }, "qmsh");
    // Children that draw nothing, as of duplicated connections.
    let mut nodes: Vec<Node> = vec![Node { mesh: Some(MeshId(0)), ..Node::default() }];
    nodes.resize(MANY, Node { parent: Some(NodeId(0)), ..Node::default() });
    large().for_each(|to| write(&Scene { nodes: nodes.clone(), ..scene.clone() }, to));
}

#[test]
fn materials_and_parts_are_paired_by_name() {
    let material = |i| Material {
        name: "same".into(),
        phong: Some(Phong { diffuse: [i as f32 / SOME as f32; 3], ..Phong::default() }),
        ..Material::default()
    };
    let materials: Vec<Material> = (0..SOME).map(material).collect();
    let parts = (0..SOME).map(|i| Part { material: Some(MaterialId::new(i)), ..triangle() }).collect();
    let node = Node { mesh: Some(MeshId(0)), ..Node::default() };
    let scene = Scene { nodes: vec![node], meshes: vec![mesh(parts)], materials, ..Scene::default() };
    FORMATS.iter().filter(|f| f.writes(None)).for_each(|format| write(&scene, format.extensions[0]));
    // All of them differ, each in another way.
    let mut other = scene.clone();
    for (i, material) in other.materials.iter_mut().enumerate() {
        material.name = format!("other {i}");
        material.phong = Some(Phong { opacity: 0.5 + i as f32 / SOME as f32 / 2.0, ..Phong::default() });
    }
    let found = compare(&scene, &other, &CompareOptions::default());
    assert_eq!(found.worst.map(|worst| worst.distance), Some(0.0));
}

#[test]
fn cameras_are_paired_by_name() {
    let camera = |i| Camera {
        name: format!("camera {i}"),
        projection: Projection::Perspective { fov_y: 1.0, aspect: None },
        near: 0.1,
        far: None,
        extras: Default::default(),
    };
    let cameras: Vec<Camera> = (0..MANY).map(camera).collect();
    let mut turned = cameras.clone();
    turned.reverse();
    let first = Scene { cameras, ..Scene::default() };
    let second = Scene { cameras: turned, ..Scene::default() };
    assert_eq!(compare(&first, &second, &CompareOptions::default()).differences, []);
}

#[test]
fn objects_that_move_each_have_a_skeleton() {
    let node = |x| Node { name: format!("{x}"), mesh: Some(MeshId(0)), local: placed(x), ..Node::default() };
    let track = |node| Track {
        node: NodeId::new(node),
        interpolation: Interpolation::Linear,
        times: [0.0, 1.0].into(),
        values: Values::Translation(vec![Vec3::X * node as f32, Vec3::new(node as f32, 1.0, 0.0)]),
    };
    let tracks = (0..SOME).map(track).collect();
    let clips = vec![Clip { name: "All".into(), duration: 1.0, tracks, ..Clip::default() }];
    let nodes = (0..SOME).map(node).collect();
    let scene = Scene { nodes, meshes: vec![mesh(vec![triangle()])], clips, ..Scene::default() };
    write(&scene, "bgl");
    // Two objects with many clips.
    let clip = |i| Clip {
        name: format!("clip {i}"),
        duration: 1.0,
        tracks: vec![Track { node: NodeId(i as u32 % 2), ..track(i % 2) }],
        ..Clip::default()
    };
    let clips = (0..SOME).map(clip).collect();
    let scene = Scene { nodes: scene.nodes[..2].to_vec(), clips, ..scene };
    ["bgl", "glb", "apg"].into_iter().for_each(|to| write(&scene, to));
}

#[test]
fn skins_are_flattened_each_with_its_own_meshes() {
    let mut influences = Influences::new();
    (0..3).for_each(|_| influences.push([Influence { joint: 0, weight: 1.0 }]));
    let part = Part { influences, ..triangle() };
    let mut scene = Scene { meshes: vec![mesh(vec![part])], ..Scene::default() };
    for i in 0..SOME {
        let joint = scene.add_node(Node { name: format!("joint {i}"), local: placed(i), ..Node::default() });
        let bind = ligament::math::Mat4::from_translation(Vec3::X * -(i as f32)).to_cols_array();
        let skin = Skin { joints: vec![joint], inverse_binds: vec![bind], ..Skin::default() };
        let skin = SkinId::push(&mut scene.skins, skin);
        scene.add_node(Node { mesh: Some(MeshId(0)), skin: Some(skin), ..Node::default() });
    }
    ["pfobj", "apg", "amo", "glb", "bgl"].into_iter().for_each(|to| write(&scene, to));
}

/// Triangles around one place, and a vertex so far away that all others are at one place beside it.
#[test]
fn a_vertex_far_away_does_not_slow_down_the_pairing() {
    let corners = 3 * SOME;
    let mut state = 1_u32;
    let mut near = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 16_777_216.0 * 1e-6
    };
    let mut points: Vec<Vec3> = (0..corners).map(|_| Vec3::new(near(), near(), near())).collect();
    points[0].x = 1e30;
    let scene = |positions: Vec<Vec3>| {
        let faces = Faces::Triangles((0..corners as u32).collect());
        let part = Part { positions, faces, uvs: vec![vec![Vec2::ZERO; corners]], ..Part::default() };
        let node = Node { mesh: Some(MeshId(0)), ..Node::default() };
        Scene { nodes: vec![node], meshes: vec![mesh(vec![part])], ..Scene::default() }
    };
    let first = scene(points.clone());
    points.iter_mut().for_each(|point| *point += Vec3::ONE);
    points[3..].reverse();
    assert!(compare(&first, &scene(points), &CompareOptions::default()).points > 0);
}

fn obj(lines: impl Iterator<Item = String>) -> Vec<u8> {
    let lines: String = lines.map(|line| line + "\nf 1 2 3\n").collect();
    format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{lines}").into_bytes()
}

#[test]
fn materials_and_groups_of_obj_are_read_and_written() {
    for (name, lines) in [("usemtl m", SOME), ("g a", SOME), ("o o", SOME)] {
        let scene = read("obj", obj((0..lines).map(|i| format!("{name}{i}"))));
        ["glb", "bgl", "qmsh.tmp", "obj", "pfobj"].into_iter().for_each(|to| write(&scene, to));
    }
}

#[test]
fn blocks_of_apg_are_read() {
    let mut text = String::from(
        "@Anton's custom mesh format\n@vert_count 3\n@vp comps 3\n0 0 0\n1 0 0\n0 1 0\n@vb comps 1\n0\n0\n0\n\
         @skeleton bones 1 animations 1\n@root_transform comps 16\n1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n\
         @offset_mat comps 16\n1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n@hierarchy nodes 1\nparent -1 bone_id 0\n\
         @animation name a duration 1\n",
    );
    (0..MANY).for_each(|_| text += "@tra_keys node 0 count 1 comps 3\nt 0 TRA 0 0 0\n");
    let mut report = Report::default();
    let source = Source::from_bytes("many", text.into_bytes());
    assert!(by_id("apg").expect("APG").read(source, &ReadOptions::default(), &mut report).is_err());
    assert!(report.diagnostics()[0].message.contains("already has"), "{}", report.diagnostics()[0]);
}

#[test]
fn images_of_one_name_and_textures_are_numbered() {
    let image = "data:image/png;base64,iVBORw0KGgo=";
    let list = |each: &dyn Fn(usize) -> String| (0..SOME).map(each).collect::<Vec<_>>().join(",");
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"images":[{}],"textures":[{}],"materials":[{}]}}"#,
        list(&|_| format!(r#"{{"name":"same","uri":"{image}"}}"#)),
        list(&|i| format!(r#"{{"source":{i}}}"#)),
        list(&|i| format!(r#"{{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":{i}}}}}}}"#)),
    );
    let scene = read("gltf", text.into_bytes());
    assert_eq!((scene.textures.len(), scene.images.len()), (SOME, SOME));
    assert_eq!(scene.materials[SOME - 1].textures()[0].1.texture.index(), SOME - 1);
    let part = Part { material: Some(MaterialId(0)), ..triangle() };
    let node = Node { mesh: Some(MeshId(0)), ..Node::default() };
    let scene = Scene { nodes: vec![node], meshes: vec![mesh(vec![part])], ..scene };
    write(&scene, "glb");
}

/// A chain of nodes, of which a skin names the last over and over.
#[test]
fn ways_to_the_root_are_walked_once() {
    let children =
        |i: usize| if i + 1 < 1000 { format!(r#"{{"children":[{}]}}"#, i + 1) } else { "{}".into() };
    let nodes: Vec<String> = (0..1000).map(children).collect();
    let joints = vec!["999"; 400_000].join(",");
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{}],"skins":[{{"joints":[{joints}]}}]}}"#,
        nodes.join(",")
    );
    assert_eq!(read("gltf", text.into_bytes()).nodes.len(), 1000);
}

#[test]
fn targets_and_symbols_of_collada_are_looked_up() {
    let list = |each: &dyn Fn(usize) -> String| (0..SOME).map(each).collect::<String>();
    let float = |id: &str, text: &str, count: usize| {
        format!(
            "<source id=\"{id}\"><float_array id=\"{id}a\" count=\"{count}\">{text}</float_array><technique_common>\
             <accessor source=\"#{id}a\" count=\"{count}\"><param type=\"float\"/></accessor></technique_common></source>"
        )
    };
    let animation = |i: usize| {
        format!(
            "<animation>{}{}<sampler id=\"s{i}\"><input semantic=\"INPUT\" source=\"#i{i}\"/>\
             <input semantic=\"OUTPUT\" source=\"#o{i}\"/></sampler>\
             <channel source=\"#s{i}\" target=\"all/n{i}/t.X\"/></animation>",
            float(&format!("i{i}"), "0 1", 2),
            float(&format!("o{i}"), "0 1", 2)
        )
    };
    let material =
        |i: usize| format!("<material id=\"m{i}\" name=\"m\"><instance_effect url=\"#e\"/></material>");
    let bind = |i: usize| format!("<instance_material symbol=\"s{i}\" target=\"#m{i}\"/>");
    let triangles = |i: usize| {
        format!(
            "<triangles count=\"1\" material=\"s{i}\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1 2</p></triangles>"
        )
    };
    let node = |i: usize| format!("<node sid=\"n{i}\"><translate sid=\"t\">0 0 0</translate></node>");
    let text = format!(
        "<COLLADA version=\"1.4.1\"><library_animations>{}</library_animations><library_effects><effect id=\"e\">\
         <profile_COMMON><technique sid=\"c\"><phong/></technique></profile_COMMON></effect></library_effects>\
         <library_materials>{}</library_materials><library_geometries><geometry id=\"g\"><mesh>\
         <source id=\"p\"><float_array id=\"pa\" count=\"9\">0 0 0 1 0 0 0 1 0</float_array><technique_common>\
         <accessor source=\"#pa\" count=\"3\" stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>\
         <param name=\"Z\" type=\"float\"/></accessor></technique_common></source>\
         <vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>{}</mesh></geometry></library_geometries>\
         <library_visual_scenes><visual_scene id=\"scene\"><node id=\"all\">{}<instance_geometry url=\"#g\"><bind_material>\
         <technique_common>{}</technique_common></bind_material></instance_geometry></node></visual_scene>\
         </library_visual_scenes><scene><instance_visual_scene url=\"#scene\"/></scene></COLLADA>",
        list(&animation),
        list(&material),
        list(&triangles),
        list(&node),
        list(&bind),
    );
    let scene = read("collada", text.into_bytes());
    assert_eq!((scene.materials.len(), scene.clips[0].tracks.len()), (SOME, SOME));
}
