//! A faulty model results in a picture and a note, or in an error; never in a panic.

use super::{Subject, renderer, scenes};
use ligament::Scene;
use ligament::io::NoFolder;
use ligament::math::Vec3;
use ligament::pose::Pose;
use ligament::scene::{Faces, ImageData, Local, Node, Part, Trs};
use ligament_render::{Look, NoteKind, RenderError, Seen, Shot, Side, Stage, poses_of};

fn plain() -> Look {
    Look { shadow: false, ..Look::default() }
}

/// Draws a square with a broken texture, and returns the notes. The square itself shows a checkerboard.
fn with_picture(test: &str, bytes: Option<Vec<u8>>) -> Option<String> {
    let mut renderer = renderer(test)?;
    let mut scene = scenes::picture(bytes.clone().unwrap_or_default());
    if bytes.is_none() {
        scene.images[0].data = ImageData::File("textures/gone.png".into());
    }
    let (picture, notes) =
        Subject { side: Side::Front, look: plain(), ..Subject::new(scene) }.draw(&mut renderer);
    let count = |color: fn([u8; 4]) -> bool| {
        picture.rgba.as_chunks::<4>().0.iter().filter(|pixel| color(**pixel)).count()
    };
    let (magenta, grey) = (count(|[r, g, b, _]| r > 200 && g < 60 && b > 180), count(|p| p[..3] == [128; 3]));
    assert!(magenta > 8000 && grey > 8000, "{magenta} {grey}");
    let notes: Vec<_> = notes.iter().collect();
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert_eq!(notes[0].kind, NoteKind::Texture);
    Some(notes[0].message.clone())
}

#[test]
fn a_missing_texture_is_named() {
    if let Some(message) = with_picture("a_missing_texture_is_named", None) {
        assert!(message.contains("textures/gone.png"), "{message}");
    }
}

#[test]
fn a_broken_texture_is_left_out() {
    let mut bytes = scenes::png(8, 8, &[9; 256]);
    bytes.truncate(bytes.len() / 2);
    if let Some(message) = with_picture("a_broken_texture_is_left_out", Some(bytes)) {
        assert!(message.contains("\"picture\" is left out"), "{message}");
    }
}

#[test]
fn a_texture_of_no_known_kind_is_left_out() {
    let text = b"#version 3.7; // not a picture at all".to_vec();
    if let Some(message) = with_picture("a_texture_of_no_known_kind_is_left_out", Some(text)) {
        assert!(message.contains("left out"), "{message}");
    }
}

