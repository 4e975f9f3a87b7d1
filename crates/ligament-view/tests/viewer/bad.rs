//! Bad input degrades with a message.

use super::*;
use ligament::math::Vec3;
use ligament::report::Severity;
use ligament::scene::{Clip, Interpolation, Local, Node, NodeId, Skin, Track, Trs, Values};
use std::fs;

/// An OBJ file with arbitrary content.
fn obj(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).expect("written");
    path
}

#[test]
fn models_of_any_size_are_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(mut viewer) = Viewer::new("models_of_any_size_are_seen") else { return };
    for size in ["1e6", "1", "1e-6"] {
        let text = format!("v 0 0 0\nv {size} 0 0\nv {size} {size} 0\nv 0 {size} {size}\nf 1 2 3 4\n");
        viewer.state.update(Event::Open(vec![obj(folder.path(), "square.obj", &text)]));
        viewer.wait();
        viewer.act(Action::TwoSided);
        let pixels = covered(&viewer.draw(), viewer.state.look.background);
        assert!(pixels > 8000, "{size}: {pixels} pixels");
        viewer.act(Action::TwoSided);
    }
}

#[test]
fn a_point_and_nothing_are_shown_with_a_note() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(mut viewer) = Viewer::new("a_point_and_nothing_are_shown_with_a_note") else { return };
    viewer.state.update(Event::Open(vec![obj(folder.path(), "point.obj", "v 7 7 7\np 1\n")]));
    viewer.wait();
    let pixels = covered(&viewer.draw(), viewer.state.look.background);
    assert!((1..400).contains(&pixels), "{pixels} pixels");
    let nothing = written(Scene::default(), folder.path(), "nothing.glb");
    viewer.state.update(Event::Open(vec![nothing]));
    viewer.wait();
    assert!(viewer.state.slots[0].broken.is_none(), "{:?}", viewer.state.slots[0].broken);
    assert_eq!(covered(&viewer.draw(), viewer.state.look.background), 0);
    let notes: Vec<_> = viewer.state.slots[0].notes.iter().map(|note| note.message.clone()).collect();
    assert!(notes.iter().any(|note| note.contains("nothing to draw")), "{notes:?}");
    for action in [Action::Fit, Action::FitSelected, Action::Play, Action::Weights, Action::NextCamera] {
        viewer.act(action);
    }
    viewer.draw();
}

#[test]
fn a_skeleton_alone_is_seen_and_can_be_clicked() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut scene = Scene::default();
    let root = scene.add_node(Node { name: "root".into(), ..Node::default() });
    let up = Local::Trs(Trs { translation: Vec3::Y, ..Trs::IDENTITY });
    let tip = scene.add_node(Node { name: "tip".into(), parent: Some(root), local: up, ..Node::default() });
    scene.skins.push(Skin {
        joints: vec![root, tip],
        inverse_binds: vec![ligament::math::Mat4::IDENTITY.to_cols_array(); 2],
        ..Skin::default()
    });
    let path = written(scene, folder.path(), "bones.glb");
    let Some(mut viewer) = Viewer::open("a_skeleton_alone_is_seen_and_can_be_clicked", &[path]) else {
        return;
    };
    assert!(covered(&viewer.draw(), viewer.state.look.background) > 300);
    let all = (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| [x as f32, y as f32]));
    let joints: std::collections::HashSet<String> =
        all.filter_map(|at| viewer.state.hit(at)).map(|(_, hit)| format!("{hit:?}")).collect();
    assert_eq!(joints.len(), 2, "{joints:?}");
}

