//! `cargo xtask web`: the library as WebAssembly, the package for npm around it, the page, and their tests.

use crate::install::{browser, missing, program, web_tools};
use crate::run::{Result, cargo, command, root, run, works};
use std::path::{Path, PathBuf};

const CRATE: &str = "crates/ligament-web";
const TARGET: &str = "wasm32-unknown-unknown";

/// Builds `target/web`. Returns whether it is there: without what it needs, it is skipped.
pub fn build() -> Result<bool> {
    let built = package()? && page()?;
    if built {
        println!("   any server of static files can host target/web/page; `cargo xtask web serve` does here");
    }
    Ok(built)
}

/// Builds, and serves the page to this machine.
pub fn serve() -> Result {
    match build()? {
        true => run(&mut command("node", &["web/serve.mjs", "target/web/page"])),
        false => Err("the page cannot be built".into()),
    }
}

/// Builds the package. Returns whether it is there: without what it needs, it is skipped.
fn package() -> Result<bool> {
    if !target()? || !program("clang", &["--version"], &["clang", "lld"])? {
        return Ok(false);
    }
    let target = root().join("target");
    // In the crate's folder, where cargo finds its flags.
    let in_crate = |arguments: &[&str]| {
        let mut cargo = cargo(arguments);
        cargo.current_dir(root().join(CRATE)).env("CARGO_TARGET_DIR", &target);
        cargo
    };
    run(&mut in_crate(&["build", "--locked", "--release", "--target", TARGET]))?;
    let package = target.join("web/package");
    copy(&root().join("web/package"), &package)?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&root().join(licence), &package.join(licence))?;
    }
    let wasm = target.join(TARGET).join("release/ligament_web.wasm");
    let mut bindgen = in_crate(&["run", "--locked", "--quiet", "-p", "ligament-web-bindgen", "--"]);
    run(bindgen.arg(&wasm).arg(package.join("core")))?;
    let bytes = |path: &Path| std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    println!("   target/web/package: {} bytes of WebAssembly", bytes(&package.join("core/ligament_bg.wasm")));
    Ok(true)
}

/// Checks and builds the page around the package. Returns whether it is there.
fn page() -> Result<bool> {
    if !web_tools()? {
        return Ok(false);
    }
    let tool = |name: &str| format!("web/node_modules/.bin/{name}");
    run(&mut command(&tool("tsc"), &["-p", "web/page/tsconfig.json"]))?;
    let (web, page) = (root().join("target/web"), root().join("target/web/page"));
    // Names of earlier builds would stay.
    let _ = std::fs::remove_dir_all(&page);
    let mut bundle = command(&tool("esbuild"), &["web/page/src/main.ts", "web/page/src/worker.ts"]);
    bundle.args([
        "--bundle",
        "--splitting",
        "--format=esm",
        "--target=es2022",
        "--minify",
        "--log-level=warning",
    ]);
    // Only Node imports it.
    bundle.arg("--external:node:fs/promises");
    bundle.arg(format!("--alias:@ligament/wasm={}", web.join("package/index.js").display()));
    run(bundle.arg(format!("--outdir={}", page.display())))?;
    for name in ["index.html", "page.css"] {
        copy(&root().join("web/page").join(name), &page.join(name))?;
    }
    copy(&web.join("package/core/ligament_bg.wasm"), &page.join("ligament_bg.wasm"))?;
    Ok(true)
}

/// Builds, and runs the tests.
pub fn test() -> Result {
    if !package()? || !program("node", &["--version"], &["nodejs"])? {
        println!("skipped the tests of the WebAssembly");
        return Ok(());
    }
    lint()?;
    // The tests compare with it.
    run(&mut cargo(&["build", "--locked", "--workspace", "--bins"]))?;
    for test in ["hostile", "identical"] {
        run(&mut command("node", &[&format!("web/tests/{test}.mjs")]))?;
    }
    if !page()? {
        println!("skipped the tests of the page and of the packed package");
        return Ok(());
    }
    run(&mut command("node", &["web/tests/package.mjs"]))?;
    if !browser()? {
        println!("skipped the tests of the page");
        return Ok(());
    }
    run(&mut command("node", &["web/tests/browser.mjs"]))
}

fn lint() -> Result {
    let mut clippy = cargo(&["clippy", "--locked", "--release", "--target", TARGET, "--", "-D", "warnings"]);
    run(clippy.current_dir(root().join(CRATE)).env("CARGO_TARGET_DIR", root().join("target")))
}

/// Rust's standard library for WebAssembly.
fn target() -> Result<bool> {
    let there = || {
        let sysroot = command("rustc", &["--print", "sysroot"]).output();
        let sysroot = sysroot.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
        sysroot.is_ok_and(|sysroot| PathBuf::from(sysroot).join("lib/rustlib").join(TARGET).is_dir())
    };
    if there() {
        return Ok(true);
    }
    println!("   Rust's `{TARGET}` is missing; installing it with rustup");
    if works("rustup", &["--version"])
        && run(&mut command("rustup", &["target", "add", TARGET])).is_ok()
        && there()
    {
        return Ok(true);
    }
    missing(TARGET, "rustup cannot install it")
}

/// Copies a file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> Result {
    let failed = |error| format!("cannot copy {}: {error}", from.display());
    if from.is_dir() {
        std::fs::create_dir_all(to).map_err(failed)?;
        for entry in std::fs::read_dir(from).map_err(failed)?.flatten() {
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    std::fs::copy(from, to).map(drop).map_err(failed)
}
