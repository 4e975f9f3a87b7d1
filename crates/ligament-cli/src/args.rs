//! What can be asked for on the command line.

#[cfg(feature = "render")]
mod render;
#[cfg(feature = "render")]
pub use render::{LightsWord, RenderArgs, ShowWord};

use crate::examples;
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use ligament::formats::{
    BindPose, EulerOrder, FORMATS, IndexBase, Posing, Precision, ReadOptions, WriteOptions,
};
use ligament::passes::axes::{AxesOptions, Up};
use ligament::passes::by_material::Way;
use ligament::passes::textures::TextureMode;
use ligament::passes::{Asked, Sharing};
use ligament::scene::Interpolation;
use std::path::PathBuf;

/// Reads, checks, converts, poses and writes skinned, animated meshes.
///
/// Every conversion says what it kept, approximated and dropped, and proves itself by posing source and result side by
/// side.
#[derive(Debug, Parser)]
#[command(name = "ligament", version, after_help = examples::top(), arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Convert(ConvertArgs),
    Info(InfoArgs),
    Validate(ValidateArgs),
    Compare(CompareArgs),
    Pose(PoseArgs),
    #[cfg(feature = "render")]
    Render(RenderArgs),
    Formats(FormatsArgs),
    Explain(ExplainArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Convert a model into another format, and prove the result.
///
/// The result is read back and posed beside the source at every key and between keys. Nothing is written unless
/// everything went well: the output appears complete or not at all.
#[derive(Debug, Args)]
#[command(after_help = examples::convert())]
pub struct ConvertArgs {
    /// The file to read; `-` is standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// The file to write; `-` is standard output and needs --to
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// Keep only this clip; can be given several times
    #[arg(long = "clip", value_name = "NAME")]
    pub clips: Vec<String>,
    /// Go through the scene even when the format stays the same
    #[arg(long)]
    pub reencode: bool,
    #[command(flatten)]
    pub read: ReadArgs,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// Show what is in a file: meshes, skins, clips, materials, textures.
#[derive(Debug, Args)]
#[command(after_help = examples::info())]
pub struct InfoArgs {
    /// The file to look into; `-` is standard input
    pub file: PathBuf,
    /// The result as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub read: ReadArgs,
}

/// Show every problem of one or more files, with its place.
///
/// Ends with the worst exit code of all files: 0 without problems, 1 with a denied one, 3 with an invalid file, 4 with
/// one that cannot be read.
#[derive(Debug, Args)]
#[command(after_help = examples::validate())]
pub struct ValidateArgs {
    /// The files to check; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Fail on warnings too
    #[arg(long, value_name = "WHAT")]
    pub deny: Option<Deny>,
    /// The result as JSON: an array with one object for each file
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub read: ReadArgs,
}

/// Pose two models side by side and say how far any vertex of the second is from its place in the first.
#[derive(Debug, Args)]
#[command(after_help = examples::compare())]
pub struct CompareArgs {
    /// The model to compare with
    #[arg(value_name = "A")]
    pub first: PathBuf,
    /// The model to compare
    #[arg(value_name = "B")]
    pub second: PathBuf,
    /// The format of A, instead of finding it out
    #[arg(long, value_name = "FORMAT", value_parser = format_words(), ignore_case = true)]
    pub from_a: Option<String>,
    /// The format of B, instead of finding it out
    #[arg(long, value_name = "FORMAT", value_parser = format_words(), ignore_case = true)]
    pub from_b: Option<String>,
    /// Fail above this deviation: a percentage of the model's size (0.01%) or a fraction of it (0.0001)
    #[arg(long, value_name = "SIZE", value_parser = parse_max_error)]
    pub max_error: Option<f64>,
    /// The result as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub sampling: SamplingArgs,
}

/// Bake one pose of an animated model into a static one.
///
/// The result has the posed vertices and no skins, clips or morph targets; cameras and lights stay where the pose has
/// them.
#[derive(Debug, Args)]
#[command(after_help = examples::pose())]
pub struct PoseArgs {
    /// The animated model; `-` is standard input
    #[arg(value_name = "FILE")]
    pub input: PathBuf,
    /// The file to write; `-` is standard output and needs --to
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// The clip; may be left out where there is only one
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    /// Seconds into the clip
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, value_parser = parse_seconds)]
    pub at: f32,
    #[command(flatten)]
    pub read: ReadArgs,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// List every format with its extensions, dialects and what it can hold.
#[derive(Debug, Args)]
#[command(after_help = examples::formats())]
pub struct FormatsArgs {
    /// The formats to tell about, with all their dialects; without one, all formats as they are written by default
    #[arg(value_name = "FORMAT", value_parser = format_words(), ignore_case = true)]
    pub formats: Vec<String>,
    /// The result as JSON
    #[arg(long)]
    pub json: bool,
}

/// Explain a diagnostic or loss code with an example and the fix.
#[derive(Debug, Args)]
#[command(after_help = examples::explain())]
pub struct ExplainArgs {
    /// The codes to explain; without one, all codes are listed
    #[arg(value_name = "CODE")]
    pub codes: Vec<String>,
    /// List all codes
    #[arg(long, conflicts_with = "codes")]
    pub list: bool,
    /// The result as JSON
    #[arg(long)]
    pub json: bool,
}

/// Print a script that completes ligament's commands and options in a shell.
#[derive(Debug, Args)]
#[command(after_help = examples::completions())]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// Write the man pages into a folder, one for each command.
#[derive(Debug, Args)]
#[command(after_help = examples::man())]
pub struct ManArgs {
    /// The folder; it is created if it does not exist
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
}

/// How an input is read.
#[derive(Debug, Args)]
pub struct ReadArgs {
    /// The input's format, instead of finding it out by content and extension
    #[arg(long, value_name = "FORMAT", value_parser = format_words(), ignore_case = true)]
    pub from: Option<String>,
    #[command(flatten)]
    pub sampling: SamplingArgs,
}

/// What files leave open, and how strictly they are taken at their word.
#[derive(Debug, Args)]
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
    /// Go on with a warning where a file contradicts itself and one side can be trusted
    #[arg(long)]
    pub lenient: bool,
}

