//! Posing: computes the shape of a scene at a time of a clip.
//!
//! [`Pose::at`] samples every track, multiplies the hierarchy (in f64, so that rounding does not accumulate in long
//! chains) and keeps the morph weights. [`deform`] then moves the vertices of one mesh placement, as [the model defines
//! it](crate::scene#how-a-vertex-gets-its-place). Playback, which does this many times per second, keeps a [`Deformer`]
//! and its buffers.
//!
//! | file | step |
//! |---|---|
//! | `sample.rs` | a track's value at a time |
//! | `hierarchy.rs` | nodes: local transforms and global matrices |
//! | `skin.rs`, `packed.rs` | joint matrices, and the loops that blend them per vertex |
//! | `deform.rs` | a mesh placement: morph targets, then the skin or the node's matrix |
//! | `dual.rs` | dual-quaternion skinning, which files may ask for |
//! | `own.rs` | a file's motion by its own rules, where tracks only approximate it |
//! | `player.rs` | many poses of a clip, one after the other |
//! | `rig.rs` | a skin as bones, parents first |
//! | `bounds.rs` | the box around a posed scene |
//! | `outline.rs` | the boxes of many poses, computed from the outer vertices only |
//!
//! ```
//! use ligament::pose::{Pose, bounds, deform};
//! # let scene = ligament::Scene::default();
//! for clip in &scene.clips {
//!     let pose = Pose::at(&scene, clip, 0.5);
//!     for node in scene.node_ids() {
//!         for part in deform(&scene, &pose, node) {
//!             println!("{} vertices", part.positions.len());
//!         }
//!     }
//! }
//! assert_eq!(bounds(&scene, &Pose::rest(&scene)), None);
//! ```

mod bounds;
mod deform;
mod dual;
mod hierarchy;
mod outline;
mod own;
mod packed;
mod player;
mod rig;
mod sample;
mod skin;
mod swept;

pub(crate) use bounds::joint_bounds;
pub use bounds::{Bounds, bounds, radius};
pub use deform::{Deformer, PosedPart, deform};
#[cfg(feature = "fbx")]
pub(crate) use dual::DualSkin;
pub(crate) use hierarchy::local_at;
pub use hierarchy::{Pose, locals_at};
pub(crate) use outline::Outline;
pub(crate) use own::OwnClip;
pub use own::{Moved, OwnMotion};
pub(crate) use player::Player;
pub(crate) use rig::{Bone, Rig};
pub(crate) use sample::rotation_at;
pub use sample::{Sampled, sample};
pub use skin::joint_matrices;
pub use swept::{Swept, clip_bounds, joint_boxes};

#[cfg(test)]
mod tests;
