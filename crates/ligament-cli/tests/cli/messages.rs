//! What people read: reports ordered by importance, with the option that helps, and errors that say what was meant.

use super::*;

/// A folder with the examples of the repository.
fn examples() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let examples = corpus::workspace().join("examples");
    for name in ["creature.glb", "creature.bgl", "creature.pfobj", "scene.glb"] {
        fs::copy(examples.join(name), folder.path().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    folder
}

/// Standard output of a command that succeeds.
#[track_caller]
fn printed(folder: &TempDir, line: &str) -> String {
    let output = ligament(folder, line);
    expect(&output, 0);
    stdout(&output)
}

#[test]
fn losses_name_the_option_that_avoids_them() {
    let folder = examples();
    let text = printed(&folder, "convert creature.glb a.apg");
    assert!(
        text.contains(" vertices, up to ") && text.contains("→ --influences 4 keeps more [LS010]"),
        "{text}"
    );
    let text = printed(&folder, "convert creature.glb a.apg --influences 4");
    assert!(!text.contains("LS010"), "{text}");
    let text = printed(&folder, "convert creature.glb a.pfobj");
    assert!(text.contains(" tracks, up to ") && text.contains("→ --fps 60 comes closer [LS015]"), "{text}");
    let text = printed(&folder, "convert creature.glb a.amo --dialect one-based");
    assert!(text.contains("→ --dialect document keeps textures [AM504]"), "{text}");

    let value = json(&ligament(&folder, "convert creature.glb a.apg --json"));
    let losses = value["losses"].as_array().expect("a list");
    let loss = losses.iter().find(|loss| loss["code"] == "LS010").expect("a loss");
    assert_eq!((&loss["remedy"]["setting"], &loss["remedy"]["value"]), (&"influences".into(), &4.into()));
}

#[test]
fn what_matters_comes_first_and_the_rest_is_short() {
    let folder = examples();
    let text = printed(&folder, "convert creature.glb a.pfobj");
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].chars().count() <= 120, "{text}");
    assert!(lines[0].contains("worst deviation 6 % (0.00004 % at keys)"), "{text}");
    let sizes: Vec<f64> = lines
        .iter()
        .filter_map(|line| line.split_once("up to ")?.1.split_once(" %")?.0.parse().ok())
        .collect();
    assert!(sizes.len() > 1 && sizes.is_sorted_by(|a, b| a >= b), "{text}");
    let first = lines.iter().find(|line| line.starts_with("  approximated") || line.starts_with("  dropped"));
    assert!(first.is_some_and(|line| line.contains("clip \"wave\" (25 tracks, up to 6.5 %")), "{text}");
    assert!(!text.contains("CV001"), "{text}");
    let text = printed(&folder, "convert creature.glb a.apg");
    let last = text.lines().last().expect("a line");
    assert!(last.starts_with("  minor         ") && last.ends_with("(--verbose lists them)"), "{text}");

    let text = printed(&folder, "convert creature.glb a.pfobj -v");
    assert!(text.contains("wrote dialect \"document\"") && !text.contains("  minor "), "{text}");
    expect(&ligament(&folder, "convert creature.glb a.pfobj -v -q"), 2);
}

#[test]
fn deviations_are_coloured_by_their_size() {
    let folder = examples();
    let mut colourful = command(folder.path());
    let output = colourful.env("CLICOLOR_FORCE", "1").args(["convert", "creature.glb", "a.pfobj"]);
    let text = stdout(&output.output().expect("runs"));
    // Bright red for 6 %, green for 0.00004 %.
    assert!(text.contains("\u{1b}[91m6 %\u{1b}[0m (\u{1b}[32m0.00004 %\u{1b}[0m at keys)"), "{text:?}");
    let mut plain = command(folder.path());
    let output = plain.env("NO_COLOR", "1").args(["convert", "creature.glb", "a.pfobj"]);
    assert!(!stdout(&output.output().expect("runs")).contains('\u{1b}'));
}

#[test]
fn failed_checks_show_the_losses_and_nothing_is_hidden() {
    let folder = examples();
    for line in ["convert creature.glb a.pfobj --strict", "convert creature.glb a.pfobj --max-error 0.1%"] {
        let output = ligament(&folder, line);
        expect_error(&output, 1, &["--fps 60", "LS015"]);
        assert!(
            !stderr(&output).contains("not shown") && !stderr(&output).contains("validate"),
            "{}",
            stderr(&output)
        );
        assert!(!folder.path().join("a.pfobj").exists());
    }
}

/// A triangle with two textures, and an extension that nobody knows.
const TEXTURED: &str = r#"{"asset":{"version":"2.0","generator":"by hand"},"extensionsUsed":["XX_unknown"],
    "buffers":[{"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA","byteLength":36}],
    "bufferViews":[{"buffer":0,"byteLength":36}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0}]}],
    "nodes":[{"mesh":0,"extensions":{"XX_unknown":{}}}],"scenes":[{"nodes":[0]}],"scene":0,
    "samplers":[{"name":"smooth"}],"images":[{"uri":"color.png"},{"uri":"bumps.png"}],"textures":[{"source":0},{"source":1}],
    "materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}},"normalTexture":{"index":1}}]}"#;

