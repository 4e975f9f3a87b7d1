//! Opening and reloading files, and the state that is kept.

use super::*;
use ligament::formats::FORMATS;
use std::collections::BTreeSet;
use std::fs;

#[test]
fn a_file_is_opened_and_fills_the_view() {
    let Some(mut viewer) = Viewer::open("a_file_is_opened_and_fills_the_view", &[example("creature.glb")])
    else {
        return;
    };
    let picture = viewer.draw();
    let pixels = covered(&picture, viewer.state.look.background);
    assert!(pixels > 400 * 300 / 12, "{pixels} pixels");
    assert_eq!(viewer.state.clock.clip.as_ref().map(|(_, score)| score.name.as_str()), Some("idle"));
    assert!(!viewer.state.clock.playing);
    assert_eq!(viewer.state.recent.files().len(), 1);
}

/// Every example of every format in the table; no format is named here.
#[test]
fn every_format_opens() {
    let Some(mut viewer) = Viewer::new("every_format_opens") else { return };
    let mut count = 0;
    for format in FORMATS {
        for extension in format.extensions {
            let path = example(&format!("creature.{extension}"));
            if !path.is_file() {
                continue;
            }
            viewer.state.update(Event::Open(vec![path]));
            viewer.wait();
            let slot = &viewer.state.slots[0];
            assert!(slot.broken.is_none(), "{extension}: {:?}", slot.broken);
            let pixels = covered(&viewer.draw(), viewer.state.look.background);
            assert!(pixels > 5000, "{extension}: {pixels} pixels");
            count += 1;
        }
    }
    assert!(count >= 8, "only {count} examples");
}

fn in_folder(folder: &Path, name: &str) -> PathBuf {
    let to = folder.join(name);
    fs::copy(example(name), &to).expect("copied");
    to
}

#[test]
fn a_file_that_changes_keeps_camera_time_selection_and_what_is_hidden() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = in_folder(folder.path(), "creature.glb");
    let test = "a_file_that_changes_keeps_camera_time_selection_and_what_is_hidden";
    let Some(mut viewer) = Viewer::open(test, std::slice::from_ref(&path)) else { return };
    viewer.state.update(Event::Clip(Some(1)));
    viewer.state.update(Event::Seek(0.4));
    viewer.state.update(Event::Turn(30.0, -5.0));
    viewer.state.update(Event::Zoom(1.5));
    let head = row_named(&viewer, "head");
    viewer.state.update(Event::Select(0, head));
    viewer.state.update(Event::Hide(0, row_named(&viewer, "gloss"), true));
    let before = (viewer.state.orbit, viewer.state.clock.clone(), viewer.state.selected);
    let first = viewer.draw();

    // The same model, twice as wide.
    let (mut scene, _) = ligament::read(&path, &Default::default()).expect("read");
    for place in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.parts).flat_map(|part| &mut part.positions)
    {
        place.x *= 2.0;
    }
    written(scene, folder.path(), "creature.glb");
    viewer.state.update(Event::Changed(BTreeSet::from([path.clone()])));
    viewer.wait();
    assert_eq!(viewer.state.slots[0].times_read, 2);
    let after = (viewer.state.orbit, viewer.state.clock.clone(), viewer.state.selected);
    assert_eq!(before, after);
    assert!(!viewer.state.slots[0].hidden.is_empty());
    let second = viewer.draw();
    assert!(differing(&first, &second) > 1000, "the new model is seen");

    // Other files in the folder do not matter.
    viewer.state.update(Event::Changed(BTreeSet::from([folder.path().join("other.glb")])));
    assert!(!viewer.state.is_working());
}

fn row_named(viewer: &Viewer, name: &str) -> ligament_render::Selected {
    let outline = &viewer.state.slots[0].outline;
    let rows = (0..).map_while(|number| outline.row(number));
    rows.filter(|row| row.label == name).find_map(|row| row.what).unwrap_or_else(|| panic!("no row {name}"))
}

