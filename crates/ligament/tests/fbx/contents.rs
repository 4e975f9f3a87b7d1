//! The content of a hand-made file, read back object by object.

use super::{document, scene, source, support};
use ligament::Scene;
use ligament::formats::fbx::{AXES, AxesConversion};
use ligament::formats::{Document as _, ReadOptions, WriteOptions};
use ligament::io::MemoryOutput;
use ligament::math::Vec3;
use ligament::report::{LossKind, Report};
use ligament::scene::{
    AlphaMode, Faces, ImageData, Interpolation, LightKind, Node, NodeId, Projection, Values, Wrap,
};
use ligament::settings::Own;

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(support::workspace().join("crates/ligament/tests/fixtures/fbx").join(name)).unwrap()
}

fn everything() -> (Scene, Report) {
    let (scene, report) = scene(&fixture("everything.fbx"), &ReadOptions::default());
    (scene.unwrap_or_else(|| panic!("{:?}", report.diagnostics())), report)
}

fn node<'s>(scene: &'s Scene, name: &str) -> (NodeId, &'s Node) {
    let id = scene.node_ids().find(|n| scene.nodes[n.index()].name == name).expect(name);
    (id, &scene.nodes[id.index()])
}

#[test]
fn faces_go_to_one_part_a_material_with_all_their_values() {
    let (scene, report) = everything();
    let mesh = &scene.meshes[node(&scene, "Strip").1.mesh.unwrap().index()];
    assert_eq!(mesh.name, "Strip");
    let materials: Vec<_> =
        mesh.parts.iter().map(|p| scene.materials[p.material.unwrap().index()].name.as_str()).collect();
    assert_eq!(materials, ["Skin", "Cloth"]);
    assert_eq!(mesh.parts[0].faces, Faces::Polygons { starts: vec![0, 4, 8], corners: (0..8).collect() });
    // A quad and the triangle above the next one: no point is shared.
    assert_eq!(mesh.parts[1].faces, Faces::Polygons { starts: vec![0, 4, 7], corners: (0..7).collect() });
    for part in &mesh.parts {
        assert_eq!((part.uvs.len(), part.colors.len()), (2, 1));
        // Z was up.
        assert!(
            part.normals
                .iter()
                .all(|n| n.distance(Vec3::Y) < 1e-6 || n.distance(Vec3::Z) < 1e-6 || n.length() > 0.99)
        );
    }
    // V points down here, and the second set is twice as wide.
    assert_eq!(
        mesh.parts[0].uvs[0][..4].iter().map(|v| v.to_array()).collect::<Vec<_>>(),
        [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]
    );
    assert_eq!(mesh.parts[0].uvs[1][2].to_array(), [2.0, 0.0]);
    let lost = |code: &str| report.losses().iter().find(|l| l.code.id == code).map(|l| l.count);
    assert_eq!(lost("FB504"), Some(1), "the face of two corners");
    assert_eq!(lost("FB505"), Some(1), "the point without a face");
}

#[test]
fn joints_hold_their_points_and_the_mesh_those_that_no_joint_holds() {
    let (scene, _) = everything();
    let strip = node(&scene, "Strip");
    let skin = &scene.skins[strip.1.skin.unwrap().index()];
    let names: Vec<_> = skin.joints.iter().map(|j| scene.node_label(*j)).collect();
    // Upper has a helper node for the scale that Tip does not inherit; the last joint is the mesh's own node.
    assert_eq!((names.len(), &*names[2]), (3, "Strip"), "{names:?}");
    let mesh = &scene.meshes[strip.1.mesh.unwrap().index()];
    let pairs: Vec<Vec<(u32, f32)>> =
        mesh.parts[0].influences.iter().map(|v| v.iter().map(|p| (p.joint, p.weight)).collect()).collect();
    // Corners of the first quad: points 0, 1, 3, 2.
    assert_eq!(pairs[..4], [vec![(0, 1.0)], vec![(0, 1.0)], vec![(0, 0.6), (1, 0.4)], vec![(0, 1.0)]]);
    let loose = mesh.parts[1].influences.iter().filter(|v| v.iter().any(|p| p.joint == 2)).count();
    assert_eq!(loose, 1, "point 8 has no weights");
}

