//! Scenes written as FBX, and read back.

use super::{scene, support};
use ligament::compare::{CompareOptions, compare};
use ligament::formats::fbx::FORMAT;
use ligament::formats::{ReadOptions, WriteOptions};
use ligament::io::MemoryOutput;
use ligament::math::{Vec2, Vec3};
use ligament::report::{LossKind, Report};
use ligament::scene::{
    AlphaMode, Extras, Faces, Image, ImageData, ImageId, Material, MaterialId, Mesh, MeshId, Node, Part, Pbr,
    Sampler, Specular, Texture, TextureId, TextureRef, UvTransform, Values, Wrap,
};
use ligament::{ConvertOptions, Scene, convert, read};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Larger files would take most of the time and show nothing else.
const MOST_BYTES: u64 = 1 << 20;

/// Every model of the corpus that can be read.
pub fn models() -> Vec<PathBuf> {
    let mut files = support::files_below(&support::corpus(""));
    files.extend(support::extras());
    files.retain(|path| {
        let is_small = path.metadata().is_ok_and(|about| about.len() <= MOST_BYTES);
        let is_sound = support::seeds::refused_with(path).is_none();
        is_small && is_sound && ligament::formats::by_extension(path).is_some()
    });
    files.retain(|path| read(path, &Default::default()).is_ok());
    files
}

/// Converts a model; returns the written file's bytes, how far it is off, and how far that was announced.
pub fn written(path: &Path, dialect: &str) -> (Vec<u8>, f64, f64) {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("model.fbx");
    let options = ConvertOptions { dialect: Some(dialect.to_owned()), ..ConvertOptions::default() };
    let (done, report) =
        convert(path, &target, &options).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let worst = done.comparison.expect("a proof").worst.map_or(0.0, |worst| worst.relative);
    let announced = report.losses().iter().filter_map(|loss| match loss.kind {
        LossKind::Approximated { size: Some(size), unit: "of the model's size" } => Some(size),
        _ => None,
    });
    (std::fs::read(&target).expect("a file"), worst, announced.sum())
}

pub fn export(scene: &Scene, dialect: &str) -> (Vec<u8>, Report) {
    let (mut output, mut report) = (MemoryOutput::new("out"), Report::default());
    let file = FORMAT.export(scene.clone(), Some(dialect), &WriteOptions::default(), &mut report);
    file.expect("an export").write(&mut output, &mut report).expect("a file");
    (output.main, report)
}

/// Faults of a file that was read; its images are elsewhere.
fn faults(report: &Report) -> Vec<String> {
    let faults = report.diagnostics().iter().filter(|found| found.code.id != "FB301");
    faults.map(ToString::to_string).collect()
}

#[test]
fn models_come_back_as_they_were() {
    let models = models();
    for path in &models {
        let (bytes, worst, announced) = written(path, "binary");
        println!(
            "{:50} {:8} bytes, off by {worst:.1e}, announced {announced:.1e}",
            path.file_name().unwrap().display(),
            bytes.len()
        );
        // Reading this file is as far off, which is known; see `tests/file_to_file.rs`.
        let known = if path.ends_with("maya_extrapolate_cube_7700_ascii.fbx") { 4e-5 } else { 2e-5 };
        assert!(worst <= announced + known, "{}: {worst:e}", path.display());
        let (again, report) = super::scene(&bytes, &ReadOptions::default());
        assert!(faults(&report).is_empty(), "{}: {:?}", path.display(), faults(&report));
        support::check_promise(&again.expect("a scene"));
    }
    assert!(models.len() > 50, "{}", models.len());
}

#[test]
fn text_and_binary_say_the_same_every_time() {
    for name in ["real/gltf/CesiumMan.glb", "own/bogle/skin3.bgl", "real/gltf/InterpolationTest.glb"] {
        let Some(path) = support::find(name) else { continue };
        let [binary, text] = ["binary", "ascii"].map(|dialect| written(&path, dialect).0);
        assert_eq!(written(&path, "binary").0, binary, "{name}");
        assert_eq!(written(&path, "ascii").0, text, "{name}");
        let [one, other] = [&binary, &text].map(|bytes| {
            let (scene, report) = scene(bytes, &ReadOptions::default());
            assert!(faults(&report).is_empty(), "{name}: {:?}", faults(&report));
            scene.expect("a scene")
        });
        assert!(std::str::from_utf8(&text).is_ok_and(|text| text.starts_with("; FBX 7.4.0 project file\n")));
        let found = compare(&one, &other, &CompareOptions::default());
        assert!(found.is_within(1e-6) && found.differences.is_empty(), "{name}: {found:?}");
        let names = |scene: &Scene| {
            scene.nodes.iter().map(|node| (node.name.clone(), node.parent)).collect::<Vec<_>>()
        };
        assert_eq!(names(&one), names(&other), "{name}");
    }
}

