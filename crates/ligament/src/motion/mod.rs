//! Motion as keys: when a clip has keys, and where it needs more of them.
//!
//! Formats disagree on what happens between two keys: quaternions turn evenly or along a chord, angles are mixed one by
//! one, joints move in other spaces. Whoever brings a motion from one rule to another keeps the keys of the source and
//! adds more until the new rule follows the old one. That is the same task in every importer and exporter, and it is
//! done here:
//!
//! | file | what |
//! |---|---|
//! | `times.rs` | [`key_times`] and [`frame_times`]: the key times of tracks, all together |
//! | `fit.rs` | [`Motion`] and [`Fit`]: keys are added where what is played between them is not near the motion |
//! | `property.rs` | [`Property`]: one property over time, as most importers have it |
//! | `reach.rs` | [`Reach`]: how far a node's turn, movement or scale moves vertices; [`TrackFits`] adds up what is left |
//!
//! # How near is near enough
//!
//! Distances are parts of the model's size, because what is seen are vertices: a thumb that is off by a degree moves less
//! than a hip that is off by a tenth of one. Where the vertices are known, [`Motion::distance`] measures them; else
//! angles, scales and weights count as far as they move the farthest vertex, which [`Reach`] knows, or as a whole part of
//! the model's size. [`Tolerance::FINE`] is what the proof calls exact. [`Tolerance::COARSE`] is for where most keys would
//! be added ones, of which FINE needs three times as many.
//!
//! # What a hostile file can ask for
//!
//! A stretch between two keys is subdivided at most 12 times, and a [`KeyBudget`] bounds all added keys together: 16,384,
//! and 32 for each key of the source. A curve that no number of keys follows (noise, a jump, a wheel that turns a million
//! times) therefore costs no more than a constant factor. What is left then is measured and reported as everywhere else.
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

mod fit;
mod property;
mod reach;
mod times;

pub(crate) use fit::{Fit, Fitted, KeyBudget, Motion, PROBES, Tolerance};
pub(crate) use property::{Property, Value};
pub(crate) use reach::{LEAST_REACH, Reach, TrackFits};
pub(crate) use times::{frame_times, key_times};
