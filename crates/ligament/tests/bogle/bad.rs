//! Bad input: each fault is refused with its code, its offset and its field.

use crate::{own, parse, support};
use ligament::formats::bogle::{
    Animation, Bone, Camera, Collection, Dialect, Document, Geometry, Light, LightKind, Material,
    MaterialNumbers, Object, Vertex,
};
use ligament::formats::{Document as _, ReadOptions};
use ligament::io::MemoryOutput;
use ligament::report::{Report, Severity};

#[test]
fn a_file_that_a_crash_cut_off_is_refused_with_its_place() {
    let own = own();
    let (document, report) = parse(&own.join("bad/truncated_in_material.bgl"));
    assert!(document.is_none());
    let [error] = report.diagnostics() else { panic!("{:?}", report.diagnostics()) };
    assert_eq!(error.code.id, "BG103");
    assert_eq!(error.place.span, Some(2177..2177));
    assert_eq!(error.place.field.as_deref(), Some("materials[0].ambient"));
    assert!(error.help.as_ref().is_some_and(|h| h.contains("earlier layouts")), "{:?}", error.help);
}

const IDENTITY: [f32; 16] = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];

/// One of everything: a triangle on two bones, a camera and a light.
pub fn whole() -> Document {
    let vertex = |x: f32, y: f32, bone: u32| Vertex {
        position: [x, y, 0.0],
        normal: [0.0, 0.0, 1.0],
        tangent: [1.0, 0.0, 0.0],
        binormal: [0.0, 1.0, 0.0],
        bones: [bone, 0, 0],
        weights: [1.0, 0.0, 0.0],
        ..Vertex::default()
    };
    let bone = |parent| Bone { position: [0.0, 1.0, 0.0], rotation: [0.0, 0.0, 0.0, 1.0], parent };
    let key = |time: f32| vec![time, 0., 0., 0., 0., 0., 0., 1., 0., 0., 0., 1.];
    let object = |name: &str| Object { name: name.into(), matrix: IDENTITY, ..Object::default() };
    Document {
        dialect: Dialect::Document,
        ambient: [0.1, 0.1, 0.1, 1.0],
        cameras: vec![Camera {
            kind: 1,
            name: "Eye".into(),
            width: 640,
            height: 480,
            near: 0.1,
            far: 100.0,
            fov: 0.8,
            main: 1,
        }],
        geometries: vec![Geometry {
            name: "Flag".into(),
            vertices: vec![vertex(0.0, 0.0, 0), vertex(1.0, 0.0, 1), vertex(0.0, 1.0, 1)],
            indices: vec![0, 1, 2],
            ..Geometry::default()
        }],
        materials: vec![Material {
            shader: 0,
            name: "Cloth".into(),
            ambient: [1.0; 4],
            emissive: [0.0, 0.0, 0.0, 1.0],
            diffuse: [1.0; 4],
            specular: [0.5, 0.5, 0.5, 1.0],
            numbers: MaterialNumbers {
                opacity: 1.0,
                specular_power: 32.0,
                reflectance: 0.0,
                refraction: 0.0,
                refractive_index: 1.0,
                bump_intensity: 1.0,
                specular_scale: 1.0,
                alpha_threshold: 0.0,
            },
            blend: 0,
            textures: Default::default(),
        }],
        lights: vec![Light {
            kind: LightKind::Sun,
            name: "Sun".into(),
            color: [1.0; 4],
            attenuation: [0.0, 0.0, 1.0],
            intensity: 3.0,
            angle: 0.0,
        }],
        collections: vec![Collection {
            name: "Rig".into(),
            matrix: IDENTITY,
            bones: vec![bone(0), bone(1)],
            animations: vec![Animation { name: "Wave".into(), frames: [key(0.0), key(1.0)].concat() }],
        }],
        objects: vec![
            Object { geometry: 1, material: 1, collection: 1, ..object("Flag") },
            Object { camera: 1, ..object("Eye") },
            Object { light: 1, ..object("Sun") },
        ],
        tree: "0{}1{}2{}".into(),
        ..Document::default()
    }
}

pub fn bytes(document: &Document) -> Vec<u8> {
    let mut output = MemoryOutput::new("output");
    document
        .write_to(document.dialect, &mut output, &mut Report::default())
        .expect("memory takes everything");
    output.main
}

