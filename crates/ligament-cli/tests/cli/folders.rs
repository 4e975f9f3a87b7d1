//! Several files in one run: output names, the cache, and errors before any work.

use super::*;
use std::collections::BTreeMap;
use std::time::SystemTime;

/// `art/` with three models, one of them in a subfolder, and a file that is not a model.
fn art() -> TempDir {
    let folder = folder();
    for (name, to) in [
        ("bend_tube.pfobj", "art/a/tube.pfobj"),
        ("tube.png", "art/a/tube.png"),
        ("multi_mat_cube.pfobj", "art/cube.pfobj"),
        ("multi_mat_cube.pfobj", "art/a/b/deep.pfobj"),
    ] {
        let to = folder.path().join(to);
        fs::create_dir_all(to.parent().expect("a parent")).expect("created");
        fs::copy(folder.path().join(name), to).expect("copied");
    }
    write(&folder, "art/notes.txt", "nothing to see");
    folder
}

/// Every file below a folder with its content, except for hidden files.
fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(next).expect("a folder").flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if !path.file_name().unwrap_or_default().to_string_lossy().starts_with('.') {
                files.insert(
                    path.strip_prefix(folder).expect("below").to_owned(),
                    fs::read(&path).expect("read"),
                );
            }
        }
    }
    files
}

fn names_in(folder: &TempDir, sub: &str) -> Vec<String> {
    tree(&folder.path().join(sub)).keys().map(|path| path.display().to_string()).collect()
}

