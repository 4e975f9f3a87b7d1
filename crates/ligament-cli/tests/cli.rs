//! The real binary, as a shell would run it: exit codes, what lands on which stream, and what is left behind.

use ligament::formats::FORMATS;
use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const COMMANDS: [&str; 9] =
    ["convert", "info", "validate", "compare", "pose", "formats", "explain", "completions", "man"];

/// A folder with copies of the fixtures, so that a test may write beside them.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ligament/tests/fixtures/pfobj");
    for name in ["bend_tube.pfobj", "tube.png", "multi_mat_cube.pfobj"] {
        fs::copy(fixtures.join(name), folder.path().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    folder
}

fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ligament"));
    command.current_dir(folder).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").stdin(Stdio::null());
    command
}

fn run<S: AsRef<OsStr>>(folder: &TempDir, args: impl IntoIterator<Item = S>) -> Output {
    command(folder.path()).args(args).output().expect("the binary runs")
}

/// Runs a command line that is split at spaces.
fn ligament(folder: &TempDir, line: &str) -> Output {
    run(folder, line.split_whitespace())
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// Checks the exit code, and that errors and only errors are told on standard error.
#[track_caller]
fn expect(output: &Output, code: i32) {
    let both = format!("stdout: {}\nstderr: {}", stdout(output), stderr(output));
    assert_eq!(output.status.code(), Some(code), "{both}");
    if code == 0 {
        assert_eq!(stderr(output), "", "{both}");
    }
}

#[track_caller]
fn expect_error(output: &Output, code: i32, pieces: &[&str]) {
    expect(output, code);
    for piece in pieces {
        assert!(stderr(output).contains(piece), "{piece:?} is not in: {}", stderr(output));
    }
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", stdout(output)))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let mut names: Vec<_> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn write(folder: &TempDir, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, content).expect("written");
    path
}

#[test]
fn help_of_every_command_has_examples() {
    let folder = folder();
    for name in COMMANDS {
        let output = run(&folder, [name, "--help"]);
        expect(&output, 0);
        let text = stdout(&output);
        assert!(text.contains("Examples:\n  ligament "), "{name}: {text}");
        assert!(text.contains(&format!("ligament {name}")), "{name}: {text}");
    }
    let output = ligament(&folder, "--help");
    expect(&output, 0);
    for name in COMMANDS {
        assert!(stdout(&output).contains(name), "{name}");
    }
}

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

#[test]
fn wrong_usage_ends_with_2_and_writes_nothing() {
    let folder = folder();
    let before = names(folder.path());
    for (line, piece) in [
        ("convert bend_tube.pfobj", "required"),
        ("transmogrify bend_tube.pfobj", "transmogrify"),
        ("convert bend_tube.pfobj out.glb --max-error 1mm", "0.01%"),
        ("convert bend_tube.pfobj out.glb --max-error 1% --no-verify", "cannot be used with"),
        ("convert bend_tube.pfobj out.glb --fps 0", "above zero"),
        ("convert bend_tube.pfobj out.glb --scale nan", "above zero"),
        ("convert bend_tube.pfobj out.glb --from stl3", "possible values"),
        ("convert bend_tube.pfobj out.glb --dialect latin", "latin"),
        ("convert bend_tube.pfobj out.xyz", "--to"),
        ("convert bend_tube.pfobj -", "--to"),
        ("convert bend_tube.pfobj - --to glb --json", "--report"),
        ("convert bend_tube.pfobj out.glb --clip Bent", "\"Bend\""),
        ("pose bend_tube.pfobj --clip Bent --at 0 out.glb", "\"Bend\""),
        ("pose bend_tube.pfobj --at 0 out.glb", "\"TwistStretch\""),
        ("pose bend_tube.pfobj --clip Bend --at=-1 out.glb", "from zero on"),
        ("compare - -", "only one"),
        ("explain IO01", "IO001"),
        ("info multi_mat_cube.pfobj --from gtlf", "gltf"),
    ] {
        let output = ligament(&folder, line);
        expect_error(&output, 2, &[piece]);
        assert_eq!(stdout(&output), "", "{line}");
    }
    assert_eq!(names(folder.path()), before);
}

#[test]
fn invalid_input_ends_with_3_and_names_the_place() {
    let folder = folder();
    let text = fs::read_to_string(folder.path().join("multi_mat_cube.pfobj")).expect("text");
    write(&folder, "broken.pfobj", text.replacen("0.952840 3.304041", "0.952840 oops", 1));
    write(&folder, "short.pfobj", &text[..text.len() / 2]);
    write(&folder, "noise.pfobj", [0u8, 159, 146, 150]);
    write(&folder, "noise.bin", [0u8, 159, 146, 150]);
    let before = names(folder.path());
    for name in ["broken.pfobj", "short.pfobj", "noise.pfobj", "noise.bin"] {
        for line in [
            format!("convert {name} out.glb"),
            format!("info {name}"),
            format!("compare multi_mat_cube.pfobj {name}"),
            format!("pose {name} out.glb"),
        ] {
            let output = ligament(&folder, &line);
            expect_error(&output, 3, &["error[", name, "ligament explain"]);
            assert_eq!(stdout(&output), "", "{line}");
        }
        let output = ligament(&folder, &format!("validate {name}"));
        expect(&output, 3);
        assert!(stdout(&output).contains("invalid"), "{}", stdout(&output));
    }
    assert_eq!(names(folder.path()), before, "nothing is left behind");

    let output = ligament(&folder, "convert broken.pfobj out.glb");
    expect_error(&output, 3, &["broken.pfobj:13:12", "v 0.952840 oops -3.159300", "^^^^"]);
}

#[test]
fn validate_shows_every_problem() {
    let folder = folder();
    let text = fs::read_to_string(folder.path().join("multi_mat_cube.pfobj")).expect("text");
    let text = text.replacen("0.952840 3.304041", "0.952840 oops", 1).replacen("0.525668", "nonsense", 1);
    write(&folder, "broken.pfobj", text);
    let output = ligament(&folder, "validate broken.pfobj");
    expect(&output, 3);
    for piece in ["oops", "nonsense", "2 errors"] {
        assert!(stdout(&output).contains(piece), "{}", stdout(&output));
    }

    let output = ligament(&folder, "validate bend_tube.pfobj broken.pfobj no-such-file.pfobj --json");
    expect(&output, 4);
    let found = json(&output);
    let exits: Vec<_> = found.as_array().expect("an array").iter().map(|f| f["exit"].as_str()).collect();
    assert_eq!(exits, [Some("done"), Some("invalid"), Some("io")]);
    assert_eq!(found[1]["errors"], 2);
    assert_eq!(found[1]["diagnostics"][0]["line"], 13);

    // The cube's pictures were not copied.
    expect(&ligament(&folder, "validate multi_mat_cube.pfobj"), 0);
    let output = ligament(&folder, "validate multi_mat_cube.pfobj --deny warnings");
    expect(&output, 1);
    assert!(
        stdout(&output).contains("denied") && stdout(&output).contains("3 warnings"),
        "{}",
        stdout(&output)
    );
    expect(&ligament(&folder, "validate bend_tube.pfobj --deny warnings"), 0);

    let output = ligament(&folder, "validate bend_tube.pfobj broken.pfobj");
    expect(&output, 3);
    assert!(stdout(&output).ends_with("2 files: 1 valid, 1 not\n"), "{}", stdout(&output));
}

#[test]
fn files_that_cannot_be_read_or_written_end_with_4() {
    let folder = folder();
    let before = names(folder.path());
    for line in [
        "convert no-such-file.pfobj out.glb",
        "convert bend_tube.pfobj no/such/folder/out.glb",
        "convert bend_tube.pfobj out.glb --report no/such/folder/report.json",
        "convert bend_tube.pfobj .glb/",
        "info no-such-file.pfobj",
        "info .",
        "validate no-such-file.pfobj",
        "compare bend_tube.pfobj no-such-file.pfobj",
        "pose no-such-file.pfobj out.glb",
        "man bend_tube.pfobj",
    ] {
        let output = ligament(&folder, line);
        expect_error(&output, 4, &["error"]);
        assert_eq!(stdout(&output), "", "{line}");
    }
    assert_eq!(names(folder.path()), before);
}

#[test]
fn checks_that_are_not_met_end_with_1_and_write_nothing() {
    let folder = folder();
    expect(&ligament(&folder, "pose bend_tube.pfobj --clip Bend --at 0.3 bent.pfobj"), 0);
    expect(&ligament(&folder, "compare bend_tube.pfobj bend_tube.pfobj --max-error 0"), 0);
    let output = ligament(&folder, "compare bend_tube.pfobj bent.pfobj --max-error 0.01%");
    expect_error(&output, 1, &["--max-error allows 0.01 %"]);
    assert!(stdout(&output).contains("differs"), "{}", stdout(&output));
    // Without a limit, a difference is a result like any other.
    expect(&ligament(&folder, "compare bend_tube.pfobj bent.pfobj"), 0);

    // Seven frames a second hit few of the twenty-four.
    expect(&ligament(&folder, "convert bend_tube.pfobj tube.glb -q"), 0);
    let before = names(folder.path());
    for (check, code) in [("--strict", "error[CV004]"), ("--max-error 0.01%", "error[CV005]")] {
        let output = ligament(&folder, &format!("convert tube.glb out.pfobj --fps 7 {check}"));
        expect_error(&output, 1, &[code, "  approximated  clip "]);
        assert_eq!(stdout(&output), "");
        assert_eq!(names(folder.path()), before);
    }
    let output = ligament(&folder, "convert tube.glb out.pfobj --fps 7");
    expect(&output, 0);
    assert!(stdout(&output).contains("\n  approximated  clip "), "{}", stdout(&output));
}

#[test]
fn no_clobber_keeps_what_is_there() {
    let folder = folder();
    let there = write(&folder, "out.glb", "precious");
    let output = ligament(&folder, "convert bend_tube.pfobj out.glb --no-clobber");
    expect_error(&output, 4, &["IO004", "out.glb"]);
    assert_eq!(fs::read(&there).expect("still there"), b"precious");
    expect(&ligament(&folder, "convert bend_tube.pfobj new.glb --no-clobber"), 0);

    // Side files too, unless they are the same already.
    fs::create_dir(folder.path().join("sub")).expect("created");
    let into_two = "convert bend_tube.pfobj sub/out.gltf --no-clobber";
    expect(&ligament(&folder, into_two), 0);
    let files = names(&folder.path().join("sub"));
    assert!(files.contains(&"out.bin".to_owned()), "{files:?}");
    fs::remove_file(folder.path().join("sub/out.gltf")).expect("removed");
    expect(&ligament(&folder, into_two), 0);
    fs::remove_file(folder.path().join("sub/out.gltf")).expect("removed");
    let there = write(&folder, "sub/out.bin", "precious");
    expect_error(&ligament(&folder, into_two), 4, &["IO004", "out.bin"]);
    assert_eq!(fs::read(&there).expect("still there"), b"precious");
    assert!(!folder.path().join("sub/out.gltf").exists());
}

#[test]
fn streams_carry_the_same_bytes_as_files() {
    let folder = folder();
    expect(&ligament(&folder, "convert bend_tube.pfobj file.glb"), 0);
    let file = fs::read(folder.path().join("file.glb")).expect("written");
    let output = ligament(&folder, "convert bend_tube.pfobj - --to glb");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(output.stdout == file, "the stream differs from the file");
    assert!(stderr(&output).starts_with("bend_tube.pfobj → <stdout>"), "{}", stderr(&output));

    let through = |args: &[&str], bytes: &[u8]| {
        let mut child = command(folder.path())
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("runs");
        child.stdin.take().expect("piped").write_all(bytes).expect("taken");
        child.wait_with_output().expect("ends")
    };
    let back = through(&["convert", "-", "-", "--to", "pfobj", "--quiet"], &file);
    expect_error(&back, 2, &["IO005", "tube.png"]);
    let back = through(&["convert", "-", "-", "--to", "pfobj", "--textures", "none", "--quiet"], &file);
    expect(&back, 0);
    assert!(back.stdout.starts_with(b"version"), "no model");
    expect(&through(&["info", "-"], &file), 0);
    expect(&through(&["validate", "-"], &back.stdout), 0);
    let broken =
        through(&["convert", "-", "-", "--from", "pfobj", "--to", "glb"], b"version 1.0\nnum_verts x\n");
    expect_error(&broken, 3, &["<stdin>:2:", "num_verts x"]);
    assert!(broken.stdout.is_empty());
}

#[test]
fn json_holds_the_whole_result() {
    let folder = folder();
    let output = ligament(&folder, "convert bend_tube.pfobj tube.glb --json --report report.json");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let value = json(&output);
    assert_eq!(value["ok"], true);
    assert_eq!(value["counts"]["vertices"], 324);
    assert!(value["comparison"]["poses"].as_u64().is_some_and(|n| n > 16), "{value}");
    let report = fs::read(folder.path().join("report.json")).expect("written");
    assert_eq!(serde_json::from_slice::<Value>(&report).expect("JSON"), value);

    write(&folder, "broken.pfobj", "version 1.0\nnum_verts x\n");
    let output = ligament(&folder, "convert broken.pfobj out.glb --json --report report.json");
    expect(&output, 3);
    assert_eq!(
        (&json(&output)["ok"], &json(&output)["exit"]),
        (&Value::from(false), &Value::from("invalid"))
    );
    let report = fs::read(folder.path().join("report.json")).expect("written");
    assert_eq!(serde_json::from_slice::<Value>(&report).expect("JSON"), json(&output));

    let value = json(&ligament(&folder, "info bend_tube.pfobj --json"));
    assert_eq!(value["clips"][0]["name"], "Bend");
    assert_eq!(value["clips"][0]["frames"], 10);
    assert_eq!(value["images"][0]["found"], true);
    let value = json(&ligament(&folder, "info multi_mat_cube.pfobj --json"));
    assert_eq!(value["images"][0]["found"], false, "its pictures were not copied");

    let value = json(&ligament(&folder, "compare bend_tube.pfobj tube.glb --json"));
    assert!(value["comparison"]["worst"]["relative"].as_f64().is_some_and(|w| w < 1e-6), "{value}");
}

#[test]
fn every_format_is_listed_from_the_table() {
    let folder = folder();
    let (text, value) = (ligament(&folder, "formats"), json(&ligament(&folder, "formats --json")));
    expect(&text, 0);
    assert_eq!(value.as_array().map(Vec::len), Some(FORMATS.len()));
    for (row, format) in value.as_array().into_iter().flatten().zip(FORMATS) {
        let info = format.info();
        assert_eq!(row["id"], info.id);
        assert_eq!(row["write"], format.capabilities(None).write);
        for word in [info.name].iter().chain(info.extensions) {
            assert!(stdout(&text).contains(word), "{word}");
        }
    }
}

#[test]
fn every_code_is_explained() {
    let folder = folder();
    let list = stdout(&ligament(&folder, "explain"));
    assert_eq!(list, stdout(&ligament(&folder, "explain --list")));
    let mut codes = 0;
    for code in ligament::report::all_codes() {
        assert!(list.contains(code.id) && list.contains(code.title), "{}", code.id);
        codes += 1;
    }
    assert!(codes > 10, "{codes}");
    let output = ligament(&folder, "explain io001");
    expect(&output, 0);
    let text = stdout(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    for piece in ["IO001", "Example", "What to do", ligament::io::codes::CANNOT_READ.explanation] {
        assert!(text.contains(piece), "{piece}");
    }
}

#[test]
fn colours_are_for_terminals_only() {
    let folder = folder();
    write(&folder, "broken.pfobj", "version 1.0\nnum_verts x\n");
    let escapes = |output: &Output| stdout(output).contains('\u{1b}') || stderr(output).contains('\u{1b}');
    for line in ["formats", "validate broken.pfobj", "info broken.pfobj"] {
        assert!(!escapes(&ligament(&folder, line)), "{line}");
        let forced = command(folder.path()).args(line.split(' ')).env("CLICOLOR_FORCE", "1").output();
        assert!(escapes(&forced.expect("runs")), "{line}");
        let without = command(folder.path()).args(line.split(' ')).env("NO_COLOR", "1").output();
        assert!(!escapes(&without.expect("runs")), "{line}");
    }
}

#[test]
fn a_closed_pipe_is_no_crash() {
    let folder = folder();
    for line in [
        "formats",
        "formats --json",
        "explain --list",
        "completions bash",
        "info bend_tube.pfobj",
        "convert bend_tube.pfobj - --to pfobj -q",
        "--help",
    ] {
        let mut child = command(folder.path())
            .args(line.split(' '))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("runs");
        drop(child.stdout.take());
        expect(&child.wait_with_output().expect("ends"), 0);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_standard_output_is_told() {
    let folder = folder();
    for line in ["formats", "info bend_tube.pfobj", "convert bend_tube.pfobj - --to pfobj -q"] {
        let full = fs::File::options().write(true).open("/dev/full").expect("Linux has it");
        let output = command(folder.path()).args(line.split(' ')).stdout(full).output().expect("runs");
        expect_error(&output, 4, &["cannot write to standard output"]);
    }
}

#[test]
fn names_from_files_cannot_drive_the_terminal() {
    let folder = folder();
    let text = fs::read_to_string(folder.path().join("bend_tube.pfobj")).expect("text");
    write(&folder, "hostile.pfobj", text.replace("Bend", "\u{1b}]0;owned\u{7}"));
    for line in [
        "info hostile.pfobj",
        "info hostile.pfobj --json",
        "validate hostile.pfobj",
        "convert hostile.pfobj out.glb",
        "convert hostile.pfobj out.glb --clip Bend",
        "compare hostile.pfobj bend_tube.pfobj",
    ] {
        let output = ligament(&folder, line);
        for text in [stdout(&output), stderr(&output)] {
            assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{line}: {text:?}");
        }
    }
}

#[test]
fn paths_may_be_odd() {
    let folder = folder();
    fs::copy(folder.path().join("bend_tube.pfobj"), folder.path().join("with space.pfobj")).expect("copied");
    expect(&run(&folder, ["convert", "with space.pfobj", "also with space.glb"]), 0);
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let odd = OsStr::from_bytes(b"f\xff.pfobj");
        fs::copy(folder.path().join("bend_tube.pfobj"), folder.path().join(odd)).expect("copied");
        expect(&run(&folder, [OsStr::new("info"), odd]), 0);
        expect(&run(&folder, [OsStr::new("convert"), odd, OsStr::from_bytes(b"\xff.glb")]), 0);
        assert!(folder.path().join(OsStr::from_bytes(b"\xff.glb")).exists());
    }
}

#[test]
fn completions_and_man_pages_know_every_command() {
    let folder = folder();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(&folder, ["completions", shell]);
        expect(&output, 0);
        for name in COMMANDS {
            assert!(stdout(&output).contains(name), "{shell}: {name}");
        }
    }
    expect(&ligament(&folder, "man pages/man1"), 0);
    let pages = names(&folder.path().join("pages/man1"));
    for name in COMMANDS {
        assert!(pages.contains(&format!("ligament-{name}.1")), "{pages:?}");
    }
    let page = fs::read_to_string(folder.path().join("pages/man1/ligament-convert.1")).expect("a page");
    assert!(page.contains("Examples"), "the examples belong into the page");
}

/// Positions of a model in the text format of the fixtures, read without this project's reader.
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
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/own/pfobj");
    let Ok(oracle) = fs::read(corpus.join("bend_tube.oracle.json")) else {
        assert!(std::env::var_os("CI").is_none(), "../shared/corpus is missing");
        eprintln!("skipped baked_poses_are_where_blender_has_them: ../shared/corpus is not there");
        return;
    };
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
    // Angles are written and read in the same order, and mean something else in the other.
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
