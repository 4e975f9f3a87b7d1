//! Converting from the viewer.

use super::desk::Desk;
use super::*;
use ligament::formats::FORMATS;
use ligament_view::egui::{Key, Modifiers};
use ligament_view::{ConvertEvent, Outcome, Work};
use std::fs;

/// A model with a file of its own, and its folder.
fn model(folder: &Path) -> PathBuf {
    let path = folder.join("creature.glb");
    fs::copy(example("creature.glb"), &path).expect("copied");
    path
}

fn tell(viewer: &mut Viewer, event: ConvertEvent) {
    viewer.state.update(Event::Convert(event));
}

fn outcome(viewer: &Viewer) -> &Outcome {
    match &viewer.state.convert.as_ref().expect("the panel").work {
        Work::Tried(outcome) | Work::Written(outcome) => outcome,
        _ => panic!("nothing came of it"),
    }
}

fn files(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The format that drops influences by default.
fn lossy(viewer: &mut Viewer) -> Option<&'static str> {
    for format in FORMATS.iter().filter(|format| format.writes(None)) {
        tell(viewer, ConvertEvent::Format(format.id));
        viewer.wait();
        let lines = &outcome(viewer).lines;
        if lines.iter().any(|line| line.remedy.as_ref().is_some_and(|remedy| remedy.setting == "influences"))
        {
            return Some(format.id);
        }
    }
    None
}

#[test]
fn losses_are_shown_before_anything_is_written_and_a_click_avoids_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = model(folder.path());
    let test = "losses_are_shown_before_anything_is_written_and_a_click_avoids_them";
    let Some(mut desk) = Desk::open(test, std::slice::from_ref(&path)) else { return };
    desk.key(Key::E, Modifiers::COMMAND);
    let format = lossy(&mut desk.viewer).expect("a format with few influences");
    desk.look("convert");
    // The library's own conversion is the reference.
    let other = tempfile::tempdir().expect("a folder");
    let mut options = ligament::ConvertOptions { to: Some(format.into()), ..Default::default() };
    let (done, report) = ligament::convert(&path, other.path().join("a.x"), &options).expect("converted");
    let worst = done.comparison.and_then(|comparison| comparison.worst).expect("a deviation").relative;
    let shown = outcome(&desk.viewer);
    assert!(worst > 0.01 && shown.worst == Some(worst), "{worst} and {:?}", shown.worst);
    assert!(!report.losses().is_empty());
    for loss in report.losses() {
        let is_shown = shown.lines.iter().any(|line| line.text().contains(loss.code.id));
        assert!(is_shown, "{} is not shown", loss.code.id);
    }
    assert_eq!(files(folder.path()), ["creature.glb"], "a trial writes nothing");

    desk.click_on("set influences 4");
    desk.look("convert-remedy");
    options.set("influences", 4).expect("a setting");
    let (done, _) = ligament::convert(&path, other.path().join("b.x"), &options).expect("converted");
    let better = done.comparison.and_then(|comparison| comparison.worst).expect("compared").relative;
    assert_eq!(outcome(&desk.viewer).worst, Some(better));
    assert!(better < worst / 100.0);

    desk.click_on("Convert");
    desk.look("convert-written");
    let state = &desk.viewer.state;
    let output = state.convert.as_ref().expect("the panel").output.clone();
    let written = fs::read(&output).expect("the result");
    assert_eq!(written, fs::read(other.path().join("b.x")).expect("the reference"));
    assert_eq!(outcome(&desk.viewer).files[0].1, written.len() as u64);
    desk.click_on("Compare");
    desk.settle();
    assert_eq!(desk.viewer.state.slots.len(), 2);
    assert!(desk.viewer.state.difference.is_some());
    desk.key(Key::Escape, Modifiers::NONE);
    assert!(desk.viewer.state.convert.is_none());
}

#[test]
fn every_format_that_is_written_can_be_tried() {
    let folder = tempfile::tempdir().expect("a folder");
    let test = "every_format_that_is_written_can_be_tried";
    let Some(mut viewer) = Viewer::open(test, &[model(folder.path())]) else { return };
    viewer.act(Action::Convert);
    let mut count = 0;
    for format in FORMATS.iter().filter(|format| format.writes(None)) {
        for dialect in format.dialects.iter().filter(|d| d.is_written).map(|d| Some(d.id)).chain([None]) {
            tell(&mut viewer, ConvertEvent::Format(format.id));
            tell(&mut viewer, ConvertEvent::Dialect(dialect));
            viewer.wait();
            let outcome = outcome(&viewer);
            // Some dialects hold fewer bones, and say so.
            assert!(outcome.is_ok || !outcome.lines.is_empty(), "{} {dialect:?}: {outcome:?}", format.id);
            count += usize::from(outcome.is_ok);
        }
    }
    assert!(count >= 8, "only {count}");
    assert_eq!(files(folder.path()), ["creature.glb"]);
}

#[test]
fn files_are_kept_and_stopped_work_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = model(folder.path());
    let test = "files_are_kept_and_stopped_work_writes_nothing";
    let Some(mut viewer) = Viewer::open(test, std::slice::from_ref(&path)) else { return };
    viewer.act(Action::Convert);
    tell(&mut viewer, ConvertEvent::Stop);
    viewer.wait();
    assert_eq!(viewer.state.convert.as_ref().map(|convert| convert.state()), Some("stopped"));
    tell(&mut viewer, ConvertEvent::Write);
    tell(&mut viewer, ConvertEvent::Stop);
    viewer.wait();
    assert_eq!(files(folder.path()), ["creature.glb"]);
    // A file that is there is replaced only if that is wanted, and the model itself never.
    let output = viewer.state.convert.as_ref().expect("the panel").output.clone();
    fs::write(&output, b"mine").expect("written");
    tell(&mut viewer, ConvertEvent::Write);
    viewer.wait();
    assert!(!outcome(&viewer).is_ok);
    assert_eq!(fs::read(&output).expect("read"), b"mine");
    tell(&mut viewer, ConvertEvent::Replace(true));
    tell(&mut viewer, ConvertEvent::Write);
    viewer.wait();
    assert!(outcome(&viewer).is_ok, "{:?}", outcome(&viewer));
    assert_ne!(fs::read(&output).expect("read"), b"mine");
    let before = fs::read(&path).expect("read");
    tell(&mut viewer, ConvertEvent::Output(path.clone()));
    tell(&mut viewer, ConvertEvent::Write);
    viewer.wait();
    assert!(!outcome(&viewer).is_ok);
    assert_eq!(fs::read(&path).expect("read"), before);
    // A value that a setting does not accept is a message, and changes nothing.
    tell(&mut viewer, ConvertEvent::Set("influences", "four".into()));
    assert!(viewer.state.message.as_ref().is_some_and(|(message, _)| message.is_error));
    assert!(viewer.state.convert.as_ref().is_some_and(|convert| convert.chosen.is_empty()));
    // A result that cannot be written says why.
    tell(&mut viewer, ConvertEvent::Output(folder.path().join("none/a.x")));
    tell(&mut viewer, ConvertEvent::Write);
    viewer.wait();
    assert!(!outcome(&viewer).is_ok && !outcome(&viewer).lines.is_empty());
}
