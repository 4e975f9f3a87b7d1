//! Long-running processes: watching for changes, and interruption.
#![cfg(unix)]

use super::*;
use std::io::{BufRead, BufReader};
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The longest time that a test waits for something that must happen.
const PATIENCE: Duration = Duration::from_secs(120);

fn start(folder: &Path, args: &[&str]) -> Child {
    let mut command = command(folder);
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("runs")
}

fn interrupt(child: &Child) {
    let done = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(done.success());
}

fn wait_for(what: &str, mut happened: impl FnMut() -> bool) {
    let start = Instant::now();
    while !happened() {
        assert!(start.elapsed() < PATIENCE, "{what} does not happen");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn has_temporary(folder: &Path) -> bool {
    folder.is_dir() && names(folder).iter().any(|name| name.ends_with(".tmp"))
}

/// A model whose buffer is a pipe: its conversion blocks there forever, with the output begun.
fn endless(folder: &TempDir, name: &str) {
    let text = r#"{"asset":{"version":"2.0"},"buffers":[{"uri":"NAME.bin","byteLength":36}],
        "bufferViews":[{"buffer":0,"byteLength":36}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,1]}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}]}"#;
    write(folder, &format!("{name}.gltf"), text.replace("NAME", name));
    let made = Command::new("mkfifo").arg(folder.path().join(format!("{name}.bin"))).status();
    assert!(made.expect("mkfifo runs").success());
}

#[test]
fn an_interrupted_conversion_leaves_nothing_behind() {
    let folder = folder();
    endless(&folder, "endless");
    let before = names(folder.path());
    let child = start(folder.path(), &["convert", "endless.gltf", "out.glb"]);
    wait_for("the output's beginning", || has_temporary(folder.path()));
    interrupt(&child);
    let output = child.wait_with_output().expect("ends");
    expect_error(&output, 130, &["interrupted"]);
    assert_eq!(names(folder.path()), before);
}

#[test]
fn an_interrupted_batch_keeps_what_is_done() {
    let folder = folder();
    endless(&folder, "endless");
    let out = folder.path().join("out");
    let line = [
        "convert",
        "bend_tube.pfobj",
        "endless.gltf",
        "multi_mat_cube.pfobj",
        "--to",
        "glb",
        "--out-dir",
        "out",
    ];
    let child = start(folder.path(), &[&line[..], &["--jobs", "2"]].concat());
    wait_for("the first file", || out.join("bend_tube.glb").exists() && has_temporary(&out));
    interrupt(&child);
    let output = child.wait_with_output().expect("ends");
    expect_error(&output, 130, &["interrupted", "2 files not converted"]);
    let last = stdout(&output).lines().last().unwrap_or_default().to_owned();
    assert!(last.starts_with("1 file: 1 done"), "{}", stdout(&output));
    assert_eq!(names(&out), [".ligament-cache", "bend_tube.glb"]);

    fs::remove_file(folder.path().join("endless.bin")).expect("removed");
    write(&folder, "endless.bin", [0; 36]);
    let output = run(&folder, line);
    expect(&output, 0);
    let last = stdout(&output).lines().last().unwrap_or_default().to_owned();
    assert!(last.starts_with("3 files: 2 done") && last.contains("1 unchanged"), "{}", stdout(&output));
}

#[test]
fn a_second_interruption_ends_at_once() {
    let folder = folder();
    endless(&folder, "endless");
    let line =
        ["convert", "endless.gltf", "bend_tube.pfobj", "--to", "glb", "--out-dir", "out", "--jobs", "1"];
    let out = folder.path().join("out");
    for _ in 0..3 {
        let mut child = start(folder.path(), &line);
        wait_for("the output's beginning", || has_temporary(&out));
        // However close together: no hang, no crash and no file left behind.
        interrupt(&child);
        let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).stderr(Stdio::null()).status();
        wait_for("the end", || child.try_wait().expect("a child").is_some());
        assert_eq!(child.wait().expect("ended").code(), Some(130));
        assert!(!has_temporary(&out), "{:?}", names(&out));
    }
}

/// Summaries, as they are printed.
fn summaries(child: &mut Child) -> Receiver<Value> {
    let (sender, receiver) = channel();
    let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    std::thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            let value: Value = serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"));
            if !value["summary"].is_null() && sender.send(value["summary"].clone()).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Waits for a run that converted exactly this number of files.
#[track_caller]
fn expect_run(summaries: &Receiver<Value>, done: u64, why: &str) {
    let start = Instant::now();
    loop {
        let left = PATIENCE.saturating_sub(start.elapsed());
        let summary = summaries.recv_timeout(left).unwrap_or_else(|e| panic!("{why}: {e}"));
        // A save may be seen as two changes; it is enough that the last one is converted.
        if summary["done"] == done && summary["failed"] == 0 {
            return;
        }
    }
}

#[test]
fn what_is_saved_is_built_again() {
    let folder = folder();
    let rules = "[[rule]]\nglob = \"art/*.pfobj\"\nto = \"glb\"\noutput = \"{stem}.{ext}\"\n";
    fs::create_dir(folder.path().join("art")).expect("created");
    for name in ["bend_tube.pfobj", "tube.png", "multi_mat_cube.pfobj"] {
        fs::rename(folder.path().join(name), folder.path().join("art").join(name)).expect("moved");
    }
    write(&folder, "ligament.toml", rules);
    let mut child = start(folder.path(), &["build", "--watch", "--json"]);
    let summaries = summaries(&mut child);
    expect_run(&summaries, 2, "the first run");

    let model = folder.path().join("art/multi_mat_cube.pfobj");
    let text = fs::read_to_string(&model).expect("text");
    fs::write(&model, text.replacen("0.952840", "0.952841", 1)).expect("saved");
    expect_run(&summaries, 1, "a model");
    // Many programs save like this: a new file replaces the old one.
    let mut picture = fs::read(folder.path().join("art/tube.png")).expect("read");
    picture.push(0);
    write(&folder, "art/tube.new", picture);
    fs::rename(folder.path().join("art/tube.new"), folder.path().join("art/tube.png")).expect("replaced");
    expect_run(&summaries, 1, "a picture");
    fs::copy(&model, folder.path().join("art/third.pfobj")).expect("copied");
    expect_run(&summaries, 1, "a new model");
    // An error in the rules is reported, and the next save is another chance.
    write(&folder, "ligament.toml", "[[rule]]\n");
    write(&folder, "ligament.toml", format!("{rules}scale = 2\n"));
    expect_run(&summaries, 3, "the rules");

    interrupt(&child);
    assert_eq!(child.wait().expect("ends").code(), Some(130));
    assert!(!has_temporary(folder.path()));
}
