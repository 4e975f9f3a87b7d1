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

/// A model that is a pipe which nobody writes to: its conversion waits forever.
fn endless(folder: &TempDir) {
    let made = Command::new("mkfifo").arg(folder.path().join("endless.gltf")).status();
    assert!(made.expect("mkfifo runs").success());
}

#[test]
fn an_interrupted_conversion_leaves_nothing_behind() {
    let folder = folder();
    endless(&folder);
    let before = names(folder.path());
    let child = start(folder.path(), &["convert", "endless.gltf", "out.glb", "--report", "report.json"]);
    wait_for("the report's beginning", || has_temporary(folder.path()));
    interrupt(&child);
    let output = child.wait_with_output().expect("ends");
    expect_error(&output, 130, &["interrupted"]);
    assert_eq!(names(folder.path()), before);
}

#[test]
fn an_interrupted_batch_keeps_what_is_done() {
    let folder = folder();
    endless(&folder);
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

    fs::remove_file(folder.path().join("endless.gltf")).expect("removed");
    write(&folder, "endless.gltf", r#"{"asset":{"version":"2.0"}}"#);
    let output = run(&folder, line);
    expect(&output, 0);
    let last = stdout(&output).lines().last().unwrap_or_default().to_owned();
    assert!(last.starts_with("3 files: 2 done") && last.contains("1 unchanged"), "{}", stdout(&output));
}

#[test]
fn a_second_interruption_ends_at_once() {
    let folder = folder();
    endless(&folder);
    let line =
        ["convert", "endless.gltf", "bend_tube.pfobj", "--to", "glb", "--out-dir", "out", "--jobs", "2"];
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

#[test]
fn a_killed_run_goes_on_where_it_was_and_its_leftovers_are_removed() {
    let folder = folder();
    endless(&folder);
    let out = folder.path().join("out");
    let inputs = ["bend_tube.pfobj", "endless.gltf", "multi_mat_cube.pfobj"];
    let line = [&["convert"], &inputs[..], &["--to", "glb", "--out-dir", "out", "--jobs", "2"]].concat();
    let mut child = start(folder.path(), &line);
    // The third one is finished, but must wait for the second.
    wait_for("the record of the first file", || {
        let cache = fs::read_to_string(out.join(".ligament-cache")).unwrap_or_default();
        cache.contains("bend_tube.glb") && has_temporary(&out)
    });
    child.kill().expect("killed");
    child.wait().expect("ended");
    assert!(has_temporary(&out), "a killed process cannot remove its files");
    // On another computer, this process may be alive.
    let alive = out.join(format!(".ligament-{}-0-0.tmp", std::process::id()));
    fs::write(&alive, "").expect("written");

    fs::remove_file(folder.path().join("endless.gltf")).expect("removed");
    write(&folder, "endless.gltf", r#"{"asset":{"version":"2.0"}}"#);
    let output = run(&folder, line);
    expect(&output, 0);
    let last = stdout(&output).lines().last().unwrap_or_default().to_owned();
    assert!(last.starts_with("3 files: 2 done") && last.contains("1 unchanged"), "{}", stdout(&output));
    fs::remove_file(alive).expect("still there");
    // Elsewhere, leftovers are removed after a day.
    assert_eq!(has_temporary(&out), !cfg!(target_os = "linux"), "{:?}", names(&out));
}

/// All files below a folder with their content, except for the cache.
fn written(folder: &Path) -> std::collections::BTreeMap<PathBuf, Vec<u8>> {
    let mut files = std::collections::BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(next).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name() != Some(OsStr::new(".ligament-cache")) {
                let content = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
                files.insert(path.strip_prefix(folder).expect("below").to_owned(), content);
            }
        }
    }
    files
}

/// Interruptions at many moments of a conversion, a folder and a build. `LIGAMENT_INTERRUPTIONS=200` tries more of them.
#[test]
fn interruptions_at_any_moment_leave_only_complete_files() {
    let count = std::env::var("LIGAMENT_INTERRUPTIONS").ok().and_then(|count| count.parse().ok());
    let count: u32 = count.unwrap_or(24).max(3);
    let folder = folder();
    let rules = "[[rule]]\nglob = \"*.pfobj\"\nto = \"gltf\"\noutput = \"out/{stem}.{ext}\"\n";
    write(&folder, "ligament.toml", rules);
    let out = folder.path().join("out");
    let inputs = written(folder.path());
    let lines: [&[&str]; 3] = [
        &["convert", "bend_tube.pfobj", "out/m.gltf", "--textures", "copy", "--report", "out/r.json"],
        &["convert", ".", "--to", "obj", "--out-dir", "out"],
        &["build"],
    ];
    let mut moment = 0x2545_f491_u32;
    let mut early = 0;
    for line in lines {
        let renew = || {
            let _ = fs::remove_dir_all(&out);
            let _ = fs::remove_file(folder.path().join(".ligament-cache"));
            fs::create_dir(&out).expect("created");
        };
        renew();
        let begun = Instant::now();
        assert!(run(&folder, line).status.success());
        let (whole, time) = (written(&out), begun.elapsed());
        for _ in 0..count / 3 {
            renew();
            moment = moment.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let wait = time.mul_f64(f64::from(moment >> 8) / f64::from(1 << 24));
            let child = start(folder.path(), line);
            std::thread::sleep(wait);
            // It may have ended already.
            let _ =
                Command::new("kill").args(["-INT", &child.id().to_string()]).stderr(Stdio::null()).status();
            let output = child.wait_with_output().expect("ends");
            let found = written(&out);
            let what = format!("{line:?} after {wait:?}: {:?}\n{}", output.status, stderr(&output));
            for (path, content) in &found {
                assert!(whole.get(path) == Some(content) || path == Path::new("r.json"), "{what}: {path:?}");
            }
            for path in found.keys().filter(|path| path.extension().is_some_and(|e| e == "gltf")) {
                assert!(
                    found.contains_key(&path.with_extension("bin")),
                    "{what}: {path:?} without its buffer"
                );
            }
            early += u32::from(found.len() < whole.len());
            let outside: Vec<_> =
                written(folder.path()).into_keys().filter(|path| !path.starts_with("out")).collect();
            assert_eq!(outside, inputs.keys().cloned().collect::<Vec<_>>(), "{what}");
        }
    }
    assert!(early > 0, "no run was interrupted before its end");
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

#[test]
fn what_is_renamed_replaced_or_made_again_is_still_watched() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let rules = "[[rule]]\nglob = \"art/*.pfobj\"\nto = \"glb\"\noutput = \"{stem}.{ext}\"\n";
    fs::create_dir(at("art")).expect("created");
    fs::rename(at("multi_mat_cube.pfobj"), at("art/cube.pfobj")).expect("moved");
    write(&folder, "ligament.toml", rules);
    let text = fs::read_to_string(at("art/cube.pfobj")).expect("text");
    let mut child = start(folder.path(), &["build", "--watch", "--json"]);
    let summaries = summaries(&mut child);
    expect_run(&summaries, 1, "the first run");
    let mut version = 1;
    let mut save = |why: &str| {
        version += 1;
        fs::write(at("art/cube.pfobj"), text.replacen("0.952840", &format!("0.95284{version}"), 1))
            .expect("saved");
        expect_run(&summaries, 1, why);
    };
    save("a model");
    fs::rename(at("art"), at("away")).expect("renamed");
    std::thread::sleep(Duration::from_secs(1));
    fs::rename(at("away"), at("art")).expect("renamed");
    save("a model in a folder that was renamed away and back");
    fs::rename(at("art"), at("away")).expect("renamed");
    fs::create_dir(at("art")).expect("created");
    save("a model in another folder at its place");
    fs::remove_dir_all(at("art")).expect("removed");
    std::thread::sleep(Duration::from_secs(1));
    fs::create_dir(at("art")).expect("created");
    save("a model in a folder that was removed and made again");
    // A file that is written all the time.
    let (end, ended) = channel::<()>();
    let log = at("art/log.txt");
    let writer = std::thread::spawn(move || {
        let wait = Duration::from_millis(50);
        while ended.recv_timeout(wait) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            fs::write(&log, "a line").expect("written");
        }
    });
    save("a model beside a log");
    drop(end);
    writer.join().expect("ended");
    fs::rename(at("ligament.toml"), at("rules")).expect("renamed");
    std::thread::sleep(Duration::from_secs(1));
    write(&folder, "ligament.toml", format!("{rules}scale = 2\n"));
    expect_run(&summaries, 1, "the rules");

    interrupt(&child);
    assert_eq!(child.wait().expect("ends").code(), Some(130));
}