/// A header that claims more pixels than the file or the memory has.
#[test]
fn a_texture_that_claims_to_be_enormous_is_left_out() {
    let mut bytes = scenes::png(8, 8, &[9; 256]);
    bytes[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
    let mut crc = 0xffff_ffff_u32;
    for byte in &bytes[12..29] {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    bytes[29..33].copy_from_slice(&(!crc).to_be_bytes());
    if let Some(message) = with_picture("a_texture_that_claims_to_be_enormous_is_left_out", Some(bytes)) {
        assert!(message.contains("left out"), "{message}");
    }
}

#[test]
fn a_texture_beyond_the_device_is_made_smaller() {
    let Some(mut renderer) = renderer("a_texture_beyond_the_device_is_made_smaller") else { return };
    let scene = scenes::picture(scenes::png(20_000, 2, &[0, 0, 255, 255].repeat(40_000)));
    let (picture, notes) =
        Subject { side: Side::Front, look: plain(), ..Subject::new(scene) }.draw(&mut renderer);
    assert_eq!(picture.pixel(96, 96), Some([0, 0, 255, 255]));
    let message = &notes.iter().next().expect("a note").message;
    assert!(message.contains("20000×2"), "{message}");
}

#[test]
fn a_scene_of_nothing_is_a_picture_and_a_note() {
    let Some(mut renderer) = renderer("a_scene_of_nothing_is_a_picture_and_a_note") else { return };
    let look = Look::default();
    let (picture, notes) = Subject::new(Scene::default()).draw(&mut renderer);
    assert!(picture.rgba.as_chunks::<4>().0.iter().all(|p| *p == look.background));
    assert!(notes.iter().any(|note| note.message.contains("nothing to draw")), "{notes:?}");
}

#[test]
fn a_single_point_is_seen() {
    let Some(mut renderer) = renderer("a_single_point_is_seen") else { return };
    let part = Part { positions: vec![Vec3::splat(7.0)], ..scenes::square(0) };
    let part = Part { normals: vec![], uvs: vec![], faces: Faces::Points(vec![0]), ..part };
    let scene = scenes::of_parts(vec![part], vec![scenes::unlit([1.0, 0.0, 0.0, 1.0])]);
    let (picture, notes) = Subject { look: plain(), ..Subject::new(scene) }.draw(&mut renderer);
    assert!(notes.is_empty(), "{notes:?}");
    assert_eq!(picture.pixel(96, 96), Some([255, 0, 0, 255]));
}

#[test]
fn joints_alone_are_seen() {
    let Some(mut renderer) = renderer("joints_alone_are_seen") else { return };
    let mut scene = Scene::default();
    let root = scene.add_node(Node::default());
    let local = Local::Trs(Trs { translation: Vec3::Y, ..Trs::IDENTITY });
    scene.add_node(Node { parent: Some(root), local, ..Node::default() });
    let (picture, notes) = Subject { look: plain(), ..Subject::new(scene) }.draw(&mut renderer);
    assert!(notes.is_empty(), "{notes:?}");
    assert_ne!(picture.pixel(96, 96), Some(Look::default().background));
}

/// Numbers that are not finite, everywhere that a hand-made scene can have them.
#[test]
fn numbers_that_are_not_finite_do_not_reach_the_device() {
    let Some(mut renderer) = renderer("numbers_that_are_not_finite_do_not_reach_the_device") else { return };
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
        let mut scene = scenes::materials();
        let part = &mut scene.meshes[0].parts[0];
        part.positions[3] = Vec3::splat(bad);
        part.normals[5] = Vec3::splat(bad);
        part.uvs[0][7].x = bad;
        let material = &mut scene.materials[1];
        material.emissive = [bad; 3];
        material.emissive_strength = bad;
        if let Some(pbr) = &mut material.pbr {
            pbr.base_color = [bad; 4];
            pbr.metallic = bad;
            pbr.roughness = bad;
        }
        scene.ambient = Some([bad; 4]);
        let (picture, notes) = Subject::new(scene).draw(&mut renderer);
        // The intact balls are drawn.
        assert_eq!(picture.rgba.len(), 192 * 192 * 4);
        if bad != f32::MAX {
            assert!(
                notes.iter().any(|note| note.message.contains("without a finite position")),
                "{bad}: {notes:?}"
            );
            let colors: std::collections::HashSet<_> = picture.rgba.as_chunks::<4>().0.iter().collect();
            assert!(colors.len() > 100, "{bad}: {} colours", colors.len());
        }
    }
}

#[test]
fn sizes_that_cannot_be_drawn_are_errors() {
    let Some(mut renderer) = renderer("sizes_that_cannot_be_drawn_are_errors") else { return };
    let mut model = renderer.load(scenes::four_colors(), &NoFolder).expect("loaded");
    let pose = Pose::rest(model.scene());
    let stage = Stage::new(model.scene(), poses_of(model.scene(), None), Side::Front, 1.0, Seen::default());
    let look = Look::default();
    for size in [[0, 10], [10, 0], [1_000_000, 10], [u32::MAX, u32::MAX]] {
        let found = renderer.picture(&mut model, &Shot::new(&pose, &stage, &look), size);
        assert!(matches!(found, Err(RenderError::TooLarge(_))), "{size:?}: {found:?}");
    }
    let (picture, _) =
        renderer.picture(&mut model, &Shot::new(&pose, &stage, &look), [1, 1]).expect("one pixel");
    assert_eq!(picture.rgba.len(), 4);
}

#[test]
fn a_lost_device_is_an_error_value() {
    let Some(mut renderer) = renderer("a_lost_device_is_an_error_value") else { return };
    let mut model = renderer.load(scenes::four_colors(), &NoFolder).expect("loaded");
    let pose = Pose::rest(model.scene());
    let stage = Stage::new(model.scene(), poses_of(model.scene(), None), Side::Front, 1.0, Seen::default());
    let look = Look::default();
    let shot = Shot::new(&pose, &stage, &look);
    renderer.picture(&mut model, &shot, [32, 32]).expect("drawn before");
    renderer.gpu().device.destroy();
    let mut errors = Vec::new();
    for _ in 0..3 {
        errors.extend(renderer.picture(&mut model, &shot, [32, 32]).err());
    }
    assert_eq!(errors.len(), 3);
    assert!(!errors[0].to_string().is_empty() && !errors[0].help().is_empty());
}
