//! What the proof costs: converting with it, compared with converting without it.

use super::measure::{in_turns, whole};
use super::page::{Row, milliseconds, times};
use super::{Bench, data};
use crate::corpus;
use crate::run::{Result, root};
use std::path::{Path, PathBuf};

/// A conversion with its proof takes at most this many times as long as without; ideally at most the second.
const MOST: (f64, f64) = (1.5, 1.2);

impl Bench {
    pub fn proof(&mut self) -> Result {
        let animated = data::animated(if self.quick { 2 } else { 8 })?;
        self.proof_of(&animated, &["pfobj", "qmsh.tmp", "amo", "glb"])?;
        for file in models() {
            self.proof_of(&file, &["pfobj", "glb"])?;
        }
        Ok(())
    }

    /// Both run in turns on one core, so that other load affects both alike.
    fn proof_of(&mut self, file: &Path, extensions: &[&str]) -> Result {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for extension in extensions {
            let out = data::folder().join(format!("proven.{extension}")).display().to_string();
            let file = file.display().to_string();
            let convert = |options: &[&str]| {
                let mut command = self.tools.ligament(&["convert", &file, &out, "--reencode"]);
                whole(command.args(options).env("RAYON_NUM_THREADS", "1"))
            };
            let against = in_turns(self.rounds, || convert(&[]), || convert(&["--no-verify"]))?;
            let cost = 1.0 / against.ratio;
            self.page.row(Row {
                what: format!("`ligament convert {name}` to {extension} with the proof, one core"),
                ours: milliseconds(against.ours),
                baseline: format!("{} (without the proof)", milliseconds(against.baseline)),
                ratio: times(cost),
                goal: format!("≤ {}, goal {}", MOST.0, MOST.1),
                met: Some((cost <= MOST.0, cost <= MOST.1)),
            });
        }
        Ok(())
    }
}

/// A model that every clone has, and larger ones that not every machine has.
fn models() -> Vec<PathBuf> {
    let known = ["real/gltf_compressed/BrainStem.glb", "real/three/Xbot.glb"];
    let known = known.iter().filter_map(|name| corpus::find(name));
    known.chain([root().join("examples/creature.glb")]).collect()
}
