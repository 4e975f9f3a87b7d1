//! The order of operations: as carried out, as listed, and as in the manual.

use super::*;
use ligament::convert::{OPERATIONS, Target, plan};
use ligament::formats::by_id;
use ligament::settings::{find, settings};
use serde_json::json;

/// Settings that change how files are read, exported or prepared, and are no steps of their own.
const NO_STEPS: [&str; 3] = ["fps", "influences", "reencode"];

#[test]
fn every_setting_that_changes_a_model_is_a_step() {
    let changing = settings().filter(|setting| setting.changes_scene && !NO_STEPS.contains(&setting.name));
    let names: Vec<_> = changing.map(|setting| setting.name).collect();
    assert!(names.len() > 20);
    for name in names {
        assert!(OPERATIONS.contains(&name), "{name} has no place in the order");
    }
    assert!(OPERATIONS.iter().all(|name| find(name).is_some()));
}

#[test]
fn the_manual_lists_operations_in_their_order() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rigs.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let tables = page.split("\n## ").next().expect("what comes first");
    let rows = tables.lines().filter(|line| line.starts_with('|'));
    let options = rows.flat_map(|row| row.split("`--").skip(1).filter_map(|rest| rest.split('`').next()));
    let named =
        |option: &str| settings().find(|setting| setting.long() == option).map(|setting| setting.name);
    let listed: Vec<&str> = options.filter_map(named).collect();
    let places: Vec<_> =
        listed.iter().map(|name| OPERATIONS.iter().position(|known| known == name)).collect();
    assert!(places.is_sorted() && places.iter().all(Option::is_some), "{listed:?}");
    let ours = settings()
        .filter(|setting| setting.changes_scene && !NO_STEPS.contains(&setting.name))
        .filter(|setting| page.contains(&format!("--{}", setting.long())));
    for setting in ours {
        assert!(listed.contains(&setting.name), "docs/rigs.md has no row for {}", setting.name);
    }
}

/// An operation that comes later sees what an earlier one made, in this order and in no other.
#[test]
fn operations_run_in_the_listed_order() {
    let mut source = rig();
    source.clips.push(clip("all", 4.0, vec![slide(Interpolation::Linear, &[0.0, 4.0], &[0.0, 4.0])]));
    let settings = [
        ("clips", json!(["run"])),
        ("rename_joints", json!(["hip=pelvis"])),
        ("root_motion", json!(["remove@hip"])),
        ("rest_pose", json!("run@0s")),
        ("rename_clips", json!(["two=run"])),
        ("split", json!(["all@0s-2s=one,2s-3s=two"])),
        ("trim", json!(["all@0s-3s"])),
        ("prune_joints", json!("unused")),
        ("keep_joints", json!(["pelvis"])),
    ];
    let (result, _) = proven(&source, &settings);
    assert_eq!(
        result.clips.iter().map(|clip| (clip.name.as_str(), clip.duration)).collect::<Vec<_>>(),
        [("run", 1.0)]
    );
    assert_eq!(result.nodes[0].name, "pelvis");
    near(places(&result, "run", 0.0)[0], [2.0, 1.0, 0.0]);
    near(places(&result, "run", 1.0)[0], [2.0, 1.0, 0.0]);
}

#[test]
fn a_plan_lists_what_was_asked_for_and_what_the_format_needs() {
    let steps = |from: &str, to: &str, settings: &[(&str, serde_json::Value)]| {
        let mut options = ConvertOptions::default();
        for (name, value) in settings {
            options.set(name, value.clone()).expect("a value of its kind");
        }
        let to = Target { format: by_id(to).expect("a format"), dialect: None };
        plan(&options, by_id(from), to)
    };
    let asked = [
        ("prune_joints", json!("deforming")),
        ("clips_from", json!(["a.fbx", "b.fbx"])),
        ("scale", json!(2.0)),
        ("apply_scale", json!(true)),
    ];
    let all = steps("obj", "gltf", &asked);
    let operations: Vec<_> =
        all.iter().filter(|step| step.kind == "operation").map(|step| step.name).collect();
    assert_eq!(operations, ["clips_from", "scale", "prune_joints", "apply_scale"]);
    assert!(all[1].does.ends_with("whose joints are found by name: a.fbx; b.fbx"), "{}", all[1].does);
    assert!(all.iter().any(|step| step.kind == "prove"));
    // A format that stays the same, without a change, is kept as it is.
    let kept: Vec<_> = steps("gltf", "gltf", &[]).iter().map(|step| step.name).collect();
    assert_eq!(kept, ["read", "keep", "write", "prove", "commit"]);
    let without = steps("gltf", "gltf", &[("verify", json!(false))]);
    assert!(without.iter().all(|step| step.kind != "prove"));
    // A format with frames on a grid and no tree of nodes.
    let passes: Vec<_> =
        steps("gltf", "qmsh", &[]).iter().filter(|step| step.kind == "pass").map(|step| step.name).collect();
    for pass in ["drop_features", "triangulate", "flatten", "influences"] {
        assert!(passes.contains(&pass), "{passes:?} has no {pass}");
    }
}
