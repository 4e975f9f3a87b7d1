//! Every FBX file at hand, posed by our scene and by `ufbx`: at rest, at keys, just between them and at uniform times.

use super::evaluated::{corners, ours};
use super::{document, support, test_models};
use ligament::Scene;
use ligament::formats::{Document as _, ReadOptions};
use ligament::math::DVec3;
use ligament::pose::Pose;
use ligament::report::{LossKind, Report};
use std::path::PathBuf;

/// The largest deviation that is allowed, as a part of the model's size at rest.
pub const TOLERANCE: f64 = 1e-4;

/// How many keys, places between keys and uniform times of a take are looked at.
const LOOKS: usize = 24;

/// The largest distances of any corner, as parts of the model's size at rest.
#[derive(Debug, Default, Clone, Copy)]
pub struct Found {
    pub rest: f64,
    pub keys: f64,
    pub between: f64,
    pub uniform: f64,
    pub corners: usize,
}

impl Found {
    pub fn worst(&self) -> f64 {
        self.rest.max(self.keys).max(self.between).max(self.uniform)
    }
}

/// Corners at rest: as loaded, before any take is played.
fn at_rest(fbx: &ufbx::Scene) -> Vec<Vec<DVec3>> {
    let none = ufbx::create_anim(fbx, ufbx::AnimOpts::default()).unwrap();
    corners(fbx, &none, 0.0)
}

fn farthest(theirs: &[Vec<DVec3>], ours: &[Vec<DVec3>]) -> f64 {
    assert_eq!(theirs.len(), ours.len(), "drawn nodes");
    let mut worst = 0.0_f64;
    for (theirs, ours) in theirs.iter().zip(ours) {
        assert_eq!(theirs.len(), ours.len(), "corners");
        worst = theirs.iter().zip(ours).map(|(a, b)| a.distance(*b)).fold(worst, f64::max);
    }
    worst
}

fn size(corners: &[Vec<DVec3>]) -> f64 {
    let all = || corners.iter().flatten();
    let (low, high) =
        all().fold((DVec3::MAX, DVec3::MIN), |(low, high), corner| (low.min(*corner), high.max(*corner)));
    low.distance(high)
}

