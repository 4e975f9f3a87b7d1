//! The panels, laid out and painted without a window, and operated with synthetic input.

use super::desk::{Desk, WINDOW};
use super::*;
use ligament_view::egui::{self, Key, Modifiers, PointerButton, Pos2, vec2};

/// The creature's chest, in the middle of the picture.
const MIDDLE: Pos2 = Pos2::new(401.0, 304.0);

#[test]
fn the_mouse_orbits_pans_and_zooms() {
    let Some(mut desk) = Desk::open("the_mouse_orbits_pans_and_zooms", &[example("creature.glb")]) else {
        return;
    };
    let start = desk.viewer.state.orbit;
    desk.drag(PointerButton::Primary, MIDDLE, MIDDLE + vec2(60.0, 20.0));
    let turned = desk.viewer.state.orbit;
    assert!(turned.around != start.around && turned.above > start.above, "{turned:?}");
    assert_eq!((turned.target, turned.distance), (start.target, start.distance));
    desk.drag(PointerButton::Secondary, MIDDLE, MIDDLE + vec2(50.0, 0.0));
    let panned = desk.viewer.state.orbit;
    assert!(panned.target != turned.target && panned.around == turned.around);
    let wheel = egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: vec2(0.0, 2.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers: Modifiers::NONE,
    };
    desk.show(vec![egui::Event::PointerMoved(MIDDLE), wheel]);
    (0..5).for_each(|_| drop(desk.show(vec![])));
    assert!(desk.viewer.state.orbit.distance < panned.distance);
    desk.key(Key::F, Modifiers::NONE);
    assert_eq!(desk.viewer.state.orbit.target, start.target);
}

#[test]
fn the_bar_is_scrubbed() {
    let Some(mut desk) = Desk::open("the_bar_is_scrubbed", &[example("creature.glb")]) else { return };
    let duration = desk.viewer.state.clock.duration();
    let y = WINDOW[1] as f32 - 18.0;
    desk.drag(PointerButton::Primary, Pos2::new(100.0, y), Pos2::new(450.0, y));
    let middle = desk.viewer.state.clock.time;
    assert!((middle - duration * 0.5).abs() < duration * 0.03, "{middle} of {duration}");
    desk.key(Key::ArrowRight, Modifiers::SHIFT);
    assert!(desk.viewer.state.clock.time > middle, "the next key");
    desk.key(Key::Space, Modifiers::NONE);
    assert!(desk.viewer.state.clock.playing);
    desk.drag(PointerButton::Primary, Pos2::new(300.0, y), Pos2::new(200.0, y));
    assert!(!desk.viewer.state.clock.playing, "a hand on the bar stops it");
}

#[test]
fn a_click_in_the_picture_selects_in_the_tree() {
    let Some(mut desk) = Desk::open("a_click_in_the_picture_selects_in_the_tree", &[example("creature.glb")])
    else {
        return;
    };
    desk.press(MIDDLE, PointerButton::Primary, true);
    desk.press(MIDDLE, PointerButton::Primary, false);
    assert!(desk.viewer.state.selected.is_some());
    let picture = desk.show(vec![]);
    // The row of the tree has the selection colour.
    let row = [255, 221, 190, 255];
    let tree = (0..WINDOW[1]).flat_map(|y| (0..240).map(move |x| (x, y)));
    let lit = tree.filter(|&(x, y)| y > 150 && picture.pixel(x, y) == Some(row)).count();
    assert!(lit > 300, "{lit} pixels");
}

#[test]
fn every_panel_and_overlay_is_shown() {
    let files = [example("creature.glb"), example("creature.apg")];
    let Some(mut desk) = Desk::open("every_panel_and_overlay_is_shown", &files) else { return };
    let mut before = desk.show(vec![]);
    let mut count = 0;
    for shortcut in ligament_view::shortcuts::all() {
        let action = shortcut.action;
        if matches!(action, Action::Quit | Action::CloseSecond | Action::Picture | Action::WindowPicture) {
            continue;
        }
        let modifiers = match (shortcut.ctrl, shortcut.shift) {
            (true, _) => Modifiers::COMMAND,
            (false, true) => Modifiers::SHIFT,
            (false, false) => Modifiers::NONE,
        };
        desk.key(shortcut.key, modifiers);
        desk.viewer.wait();
        // A new element is measured in one picture and visible in the next.
        desk.show(vec![]);
        let now = desk.show(vec![]);
        if desk.viewer.state.is_on(action) {
            assert!(differing(&now, &before) > 20, "{} changes nothing", shortcut.keys());
            count += 1;
        }
        before = now;
    }
    assert!(count >= 12, "only {count} things were turned on");
}

#[test]
fn keys_are_not_heard_while_someone_writes() {
    let Some(mut desk) = Desk::open("keys_are_not_heard_while_someone_writes", &[example("creature.glb")])
    else {
        return;
    };
    // The tree's search field.
    let field = desk.find("find").expect("the field's name") + vec2(100.0, 0.0);
    desk.press(field, PointerButton::Primary, true);
    desk.press(field, PointerButton::Primary, false);
    desk.show(vec![egui::Event::Text("s".into())]);
    desk.key(Key::S, Modifiers::NONE);
    assert_eq!(desk.viewer.state.panels.filter, "s");
    assert!(!desk.viewer.state.look.skeleton);
}
