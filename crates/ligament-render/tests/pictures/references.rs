//! Compares pictures with references, and checks that faults are detected.

use super::compare::{difference, expect_reference, reference};
use super::{Subject, example, renderer, scenes};
use ligament::Scene;
use ligament::math::{Quat, Vec3, Vec4};
use ligament::scene::{Faces, Trs, Values};
use ligament_render::{Look, Renderer, Side};

fn creature() -> Scene {
    example("creature.glb").0
}

fn walking(scene: Scene, renderer: &mut Renderer) -> ligament_render::Picture {
    let (_, folder) = example("creature.glb");
    let clip = creature().clips[0].name.clone();
    let subject = Subject { folder: &folder, clip: Some(&clip), seconds: 0.3, ..Subject::new(scene) };
    subject.draw(renderer).0
}

/// A change that breaks a scene.
type Fault = fn(&mut Scene);

#[test]
fn the_creature_looks_as_it_did() {
    let Some(mut renderer) = renderer("the_creature_looks_as_it_did") else { return };
    let picture = walking(creature(), &mut renderer);
    expect_reference("creature", &picture);
}

#[test]
fn materials_look_as_they_did() {
    let Some(mut renderer) = renderer("materials_look_as_they_did") else { return };
    let subject = Subject { side: Side::Front, size: [216, 144], ..Subject::new(scenes::materials()) };
    let (picture, notes) = subject.draw(&mut renderer);
    assert!(notes.is_empty(), "{notes:?}");
    expect_reference("materials", &picture);
}

/// The comparison must detect each of these, or it proves nothing.
#[test]
fn faults_break_the_comparison() {
    let Some(mut renderer) = renderer("faults_break_the_comparison") else { return };
    let known = reference("creature", &walking(creature(), &mut renderer));
    let faults: [(&str, Fault); 4] = [
        ("a wrong joint", wrong_joint),
        ("flipped V", flipped_v),
        ("a missing texture", missing_texture),
        ("inverted winding", inverted_winding),
    ];
    for (fault, make) in faults {
        let mut scene = creature();
        make(&mut scene);
        let found = difference(&known, &walking(scene, &mut renderer));
        assert!(!found.is_small(), "{fault} is not noticed: {found:?}");
        println!("{fault}: {found:?}");
    }
}

/// One joint in the middle of the skeleton is rotated 25 degrees too far.
fn wrong_joint(scene: &mut Scene) {
    let joint = scene.skins[0].joints[scene.skins[0].joints.len() / 2];
    let extra = Quat::from_rotation_x(25_f32.to_radians());
    for track in scene.clips[0].tracks.iter_mut().filter(|track| track.node == joint) {
        if let Values::Rotation(turns) = &mut track.values {
            turns.iter_mut().for_each(|turn| *turn *= extra);
        }
    }
}

fn flipped_v(scene: &mut Scene) {
    let sets = scene.meshes.iter_mut().flat_map(|m| &mut m.parts).flat_map(|p| &mut p.uvs);
    sets.flatten().for_each(|uv| uv.y = 1.0 - uv.y);
}

fn missing_texture(scene: &mut Scene) {
    for material in &mut scene.materials {
        material.textures_mut().into_iter().for_each(|slot| *slot = None);
    }
}

fn inverted_winding(scene: &mut Scene) {
    for part in scene.meshes.iter_mut().flat_map(|m| &mut m.parts) {
        match &mut part.faces {
            Faces::Triangles(corners) => corners.as_chunks_mut::<3>().0.iter_mut().for_each(|t| t.swap(1, 2)),
            Faces::Polygons { starts, corners } => {
                let ends = starts.windows(2).map(|w| w[0] as usize..w[1] as usize);
                ends.for_each(|face| corners[face].reverse());
            }
            _ => {}
        }
    }
    scene.materials.iter_mut().for_each(|material| material.double_sided = false);
}

/// Colours are preserved: sRGB is decoded when a texture is read and encoded when a pixel is written.
#[test]
fn texture_colours_and_their_corners_are_exact() {
    let Some(mut renderer) = renderer("texture_colours_and_their_corners_are_exact") else { return };
    let look = Look { shadow: false, ..Look::default() };
    let subject = || Subject { side: Side::Front, look: look.clone(), ..Subject::new(scenes::four_colors()) };
    let (picture, notes) = subject().draw(&mut renderer);
    assert!(notes.is_empty(), "{notes:?}");
    let corners = [(40, 40), (150, 40), (40, 150), (150, 150)];
    for ((x, y), color) in corners.into_iter().zip(scenes::CORNERS) {
        assert_eq!(picture.pixel(x, y), Some(color), "at {x}, {y}");
    }
    // From behind, the square's back face is not drawn.
    let behind = Subject { side: Side::Back, ..subject() }.draw(&mut renderer).0;
    assert_eq!(behind.pixel(96, 96), Some(look.background));
    // A mirrored node flips the square, but its front is still its front.
    let mirror = Trs { scale: Vec3::new(-1.0, 1.0, 1.0), ..Trs::IDENTITY };
    let mirrored = Subject { scene: scenes::placed(scenes::four_colors(), mirror), ..subject() };
    let mirrored = mirrored.draw(&mut renderer).0;
    for ((x, y), color) in corners.into_iter().zip([1, 0, 3, 2].map(|i| scenes::CORNERS[i])) {
        assert_eq!(mirrored.pixel(x, y), Some(color), "at {x}, {y}");
    }
}

