//! The pipeline, and the entry points that most users want.
//!
//! [`convert`] goes from file to file; [`read`] and [`write`](write()) stop at the [`Scene`]. [`Conversion`] describes
//! what was converted and how far the result is from its source; the [`Report`] lists what was lost.
//!
//! Below them is a second level for sources and outputs that are not files, and for programs that inspect a result
//! before it is in place: [`read_from`] reads any [`Source`], [`validate_from`] also checks every rule, and [`convert_to`] converts any [`Input`] to any output.
//! Its result is [`Proven`], which [`commit`](Proven::commit) puts in place. [`create`] starts the file at an output
//! path.
//!
//! | file | what |
//! |---|---|
//! | `pipeline.rs` | [`convert_to`]: the whole flow on one screen, and its stages |
//! | `route.rs` | decides whether a document is copied, rewritten, or goes through a scene |
//! | `read.rs` | [`read_from`]: finds the format, reads, imports; [`validate_from`] checks, too |
//! | `proof.rs` | reads back what was written, and checks `--strict` and `--max-error` |
//! | `proven.rs` | [`Proven`]: written and proven, but not yet in place |
//! | `target.rs` | finds the format and dialect to write |
//! | `plan.rs` | [`plan`]: the steps of a conversion, without doing them |
//! | `witness.rs` | a hook that is shown both models of the proof |
//! | `options.rs` | [`ConvertOptions`] and [`Conversion`] |

pub mod codes;
mod options;
mod pipeline;
mod plan;
mod proof;
pub(crate) mod proven;
mod read;
mod remedies;
mod route;
mod target;
mod text;
mod witness;

pub use options::{Conversion, ConvertOptions};
pub use pipeline::{Input, convert_to};
pub use plan::{OPERATIONS, Step, plan};
pub use proven::{Proven, Reopen, create};
pub use read::{Imported, read_from, validate_from};
pub use target::{Target, target};
pub use witness::{Exhibit, Witness};

use crate::formats::ReadOptions;
use crate::io::{DirFolder, Source};
use crate::report::{Error, Report};
use crate::scene::Scene;
use std::path::Path;
use std::sync::Arc;

/// Reads a file of any known format into a scene.
///
/// ```no_run
/// let (scene, report) = ligament::read("mage.pfobj", &Default::default())?;
/// println!("{} joints, {} warnings", scene.joint_count(), report.diagnostics().len());
/// # Ok::<(), ligament::Error>(())
/// ```
pub fn read(path: impl AsRef<Path>, options: &ReadOptions) -> Result<(Scene, Report), Error> {
    let path = path.as_ref();
    Report::collect(&options.limits, |report| {
        let source = Source::open(path, &options.limits, report)?;
        read::read_scene(source, Some(path), options, report)
    })
}

/// Writes a scene to a file, in the format given by the options or by the file's extension. Unless told not to, it
/// proves the result by posing both side by side. Images that the scene refers to are looked up in the file's folder.
/// The scene must keep [the promise](crate::scene#the-promise), which [`validate`](crate::validate::validate) checks.
///
/// Nothing is written unless everything went well: the output appears complete or not at all.
///
/// ```no_run
/// let (scene, _) = ligament::read("mage.pfobj", &Default::default())?;
/// let (_, report) = ligament::write(scene, "mage.glb", &Default::default())?;
/// for loss in report.losses() {
///     println!("{}: {}", loss.kind.name(), loss.message);
/// }
/// # Ok::<(), ligament::Error>(())
/// ```
pub fn write(
    scene: Scene,
    path: impl AsRef<Path>,
    options: &ConvertOptions,
) -> Result<(Conversion, Report), Error> {
    let path = path.as_ref();
    Report::collect(&options.read.limits, |report| {
        let (target, file) = create(path, options, report)?;
        let folder = Arc::new(DirFolder::new(path.parent().unwrap_or(Path::new("."))));
        convert_to(Input::Scene(scene, folder), target, file, options, report)?.commit(report)
    })
}

/// Converts a file into another and, unless told not to, proves the result by posing both side by side.
///
/// Nothing is written unless everything went well: the output appears complete or not at all.
///
/// ```no_run
/// let (done, report) = ligament::convert("mage.pfobj", "mage.glb", &Default::default())?;
/// let proof = done.comparison.expect("verified by default");
/// println!("worst deviation {:?}, {} losses", proof.worst, report.losses().len());
/// # Ok::<(), ligament::Error>(())
/// ```
pub fn convert(
    input: impl AsRef<Path>,
    output: impl AsRef<Path>,
    options: &ConvertOptions,
) -> Result<(Conversion, Report), Error> {
    let input = input.as_ref();
    Report::collect(&options.read.limits, |report| {
        let source = Source::open(input, &options.read.limits, report)?;
        let (target, file) = create(output.as_ref(), options, report)?;
        convert_to(Input::Source(source, Some(input)), target, file, options, report)?.commit(report)
    })
}
