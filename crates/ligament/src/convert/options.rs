use crate::compare::Comparison;
use crate::formats::{ReadOptions, WriteOptions};
use crate::passes::Asked;
use crate::passes::axes::AxesOptions;
use crate::passes::bake_pose::PoseOptions;
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
    /// The target format's id; `None` goes by the output's extension.
    pub to: Option<String>,
    /// The dialect's id; `None` goes by the output's extension, else by the format's default.
    pub dialect: Option<String>,
    /// Only these clips; empty keeps all.
    pub clips: Vec<String>,
    /// Bake one pose into a static model.
    pub pose: Option<PoseOptions>,
    /// Turn and scale the whole scene.
    pub axes: AxesOptions,
    /// Passes that no format needs.
    pub asked: Asked,
    /// Where pictures go.
    pub textures: TextureMode,
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
            dialect: None,
            clips: Vec::new(),
            pose: None,
            axes: AxesOptions::default(),
            asked: Asked::default(),
            textures: TextureMode::Auto,
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
        self.pose.is_some() || settings().any(|setting| setting.demands_scene(self))
    }

    /// How the proof reads what was written. What counts for reading and writing is read as it was written; what is only
    /// about inputs says nothing about our own files.
    pub(crate) fn read_back(&self) -> ReadOptions {
        let read = ReadOptions { limits: self.read.limits, ..ReadOptions::default() };
        let mut back = ConvertOptions { read, ..ConvertOptions::default() };
        for setting in settings().filter(|setting| setting.is_read() && setting.is_written()) {
            // A value that was set has been checked.
            let _ = setting.set(&mut back, &setting.get(self));
        }
        back.read
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
