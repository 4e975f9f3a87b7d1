use super::Witness;
use crate::compare::Comparison;
use crate::formats::{ReadOptions, WriteOptions};
use crate::passes::Asked;
use crate::passes::axes::AxesOptions;
use crate::passes::bake_pose::PoseOptions;
use crate::passes::operations::Operations;
use crate::passes::textures::TextureMode;
use crate::progress::Progress;
use crate::scene::Counts;
use crate::settings::settings;

/// How a file is converted.
#[derive(Debug, Clone)]
pub struct ConvertOptions {
    /// How the input is read.
    pub read: ReadOptions,
    /// How the output is written.
    pub write: WriteOptions,
    /// The target format's id; `None` takes the format of the output's extension.
    pub to: Option<String>,
    /// The dialect's id; `None` takes the one of the output's extension, otherwise the format's default.
    pub dialect: Option<String>,
    /// Only these clips; `None` keeps all, and an empty list keeps none.
    pub clips: Option<Vec<String>>,
    /// The pose to bake into a static model, if any.
    pub pose: Option<PoseOptions>,
    /// Rotation and scale of the whole scene.
    pub axes: AxesOptions,
    /// Operations on clips and rigs.
    pub operations: Operations,
    /// Passes that no format needs, run on request.
    pub asked: Asked,
    /// Where images go.
    pub textures: TextureMode,
    /// Goes through the scene even if the format stays the same.
    pub reencode: bool,
    /// Reads the result back and poses it beside the source.
    pub verify: bool,
    /// Fails if anything is approximated or dropped; nothing is written then.
    pub strict: bool,
    /// Largest allowed deviation as a fraction of the model's size. Beyond it the conversion fails.
    pub max_error: Option<f64>,
    /// Fails instead of replacing an existing file.
    pub keep_existing: bool,
    /// Watches all stages and can stop them.
    pub progress: Progress,
    /// Is shown both models of the proof.
    pub witness: Witness,
}

impl Default for ConvertOptions {
    fn default() -> Self {
        Self {
            read: ReadOptions::default(),
            write: WriteOptions::default(),
            to: None,
            dialect: None,
            clips: None,
            pose: None,
            axes: AxesOptions::default(),
            operations: Operations::default(),
            asked: Asked::default(),
            textures: TextureMode::Auto,
            reencode: false,
            verify: true,
            strict: false,
            max_error: None,
            keep_existing: false,
            progress: Progress::default(),
            witness: Witness::default(),
        }
    }
}

impl ConvertOptions {
    /// Whether any option changes the scene, so that rewriting the document alone is not enough.
    pub(super) fn changes_scene(&self) -> bool {
        self.pose.is_some() || settings().any(|setting| setting.demands_scene(self))
    }

    /// How the proof reads the result back. Settings for both reading and writing apply as they were written; settings
    /// for inputs only do not apply to our own files.
    pub(crate) fn read_back(&self) -> ReadOptions {
        let read = ReadOptions { limits: self.read.limits, ..ReadOptions::default() };
        let mut back = ConvertOptions { read, ..ConvertOptions::default() };
        for setting in settings().filter(|setting| setting.is_read() && setting.is_written()) {
            // A value that is set has been checked before.
            let _ = setting.set(&mut back, &setting.get(self));
        }
        back.read
    }
}

/// The result of a conversion.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Conversion {
    /// The input's format; empty for a scene that is not from a file.
    pub from: &'static str,
    /// The output's format.
    pub to: &'static str,
    /// The dialect written.
    pub dialect: &'static str,
    /// Whether the document was rewritten as it is, without going through a scene.
    pub rewritten: bool,
    /// The source's contents, after clips were selected or a pose was baked; `None` if it was written without being read
    /// as a scene.
    pub counts: Option<Counts>,
    /// The proof, unless it was skipped.
    pub comparison: Option<Comparison>,
}
