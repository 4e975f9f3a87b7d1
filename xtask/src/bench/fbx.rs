//! Reading FBX, compared with `ufbx` alone.

use super::Bench;
use super::data;
use super::measure::{in_turns, told};
use super::page::{Row, milliseconds};
use crate::corpus;
use crate::run::{Result, command, root, run, works};
use std::path::{Path, PathBuf};

impl Bench {
    pub fn read_fbx(&mut self) -> Result {
        for file in files()? {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let file = file.display().to_string();
            let read = |what: &str| told(&mut self.tools.ours(&[what, &file, "30"]));
            for (baseline, does) in [("read-ufbx", "`ufbx` alone"), ("bake-ufbx", "`ufbx` with baked takes")]
            {
                let against = in_turns(self.rounds, || read("read-fbx"), || read(baseline))?;
                let met = against.ratio >= 1.0 / 1.2;
                self.page.row(Row {
                    what: format!("Reading {name} up to the scene"),
                    ours: milliseconds(against.ours),
                    baseline: format!("{} ({does})", milliseconds(against.baseline)),
                    ratio: format!("{:.2}×", against.ratio),
                    goal: "≥ 0.83×".into(),
                    met: Some((met, met)),
                });
            }
        }
        Ok(())
    }
}

/// The largest files of the tests: from `assimp-testmodels`, and one that Blender exports from a glTF.
fn files() -> Result<Vec<PathBuf>> {
    let models = Path::new("/usr/share/assimp/models/FBX");
    let known = ["embedded_ascii/box_embedded_texture_fragmented.fbx", "animation_with_skeleton.fbx"];
    let mut files: Vec<PathBuf> =
        known.iter().map(|name| models.join(name)).filter(|p| p.is_file()).collect();
    // A model that not every machine has, otherwise one that every clone has.
    let source =
        corpus::extra("real/gltf/CesiumMan.glb").unwrap_or_else(|| corpus::corpus("real/gltf/Fox.glb"));
    let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let exported = data::folder().join(format!("{name}-blender.fbx"));
    if !exported.is_file() && works("blender", &["--version"]) {
        let script = root().join("tools/blender/convert.py");
        let mut blender = command("blender", &["-b", "--factory-startup", "--python"]);
        run(blender.arg(script).arg("--").args([&source, &exported]))?;
    }
    files.extend(exported.is_file().then_some(exported));
    Ok(files)
}
