//! Joints under other names.

use super::*;
use serde_json::json;
use std::path::Path;

/// A rig whose joints have a namespace, and a clip.
fn source() -> Scene {
    let mut scene = rig();
    scene.nodes[0].name = "mixamorig:hip".into();
    scene.nodes[1].name = "mixamorig:tip".into();
    scene.clips.push(clip("nod", 1.0, vec![turn(&[0.0, 1.0], &[0.0, 1.0])]));
    scene
}

fn names(scene: &Scene) -> Vec<&str> {
    scene.nodes.iter().map(|node| node.name.as_str()).collect()
}

fn words(words: &[&str]) -> [(&'static str, serde_json::Value); 1] {
    [("rename_joints", json!(words))]
}

#[test]
fn joints_are_renamed_by_name_without_namespace_and_by_pattern() {
    let source = source();
    for (asked, wanted) in [
        (&["mixamorig:hip=pelvis"][..], ["pelvis", "mixamorig:tip", "body"]),
        (&["hip=pelvis", "tip=head"], ["pelvis", "head", "body"]),
        (&["mixamorig:*=*"], ["hip", "tip", "body"]),
        // A joint that is named itself is not one of those with a star.
        (&["mixamorig:*=b_*", "tip=head"], ["b_hip", "head", "body"]),
        // All at once: one takes the name that another had.
        (&["mixamorig:tip=end", "mixamorig:hip=mixamorig:tip"], ["mixamorig:tip", "end", "body"]),
    ] {
        let (renamed, report) = proven(&source, &words(asked));
        assert_eq!(names(&renamed), wanted, "{asked:?}");
        assert!(oracle::apart(&source, &renamed, true) < 1e-6);
        let said = report.losses().iter().find(|loss| loss.code.id == "RG054").expect("told");
        assert_eq!(said.count as usize, asked.len().max(usize::from(asked[0].contains('*')) * 2));
    }
    let (_, report) = proven(&source, &words(&["hip=pelvis"]));
    let said = report.losses().iter().find(|loss| loss.code.id == "RG054").expect("told");
    assert_eq!(said.message, "\"mixamorig:hip\" is \"pelvis\" from now on");
}

fn map(folder: &Path, text: &str) -> [(&'static str, serde_json::Value); 1] {
    let path = folder.join("map.toml");
    std::fs::write(&path, text).expect("written");
    [("rename_joints", json!([path.display().to_string()]))]
}

#[test]
fn maps_are_files_with_or_without_a_table() {
    let folder = tempfile::tempdir().expect("a folder");
    for text in [
        "hip = \"pelvis\" # mine\n\"mixamorig:tip\" = \"head\"\n",
        "[joints]\n'*:tip' = 'h*ead'\nhip = 'pelvis'",
    ] {
        let (renamed, _) = proven(&source(), &map(folder.path(), text));
        let tip = if text.starts_with('[') { "hmixamorigead" } else { "head" };
        assert_eq!(names(&renamed), ["pelvis", tip, "body"]);
    }
}

#[test]
fn bad_maps_are_refused_with_their_line() {
    let folder = tempfile::tempdir().expect("a folder");
    for (text, line, wanted) in [
        ("hip = 'a'\nhpi = 'b'", 2, "the model has no joint \"hpi\" did you mean \"hip\"?"),
        (
            "hip = 'a'\ntip = 'a'",
            2,
            "joints \"mixamorig:hip\" and \"mixamorig:tip\" would both be called \"a\"",
        ),
        (
            "hip = 'mixamorig:tip'",
            1,
            "joints \"mixamorig:tip\" and \"mixamorig:hip\" would both be called \"mixamorig:tip\"",
        ),
        ("hip = 'a'\n'mixamorig:hip' = 'b'", 2, "joint \"mixamorig:hip\" is renamed twice"),
        ("hip = 3", 1, "expected a name in quotes"),
        ("hip = 'a\ntip = 'b'", 1, "invalid literal string, expected `'`"),
        (
            "[bones]\nhip = 'a'",
            1,
            "\"bones\" is a table; pairs are outside of any table or in [joints], and names with dots are in quotes",
        ),
        ("'x*' = 'y*'", 1, "no joint is called \"x*\""),
        (
            "'mixamorig:*' = 'y'",
            1,
            "\"mixamorig:*\" to \"y\": expected one star in each, such as \"mixamorig:*\" to \"*\"",
        ),
        ("hip = ''", 1, "\"\" is no name"),
    ] {
        let settings = map(folder.path(), text);
        assert_eq!(refused(&source(), &settings), wanted, "{text}");
        let error = written(&source(), &settings).expect_err("a failure");
        let found = &error.report.diagnostics()[0];
        assert_eq!(found.place.line_column.map(|place| place.0), Some(line), "{text}");
        assert!(found.file.ends_with("map.toml"), "{}", found.file);
    }
    let circle = "hip = 'tip'\ntip = 'hip'";
    let told = refused(&source(), &map(folder.path(), circle));
    assert!(told.starts_with("the map goes in a circle: \"hip\" to \"tip\" to \"hip\""), "{told}");
    assert_eq!(
        refused(&source(), &words(&["hip"])),
        "expected A=B, not \"hip\"; a file of pairs ends in .toml"
    );
    let missing = written(&source(), &words(&["nowhere.toml"])).expect_err("a failure");
    assert_eq!(missing.failure, ligament::Failure::Io);
    std::fs::write(folder.path().join("map.toml"), b"hip = '\xff'").expect("written");
    let settings = [("rename_joints", json!([folder.path().join("map.toml").display().to_string()]))];
    assert_eq!(refused(&source(), &settings), "this is not UTF-8");
}

/// A chain that leads into a circle ends, and a long one takes no longer than it has pairs.
#[test]
fn long_maps_are_checked_in_one_pass() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut text: String = (0..20_000).map(|i| format!("j{i} = 'j{}'\n", i + 1)).collect();
    text += "j20000 = 'j19990'\n";
    let told = refused(&source(), &map(folder.path(), &text));
    assert!(told.starts_with("the map goes in a circle: \"j19990\" to \"j19991\" to "), "{told}");
}

#[test]
fn a_map_has_few_patterns() {
    let folder = tempfile::tempdir().expect("a folder");
    let text: String = (0..65).map(|i| format!("'a{i}*' = 'b{i}*'\n")).collect();
    assert_eq!(refused(&source(), &map(folder.path(), &text)), "a map has at most 64 names with a star");
}
