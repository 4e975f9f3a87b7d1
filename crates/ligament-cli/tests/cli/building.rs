//! `ligament build`, its rules, and their errors.

use super::*;

const RULES: &str = r#"
[[rule]]
glob = ["art/**/*.pfobj"]
exclude = "art/old/**"
to = "glb"
output = "game/{dir}/{stem}.{ext}"
max-error = "0.01%"

[[rule]]
glob = "art/*.pfobj"
to = "apg"
binary = true
clip = ["Bend"]
scale = 2
output = "preview/{stem}.{ext}"
"#;

fn project() -> TempDir {
    let folder = folder();
    for (name, to) in [
        ("bend_tube.pfobj", "p/art/tube.pfobj"),
        ("tube.png", "p/art/tube.png"),
        ("multi_mat_cube.pfobj", "p/art/a/cube.pfobj"),
        ("multi_mat_cube.pfobj", "p/art/old/cube.pfobj"),
    ] {
        let to = folder.path().join(to);
        fs::create_dir_all(to.parent().expect("a parent")).expect("created");
        fs::copy(folder.path().join(name), to).expect("copied");
    }
    write(&folder, "p/ligament.toml", RULES);
    folder
}

#[test]
fn rules_make_what_the_command_line_would() {
    let folder = project();
    let build = "build --config p/ligament.toml";
    let output = ligament(&folder, build);
    expect(&output, 0);
    assert!(
        stdout(&output).lines().last().is_some_and(|l| l.starts_with("3 files: 3 done")),
        "{}",
        stdout(&output)
    );
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    expect(&ligament(&folder, "convert p/art/tube.pfobj -o tube.glb -q"), 0);
    assert!(read("p/game/tube.glb") == read("tube.glb"));
    expect(&ligament(&folder, "convert p/art/tube.pfobj -o tube.apg --binary --clip Bend --scale 2 -q"), 0);
    assert!(read("p/preview/tube.apg") == read("tube.apg"));
    assert!(folder.path().join("p/game/a/cube.glb").exists());
    assert!(!folder.path().join("p/game/old").exists());

    let output = ligament(&folder, build);
    assert!(stdout(&output).starts_with("3 files: 0 done, 3 unchanged"), "{}", stdout(&output));
    // From another folder, and after moving the whole project.
    fs::rename(folder.path().join("p"), folder.path().join("q")).expect("moved");
    let output = command(&folder.path().join("q")).arg("build").output().expect("runs");
    expect(&output, 0);
    assert!(stdout(&output).starts_with("3 files: 0 done, 3 unchanged"), "{}", stdout(&output));
    // A changed option of one rule repeats only that rule.
    write(&folder, "q/ligament.toml", RULES.replace("scale = 2", "scale = 3"));
    let output = ligament(&folder, "build --config q/ligament.toml --json");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let last: Value = serde_json::from_str(stdout(&output).lines().last().unwrap_or_default()).expect("JSON");
    assert_eq!((&last["summary"]["done"], &last["summary"]["unchanged"]), (&Value::from(1), &Value::from(2)));
}

#[test]
fn wrong_rules_are_shown_with_their_place() {
    let folder = project();
    write(&folder, "p/ligament.toml", RULES.replace("max-error", "max_eror"));
    let output = ligament(&folder, "build --config p/ligament.toml");
    expect(&output, 2);
    assert_eq!(
        stderr(&output),
        "error[BD002]: there is no key `max_eror`
 --> p/ligament.toml:7:1
  |
7 | max_eror = \"0.01%\"
  | ^^^^^^^^
  |
  = help: did you mean `max-error`?
more: ligament explain BD002
"
    );
    let rule = |more: &str| {
        format!("[[rule]]\nglob = \"art/*.pfobj\"\nto = \"glb\"\noutput = \"x/{{stem}}.glb\"\n{more}\n")
    };
    for (text, pieces) in [
        (rule("strict = \"yes\""), &["BD003", ":5:10", "true or false"][..]),
        (rule("max-error = \"1mm\""), &["BD003", ":5:13", "0.01%"]),
        (rule("textures = \"inside\""), &["BD003", "embed"]),
        (rule("influences = 0"), &["BD003", ":5:14"]),
        (rule("binary = true\ndialect = \"glb\""), &["BD003", "cannot be used with"]),
        (rule("json = true"), &["BD002", "`json`"]),
        (rule("exclude = 1"), &["BD003", "pattern"]),
        (rule("exclude = \"[a\""), &["BD003", "unclosed"]),
        (rule("strict = "), &["BD001", ":5:10"]),
        (rule("\n[[rules]]"), &["BD002", "did you mean `rule`?"]),
        (rule("").replace("to = \"glb\"", "to = \"glib\""), &["BD003", ":3:6"]),
        (rule("").replace("to = \"glb\"\n", ""), &["BD004", "`to`"]),
        (rule("").replace("[[rule]]", "[rule]"), &["BD003", "[[rule]]"]),
        (rule("").replace("{stem}", "{name}"), &["BD003", ":4:10", "{stem}"]),
        (rule("").replace("*.pfobj", "*.dae"), &["BD005", ":2:8", "looked in p/art"]),
        (String::new(), &["BD004", "no [[rule]]"]),
    ] {
        write(&folder, "p/ligament.toml", &text);
        let output = ligament(&folder, "build --config p/ligament.toml");
        expect_error(&output, 2, pieces);
        assert_eq!(stdout(&output), "", "{text}");
    }
    assert!(!folder.path().join("p/x").exists());
    write(&folder, "p/ligament.toml", b"x = \"\xff\"");
    expect_error(&ligament(&folder, "build --config p/ligament.toml"), 2, &["BD001", "UTF-8"]);
    expect_error(&ligament(&folder, "build"), 4, &["ligament.toml", "--config"]);
    let explained = ligament(&folder, "explain BD002 bd005");
    expect(&explained, 0);
    assert!(stdout(&explained).contains("unknown key"), "{}", stdout(&explained));
}