fn read(bytes: &[u8]) -> (Option<Document>, Report) {
    let mut report = Report::default();
    let document = Document::parse(bytes, &ReadOptions::default(), &mut report).ok();
    (document, report)
}

/// Asserts that the file is refused and that this is the first error.
fn refused(bytes: &[u8], code: &str, offset: usize, field: &str) {
    let (document, report) = read(bytes);
    assert!(document.is_none(), "{code} was accepted");
    let error = report.diagnostics().iter().find(|d| d.severity == Severity::Error).expect("an error");
    let found = (error.code.id, error.place.span.as_ref().map(|s| s.start), error.place.field.as_deref());
    assert_eq!(found, (code, Some(offset as u64), Some(field)), "{error}");
}

/// Where the records of [`whole`] begin.
mod at {
    pub const CAMERA: usize = 46;
    pub const GEOMETRY: usize = CAMERA + 26 + 3;
    pub const VERTICES: usize = GEOMETRY + 13 + 4;
    pub const INDICES: usize = VERTICES + 3 * 80;
    pub const MATERIAL: usize = INDICES + 12;
    pub const LIGHT: usize = MATERIAL + 135 + 5;
    pub const COLLECTION: usize = LIGHT + 41 + 3;
    pub const BONES: usize = COLLECTION + 1 + 7 + 4 + 64 + 4;
    pub const ANIMATION: usize = BONES + 64;
    pub const KEYS: usize = ANIMATION + 8 + 4;
    pub const OBJECT: usize = KEYS + 2 * 48;
    pub const TREE: usize = OBJECT + 3 * 88 + 4 + 3 + 3;
}

fn changed(at: usize, new: &[u8]) -> Vec<u8> {
    let mut bytes = bytes(&whole());
    bytes[at..at + new.len()].copy_from_slice(new);
    bytes
}

#[test]
fn the_example_itself_is_fine() {
    let (document, report) = read(&bytes(&whole()));
    assert_eq!(document.as_ref(), Some(&whole()));
    assert_eq!(report.diagnostics().len(), 1, "the camera's type is noted: {:?}", report.diagnostics());
    assert_eq!(bytes(&whole()).len(), at::TREE + 10);
    let scene = Box::new(whole()).import(&ReadOptions::default(), &mut Report::default()).expect("a scene");
    support::check_promise(&scene);
}

#[test]
fn structure_that_cannot_be_read() {
    refused(b"BOGL", "BG101", 0, "header.magic");
    refused(b"BOGLY\0", "BG101", 0, "header.magic");
    refused(&changed(5, &[1]), "BG102", 5, "header.version");
    refused(&bytes(&whole())[..20], "BG103", 18, "header.nlight");
    for (i, field) in
        ["cameras", "geometries", "materials", "lights", "collections", "objects"].iter().enumerate()
    {
        let offset = [at::CAMERA, at::GEOMETRY, at::MATERIAL, at::LIGHT, at::COLLECTION, at::OBJECT][i];
        refused(&changed(6 + 4 * i, &[0xFF; 4]), "BG104", offset, field);
    }
    // Lengths near 2^32, where adding 1 would wrap.
    for length in [0xFFFF_FFFF_u32, 0xFFFF_FFFE, 0x8000_0000] {
        let new = length.to_le_bytes();
        refused(&changed(at::CAMERA + 1, &new), "BG105", at::CAMERA + 1, "cameras[0].name");
        refused(&changed(at::MATERIAL + 2, &new), "BG105", at::MATERIAL + 2, "materials[0].name");
        let texture = at::LIGHT - 4;
        refused(&changed(texture, &new), "BG105", texture, "materials[0].opacity texture");
        refused(&changed(at::OBJECT, &new), "BG105", at::OBJECT, "objects[0].name");
        refused(&changed(at::GEOMETRY + 9, &new), "BG104", at::VERTICES, "geometries[0]");
        refused(&changed(at::GEOMETRY + 13, &new), "BG104", at::INDICES, "geometries[0]");
        refused(&changed(at::BONES - 4, &new), "BG104", at::BONES, "collections[0]");
        refused(&changed(at::KEYS - 4, &new), "BG104", at::KEYS, "collections[0].animations[0]");
    }
    let mut longer = bytes(&whole());
    longer.push(b'\n');
    refused(&longer, "BG107", longer.len() - 1, "tree");
    let whole = bytes(&whole());
    refused(&whole[..whole.len() - 1], "BG108", whole.len() - 1, "tree");
}

