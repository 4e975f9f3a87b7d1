//! `cargo xtask test`: every check that a change must pass.

use crate::run::{Result, Steps, cargo, root, run, shown};
use crate::{blender, compatibility, corpus, dependencies, examples, fidelity, install, links, python, web};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// Runs all checks, the quick ones first, and stops at the first failure.
pub fn test() -> Result {
    let mut steps = Steps::default();
    steps.step("tools that the tests need", || {
        install::component("rustfmt", "cargo-fmt")?;
        install::component("clippy", "cargo-clippy")?;
        install::oracles()?;
        install::gltf_validator()?;
        install::sarif_validator()?;
        install::fbx_sdk()?;
        install::graphics_driver()?;
        install::pretended_screen()?;
        install::browser().map(drop)
    })?;
    steps.step("format", || run(&mut cargo(&["fmt", "--all", "--check"])))?;
    steps.step("links in the documents, and the list of dependencies", || {
        links::check()?;
        dependencies::check()?;
        dependencies::built_once()
    })?;
    steps.step("lints", || {
        run(&mut cargo(&["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"]))
    })?;
    steps.step("lints of the fuzz targets and benchmarks", || {
        for manifest in ["fuzz/Cargo.toml", "benches/Cargo.toml"] {
            if root().join(manifest).is_file() {
                run(&mut side_workspace(manifest))?;
            }
        }
        Ok(())
    })?;
    steps.step("the library without default features", || {
        let mut clippy = cargo(&["clippy", "--locked", "-p", "ligament", "--no-default-features"]);
        run(clippy.args(["--", "-D", "warnings"]))
    })?;
    steps.step("documentation", || {
        run(cargo(&["doc", "--locked", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
    })?;
    steps.step("the examples are up to date", examples::check)?;
    steps.step("every pair of formats, and the page about their fidelity", fidelity::check)?;
    steps.step("the models of Assimp's tests, and the page about them", compatibility::check)?;
    let mut tests = Tests::default();
    let outcome = steps
        .step("tests", || tests.run())
        .and_then(|()| match corpus::shared() {
            Some(_) => steps.step("tests that use extra models, without them", without_extra_models),
            None => Ok(()),
        })
        .and_then(|()| steps.step("the Python module", python::test))
        .and_then(|()| steps.step("the WebAssembly", web::test))
        .and_then(|()| steps.step("the Blender add-on, in real Blenders", blender::test));
    steps.summary();
    println!("\n{} passed, {} failed, {} ignored", tests.passed, tests.failed, tests.ignored);
    for line in &tests.skipped {
        println!("{line}");
    }
    if let Some(line) = corpus::missing_extras() {
        println!("{line}");
    }
    outcome
}

/// Repeats the tests that use models from beside the clone, with those models hidden, as in a clone without them.
fn without_extra_models() -> Result {
    const TESTS: [&str; 10] = [
        "apg",
        "bogle",
        "convert",
        "every_format",
        "gltf",
        "gltf_posed",
        "hostile",
        "passes",
        "qmsh",
        "qmsh_tmp",
    ];
    // All packages, as above, so that nothing is rebuilt.
    let mut tests = cargo(&["test", "--locked", "--workspace", "--quiet"]);
    tests.args(TESTS.iter().flat_map(|name| ["--test", name]));
    // Models of other programs are not affected.
    tests.args(["--", "--skip", "models_of_other_programs"]);
    run(tests.env("LIGAMENT_SHARED", "none"))
}

/// Lints a crate outside the workspace, in the workspace's target folder so that dependencies are shared.
fn side_workspace(manifest: &str) -> Command {
    let mut clippy = cargo(&["clippy", "--locked", "--all-targets", "--manifest-path", manifest]);
    clippy.args(["--", "-D", "warnings"]).env("CARGO_TARGET_DIR", root().join("target"));
    // Nothing is linked here, so libFuzzer's C++ need not be compiled.
    clippy.env("CUSTOM_LIBFUZZER_PATH", "/nonexistent/libfuzzer.a");
    clippy
}

/// `cargo test` and its counts.
#[derive(Default)]
struct Tests {
    passed: usize,
    failed: usize,
    ignored: usize,
    skipped: Vec<String>,
}

impl Tests {
    fn run(&mut self) -> Result {
        let mut tests = cargo(&["test", "--locked", "--workspace", "--", "--show-output"]);
        // Mesa's layer that asks the display server to choose a graphics card complains if there is no server.
        tests.env("NODEVICE_SELECT", "1");
        println!("   $ {}", shown(&tests));
        let cannot_run = |error| format!("cannot run cargo test: {error}");
        let mut child = tests.stdout(Stdio::piped()).spawn().map_err(cannot_run)?;
        if let Some(stdout) = child.stdout.take() {
            self.show(&mut BufReader::new(stdout), &mut std::io::stdout()).map_err(cannot_run)?;
        }
        let status = child.wait().map_err(cannot_run)?;
        if status.success() { Ok(()) } else { Err(format!("cargo test ended with {status}")) }
    }

    /// Passes the output on and counts results. Of the output of passing tests, only lines about skipped parts are shown:
    /// cargo itself can only show all of it or nothing.
    fn show(&mut self, output: &mut dyn BufRead, to: &mut dyn Write) -> std::io::Result<()> {
        let mut in_successes = false;
        let mut line = Vec::new();
        while output.read_until(b'\n', &mut line)? > 0 {
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            line.clear();
            in_successes = (in_successes && text != "failures:" && !text.starts_with("test result:"))
                || text == "successes:";
            if in_successes && !text.starts_with("skipped") {
                continue;
            }
            writeln!(to, "{text}")?;
            if text.starts_with("skipped") {
                self.skipped.push(text);
            } else if let Some(result) = text.strip_prefix("test result: ") {
                self.count(result);
            }
        }
        Ok(())
    }

    fn count(&mut self, result: &str) {
        let words: Vec<&str> = result.split([' ', ';', '.']).filter(|word| !word.is_empty()).collect();
        for pair in words.windows(2) {
            let number = pair[0].parse().unwrap_or(0);
            match pair[1] {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "ignored" => self.ignored += number,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Tests;

    #[test]
    fn results_are_added_up_and_skips_are_kept() {
        let output = "test a ... ok\n\nsuccesses:\n\n---- a stdout ----\nnoise\nskipped: no assimp\n\nsuccesses:\n    a\n\n\
            test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured\n\
            test result: FAILED. 2 passed; 4 failed; 0 ignored; 0 measured\n";
        let mut tests = Tests::default();
        // Not to stdout, where the enclosing test run would count these lines as its own.
        let mut shown = Vec::new();
        tests.show(&mut output.as_bytes(), &mut shown).expect("memory can be read");
        assert!(!String::from_utf8_lossy(&shown).contains("noise"));
        assert_eq!((tests.passed, tests.failed, tests.ignored), (5, 4, 1));
        assert_eq!(tests.skipped, ["skipped: no assimp"]);
    }
}