#[test]
fn shapes_in_between_are_targets_whose_weights_follow_the_channel() {
    let (scene, report) = everything();
    let (id, strip) = node(&scene, "Strip");
    let mesh = &scene.meshes[strip.mesh.unwrap().index()];
    assert_eq!(mesh.morphs.iter().map(|m| &*m.name).collect::<Vec<_>>(), ["Half", "Full", "Rise"]);
    assert!(report.losses().iter().any(|l| l.code.id == "FB508" && l.kind == LossKind::Kept));
    let track = |clip: usize| {
        let mut tracks = scene.clips[clip].tracks.iter().filter(|t| t.node == id);
        let track = tracks.find(|t| matches!(t.values, Values::MorphWeights { .. })).expect("weights move");
        let Values::MorphWeights { count: 3, weights } = &track.values else { panic!("{:?}", track.values) };
        let keys = track.times.iter().copied().zip(weights.chunks_exact(3).map(|w| [w[0], w[1], w[2]]));
        (track.interpolation, keys.collect::<Vec<_>>())
    };
    // The channel goes 50 % (clip's start), 100 % at 1 s, 25 % at 2 s, 120 % at 3 s; the clip starts at 0.5 s.
    let (_, keys) = track(0);
    let at = |time: f32| keys.iter().find(|k| (k.0 - time).abs() < 1e-6).expect("a key").1;
    assert_eq!((at(0.0), at(0.5), at(1.5)), ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.0, 0.0]));
    let last = at(2.5);
    assert!((last[0] + 0.4).abs() < 1e-6 && (last[1] - 1.4).abs() < 1e-6, "{last:?}");
    assert_eq!(
        track(1),
        (Interpolation::Step, vec![(0.0, [0.0; 3]), (1.0, [0.0, 0.0, 1.0]), (2.0, [0.0; 3])])
    );
}

