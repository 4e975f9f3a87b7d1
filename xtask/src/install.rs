//! Installs what the tests and measurements need, and reports what it installs or cannot install.

use crate::run::{Result, command, is_ci, root, run, works};
use std::path::Path;

/// Makes sure that a program is available, installing a Debian package if necessary. Returns whether it is.
pub fn program(name: &str, arguments: &[&str], packages: &[&str]) -> Result<bool> {
    thing(name, &|| works(name, arguments), packages)
}

/// A driver for the renderer, which may draw on the CPU.
pub fn graphics_driver() -> Result {
    let folders = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d"];
    let has_driver = |folder: &str| std::fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some());
    let is_there = || {
        let named =
            ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].iter().any(|name| std::env::var_os(name).is_some());
        !cfg!(target_os = "linux") || named || folders.iter().any(|folder| has_driver(folder))
    };
    thing("a Vulkan driver", &is_there, &["mesa-vulkan-drivers", "libvulkan1"]).map(drop)
}

/// A virtual screen for machines without one, and a tool for synthetic input.
pub fn pretended_screen() -> Result {
    if cfg!(target_os = "linux") {
        program("Xvfb", &["-help"], &["xvfb"])?;
        program("xdotool", &["--version"], &["xdotool"])?;
        // The libraries that winit loads when a window is opened.
        let libraries =
            ["libX11.so.6", "libXcursor.so.1", "libXi.so.6", "libxkbcommon-x11.so.0", "libX11-xcb.so.1"];
        let is_there = || libraries.iter().all(|name| has_library(name));
        let packages = ["libx11-6", "libx11-xcb1", "libxcursor1", "libxi6", "libxkbcommon-x11-0"];
        thing("the libraries of X11", &is_there, &packages)?;
    }
    Ok(())
}

/// Whether the system's linker would find a library.
fn has_library(name: &str) -> bool {
    let folders = ["/lib", "/usr/lib", "/lib64", "/usr/lib64", "/usr/local/lib"];
    let machine = ["x86_64-linux-gnu", "aarch64-linux-gnu", ""];
    folders.iter().any(|folder| machine.iter().any(|sub| Path::new(folder).join(sub).join(name).exists()))
}

/// The browser that shows the HTML reports and opens the page. Returns whether it is available.
pub fn browser() -> Result<bool> {
    Ok(cfg!(target_os = "linux") && program("chromium", &["--version"], &["chromium"])?)
}

/// Makes sure that something is available, installing Debian packages if necessary. Returns whether it is.
fn thing(name: &str, is_there: &dyn Fn() -> bool, packages: &[&str]) -> Result<bool> {
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
        // The package list may be outdated or missing; refresh it only if necessary.
        if apt(&install).is_err() {
            let _ = apt(&["update"]);
            let _ = apt(&install);
        }
    }
    if is_there() { Ok(true) } else { missing(name, "it could not be installed") }
}

/// Handles something that is missing: an error in CI, otherwise a line that says what is skipped.
pub fn missing(what: &str, why: &str) -> Result<bool> {
    if is_ci() {
        return Err(format!("`{what}` is missing and nothing may be skipped under CI=true: {why}"));
    }
    println!("   `{what}` is missing: {why}. Everything that needs it is skipped.");
    Ok(false)
}

/// Blender, which poses files of other programs for the tests, and those files.
pub fn oracles() -> Result {
    program("blender", &["--version"], &["blender"])?;
    // Its importers and exporters need numpy, but the package does not depend on it.
    let numpy = || works("/usr/bin/python3", &["-c", "import numpy"]);
    thing("numpy for blender", &numpy, &["python3-numpy"])?;
    let models = || Path::new("/usr/share/assimp/models").is_dir();
    thing("assimp-testmodels", &models, &["assimp-testmodels"])?;
    Ok(())
}

/// The Khronos glTF validator, which runs under Node, in `tools/validator/node_modules`.
pub fn gltf_validator() -> Result {
    node_package("tools/validator", "gltf-validator").map(drop)
}

/// The public schema of SARIF and what checks it, in `tools/sarif/node_modules`.
pub fn sarif_validator() -> Result {
    if cfg!(target_os = "linux") {
        node_package("tools/sarif", "ajv")?;
    }
    Ok(())
}

/// Autodesk's FBX SDK, which is linked into FBX2glTF, in `tools/fbx-sdk/node_modules`.
pub fn fbx_sdk() -> Result {
    node_package("tools/fbx-sdk", "fbx2gltf").map(drop)
}

/// glTF-Transform, the baseline for batches, in `tools/gltf-transform/node_modules`. Returns whether it is available.
pub fn gltf_transform() -> Result<bool> {
    node_package("tools/gltf-transform", "@gltf-transform/core")
}

/// What the page is built and tested with, in `web/node_modules`. Returns whether it is available.
pub fn web_tools() -> Result<bool> {
    node_package("web", "esbuild")
}

/// Pyright, the second type checker of the Python package, in `tools/pyright/node_modules`. Returns whether it is available.
pub fn pyright() -> Result<bool> {
    node_package("tools/pyright", "pyright")
}

/// Installs the packages of a folder's `package.json`, unless `package` is already installed.
fn node_package(folder: &str, package: &str) -> Result<bool> {
    let (name, folder) = (folder, root().join(folder));
    if !folder.join("package.json").is_file() || folder.join("node_modules").join(package).is_dir() {
        return Ok(true);
    }
    if !program("node", &["--version"], &["nodejs"])? || !program("npm", &["--version"], &["npm"])? {
        return Ok(false);
    }
    println!("   installing {package} into {name}/node_modules");
    let verb = if folder.join("package-lock.json").is_file() { "ci" } else { "install" };
    let mut npm = command("npm", &[verb, "--no-audit", "--no-fund"]);
    match run(npm.current_dir(&folder)) {
        Ok(()) => Ok(true),
        Err(error) => missing(package, &error),
    }
}

/// A component of the Rust toolchain.
pub fn component(name: &str, program: &str) -> Result {
    if works(program, &["--version"]) {
        return Ok(());
    }
    println!("   `{program}` is missing; installing it with rustup");
    run(&mut command("rustup", &["component", "add", name]))
}