#[test]
fn a_file_that_breaks_shows_its_line_and_the_last_good_model_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = in_folder(folder.path(), "creature.pfobj");
    fs::copy(example("creature.png"), folder.path().join("creature.png")).expect("copied");
    let test = "a_file_that_breaks_shows_its_line_and_the_last_good_model_stays";
    let Some(mut viewer) = Viewer::open(test, std::slice::from_ref(&path)) else { return };
    let before = viewer.draw();
    let text = fs::read_to_string(&path).expect("text");
    let line = text.lines().position(|line| line.starts_with("v ")).expect("a vertex") + 5;
    let broken: Vec<&str> =
        text.lines().enumerate().map(|(i, l)| if i == line { "v oops" } else { l }).collect();
    fs::write(&path, broken.join("\n")).expect("written");
    viewer.state.update(Event::Changed(BTreeSet::from([path.clone()])));
    viewer.wait();
    let slot = &viewer.state.slots[0];
    let fault = slot.broken.as_ref().expect("it is broken");
    let first = &fault.report.diagnostics()[0];
    assert_eq!(first.place.line_column.map(|(line, _)| line as usize), Some(line + 1), "{first}");
    assert!(fault.lines[0].as_deref().is_some_and(|text| text.contains("oops")), "{:?}", fault.lines);
    assert_eq!(differing(&before, &viewer.draw()), 0, "the last good model stays");

    // Once the file is fixed, the error is gone.
    fs::write(&path, text).expect("written");
    viewer.act(Action::Reload);
    viewer.wait();
    assert!(viewer.state.slots[0].broken.is_none());
}

#[test]
fn a_broken_file_that_is_opened_leaves_the_last_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let broken = folder.path().join("broken.glb");
    fs::write(&broken, b"glTF\x02\0\0\0nonsense").expect("written");
    let test = "a_broken_file_that_is_opened_leaves_the_last_model";
    let Some(mut viewer) = Viewer::open(test, &[example("creature.glb")]) else { return };
    let before = viewer.draw();
    for path in [broken, folder.path().join("missing.glb"), folder.path().to_owned()] {
        viewer.state.update(Event::Open(vec![path.clone()]));
        viewer.wait();
        let slot = &viewer.state.slots[0];
        assert!(slot.broken.is_some(), "{}", path.display());
        assert_eq!(slot.seen_instead().as_deref(), Some("creature.glb"));
        assert_eq!(differing(&before, &viewer.draw()), 0, "{}", path.display());
    }
    viewer.state.update(Event::Open(vec![example("creature.apg")]));
    viewer.wait();
    assert_eq!(viewer.state.slots[0].seen_instead(), None);
}

#[test]
fn several_files_are_shown_one_after_the_other() {
    let files = ["creature.glb", "creature.apg", "creature.qmsh"].map(example);
    let Some(mut viewer) = Viewer::open("several_files_are_shown_one_after_the_other", &files) else {
        return;
    };
    let mut seen = Vec::new();
    for action in [Action::NextFile, Action::NextFile, Action::NextFile, Action::PreviousFile] {
        viewer.act(action);
        viewer.wait();
        seen.push(viewer.state.slots[0].name());
    }
    assert_eq!(seen, ["creature.apg", "creature.qmsh", "creature.glb", "creature.qmsh"]);
    assert_eq!(viewer.state.slots.len(), 1);
}

#[test]
fn clips_are_played_and_the_picture_moves() {
    let Some(mut viewer) = Viewer::open("clips_are_played_and_the_picture_moves", &[example("creature.glb")])
    else {
        return;
    };
    viewer.act(Action::NextClip);
    let before = viewer.draw();
    viewer.act(Action::Play);
    viewer.state.update(Event::Tick(0.25));
    assert!((viewer.state.clock.time - 0.25).abs() < 1e-9);
    assert!(differing(&before, &viewer.draw()) > 500);
    // The rest pose counts as one more.
    viewer.act(Action::PreviousClip);
    viewer.act(Action::PreviousClip);
    assert_eq!(viewer.state.clock.clip, None);
    assert_eq!(viewer.state.next_picture(), Some(Duration::ZERO));
}
