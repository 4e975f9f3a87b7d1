//! Motion as keys: when a clip has keys, and where it needs more of them.
//!
//! Formats disagree on what happens between two keys: quaternions are interpolated on an arc or along a chord, angles
//! one by one, joints in different spaces. Converting a motion from one rule to another keeps the keys of the source
//! and adds more until the new rule follows the old one. That is the same task in every importer and exporter, and it
//! is done here:
//!
//! | file | what |
//! |---|---|
//! | `times.rs` | [`key_times`] and [`frame_times`]: the key times of several tracks together |
//! | `fit.rs` | [`Motion`] and [`Fit`]: adds keys where what is played between keys is too far from the motion |
//! | `property.rs` | [`Property`]: one property over time, as most importers have it |
//! | `bake.rs` | [`Task`]: a function of time to the keys of a track, with steps and jumps |
//! | `straight.rs` | [`straight_turns`]: tracks of rotations that go along the chord, not the arc |
//! | `euler.rs` | [`euler_curves`]: tracks of rotations as curves of three angles |
//! | `reach.rs` | [`Reach`]: how far a node's rotation, translation or scale moves vertices; [`TrackFits`] adds up what is left |
//!
//! # How close is close enough
//!
//! Distances are fractions of the model's size, because viewers see vertices: a thumb that is off by a degree moves
//! less than a hip that is off by a tenth of one. If the vertices are known, [`Motion::distance`] measures them.
//! Otherwise angles, scales and weights count by how far they move the farthest vertex, which [`Reach`] knows, or else
//! as much as the whole model's size. [`Tolerance::FINE`] is the deviation that the proof calls exact.
//! [`Tolerance::COARSE`] is for formats where most keys would be added ones: FINE needs three times as many.
//!
//! # Bounds on hostile files
//!
//! A stretch between two keys is subdivided at most 12 times (24 times at a few places where a curve is nearly upright),
//! and a [`KeyBudget`] bounds all added keys together:
//! 16,384, plus 32 for each key of the source. A curve that no number of keys follows (noise, a jump, a wheel that
//! turns a million times) therefore costs no more than a constant factor. The remaining deviation is measured and
//! reported as usual.
//!
//! # Example
//!
//! ```ignore
//! let height = Property::new(|time| DVec3::Y * f64::sin(time), 1.0 / size);
//! let mut budget = KeyBudget::default();
//! let mut fit = Fit::new(Tolerance::FINE, &mut budget);
//! let mut keys = Vec::new();
//! fit.follow(&height, [0.0, 3.0], &mut |time, place| keys.push((time, place)));
//! println!("{} keys more, and {} of the model's size is left", fit.done.added, fit.done.left);
//! ```

mod bake;
#[cfg_attr(not(feature = "fbx"), allow(dead_code, reason = "the exporters of FBX and COLLADA use it"))]
mod euler;
mod fit;
mod property;
mod reach;
mod straight;
mod times;

pub(crate) use bake::{Baked, Side, Task};
#[cfg_attr(not(feature = "fbx"), allow(unused_imports, reason = "the exporter of FBX uses them"))]
pub(crate) use euler::{EulerCurves, euler_curves, to_angles};
#[cfg(feature = "fbx")]
pub(crate) use fit::PROBES;
pub(crate) use fit::{Fit, Fitted, KeyBudget, Motion, Tolerance};
pub(crate) use property::{Property, Value};
pub(crate) use reach::{LEAST_REACH, Reach, TrackFits};
pub(crate) use straight::{one_side, straight_turns};
pub(crate) use times::{frame_times, key_times};
