//! Conversions and the options that change them.

use super::*;

#[test]
fn convert_says_what_it_did_in_one_line() {
    let folder = folder();
    let output = ligament(&folder, "convert bend_tube.pfobj tube.glb");
    expect(&output, 0);
    let text = stdout(&output);
    let line = text.lines().next().expect("a line");
    assert!(
        line.starts_with("bend_tube.pfobj → tube.glb   324 vertices, 2 joints, 2 clips   worst deviation "),
        "{line}"
    );
    assert!(fs::read(folder.path().join("tube.glb")).expect("written").starts_with(b"glTF"));

    let output = ligament(&folder, "convert bend_tube.pfobj quiet.glb --quiet --no-verify");
    expect(&output, 0);
    assert_eq!(stdout(&output), "");
    let output = ligament(&folder, "convert bend_tube.pfobj tube.glb --no-verify");
    assert!(stdout(&output).contains("not verified"), "{}", stdout(&output));
}

#[test]
fn a_file_in_its_own_format_is_rewritten_unchanged() {
    let folder = folder();
    let output = ligament(&folder, "convert multi_mat_cube.pfobj again.pfobj");
    expect(&output, 0);
    assert!(stdout(&output).contains("rewritten without going through a scene"), "{}", stdout(&output));
    let read = |name: &str| fs::read(folder.path().join(name)).expect("there");
    assert_eq!(read("again.pfobj"), read("multi_mat_cube.pfobj"));

    // In place, because the new file is complete before it replaces the old one.
    let before = read("bend_tube.pfobj");
    expect(&ligament(&folder, "convert bend_tube.pfobj bend_tube.pfobj"), 0);
    assert_eq!(read("bend_tube.pfobj"), before);
}

/// Positions of a model in the text format of the test models, read without this project's reader.
fn positions(path: &Path) -> Vec<[f64; 3]> {
    let text = fs::read_to_string(path).expect("text");
    let lines = text.lines().filter_map(|line| line.strip_prefix("v "));
    lines
        .map(|line| {
            let numbers: Vec<f64> = line.split_whitespace().map(|n| n.parse().expect("a number")).collect();
            [numbers[0], numbers[1], numbers[2]]
        })
        .collect()
}

#[test]
fn baked_poses_are_where_blender_has_them() {
    let oracle = fs::read(corpus::corpus("own/pfobj/bend_tube.oracle.json")).expect("readable");
    let oracle: Value = serde_json::from_slice(&oracle).expect("JSON");
    let folder = folder();
    let mut poses = 0;
    for (clip, frames) in oracle.as_object().expect("clips") {
        for (frame, vertices) in frames.as_array().expect("frames").iter().enumerate().step_by(3) {
            let at = frame as f64 / 10.0;
            let line = format!("pose bend_tube.pfobj --fps 10 --clip {clip} --at {at} posed.pfobj -q");
            expect(&ligament(&folder, &line), 0);
            let wanted: Vec<[f64; 3]> = serde_json::from_value(vertices.clone()).expect("vertices");
            let found = positions(&folder.path().join("posed.pfobj"));
            assert_eq!(found.len(), wanted.len());
            for (found, wanted) in found.iter().zip(&wanted) {
                let distance = (0..3).map(|i| (found[i] - wanted[i]).powi(2)).sum::<f64>().sqrt();
                assert!(distance < 3e-5, "{clip} {frame}: {found:?} instead of {wanted:?}");
            }
            poses += 1;
        }
    }
    assert!(poses >= 5, "{poses}");
}

#[test]
fn reading_options_change_what_a_file_means() {
    let folder = folder();
    // Angles are written and read in the same order; read in the other order they give another pose.
    let written = ligament(&folder, "convert bend_tube.pfobj xyz.pfobj --dialect document --euler-order xyz");
    expect(&written, 0);
    let compare = "compare bend_tube.pfobj xyz.pfobj --max-error 0.01%";
    expect(&ligament(&folder, &format!("{compare} --euler-order xyz")), 0);
    expect(&ligament(&folder, compare), 1);

    let text = fs::read_to_string(folder.path().join("bend_tube.pfobj")).unwrap();
    let wrong = text.replacen("frame_counts   10 6", "frame_counts   10 7", 1);
    assert_ne!(text, wrong);
    fs::write(folder.path().join("wrong.pfobj"), wrong).unwrap();
    expect(&ligament(&folder, "validate wrong.pfobj"), 3);
    let lenient = ligament(&folder, "validate --lenient wrong.pfobj");
    expect(&lenient, 0);
    assert!(stdout(&lenient).contains("warning[PF206]"), "{}", stdout(&lenient));
    expect(&ligament(&folder, "convert --lenient wrong.pfobj right.pfobj"), 0);
    assert_eq!(fs::read_to_string(folder.path().join("right.pfobj")).unwrap(), text);
}

#[test]
fn a_mirrored_model_is_another_and_mirrored_twice_the_same() {
    let folder = folder();
    expect(&ligament(&folder, "convert bend_tube.pfobj once.glb --mirror-x"), 0);
    expect(&ligament(&folder, "compare bend_tube.pfobj once.glb --max-error 0.01%"), 1);
    expect(&ligament(&folder, "convert once.glb twice.glb --mirror-x"), 0);
    expect(&ligament(&folder, "compare bend_tube.pfobj twice.glb --max-error 0.0001%"), 0);
}

#[test]
fn a_plan_is_listed_and_nothing_is_done() {
    let folder = folder();
    let line = "convert bend_tube.pfobj tube.glb --explain-plan --apply-scale --prune-joints=deforming";
    let output = ligament(&folder, line);
    expect(&output, 0);
    let text = stdout(&output);
    let steps: Vec<_> = text.lines().skip(1).filter_map(|line| line.split_whitespace().nth(1)).collect();
    let asked: Vec<_> = steps.iter().filter(|step| step.starts_with("--")).collect();
    assert_eq!(asked, [&"--prune-joints", &"--apply-scale"], "{text}");
    assert_eq!((steps.first(), steps.last()), (Some(&"read"), Some(&"commit")), "{text}");
    assert!(!folder.path().join("tube.glb").exists());
    let output = ligament(&folder, &format!("{line} --json"));
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let plan = &json["plans"][0];
    assert_eq!((plan["from"].as_str(), plan["to"].as_str()), (Some("pfobj"), Some("gltf")));
    assert_eq!(plan["steps"][1]["name"], "prune_joints");
    // Several formats, several inputs.
    let output = ligament(&folder, "convert . --to apg,pfobj --out-dir out --explain-plan --json");
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["plans"].as_array().map(Vec::len), Some(2));
    assert!(!folder.path().join("out").exists());
    expect(&ligament(&folder, "convert bend_tube.pfobj tube.xyz --explain-plan"), 2);
}
