//! What the writer adds and warns about.

use crate::support::*;
use ligament::ConvertOptions;
use ligament::formats::{self, ReadOptions, WriteOptions};
use ligament::io::MemoryOutput;
use ligament::math::Vec3;
use ligament::passes::textures::TextureMode;
use ligament::pose::{Pose, bounds};
use ligament::report::{LossKind, Report};
use ligament::scene::{Interpolation, Local, NodeId, Scene, Trs};

#[test]
fn materials_without_texture_get_a_white_one() {
    let mut scene = import(parse(SMALL.as_bytes()).0.expect("valid"));
    for material in &mut scene.materials {
        let phong = material.phong.as_mut().expect("has one");
        phong.diffuse_texture = None;
        phong.ambient = [1.0, 0.5, 0.0];
    }
    scene.materials[1].name = " \n".to_owned();
    let mut report = Report::default();
    let document = ligament::formats::pfobj::FORMAT
        .export(scene, None, &WriteOptions::default(), &mut report)
        .expect("exports");
    assert_eq!(document.dialect, "document");
    let mut output = MemoryOutput::new("white");
    document.write(&mut output, &mut report).expect("writes");
    assert!(output.side_files["ligament-white.png"].starts_with(b"\x89PNG"));
    let codes: Vec<_> = report.diagnostics().iter().map(|d| (d.severity.name(), d.code.id)).collect();
    assert_eq!(codes, [("note", "PF501"), ("note", "PF507")]);
    let losses: Vec<_> = report.losses().iter().map(|l| (l.code.id, l.kind.name())).collect();
    assert_eq!(losses, [("PF509", "approximated"), ("PF509", "approximated")]);
    let written = parse(&output.main).0.expect("valid");
    assert_eq!(written.materials[0].ambient, 0.5);
    assert_eq!(written.materials[1].name.to_text(), "material1");
    let again = import(written);
    assert!(again.textures.is_empty(), "the white texture stands for none");
}

#[test]
fn boxes_are_computed_anew_when_the_model_changes() {
    let mut scene = import(parse(SMALL.as_bytes()).0.expect("valid"));
    for position in &mut scene.meshes[0].parts[0].positions {
        position.x *= 3.0;
    }
    let mut report = Report::default();
    let document = ligament::formats::pfobj::FORMAT
        .export(scene, None, &WriteOptions::default(), &mut report)
        .expect("exports");
    let mut output = MemoryOutput::new("wide");
    document.write(&mut output, &mut report).expect("writes");
    let written = parse(&output.main).0.expect("valid");
    assert_eq!(written.bounds.map(|b| b[0]), Some([0.0, 3.0]));
    // Half of the second vertex's weight moves up by one in the second frame: from y = 0 to 0.5, which is below the
    // third's 1.
    assert_eq!(written.clips[0].bounds[1], [[0.0, 3.0], [0.0, 1.0], [0.0, 0.0]]);
    assert!(report.diagnostics().iter().any(|d| d.code.id == "PF508"));
}

#[test]
fn indexed_meshes_are_repeated_only_in_the_file() {
    let mut scene = import(parse(SMALL.as_bytes()).0.expect("valid"));
    scene.meshes[0].parts[0].faces = ligament::scene::Faces::Triangles(vec![0, 1, 2, 2, 1, 0]);
    // The skin lists children before their parents; the file lists them the other way round.
    let skin = &mut scene.skins[0];
    skin.joints.swap(0, 1);
    skin.inverse_binds.swap(0, 1);
    let mut report = Report::default();
    let document = ligament::formats::pfobj::FORMAT
        .export(scene, None, &WriteOptions::default(), &mut report)
        .expect("exports");
    let mut output = MemoryOutput::new("indexed");
    document.write(&mut output, &mut report).expect("writes");
    let written = parse(&output.main).0.expect("valid");
    assert_eq!(written.vertex_count(), 6);
    assert_eq!(written.vertices.positions[3], Vec3::Y);
    assert_eq!(written.joints[0].name.to_text(), "Root");
    // The first vertex follows the skin's joint 0, which is now the tip: index 1 in the file.
    assert_eq!(written.vertices.influences.of(0)[0].joint, 1);
}