#[test]
fn rules_that_collide_are_refused_before_any_work() {
    let folder = project();
    write(&folder, "p/ligament.toml", RULES.replace("{dir}/", "").replace("exclude = \"art/old/**\"", ""));
    let output = ligament(&folder, "build --config p/ligament.toml");
    expect_error(&output, 2, &["p/art/a/cube.pfobj and p/art/old/cube.pfobj", "p/game/cube.glb"]);
    write(&folder, "p/ligament.toml", RULES.replace("game/{dir}/{stem}.{ext}", "art/{dir}/{stem}.pfobj"));
    expect_error(&ligament(&folder, "build --config p/ligament.toml"), 2, &["overwrite the input itself"]);
    assert_eq!(names(&folder.path().join("p")), ["art", "ligament.toml"]);
}

#[test]
fn the_example_builds() {
    let folder = folder();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for name in
        ["ligament.toml", "creature.glb", "creature.pfobj", "broken.pfobj", "creature.png", "scene.glb"]
    {
        fs::copy(examples.join(name), folder.path().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    for name in ["bend_tube.pfobj", "multi_mat_cube.pfobj", "tube.png"] {
        fs::remove_file(folder.path().join(name)).expect("removed");
    }
    let output = ligament(&folder, "build");
    expect(&output, 0);
    assert!(folder.path().join("build").is_dir());
    // Files of the current folder are named alike, whichever rule found them.
    let text = stdout(&output);
    assert!(text.contains("creature.pfobj → ") && !text.contains("./") && !text.contains("broken"), "{text}");
}

#[test]
fn a_rule_may_name_several_formats() {
    let folder = project();
    let rule = |output: &str| {
        let text =
            format!("[[rule]]\nglob = \"art/tube.pfobj\"\nto = [\"glb\", \"apg\"]\noutput = \"{output}\"\n");
        write(&folder, "p/ligament.toml", &text);
    };
    rule("game/{stem}.{ext}");
    expect(&ligament(&folder, "build --config p/ligament.toml -q"), 0);
    for name in ["p/game/tube.glb", "p/game/tube.apg"] {
        assert!(folder.path().join(name).is_file(), "{name}");
    }
    rule("game/{stem}.model");
    let output = ligament(&folder, "build --config p/ligament.toml -q");
    expect(&output, 2);
    assert!(stderr(&output).contains("would both be written to"), "{}", stderr(&output));
}

#[test]
fn rules_that_are_too_large_or_empty_are_errors() {
    let folder = folder();
    let rule = |glob: &str, to: &str| {
        format!("[[rule]]\nglob = \"{glob}\"\nto = {to}\noutput = \"out/{{stem}}.{{ext}}\"\n")
    };
    let long = "*a".repeat(150_000);
    for (text, place, piece) in [
        (rule(&long, "\"glb\""), "ligament.toml:2:8", "300000 bytes long; at most"),
        (rule("*.pfobj", "[]"), "ligament.toml:3:6", "the list is empty; expected at least one value"),
    ] {
        write(&folder, "ligament.toml", text);
        expect_error(&ligament(&folder, "build"), 2, &[place, piece]);
    }
}