#[test]
fn type_bytes_out_of_range() {
    refused(&changed(at::CAMERA, &[2]), "BG106", at::CAMERA, "cameras[0].type");
    refused(&changed(at::GEOMETRY, &[1]), "BG106", at::GEOMETRY, "geometries[0].type");
    refused(&changed(at::MATERIAL, &[1]), "BG106", at::MATERIAL, "materials[0].type");
    refused(&changed(at::LIGHT, &[3]), "BG106", at::LIGHT, "lights[0].type");
    refused(&changed(at::COLLECTION, &[255]), "BG106", at::COLLECTION, "collections[0].type");
}

#[test]
fn numbers_that_mean_nothing() {
    let nan = f32::NAN.to_le_bytes();
    refused(&changed(30 + 8, &nan), "BG201", 38, "ambient");
    refused(
        &changed(at::VERTICES + 80 + 20, &nan),
        "BG201",
        at::VERTICES + 100,
        "geometries[0].vertices[1].normal",
    );
    refused(&changed(at::BONES + 12, &nan), "BG201", at::BONES + 12, "collections[0].bones[0]");
    refused(&changed(at::KEYS + 48, &nan), "BG201", at::KEYS + 48, "collections[0].animations[0].keys[1]");
    let odd = at::VERTICES + 160 + 56;
    refused(
        &changed(odd, &0x4000_0001_u32.to_le_bytes()),
        "BG202",
        odd,
        "geometries[0].vertices[2].bones[0]",
    );
    refused(&changed(odd, &1.0_f32.to_le_bytes()), "BG202", odd, "geometries[0].vertices[2].bones[0]");
    refused(&changed(at::BONES + 12, &[0; 16]), "BG203", at::BONES + 12, "collections[0].bones[0].rotation");
    let key = "collections[0].animations[0].keys[0].rotations[1]";
    refused(&changed(at::KEYS + 32, &[0; 16]), "BG203", at::KEYS + 32, key);
    let time = "collections[0].animations[0].keys[1].time";
    refused(&changed(at::KEYS + 48, &(-1.0_f32).to_le_bytes()), "BG204", at::KEYS + 48, time);
    let matrix = at::OBJECT + 4 + 4 + 20;
    refused(&changed(matrix + 28, &5.0_f32.to_le_bytes()), "BG205", matrix + 28, "objects[0].matrix");
    refused(&changed(at::BONES - 68, &[0; 4]), "BG206", at::BONES - 68, "collections[0].matrix");
}

#[test]
fn references_to_nothing() {
    let index = at::INDICES + 8;
    refused(&changed(index, &3_u32.to_le_bytes()), "BG301", index, "geometries[0].indices[2]");
    let bone = at::VERTICES + 80 + 56;
    refused(&changed(bone, &2_u32.to_le_bytes()), "BG302", bone, "geometries[0].vertices.bones");
    let parent = at::BONES + 28;
    refused(&changed(parent, &3_u32.to_le_bytes()), "BG303", parent, "collections[0].bones[0].parent");
    refused(&changed(parent, &2_u32.to_le_bytes()), "BG304", parent, "collections[0].bones[0].parent");
    refused(&changed(parent, &1_u32.to_le_bytes()), "BG304", parent, "collections[0].bones[0].parent");
    let fields = ["camera", "geometry", "material", "light", "animation collection"];
    for (i, field) in fields.iter().enumerate() {
        let at = at::OBJECT + 8 + 4 * i;
        refused(&changed(at, &2_u32.to_le_bytes()), "BG305", at, &format!("objects[0].{field}"));
    }
}

#[test]
fn trees_that_are_none() {
    let tree = |text: &str| bytes(&Document { tree: text.into(), ..whole() });
    refused(&tree("0{}3{}"), "BG306", at::TREE + 3, "tree");
    refused(&tree("0 1 99999999999999999999999"), "BG306", at::TREE + 4, "tree");
    refused(&tree("0{1}}2"), "BG307", at::TREE + 4, "tree");
    refused(&tree(&format!("0{}", "{".repeat(257))), "BG308", at::TREE + 257, "tree");
    refused(&tree("0,1"), "BG309", at::TREE + 1, "tree");
    refused(&tree("0{1{0{}}}2{}"), "BG310", at::TREE, "tree");
    for (text, code) in [("0{1{2{", "BG403"), ("0 1 2{1}", "BG404"), ("0{1}", "BG405")] {
        let (document, report) = read(&tree(text));
        assert_eq!(document.map(|d| d.tree.to_text()).as_deref(), Some(text));
        assert!(report.diagnostics().iter().any(|d| d.code.id == code), "{text}");
    }
}