fn textured() -> TempDir {
    let folder = folder();
    write(&folder, "in.gltf", TEXTURED);
    let tube = fs::read(folder.path().join("tube.png")).expect("read");
    let white = fs::read(corpus::workspace().join("crates/ligament/tests/gltf/white.png")).expect("read");
    write(&folder, "color.png", tube);
    write(&folder, "bumps.png", white);
    folder
}

#[test]
fn validate_shows_the_losses_that_it_counts() {
    let folder = textured();
    let text = stdout(&ligament(&folder, "validate in.gltf"));
    assert!(text.contains("1 dropped"), "{text}");
    assert!(text.lines().any(|line| line.starts_with("  dropped") && line.ends_with("[GL316]")), "{text}");
}

#[test]
fn side_files_are_listed_and_unused_pictures_stay() {
    let folder = textured();
    let text = stdout(&ligament(&folder, "convert in.gltf out/a.pfobj"));
    assert!(text.contains("  also wrote    color.png\n"), "{text}");
    assert_eq!(names(&folder.path().join("out")), ["a.pfobj", "color.png"]);
    let value = json(&ligament(&folder, "convert in.gltf other/b.bgl --json"));
    let names = value["side_files"].as_array().expect("a list");
    assert!(names.contains(&"bumps.png".into()) && names.contains(&"color.png".into()), "{value}");
}

#[test]
fn textures_go_into_the_files_of_text_gltf_on_request() {
    let folder = textured();
    let output = ligament(&folder, "convert in.gltf out/a.gltf --textures embed");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(names(&folder.path().join("out")), ["a.bin", "a.gltf"]);
    let value = json(&ligament(&folder, "info out/a.gltf --json"));
    assert_eq!(value["images"][0]["type"], "image/png");
    let output = ligament(&folder, "convert in.gltf files/a.gltf");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(names(&folder.path().join("files")).contains(&"color.png".to_owned()));
}

#[test]
fn info_shows_several_files_and_their_trees() {
    let folder = examples();
    let text = printed(&folder, "info creature.glb scene.glb");
    assert!(text.contains("creature.glb   glTF") && text.contains("\nscene.glb   glTF"), "{text}");
    assert_eq!(text.matches(" triangles, ").count(), 2, "{text}");
    assert_eq!(
        json(&ligament(&folder, "info creature.glb scene.glb --json")).as_array().map(Vec::len),
        Some(2)
    );

    let value = json(&ligament(&folder, "info creature.glb --tree --json"));
    let nodes = value["nodes"].as_array().expect("a list");
    assert_eq!(nodes.iter().filter(|node| node["joint"] == true).count(), 26);
    let joints = value["skins"][0]["joint_names"].as_array().expect("a list");
    assert_eq!(joints.len(), 26);
    assert!(value["clips"][0]["joints"].as_u64().is_some_and(|joints| joints > 0 && joints <= 26), "{value}");
    let tree = printed(&folder, "info creature.glb --tree");
    assert!(joints.iter().all(|joint| tree.contains(joint.as_str().expect("a name"))), "{tree}");
    assert!(tree.contains("all clips"), "{tree}");

    let folder = textured();
    let text = stdout(&ligament(&folder, "info in.gltf"));
    for piece in ["generator  by hand", "extensions used  XX_unknown", "2×2", "1 triangle "] {
        assert!(text.contains(piece), "{piece}: {text}");
    }
    // One unreadable file does not stop the others.
    let output = ligament(&folder, "info none.obj in.gltf");
    expect_error(&output, 4, &["none.obj"]);
    assert!(stdout(&output).contains("in.gltf"));
}

#[test]
fn a_file_alone_is_info() {
    let folder = examples();
    assert_eq!(printed(&folder, "creature.glb"), printed(&folder, "info creature.glb"));
    expect_error(&ligament(&folder, "creatur.glb"), 4, &["did you mean creature.glb?"]);
    expect_error(&ligament(&folder, "convrt"), 2, &["convert"]);
    expect_error(&ligament(&folder, "help convrt"), 2, &["a similar subcommand exists: 'convert'"]);
}

