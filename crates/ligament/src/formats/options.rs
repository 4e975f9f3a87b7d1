use crate::Limits;
use crate::scene::Interpolation;
use crate::settings::Own;

/// Options for reading a file.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// The format's id; `None` detects the format.
    pub format: Option<String>,
    /// Frames per second for formats that store frames without a rate; each has its own default.
    pub fps: Option<f32>,
    /// Interpolation for formats that do not store one; each has its own default.
    pub interpolation: Option<Interpolation>,
    /// Whether to continue with a warning where a file contradicts itself and one side can be trusted, instead of
    /// refusing it. Each format's page lists these cases.
    pub lenient: bool,
    /// Settings that only some formats have.
    pub own: Own,
    /// Limits on what the input may cost.
    pub limits: Limits,
}

/// Options for writing a file.
#[derive(Debug, Clone, Default)]
pub struct WriteOptions {
    /// Frames per second for clips that must be sampled; `None` means the rate at which the format's
    /// frames are played, or the clip's own rate if the format stores it, otherwise 24.
    pub fps: Option<f32>,
    /// How frames will be played where the format does not store it; `None` means the format's default.
    pub interpolation: Option<Interpolation>,
    /// Maximum influences per vertex: fewer than the format can hold, or more than its default. `None` means the default.
    pub influences: Option<usize>,
    /// Settings that only some formats have.
    pub own: Own,
}
