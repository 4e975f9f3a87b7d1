//! The programs that are timed, built in release, and the tools that measure them.

use super::data;
use crate::corpus;
use crate::install;
use crate::run::{Result, cargo, command, root, run, works};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The C programs, by the names of their sources.
const BASELINES: [&str; 6] =
    ["pfobj_read", "pfobj_write", "qmsh_tmp_read", "apg_read", "amo_read", "amo_counted_read"];

/// The paths of the programs.
pub struct Tools {
    pub bench_tool: PathBuf,
    pub ligament: PathBuf,
    /// A Python with numpy, if there is one.
    pub python: Option<String>,
    pub assimp: bool,
}

impl Tools {
    /// Builds ours and the baselines, and installs the rest.
    pub fn build() -> Result<Self> {
        let created = std::fs::create_dir_all(data::folder());
        created.map_err(|error| format!("cannot create {}: {error}", data::folder().display()))?;
        run(&mut cargo(&["build", "--release", "--locked", "-p", "ligament-cli"]))?;
        let mut benches = cargo(&["build", "--release", "--locked", "--manifest-path", "benches/Cargo.toml"]);
        run(benches.env("CARGO_TARGET_DIR", root().join("target/side")))?;
        if !install::program("cc", &["--version"], &["gcc", "libc6-dev"])? {
            return Err("the baselines are C programs and need a compiler".into());
        }
        for name in BASELINES {
            let source = format!("benches/baseline/{name}.c");
            run(command("cc", &["-O2", "-Wall", "-o"])
                .arg(data::folder().join(name))
                .arg(source)
                .arg("-lm"))?;
        }
        install::program("valgrind", &["--version"], &["valgrind"])?;
        install::program("/usr/bin/time", &["-f", "%M", "true"], &["time"])?;
        Ok(Self {
            bench_tool: root().join("target/side/release/bench_tool"),
            ligament: installed()?,
            python: numpy()?,
            assimp: install::program("assimp", &["version"], &["assimp-utils"])?,
        })
    }

    /// One of our small measuring programs.
    pub fn ours(&self, arguments: &[&str]) -> Command {
        program(&self.bench_tool, arguments)
    }

    /// The `ligament` program.
    pub fn ligament(&self, arguments: &[&str]) -> Command {
        program(&self.ligament, arguments)
    }

    /// One of the C programs.
    pub fn baseline(&self, name: &str, arguments: &[&str]) -> Command {
        program(&data::folder().join(name), arguments)
    }
}

/// The program as `cargo install` and packages install it: copied. A file that a linker wrote piece by piece is cached in
/// small pieces too, and its process takes half a millisecond longer to start.
fn installed() -> Result<PathBuf> {
    let path = data::folder().join("ligament");
    let copied = std::fs::copy(root().join("target/release/ligament"), &path);
    copied.map_err(|error| format!("cannot copy the program to {}: {error}", path.display()))?;
    Ok(path)
}

fn program(path: &Path, arguments: &[&str]) -> Command {
    command(&path.display().to_string(), arguments)
}

/// A Python with numpy in `.venv`, created if necessary.
fn numpy() -> Result<Option<String>> {
    let python = root().join(".venv/bin/python").display().to_string();
    let has_numpy = || works(&python, &["-c", "import numpy"]);
    if !has_numpy() && install::program("python3", &["-m", "venv", "--help"], &["python3-venv"])? {
        println!("   installing numpy into .venv");
        run(&mut command("python3", &["-m", "venv", ".venv"]))?;
        run(&mut command(&python, &["-m", "pip", "install", "--quiet", "numpy"]))?;
    }
    if has_numpy() {
        Ok(Some(python))
    } else {
        install::missing("numpy", "it could not be installed").map(|_| None)
    }
}

/// The GLB files that are read: well-known ones, and our own.
pub fn glb_files() -> Vec<PathBuf> {
    let known = ["CesiumMan", "Fox", "RiggedSimple", "BoxAnimated"];
    let known = known.iter().filter_map(|name| corpus::find(&format!("real/gltf/{name}.glb")));
    known.chain([root().join("examples/creature.glb")]).collect()
}
