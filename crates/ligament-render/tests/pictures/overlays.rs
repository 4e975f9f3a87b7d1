//! Overlays: each shows what it should, where it should.

use super::{Subject, compare::expect_reference, example, renderer, scenes};
use ligament::math::Vec3;
use ligament::scene::{Faces, Influence, Influences, Local, Node, Part, Skin, SkinId, Trs};
use ligament_render::{Anchor, Block, Label, Look, Seen, Shot, Side, Stage, Surface, heat, poses_of};

fn plain() -> Look {
    Look { shadow: false, ..Look::default() }
}

#[test]
fn overlays_of_the_creature_look_as_they_did() {
    let Some(mut renderer) = renderer("overlays_of_the_creature_look_as_they_did") else { return };
    let looks = [
        ("bones", Look { skeleton: true, axes: true, wire: true, ..plain() }),
        ("boxes", Look { bounds: true, normals: true, grid: true, surface: Surface::UvChecker, ..plain() }),
    ];
    for (name, look) in looks {
        let (scene, folder) = example("creature.glb");
        let subject = Subject { look, folder: &folder, ..Subject::new(scene) };
        expect_reference(name, &subject.draw(&mut renderer).0);
    }
}

/// A square whose halves follow different joints.
#[test]
fn weights_are_colours_of_the_scale() {
    let Some(mut renderer) = renderer("weights_are_colours_of_the_scale") else { return };
    let mut part = scenes::square(0);
    part.influences = Influences::new();
    for vertex in 0..4 {
        let joint = u32::from(vertex == 1 || vertex == 2);
        part.influences.push([Influence { joint, weight: 3.0 }]);
    }
    let mut scene = scenes::of_parts(vec![part], vec![scenes::unlit([1.0; 4])]);
    let joints = vec![scene.add_node(Node::default()), scene.add_node(Node::default())];
    let identity = ligament::math::Mat4::IDENTITY.to_cols_array();
    scene.skins.push(Skin { joints: joints.clone(), inverse_binds: vec![identity; 2], ..Skin::default() });
    scene.nodes[0].skin = Some(SkinId(0));
    let look = Look { surface: Surface::Weights(joints[1]), ..plain() };
    let subject = Subject { side: Side::Front, look, ..Subject::new(scene) };
    let (picture, _) = subject.draw(&mut renderer);
    // Seen head-on, the colours are those of the scale, except for shading at the corners.
    for (x, value) in [(14, 0.0), (178, 1.0)] {
        let (found, expected) = (picture.pixel(x, 96).expect("inside"), heat(value));
        let away = found.iter().zip(expected).map(|(a, b)| a.abs_diff(b)).max();
        assert!(away <= Some(14), "{found:?} instead of {expected:?}");
    }
}

#[test]
fn flat_colours_and_texture_coordinates_replace_materials() {
    let Some(mut renderer) = renderer("flat_colours_and_texture_coordinates_replace_materials") else {
        return;
    };
    let mut draw = |surface| {
        let look = Look { surface, ..plain() };
        Subject { side: Side::Front, look, ..Subject::new(scenes::four_colors()) }.draw(&mut renderer).0
    };
    let flat = draw(Surface::Flat);
    let [r, g, b, _] = flat.pixel(40, 40).expect("inside");
    assert!(r == g && g == b && r > 240, "the base colour is white: {r} {g} {b}");
    let checker = draw(Surface::UvChecker);
    let red = |x, y| checker.pixel(x, y).map_or(0, |p| p[0]);
    let green = |x, y| checker.pixel(x, y).map_or(0, |p| p[1]);
    // Dark cells on a diagonal: U grows to the right and V downwards.
    assert!(red(175, 41) > red(18, 41) && green(41, 175) > green(41, 18));
}

#[test]
fn names_are_drawn_and_those_without_room_are_counted() {
    let Some(mut renderer) = renderer("names_are_drawn_and_those_without_room_are_counted") else { return };
    let (scene, folder) = example("creature.glb");
    let count = scene.joint_count();
    assert!(count > 3);
    let with = |names| Look { skeleton: true, names, ..plain() };
    let draw = |look, size, renderer: &mut ligament_render::Renderer| {
        let (scene, _) = example("creature.glb");
        Subject { look, folder: &folder, size, ..Subject::new(scene) }.draw(renderer)
    };
    let (bare, _) = draw(with(false), [512, 512], &mut renderer);
    let (named, notes) = draw(with(true), [512, 512], &mut renderer);
    assert_ne!(bare, named);
    let (_, crowded) = draw(with(true), [64, 64], &mut renderer);
    assert!(crowded.iter().any(|note| note.message.contains("joint names hidden")), "{crowded:?} {notes:?}");
}