/// Writes a scene, in both dialects, and reads it.
fn again(scene: &Scene) -> [Scene; 2] {
    ["binary", "ascii"].map(|dialect| {
        let (bytes, _) = export(scene, dialect);
        let (scene, report) = super::scene(&bytes, &ReadOptions::default());
        assert!(faults(&report).is_empty(), "{dialect}: {:?}", faults(&report));
        scene.expect("a scene")
    })
}

/// A triangle with a material, and what else a test adds.
fn triangle(material: Material) -> Scene {
    let mut scene = Scene { materials: vec![material], ..Scene::default() };
    let part = Part {
        material: Some(MaterialId(0)),
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        uvs: vec![vec![Vec2::ZERO, Vec2::X, Vec2::Y], vec![Vec2::ONE, Vec2::X, Vec2::Y]],
        faces: Faces::Triangles(vec![0, 1, 2]),
        ..Part::default()
    };
    scene.meshes.push(Mesh { name: "triangle".into(), parts: vec![part], ..Mesh::default() });
    scene.add_node(Node { name: "node".into(), mesh: Some(MeshId(0)), ..Node::default() });
    scene
}

#[test]
fn a_material_of_gltf_comes_back_with_all_its_values() {
    let png: &[u8] = b"\x89PNG\r\n\x1a\n and more";
    let image = |data| Image { name: "skin".into(), data, extras: Extras::new() };
    let used = |number: u32| TextureRef::new(TextureId(number));
    let transform = UvTransform { offset: [0.25, -0.5], rotation: 0.5, scale: [2.0, 2.0] };
    let pbr = Pbr {
        base_color: [0.5, 0.25, 0.125, 0.75],
        metallic: 0.5,
        roughness: 0.25,
        base_color_texture: Some(TextureRef { uv_set: 1, transform: Some(transform), ..used(0) }),
        metallic_roughness_texture: Some(used(1)),
        specular: Some(Specular {
            factor: 0.5,
            color: [1.0, 0.5, 0.25],
            texture: None,
            color_texture: Some(used(0)),
        }),
    };
    let material = Material {
        name: "glass".into(),
        pbr: Some(pbr),
        normal_texture: Some(TextureRef { strength: 0.5, ..used(1) }),
        occlusion_texture: Some(TextureRef { strength: 0.75, ..used(1) }),
        emissive: [0.5, 1.0, 0.0],
        emissive_strength: 4.0,
        emissive_texture: Some(used(0)),
        alpha: AlphaMode::Mask(0.25),
        double_sided: true,
        unlit: true,
        ..Material::default()
    };
    let mut scene = triangle(material.clone());
    let embedded = ImageData::Embedded { mime: "image/png".into(), bytes: png.into() };
    scene.images = vec![image(embedded.clone()), image(ImageData::File("skins/a b.png".into()))];
    let clamped = Sampler { wrap_u: Wrap::Clamp, ..Sampler::default() };
    scene.textures =
        [ImageId(0), ImageId(1)].map(|id| Texture { sampler: clamped, ..Texture::new(id) }).to_vec();
    for dialect in ["binary", "ascii"] {
        let (bytes, _) = export(&scene, dialect);
        // The image that is a file does not exist, which is a warning.
        let (read, _) = super::scene(&bytes, &ReadOptions::default());
        let read = read.expect("a scene");
        let mut found = read.materials[0].clone();
        let placed = found.pbr.as_mut().and_then(|pbr| pbr.base_color_texture.as_mut());
        let place = placed.and_then(|used| used.transform.take()).expect("a transform");
        let numbers = |t: UvTransform| [t.offset[0], t.offset[1], t.rotation, t.scale[0], t.scale[1]];
        let off = numbers(place).into_iter().zip(numbers(transform)).map(|(a, b)| (a - b).abs());
        assert!(off.fold(0.0, f32::max) < 1e-6, "{place:?}");
        // Each way of using a texture is a texture of its own; what counts is the image and the sampler.
        let images = |scene: &Scene, material: &Material| -> Vec<(String, Option<ImageData>, Sampler, u32)> {
            let slots = material.textures().into_iter();
            slots
                .map(|(slot, used)| {
                    let texture = &scene.textures[used.texture.index()];
                    let data = scene.images[texture.image.index()].data.clone();
                    (slot.to_owned(), Some(data), texture.sampler, used.uv_set)
                })
                .collect()
        };
        assert_eq!(images(&read, &found), images(&scene, &material), "{dialect}");
        let without = |material: &Material| {
            let mut plain = material.clone();
            let mut strengths = Vec::new();
            for slot in plain.textures_mut() {
                strengths.push(slot.take().map(|used| used.strength));
            }
            (plain, strengths)
        };
        assert_eq!(without(&found), without(&material), "{dialect}");
    }
}

