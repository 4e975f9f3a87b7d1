//! Two models side by side.

use super::desk::Desk;
use super::*;
use ligament::compare::SideBySide;
use ligament::pose::Pose;
use ligament_view::Arrangement;

#[test]
fn two_models_are_in_step_and_the_second_shows_the_deviation() {
    let files = [example("creature.glb"), example("creature.apg")];
    let test = "two_models_are_in_step_and_the_second_shows_the_deviation";
    let Some(mut viewer) = Viewer::open(test, &files) else { return };
    assert_eq!(viewer.state.slots.len(), 2);
    viewer.state.update(Event::Clip(Some(1)));
    viewer.state.update(Event::Seek(0.4));
    let colored = viewer.draw();
    // The library's own comparison of the files is the reference.
    let (first, _) = ligament::read(&files[0], &Default::default()).expect("read");
    let (second, _) = ligament::read(&files[1], &Default::default()).expect("read");
    let both = SideBySide::new(&first, &second);
    let partner = both.clips().iter().find(|pair| pair.0 == 1).expect("a partner").1;
    let poses = [Pose::at(&first, &first.clips[1], 0.4), Pose::at(&second, &second.clips[partner], 0.4)];
    let worst = both.distances(&poses[0], &poses[1]).into_iter().flatten().fold(0.0, f64::max);
    let found = viewer.state.difference.as_ref().expect("compared").worst;
    assert!(worst > 0.01, "{worst}");
    assert!((found - worst).abs() < worst * 1e-4, "{found} and {worst}");
    viewer.act(Action::Deviation);
    let plain = viewer.draw();
    let half = |picture: &Picture, right: bool| -> Vec<u8> {
        let rows = picture.rgba.chunks(SIZE[0] as usize * 4);
        let middle = SIZE[0] as usize * 2;
        rows.flat_map(|row| if right { &row[middle..] } else { &row[..middle] }.to_vec()).collect()
    };
    assert_eq!(half(&colored, false), half(&plain, false), "the first keeps its materials");
    let changed = half(&colored, true).iter().zip(&half(&plain, true)).filter(|(a, b)| a != b).count();
    assert!(changed > 3000, "{changed} bytes");
}

#[test]
fn the_same_model_twice_does_not_deviate() {
    let files = [example("creature.glb"), example("creature.glb")];
    let Some(mut viewer) = Viewer::open("the_same_model_twice_does_not_deviate", &files) else { return };
    viewer.state.update(Event::Seek(0.3));
    viewer.draw();
    assert_eq!(viewer.state.difference.as_ref().map(|difference| difference.worst), Some(0.0));
}

#[test]
fn a_second_model_can_be_opened_and_closed() {
    let Some(mut viewer) =
        Viewer::open("a_second_model_can_be_opened_and_closed", &[example("creature.glb")])
    else {
        return;
    };
    let alone = viewer.draw();
    viewer.state.update(Event::OpenBeside(example("creature.pfobj")));
    viewer.wait();
    assert_eq!(viewer.state.slots.len(), 2);
    assert!(viewer.state.difference.is_some());
    assert!(differing(&viewer.draw(), &alone) > 1000);
    viewer.act(Action::CloseSecond);
    assert_eq!(viewer.state.slots.len(), 1);
    assert_eq!(differing(&viewer.draw(), &alone), 0);
}

#[test]
fn models_that_have_nothing_in_common_are_shown_all_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let empty = folder.path().join("points.obj");
    std::fs::write(&empty, "v 0 0 0\nv 1 1 1\np 1 2\n").expect("written");
    let test = "models_that_have_nothing_in_common_are_shown_all_the_same";
    let Some(mut viewer) = Viewer::open(test, &[example("creature.glb"), empty]) else { return };
    assert!(covered(&viewer.draw(), viewer.state.look.background) > 2000);
    assert!(viewer.state.difference.as_ref().is_none_or(|d| d.worst.is_finite()));
}

