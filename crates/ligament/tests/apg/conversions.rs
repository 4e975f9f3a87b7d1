//! Conversions to and from other formats: what must survive, and what must be reported.

use crate::{corpus, support, valid_file};
use ligament::formats::apg::Kind;
use ligament::passes::tangents::{TangentsOptions, tangents};
use ligament::report::LossKind;
use ligament::scene::{Faces, Interpolation, Scene};
use ligament::{Conversion, ConvertOptions, Report, convert};
use std::path::Path;

fn deviation(done: &Conversion) -> f64 {
    let comparison = done.comparison.as_ref().expect("verified by default");
    assert!(comparison.points > 0, "nothing was compared");
    comparison.worst.as_ref().map_or(0.0, |w| w.relative)
}

fn four() -> ConvertOptions {
    let mut options = ConvertOptions::default();
    options.write.influences = Some(4);
    options
}

#[test]
fn a_way_through_glb_keeps_every_pose() {
    let files = corpus();
    for path in files {
        let name = path.display();
        let folder = tempfile::tempdir().expect("a folder");
        let (glb, back) = (folder.path().join("model.glb"), folder.path().join("model.apg"));
        let (there, _) = convert(&path, &glb, &four()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(deviation(&there) < 1e-6, "{name}: {}", deviation(&there));
        let (again, report) = convert(&glb, &back, &four()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(deviation(&again) < 1e-5, "{name}: {}", deviation(&again));
        // Nodes that move nothing, and names that the first file did not have either.
        let free = ["AP501", "LS019"];
        let mut lost = report.losses().iter().filter(|l| l.kind != LossKind::Kept);
        assert!(lost.all(|l| free.contains(&l.code.id)), "{name}: {:?}", report.losses());
        let (first, second) = (valid_file(&path), valid_file(&back));
        assert_eq!(first.vertices.count() / 3 * 3, second.vertices.count(), "{name}");
        // The file is now Y up and has real matrices, but it is the same model at the same size.
        let stated = second.bounding_radius.expect("vertices");
        let farthest = first.vertices.positions.iter().map(|p| p.length()).fold(0.0, f32::max);
        assert!((stated - farthest).abs() < 1e-6, "{name}: {stated} stated, {farthest}");
    }
}

#[test]
fn what_other_formats_hold_is_kept_or_announced() {
    let mut count = 0;
    for folder in ["real/gltf", "own/pfobj", "real/pfobj", "own/amo", "own/bogle"] {
        for path in support::corpus_files(folder) {
            let extension = path.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
            let is_bad = path.components().any(|c| c.as_os_str() == "bad");
            let large = std::fs::metadata(&path).map_or(0, |m| m.len()) > 3 << 20;
            if !["glb", "gltf", "pfobj", "bgl"].contains(&extension.as_str()) || large || is_bad {
                continue;
            }
            let name = path.display();
            for dialect in ["text", "binary"] {
                let folder = tempfile::tempdir().expect("a folder");
                let mut options = four();
                options.dialect = Some(dialect.to_owned());
                let (done, report) = convert(&path, folder.path().join("model.apg"), &options)
                    .unwrap_or_else(|e| panic!("{name}: {e}"));
                let comparison = done.comparison.as_ref().expect("verified");
                let off = comparison.worst.as_ref().map_or(0.0, |w| w.relative);
                // Losses that move vertices; names, materials and cameras move none.
                let moving =
                    ["LS008", "LS009", "LS010", "LS012", "LS015", "LS017", "LS020", "LS021", "BG501"];
                let announced =
                    report.losses().iter().any(|l| l.kind != LossKind::Kept && moving.contains(&l.code.id));
                assert!(off < 1e-5 || announced, "{name}: {off} {:?}", report.losses());
                count += 1;
            }
        }
    }
    assert!(count >= 60, "{count} conversions");
}

#[test]
fn one_bone_a_vertex_is_the_default_and_announced() {
    let models = ["real/gltf/Fox.glb", "real/gltf/CesiumMan.glb"].map(support::find);
    for source in models.iter().flatten() {
        one_bone_and_four(source);
    }
    assert!(models[0].is_some());
}

fn one_bone_and_four(source: &Path) {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("model.apg");
    let (_, report) = convert(source, &target, &ConvertOptions::default()).expect("converts");
    assert!(report.losses().iter().any(|l| l.code.id == "LS010"), "{:?}", report.losses());
    let one = valid_file(&target);
    assert_eq!((one.vertices.bones_per_vertex, one.vertices.weights.len()), (1, 0));
    convert(source, &target, &four()).expect("converts");
    let more = valid_file(&target);
    assert!((2..=4).contains(&more.vertices.bones_per_vertex));
    assert_eq!(more.vertices.weights.len(), more.vertices.bones.len());
    // The one bone is the strongest of the four, and unused slots are zero.
    let slots = more.vertices.bones_per_vertex;
    for vertex in 0..one.vertices.count() {
        let at = vertex * slots..(vertex + 1) * slots;
        let (bones, weights) = (&more.vertices.bones[at.clone()], &more.vertices.weights[at]);
        let heaviest = weights.iter().copied().fold(0.0, f32::max);
        let bone = bones.iter().position(|b| *b == one.vertices.bones[vertex]).expect("one of them");
        assert_eq!(weights[bone], heaviest, "vertex {vertex}");
        assert!(bones.iter().zip(weights).all(|(b, w)| *w != 0.0 || *b == 0), "{bones:?} {weights:?}");
        assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }
}

#[test]
fn a_file_has_one_root_and_keys_wherever_it_rests() {
    let (mut count, mut expected) = (0, 0);
    let models = [("CesiumMan", 1), ("Fox", 3), ("BoxAnimated", 1), ("InterpolationTest", 9)];
    for (name, clips) in models {
        let Some(path) = support::find(&format!("real/gltf/{name}.glb")) else { continue };
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("model.apg");
        convert(path, &target, &four()).expect("converts");
        let document = valid_file(&target);
        let roots = document.nodes.iter().filter(|n| n.parent < 0).count();
        assert_eq!((roots, document.nodes[0].parent), (1, -1), "{name}");
        assert!(document.nodes.iter().enumerate().all(|(i, n)| n.parent < i as i32), "{name}");
        let (scene, _) = ligament::read(&target, &Default::default()).expect("reads");
        for animation in &document.animations {
            assert!(!animation.name.to_text().contains(char::is_whitespace));
            for (number, node) in document.nodes.iter().enumerate().filter(|(_, n)| n.bone >= 0) {
                let joint = scene.skins[0].joints[node.bone as usize];
                let rest = scene.nodes[joint.index()].local.trs().expect("always");
                let has = |kind: Kind| {
                    animation.channels.iter().any(|c| c.node as usize == number && c.values.kind() == kind)
                };
                assert!(has(Kind::Translation) || rest.translation.length() < 1e-5, "{name} node {number}");
                assert!(has(Kind::Scale) || (rest.scale - 1.0).length() < 1e-5, "{name} node {number}");
                assert!(has(Kind::Rotation) || rest.rotation.w.abs() > 1.0 - 1e-6, "{name} node {number}");
            }
        }
        count += document.animations.len();
        expected += clips;
    }
    assert!(count == expected && count >= 3 + 1 + 9, "{count} of {expected}");
}

#[test]
fn all_clips_are_kept_with_names_without_blanks() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("model.apg");
    let (_, report) =
        convert(support::corpus("real/gltf/InterpolationTest.glb"), &target, &four()).expect("converts");
    let document = valid_file(&target);
    assert_eq!(document.animations.len(), 9);
    assert!(document.animations.iter().any(|a| a.name.to_text() == "Linear_Translation"));
    let renamed = report.losses().iter().filter(|l| l.code.id == "AP502").count();
    assert_eq!(renamed, 9);
    let sampled = report.losses().iter().filter(|l| l.code.id == "LS015");
    let stated = sampled.filter(|l| matches!(l.kind, LossKind::Approximated { size: Some(_), .. })).count();
    assert_eq!(stated, 6, "step and cubic are sampled, linear is not");
}

#[test]
fn tangents_and_texture_coordinates_survive() {
    let example = support::workspace().join("examples/creature.glb");
    let (mut source, _) = ligament::read(&example, &Default::default()).expect("reads");
    tangents(&mut source, &TangentsOptions::default(), &mut Report::default());
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("model.apg");
    ligament::write(source.clone(), &target, &four()).expect("writes");
    let (result, _) = ligament::read(&target, &Default::default()).expect("reads");
    type Corner = (Vec<f32>, Vec<f32>, Vec<f32>);
    let corners = |scene: &Scene| -> Vec<Corner> {
        let parts = scene.meshes.iter().flat_map(|m| &m.parts);
        let corner = |part: &ligament::scene::Part, c: usize| {
            let tangent = part.tangents.get(c).map_or(Vec::new(), |t| t.to_array().to_vec());
            (part.uvs[0][c].to_array().to_vec(), part.normals[c].to_array().to_vec(), tangent)
        };
        parts
            .flat_map(|part| {
                let Faces::Triangles(corners) = &part.faces else { panic!("triangles") };
                corners.iter().map(|&c| corner(part, c as usize)).collect::<Vec<_>>()
            })
            .collect()
    };
    let (a, b) = (corners(&source), corners(&result));
    assert_eq!(a.len(), b.len());
    assert!(!a.is_empty() && a.iter().all(|corner| corner.2.len() == 4));
    let near =
        |a: &[f32], b: &[f32]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
    for (a, b) in a.iter().zip(&b) {
        assert!(near(&a.0, &b.0) && near(&a.1, &b.1) && near(&a.2, &b.2), "{a:?} {b:?}");
    }
    assert!(result.clips.iter().flat_map(|c| &c.tracks).all(|t| t.interpolation == Interpolation::Linear));
}

#[test]
fn what_does_not_move_gets_a_bone_that_does_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("box.apg");
    let (_, report) =
        convert(support::corpus("real/gltf/BoxAnimated.glb"), &target, &four()).expect("converts");
    let added = report.losses().iter().find(|l| l.code.id == "AP505").expect("announced");
    let document = valid_file(&target);
    let still = document.bones as i32 - 1;
    assert!(added.count > 0 && document.vertices.bones.contains(&still));
    let identity = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];
    assert_eq!(document.offsets.last(), Some(&identity));
    let node = document.nodes.iter().position(|n| n.bone == still).expect("it has a node") as u32;
    assert!(document.animations.iter().flat_map(|a| &a.channels).all(|c| c.node != node));
    // Once the bone exists, no other is needed.
    let (again, report) = convert(&target, folder.path().join("again.apg"), &reencoded()).expect("converts");
    assert!(report.losses().iter().all(|l| l.code.id != "AP505"), "{:?}", report.losses());
    assert!(deviation(&again) < 1e-6);
}

