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
    /// Whose reading of a skeleton counts, for formats where the author's and the engine's differ.
    pub posing: Posing,
    /// The order of Euler angles, for formats whose specification leaves it open.
    pub euler_order: EulerOrder,
    /// Go on with a warning where a file contradicts itself and one side can be trusted, instead of refusing it. Each
    /// format's page says where it does so.
    pub lenient: bool,
    /// What the input may cost.
    pub limits: Limits,
}

/// How a file is written.
#[derive(Debug, Clone, Default)]
pub struct WriteOptions {
    /// The dialect's id; `None` is the format's default.
    pub dialect: Option<String>,
    /// For whose reading of a skeleton it is written, for formats where the author's and the engine's differ.
    pub posing: Posing,
    /// The order of Euler angles, for formats whose specification leaves it open.
    pub euler_order: EulerOrder,
}

/// Whose reading of a skeleton counts, where the modelling program and the engine make different poses of the same
/// file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Posing {
    /// The pose that the author saw in the modelling program.
    #[default]
    Author,
    /// The pose that the engine draws.
    Engine,
}

/// In which order angles about X, Y and Z turn; products are of column vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum EulerOrder {
    /// `Rz · Ry · Rx`: about X first, then Y, then Z.
    #[default]
    Zyx,
    /// `Rx · Ry · Rz`: about Z first, then Y, then X.
    Xyz,
}
