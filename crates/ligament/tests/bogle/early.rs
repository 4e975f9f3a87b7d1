//! The layouts of April 2020: read, kept, converted; and older layouts that are only recognised.

use crate::bad::{bytes as today, whole};
use crate::support::{self, Random, exercise};
use glam::{DVec3, Vec3};
use ligament::formats::{self, Document, ReadOptions, WriteOptions};
use ligament::io::{MemoryOutput, Source};
use ligament::pose::Pose;
use ligament::report::{Report, Severity};
use ligament::scene::{Faces, Scene};
use ligament::{ConvertOptions, convert};
use std::path::Path;

/// A layout: floats per vertex, and whether objects are placed.
const LAYOUTS: [(usize, bool); 3] = [(5, false), (5, true), (8, true)];

/// The corners of a tetrahedron with texture coordinates and normals.
const CORNERS: [[f32; 8]; 4] = [
    [0.0, 0.0, 0.0, 0.0, 0.25, 0.0, -1.0, 0.0],
    [1.0, 0.0, 0.0, 1.0, 0.25, 0.6, 0.0, -0.8],
    [0.0, 2.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0],
    [0.0, 0.0, 3.0, 0.5, 0.0, -0.36, 0.48, 0.8],
];
const TRIANGLES: [u32; 12] = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2];

/// Translation, axis, angle, scale.
const PLACED: [f32; 10] = [1.0, -2.0, 0.5, 0.36, 0.48, 0.8, 2.5, -1.5, 0.5, 2.0];
const UPRIGHT: [f32; 10] = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0];

fn words(list: &[u32]) -> Vec<u8> {
    list.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn numbers(list: &[f32]) -> Vec<u8> {
    list.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// A file of these objects: a tetrahedron each.
fn file((floats, is_placed): (usize, bool), objects: &[(&str, [f32; 10])]) -> Vec<u8> {
    let mut file = b"BOGLE\0".to_vec();
    file.extend(words(&[objects.len() as u32]));
    for (name, placement) in objects {
        file.push(name.len() as u8);
        file.extend(words(&[CORNERS.len() as u32, TRIANGLES.len() as u32]));
        file.extend(name.as_bytes());
        file.extend(CORNERS.iter().flat_map(|corner| numbers(&corner[..floats])));
        file.extend(words(&TRIANGLES));
        if is_placed {
            file.extend(numbers(placement));
        }
    }
    file
}

fn two(layout: (usize, bool)) -> Vec<u8> {
    file(layout, &[("Body", PLACED), ("Second one", UPRIGHT)])
}

fn read(bytes: &[u8]) -> (Option<Box<dyn Document + '_>>, Report) {
    let mut report = Report::default();
    let source = Source::from_bytes("old.bgl", bytes);
    let bogle = formats::by_id("bogle").expect("a format");
    let document = bogle.read(source, &ReadOptions::default(), &mut report).ok();
    (document, report)
}

fn scene(bytes: &[u8]) -> Scene {
    let (document, report) = read(bytes);
    let document = document.unwrap_or_else(|| panic!("{:?}", report.diagnostics()));
    document.import(&ReadOptions::default(), &mut Report::default()).expect("a scene")
}

fn rewritten(bytes: &[u8]) -> Option<Vec<u8>> {
    let document = read(bytes).0?;
    let mut output = MemoryOutput::new("output");
    document.write("early", &WriteOptions::default(), &mut output, &mut Report::default()).ok()?;
    Some(output.main)
}

/// The code of the first error.
fn first_error(bytes: &[u8]) -> &'static str {
    let (document, report) = read(bytes);
    assert!(document.is_none(), "accepted");
    report.diagnostics().iter().find(|d| d.severity == Severity::Error).expect("an error").code.id
}

/// Where a placement puts a corner, by Rodrigues' formula.
fn placed(placement: &[f32; 10], corner: &[f32]) -> DVec3 {
    let vector = |slice: &[f32]| Vec3::from_slice(slice).as_dvec3();
    let (axis, angle) = (vector(&placement[3..]), f64::from(placement[6]));
    let point = vector(corner) * vector(&placement[7..]);
    let along = axis * axis.dot(point) * (1.0 - angle.cos());
    vector(placement) + point * angle.cos() + axis.cross(point) * angle.sin() + along
}

#[test]
fn every_early_layout_is_read_as_it_says() {
    for (layout, says) in LAYOUTS.into_iter().zip(["no particular order", "without normals", "and normals"]) {
        let bytes = two(layout);
        let (document, report) = read(&bytes);
        assert_eq!(document.map(|document| document.dialect()), Some("early"));
        let [note] = report.diagnostics() else { panic!("{:?}", report.diagnostics()) };
        assert_eq!((note.severity, note.code.id), (Severity::Note, "BG417"));
        assert!(note.message.contains(says), "{note}");
        assert_eq!(rewritten(&bytes).as_deref(), Some(&*bytes));
        let scene = scene(&bytes);
        support::check_promise(&scene);
        assert_eq!(scene.name, "old");
        let pose = Pose::rest(&scene);
        for ((node, global), (name, placement)) in
            scene.nodes.iter().zip(&pose.globals).zip([("Body", PLACED), ("Second one", UPRIGHT)])
        {
            assert_eq!((&*node.name, node.parent), (name, None));
            let part = &scene.meshes[node.mesh.expect("a mesh").index()].parts[0];
            let placement = if layout.1 { placement } else { UPRIGHT };
            for (position, corner) in part.positions.iter().zip(&CORNERS) {
                let found = global.transform_point3(position.as_dvec3());
                assert!(found.distance(placed(&placement, corner)) < 1e-6, "{found}");
            }
            let uvs: Vec<_> = part.uvs[0].iter().map(|uv| uv.to_array()).collect();
            assert_eq!(uvs, CORNERS.map(|corner| [corner[3], 1.0 - corner[4]]));
            let normals: Vec<_> = part.normals.iter().map(|normal| normal.to_array()).collect();
            let expected = CORNERS.map(|corner| [corner[5], corner[6], corner[7]]);
            assert_eq!(normals, if layout.0 == 8 { &expected[..] } else { &[] });
            assert_eq!(part.faces, Faces::Triangles(TRIANGLES.to_vec()));
        }
    }
}

#[test]
fn early_files_are_kept_and_converted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let options = |dialect: Option<&str>| ConvertOptions {
        dialect: dialect.map(str::to_owned),
        ..ConvertOptions::default()
    };
    for layout in LAYOUTS {
        let bytes = two(layout);
        std::fs::write(path("old.bgl"), &bytes).expect("written");
        convert(path("old.bgl"), path("copy.bgl"), &options(None)).expect("copied");
        assert_eq!(std::fs::read(path("copy.bgl")).expect("there"), bytes);
        for (target, dialect) in [("new.bgl", Some("engine")), ("new.glb", None), ("new.obj", None)] {
            let (done, _) = convert(path("old.bgl"), path(target), &options(dialect)).expect(target);
            let worst = done.comparison.and_then(|found| found.worst).expect("compared");
            assert!(worst.relative < 1e-6, "{target}: {}", worst.relative);
        }
        let (again, _) = ligament::read(path("new.bgl"), &ReadOptions::default()).expect("today's layout");
        assert!(support::worst(&scene(&bytes), &again) < 1e-6);
        assert!(
            convert(path("new.glb"), path("new.bgl"), &options(Some("early"))).is_err(),
            "it is only read"
        );
    }
}