/// The curve above the timeline has the worst moment, which the library's own comparison finds too.
#[test]
fn the_worst_moment_is_found_and_shown() {
    let files = [example("creature.glb"), example("creature.apg")];
    let Some(mut viewer) = Viewer::open("the_worst_moment_is_found_and_shown", &files) else { return };
    let (first, _) = ligament::read(&files[0], &Default::default()).expect("read");
    let (second, _) = ligament::read(&files[1], &Default::default()).expect("read");
    let found = ligament::compare::compare(&first, &second, &Default::default());
    let expected = found.worst.expect("there is a deviation");
    let difference = viewer.state.difference.as_ref().expect("compared");
    assert_eq!(difference.curves.len(), first.clips.len());
    let (clip, time, worst) = difference.worst_moment().expect("a moment");
    assert_eq!(Some(&first.clips[clip].name), expected.clip.as_ref());
    // The curve has fewer points than the comparison has poses.
    assert!(
        worst <= expected.distance * 1.0001 && worst > expected.distance * 0.97,
        "{worst} of {expected:?}"
    );
    viewer.act(Action::Worst);
    assert_eq!(viewer.state.clock.clip.as_ref().map(|(clip, _)| *clip), Some(clip));
    assert!((viewer.state.clock.time - time).abs() < 1e-9 && !viewer.state.clock.playing);
    viewer.draw();
    let shown = viewer.state.difference.as_ref().expect("compared");
    assert!((shown.worst - worst).abs() < worst * 1e-6 && shown.peak >= shown.worst);
}

/// Over each other, the models are where each is when it is alone, and their colours are mixed.
#[test]
fn models_are_overlaid_and_blink() {
    let files = [example("creature.glb"), example("creature.apg")];
    let Some(mut desk) = Desk::open("models_are_overlaid_and_blink", &files) else { return };
    desk.viewer.act(Action::Deviation);
    desk.look("side");
    desk.click_on("overlay");
    desk.look("overlay");
    assert_eq!(desk.viewer.state.opacity(), Some(0.5));
    let mut mixed = |mix: f64| {
        desk.viewer.state.update(Event::Mix(mix));
        desk.viewer.draw()
    };
    let (first, half, second) = (mixed(0.0), mixed(0.5), mixed(1.0));
    assert!(differing(&first, &second) > 3000);
    let is_between = |((a, b), c): ((&u8, &u8), &u8)| {
        (f64::from(*a) * 0.5 + f64::from(*c) * 0.5 - f64::from(*b)).abs() <= 0.5
    };
    assert!(first.rgba.iter().zip(&half.rgba).zip(&second.rgba).all(is_between));
    // Alone, the first model looks the same, but for the names over the picture.
    let mut alone = Viewer::open("alone", &files[..1]).expect("a driver");
    alone.state.update(Event::Resize([first.width, first.height]));
    alone.act(Action::Fit);
    let alone = alone.draw();
    let rows = |picture: &Picture| picture.rgba[picture.rgba.len() / 6..].to_vec();
    let apart = rows(&first).iter().zip(rows(&alone)).filter(|(a, b)| a.abs_diff(*b) > 2).count();
    assert!(apart < 400, "{apart} bytes differ");
    // A click hits the model in the middle, as if it were alone.
    let at = [first.width as f32 * 0.5, first.height as f32 * 0.55];
    assert!(desk.viewer.state.hit(at).is_some());

    desk.click_on("blink");
    let seen = |desk: &mut Desk| desk.viewer.draw().rgba;
    desk.viewer.state.update(Event::Tick(0.1));
    assert_eq!(seen(&mut desk), first.rgba);
    assert!(desk.viewer.state.next_picture().is_some_and(|due| due.as_secs_f64() <= 0.6));
    desk.viewer.state.update(Event::Tick(0.55));
    assert_eq!(seen(&mut desk), second.rgba);
    desk.viewer.state.update(Event::Tick(0.6));
    assert_eq!(seen(&mut desk), first.rgba);
    desk.viewer.act(Action::Arrange);
    assert_eq!(desk.viewer.state.layers.arrangement, Arrangement::Side);
    // With one model there is nothing to arrange.
    desk.viewer.act(Action::Arrange);
    desk.viewer.act(Action::CloseSecond);
    assert_eq!(desk.viewer.state.opacity(), None);
    desk.settle();
}