fn modified(path: &Path) -> SystemTime {
    path.metadata().and_then(|m| m.modified()).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

const ALL: &str = "convert art/**/*.pfobj --to glb --out-dir out/assets";

#[test]
fn outputs_keep_the_part_that_a_pattern_leaves_open() {
    let folder = art();
    let output = ligament(&folder, ALL);
    expect(&output, 0);
    assert_eq!(names_in(&folder, "out/assets"), ["a/b/deep.glb", "a/tube.glb", "cube.glb"]);
    let text = stdout(&output);
    assert!(text.contains("art/a/tube.pfobj → out/assets/a/tube.glb   324 vertices"), "{text}");
    assert!(text.lines().last().is_some_and(|l| l.starts_with("3 files: 3 done")), "{text}");

    // A folder stands for everything in it that looks like a model, and several inputs are possible.
    expect(&ligament(&folder, "convert art --to glb --out-dir whole"), 0);
    assert_eq!(names_in(&folder, "whole"), names_in(&folder, "out/assets"));
    expect(&ligament(&folder, "convert art/a art/cube.pfobj art/cube.pfobj --to glb --out-dir some"), 0);
    assert_eq!(names_in(&folder, "some"), ["b/deep.glb", "cube.glb", "tube.glb"]);

    // A file without an extension is recognised by its content.
    fs::copy(folder.path().join("some/cube.glb"), folder.path().join("art/nameless")).expect("copied");
    expect(&ligament(&folder, "convert art --to glb --out-dir named"), 0);
    assert!(names_in(&folder, "named").contains(&"nameless.glb".to_owned()));
}

#[test]
fn without_an_output_the_name_stays() {
    let folder = art();
    expect(&ligament(&folder, "convert art/cube.pfobj --to glb"), 0);
    expect(&ligament(&folder, "convert art/cube.pfobj -o other.apg --binary"), 0);
    let binary = fs::read(folder.path().join("other.apg")).expect("written");
    expect(&ligament(&folder, "convert art/cube.pfobj same.apg --binary"), 0);
    assert_eq!(fs::read(folder.path().join("same.apg")).expect("written"), binary);
    expect(&ligament(&folder, "convert art/**/*.pfobj --to bogle"), 0);
    assert_eq!(
        names_in(&folder, "art"),
        [
            "a/b/deep.bgl",
            "a/b/deep.pfobj",
            "a/tube.bgl",
            "a/tube.pfobj",
            "a/tube.png",
            "cube.bgl",
            "cube.glb",
            "cube.pfobj",
            "notes.txt"
        ]
    );
}

#[test]
fn a_second_run_does_nothing() {
    let folder = art();
    expect(&ligament(&folder, ALL), 0);
    let cube = folder.path().join("out/assets/cube.glb");
    let (before, first) = (modified(&cube), tree(&folder.path().join("out")));
    let last = |output: &Output| stdout(output).lines().last().unwrap_or_default().to_owned();
    let again = |options: &str, wanted: &str| {
        let output = ligament(&folder, &format!("{ALL} {options}"));
        expect(&output, 0);
        assert!(last(&output).starts_with(wanted), "{options}: {}", stdout(&output));
    };
    for _ in 0..2 {
        again("", "3 files: 0 done, 3 unchanged, 0 failed");
    }
    // Neither the number of threads nor the verbosity changes the result.
    again("--jobs 1 --no-clobber", "3 files: 0 done, 3 unchanged");
    assert_eq!(modified(&cube), before);

    again("--scale 2", "3 files: 3 done");
    again("", "3 files: 3 done");
    assert_eq!(tree(&folder.path().join("out")), first);
    again("--force", "3 files: 3 done");

    // A texture that is embedded in one of the outputs.
    fs::copy(folder.path().join("tube.png"), folder.path().join("art/a/other.png")).expect("copied");
    let mut picture = fs::read(folder.path().join("tube.png")).expect("read");
    picture.push(0);
    write(&folder, "art/a/tube.png", &picture);
    again("", "3 files: 1 done, 2 unchanged");
    // A texture that was missing before.
    write(&folder, "art/stone_a.png", &picture);
    again("", "3 files: 1 done, 2 unchanged");
    // The input itself, to the same length.
    let path = folder.path().join("art/cube.pfobj");
    let text = fs::read_to_string(&path).expect("text");
    write(&folder, "art/cube.pfobj", text.replacen("0.952840", "0.952841", 1));
    again("", "3 files: 1 done, 2 unchanged");
    // Only its time.
    write(&folder, "art/cube.pfobj", fs::read(&path).expect("read"));
    again("", "3 files: 0 done, 3 unchanged");
    // An output that was removed or changed.
    fs::remove_file(&cube).expect("removed");
    again("", "3 files: 1 done, 2 unchanged");
    fs::write(&cube, "glTF").expect("written");
    again("", "3 files: 1 done, 2 unchanged");
    assert!(fs::read(&cube).expect("read").len() > 4);
    // A damaged cache.
    for nonsense in ["", "{}", "{\"version\":\"1 0.1.0\",\"records\":[{}]}", "\u{0}"] {
        write(&folder, "out/assets/.ligament-cache", nonsense);
        again("", "3 files: 3 done");
    }
    again("", "3 files: 0 done, 3 unchanged");
}

#[test]
fn one_bad_file_does_not_stop_the_others() {
    let folder = art();
    write(&folder, "art/bad.pfobj", "version 1.0\nnum_verts x\n");
    for done in ["3 done", "0 done"] {
        let output = ligament(&folder, ALL);
        expect_error(&output, 3, &["error[PF", "art/bad.pfobj:2:11", "num_verts x"]);
        let text = stdout(&output);
        let row = text.lines().find(|line| line.starts_with("art/bad.pfobj"));
        assert!(row.is_some_and(|row| row.contains("failed  art/bad.pfobj:2:11: error[PF")), "{text}");
        let last = text.lines().last().unwrap_or_default();
        assert!(last.starts_with(&format!("4 files: {done}")) && last.contains("1 failed"), "{text}");
    }
    assert_eq!(names_in(&folder, "out/assets").len(), 3);

    // Losses are listed per file and counted.
    let output = ligament(&folder, "convert art/a/*.pfobj --to apg --out-dir lossy");
    expect(&output, 0);
    for piece in ["\n  dropped  ", "1 done (1 with losses)", "losses  "] {
        assert!(stdout(&output).contains(piece), "{piece:?}: {}", stdout(&output));
    }
    let output = ligament(&folder, "convert art/a/*.pfobj --to apg --out-dir strict --strict");
    expect_error(&output, 1, &["CV004"]);
    let output = ligament(&folder, "convert art/*.pfobj art/no.pfobj --to apg --out-dir missing -q");
    expect_error(&output, 4, &["IO001", "art/no.pfobj"]);
}

#[test]
fn json_is_a_line_for_each_file_and_one_for_all() {
    let folder = art();
    write(&folder, "art/bad.pfobj", "version 1.0\nnum_verts x\n");
    for (run, word) in ["done", "unchanged"].iter().enumerate() {
        let output = ligament(&folder, &format!("{ALL} --json --report report.json"));
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        let lines: Vec<Value> =
            stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let of =
            |key: &str| -> Vec<&str> { lines[..4].iter().filter_map(|line| line[key].as_str()).collect() };
        assert_eq!(of("result"), [word, word, "failed", word]);
        let inputs = ["art/a/b/deep.pfobj", "art/a/tube.pfobj", "art/bad.pfobj", "art/cube.pfobj"];
        assert_eq!(of("input"), inputs, "in the order of their names");
        assert_eq!(lines[2]["diagnostics"][0]["line"], 2);
        assert_eq!(lines[1]["comparison"].is_object(), run == 0);
        let summary = &lines[4]["summary"];
        assert_eq!((&summary["files"], &summary["failed"]), (&Value::from(4), &Value::from(1)), "{summary}");
        assert_eq!(summary[word], 3, "{summary}");
        let report = fs::read(folder.path().join("report.json")).expect("written");
        let report: Value = serde_json::from_slice(&report).expect("JSON");
        assert_eq!(report["files"].as_array().map(Vec::len), Some(4));
        assert_eq!(report["summary"], *summary);
    }
}

#[test]
fn what_cannot_work_is_refused_before_any_work() {
    let folder = art();
    fs::copy(folder.path().join("art/cube.pfobj"), folder.path().join("art/Cube.pfobj")).expect("copied");
    fs::create_dir(folder.path().join("both")).expect("created");
    for name in ["both/x.pfobj", "both/x.glb", "both/y.pfobj"] {
        write(&folder, name, "");
    }
    let before = tree(folder.path());
    for (line, pieces) in [
        ("convert both --to apg --out-dir out", &["both/x.glb and both/x.pfobj", "out/x.apg"][..]),
        ("convert art --to glb --out-dir out", &["art/Cube.pfobj and art/cube.pfobj", "do not tell apart"]),
        (
            "convert both/x.pfobj art/../both/x.pfobj --to apg --out-dir out",
            &["both/x.pfobj and art/../both/x.pfobj"],
        ),
        ("convert both/y.pfobj both/x.glb --to pfobj --out-dir both", &["overwrite the input itself"]),
        ("convert both/x.pfobj both/x.glb --to glb --out-dir both", &["overwrite the input both/x.glb"]),
        (
            "convert none/**/*.dae --to apg --out-dir out",
            &["no model matches none/**/*.dae", "looked in none"],
        ),
        ("convert art/*.nothing --to apg --out-dir out", &["looked in art"]),
        ("convert art/[a --to apg --out-dir out", &["unclosed"]),
        ("convert both/x.pfobj both/x.glb both/y.pfobj --to apg", &["--out-dir", "quotes"]),
        (
            "convert both/x.pfobj both/x.glb --to apg",
            &["both/x.glb exists and would be overwritten with APG", "--out-dir"],
        ),
        ("convert both/x.pfobj both/x.glb -o out.apg", &["given twice"]),
        ("convert both out.apg", &["several files", "--out-dir"]),
        ("convert both/*.glb out.apg", &["several files", "--out-dir"]),
        ("convert both/x.glb art", &["is a folder", "--out-dir art"]),
        ("convert both/x.glb --to glb", &["would overwrite itself"]),
        ("convert both --out-dir out", &["--to"]),
        ("convert - --to apg", &["standard input"]),
        ("convert - --to apg --out-dir out", &["standard input"]),
        ("convert both/x.glb --to apg --jobs 0", &["--jobs"]),
        ("convert both/x.glb - --to apg --depfile d", &["--depfile"]),
    ] {
        expect_error(&ligament(&folder, line), 2, pieces);
        assert_eq!(tree(folder.path()), before, "{line}");
    }
    write(&folder, "file", "");
    expect_error(
        &ligament(&folder, "convert both/y.pfobj --to apg --out-dir file"),
        4,
        &["file: cannot write"],
    );
    expect_error(&ligament(&folder, "convert both/y.pfobj --to apg --out-dir file/sub"), 4, &["file/sub"]);
    #[cfg(target_os = "linux")]
    expect_error(
        &ligament(&folder, "convert both/y.pfobj --to apg --out-dir /proc/none"),
        4,
        &["/proc/none"],
    );
}

#[test]
fn the_output_folder_is_no_input() {
    let folder = art();
    // Twice: the first run's results are below the folder that the second run searches.
    for done in ["5 files: 5 done", "5 files: 0 done, 5 unchanged"] {
        let output = ligament(&folder, "convert . --to glb --out-dir assets");
        expect(&output, 0);
        assert!(stdout(&output).lines().last().is_some_and(|l| l.starts_with(done)), "{}", stdout(&output));
    }
    for done in ["3 files: 3 done", "3 files: 0 done, 3 unchanged"] {
        let output = ligament(&folder, "convert art --to bgl");
        expect(&output, 0);
        assert!(stdout(&output).lines().last().is_some_and(|l| l.starts_with(done)), "{}", stdout(&output));
    }
}

/// Two models in one folder, each with a different embedded texture of the same name.
fn same_pictures(folder: &TempDir, second: &[u8]) {
    fs::create_dir_all(folder.path().join("in")).expect("created");
    expect(&ligament(folder, "convert bend_tube.pfobj in/one.glb -q --no-verify"), 0);
    let picture = fs::read(folder.path().join("tube.png")).expect("read");
    write(folder, "tube.png", second);
    expect(&ligament(folder, "convert bend_tube.pfobj in/two.glb -q --no-verify"), 0);
    write(folder, "tube.png", picture);
}

#[test]
fn pictures_of_the_same_name_do_not_overwrite_each_other() {
    let folder = folder();
    let first = fs::read(folder.path().join("tube.png")).expect("read");
    let with = |last: u8| [&first[..], &[last]].concat();
    same_pictures(&folder, &with(1));
    let line = "convert in --to pfobj --out-dir out --no-verify";
    for (second, runs) in [(with(1), 2), (with(2), 1), (first.clone(), 1)] {
        same_pictures(&folder, &second);
        for _ in 0..runs {
            let output = ligament(&folder, line);
            expect(&output, 0);
        }
        let out = tree(&folder.path().join("out"));
        let text = |name: &str| String::from_utf8_lossy(&out[Path::new(name)]).into_owned();
        let picture_of = |name: &str| {
            let text = text(name);
            let word = text.split_whitespace().find(|word| word.ends_with(".png")).expect("a picture");
            out[Path::new(word)].clone()
        };
        assert!(picture_of("one.pfobj") == first, "{:?}", out.keys());
        assert!(picture_of("two.pfobj") == second, "{:?}", out.keys());
        // The second model's own numbered file was replaced; no further one was added.
        assert!(out.len() <= 4, "{:?}", out.keys());
    }
}

#[test]
fn the_number_of_threads_does_not_change_a_byte() {
    let folder = art();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut models = 0;
    for entry in fs::read_dir(examples).expect("examples").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("creature.") {
            let sub = folder.path().join("art").join(name.replace('.', "-"));
            fs::create_dir(&sub).expect("created");
            fs::copy(entry.path(), sub.join(&name)).expect("copied");
            models += usize::from(!name.ends_with(".png"));
        }
    }
    assert!(models >= 7, "{models}");
    same_pictures(&folder, b"\x89PNG\r\n\x1a\nanother");
    for (to, least) in [("pfobj", models + 3), ("glb", models + 3)] {
        let mut trees = Vec::new();
        for jobs in [1, 4] {
            let line = format!("convert art in --to {to} --out-dir {to}-{jobs} --jobs {jobs} --no-verify -q");
            expect(&ligament(&folder, &line), 0);
            trees.push(tree(&folder.path().join(format!("{to}-{jobs}"))));
        }
        assert!(trees[0].len() >= least, "{:?}", trees[0].keys());
        assert!(trees[0] == trees[1], "{:?} and {:?}", trees[0].keys(), trees[1].keys());
    }
}

