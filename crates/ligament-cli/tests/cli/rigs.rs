//! Clips and rigs, as pipelines ask for them.

use super::*;

/// What README shows: one model with all clips, root motion apart, no joint too many, scale one.
const LINE: &str = "convert model.fbx hero.glb --clips-from anims/*.fbx --root-motion extract --prune-joints --apply-scale --json";

/// A model and files with its clips, as programs deliver them.
fn delivered(model: &Path, clips: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("anims")).expect("a folder");
    fs::copy(model, folder.path().join("model.fbx")).expect("a copy");
    for clip in clips {
        fs::copy(model, folder.path().join("anims").join(clip)).expect("a copy");
    }
    folder
}

fn losses<'j>(report: &'j Value, code: &str) -> Vec<&'j Value> {
    let losses = report["losses"].as_array().map_or(&[][..], Vec::as_slice);
    losses.iter().filter(|loss| loss["code"] == code).collect()
}

fn converted(folder: &TempDir) -> Value {
    let output = ligament(folder, LINE);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn one_line_makes_one_file_of_a_model_and_its_clips() {
    let column = corpus::workspace().join("crates/ligament/tests/fixtures/fbx/column.fbx");
    let folder = delivered(&column, &["run.fbx", "walk.fbx"]);
    let report = converted(&folder);
    assert_eq!(report["counts"]["clips"], 6);
    let worst = report["comparison"]["worst"]["relative"].as_f64().unwrap_or(0.0);
    assert!(worst < 1e-5, "{worst:e}");
    let from = losses(&report, "RG009");
    assert_eq!(from.len(), 4, "{report}");
    assert!(from.iter().all(|loss| loss["size"].as_f64().unwrap_or(0.0) < 1e-4), "{from:?}");
    // The same by the rules of a file.
    let rules = "[[rule]]\nglob = \"model.fbx\"\nto = [\"gltf\"]\ndialect = \"glb\"\noutput = \"built/{stem}.{ext}\"\n\
                 clips-from = [\"anims/*.fbx\"]\nroot-motion = [\"extract\"]\nprune-joints = \"unused\"\napply-scale = true\n";
    fs::write(folder.path().join("ligament.toml"), rules).expect("written");
    expect(&ligament(&folder, "build"), 0);
    let read = |name: &str| fs::read(folder.path().join(name)).expect(name);
    assert_eq!(read("hero.glb"), read("built/model.glb"));
}

/// With a model of Mixamo, if there is one: root motion is found, and every step is proven.
#[test]
fn a_model_of_mixamo_keeps_every_vertex_in_its_place() {
    let Some(samba) = corpus::extra("real/three/Samba Dancing.fbx") else { return };
    let folder = delivered(&samba, &["run.fbx"]);
    let report = converted(&folder);
    assert_eq!(
        report["counts"]["clips"], 3,
        "the model's two clips, and the one that moves of the other file"
    );
    let worst = report["comparison"]["worst"]["relative"].as_f64().unwrap_or(0.0);
    assert!(worst < 1e-5, "{worst:e}");
    for (code, least) in [("RG009", 1), ("RG030", 2)] {
        let found = losses(&report, code);
        assert!(found.len() >= least, "{code}: {report}");
        assert!(found.iter().all(|loss| loss["size"].as_f64().unwrap_or(0.0) < 1e-4), "{found:?}");
    }
    let info = ligament(&folder, "info hero.glb --json --tree");
    let info: Value = serde_json::from_slice(&info.stdout).expect("JSON");
    let nodes = info["nodes"].as_array().expect("nodes");
    let motion = nodes.iter().find(|node| node["name"] == "motion").expect("a node for the way");
    assert_eq!(motion["clips"].as_array().map(Vec::len), Some(2));
}

#[test]
fn boxes_are_shown() {
    let folder = folder();
    let text = stdout(&ligament(&folder, "info bend_tube.pfobj --bounds"));
    assert!(text.contains("box of clip") && text.contains("box of joint"), "{text}");
    let json: Value =
        serde_json::from_slice(&ligament(&folder, "info bend_tube.pfobj --bounds --json").stdout)
            .expect("JSON");
    let boxes = &json["boxes"];
    assert_eq!(boxes["clips"].as_array().map(Vec::len), Some(2));
    assert_eq!(boxes["joints"].as_array().map(Vec::len), Some(2));
    // A clip reaches no less far than its first pose, which is at rest.
    for axis in 0..3 {
        let rest = json["bounds"]["max"][axis].as_f64().expect("a number");
        let clips: Vec<_> = (0..2).filter_map(|clip| boxes["clips"][clip]["max"][axis].as_f64()).collect();
        assert!(clips.iter().any(|most| *most >= rest - 1e-6), "{json}");
    }
}
