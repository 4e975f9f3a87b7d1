//! Cameras, themes, and the names of widgets for screen readers.

use super::desk::Desk;
use super::*;
use ligament_view::egui::{Key, Modifiers};

#[test]
fn the_axes_in_the_corner_look_from_all_sides() {
    let test = "the_axes_in_the_corner_look_from_all_sides";
    let Some(mut desk) = Desk::open(test, &[example("creature.glb")]) else { return };
    desk.look("gizmo");
    let angles = |desk: &Desk| (desk.viewer.state.orbit.around, desk.viewer.state.orbit.above);
    for (name, expected) in [("X", (90.0, 0.0)), ("Y", (0.0, 90.0))] {
        desk.click_on(&format!("look from {name}"));
        assert_eq!(angles(&desk), expected, "{name}");
        desk.viewer.act(Action::ThreeQuarter);
        desk.settle();
    }
    for (key, expected) in [(Key::Num6, (270.0, 0.0)), (Key::Num7, (0.0, -90.0)), (Key::Num1, (0.0, 0.0))] {
        desk.key(key, Modifiers::NONE);
        assert_eq!(angles(&desk), expected);
        assert!(covered(&desk.viewer.draw(), desk.viewer.state.look.background) > 3000);
    }
}

/// From the left is the mirror image of the right, for a model that is symmetric; without perspective, exactly.
#[test]
fn without_perspective_nothing_is_cut_off() {
    let test = "without_perspective_nothing_is_cut_off";
    let Some(mut viewer) = Viewer::open(test, &[example("creature.glb")]) else { return };
    let background = viewer.state.look.background;
    viewer.act(Action::Left);
    let perspective = viewer.draw();
    viewer.act(Action::Orthographic);
    let flat = viewer.draw();
    assert!(differing(&perspective, &flat) > 500);
    let left = covered(&flat, background);
    viewer.act(Action::Side);
    let right = covered(&viewer.draw(), background);
    assert!(left.abs_diff(right) < left / 50, "{left} and {right}");
    // Twice as near, four times the pixels: nothing is cut by a near plane.
    viewer.state.update(Event::Zoom(0.25));
    let small = covered(&viewer.draw(), background) as f64;
    viewer.state.update(Event::Zoom(2.0));
    let large = covered(&viewer.draw(), background) as f64;
    assert!((large / small - 4.0).abs() < 0.4, "{}", large / small);
    viewer.state.update(Event::Zoom(40.0));
    assert!(covered(&viewer.draw(), background) > 50_000, "in the middle of the model");
}

#[test]
fn the_dark_theme_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("own/recent");
    let test = "the_dark_theme_is_kept";
    let Some(viewer) = Viewer::with(test, Recent::at(Some(place.clone()))) else { return };
    let mut desk = Desk::around(viewer);
    desk.viewer.state.update(Event::Open(vec![example("creature.glb")]));
    let light = desk.settle();
    desk.key(Key::D, Modifiers::SHIFT);
    let dark = desk.look("dark");
    let mean = |picture: &Picture| {
        picture.rgba.iter().map(|&v| u64::from(v)).sum::<u64>() / picture.rgba.len() as u64
    };
    assert!(mean(&light) > 190 && mean(&dark) < 120, "{} and {}", mean(&light), mean(&dark));
    let Some(viewer) = Viewer::with(test, Recent::at(Some(place))) else { return };
    let mut again = Desk::around(viewer);
    again.look("dark-empty");
    assert!(again.viewer.state.is_dark);
    again.key(Key::D, Modifiers::SHIFT);
    again.settle();
    assert!(!again.viewer.state.is_dark);
}

/// Everything that can be clicked has a name.
#[test]
fn a_screen_reader_knows_the_window() {
    let test = "a_screen_reader_knows_the_window";
    let Some(mut desk) = Desk::open(test, &[example("creature.glb")]) else { return };
    desk.settle();
    for name in
        ["picture of creature.glb", "time in seconds", "bones", "wire", "grid", "File", "hips", "look from X"]
    {
        assert!(desk.find(name).is_some(), "{name}");
    }
    desk.click_on("bones");
    assert!(desk.viewer.state.look.skeleton);
}
