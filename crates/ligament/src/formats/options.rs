use crate::Limits;
use crate::scene::Interpolation;
use crate::settings::Own;

/// How a file is read.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// The format's id, instead of finding it out.
    pub format: Option<String>,
    /// Frames per second for formats that store frames without a rate; each has its own default.
    pub fps: Option<f32>,
    /// Interpolation for formats that store none; each has its own default.
    pub interpolation: Option<Interpolation>,
    /// Go on with a warning where a file contradicts itself and one side can be trusted, instead of refusing it. Each
    /// format's page says where it does so.
    pub lenient: bool,
    /// Settings that only some formats have.
    pub own: Own,
    /// What the input may cost.
    pub limits: Limits,
}

/// How a file is written.
#[derive(Debug, Clone, Default)]
pub struct WriteOptions {
    /// Frames per second of clips that must be sampled; `None` is the clip's own rate, else 24.
    pub fps: Option<f32>,
    /// How frames will be played where the format does not store it; `None` is the format's own way.
    pub interpolation: Option<Interpolation>,
    /// Influences per vertex: fewer than the format can hold, or more than it holds unless asked. `None` is its default.
    pub influences: Option<usize>,
    /// Settings that only some formats have.
    pub own: Own,
}
