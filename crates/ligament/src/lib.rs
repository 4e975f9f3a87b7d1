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
//! # An example
//!
//! ```
//! # let input = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/art/reed.glb");
//! # let folder = tempfile::tempdir().unwrap();
//! # let output = folder.path().join("reed.pfobj");
//! // Any format, detected by its content.
//! let (scene, _) = ligament::read(input, &Default::default())?;
//! assert_eq!((scene.joint_count(), scene.clips.len()), (3, 1));
//!
//! // Nothing is written unless everything went well.
//! let (done, report) = ligament::convert(input, &output, &Default::default())?;
//! for loss in report.losses() {
//!     println!("{}: {}", loss.object, loss.message);
//! }
//!
//! // The proof: how far any vertex is from its place, here at keys that both files have.
//! let worst = done.comparison.and_then(|proof| proof.worst_at_keys);
//! assert!(worst.is_some_and(|vertex| vertex.relative < 1e-5));
//! # Ok::<(), ligament::Error>(())
//! ```
//!
//! Options are structs with defaults: write `ConvertOptions { strict: true, ..Default::default() }`, since later versions
//! may add fields.
//!
//! # Where things are
//!
//! [`formats`] has one folder per format, all of the same shape.

mod angles;
pub mod compare;
pub mod convert;
mod cores;
pub mod facts;
pub mod formats;
mod images;
pub mod io;
mod known;
mod limits;
mod mesh;
mod motion;
pub mod passes;
pub mod pose;
pub mod progress;
pub mod report;
pub mod rig;
pub mod scene;
pub mod settings;
mod text;
pub mod validate;
mod words;

pub(crate) use words::words;

pub use compare::{CompareOptions, compare};
pub use convert::{Conversion, ConvertOptions, convert, read, write};
pub use formats::ReadOptions;
pub use limits::{Limits, Memory};
pub use report::{Error, Failure, Report};
pub use scene::Scene;

/// The maths types that [`Scene`] is made of, from the version of `glam` that this library was built with.
pub use glam as math;

/// Helpers that the library shares with ligament's own programs. They may change in any version.
#[doc(hidden)]
pub mod internal {
    pub use crate::convert::proven::{cannot_write, create_with_folders};
    pub use crate::cores::start_threads;
    pub use crate::images::{decode as decode_image, dimensions as image_dimensions};
    pub use crate::io::folder::TellingFolder;
    pub use crate::io::output::write_file_always;
    pub use crate::io::target::is_same_file;
    pub use crate::io::temporary::{discard_temporaries, exit_without_temporaries};
    pub use crate::mesh::envelopes::{Envelope, envelopes};
    pub use crate::report::similar::{most_similar, typing_errors};
    pub use crate::text::{UniqueNames, from_cp1250};

    pub mod shown {
        pub use crate::report::shown::*;
    }
}