/// The options that the APG document describes for its own converter, `conv input.dae [-o output.apg] [-bin]`.
#[test]
fn collada_goes_to_apg_as_with_the_documents_tool() {
    const DAE: &str = r##"<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="1"/><up_axis>Z_UP</up_axis></asset>
<library_animations><animation id="walk-anim">
<source id="in"><float_array id="ina" count="2">0 1</float_array><technique_common><accessor source="#ina" count="2" stride="1"><param name="TIME" type="float"/></accessor></technique_common></source>
<source id="out"><float_array id="outa" count="2">0 90</float_array><technique_common><accessor source="#outa" count="2" stride="1"><param name="ANGLE" type="float"/></accessor></technique_common></source>
<source id="how"><Name_array id="howa" count="2">LINEAR LINEAR</Name_array><technique_common><accessor source="#howa" count="2" stride="1"><param name="INTERPOLATION" type="name"/></accessor></technique_common></source>
<sampler id="s"><input semantic="INPUT" source="#in"/><input semantic="OUTPUT" source="#out"/><input semantic="INTERPOLATION" source="#how"/></sampler>
<channel source="#s" target="leaf/turn.ANGLE"/></animation></library_animations>
<library_animation_clips><animation_clip name="Walk" start="0" end="1"><instance_animation url="#walk-anim"/></animation_clip></library_animation_clips>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="9">0 0 0 1 0 0 0 0 1</float_array><technique_common><accessor source="#pa" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="scene"><node id="leaf" name="leaf"><rotate sid="turn">0 1 0 0</rotate><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene></COLLADA>"##;
    let folder = folder();
    write(&folder, "input.dae", DAE);
    expect(&ligament(&folder, "convert input.dae -o output.apg --binary"), 0);
    assert!(fs::read(folder.path().join("output.apg")).expect("written").starts_with(b"BINAPGv"));
    expect(&ligament(&folder, "convert input.dae --to apg"), 0);
    let text = fs::read_to_string(folder.path().join("input.apg")).expect("takes the input's name");
    assert!(text.starts_with("@Anton's custom mesh format"), "{text}");
    for file in ["input.apg", "output.apg"] {
        let facts = json(&ligament(&folder, &format!("info {file} --json")));
        let clips = facts.pointer("/clips").and_then(Value::as_array).unwrap_or_else(|| panic!("{facts}"));
        assert_eq!((clips.len(), clips[0]["name"].as_str()), (1, Some("Walk")), "{facts}");
    }
}

