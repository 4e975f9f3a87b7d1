//! The viewer's window, on a virtual screen (Xvfb) and with synthetic input (xdotool).

use super::*;
use std::process::Child;
use std::time::{Duration, Instant};

/// The longest time that anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// A screen of its own, and a viewer on it.
struct Desk {
    folder: TempDir,
    screen: Child,
    display: String,
    viewer: Option<Child>,
}

impl Drop for Desk {
    fn drop(&mut self) {
        for child in self.viewer.iter_mut().chain([&mut self.screen]) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn works(program: &str, argument: &str) -> bool {
    let mut command = Command::new(program);
    command.arg(argument).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok()
}

impl Desk {
    /// Without Xvfb, xdotool or a graphics driver the test is skipped by name, or fails where nothing may be skipped.
    fn new(test: &str) -> Option<Self> {
        let folder = folder();
        let missing = [("Xvfb", "-help"), ("xdotool", "version")].into_iter().find(|(p, a)| !works(p, a));
        let mut why = missing.map(|(program, _)| format!("{program} is missing"));
        if why.is_none() {
            let drawn = ligament(&folder, "render bend_tube.pfobj -o test.png --size 16x16");
            let said = String::from_utf8_lossy(&drawn.stderr).into_owned();
            why = said.contains("RD001").then(|| "there is no graphics driver".to_owned());
        }
        if let Some(why) = why {
            assert!(
                std::env::var("CI").as_deref() != Ok("true"),
                "nothing may be skipped under CI=true: {why}"
            );
            println!("skipped: {test}: {why}");
            return None;
        }
        // The server chooses a free number and reports it.
        let mut screen = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1400x900x24", "-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts");
        let mut number = String::new();
        let told = std::io::BufReader::new(screen.stdout.take().expect("a pipe"));
        std::io::BufRead::read_line(&mut { told }, &mut number).expect("a number");
        Some(Self { folder, screen, display: format!(":{}", number.trim()), viewer: None })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Opens a window and waits until the file is shown.
    fn view(&mut self, files: &[&str]) {
        let errors = fs::File::create(self.path("errors")).expect("a file");
        let viewer = command(self.folder.path())
            .arg("view")
            .args(files)
            .args(["--log-state", "log", "--size", "1280x800"])
            .env("DISPLAY", &self.display)
            .env_remove("WAYLAND_DISPLAY")
            .env("XDG_STATE_HOME", self.path("state"))
            .stderr(errors)
            .spawn()
            .expect("the viewer starts");
        self.viewer = Some(viewer);
        self.wait_for("the model", |state| state["files"][0]["times_read"] == 1);
        // There is no window manager to give it the keyboard.
        let window = self.hand(&["search", "--name", "ligament"]);
        let window = window.lines().last().expect("a window").to_owned();
        self.hand(&["windowfocus", "--sync", &window]);
    }

    /// Sends mouse or keyboard input.
    fn hand(&self, words: &[&str]) -> String {
        let mut command = Command::new("xdotool");
        let output = command.args(words).env("DISPLAY", &self.display).output().expect("xdotool runs");
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// The last state that the viewer reported.
    fn state(&self) -> Value {
        let text = fs::read_to_string(self.path("log")).unwrap_or_default();
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        serde_json::from_str(whole.lines().last().unwrap_or("null")).expect("JSON")
    }

    fn wait_for(&mut self, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let state = self.state();
            if is_so(&state) {
                return state;
            }
            let ended = self.viewer.as_mut().and_then(|viewer| viewer.try_wait().ok().flatten());
            let errors = || fs::read_to_string(self.path("errors")).unwrap_or_default();
            assert!(ended.is_none(), "the viewer ended ({ended:?}) before {what}: {}", errors());
            assert!(start.elapsed() < PATIENCE, "no {what}: {state}\n{}", errors());
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Saves a picture of the window and returns its size in bytes.
    fn picture(&mut self) -> u64 {
        let before = self.state()["pictures"].as_array().map_or(0, Vec::len);
        self.hand(&["key", "shift+p"]);
        let state =
            self.wait_for("a picture", |s| s["pictures"].as_array().map_or(0, Vec::len) == before + 1);
        let path = state["pictures"][before].as_str().expect("a path").to_owned();
        let bytes = fs::read(self.path(&path)).expect("the picture");
        assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
        assert_eq!(bytes[16..24], [0, 0, 5, 0, 0, 0, 3, 32], "1280 by 800 pixels");
        bytes.len() as u64
    }
}

/// A user opens a model, plays and scrubs it, orbits, takes pictures, saves the file again, breaks it and fixes it.
#[test]
fn a_window_is_opened_played_scrubbed_and_reads_again() {
    let Some(mut desk) = Desk::new("a_window_is_opened_played_scrubbed_and_reads_again") else { return };
    desk.view(&["bend_tube.pfobj"]);
    let start = desk.state();
    assert_eq!(start["playing"], false);
    assert!(desk.picture() > 20_000, "more than a plain window");

    desk.hand(&["key", "space"]);
    desk.wait_for("the clip to play", |state| state["playing"] == true && state["time"].as_f64() > Some(0.1));
    desk.hand(&["key", "space"]);
    desk.wait_for("a pause", |state| state["playing"] == false);

    // The bar is at the bottom, and as wide as the window.
    let duration = start["duration"].as_f64().expect("a number");
    let at = |part: f64| {
        move |state: &Value| state["time"].as_f64().is_some_and(|time| (time / duration - part).abs() < 0.02)
    };
    // A hand is slower than a machine: wait for each step before the next.
    desk.hand(&["mousemove", "260", "783", "mousedown", "1"]);
    desk.wait_for("a fifth of the clip", at(0.2));
    desk.hand(&["mousemove", "640", "783"]);
    let scrubbed = desk.wait_for("the middle of the clip", at(0.5));
    desk.hand(&["mouseup", "1"]);
    desk.hand(&["key", "shift+Right"]);
    desk.wait_for("the next key", |state| state["time"].as_f64() > scrubbed["time"].as_f64());

    desk.hand(&["mousemove", "600", "300", "mousedown", "1"]);
    for step in 0.. {
        // Until the window has seen both the button and the motion.
        desk.hand(&["mousemove", &(620 + step % 5 * 20).to_string(), &(310 + step % 3 * 10).to_string()]);
        std::thread::sleep(Duration::from_millis(100));
        if desk.state()["camera"]["around"] != start["camera"]["around"] {
            break;
        }
        assert!(step < 600, "the camera does not turn");
    }
    desk.hand(&["mouseup", "1"]);
    std::thread::sleep(Duration::from_millis(300));
    desk.hand(&["key", "s"]);
    desk.wait_for("the skeleton", |state| state["skeleton"] == true);
    desk.hand(&["key", "F1"]);
    desk.wait_for("the help", |state| state["help"] == true);
    desk.hand(&["key", "Escape"]);
    let before = desk.wait_for("no help", |state| state["help"] == false);

    // Saved again by replacing the old file, as editors do.
    let text = fs::read_to_string(desk.path("bend_tube.pfobj")).expect("text");
    let save = |desk: &Desk, text: &str| {
        fs::write(desk.path(".half"), text).expect("written");
        fs::rename(desk.path(".half"), desk.path("bend_tube.pfobj")).expect("renamed");
    };
    save(&desk, &text);
    let again = desk.wait_for("a second reading", |state| state["files"][0]["times_read"] == 2);
    for kept in ["camera", "time", "clip", "skeleton"] {
        assert_eq!(again[kept], before[kept], "{kept}");
    }

    // Broken, and fixed.
    let first = text.lines().position(|line| line.starts_with("v ")).expect("a vertex");
    let broken: Vec<&str> =
        text.lines().enumerate().map(|(i, l)| if i == first { "v oops" } else { l }).collect();
    save(&desk, &broken.join("\n"));
    let fault = desk.wait_for("the error", |state| state["files"][0]["error"].is_string());
    let error = fault["files"][0]["error"].as_str().expect("text");
    assert!(error.contains(&format!("bend_tube.pfobj:{}:", first + 1)), "{error}");
    assert_eq!(fault["files"][0]["vertices"], before["files"][0]["vertices"], "the last good model stays");
    assert!(desk.picture() > 20_000);
    save(&desk, &text);
    desk.wait_for("a third reading", |state| {
        state["files"][0]["times_read"] == 3 && state["files"][0]["error"].is_null()
    });

    desk.hand(&["key", "ctrl+q"]);
    let status = desk.viewer.take().expect("a viewer").wait().expect("it ends");
    assert!(status.success(), "{status}: {}", fs::read_to_string(desk.path("errors")).unwrap_or_default());
    let recent = fs::read_to_string(desk.path("state/ligament/recent")).expect("recent files");
    assert!(recent.ends_with("bend_tube.pfobj"), "{recent}");
}

#[test]
fn two_models_are_opened_in_one_window() {
    let Some(mut desk) = Desk::new("two_models_are_opened_in_one_window") else { return };
    assert!(ligament(&desk.folder, "convert bend_tube.pfobj tube.apg").status.success());
    desk.view(&["bend_tube.pfobj", "tube.apg"]);
    let state = desk.wait_for("a comparison", |state| state["worst"].is_number());
    assert_eq!(state["files"].as_array().map(Vec::len), Some(2));
    desk.hand(&["key", "ctrl+w"]);
    desk.wait_for("one model", |state| state["files"].as_array().map(Vec::len) == Some(1));
}

#[test]
fn without_a_screen_it_says_what_to_do() {
    let folder = folder();
    let output = command(folder.path())
        .args(["view", "bend_tube.pfobj"])
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("RD004") && said.contains("DISPLAY") && said.contains("ligament render"), "{said}");
    assert!(!said.contains(".rs"), "{said}");
}

/// A window without a graphics driver.
#[test]
fn without_a_driver_it_says_what_to_install() {
    let Some(desk) = Desk::new("without_a_driver_it_says_what_to_install") else { return };
    let output = command(desk.folder.path())
        .args(["view", "bend_tube.pfobj"])
        .env("DISPLAY", &desk.display)
        .env("VK_DRIVER_FILES", "/nonexistent.json")
        .env("VK_ICD_FILENAMES", "/nonexistent.json")
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("RD001") && said.contains("mesa-vulkan-drivers"), "{said}");
}
