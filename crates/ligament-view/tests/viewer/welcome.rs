//! The window without a file, and the card of a file that cannot be read.

use super::desk::Desk;
use super::*;
use ligament_view::egui::{Key, Modifiers};
use ligament_view::{Thumbnail, Wish};
use std::fs;

/// A list of recent files with one that is gone, one that is broken and one that is fine.
fn recent(folder: &Path) -> Recent {
    let broken = folder.join("broken.pfobj");
    fs::write(&broken, "v 1 2 oops\n").expect("written");
    let mut recent = Recent::at(Some(folder.join("own").join("recent")));
    for path in [folder.join("gone.glb"), broken, example("creature.glb")] {
        recent.add(&path);
    }
    recent
}

#[test]
fn an_empty_window_shows_recent_files_and_opens_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let test = "an_empty_window_shows_recent_files_and_opens_them";
    let Some(viewer) = Viewer::with(test, recent(folder.path())) else { return };
    let mut desk = Desk::around(viewer);
    let empty = desk.look("empty");
    let thumbs = &desk.viewer.state.welcome.as_ref().expect("a list").thumbs;
    let names: Vec<_> = thumbs.iter().filter_map(|thumb| thumb.path.file_name()).collect();
    assert_eq!(names, ["creature.glb", "broken.pfobj"], "the file that is gone is left out");
    let Thumbnail::Drawn(picture) = &thumbs[0].picture else { panic!("no picture") };
    assert!(covered(picture, desk.viewer.state.look.background) > 5000);
    assert!(matches!(thumbs[1].picture, Thumbnail::Nothing));
    // There is nothing to play or to toggle yet.
    assert_eq!(desk.find("bones"), None);
    assert_eq!(desk.find("▶"), None);
    desk.click_on("creature.glb");
    let open = desk.settle();
    assert!(desk.viewer.state.slots[0].opened.is_some() && desk.viewer.state.welcome.is_none());
    assert!(differing(&open, &empty) > 20_000);
    assert!(desk.find("bones").is_some());
}

#[test]
fn the_example_and_the_dialog_are_one_click_away() {
    let folder = tempfile::tempdir().expect("a folder");
    let test = "the_example_and_the_dialog_are_one_click_away";
    let recent = Recent::at(Some(folder.path().join("ligament/recent")));
    let Some(viewer) = Viewer::with(test, recent) else { return };
    let mut desk = Desk::around(viewer);
    // Where the system has a dialog, that one is asked for.
    desk.viewer.state.has_system_dialog = true;
    desk.click_on("Open…");
    assert_eq!(desk.viewer.state.wishes(), [Wish::Choose(false)]);
    assert!(desk.viewer.state.panels.open.is_none());
    // If it cannot be shown, the viewer's own appears, now and later.
    desk.viewer.state.update(Event::NoDialog(false));
    assert!(desk.viewer.state.panels.open.is_some());
    desk.key(Key::Escape, Modifiers::NONE);
    desk.click_on("Open…");
    assert!(desk.viewer.state.panels.open.is_some() && desk.viewer.state.wishes().is_empty());
    desk.key(Key::Escape, Modifiers::NONE);
    desk.click_on("Try the example");
    desk.settle();
    let slot = &desk.viewer.state.slots[0];
    assert!(slot.opened.is_some() && slot.path.starts_with(folder.path()), "{:?}", slot.path);
    // Without a folder for it, there is a message.
    let Some(mut viewer) = Viewer::new(test) else { return };
    viewer.state.update(Event::Example);
    assert!(viewer.state.message.as_ref().is_some_and(|(message, _)| message.is_error));
}

#[test]
fn a_broken_file_has_one_card_with_carets_and_advice() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("broken.pfobj");
    let text = fs::read_to_string(example("broken.pfobj")).expect("read");
    fs::write(&path, &text).expect("written");
    let test = "a_broken_file_has_one_card_with_carets_and_advice";
    let Some(mut desk) = Desk::open(test, std::slice::from_ref(&path)) else { return };
    desk.look("broken");
    let broken = desk.viewer.state.slots[0].broken.as_ref().expect("broken").clone();
    let line = broken.lines[0].as_deref().expect("a line");
    let (code, carets) = line.split_once('\n').expect("carets");
    let span = broken.report.diagnostics()[0].place.span.clone().expect("a span");
    let marked = &text[span.start as usize..span.end as usize];
    let at = carets.find('^').expect("a caret");
    let found: String = code.chars().skip(at).take(carets.len() - at).collect();
    assert_eq!(found, marked, "{line}");
    assert!(broken.text().contains(marked) && broken.text().contains("PF"), "{}", broken.text());
    // The message is said once: on the card.
    assert_eq!(desk.viewer.state.message, None);
    assert!(desk.find("What to do").is_some() && desk.find("Open…").is_some());
    // Over the last good model the card is the same.
    desk.viewer.state.update(Event::Open(vec![example("creature.glb")]));
    desk.settle();
    desk.viewer.state.update(Event::Open(vec![path]));
    desk.look("broken-over");
    assert!(desk.find("Still showing creature.glb").is_some());
    assert_eq!(desk.viewer.state.message, None);
}