#[test]
fn a_transparent_background_stays_transparent() {
    let Some(mut renderer) = renderer("a_transparent_background_stays_transparent") else { return };
    let look = Look { background: [0; 4], shadow: false, ..Look::default() };
    let mut scene = scenes::four_colors();
    scene.materials[0] = scenes::unlit([1.0, 1.0, 1.0, 0.5]);
    scene.materials[0].alpha = ligament::scene::AlphaMode::Blend;
    let (picture, _) = Subject { side: Side::Front, look, ..Subject::new(scene) }.draw(&mut renderer);
    assert_eq!(picture.pixel(1, 1), Some([0; 4]));
    let [r, g, b, a] = picture.pixel(96, 96).expect("inside");
    assert!(a.abs_diff(128) <= 1 && [r, g, b].iter().all(|v| *v >= 254), "{:?}", [r, g, b, a]);
}

/// Blended parts are drawn from back to front, whatever their order.
#[test]
fn blending_goes_from_back_to_front() {
    let Some(mut renderer) = renderer("blending_goes_from_back_to_front") else { return };
    let look = Look { background: [0, 0, 0, 255], shadow: false, ..Look::default() };
    let sheet = |material: u32, z: f32| {
        let mut part = scenes::square(material);
        part.positions.iter_mut().for_each(|p| p.z = z);
        part
    };
    let mut red = scenes::unlit([1.0, 0.0, 0.0, 0.5]);
    let mut green = scenes::unlit([0.0, 1.0, 0.0, 0.5]);
    red.alpha = ligament::scene::AlphaMode::Blend;
    green.alpha = ligament::scene::AlphaMode::Blend;
    for parts in [vec![sheet(0, 0.5), sheet(1, -0.5)], vec![sheet(1, -0.5), sheet(0, 0.5)]] {
        let scene = scenes::of_parts(parts, vec![red.clone(), green.clone()]);
        let subject = Subject { side: Side::Front, look: look.clone(), ..Subject::new(scene) };
        let [r, g, ..] = subject.draw(&mut renderer).0.pixel(96, 96).expect("inside");
        // Half of red in front, a quarter of green behind it: 188 and 137 in sRGB.
        assert!(r.abs_diff(188) <= 1 && g.abs_diff(137) <= 1, "{r} {g}");
    }
}

/// Vertex colours multiply the material's, and are interpolated in linear light.
#[test]
fn vertex_colours_are_drawn() {
    let Some(mut renderer) = renderer("vertex_colours_are_drawn") else { return };
    let mut part = scenes::square(0);
    let (left, right) = (Vec4::new(1.0, 0.0, 0.0, 1.0), Vec4::new(0.0, 0.0, 1.0, 1.0));
    part.colors = vec![vec![left, right, right, left]];
    let scene = scenes::of_parts(vec![part], vec![scenes::unlit([1.0; 4])]);
    let look = Look { shadow: false, ..Look::default() };
    let (picture, _) = Subject { side: Side::Front, look, ..Subject::new(scene) }.draw(&mut renderer);
    let [r, g, b, _] = picture.pixel(96, 96).expect("inside");
    assert!(r.abs_diff(188) <= 2 && g == 0 && b.abs_diff(188) <= 2, "{r} {g} {b}");
    let [r, _, b, _] = picture.pixel(14, 96).expect("inside");
    assert!(r > 245 && b < 80, "{r} {b}");
}

#[test]
fn cut_outs_have_holes() {
    let Some(mut renderer) = renderer("cut_outs_have_holes") else { return };
    let look = Look { shadow: false, ..Look::default() };
    // Left half transparent, right half opaque.
    let pixels: Vec<u8> =
        (0..64).flat_map(|i| if i % 8 < 4 { [255, 0, 0, 60] } else { [255, 0, 0, 200] }).collect();
    let mut scene = scenes::picture(scenes::png(8, 8, &pixels));
    scene.materials[0].alpha = ligament::scene::AlphaMode::Mask(0.5);
    let (picture, _) =
        Subject { side: Side::Front, look: look.clone(), ..Subject::new(scene) }.draw(&mut renderer);
    assert_eq!(picture.pixel(40, 96), Some(look.background));
    assert_eq!(picture.pixel(150, 96), Some([255, 0, 0, 255]));
}

/// The pixels of a model do not depend on its size.
#[test]
fn a_model_of_a_million_units_looks_like_one_of_a_micron() {
    let Some(mut renderer) = renderer("a_model_of_a_million_units_looks_like_one_of_a_micron") else {
        return;
    };
    let scaled = |factor: f32| {
        let mut scene = scenes::materials();
        let places = scene.meshes.iter_mut().flat_map(|m| &mut m.parts).flat_map(|p| &mut p.positions);
        places.for_each(|p| *p *= factor);
        scene
    };
    let plain = Subject::new(scaled(1.0)).draw(&mut renderer).0;
    for factor in [1e-6, 1e6] {
        let (picture, notes) = Subject::new(scaled(factor)).draw(&mut renderer);
        assert!(notes.is_empty(), "{notes:?}");
        let found = difference(&plain, &picture);
        assert!(found.mean < 0.05 && found.worst_tile < 2.0, "{factor}: {found:?}");
    }
}