#[test]
fn the_engines_limits_are_told_when_writing() {
    let mut document = parse(SMALL.as_bytes()).0.expect("valid");
    document.joints[0].name = "x".repeat(64).into();
    document.materials[0].texture = "my skin.png".into();
    document.materials = vec![document.materials[0].clone(); 17];
    let mut report = Report::default();
    let document: Box<dyn formats::Document> = Box::new(document);
    let mut output = MemoryOutput::new("x");
    document.write(document.dialect(), &WriteOptions::default(), &mut output, &mut report).expect("writes");
    let mut codes: Vec<_> = report.diagnostics().iter().map(|d| d.code.id).collect();
    codes.dedup();
    assert_eq!(codes, ["PF504", "PF502", "PF514"]);
}

#[test]
fn a_scale_that_six_decimals_round_to_zero_is_refused() {
    let mut scene = import(parse(SMALL.as_bytes()).0.expect("valid"));
    for joint in scene.skins[0].joints.clone() {
        let tiny = Trs { scale: Vec3::new(1e-8, 1.0, 1.0), ..Trs::default() };
        scene.nodes[joint.index()].local = Local::Trs(tiny);
    }
    let mut report = Report::default();
    assert!(
        ligament::formats::pfobj::FORMAT.export(scene, None, &WriteOptions::default(), &mut report).is_err()
    );
    let codes: Vec<_> = report.diagnostics().iter().map(|d| (d.severity.name(), d.code.id)).collect();
    assert!(codes.contains(&("error", "PF310")), "{codes:?}");
}

/// The engine plays 24 frames per second, whatever rate the source's clips were sampled at.
#[test]
fn clips_of_another_rate_are_sampled_at_the_rate_of_the_engine() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = crate::shared::corpus("own/pfobj/bend_tube.pfobj");
    let options = ReadOptions { fps: Some(30.0), ..ReadOptions::default() };
    let options = ReadOptions { interpolation: Some(Interpolation::Linear), ..options };
    let (before, _) = ligament::read(path, &options).expect("valid");
    assert_eq!(before.clips[0].frames.map(|f| (f.rate, f.count)), Some((30.0, 10)));
    for (fps, rate) in [(None, 24.0), (Some(30.0), 30.0)] {
        let target = folder.path().join("bend.pfobj");
        let mut options = ConvertOptions { textures: TextureMode::None, ..ConvertOptions::default() };
        options.write.fps = fps;
        let (_, report) = ligament::write(before.clone(), &target, &options).expect("writes");
        let played = ReadOptions { fps, ..ReadOptions::default() };
        let (after, _) = ligament::read(&target, &played).expect("valid");
        let size = bounds(&before, &Pose::rest(&before)).expect("has vertices").diagonal();
        for (a, b) in before.clips.iter().zip(&after.clips) {
            let frames = b.frames.expect("frames");
            assert_eq!(frames.rate, rate);
            assert!((b.duration - a.duration).abs() <= 1.5 / rate, "{} became {}", a.duration, b.duration);
            let off = |time: f32| {
                let (a, b) = (Pose::at(&before, a, time), Pose::at(&after, b, time));
                let (a, b) = (deformed(&before, &a), deformed(&after, &b));
                let pairs = a.iter().zip(&b);
                pairs.map(|(a, b)| f64::from(a.distance(*b))).fold(0.0, f64::max) / size
            };
            let on_frames =
                frames.times().iter().filter(|&&t| t <= a.duration).map(|&t| off(t)).fold(0.0, f64::max);
            assert!(on_frames < 1e-5, "{on_frames:e} on frames");
            let steps = 100 * frames.count;
            let between = (0..steps).map(|i| i as f32 / (100.0 * rate)).filter(|&t| t <= a.duration);
            let between = between.map(off).fold(0.0, f64::max);
            let object = format!("clip {:?}", a.name);
            let loss = report.losses().iter().find(|l| l.code.id == "LS015" && l.object == object);
            let LossKind::Approximated { size: Some(announced), .. } = loss.expect("a loss").kind else {
                panic!("a size")
            };
            assert!(between > 0.01 && announced >= between, "{announced} announced, {between} seen");
        }
    }
}

fn deformed(scene: &Scene, pose: &Pose) -> Vec<Vec3> {
    let node = scene.nodes.iter().position(|n| n.mesh.is_some()).expect("a mesh");
    let parts = ligament::pose::deform(scene, pose, NodeId(node as u32));
    parts.into_iter().flat_map(|part| part.positions).collect()
}
