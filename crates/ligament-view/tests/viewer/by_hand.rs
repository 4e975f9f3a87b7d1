//! Joints and morph targets moved by hand, and the weights of all joints.

use super::desk::Desk;
use super::*;
use ligament::math::Vec3;
use ligament::scene::{Faces, Material, MaterialId, Mesh, MeshId, Morph, MorphDeltas, Node, Part};
use ligament_render::Hit;
use ligament_view::egui::{Key, Modifiers, PointerButton, Pos2, vec2};

/// The corner of the picture in the window.
const CORNER: Pos2 = Pos2::new(250.0, 25.0);

/// Where a joint is in the window.
fn joint(desk: &Desk) -> (Pos2, ligament::scene::NodeId) {
    for y in (40..400).step_by(2) {
        for x in (20..340).step_by(2) {
            if let Some((0, Hit::Joint(node))) = desk.viewer.state.hit([x as f32, y as f32]) {
                let scene = desk.viewer.state.slots[0].scene().expect("a scene");
                if scene.nodes[node.index()].name == "head" {
                    return (CORNER + vec2(x as f32 + 2.0, y as f32 + 2.0), node);
                }
            }
        }
    }
    panic!("no joint is seen");
}

#[test]
fn a_joint_is_dragged_and_put_back() {
    let Some(mut desk) = Desk::open("a_joint_is_dragged_and_put_back", &[example("creature.glb")]) else {
        return;
    };
    desk.key(Key::S, Modifiers::NONE);
    let before = desk.settle();
    let (at, node) = joint(&desk);
    let camera = desk.viewer.state.orbit;
    desk.drag(PointerButton::Primary, at, at + vec2(70.0, 20.0));
    let after = desk.look("bent");
    assert!(desk.viewer.state.slots[0].trial.is_turned(node));
    assert_eq!(desk.viewer.state.orbit, camera, "the camera stays");
    assert_eq!(desk.viewer.state.held, None);
    assert!(differing(&before, &after) > 1500);
    // Elsewhere, a drag turns the camera.
    desk.drag(PointerButton::Primary, Pos2::new(280.0, 60.0), Pos2::new(300.0, 60.0));
    assert_ne!(desk.viewer.state.orbit, camera);
    desk.viewer.state.orbit = camera;
    desk.key(Key::R, Modifiers::NONE);
    let again = desk.settle();
    assert!(desk.viewer.state.slots[0].trial.is_empty());
    assert!(differing(&before, &again) < 20, "only the pointer may have left a mark");
}

#[test]
fn all_weights_and_many_influences_are_painted() {
    let test = "all_weights_and_many_influences_are_painted";
    let Some(mut desk) = Desk::open(test, &[example("creature.glb")]) else { return };
    let plain = desk.settle();
    desk.key(Key::W, Modifiers::SHIFT);
    let weights = desk.look("all-weights");
    assert!(desk.viewer.state.is_on(Action::AllWeights));
    assert!(differing(&plain, &weights) > 5000);
    desk.key(Key::I, Modifiers::SHIFT);
    desk.viewer.state.update(Event::Influences(1));
    desk.look("influences");
    // Without the panels, which have red things of their own.
    let many = desk.viewer.draw();
    desk.viewer.state.update(Event::Influences(4));
    let none = desk.viewer.draw();
    let red = |picture: &Picture| {
        picture.rgba.as_chunks::<4>().0.iter().filter(|p| p[0] > 150 && p[1] < 90 && p[2] < 70).count()
    };
    assert!(red(&many) > 3000 && red(&none) < 300, "{} and {}", red(&many), red(&none));
    desk.key(Key::I, Modifiers::SHIFT);
    assert!(!desk.viewer.state.is_on(Action::Influences));
}

#[test]
fn morph_targets_have_sliders() {
    let folder = tempfile::tempdir().expect("a folder");
    let corners = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
    let wide =
        MorphDeltas { positions: vec![Vec3::ZERO, Vec3::X, Vec3::X, Vec3::ZERO], ..MorphDeltas::default() };
    let part = Part {
        material: Some(MaterialId(0)),
        positions: corners.to_vec(),
        normals: vec![Vec3::Z; 4],
        faces: Faces::Triangles(vec![0, 1, 2, 0, 2, 3]),
        morphs: vec![wide],
        ..Part::default()
    };
    let mesh = Mesh {
        parts: vec![part],
        morphs: vec![Morph { name: "wide".into(), ..Morph::default() }],
        ..Mesh::default()
    };
    let material = Material { double_sided: true, ..Material::default() };
    let mut scene = Scene { meshes: vec![mesh], materials: vec![material], ..Scene::default() };
    let node = scene.add_node(Node { name: "face".into(), mesh: Some(MeshId(0)), ..Node::default() });
    let path = written(scene, folder.path(), "morph.glb");
    let Some(mut desk) = Desk::open("morph_targets_have_sliders", &[path]) else { return };
    let background = desk.viewer.state.look.background;
    let at_rest = covered(&desk.viewer.draw(), background);
    desk.look("morphs");
    assert!(desk.find("wide").is_some(), "there is a slider");
    desk.viewer.state.update(Event::Morph(0, node, 0, Some(-0.5)));
    desk.look("morphs-set");
    let half = covered(&desk.viewer.draw(), background) as f64 / at_rest as f64;
    assert!((0.4..0.65).contains(&half), "{half} of {at_rest} pixels");
    desk.viewer.state.update(Event::Morph(0, node, 0, None));
    assert_eq!(covered(&desk.viewer.draw(), background), at_rest);
    desk.viewer.state.update(Event::Morph(5, node, 9, Some(1.0)));
}