fn reencoded() -> ConvertOptions {
    ConvertOptions { reencode: true, ..four() }
}

#[test]
fn a_second_way_through_a_scene_changes_nothing_more() {
    let names = ["own/amo/bend.gltf", "real/gltf/CesiumMan.glb", "real/gltf/Fox.glb"];
    let paths: Vec<_> = names.iter().filter_map(|name| support::find(name)).collect();
    assert!(paths.len() >= 2);
    for path in paths {
        let name = path.display();
        let folder = tempfile::tempdir().expect("a folder");
        let at = |n: u32| folder.path().join(format!("{n}.apg"));
        convert(&path, at(0), &four()).expect("converts");
        let step = |n: u32| convert(at(n), at(n + 1), &reencoded()).expect("converts").0;
        let done = step(0);
        assert!(!done.rewritten && deviation(&done) < 1e-6, "{name}: {}", deviation(&done));
        step(1);
        let read = |path: &Path| valid_file(path);
        let (first, second) = (read(&at(1)), read(&at(2)));
        assert_eq!((first.nodes, first.bones), (second.nodes, second.bones), "{name}");
        assert_eq!(first.vertices.positions, second.vertices.positions, "{name}");
        let keys = |d: &ligament::formats::apg::Document| {
            d.animations.iter().flat_map(|a| &a.channels).map(|c| c.times.len()).sum::<usize>()
        };
        assert_eq!(keys(&read(&at(1))), keys(&read(&at(2))), "{name}");
    }
}

