//! `cargo xtask compatibility`: reads every model of Assimp's own tests in a format that artists use, with ligament and
//! with Assimp, and writes the results to `docs/compatibility.md`.

mod page;
mod refused;

use crate::install;
use crate::run::{Result, command, output, root};
use ligament::report::Severity;
use std::path::{Path, PathBuf};

/// The folder of the Debian package `assimp-testmodels`.
const MODELS: &str = "/usr/share/assimp/models";
/// Extensions of the formats that artists use.
const EXTENSIONS: [&str; 6] = ["dae", "zae", "fbx", "obj", "gltf", "glb"];

/// One model and the results of both programs.
struct Row {
    /// The path below [`MODELS`].
    file: String,
    ours: Ours,
    /// Assimp's counts, or why it refused the file.
    assimp: std::result::Result<Counts, String>,
}

/// Our result for a model.
enum Ours {
    Read {
        counts: Counts,
        warnings: usize,
        losses: usize,
    },
    /// The first error, and why refusing is right, or `None` if it is our bug.
    Refused {
        code: &'static str,
        message: String,
        reason: Option<&'static str>,
    },
}

/// The contents of a model.
#[derive(Default)]
struct Counts {
    /// Triangles, polygons, lines and points.
    faces: usize,
    joints: usize,
    clips: usize,
}

/// Reads everything and writes the page.
pub fn write_page() -> Result {
    let Some(rows) = rows()? else { return Ok(()) };
    let path = root().join("docs/compatibility.md");
    let written = std::fs::write(&path, page::page(&rows, &version()?));
    written.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    faults(&rows)
}

/// Reads everything and compares the result with the existing page.
pub fn check() -> Result {
    let Some(rows) = rows()? else { return Ok(()) };
    faults(&rows)?;
    println!("   {} models", rows.len());
    let version = version()?;
    let there = std::fs::read_to_string(root().join("docs/compatibility.md")).unwrap_or_default();
    if !there.contains(&version) {
        println!("   the page is not about the models of {version}, so it is not compared");
    } else if there != page::page(&rows, &version) {
        return Err("docs/compatibility.md is out of date; run `cargo xtask compatibility`".into());
    }
    Ok(())
}

/// All models, sorted by path; `None` if they are missing and cannot be installed.
fn rows() -> Result<Option<Vec<Row>>> {
    if !install::program("assimp", &["version"], &["assimp-utils"])?
        || !install::program("test", &["-d", MODELS], &["assimp-testmodels"])?
    {
        return Ok(None);
    }
    let mut files = Vec::new();
    collect(Path::new(MODELS), &mut files)?;
    files.sort();
    let row = |path: PathBuf| Row {
        file: path.strip_prefix(MODELS).unwrap_or(&path).display().to_string(),
        ours: ours(&path),
        assimp: assimp(&path),
    };
    Ok(Some(files.into_iter().map(row).collect()))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result {
    let cannot = |error| format!("cannot list {}: {error}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        if path.is_dir() {
            collect(&path, files)?;
        } else if extension.is_some_and(|e| EXTENSIONS.contains(&e.as_str())) {
            files.push(path);
        }
    }
    Ok(())
}

fn ours(path: &Path) -> Ours {
    match ligament::read(path, &Default::default()) {
        Ok((scene, report)) => {
            let parts = scene.meshes.iter().flat_map(|mesh| &mesh.parts);
            let joints = scene.skins.iter().flat_map(|skin| &skin.joints);
            let counts = Counts {
                faces: parts.map(|part| part.faces.count()).sum(),
                joints: joints.collect::<std::collections::BTreeSet<_>>().len(),
                clips: scene.clips.len(),
            };
            Ours::Read { counts, warnings: report.count(Severity::Warning), losses: report.losses().len() }
        }
        Err(error) => {
            let first = error.report.diagnostics().iter().find(|d| d.severity == Severity::Error);
            let (code, message) = first.map_or(("", String::new()), |d| (d.code.id, d.message.clone()));
            Ours::Refused { code, message, reason: refused::reason(path) }
        }
    }
}

fn assimp(path: &Path) -> std::result::Result<Counts, String> {
    let path = path.display().to_string();
    let printed = output(&mut command("assimp", &["info", &path, "--silent"]));
    let printed = printed.map_err(|_| failure(&path))?;
    let number = |name: &str| {
        let line = printed.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|rest| rest.trim().parse().ok()).unwrap_or(0)
    };
    Ok(Counts { faces: number("Faces:"), joints: number("Bones:"), clips: number("Animations:") })
}

/// Assimp's message about a file that it refuses.
fn failure(path: &str) -> String {
    let said = command("assimp", &["info", path]).output();
    let said = said.map(|said| String::from_utf8_lossy(&said.stdout).into_owned()).unwrap_or_default();
    let line = said.lines().find_map(|line| line.strip_prefix("ERROR: Failed to load file: "));
    line.unwrap_or("ends without a word").trim().to_owned()
}

/// The version of the package with the models.
fn version() -> Result<String> {
    let printed = output(&mut command("dpkg-query", &["-W", "-f=${Version}", "assimp-testmodels"]))?;
    Ok(format!("assimp-testmodels {printed}"))
}

/// Fails if there are refusals without a known reason.
fn faults(rows: &[Row]) -> Result {
    let fault = |row: &Row| match &row.ours {
        Ours::Refused { code, message, reason: None } => Some(format!("{}: {code}: {message}", row.file)),
        _ => None,
    };
    let faults: Vec<String> = rows.iter().filter_map(fault).collect();
    if faults.is_empty() {
        Ok(())
    } else {
        Err(format!("refused without a good reason:\n{}", faults.join("\n")))
    }
}