#[test]
fn outputs_of_files_that_are_gone_are_told() {
    let folder = art();
    expect(&ligament(&folder, "convert art --to glb --out-dir out"), 0);
    fs::remove_file(folder.path().join("art/a/tube.pfobj")).expect("removed");
    let output = ligament(&folder, "convert art --to glb --out-dir out");
    expect(&output, 0);
    assert!(
        stdout(&output).contains("1 output was made from a file that is gone: out/a/tube.glb"),
        "{}",
        stdout(&output)
    );
    let output = ligament(&folder, "convert art --to glb --out-dir out --json");
    let last = stdout(&output).lines().last().unwrap_or_default().to_owned();
    let summary: Value = serde_json::from_str(&last).expect("JSON");
    assert_eq!(summary["summary"]["left_over"], serde_json::json!(["out/a/tube.glb"]));
    fs::remove_file(folder.path().join("out/a/tube.glb")).expect("removed");
    let output = ligament(&folder, "convert art --to glb --out-dir out");
    assert!(!stdout(&output).contains("gone"), "{}", stdout(&output));
}

#[test]
fn several_formats_are_written_in_one_run() {
    let folder = art();
    let line = "convert art --to glb,apg --to bgl --to GLB --out-dir out -q";
    expect(&ligament(&folder, line), 0);
    let models = ["a/b/deep", "a/tube", "cube"];
    let mut wanted: Vec<_> =
        models.iter().flat_map(|m| ["apg", "bgl", "glb"].map(|e| format!("{m}.{e}"))).collect();
    let found: Vec<_> = names_in(&folder, "out").into_iter().filter(|name| !name.ends_with(".png")).collect();
    wanted.sort();
    assert_eq!(found, wanted);
    // Each is the same as from a run of its own.
    for (to, name) in [("apg", "cube.apg"), ("glb", "cube.glb")] {
        expect(&ligament(&folder, &format!("convert art/cube.pfobj alone.{to} -q")), 0);
        let (alone, together) =
            (folder.path().join(format!("alone.{to}")), folder.path().join("out").join(name));
        assert_eq!(fs::read(alone).expect("written"), fs::read(together).expect("written"), "{to}");
    }
    let again = ligament(&folder, "convert art --to glb,apg,bgl --out-dir out");
    assert!(stdout(&again).starts_with("9 files: 0 done, 9 unchanged"), "{}", stdout(&again));
    expect(&ligament(&folder, "convert bend_tube.pfobj --to glb,apg -q"), 0);
    assert!(folder.path().join("bend_tube.glb").is_file() && folder.path().join("bend_tube.apg").is_file());
}

#[test]
fn one_output_cannot_be_of_several_formats() {
    let folder = art();
    for line in
        ["convert bend_tube.pfobj x.glb --to glb,apg", "convert bend_tube.pfobj -o x.glb --to glb --to apg"]
    {
        let output = ligament(&folder, line);
        expect(&output, 2);
        assert!(
            stderr(&output).contains("x.glb is one file, but --to names several formats"),
            "{}",
            stderr(&output)
        );
    }
    let output = ligament(&folder, "pose bend_tube.pfobj x.glb --to glb,apg --clip Bend --at 0");
    expect(&output, 2);
    assert!(stderr(&output).contains("in one format only"), "{}", stderr(&output));
}