#[test]
fn extras_are_custom_properties() {
    let extras = json!({
        "flag": true, "count": -7, "weight": 0.1, "text": "\"a\"\nb", "place": [1.0, 2.5, -3.0],
        "many": ["a", 1], "Visibility": 0, "bogle": { "kept": [1, 2] },
    });
    let Value::Object(extras) = extras else { unreachable!() };
    let mut scene = triangle(Material { extras: extras.clone(), ..Material::default() });
    scene.nodes[0].extras = extras.clone();
    scene.meshes[0].extras = extras.clone();
    let mut expected = extras;
    expected["many"] = json!("[\"a\",1]");
    for read in again(&scene) {
        for found in [&read.materials[0].extras, &read.meshes[0].extras, &read.nodes[0].extras] {
            let mut found = found.clone();
            found.remove("fbx");
            let mut expected = expected.clone();
            let hidden = expected.remove("Visibility").expect("it is there");
            expected.insert("user_Visibility".to_owned(), hidden);
            let sorted = |extras: &Extras| extras.clone().into_iter().collect::<BTreeMap<_, _>>();
            assert_eq!(sorted(&found), sorted(&expected));
        }
        assert!(read.nodes[0].mesh.is_some());
    }
}

#[test]
fn names_are_those_of_the_scene() {
    let names = ["", "a::b", "größer ☃", "Model::x", "same", "same", "a\0b", "quote \" & more", "RootNode"];
    let mut scene = triangle(Material::default());
    for name in names {
        scene.add_node(Node { name: name.into(), ..Node::default() });
    }
    for read in again(&scene) {
        let found: Vec<String> = read.nodes.iter().skip(1).map(|node| node.name.clone()).collect();
        let expected: Vec<String> = names.iter().map(|name| name.replace('\0', "_")).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn shapes_in_between_stay_in_between() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/fbx/everything.fbx");
    let bytes = std::fs::read(fixture).expect("a fixture");
    let channels = |bytes: &[u8]| -> Vec<(String, Vec<f64>)> {
        let (document, _) = super::document(bytes, &ReadOptions::default());
        let document = document.expect("a document");
        let channels = document.scene().blend_channels.as_ref().iter();
        channels
            .map(|channel| {
                let full = channel.keyframes.as_ref().iter().map(|frame| frame.target_weight).collect();
                (channel.element.name.to_string(), full)
            })
            .collect()
    };
    let source = channels(&bytes);
    assert!(source.iter().any(|(_, full)| full.len() > 1), "{source:?}");
    let (scene, _) = super::scene(&bytes, &ReadOptions::default());
    let scene = scene.expect("a scene");
    for dialect in ["binary", "ascii"] {
        let (written, _) = export(&scene, dialect);
        assert_eq!(channels(&written), source, "{dialect}");
    }
    let weights = |scene: &Scene| -> Vec<(Vec<f32>, Vec<f32>)> {
        let tracks = scene.clips.iter().flat_map(|clip| &clip.tracks);
        tracks
            .filter_map(|track| match &track.values {
                Values::MorphWeights { weights, .. } => Some((track.times.to_vec(), weights.clone())),
                _ => None,
            })
            .collect()
    };
    for read in again(&scene) {
        let (found, expected) = (weights(&read), weights(&scene));
        assert_eq!(found.len(), expected.len());
        for ((times, found), (expected_times, expected)) in found.iter().zip(&expected) {
            assert_eq!((times, found.len()), (expected_times, expected.len()));
            let off = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(off < 1e-6, "{off}");
        }
    }
}
