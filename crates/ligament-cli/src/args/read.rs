//! How an input is read: options of every command that opens a model.

use super::parse::{format_words, parse_positive};
use clap::{Args, ValueEnum};
use ligament::formats::{AxesConversion, BindPose, EulerOrder, IndexBase, Posing, ReadOptions};
use ligament::scene::Interpolation;

/// How an input is read.
#[derive(Debug, Clone, Args)]
pub struct ReadArgs {
    /// The input's format, instead of finding it out by content and extension
    #[arg(long, value_name = "FORMAT", value_parser = format_words(), ignore_case = true)]
    pub from: Option<String>,
    #[command(flatten)]
    pub sampling: SamplingArgs,
}

/// What files leave open, and how strictly they are taken at their word.
#[derive(Debug, Clone, Args)]
pub struct SamplingArgs {
    /// Frames a second, for formats that store frames without a rate and for clips that must be sampled
    #[arg(long, value_name = "RATE", value_parser = parse_positive)]
    pub fps: Option<f32>,
    /// How to go from key to key, for formats that do not say
    #[arg(long, value_name = "HOW")]
    pub interpolation: Option<InterpolationWord>,
    /// Whose reading of a skeleton counts, for formats where the author's and the engine's differ (BOGLE, QMSH TMP)
    #[arg(long, value_name = "WHOSE")]
    pub posing: Option<PosingWord>,
    /// In which order three angles turn, for formats that leave it open: the product of the matrices on column vectors;
    /// angles are written the same way
    #[arg(long, value_name = "ORDER", default_value = "zyx")]
    pub euler_order: EulerWord,
    /// The number of the first joint and weight, for formats whose dialects differ in it (AMO), instead of finding it out
    #[arg(long, value_name = "NUMBER")]
    pub index_base: Option<IndexBaseWord>,
    /// Where joints stand when the mesh is not deformed, for formats that do not store it (AMO)
    #[arg(long, value_name = "WHERE")]
    pub bind: Option<BindWord>,
    /// Where the turn and the scale go that bring a file into +Y up and metres, for formats that state their axes and unit
    /// (FBX): into vertices and topmost nodes, into one node above all, or nowhere
    #[arg(long, value_name = "WHERE")]
    pub axes: Option<AxesWord>,
    /// Go on with a warning where a file contradicts itself and one side can be trusted
    #[arg(long)]
    pub lenient: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum InterpolationWord {
    /// Hold each key until the next
    Step,
    /// Go straight to the next key
    Linear,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PosingWord {
    /// As the author saw it in the modelling program
    Author,
    /// As the engine draws it
    Engine,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum EulerWord {
    /// Rz · Ry · Rx: about X first
    Zyx,
    /// Rx · Ry · Rz: about Z first
    Xyz,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum IndexBaseWord {
    /// Counting from 0
    #[value(name = "0")]
    Zero,
    /// Counting from 1
    #[value(name = "1")]
    One,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AxesWord {
    /// Into one node above all others
    Root,
    /// Into vertices and the topmost nodes (the default)
    Geometry,
    /// Nowhere: axes and unit stay the file's
    None,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum BindWord {
    /// At the origin: keys move the vertices as they are stored
    Identity,
    /// Where the first keys put them
    FirstKey,
}

impl ReadArgs {
    pub fn options(&self) -> ReadOptions {
        self.sampling.options(self.from.clone())
    }
}

impl SamplingArgs {
    pub fn options(&self, format: Option<String>) -> ReadOptions {
        ReadOptions {
            format,
            fps: self.fps,
            interpolation: self.interpolation.map(|word| match word {
                InterpolationWord::Step => Interpolation::Step,
                InterpolationWord::Linear => Interpolation::Linear,
            }),
            posing: match self.posing {
                Some(PosingWord::Engine) => Posing::Engine,
                Some(PosingWord::Author) | None => Posing::Author,
            },
            euler_order: match self.euler_order {
                EulerWord::Zyx => EulerOrder::Zyx,
                EulerWord::Xyz => EulerOrder::Xyz,
            },
            index_base: self.index_base.map(|word| match word {
                IndexBaseWord::Zero => IndexBase::Zero,
                IndexBaseWord::One => IndexBase::One,
            }),
            bind: match self.bind {
                Some(BindWord::FirstKey) => BindPose::FirstKey,
                Some(BindWord::Identity) | None => BindPose::Identity,
            },
            axes: match self.axes {
                Some(AxesWord::Root) => AxesConversion::Root,
                Some(AxesWord::None) => AxesConversion::None,
                Some(AxesWord::Geometry) | None => AxesConversion::Geometry,
            },
            lenient: self.lenient,
            ..ReadOptions::default()
        }
    }
}