#[test]
fn cut_and_changed_early_files_are_refused_or_kept() {
    let bogle = formats::by_id("bogle").expect("a format");
    for layout in LAYOUTS {
        let bytes = two(layout);
        let body = 10 + 9 + "Body".len();
        for end in 0..bytes.len() {
            assert!(!exercise(bogle, &bytes[..end], Path::new(".")), "cut at {end}");
            if end >= body {
                assert_eq!(first_error(&bytes[..end]), "BG112", "cut at {end}");
            }
        }
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(first_error(&longer), "BG112");
        let mut kept = 0;
        for seed in 0..4000 {
            let mut random = Random::new(seed);
            let mut changed = bytes.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(changed.len());
                changed[at] = [0, 1, 0x7F, 0x80, 0xFF, random.next() as u8][random.below(6)];
            }
            if exercise(bogle, &changed, Path::new(".")) {
                assert_eq!(rewritten(&changed).as_deref(), Some(&*changed), "seed {seed}");
                kept += 1;
            }
        }
        assert!((1..4000).contains(&kept), "{kept} of 4000");
    }
}

#[test]
fn faults_of_early_files_are_named_after_their_layout() {
    let change = |layout, at: usize, with: &[u8]| {
        let mut bytes = two(layout);
        bytes[at..at + with.len()].copy_from_slice(with);
        let (document, report) = read(&bytes);
        assert!(document.is_none());
        report
            .diagnostics()
            .iter()
            .map(|d| (d.code.id, d.place.span.as_ref().map(|s| s.start)))
            .collect::<Vec<_>>()
    };
    let second = |floats: usize, placed: usize| 10 + 9 + 4 + 16 * floats + 48 + 4 * placed;
    // Of three layouts, the one that reads the first object is the right one.
    let vertices = second(5, 10) + 9 + 10;
    let found = change(LAYOUTS[1], vertices + 80, &words(&[4]));
    assert_eq!(found, [("BG112", None), ("BG301", Some(vertices as u64 + 80))]);
    let found = change(LAYOUTS[1], vertices, &numbers(&[f32::NAN]));
    assert_eq!(found, [("BG112", None), ("BG201", Some(vertices as u64))]);
    let axis = vertices + 80 + 48 + 12;
    let found = change(LAYOUTS[1], axis, &numbers(&[1.0, 0.0, 1.0, 1.0]));
    assert_eq!(found, [("BG112", None), ("BG112", Some(axis as u64))]);
    let vertices = second(8, 10) + 9 + 10;
    let found = change(LAYOUTS[2], vertices + 20, &numbers(&[0.5, 0.5, 0.5]));
    assert_eq!(found, [("BG112", None), ("BG112", Some(vertices as u64 + 20))]);
}

