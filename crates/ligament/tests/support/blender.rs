//! Blender, whose importers and exporters are not ours.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Whether Blender is installed. If not, the test is skipped, or fails on CI.
pub fn has_blender(test: &str) -> bool {
    let works = Command::new("blender").arg("--version").output().is_ok_and(|o| o.status.success());
    if !works {
        assert!(std::env::var_os("CI").is_none(), "{test}: blender is missing");
        eprintln!("skipped {test}: blender is not installed");
    }
    works
}

/// Runs a script of `tools/blender` on a model and returns its output. If script and model are the same, that of an
/// earlier run is used.
pub fn run(script: &str, input: &Path, extension: &str, frames: &str) -> PathBuf {
    let scripts = super::workspace().join("tools/blender");
    let mut key = std::fs::read(scripts.join("posed.py")).expect("the script");
    key.extend(std::fs::read(scripts.join(script)).expect("the script"));
    key.extend(std::fs::read(input).expect("the model"));
    key.extend(frames.bytes());
    let hash =
        key.iter().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3));
    let name = input.file_name().expect("a file").to_string_lossy().into_owned();
    // One folder each, because exporters write images beside the model.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("blender").join(format!("{name}-{hash:016x}"));
    std::fs::create_dir_all(&folder).expect("the target folder can be written");
    let stem = input.file_stem().expect("a file").to_string_lossy().into_owned();
    let output = folder.join(format!("{stem}.{extension}"));
    if !output.is_file() {
        let unfinished = folder.join(format!("unfinished.{extension}"));
        let done = Command::new("blender")
            .args(["-b", "--factory-startup", "--python"])
            .arg(scripts.join(script))
            .arg("--")
            .args([input, &unfinished])
            .args((!frames.is_empty()).then_some(frames))
            .output()
            .expect("blender starts");
        // Blender exits with 0 whatever happens.
        let log = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
        assert!(unfinished.is_file(), "blender made nothing of {}: {log}", input.display());
        std::fs::rename(&unfinished, &output).expect("in the same folder");
    }
    output
}

/// Blender's vertices of a model, clip by clip, at the given frames or at those with keys.
pub fn posed(model: &Path, frames: &str) -> Value {
    let posed = run("posed.py", model, "json", frames);
    serde_json::from_slice(&std::fs::read(&posed).expect("readable")).expect("JSON")
}
