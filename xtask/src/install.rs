//! Installs what the tests and measurements need, and says so; where it cannot, it says that.

use crate::run::{Result, command, is_ci, root, run, works};

/// Makes sure that a program is there, from a Debian package if need be. Returns whether it is.
pub fn program(name: &str, arguments: &[&str], packages: &[&str]) -> Result<bool> {
    package(name, || works(name, arguments), packages)
}

/// A driver that the renderer can draw with, and be it on the processor.
pub fn graphics_driver() -> Result {
    let folders = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d"];
    let has_driver = |folder: &str| std::fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some());
    let is_there = || {
        let named =
            ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].iter().any(|name| std::env::var_os(name).is_some());
        !cfg!(target_os = "linux") || named || folders.iter().any(|folder| has_driver(folder))
    };
    package("a Vulkan driver", is_there, &["mesa-vulkan-drivers", "libvulkan1"]).map(drop)
}

/// Installs Debian packages unless what they bring is there. Returns whether it is.
fn package(name: &str, is_there: impl Fn() -> bool, packages: &[&str]) -> Result<bool> {
    if is_there() {
        return Ok(true);
    }
    println!("   `{name}` is missing; installing {}", packages.join(", "));
    if works("apt-get", &["--version"]) {
        let root_rights: &[&str] = if works("sh", &["-c", "test $(id -u) = 0"]) {
            &["env"]
        } else if works("sudo", &["-n", "true"]) {
            &["sudo", "-n"]
        } else {
            return missing(name, "installing it needs root rights, or sudo without a password");
        };
        let apt = |arguments: &[&str]| {
            let words = [&root_rights[1..], &["apt-get"], arguments].concat();
            let mut command = command(root_rights[0], &words);
            command.env("DEBIAN_FRONTEND", "noninteractive");
            run(&mut command)
        };
        let install = [&["install", "-y", "--no-install-recommends"], packages].concat();
        // The list of packages may be old or absent: refresh it only if it has to be.
        if apt(&install).is_err() {
            let _ = apt(&["update"]);
            let _ = apt(&install);
        }
    }
    if is_there() { Ok(true) } else { missing(name, "it could not be installed") }
}

/// What to do about something that is not there: an error in CI, else a line that says what will be skipped.
pub fn missing(what: &str, why: &str) -> Result<bool> {
    if is_ci() {
        return Err(format!("`{what}` is missing and nothing may be skipped under CI=true: {why}"));
    }
    println!("   `{what}` is missing: {why}. What needs it is skipped.");
    Ok(false)
}

/// The Khronos glTF validator, which runs under Node, in `tools/validator/node_modules`.
pub fn gltf_validator() -> Result {
    let folder = root().join("tools/validator");
    if !folder.join("package.json").is_file() || folder.join("node_modules/gltf-validator").is_dir() {
        return Ok(());
    }
    if !program("node", &["--version"], &["nodejs"])? || !program("npm", &["--version"], &["npm"])? {
        return Ok(());
    }
    println!("   installing the Khronos glTF validator into tools/validator/node_modules");
    let verb = if folder.join("package-lock.json").is_file() { "ci" } else { "install" };
    let mut npm = command("npm", &[verb, "--no-audit", "--no-fund"]);
    if let Err(error) = run(npm.current_dir(&folder)) {
        missing("gltf-validator", &error)?;
    }
    Ok(())
}

/// A component of the Rust toolchain.
pub fn component(name: &str, program: &str) -> Result {
    if works(program, &["--version"]) {
        return Ok(());
    }
    println!("   `{program}` is missing; installing it with rustup");
    run(&mut command("rustup", &["component", "add", name]))
}