#[test]
fn takes_are_clips_and_curves_are_kept_where_a_track_has_them() {
    let (scene, report) = everything();
    assert_eq!(
        scene.clips.iter().map(|c| (&*c.name, c.duration)).collect::<Vec<_>>(),
        [("Wave", 2.5), ("Jump", 2.0)]
    );
    assert_eq!(scene.clips[0].extras["fbx"]["start"], 0.5);
    let jump = |name: &str| {
        let (id, _) = node(&scene, name);
        let track = scene.clips[1].tracks.iter().find(|t| t.node == id).expect(name);
        (track.interpolation, track.times.to_vec(), track.values.property())
    };
    assert_eq!(jump("Rig"), (Interpolation::Cubic, vec![0.0, 1.0, 2.0], "translation"));
    assert_eq!(jump("Again"), (Interpolation::Step, vec![0.0, 1.0, 2.0], "translation"));
    // Two turns between two keys.
    let (how, times, what) = jump("Lower");
    assert_eq!((how, what), (Interpolation::Linear, "rotation"));
    assert!(times.len() > 8, "{times:?}");
    let found = |code: &str| {
        report.losses().iter().filter(|l| l.code.id == code).map(|l| l.object.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(found("FB510"), ["clip \"Wave\""]);
    // Rotation about one axis is exact. Rotation about three is not, and about a pivot it moves the node on a curve.
    assert_eq!(found("FB511"), ["clip \"Wave\""]);
    let units = report.losses().iter().filter(|l| l.code.id == "FB511").map(|l| match l.kind {
        LossKind::Approximated { size: Some(_), unit } => unit,
        _ => "not measured",
    });
    assert_eq!(units.collect::<Vec<_>>(), ["of the model's size"]);
    assert_eq!(found("FB512"), ["clip \"Wave\""], "a visibility");
}

#[test]
fn instances_several_meshes_and_helpers_are_nodes() {
    let (scene, report) = everything();
    // "Flag" is on two nodes, and "Pennant" on two; where it is the second mesh of a node, it gets a node of its own.
    let drawn = |name: &str| {
        scene.nodes.iter().filter(|n| n.mesh.is_some_and(|m| scene.meshes[m.index()].name == name)).count()
    };
    assert_eq!((drawn("Flag"), drawn("Pennant")), (2, 2));
    let helpers: Vec<_> =
        report.losses().iter().filter(|l| l.code.id == "FB503").map(|l| &*l.message).collect();
    assert_eq!(helpers.len(), 2, "{helpers:?}");
    let again = node(&scene, "Again").1;
    assert_eq!(again.extras["fbx"]["visible"], false);
    let strip = node(&scene, "Strip").1;
    assert_eq!((&strip.extras["mood"], &strip.extras["luck"]), (&"calm".into(), &7.5.into()));
}

#[test]
fn materials_textures_lights_and_cameras_say_what_the_file_does() {
    let (scene, report) = everything();
    let phong = scene.materials[0].phong.as_ref().expect("Phong");
    assert_eq!((phong.diffuse, phong.specular, phong.shininess), ([0.4, 0.2, 0.1], [0.25; 3], Some(20.0)));
    assert_eq!((phong.opacity, scene.materials[0].alpha), (0.75, AlphaMode::Blend));
    assert_eq!(scene.materials[0].emissive, [0.1, 0.0, 0.0]);
    assert!(scene.materials[0].pbr.is_none());
    let dot = phong.diffuse_texture.as_ref().expect("embedded");
    let image = &scene.images[scene.textures[dot.texture.index()].image.index()];
    assert!(
        matches!(&image.data, ImageData::Embedded { mime, bytes } if mime == "image/png" && bytes.len() == 70),
        "{image:?}"
    );

    let cloth = scene.materials[1].phong.as_ref().expect("Lambert");
    assert_eq!((cloth.diffuse, cloth.shininess), ([0.0, 0.0, 1.0], None));
    let weave = cloth.diffuse_texture.as_ref().expect("a file");
    assert_eq!(weave.uv_set, 1, "by the name of the set");
    let texture = &scene.textures[weave.texture.index()];
    assert_eq!((texture.sampler.wrap_u, texture.sampler.wrap_v), (Wrap::Clamp, Wrap::Repeat));
    // A path on somebody's disk is looked up by file name, never outside the folder.
    assert_eq!(scene.images[texture.image.index()].data, ImageData::File("weave.png".into()));
    assert_eq!(report.diagnostics().iter().filter(|d| d.code.id == "FB301").count(), 1);
    // The image is twice as wide as the unit of the coordinates and four times as high, shifted by a quarter and a
    // half.
    let transform = weave.transform.expect("a transform");
    assert_eq!((transform.scale, transform.rotation), ([0.5, 0.25], 0.0));

    let lamp = node(&scene, "Lamp").1;
    let light = &scene.lights[lamp.light.unwrap().index()];
    assert_eq!((light.color, light.intensity), ([1.0, 0.5, 0.25], 2.5));
    let LightKind::Spot { inner_angle, outer_angle } = light.kind else { panic!("{light:?}") };
    assert!((inner_angle.to_degrees() - 10.0).abs() < 1e-4 && (outer_angle.to_degrees() - 25.0).abs() < 1e-4);
    let camera = &scene.cameras[node(&scene, "Eye").1.camera.unwrap().index()];
    assert_eq!((camera.near, camera.far), (0.1, Some(10.0)));
    let Projection::Perspective { fov_y, aspect: Some(aspect) } = camera.projection else {
        panic!("{camera:?}")
    };
    assert!((fov_y.to_degrees() - 40.0).abs() < 1e-3 && (aspect - 16.0 / 9.0).abs() < 1e-6);
    assert_eq!(scene.ambient, Some([0.1, 0.2, 0.3, 1.0]));
}

/// FBX lights shine along −Y of their node and cameras look along +X; in scenes both look along −Z.
#[test]
fn lights_and_cameras_look_where_they_did() {
    for axes in [AxesConversion::Geometry, AxesConversion::Root] {
        let options = ReadOptions { own: Own::with(&AXES, axes), ..ReadOptions::default() };
        let scene = scene(&fixture("everything.fbx"), &options).0.unwrap();
        let pose = ligament::pose::Pose::rest(&scene);
        let looks = |name: &str| {
            let (id, _) = node(&scene, name);
            pose.globals[id.index()].transform_vector3(-ligament::math::DVec3::Z).normalize()
        };
        // The lamp is rotated by 90° about X: from −Y to −Z of the file, which is down. The eye by 180° about Y: to −X.
        assert!(looks("Lamp").distance(ligament::math::DVec3::NEG_Y) < 1e-6, "{axes:?} {}", looks("Lamp"));
        assert!(looks("Eye").distance(ligament::math::DVec3::NEG_X) < 1e-6, "{axes:?} {}", looks("Eye"));
        let strip = ligament::pose::bounds(&scene, &pose).expect("something is drawn");
        assert!(strip.diagonal() < 5.0, "metres: {}", strip.diagonal());
    }
}

#[test]
fn a_pictures_name_is_found_in_the_models_folder() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("weave.png"), b"picture").unwrap();
    let (options, mut report) = (ReadOptions::default(), Report::default());
    let input = source(&fixture("everything.fbx"), folder.path());
    let document = ligament::formats::fbx::Document::read(input, &options, &mut report).unwrap();
    let scene = Box::new(document).import(&options, &mut report).unwrap();
    assert!(report.diagnostics().iter().all(|d| d.code.id != "FB301"), "{:?}", report.diagnostics());
    assert!(scene.images.iter().any(|i| i.data == ImageData::File("weave.png".into())));
}

