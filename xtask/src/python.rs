//! `cargo xtask python`: builds the Python module, installs it as a user would, tests and type-checks it.

use crate::install::{self, missing, program};
use crate::run::{Result, at_once, command, root, run};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Packages that are installed with the module, into `target/python`.
const PACKAGES: [&str; 9] = [
    "maturin==1.16.0",
    "numpy==2.4.6",
    "pytest==9.2.0",
    "mypy==2.4.1",
    "ray[data]==2.60.0",
    "fsspec==2026.9.0",
    "pyarrow==26.0.1",
    "s3fs==2026.9.0",
    "moto[server]==5.2.5",
];

/// The module's feature with which its wheel shares the library that the tests have built.
pub const AS_IN_WORKSPACE: &str = "as-in-workspace";

/// Builds, installs and tests. If Python or pip is missing, reports that everything is skipped.
pub fn test() -> Result {
    let Some(python) = environment()? else { return Ok(()) };
    python.install(&python.wheel("dev")?)?;
    let module = root().join("crates/ligament-py");
    let pytest = python.run(&["-m", "pytest", "-q", "-rs"]);
    let mut mypy = python.run(&["-m", "mypy", "--strict", "python/ligament", "tests"]);
    mypy.env("MYPYPATH", "python:tests");
    // The types of the compiled part, compared with what it really has.
    let stubs = python.run(&["-m", "mypy.stubtest", "--ignore-disjoint-bases", "ligament._ligament"]);
    let mut commands = vec![pytest, mypy, stubs];
    if install::pyright()? {
        commands.push(python.pyright());
    }
    let done = at_once(commands, |mut command| run(command.current_dir(&module)));
    done.into_iter().collect()
}

/// A Python environment of our own.
pub struct Environment(PathBuf);

/// Creates the environment if necessary; `None` if that is impossible and allowed to be skipped.
pub fn environment() -> Result<Option<Environment>> {
    let folder = root().join("target/python");
    let python = Environment(folder.join("venv"));
    let done = folder.join("packages");
    let wanted = PACKAGES.join(" ");
    if std::fs::read_to_string(&done).is_ok_and(|there| there == wanted) && python.program().is_file() {
        return Ok(Some(python));
    }
    if !program("python3", &["-m", "venv", "--help"], &["python3", "python3-venv"])? {
        return Ok(None);
    }
    println!("   installing {} into target/python", PACKAGES.join(", "));
    let install = |python: &Environment| -> Result {
        run(command("python3", &["-m", "venv", "--clear"]).arg(&python.0))?;
        run(python.run(&["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(PACKAGES))?;
        std::fs::write(&done, &wanted).map_err(|error| format!("cannot write {}: {error}", done.display()))
    };
    match install(&python) {
        Ok(()) => Ok(Some(python)),
        Err(error) => missing("the Python module's tests", &error).map(|_| {
            println!("skipped the Python module's tests");
            None
        }),
    }
}

impl Environment {
    fn program(&self) -> PathBuf {
        self.0.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
    }

    /// A command that runs Python with arguments.
    pub fn run(&self, arguments: &[&str]) -> Command {
        command(&self.program().to_string_lossy(), arguments)
    }

    /// A command that checks types with Pyright, which looks for packages in this environment.
    fn pyright(&self) -> Command {
        let mut pyright = command("node", &[]);
        pyright.arg(root().join("tools/pyright/node_modules/pyright/index.js"));
        pyright.args(["--warnings", "--pythonpath"]).arg(self.program());
        pyright
    }

    /// Installs a wheel, whose dependencies are already installed.
    pub fn install(&self, wheel: &Path) -> Result {
        run(self.run(&["-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall"]).arg(wheel))
    }

    /// Builds the wheel with one of cargo's profiles and returns its path.
    pub fn wheel(&self, profile: &str) -> Result<PathBuf> {
        let folder = root().join("target/python").join(profile);
        let _ = std::fs::remove_dir_all(&folder);
        let mut build = self.run(&["-m", "maturin", "build", "--locked", "--quiet", "--profile", profile]);
        build.args(["--manifest-path", "crates/ligament-py/Cargo.toml", "--interpreter"]).arg(self.program());
        if profile == "dev" {
            build.args(["--features", AS_IN_WORKSPACE]);
        }
        build.arg("--out").arg(&folder).env("CARGO_TARGET_DIR", root().join("target"));
        run(&mut build)?;
        only_file(&folder)
    }
}

fn only_file(folder: &Path) -> Result<PathBuf> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    match &paths[..] {
        [only] => Ok(only.clone()),
        _ => Err(format!("{} should hold one wheel, not {}", folder.display(), paths.len())),
    }
}
