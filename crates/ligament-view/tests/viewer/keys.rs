//! The keys and curves of a clip.

use super::desk::Desk;
use super::*;
use ligament_render::Selected;
use ligament_view::egui::{self, Key, Modifiers, PointerButton, Pos2, vec2};

fn wheel(desk: &mut Desk, at: Pos2, lines: f32) {
    let wheel = egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: vec2(0.0, lines),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers: Modifiers::NONE,
    };
    desk.show(vec![egui::Event::PointerMoved(at), wheel]);
    (0..8).for_each(|_| drop(desk.show(vec![])));
}

#[test]
fn keys_and_curves_are_shown_zoomed_and_scrubbed() {
    let test = "keys_and_curves_are_shown_zoomed_and_scrubbed";
    let Some(mut desk) = Desk::open(test, &[example("creature.glb")]) else { return };
    desk.viewer.state.update(Event::Clip(Some(1)));
    desk.settle();
    let before = desk.show(vec![]);
    desk.key(Key::Y, Modifiers::NONE);
    let all = desk.look("keys-all");
    assert!(differing(&before, &all) > 20_000);
    // One row for each node that moves, with the clip's keys.
    let sheet = desk.viewer.state.sheet().expect("a sheet");
    let (scene, _) = ligament::read(example("creature.glb"), &Default::default()).expect("read");
    let mut moved: Vec<_> = scene.clips[1].tracks.iter().map(|track| track.node).collect();
    moved.sort_unstable();
    moved.dedup();
    assert_eq!(sheet.rows.iter().map(|row| row.node).collect::<Vec<_>>(), moved);
    assert!(sheet.rows.iter().all(|row| row.keys.len() > 1 && row.keys.is_sorted()));

    // A click on a row selects its node, whose properties are the rows then.
    let name = sheet.rows[0].label.clone();
    desk.click_on(&format!("keys of {name}"));
    assert_eq!(desk.viewer.state.selected, Some((0, Selected::Node(sheet.rows[0].node))));
    let one = desk.viewer.state.sheet().expect("a sheet");
    assert!(one.rows.iter().all(|row| row.track.is_some()));
    desk.click_on(&format!("keys of {}", one.rows.last().expect("a row").label));
    assert_eq!(desk.viewer.state.track, one.rows.last().and_then(|row| row.track));
    desk.look("keys-one");
    let (property, graphs) = desk.viewer.state.curves(50).expect("curves");
    assert_eq!((property.as_str(), graphs.len()), (one.rows.last().expect("a row").label.as_str(), 3));

    // The wheel zooms about the pointer; a drag scrubs; a double click shows all again.
    let duration = desk.viewer.state.clock.duration();
    let at = Pos2::new(500.0, 420.0);
    wheel(&mut desk, at, 6.0);
    let [from, to] = desk.viewer.state.span.ends(duration);
    assert!(from > 0.0 && to < duration && to - from < duration * 0.7, "{from} {to}");
    desk.look("keys-zoomed");
    desk.drag(PointerButton::Primary, Pos2::new(300.0, 420.0), at);
    let middle = desk.viewer.state.clock.time;
    assert!((from..=to).contains(&middle), "{middle}");
    desk.drag(PointerButton::Secondary, at, at - vec2(60.0, 0.0));
    let panned = desk.viewer.state.span.ends(duration);
    assert!(panned[0] > from && (panned[1] - panned[0] - (to - from)).abs() < 1e-9, "{panned:?}");
    desk.click_on("whole clip");
    assert!(!desk.viewer.state.span.is_part(duration));
    // Without a clip there is a hint, and a clip of one key is no trouble.
    desk.viewer.state.update(Event::Clip(None));
    desk.settle();
    assert!(desk.find("choose a clip to see its keys").is_some());
}
