//! Converting COLLADA, compared with `assimp export`, both as whole processes.

use super::Bench;
use super::data;
use super::measure::{in_turns, whole};
use crate::run::{Result, command};
use std::path::Path;

impl Bench {
    pub fn convert_collada(&mut self) -> Result {
        let models = Path::new("/usr/share/assimp/models/Collada");
        if !self.tools.assimp || !models.is_dir() {
            println!("   skipped: assimp or assimp-testmodels is missing");
            return Ok(());
        }
        let out = data::folder().join("converted.glb").display().to_string();
        let theirs = data::folder().join("assimp.glb").display().to_string();
        for name in ["duck.dae", "COLLADA.dae", "human.zae"] {
            let file = models.join(name).display().to_string();
            let assimp = || whole(&mut command("assimp", &["export", &file, &theirs, "-fglb2"]));
            let ours = || whole(&mut self.tools.ligament(&["convert", &file, &out, "--no-verify"]));
            let against = in_turns(self.rounds * 15, ours, assimp)?;
            let what = format!("`ligament convert {name}` to GLB, without the proof, whole process");
            self.page.faster(&what, "`assimp export`", against, 2.0, 2.0);
        }
        Ok(())
    }
}