#[test]
fn unused_slots_may_name_any_bone() {
    let mut document = whole();
    document.geometries[0].vertices[0].bones[2] = 900;
    assert!(read(&bytes(&document)).0.is_some());
    let scene = Box::new(document).import(&ReadOptions::default(), &mut Report::default()).expect("a scene");
    support::check_promise(&scene);
}

#[test]
fn all_recoverable_faults_are_reported_at_once() {
    let mut bytes = changed(at::INDICES, &9_u32.to_le_bytes());
    bytes[30..34].copy_from_slice(&f32::INFINITY.to_le_bytes());
    bytes[at::TREE] = b'x';
    let (_, report) = read(&bytes);
    let codes: Vec<_> = report.diagnostics().iter().map(|d| d.code.id).filter(|c| *c != "BG401").collect();
    assert_eq!(codes, ["BG201", "BG301", "BG309"]);
}

#[test]
fn geometry_files_stay_in_their_folder() {
    let mut document = Document { dialect: Dialect::External, ..whole() };
    document.bone_indices = ligament::formats::bogle::BoneIndices::Whole;
    document.geometries[0].file = "Flag".into();
    let mut output = MemoryOutput::new("flag");
    document.write_to(Dialect::External, &mut output, &mut Report::default()).expect("written");
    let read = |output: &MemoryOutput| {
        let mut report = Report::default();
        let source = output.source("flag.bgl");
        (Document::parse_source(&source, &ReadOptions::default(), &mut report).ok(), report)
    };
    let (again, _) = read(&output);
    assert_eq!(again.map(|d| d.geometries), Some(document.geometries.clone()));

    let name = at::GEOMETRY + 9;
    let mut away = output.clone();
    let path = b"../x";
    away.main[name + 4..name + 8].copy_from_slice(path);
    let (document, report) = read(&away);
    assert!(document.is_none());
    let error = &report.diagnostics().iter().find(|d| d.severity == Severity::Error).expect("an error");
    assert_eq!((error.code.id, error.place.span.clone()), ("BG110", Some(name as u64..name as u64)));

    let mut missing = output.clone();
    missing.side_files.clear();
    let (document, report) = read(&missing);
    assert!(document.is_none());
    assert!(report.diagnostics().iter().any(|d| d.code.id == "BG109"), "{:?}", report.diagnostics());

    let mut longer = output.clone();
    longer.side_files.values_mut().for_each(|bytes| bytes.push(0));
    let (document, report) = read(&longer);
    assert!(document.is_none());
    let error = report.diagnostics().iter().find(|d| d.code.id == "BG107").expect("trailing bytes");
    assert!(error.file.ends_with("geometries/Flag.bgg"), "{}", error.file);
}

#[test]
fn textures_outside_the_folder_are_left_out() {
    let mut document = whole();
    document.materials[0].textures[2] = "../../secret".into();
    document.materials[0].textures[5] = "cloth_n".into();
    let mut report = Report::default();
    let scene = Box::new(document).import(&ReadOptions::default(), &mut report).expect("a scene");
    let names: Vec<_> = scene.images.iter().map(|i| i.file_name()).collect();
    assert_eq!(names, ["cloth_n.png"]);
    assert!(report.diagnostics().iter().any(|d| d.code.id == "BG414"));
}

#[test]
fn copies_cannot_fill_the_memory() {
    let mut document = whole();
    let vertex = document.geometries[0].vertices[0];
    document.geometries[0].vertices = vec![vertex; 20_000];
    document.materials = vec![document.materials[0].clone(); 2000];
    let object = document.objects[0].clone();
    document.objects = (1..=2000).map(|material| Object { material, ..object.clone() }).collect();
    document.tree = (0..2000).map(|i| format!("{i} ")).collect::<String>().into();
    let mut report = Report::default();
    assert!(Box::new(document).import(&ReadOptions::default(), &mut report).is_err());
    assert!(report.diagnostics().iter().any(|d| d.code.id == "BG415"));
}