#[test]
fn a_document_is_written_only_as_it_came() {
    for name in ["everything.fbx", "column.fbx"] {
        let bytes = fixture(name);
        let document = document(&bytes, &ReadOptions::default()).0.unwrap();
        let (mut output, mut report) = (MemoryOutput::new("copy"), Report::default());
        document.write(document.dialect(), &WriteOptions::default(), &mut output, &mut report).unwrap();
        assert_eq!(output.main, bytes);
        assert_eq!(report.diagnostics()[0].code.id, "FB402");
        let other = if document.dialect() == "ascii" { "binary" } else { "ascii" };
        assert!(!document.can_write(other));
    }
}

#[test]
fn fbx_is_copied_unless_something_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("a.fbx"), fixture("column.fbx")).unwrap();
    let (done, report) = ligament::convert(path("a.fbx"), path("b.fbx"), &Default::default()).unwrap();
    assert!(done.rewritten);
    assert_eq!(std::fs::read(path("b.fbx")).unwrap(), fixture("column.fbx"));
    assert!(report.diagnostics().iter().any(|d| d.code.id == "FB402"));
    ligament::convert(path("a.fbx"), path("c.glb"), &Default::default()).unwrap();
    let reencoded = || ligament::ConvertOptions { reencode: true, ..Default::default() };
    let other = ligament::ConvertOptions { dialect: Some("ascii".into()), ..Default::default() };
    for (input, options) in [("a.fbx", reencoded()), ("c.glb", reencoded()), ("a.fbx", other)] {
        let (done, _) = ligament::convert(path(input), path("d.fbx"), &options).unwrap();
        assert!(!done.rewritten && done.comparison.is_some_and(|found| found.is_within(2e-5)), "{input}");
    }
    assert!(std::fs::read(path("d.fbx")).unwrap().starts_with(b"; FBX 7.4.0 project file"));
}
