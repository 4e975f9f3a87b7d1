//! How a result is written and checked, and how that is told: options of everything that converts.

use super::ReadArgs;
use super::parse::{format_words, parse_max_error, parse_positive};
use clap::{Args, ValueEnum};
use ligament::ConvertOptions;
use ligament::formats::{Precision, ReadOptions, WriteOptions};
use ligament::passes::axes::{AxesOptions, Up};
use ligament::passes::by_material::Way;
use ligament::passes::textures::TextureMode;
use ligament::passes::{Asked, Sharing};
use std::path::PathBuf;

/// What is written, and how it is checked.
#[derive(Debug, Clone, Args)]
pub struct WriteArgs {
    /// The output's format, instead of going by its extension; where outputs are named after the inputs, also several:
    /// `--to apg,pfobj`
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', value_parser = format_words(), ignore_case = true)]
    pub to: Vec<String>,
    /// The dialect to write; `ligament formats` lists them
    #[arg(long, value_name = "NAME")]
    pub dialect: Option<String>,
    /// The binary form of the output's format; short for `--dialect binary`
    #[arg(long, conflicts_with = "dialect")]
    pub binary: bool,
    /// Influences a vertex: fewer than the format can hold, or more than it holds unless asked (APG)
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u8).range(1..))]
    pub influences: Option<u8>,
    /// How many digits numbers in text get, for formats whose specification rounds them (APG)
    #[arg(long, value_name = "HOW")]
    pub precision: Option<PrecisionWord>,
    /// Turn the model so that this axis points up
    #[arg(long, value_name = "AXIS")]
    pub up: Option<UpWord>,
    /// Multiply every length
    #[arg(long, value_name = "FACTOR", value_parser = parse_positive)]
    pub scale: Option<f32>,
    /// Exchange left and right: x becomes −x, and faces are turned around to face outwards still
    #[arg(long)]
    pub mirror_x: bool,
    /// Remove keys that the others nearly say already, as long as no vertex moves farther than this: a percentage of the
    /// model's size (0.01%) or a fraction of it (0.0001); 0 removes only what is exactly on the way
    #[arg(long, value_name = "SIZE", value_parser = parse_max_error)]
    pub reduce_keys: Option<f64>,
    /// Split meshes into one object a material, named OBJECT.MATERIAL, or merge the parts of each mesh that share one
    #[arg(long, value_name = "HOW")]
    pub by_material: Option<ByMaterialWord>,
    /// Join identical vertices, or give every corner of every face its own
    #[arg(long, value_name = "HOW")]
    pub vertices: Option<VerticesWord>,
    /// Divide the weights of every vertex by their sum
    #[arg(long)]
    pub normalise_weights: bool,
    /// Compute tangents where there are normals and texture coordinates but no tangents
    #[arg(long)]
    pub tangents: bool,
    /// Where pictures go: into the file, beside it, left where they are, or nowhere [default: into the file where its
    /// format can hold them, else beside it]
    #[arg(long, value_name = "WHERE")]
    pub textures: Option<TexturesWord>,
    /// Fail, and write nothing, if anything is approximated or dropped
    #[arg(long)]
    pub strict: bool,
    /// Fail, and write nothing, above this deviation: a percentage of the model's size (0.01%) or a fraction of it
    /// (0.0001)
    #[arg(long, value_name = "SIZE", value_parser = parse_max_error, conflicts_with = "no_verify")]
    pub max_error: Option<f64>,
    /// Do not read the result back and pose it beside the source
    #[arg(long)]
    pub no_verify: bool,
}

/// What happens to files that are there, and what is said where.
#[derive(Debug, Args)]
pub struct TellArgs {
    /// Fail if the output file exists
    #[arg(long)]
    pub no_clobber: bool,
    /// Write what was done, and everything that was noticed, to this file as JSON
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// The result as JSON
    #[arg(long)]
    pub json: bool,
    /// Say nothing unless it fails
    #[arg(short, long, conflicts_with = "json")]
    pub quiet: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum PrecisionWord {
    /// As many as give the same number back
    Full,
    /// As many as the specification writes, which may round visibly
    Document,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum UpWord {
    /// +Y
    Y,
    /// +Z
    Z,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum ByMaterialWord {
    /// One object a material
    Split,
    /// One part a material
    Merge,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum VerticesWord {
    /// Identical vertices are joined
    Weld,
    /// Every corner has its own
    Unweld,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum TexturesWord {
    /// Into the file
    Embed,
    /// Beside the file
    Copy,
    /// Left where they are; the file refers to them
    Reference,
    /// Nowhere: materials lose their textures
    None,
}

impl WriteArgs {
    /// The library's options of a conversion into the first format, together with how the input is read.
    pub fn convert_options(&self, read: &ReadArgs) -> ConvertOptions {
        let read_options = read.options();
        ConvertOptions {
            write: self.options(&read_options),
            read: read_options,
            to: self.to.first().cloned(),
            axes: self.axes(),
            asked: self.asked(),
            textures: self.texture_mode(),
            fps: read.sampling.fps,
            verify: !self.no_verify,
            strict: self.strict,
            max_error: self.max_error,
            ..ConvertOptions::default()
        }
    }

    /// The library's options; those that count for reading and writing alike are taken from `read`.
    fn options(&self, read: &ReadOptions) -> WriteOptions {
        WriteOptions {
            dialect: if self.binary { Some("binary".to_owned()) } else { self.dialect.clone() },
            posing: read.posing,
            euler_order: read.euler_order,
            influences: self.influences.map(usize::from),
            precision: match self.precision {
                Some(PrecisionWord::Document) => Precision::Document,
                Some(PrecisionWord::Full) | None => Precision::Full,
            },
        }
    }

    /// The mirror, turn and scale asked for; `None` if they change nothing.
    fn axes(&self) -> Option<AxesOptions> {
        let up = match self.up {
            Some(UpWord::Z) => Up::Z,
            Some(UpWord::Y) | None => Up::Y,
        };
        let scale = self.scale.unwrap_or(1.0);
        let axes = AxesOptions { up, scale, mirror_x: self.mirror_x };
        (axes != AxesOptions::default()).then_some(axes)
    }

    /// The passes asked for that no format needs.
    fn asked(&self) -> Asked {
        Asked {
            reduce_keys: self.reduce_keys,
            by_material: self.by_material.map(|word| match word {
                ByMaterialWord::Split => Way::Split,
                ByMaterialWord::Merge => Way::Merge,
            }),
            vertices: self.vertices.map(|word| match word {
                VerticesWord::Weld => Sharing::Weld,
                VerticesWord::Unweld => Sharing::Unweld,
            }),
            normalise_weights: self.normalise_weights,
            tangents: self.tangents,
        }
    }

    fn texture_mode(&self) -> TextureMode {
        match self.textures {
            None => TextureMode::Auto,
            Some(TexturesWord::Embed) => TextureMode::Embed,
            Some(TexturesWord::Copy) => TextureMode::Copy,
            Some(TexturesWord::Reference) => TextureMode::Reference,
            Some(TexturesWord::None) => TextureMode::None,
        }
    }
}
