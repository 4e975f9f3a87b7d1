//! `cargo xtask examples`: the models in `examples/`, made by code and identical on every machine.

mod art;
mod clips;
mod creature;
mod lathe;
mod math;
mod scene;
mod shape;
mod skeleton;
mod solid;
mod stance;
mod texture;
mod tracks;
mod weights;

pub use creature::creature;
pub use scene::scene;

use crate::corpus::files_below;
use crate::run::{Result, root};
use ligament::Scene;
use ligament::formats::FORMATS;
use ligament::report::Report;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Files that are not generated: the page about the examples, and rules for `ligament build`.
const BY_HAND: [&str; 2] = ["README.md", "ligament.toml"];

/// Makes all examples.
pub fn write_all() -> Result {
    let folder = root().join("examples");
    fs::create_dir_all(&folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    write_into(&folder)
}

/// Compares the generated files with the existing ones.
pub fn check() -> Result {
    let folder = root().join("target/examples");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    write_into(&folder)?;
    let (made, there) = (files(&folder)?, files(&root().join("examples"))?);
    let mut wrong = Vec::new();
    for (name, bytes) in &made {
        match there.get(name) {
            None => wrong.push(format!("examples/{name} is missing")),
            Some(other) if other != bytes => wrong.push(format!("examples/{name} differs")),
            Some(_) => {}
        }
    }
    let is_extra = |name: &&String| !made.contains_key(*name) && !BY_HAND.contains(&name.as_str());
    wrong.extend(there.keys().filter(is_extra).map(|name| format!("examples/{name} is not generated")));
    if wrong.is_empty() {
        println!("   {} files are as the generator makes them", made.len());
        return Ok(());
    }
    Err(format!("{}\nrun `cargo xtask examples` and check the difference", wrong.join("\n")))
}

/// Every file below a folder, except for outputs of `ligament build`.
fn files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for path in files_below(folder) {
        let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        if !name.starts_with("build/") {
            let bytes =
                fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
            files.insert(name, bytes);
        }
    }
    Ok(files)
}

/// Writes the scene as GLB, the creature in every writable format, and small models for whole folders.
fn write_into(folder: &Path) -> Result {
    write(scene(), &folder.join("scene.glb"))?;
    art::write_art(folder)?;
    let creature = creature();
    for format in FORMATS.iter().filter(|format| format.writes(None)) {
        let extensions = format.extensions;
        // If a format has both, a single file that holds everything is handier.
        let extension = extensions.iter().find(|e| **e == "glb").or(extensions.first());
        if let Some(extension) = extension {
            write(creature.clone(), &folder.join(format!("creature.{extension}")))?;
        }
    }
    Ok(())
}

fn write(scene: Scene, path: &Path) -> Result {
    let mut report = Report::default();
    ligament::validate::validate(&scene, &mut report);
    if let Some(first) = report.diagnostics().first() {
        return Err(format!("{} would break a rule: {first}", path.display()));
    }
    let counts = scene.counts();
    let (_, report) = ligament::write(scene, path, &Default::default()).map_err(|error| error.to_string())?;
    let size = fs::metadata(path).map_or(0, |file| file.len());
    println!(
        "   {}: {} vertices, {} joints, {} clips, {} kB",
        path.strip_prefix(root()).unwrap_or(path).display(),
        counts.vertices,
        counts.joints,
        counts.clips,
        size / 1000
    );
    for loss in report.losses() {
        println!("      {}: {}: {}", loss.kind.name(), loss.object, loss.message);
    }
    Ok(())
}