/// The times of all keys of a take, each once.
pub fn key_times(stack: &ufbx::AnimStack) -> Vec<f64> {
    let values = stack.layers.as_ref().iter().flat_map(|layer| layer.anim_values.as_ref());
    let curves = values.flat_map(|value| value.curves.iter().flatten());
    let mut times: Vec<f64> = curves.flat_map(|c| c.keyframes.as_ref()).map(|key| key.time).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

/// Poses a file with `ufbx` and with our scene. Also returns the report.
pub fn sweep(bytes: &[u8]) -> Option<(Found, Report)> {
    let (options, mut report) = (ReadOptions::default(), Report::default());
    let first = document(bytes, &options).0?;
    let scene = Box::new(document(bytes, &options).0?).import(&options, &mut report).unwrap();
    let fbx = first.scene();
    let theirs = at_rest(fbx);
    let size = size(&theirs);
    let count = theirs.iter().map(Vec::len).sum();
    let mut found = Found { corners: count, ..Found::default() };
    if count == 0 {
        return Some((found, report));
    }
    found.rest = farthest(&theirs, &ours(&scene, &Pose::rest(&scene))) / size;
    assert_eq!(fbx.anim_stacks.len(), scene.clips.len());
    let mut used = vec![false; scene.clips.len()];
    for stack in fbx.anim_stacks.as_ref() {
        let is_its = |i: &usize| !used[*i] && scene.clips[*i].name == *stack.element.name;
        let clip = (0..used.len()).find(is_its).expect("a clip of that name");
        used[clip] = true;
        take(fbx, stack, (&scene, clip), size, &mut found);
    }
    Some((found, report))
}

/// The size that a loss states.
pub fn stated(report: &Report, code: &str) -> Option<f64> {
    let of_code = report.losses().iter().filter(|loss| loss.code.id == code);
    let sizes = of_code.map(|loss| match loss.kind {
        LossKind::Approximated { size: Some(size), unit: "of the model's size" } => size,
        _ => panic!("not measured: {loss:?}"),
    });
    sizes.reduce(f64::max)
}

fn take(
    fbx: &ufbx::Scene,
    stack: &ufbx::AnimStack,
    (scene, clip): (&Scene, usize),
    size: f64,
    found: &mut Found,
) {
    let clip = &scene.clips[clip];
    let keys = key_times(stack);
    let start = clip.extras.get("fbx").and_then(|own| own["start"].as_f64()).unwrap_or(0.0);
    let end = start + f64::from(clip.duration);
    let inside: Vec<f64> = keys.into_iter().filter(|t| (start..=end).contains(t)).collect();
    let at = |time: f64| {
        let ours = ours(scene, &Pose::at(scene, clip, (time - start) as f32));
        farthest(&corners(fbx, &stack.anim, time), &ours) / size
    };
    let off = |time: f64| {
        let off = at(time);
        if off <= TOLERANCE {
            return off;
        }
        // A clip's times have 32 bits, so that a step may come a microsecond early or late. Both sides of it count.
        let aside = 4e-6 * (1.0 + (time - start).abs());
        at((time - aside).max(start + aside)).max(at((time + aside).min(end - aside)))
    };
    let some = |times: &[f64]| -> Vec<f64> {
        let step = times.len().div_ceil(LOOKS).max(1);
        times.iter().copied().step_by(step).chain(times.last().copied()).collect()
    };
    for time in some(&inside) {
        found.keys = found.keys.max(off(time));
    }
    let parts = [0.5, 0.211, 0.03, 0.789, 0.35, 0.97];
    let between: Vec<f64> = inside
        .windows(2)
        .enumerate()
        .map(|(i, pair)| pair[0] + (pair[1] - pair[0]) * parts[i % parts.len()])
        .collect();
    for time in some(&between) {
        found.between = found.between.max(off(time));
    }
    for i in 0..=LOOKS {
        found.uniform = found.uniform.max(off(start + (end - start) * i as f64 / LOOKS as f64));
    }
}

/// The FBX files of this project, beside the clone, and of Assimp.
fn files() -> Vec<PathBuf> {
    let own = ["crates/ligament/tests/fixtures/fbx", "corpus"];
    let mut files: Vec<PathBuf> =
        own.iter().flat_map(|folder| support::files_below(&support::workspace().join(folder))).collect();
    files.extend(support::shared_files());
    files.retain(|path| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("fbx")));
    files.extend(test_models("every_file_is_posed_as_ufbx_poses_it").unwrap_or_default());
    files
}

/// Files that are off by more, which a loss must say: scenes have no dual quaternions.
const EXCEPTIONS: [(&str, &str); 1] = [("maya_dual_quaternion_7500_ascii.fbx", "FB507")];

#[test]
fn every_file_is_posed_as_ufbx_poses_it() {
    let files = files();
    let (mut posed, mut animated) = (0, 0);
    for path in &files {
        let name = path.file_name().unwrap().to_str().unwrap();
        let Some((found, report)) = sweep(&std::fs::read(path).unwrap()) else {
            assert_eq!(name, "transparentTest.fbx", "is not read");
            continue;
        };
        println!("{name}: {found:?}");
        assert!(found.corners > 0, "{name}");
        match EXCEPTIONS.iter().find(|(file, _)| *file == name) {
            Some((_, code)) => {
                let stated = stated(&report, code).expect("a loss");
                // The loss counts in lengths of the model as it is skinned linearly, which is a little smaller.
                assert!(
                    (found.worst() / stated - 1.0).abs() < 0.05 && stated > 0.1,
                    "{name}: {stated} {found:?}"
                );
            }
            None => assert!(found.worst() <= TOLERANCE, "{name}: {found:?}"),
        }
        posed += 1;
        animated += usize::from(found.between.max(found.uniform) > 0.0);
    }
    let beside = if support::shared().is_some() { 15 } else { 0 };
    let of_assimp = if files.iter().any(|path| path.ends_with("spider.fbx")) { 18 } else { 0 };
    assert!(posed >= 2 + beside + of_assimp && animated >= 2, "{posed} files posed, {animated} animated");
}
