//! Operations on clips and rigs that users ask for. Each says in the report how far any vertex is from where it should
//! be.
//!
//! | file | what |
//! |---|---|
//! | `clips_from.rs` | clips from other files |
//! | `files.rs` | paths, folders and patterns |
//! | `joints.rs` | joints of two skeletons that belong together |
//! | `carry.rs` | a clip of one skeleton on another |
//! | `retarget.rs` | joints that belong together, by a map |
//! | `clips.rs` | split, trim, join, reverse, speed, loop, rename |
//! | `montage.rs` | a clip made of stretches of others, and its proof |
//! | `cut.rs` | a stretch of a track |
//! | `root_motion/` | root motion: extract, remove, bake |
//! | `nodes.rs` | nodes added to a scene |
//! | `spec.rs` | the texts in which operations are asked for |
//! | `rest_pose.rs` | another pose at rest |
//! | `additive.rs` | clips relative to a pose |
//! | `rename_joints.rs` | joints under other names |
//! | `map.rs` | maps from names to other names |
//! | `other.rs` | other files that an operation reads |
//! | `rig.rs` | the operations on rigs, in their order |
//! | `merge_skins.rs` | one skin for all meshes |
//! | `prune.rs` | joints that nothing needs |
//! | `apply_scale.rs` | scale one on every root |
//! | `reorder.rs` | the joint list of another file |
//! | `fold.rs` | the motion of nodes that go, in those below them |
//! | `arrange.rs` | nodes and joints in another order, or without some |
//! | `beside.rs` | the proof of what changes the rig |
//! | `gauge.rs` | how far apart two poses are |
//! | `codes.rs`, `rig_codes.rs` | the codes |

mod additive;
mod apply_scale;
mod arrange;
mod beside;
mod carry;
mod clips;
mod clips_from;
pub mod codes;
mod cut;
mod files;
mod fold;
mod gauge;
mod joints;
mod map;
mod merge_skins;
mod montage;
mod nodes;
mod other;
mod prune;
mod rename_joints;
mod reorder;
mod rest_pose;
mod retarget;
mod rig;
pub mod rig_codes;
mod root_motion;
mod spec;

pub(crate) use clips_from::Around;
pub use clips_from::merge_clips;
pub(crate) use joints::{bare, bound, degrees, matched, rotation};
pub(crate) use montage::Placed;
pub use prune::{Prune, PruneOptions};
pub use rig::RigOperations;

use crate::pose::OwnMotion;
use crate::report::{Failure, Report};
use crate::scene::Scene;
use clips::Clips;
use std::path::{Path, PathBuf};

/// Operations on clips and rigs. None is run unless asked for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Operations {
    /// Files whose clips are added: paths, folders, and patterns with `*` and `?` in the name.
    pub clips_from: Vec<String>,
    /// A map from the joints of those files to the model's, instead of their names.
    pub retarget: Option<String>,
    /// Clips are cut to a stretch: `walk@10-40`, in frames, or `walk@0.5s-2s`.
    pub trim: Vec<String>,
    /// Stretches become clips of their own: `all@0-30=walk,31-60=run`.
    pub split: Vec<String>,
    /// Clips that are played backwards; `*` stands for all.
    pub reverse_clips: Vec<String>,
    /// Clips that are played faster or slower: `walk=2`; `2` alone is for all clips.
    pub speed: Vec<String>,
    /// Clips that are repeated: `walk=3` times, or `walk=10s`.
    pub loop_clips: Vec<String>,
    /// Clips that become one: `sit,stand=both`.
    pub join: Vec<String>,
    /// New names of clips: `Take 001=walk`.
    pub rename_clips: Vec<String>,
    /// The pose that becomes the rest pose: `walk@10`, `walk@0.5s`, or `bind`.
    pub rest_pose: Option<String>,
    /// What becomes of root motion: `extract`, `remove` or `bake`, with axes and a joint: `extract:xz,turn@Hips`.
    pub root_motion: Vec<String>,
    /// Clips that become additive; `*` stands for all.
    pub additive: Vec<String>,
    /// The pose to which they are relative, if not their first frame: `idle@0`, `rest` or `bind`.
    pub reference: Option<String>,
    /// New names of joints: `Hips=pelvis`, `mixamorig:*=*`, or TOML files of such pairs.
    pub rename_joints: Vec<String>,
    /// Operations on the rig.
    pub rig: RigOperations,
}

impl Operations {
    /// Runs the operations that change what is shown. The result of a conversion is compared with the scene after them;
    /// each measures itself.
    pub(crate) fn run_before(
        &self,
        scene: &mut Scene,
        own: &mut Option<OwnMotion>,
        fps: Option<f32>,
        around: &Around<'_>,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let mut clips = Clips { scene, own, report, fps };
        match (&self.retarget, self.clips_from.is_empty()) {
            (Some(_), true) => return Err(retarget::unused(clips.report)),
            (map, false) => clips.add_from(&self.clips_from, map.as_deref(), around)?,
            (None, true) => {}
        }
        clips.run(self)?;
        if let Some(pose) = &self.rest_pose {
            clips.rest_pose(pose)?;
        }
        clips.root_motion(&self.root_motion)?;
        clips.additive(&self.additive, self.reference.as_deref())?;
        if !self.rename_joints.is_empty() {
            rename_joints::rename_joints(
                clips.scene,
                &self.rename_joints,
                &around.read.limits,
                clips.report,
            )?;
        }
        Ok(())
    }

    /// Runs the operations that change the rig and not what is shown.
    pub(crate) fn run_after(
        &self,
        scene: &mut Scene,
        around: &Around<'_>,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let has_way = self.root_motion.iter().any(|asked| asked.trim_start().starts_with("extract"));
        self.rig.run(scene, has_way, around, report)
    }

    /// The paths, folders and patterns of the files that these operations read besides the input.
    pub fn words(&self) -> impl Iterator<Item = &Path> {
        let maps = self.rename_joints.iter().filter(|word| map::is_file(word));
        let others = self.retarget.iter().chain(&self.rig.reorder_joints);
        self.clips_from.iter().chain(maps).chain(others).map(Path::new)
    }

    /// Lets relative paths start at a folder, as in a file of rules.
    pub fn start_at(&mut self, folder: &Path) {
        let maps = self.rename_joints.iter_mut().filter(|word| map::is_file(word));
        let others = self.retarget.iter_mut().chain(&mut self.rig.reorder_joints);
        for word in self.clips_from.iter_mut().chain(maps).chain(others) {
            *word = folder.join(&*word).to_string_lossy().into_owned();
        }
    }

    /// The files that these operations read besides the input, as far as they can be found.
    pub fn files(&self) -> Vec<PathBuf> {
        let words = self.words().filter_map(Path::to_str);
        let found = words.filter_map(|word| files::files(word).ok()).flatten();
        found.map(|asked| asked.path).collect()
    }
}
