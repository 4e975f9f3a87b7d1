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
    /// The number of the first joint and weight, for formats whose dialects differ in it; `None` finds it out.
    pub index_base: Option<IndexBase>,
    /// Where joints stand when the mesh is not deformed, for formats that do not store it.
    pub bind: BindPose,
    /// Where the turn and the scale go that bring a file into the scene's axes and unit, for formats that state theirs.
    pub axes: AxesConversion,
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
    /// Influences a vertex: fewer than the format can hold, or more than it holds unless asked. `None` is its default.
    pub influences: Option<usize>,
    /// How many digits numbers in text get, for formats whose specification rounds them.
    pub precision: Precision,
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

/// The number of the first thing in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IndexBase {
    /// Counting from 0.
    Zero,
    /// Counting from 1.
    One,
}

/// Where joints stand when the mesh is not deformed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BindPose {
    /// At the origin, all of them: the keys move the vertices as they are stored.
    #[default]
    Identity,
    /// Where the first keys put them.
    FirstKey,
}

/// Where the turn and the scale go that bring a file's own axes and unit into the scene's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum AxesConversion {
    /// The scale into vertices and distances, the turn into the topmost nodes: no node is added and none is scaled.
    #[default]
    Geometry,
    /// Both into one node above all others; everything below stays as the file has it.
    Root,
    /// Nowhere: axes and unit stay the file's.
    None,
}

/// How many digits numbers in text get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Precision {
    /// As many as give the same number back.
    #[default]
    Full,
    /// As many as the format's specification writes, which may round visibly.
    Document,
}
