//! The Blenders to test in: Debian's, and PyPI's Python modules.

use crate::install::{missing, program};
use crate::run::{Result, command, root, run, works};
use std::path::{Path, PathBuf};
use std::process::Command;

/// PyPI's Blenders: a name for the folder, and the package. They need Python 3.11, and take 350 MB each.
const MODULES: [(&str, &str); 2] = [("4.5", "bpy==4.5.15"), ("5.0", "bpy==5.0.1")];

/// The number that there should be.
pub const WANTED: usize = MODULES.len() + 1;

/// A Blender to run scripts in.
pub struct Blender {
    pub version: String,
    /// The Python that has it as a module; `None` for the program.
    python: Option<PathBuf>,
}

impl Blender {
    /// A command that runs a script with arguments. It uses one thread: the scenes are small, and waiting for other threads
    /// costs more than they gain, especially on a busy machine.
    pub fn script(&self, path: &Path) -> Command {
        match &self.python {
            Some(python) => {
                let mut command = command(&python.to_string_lossy(), &[]);
                command.arg(root().join(path));
                command
            }
            None => {
                let mut command = command("blender", &["-b", "-t", "1", "--factory-startup", "--python"]);
                command.arg(root().join(path)).arg("--");
                command
            }
        }
    }
}

/// All Blenders that are installed or can be.
pub fn all() -> Result<Vec<Blender>> {
    let mut found = Vec::new();
    if program("blender", &["--version"], &["blender"])? {
        found.push(Blender { version: "3.4".into(), python: None });
    }
    for (name, package) in MODULES {
        found.extend(module(name, package)?);
    }
    Ok(found)
}

/// The newest of PyPI's Blenders.
pub fn newest() -> Result<Option<Blender>> {
    let (name, package) = MODULES[MODULES.len() - 1];
    module(name, package)
}

/// One of PyPI's Blenders, in `target/bpy-NAME`.
fn module(name: &str, package: &str) -> Result<Option<Blender>> {
    let folder = root().join(format!("target/bpy-{name}"));
    let python = folder.join("bin/python");
    let version = package.trim_start_matches("bpy==");
    let has_it = || {
        let script = format!("import importlib.metadata as m; assert m.version('bpy') == '{version}'");
        works(&python.to_string_lossy(), &["-c", &script])
    };
    if !has_it() {
        if !works("python3.11", &["-m", "venv", "--help"]) {
            missing(package, "it needs Python 3.11, which is missing")?;
            println!("skipped the Blender add-on's tests in {package}");
            return Ok(None);
        }
        println!("   installing {package} (350 MB) into target/bpy-{name}");
        let installed = run(command("python3.11", &["-m", "venv", "--clear"]).arg(&folder)).and_then(|()| {
            let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", package];
            run(&mut command(&python.to_string_lossy(), &pip))
        });
        if let Err(error) = installed {
            missing(package, &error)?;
            println!("skipped the Blender add-on's tests in {package}");
            return Ok(None);
        }
    }
    Ok(Some(Blender { version: name.into(), python: Some(python) }))
}