#[test]
fn errors_say_what_was_meant() {
    let folder = examples();
    write(&folder, "box.stl", "solid box\n");
    write(&folder, "model.blend", "BLENDER");
    write(&folder, "skin.png", "\u{89}PNG");
    for (line, code, pieces) in [
        ("convert creatur.glb a.apg", 4, &["there is no such file", "did you mean creature.glb?"][..]),
        ("info creature.gltf", 4, &["did you mean creature.glb?"]),
        ("convert creature.glb a.gbl", 2, &["did you mean .bgl or .glb?", "--to"]),
        ("convert creature.glb a.xyzw", 2, &["expected one of: .amo .apg"]),
        ("convert creature.glb a.png", 2, &["`ligament render` draws pictures"]),
        ("convert creature.glb a", 2, &["no extension"]),
        ("convert creature.glb -", 2, &["standard output", "--to"]),
        ("convert box.stl a.glb", 5, &["STL is not supported"]),
        ("info model.blend", 5, &["Blender's own format is not supported"]),
        ("convert creature.pfobj a.apg --from amo", 3, &["the content is PFOBJ", "leave out --from"]),
        ("convert creature.glb a.apg --influences 9", 2, &["CV011", "can hold 4", "--influences 4"]),
        ("convert creature.glb a.apg --max-error 5", 2, &["did you mean 5%?"]),
        ("convert creature.glb a.apg --overwrite", 2, &["existing files are replaced, unless --no-clobber"]),
        ("convert creature.glb a.apg --format apg", 2, &["--to names the format of the output"]),
        ("info creature.glb -v", 2, &["only conversions have --verbose"]),
        ("info skin.png", 3, &["is a picture"]),
        ("convert creature.glb a.apg --reduce-keys 2", 2, &["did you mean 2%?"]),
        ("compare creature.glb creature.bgl --max-error 5", 2, &["did you mean 5%?"]),
    ] {
        let output = ligament(&folder, line);
        expect_error(&output, code, pieces);
        assert_eq!(names(folder.path()).len(), 7, "{line}: nothing is written");
    }
    let output = ligament(&folder, "convert creature.pfobj a.apg --from amo");
    assert_eq!(stderr(&output).matches("error[").count(), 1, "{}", stderr(&output));

    let help = stdout(&ligament(&folder, "convert --help"));
    let to = help.split_once("--to <").expect("the option").1.split_once("--dialect").expect("the next").0;
    assert!(to.contains("pfobj") && to.contains("collada"), "{to}");
}

#[test]
fn folders_of_outputs_are_made() {
    let folder = examples();
    expect(&ligament(&folder, "convert creature.glb new/folder/a.apg -q"), 0);
    expect(&ligament(&folder, "pose creature.glb another/a.obj --clip walk --at 0.2 -q"), 0);
    assert!(
        folder.path().join("new/folder/a.apg").is_file() && folder.path().join("another/a.obj").is_file()
    );
    expect(&ligament(&folder, "convert creature.glb never/a.apg --strict"), 1);
    assert!(!folder.path().join("never").exists(), "a failure leaves nothing");
}

#[test]
fn a_pose_past_the_end_is_that_of_the_end() {
    let folder = examples();
    let text = printed(&folder, "pose creature.glb a.obj --clip walk --at 99");
    assert!(
        text.contains("before 99 s") && !text.contains("posed at 99 s") && text.contains("posed at 1 s"),
        "{text}"
    );
}

#[test]
fn files_in_the_target_format_are_skipped_and_clashes_resolved() {
    let folder = examples();
    fs::create_dir(folder.path().join("art")).expect("created");
    for name in ["creature.glb", "creature.bgl", "scene.glb"] {
        fs::rename(folder.path().join(name), folder.path().join("art").join(name)).expect("moved");
    }
    let clash = "--keep-extension keeps their names apart";
    expect_error(&ligament(&folder, "convert art --to apg --out-dir out"), 2, &[clash]);
    let output = ligament(&folder, "convert art --to apg --out-dir out --keep-extension");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let made = names(&folder.path().join("out"));
    assert_eq!(made, [".ligament-cache", "creature.bgl.apg", "creature.glb.apg", "scene.glb.apg"]);

    // The BOGLE file is an input that the new one would replace.
    expect_error(&ligament(&folder, "convert art --to bgl"), 2, &["overwrite the input", clash]);
    fs::remove_file(folder.path().join("art/creature.glb")).expect("removed");
    let before = fs::read(folder.path().join("art/creature.bgl")).expect("read");
    let output = ligament(&folder, "convert art --to bgl");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("1 skipped (already in the target format)"), "{}", stdout(&output));
    assert_eq!(fs::read(folder.path().join("art/creature.bgl")).expect("read"), before);
    assert!(folder.path().join("art/scene.bgl").is_file());
}

#[test]
fn init_writes_rules_that_work_and_replaces_nothing() {
    let folder = examples();
    expect_error(&ligament(&folder, "build"), 4, &["there is no such file", "`ligament init`"]);
    fs::create_dir(folder.path().join("art")).expect("created");
    fs::copy(folder.path().join("creature.glb"), folder.path().join("art/creature.glb")).expect("copied");
    let text = printed(&folder, "init");
    assert!(text.contains("ligament.toml written"), "{text}");
    let output = ligament(&folder, "build");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let made = names(&folder.path().join("assets"));
    assert!(made.iter().any(|name| name.starts_with("creature.")), "{made:?}");
    write(&folder, "ligament.toml", "# mine\n");
    expect_error(&ligament(&folder, "init"), 4, &["exists already"]);
    assert_eq!(fs::read_to_string(folder.path().join("ligament.toml")).expect("read"), "# mine\n");
}

#[test]
fn different_models_are_called_different() {
    let folder = examples();
    let text = stdout(&ligament(&folder, "compare creature.glb scene.glb"));
    assert!(text.contains("do not look like the same model"), "{text}");
    let text = stdout(&ligament(&folder, "compare creature.glb creature.bgl"));
    assert!(!text.contains("do not look like"), "{text}");
    assert!(!text.contains("extras:"), "{text}");
}
