//! What the writer adds and warns about.

use crate::support::*;
use ligament::formats::{self, WriteOptions};
use ligament::io::MemoryOutput;
use ligament::math::Vec3;
use ligament::report::Report;
use ligament::scene::{Local, Trs};

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