#[test]
fn labels_and_blocks_are_where_they_were_put() {
    let Some(mut renderer) = renderer("labels_and_blocks_are_where_they_were_put") else { return };
    let mut model = renderer.load(ligament::Scene::default(), &ligament::io::NoFolder).expect("loaded");
    let pose = ligament::pose::Pose::rest(model.scene());
    let stage = Stage::new(model.scene(), poses_of(model.scene(), None), Side::Front, 1.0, Seen::default());
    let look = plain();
    let blocks = [Block { rectangle: [10.0, 20.0, 30.0, 40.0], color: [200, 0, 100, 255] }];
    let label = |anchor| Label {
        text: "WWW".into(),
        at: [64.0, 80.0],
        size: 20.0,
        color: [0, 0, 0, 255],
        rim: None,
        anchor,
    };
    let dark = |picture: &ligament_render::Picture| -> Vec<(u32, u32)> {
        let all = (0..128).flat_map(|y| (0..128).map(move |x| (x, y)));
        all.filter(|&(x, y)| picture.pixel(x, y).is_some_and(|p| p[..3] == [0; 3])).collect()
    };
    for (anchor, columns) in [(Anchor::Left, 64..108), (Anchor::Center, 42..87), (Anchor::Right, 20..65)] {
        let labels = [label(anchor)];
        let shot = Shot { blocks: &blocks, labels: &labels, ..Shot::new(&pose, &stage, &look) };
        let (picture, _) = renderer.picture(&mut model, &shot, [128, 128]).expect("drawn");
        assert_eq!(picture.pixel(10, 20), Some([200, 0, 100, 255]));
        assert_eq!(picture.pixel(29, 39), Some([200, 0, 100, 255]));
        assert_eq!(picture.pixel(30, 40), Some(look.background));
        let ink = dark(&picture);
        assert!(ink.len() > 30, "{anchor:?}: {} pixels", ink.len());
        assert!(ink.iter().all(|(x, y)| columns.contains(x) && (80..101).contains(y)), "{anchor:?}: {ink:?}");
    }
}

/// Two areas of one target: the second keeps what the first has drawn.
#[test]
fn areas_do_not_touch_each_other() {
    let Some(mut renderer) = renderer("areas_do_not_touch_each_other") else { return };
    let mut model = renderer.load(scenes::four_colors(), &ligament::io::NoFolder).expect("loaded");
    let pose = ligament::pose::Pose::rest(model.scene());
    let stage = Stage::new(model.scene(), poses_of(model.scene(), None), Side::Front, 1.0, Seen::default());
    let look = plain();
    for (number, area) in [[0, 0, 96, 96], [96, 0, 96, 96]].into_iter().enumerate() {
        let shot = Shot { area: Some(area), keep: number == 1, ..Shot::new(&pose, &stage, &look) };
        renderer.draw_inside(&mut model, &shot, [192, 96]).expect("drawn");
    }
    let picture = renderer.finish().expect("read back");
    for x in 0..96 {
        for y in 0..96 {
            assert_eq!(picture.pixel(x, y), picture.pixel(x + 96, y), "at {x}, {y}");
        }
    }
    assert_eq!(picture.pixel(24, 24), Some(scenes::CORNERS[0]));
}

#[test]
fn hidden_nodes_are_left_out() {
    let Some(mut renderer) = renderer("hidden_nodes_are_left_out") else { return };
    let mut model = renderer.load(scenes::four_colors(), &ligament::io::NoFolder).expect("loaded");
    let pose = ligament::pose::Pose::rest(model.scene());
    let stage = Stage::new(model.scene(), poses_of(model.scene(), None), Side::Front, 1.0, Seen::default());
    let look = plain();
    let shot = Shot { hidden: &[true], ..Shot::new(&pose, &stage, &look) };
    let (picture, _) = renderer.picture(&mut model, &shot, [64, 64]).expect("drawn");
    assert!(picture.rgba.as_chunks::<4>().0.iter().all(|p| *p == look.background));
}

#[test]
fn lines_and_points_of_models_are_drawn() {
    let Some(mut renderer) = renderer("lines_and_points_of_models_are_drawn") else { return };
    let line = Part {
        positions: vec![Vec3::new(-1.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0)],
        faces: Faces::Lines(vec![0, 1]),
        ..Part::default()
    };
    let bare =
        Part { positions: vec![Vec3::new(0.0, 0.9, 0.0), Vec3::new(0.0, -0.9, 0.0)], ..Part::default() };
    let material = scenes::unlit([1.0, 0.0, 0.0, 1.0]);
    let with = |mut part: Part| {
        part.material = Some(ligament::scene::MaterialId(0));
        part
    };
    let mut scene = scenes::of_parts(vec![with(line), with(bare)], vec![material]);
    scene.nodes[0].local = Local::Trs(Trs { translation: Vec3::splat(3.0), ..Trs::IDENTITY });
    let subject = Subject { side: Side::Front, look: plain(), ..Subject::new(scene) };
    let (picture, notes) = subject.draw(&mut renderer);
    assert!(notes.iter().any(|note| note.message.contains("drawn as points")), "{notes:?}");
    // The line is in the middle, between the two points, and does not touch them.
    let reddish = |y: &u32| picture.pixel(60, *y).is_some_and(|p| p[0] > 200 && p[1] < 180);
    let rows: Vec<u32> = (0..192).filter(reddish).collect();
    assert!(!rows.is_empty() && rows.iter().all(|y| (94..=98).contains(y)), "{rows:?}");
    let near_top = (0..192).flat_map(|x| (0..40).map(move |y| (x, y)));
    assert!(near_top.clone().any(|(x, y)| picture.pixel(x, y) == Some([255, 0, 0, 255])));
}
