//! Ligament converts rigged, animated models between file formats: it reads, checks, converts, poses and writes them.
//!
//! # The flow
//!
//! ```text
//! bytes ──read──▶ Document ──import──▶ Scene ──passes──▶ Scene ──export──▶ Encoded ──write──▶ bytes
//!          │                  │                  │                 │                  │
//!          └──────────────────┴────────── Report: diagnostics + losses ───────────────┘
//! ```
//!
//! - A [`Document`](formats::Document) is one format's own typed tree, exactly what the file says. Rewriting a file in
//!   its own format goes through the document alone, so nothing is lost or rounded.
//! - A [`Scene`] is the one neutral model; its [module](scene) states the conventions and what you may rely on.
//! - A [`Report`] holds everything worth telling a person: *diagnostics* with a code and a place, and *losses* that say
//!   what a conversion kept, approximated (by how much) and dropped.
//! - [`passes`] bring a scene within what a target format can hold.
//! - [`pose`] samples a clip and skins a mesh; [`compare`](mod@compare) poses two scenes side by side and measures how
//!   far each vertex moved. Every conversion is proven this way.
//!
//! [`formats`] has one folder per format, all of the same shape.

pub mod compare;
pub mod convert;
mod cores;
pub mod formats;
pub mod io;
mod limits;
pub mod mesh;
mod motion;
pub mod passes;
pub mod pose;
pub mod progress;
pub mod report;
pub mod scene;
pub mod settings;
pub mod text;
pub mod validate;

pub use compare::{CompareOptions, compare};
pub use convert::{Conversion, ConvertOptions, convert, read, write};
pub use formats::ReadOptions;
#[cfg(feature = "fbx")]
pub use formats::fbx;
pub use formats::{amo, apg, bogle, collada, gltf, obj, pfobj, qmsh, qmsh_tmp};
pub use limits::Limits;
pub use report::{Error, Failure, Report};
pub use scene::Scene;

/// The maths types that [`Scene`] is made of, from the version of `glam` that this library was built with.
pub use glam as math;
