//! Passes bring a scene into the shape that the user asked for or that a target format can hold. Each file has one
//! idea, one options struct and one function, and reports every reduction as a loss.
//!
//! | asked for by the user | picked by [`prepare`] from the target's [`Capabilities`](crate::formats::Capabilities) |
//! |---|---|
//! | [`operations`], [`select_clips`], [`bake_pose`], [`axes`], [`textures`], [`reduce_keys`], [`by_material`], [`weld`], [`optimise`], [`store_bounds`] | everything else |

mod asked;
pub mod axes;
pub mod bake_pose;
pub mod bake_rest;
pub mod by_material;
pub mod codes;
mod deviation;
pub mod drop_features;
pub mod flatten;
pub mod influences;
pub mod limit_clips;
pub mod materials;
pub mod morphs;
pub mod normals;
pub mod operations;
pub mod optimise;
mod prepare;
pub mod reduce_keys;
pub mod remove_scale;
pub mod resample;
pub mod select_clips;
mod side_names;
mod similarity;
pub mod store_bounds;
mod straighten;
pub mod tangents;
#[cfg(test)]
mod testing;
pub mod textures;
mod transform;
pub mod triangulate;
mod uv_sets;
pub mod weld;

pub use asked::{Asked, Sharing};
pub(crate) use operations::Placed;
pub(crate) use prepare::allow_copies;
pub use prepare::{PrepareOptions, prepare};

use crate::report::label;
