//! Selecting in the picture and in the tree, hiding and showing.

use super::*;
use ligament::scene::{MaterialId, MeshId, NodeId};
use ligament_render::{Hit, Selected};

/// A point of the picture with a matching object.
fn point(viewer: &Viewer, fits: impl Fn(Hit) -> bool) -> [f32; 2] {
    for y in (0..SIZE[1]).step_by(3) {
        for x in (0..SIZE[0]).step_by(3) {
            let at = [x as f32, y as f32];
            if viewer.state.hit(at).is_some_and(|(_, hit)| fits(hit)) {
                return at;
            }
        }
    }
    panic!("nothing of the kind is seen");
}

fn is_orange(picture: &Picture, before: &Picture) -> usize {
    let pairs = picture.rgba.as_chunks::<4>().0.iter().zip(before.rgba.as_chunks::<4>().0);
    pairs.filter(|(now, then)| now[0] > then[0].saturating_add(8) && now[2] < then[2]).count()
}

#[test]
fn a_click_selects_and_more_clicks_reach_mesh_and_material() {
    let test = "a_click_selects_and_more_clicks_reach_mesh_and_material";
    let Some(mut viewer) = Viewer::open(test, &[example("creature.glb")]) else { return };
    let before = viewer.draw();
    let at = point(&viewer, |hit| matches!(hit, Hit::Part { material: Some(MaterialId(0)), .. }));
    let node = match viewer.state.hit(at) {
        Some((0, Hit::Part { node, .. })) => node,
        other => panic!("{other:?}"),
    };
    assert_eq!(viewer.state.slots[0].label(Selected::Node(node)).as_deref(), Some("creature"));
    // Folded rows above it are unfolded.
    viewer.state.slots[0].folded.extend(0..3);
    let mut seen = Vec::new();
    for _ in 0..4 {
        viewer.state.update(Event::Click(at, false));
        seen.push(viewer.state.selected.expect("selected").1);
    }
    let expected = [
        Selected::Node(node),
        Selected::Mesh(MeshId(0)),
        Selected::Material(MaterialId(0)),
        Selected::Node(node),
    ];
    assert_eq!(seen, expected);
    assert!(!viewer.state.slots[0].folded.contains(&0));
    assert!(is_orange(&viewer.draw(), &before) > 2000, "it stands out");
    // A click beside the model deselects.
    viewer.state.update(Event::Click([1.0, 1.0], false));
    assert_eq!(viewer.state.selected, None);
    assert_eq!(differing(&viewer.draw(), &before), 0);
}

#[test]
fn what_is_selected_in_the_tree_stands_out() {
    let Some(mut viewer) =
        Viewer::open("what_is_selected_in_the_tree_stands_out", &[example("creature.glb")])
    else {
        return;
    };
    let before = viewer.draw();
    let orange = |viewer: &mut Viewer, what| {
        viewer.state.update(Event::Select(0, what));
        is_orange(&viewer.draw(), &before)
    };
    let mesh = orange(&mut viewer, Selected::Mesh(MeshId(0)));
    let hide = orange(&mut viewer, Selected::Material(MaterialId(0)));
    let gloss = orange(&mut viewer, Selected::Material(MaterialId(1)));
    let joint = orange(&mut viewer, Selected::Node(NodeId(5)));
    assert!(mesh > 2000 && hide > 2000, "{mesh} {hide}");
    assert!(gloss > 10 && gloss < hide && hide + gloss >= mesh, "{mesh} {hide} {gloss}");
    assert!(joint > 10 && joint < mesh / 4, "{joint}");
}

#[test]
fn a_joint_is_selected_by_clicking_its_dot_and_shows_its_weights() {
    let test = "a_joint_is_selected_by_clicking_its_dot_and_shows_its_weights";
    let Some(mut viewer) = Viewer::open(test, &[example("creature.glb")]) else { return };
    viewer.draw();
    let part = |viewer: &Viewer| {
        let found = viewer.state.hit([200.0, 150.0]);
        matches!(found, Some((_, Hit::Part { .. }) | (_, Hit::Joint(_))))
    };
    assert!(part(&viewer), "the model is in the middle");
    viewer.act(Action::Skeleton);
    viewer.draw();
    let at = point(&viewer, |hit| matches!(hit, Hit::Joint(_)));
    viewer.state.update(Event::Click(at, false));
    let Some((0, Selected::Node(joint))) = viewer.state.selected else { panic!("no joint") };
    assert!(viewer.state.slots[0].scene().expect("a scene").skins[0].joints.contains(&joint));
    assert_eq!(viewer.state.weights, Some((0, joint)));
    let plain = viewer.draw();
    viewer.act(Action::Weights);
    assert!(differing(&viewer.draw(), &plain) > 5000);
    // Hidden joints cannot be clicked.
    viewer.state.update(Event::Hide(0, Selected::Node(joint), true));
    viewer.draw();
    assert_ne!(viewer.state.hit(at).map(|(_, hit)| hit), Some(Hit::Joint(joint)));
}

#[test]
fn what_is_hidden_is_gone_and_comes_back() {
    let Some(mut viewer) = Viewer::open("what_is_hidden_is_gone_and_comes_back", &[example("creature.glb")])
    else {
        return;
    };
    let all = viewer.draw();
    let background = viewer.state.look.background;
    viewer.state.update(Event::Hide(0, Selected::Material(MaterialId(0)), true));
    let some = viewer.draw();
    assert!(covered(&some, background) < covered(&all, background) / 4);
    viewer.state.update(Event::Select(0, Selected::Mesh(MeshId(0))));
    viewer.act(Action::Hide);
    viewer.act(Action::Deselect);
    assert_eq!(covered(&viewer.draw(), background), 0);
    viewer.act(Action::ShowAll);
    assert_eq!(differing(&viewer.draw(), &all), 0);
}

#[test]
fn a_double_click_goes_near() {
    let Some(mut viewer) = Viewer::open("a_double_click_goes_near", &[example("creature.glb")]) else {
        return;
    };
    viewer.act(Action::Skeleton);
    viewer.draw();
    let far = viewer.state.orbit.distance;
    let at = point(&viewer, |hit| matches!(hit, Hit::Joint(_)));
    viewer.state.update(Event::Click(at, false));
    viewer.state.update(Event::Click(at, true));
    assert!(viewer.state.orbit.distance < far * 0.7, "{} of {far}", viewer.state.orbit.distance);
    viewer.act(Action::Fit);
    assert!((viewer.state.orbit.distance - far).abs() < 1e-9);
}

#[test]
fn a_camera_of_the_file_is_looked_through() {
    let Some(mut viewer) = Viewer::open("a_camera_of_the_file_is_looked_through", &[example("scene.glb")])
    else {
        return;
    };
    let own = viewer.draw();
    assert!(!viewer.state.cameras().is_empty());
    viewer.act(Action::NextCamera);
    assert_eq!(viewer.state.orbit.through, Some(viewer.state.cameras()[0]));
    assert!(differing(&viewer.draw(), &own) > 2000);
    viewer.state.update(Event::Turn(1.0, 0.0));
    assert_eq!(viewer.state.orbit.through, None);
}