/// Texture coordinates are not multiplied with anything, so any value can be written and read; a position that is too
/// far away for reading is refused before anything is written.
#[test]
fn what_is_written_can_be_read_however_large() {
    let folder = tempfile::tempdir().expect("a folder");
    for dialect in ["text", "binary"] {
        let target = folder.path().join(format!("{dialect}.apg"));
        let mut options = four();
        options.dialect = Some(dialect.to_owned());
        let (mut scene, _) =
            ligament::read(support::workspace().join("examples/creature.glb"), &Default::default())
                .expect("reads");
        scene.meshes[0].parts[0].uvs[0][0].x = -1.7e38;
        ligament::write(scene.clone(), &target, &options).expect("writes");
        let (result, _) = ligament::read(&target, &Default::default()).expect("reads");
        let uvs = result.meshes.iter().flat_map(|m| &m.parts).flat_map(|p| &p.uvs[0]);
        assert!(uvs.into_iter().any(|uv| uv.x == -1.7e38), "{dialect}");

        let far = folder.path().join(format!("far-{dialect}.apg"));
        scene.meshes[0].parts[0].positions[0].x = 1e20;
        let refused = ligament::write(scene, &far, &options).expect_err("too far away");
        assert!(refused.report.diagnostics().iter().any(|d| d.code.id == "AP103"), "{refused}");
        assert!(!far.exists());
    }
}