/// How a result is written and checked.
#[derive(Debug, Args)]
pub struct WriteArgs {
    /// The output's format, instead of going by its extension
    #[arg(long, value_name = "FORMAT", value_parser = format_words(), ignore_case = true)]
    pub to: Option<String>,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PosingWord {
    /// As the author saw it in the modelling program
    Author,
    /// As the engine draws it
    Engine,
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

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum BindWord {
    /// At the origin: keys move the vertices as they are stored
    Identity,
    /// Where the first keys put them
    FirstKey,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum PrecisionWord {
    /// As many as give the same number back
    Full,
    /// As many as the specification writes, which may round visibly
    Document,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum InterpolationWord {
    /// Hold each key until the next
    Step,
    /// Go straight to the next key
    Linear,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum EulerWord {
    /// Rz · Ry · Rx: about X first
    Zyx,
    /// Rx · Ry · Rz: about Z first
    Xyz,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum UpWord {
    /// +Y
    Y,
    /// +Z
    Z,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Deny {
    /// Fail on warnings
    Warnings,
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
            lenient: self.lenient,
            ..ReadOptions::default()
        }
    }
}

impl WriteArgs {
    /// The library's options; those that count for reading and writing alike are taken from `read`.
    pub fn options(&self, read: &ReadOptions) -> WriteOptions {
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
    pub fn axes(&self) -> Option<AxesOptions> {
        let up = match self.up {
            Some(UpWord::Z) => Up::Z,
            Some(UpWord::Y) | None => Up::Y,
        };
        let scale = self.scale.unwrap_or(1.0);
        let axes = AxesOptions { up, scale, mirror_x: self.mirror_x };
        (axes != AxesOptions::default()).then_some(axes)
    }

    /// The passes asked for that no format needs.
    pub fn asked(&self) -> Asked {
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

    pub fn texture_mode(&self) -> TextureMode {
        match self.textures {
            None => TextureMode::Auto,
            Some(TexturesWord::Embed) => TextureMode::Embed,
            Some(TexturesWord::Copy) => TextureMode::Copy,
            Some(TexturesWord::Reference) => TextureMode::Reference,
            Some(TexturesWord::None) => TextureMode::None,
        }
    }
}

/// Ids and extensions of all formats: both name a format after `--from` and `--to`.
fn format_words() -> PossibleValuesParser {
    let mut words: Vec<&'static str> = Vec::new();
    for info in FORMATS.iter().map(|f| f.info()) {
        for word in [info.id].iter().chain(info.extensions) {
            if !words.contains(word) {
                words.push(word);
            }
        }
    }
    PossibleValuesParser::new(words)
}

/// `0.01%` is a percentage, `0.0001` the same as a fraction.
fn parse_max_error(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.trim().strip_suffix('%') {
        Some(number) => (number.trim_end(), 0.01),
        None => (text.trim(), 1.0),
    };
    let value: f64 = number.parse().map_err(
        |_| "expected a percentage of the model's size such as 0.01%, or a fraction such as 0.0001",
    )?;
    if value.is_finite() && value >= 0.0 {
        Ok(value * unit)
    } else {
        Err("a deviation cannot be negative or infinite".to_owned())
    }
}

fn parse_positive(text: &str) -> Result<f32, String> {
    let value: f32 = text.parse().map_err(|_| "expected a number")?;
    if value.is_finite() && value > 0.0 { Ok(value) } else { Err("expected a number above zero".to_owned()) }
}

fn parse_seconds(text: &str) -> Result<f32, String> {
    let value: f32 = text.parse().map_err(|_| "expected a number of seconds")?;
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err("expected a number of seconds from zero on".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn max_error_is_a_percentage_or_a_fraction() {
        assert_eq!(parse_max_error("1%"), Ok(0.01));
        assert_eq!(parse_max_error("0.5 %"), Ok(0.005));
        assert_eq!(parse_max_error("0.0001"), Ok(0.0001));
        assert_eq!(parse_max_error("0"), Ok(0.0));
        for wrong in ["", "%", "-1%", "inf", "NaN", "1mm", "1,5%"] {
            assert!(parse_max_error(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