/// The beginnings of files in the layouts after those, which say version 0 too.
fn later() -> Vec<Vec<u8>> {
    let begin = |counts: &[u32]| [b"BOGLE\0".to_vec(), words(counts)].concat();
    let object = [words(&[4, 12]), b"Body\0                           ".to_vec()].concat();
    let camera = [words(&[1920, 1080]), numbers(&[0.1, 100.0, 0.69])].concat();
    let ambient = numbers(&[0.05, 0.05, 0.05, 1.0]);
    let sky = [words(&[5]), b"clear".to_vec()].concat();
    let after = numbers(&[0.5; 40]);
    vec![
        [begin(&[2]), object.clone(), after.clone()].concat(),
        [begin(&[2, 1, 1]), object, after.clone()].concat(),
        [begin(&[3, 2, 1, 4]), camera.clone(), ambient.clone(), after.clone()].concat(),
        [begin(&[3, 2, 1, 4]), sky, camera.clone(), ambient.clone(), after.clone()].concat(),
        [begin(&[1, 3, 2, 1, 4]), ambient.clone(), vec![1], camera.clone(), after.clone()].concat(),
        [begin(&[1, 3, 2, 1, 4]), ambient, vec![0], words(&[3]), b"Eye".to_vec(), camera, after].concat(),
    ]
}

#[test]
fn later_layouts_are_refused_in_one_sentence() {
    for (i, bytes) in later().iter().enumerate() {
        let (document, report) = read(bytes);
        assert!(document.is_none(), "{i}");
        let [error] = report.diagnostics() else { panic!("{i}: {:?}", report.diagnostics()) };
        assert_eq!(error.code.id, "BG111", "{i}");
        assert!(error.message.contains("before March 2021"), "{error}");
        assert!(error.help.as_ref().is_some_and(|help| help.contains("export the scene again")), "{error}");
    }
}

#[test]
fn damaged_files_in_todays_layout_are_not_taken_for_older_ones() {
    let bytes = today(&whole());
    for end in 30..bytes.len() {
        assert!(!["BG111", "BG112"].contains(&first_error(&bytes[..end])), "cut at {end}");
    }
    for seed in 0..4000 {
        let mut random = Random::new(seed);
        let mut changed = bytes.clone();
        let at = random.below(changed.len());
        changed[at] = random.next() as u8;
        let (_, report) = read(&changed);
        let older = report.diagnostics().iter().find(|d| ["BG111", "BG112", "BG417"].contains(&d.code.id));
        assert!(older.is_none(), "seed {seed}: {older:?}");
    }
}

/// Two scenes of the engine's first month.
#[test]
fn the_engines_own_early_scenes_are_read() {
    let files = support::shared_files();
    let find = |name: &str| files.iter().find(|path| path.ends_with(name));
    let (Some(human), Some(all)) = (find("HumanF-da52ea2.bgl"), find("scene-144e73b.bgl")) else { return };
    for (path, nodes, vertices) in [(human, 1, 1205), (all, 12, 1389)] {
        let bytes = std::fs::read(path).expect("readable");
        let scene = scene(&bytes);
        support::check_promise(&scene);
        assert_eq!(scene.nodes.len(), nodes);
        assert_eq!(scene.meshes.iter().map(|mesh| mesh.vertex_count()).sum::<usize>(), vertices);
        assert_eq!(rewritten(&bytes).as_deref(), Some(&*bytes));
        // She stands on the floor.
        let heights = || scene.meshes[0].parts[0].positions.iter().map(|p| p.y);
        assert!(heights().fold(f32::MAX, f32::min).abs() < 0.01);
        assert!((1.6..1.7).contains(&heights().fold(f32::MIN, f32::max)));
    }
}
