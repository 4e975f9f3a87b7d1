//! The operations that change the rig and not what is shown, in their order.

use super::apply_scale::apply_scale;
use super::clips_from::Around;
use super::merge_skins::merge_skins;
use super::prune::{Prune, PruneOptions, prune_joints};
use super::reorder::reorder_joints;
use crate::report::{Failure, Report};
use crate::scene::Scene;

/// Operations on joints. None is run unless asked for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RigOperations {
    /// Skins become one, as far as they bind joints in the same way.
    pub merge_skins: bool,
    /// Joints that nothing needs are removed.
    pub prune_joints: Option<Prune>,
    /// Joints that are not removed, by name.
    pub keep_joints: Vec<String>,
    /// Roots have a scale of one, and what is below them has their size.
    pub apply_scale: bool,
    /// A file whose joint list every skin gets.
    pub reorder_joints: Option<String>,
}

impl RigOperations {
    /// Runs them. The result of a conversion is compared with the scene before them. `has_way`: root motion was extracted
    /// into a node above the joints.
    pub(crate) fn run(
        &self,
        scene: &mut Scene,
        has_way: bool,
        around: &Around<'_>,
        report: &mut Report,
    ) -> Result<(), Failure> {
        if self.merge_skins {
            merge_skins(scene, report)?;
        }
        if let Some(which) = self.prune_joints {
            prune_joints(scene, &PruneOptions { which, keep: &self.keep_joints, keep_top: has_way }, report)?;
        }
        if self.apply_scale {
            apply_scale(scene, report)?;
        }
        if let Some(path) = &self.reorder_joints {
            reorder_joints(scene, path, around, report)?;
        }
        Ok(())
    }
}
