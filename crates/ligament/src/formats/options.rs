use crate::Limits;
use crate::scene::Interpolation;

/// How a file is read.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// The format's id, instead of finding it out.
    pub format: Option<String>,
    /// Frames a second for formats that store frames without a rate; each has its own default.
    pub fps: Option<f32>,
    /// Interpolation for formats that store none; each has its own default.
    pub interpolation: Option<Interpolation>,
    /// What the input may cost.
    pub limits: Limits,
}

/// How a file is written.
#[derive(Debug, Clone, Default)]
pub struct WriteOptions {
    /// The dialect's id; `None` is the format's default.
    pub dialect: Option<String>,
}