#[test]
fn a_clip_without_length_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut scene, _) = ligament::read(example("creature.glb"), &Default::default()).expect("read");
    scene.clips = vec![Clip {
        name: "still".into(),
        tracks: vec![Track {
            node: NodeId(0),
            interpolation: Interpolation::Linear,
            times: [0.0].into(),
            values: Values::Translation(vec![Vec3::ZERO]),
        }],
        ..Clip::default()
    }];
    let path = written(scene, folder.path(), "still.glb");
    let Some(mut viewer) = Viewer::open("a_clip_without_length_says_so", &[path]) else { return };
    assert_eq!(viewer.state.clock.clip.as_ref().map(|(_, score)| score.duration), Some(0.0));
    viewer.act(Action::Play);
    assert!(!viewer.state.clock.playing);
    let message = &viewer.state.message.as_ref().expect("a message").0;
    assert!(message.text.contains("zero length"), "{message:?}");
    for action in [Action::NextKey, Action::FrameForwards, Action::End] {
        viewer.act(action);
    }
    viewer.state.update(Event::Seek(f64::NAN));
    assert_eq!(viewer.state.clock.time, 0.0);
    viewer.draw();
}

/// Textures that are missing, broken, of the wrong kind, and larger than any device can hold.
#[test]
fn textures_that_cannot_be_shown_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("broken.png"), b"\x89PNG\r\n\x1a\nnot really").expect("written");
    fs::write(folder.path().join("kind.png"), b"#!/bin/sh\necho no picture\n").expect("written");
    fs::write(folder.path().join("huge.png"), huge_png()).expect("written");
    let Some(mut viewer) = Viewer::new("textures_that_cannot_be_shown_are_named") else { return };
    for name in ["missing.png", "broken.png", "kind.png", "huge.png"] {
        obj(folder.path(), "one.mtl", &format!("newmtl one\nKd 1 0 0\nmap_Kd {name}\n"));
        let text =
            "mtllib one.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl one\nf 1/1 2/2 3/3\n";
        viewer.state.update(Event::Open(vec![obj(folder.path(), "one.obj", text)]));
        viewer.wait();
        let opened = viewer.state.slots[0].opened.as_ref().expect("the model is shown");
        let said = opened.report.diagnostics().iter().filter(|d| d.severity >= Severity::Warning);
        assert!(said.clone().any(|d| d.message.contains(name)), "{name}: {:?}", opened.report.diagnostics());
        viewer.act(Action::Front);
        assert!(covered(&viewer.draw(), viewer.state.look.background) > 5000, "{name}");
    }
}

/// A header of 60,000 by 60,000 pixels and nothing behind it.
fn huge_png() -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\xea\x60\0\0\xea\x60\x08\x06\0\0\0".to_vec();
    let mut crc = 0xffff_ffff_u32;
    for byte in &bytes[12..29] {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    bytes.extend((!crc).to_be_bytes());
    bytes
}

#[test]
fn a_lost_device_is_replaced_and_everything_comes_back() {
    let test = "a_lost_device_is_replaced_and_everything_comes_back";
    let Some(mut viewer) = Viewer::open(test, &[example("creature.glb")]) else { return };
    viewer.state.update(Event::Seek(0.5));
    viewer.state.update(Event::Turn(20.0, 0.0));
    let before = viewer.draw();
    let kept = (viewer.state.orbit, viewer.state.clock.clone());
    viewer.painter.renderer().gpu().device.destroy();
    viewer.state.update(Event::Turn(0.0, 0.0));
    let mut lost = false;
    for _ in 0..3 {
        lost |= matches!(viewer.painter.draw(&mut viewer.state), Err(RenderError::Lost(_)));
        viewer.state.update(Event::Turn(0.0, 0.0));
    }
    assert!(lost, "the loss is noticed");
    let Some(painter) = painter(test) else { return };
    viewer.painter = painter;
    viewer.state.move_to(viewer.painter.renderer().loader());
    viewer.wait();
    assert_eq!(kept, (viewer.state.orbit, viewer.state.clock.clone()));
    assert_eq!(differing(&viewer.draw(), &before), 0);
}

/// Sizes that a window can have for a moment.
#[test]
fn tiny_views_are_drawn() {
    let Some(mut viewer) =
        Viewer::open("tiny_views_are_drawn", &[example("creature.glb"), example("creature.apg")])
    else {
        return;
    };
    for size in [[1, 1], [2, 300], [700, 1]] {
        viewer.state.update(Event::Resize(size));
        let picture = viewer.draw();
        assert_eq!([picture.width, picture.height], size);
    }
    viewer.state.update(Event::Resize([0, 10]));
    assert!(viewer.painter.draw(&mut viewer.state).is_err());
}
