use crate::compare::Comparison;
use crate::formats::{ReadOptions, WriteOptions};
use crate::passes::Asked;
use crate::passes::axes::AxesOptions;
use crate::passes::bake_pose::PoseOptions;
use crate::passes::textures::TextureMode;
use crate::progress::Progress;
use crate::scene::Counts;

/// How a file is converted.
#[derive(Debug, Clone)]
pub struct ConvertOptions {
    /// How the input is read.
    pub read: ReadOptions,
    /// How the output is written.
    pub write: WriteOptions,
    /// The target format's id; `None` goes by the output's extension.
    pub to: Option<String>,
    /// Only these clips; empty keeps all.
    pub clips: Vec<String>,
    /// Bake one pose into a static model.
    pub pose: Option<PoseOptions>,
    /// Turn and scale the whole scene.
    pub axes: Option<AxesOptions>,
    /// Passes that no format needs.
    pub asked: Asked,
    /// Where pictures go.
    pub textures: TextureMode,
    /// Frames a second of clips that must be sampled.
    pub fps: Option<f32>,
    /// Go through the scene even when the format stays the same.
    pub reencode: bool,
    /// Read the result back and pose it beside the source.
    pub verify: bool,
    /// Any approximation or drop fails, and nothing is written.
    pub strict: bool,
    /// Largest allowed deviation as a fraction of the model's size; beyond it the conversion fails.
    pub max_error: Option<f64>,
    /// Fail instead of replacing a file that is there.
    pub keep_existing: bool,
    /// Who watches all stages, and may stop them.
    pub progress: Progress,
}

impl Default for ConvertOptions {
    fn default() -> Self {
        Self {
            read: ReadOptions::default(),
            write: WriteOptions::default(),
            to: None,
            clips: Vec::new(),
            pose: None,
            axes: None,
            asked: Asked::default(),
            textures: TextureMode::Auto,
            fps: None,
            reencode: false,
            verify: true,
            strict: false,
            max_error: None,
            keep_existing: false,
            progress: Progress::default(),
        }
    }
}

impl ConvertOptions {
    /// Whether anything asked for changes the scene, so that a rewrite of the document alone would not do.
    pub(super) fn changes_scene(&self) -> bool {
        self.reencode
            || !self.clips.is_empty()
            || self.pose.is_some()
            || self.axes.is_some()
            || self.asked != Asked::default()
            || self.fps.is_some()
            || self.write.influences.is_some()
            || self.read.euler_order != self.write.euler_order
            || self.textures != TextureMode::Auto
    }
}

/// What a conversion did.
#[derive(Debug, Clone)]
pub struct Conversion {
    /// The input's format; empty for a scene that is in no file.
    pub from: &'static str,
    /// The output's format.
    pub to: &'static str,
    /// The dialect written.
    pub dialect: &'static str,
    /// Whether the document was rewritten as it is, without going through a scene.
    pub rewritten: bool,
    /// What the source holds, after clips were selected or a pose was baked.
    pub counts: Counts,
    /// The proof, unless it was skipped.
    pub comparison: Option<Comparison>,
}
