//! Many small files in one process, compared with other programs that also process them in one.

use super::measure::{in_turns, whole};
use super::{Bench, data, tools};
use crate::install;
use crate::run::{Result, command};
use std::fs;
use std::path::Path;

const FILES: usize = 50;

impl Bench {
    pub(super) fn batch(&mut self) -> Result {
        let (from, ours) = (data::folder().join("batch"), data::folder().join("batch-ours"));
        gather(&from)?;
        let pattern = from.join("*.glb").display().to_string();
        let convert = |options: &[&str]| {
            let out = ours.display().to_string();
            let line =
                ["convert", &pattern, "--to", "glb", "--reencode", "--force", "--quiet", "--out-dir", &out];
            let seconds = whole(self.tools.ligament(&line).args(options))?;
            written(&ours).map(|()| seconds)
        };
        let what = format!("{FILES} small GLB files read and written in one process");
        if install::gltf_transform()? {
            let out = data::folder().join("batch-node");
            let node = || {
                let (from, to) = (from.display().to_string(), out.display().to_string());
                let seconds = whole(&mut command("node", &["tools/gltf-transform/batch.mjs", &from, &to]))?;
                written(&out).map(|()| seconds)
            };
            let plain = in_turns(self.rounds, || convert(&["--no-verify"]), node)?;
            let proven = in_turns(self.rounds, || convert(&[]), node)?;
            self.page.faster(&format!("{what}, without the proof"), "glTF-Transform", plain, 1.0, 1.0);
            self.page.faster(&format!("{what}, with the proof"), "glTF-Transform", proven, 1.0, 1.0);
        }
        let has_numpy = ["-b", "--python-exit-code", "1", "--python-expr", "import numpy"];
        if install::program("blender", &has_numpy, &["blender", "python3-numpy"])? {
            let out = data::folder().join("batch-blender");
            let blender = || {
                let (from, to) = (from.display().to_string(), out.display().to_string());
                let line = [
                    "-b",
                    "--python-exit-code",
                    "1",
                    "--python",
                    "benches/baseline/batch.py",
                    "--",
                    &from,
                    &to,
                ];
                let _ = fs::remove_dir_all(&out);
                let seconds = whole(&mut command("blender", &line))?;
                written(&out).map(|()| seconds)
            };
            // One round takes most of a minute, and the difference is obvious.
            let proven = in_turns(1, || convert(&[]), blender)?;
            self.page.faster(&format!("{what}, with the proof"), "Blender", proven, 20.0, 20.0);
        }
        Ok(())
    }
}

/// Copies small models under distinct names.
fn gather(folder: &Path) -> Result {
    let files = tools::glb_files();
    let copied = fs::create_dir_all(folder).and_then(|()| {
        for (index, file) in files.iter().cycle().take(FILES).enumerate() {
            let name = file.file_stem().unwrap_or_default().to_string_lossy();
            fs::copy(file, folder.join(format!("{index:02}-{name}.glb")))?;
        }
        Ok(())
    });
    copied.map_err(|error| format!("cannot copy models to {}: {error}", folder.display()))
}

/// Whether all files were written.
fn written(folder: &Path) -> Result {
    let entries =
        fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let models = entries.flatten().filter(|entry| entry.path().extension().is_some_and(|e| e == "glb"));
    let found = models.filter(|entry| entry.metadata().is_ok_and(|m| m.len() > 100)).count();
    if found == FILES { Ok(()) } else { Err(format!("{} has {found} models, not {FILES}", folder.display())) }
}
