//! What the proof costs: converting with it, compared with converting without it.

use super::capture::capture;
use super::measure::{in_turns, whole};
use super::page::{Row, milliseconds, times};
use super::{Bench, data};
use crate::corpus;
use crate::run::{Result, root};
use std::path::{Path, PathBuf};

/// A conversion with its proof takes at most this many times as long as without; ideally at most the second.
const MOST: (f64, f64) = (1.5, 1.2);

/// Every format that is written and holds the models.
const EVERY: [&str; 7] = ["pfobj", "qmsh.tmp", "amo", "apg", "bgl", "obj", "glb"];
/// Frames of two hours at 28 per second, and what they move.
const CAPTURE: [usize; 3] = [200_000, 60, 10_000];

impl Bench {
    pub fn proof(&mut self) -> Result {
        let animated = data::animated(if self.quick { 2 } else { 8 })?;
        self.proof_of(&animated, &EVERY)?;
        for (file, extensions) in models() {
            self.proof_of(&file, extensions)?;
        }
        let [frames, joints, vertices] = CAPTURE;
        let capture = capture(if self.quick { frames / 20 } else { frames }, joints, vertices)?;
        self.proof_of(&capture, &["glb"])
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

/// Larger models that not every machine has, and one that every clone has.
fn models() -> Vec<(PathBuf, &'static [&'static str])> {
    let known: [(&str, &[&str]); 3] = [
        ("real/gltf_compressed/BrainStem.glb", &["pfobj"]),
        ("real/three/Xbot.glb", &EVERY),
        ("real/three/Samba Dancing.fbx", &["pfobj"]),
    ];
    let known = known.into_iter().filter_map(|(name, to)| Some((corpus::find(name)?, to)));
    known.chain([(root().join("examples/creature.glb"), &EVERY[..])]).collect()
}
