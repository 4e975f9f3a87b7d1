//! The command line: the commands here, the options that they share in files of their own.

mod conversion;
mod parse;
mod read;
#[cfg(feature = "render")]
mod render;
mod run;
mod settings;
#[cfg(feature = "view")]
mod view;
mod write;

pub use conversion::{ConversionArgs, RuleArgs};
pub use read::ReadArgs;
#[cfg(feature = "render")]
pub use render::{LightsWord, RenderArgs, ShowWord};
pub use run::RunArgs;
#[cfg(feature = "view")]
pub use view::ViewArgs;
pub use write::{TellArgs, WriteArgs};

use crate::examples;
use clap::{Args, Parser, Subcommand, ValueEnum};
use parse::{format_words, parse_fraction, parse_seconds};
use settings::{Reading, Settings};
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

// Only the options of the command that is called are made: those of all take longer than many a conversion. So what the
// list of commands says about each is written here, not at its options.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub enum Command {
    /// Convert a model, or whole folders of models, into another format, and prove the result.
    ///
    /// The result is read back and posed beside the source at every key and between keys. The output is written completely
    /// or, if anything fails, not at all.
    Convert(ConvertArgs),
    /// Convert everything matched by ligament.toml, skipping what has not changed.
    ///
    /// Paths in ligament.toml are relative to its folder. A file may match several rules.
    Build(BuildArgs),
    /// Write a ligament.toml with explained rules to start from.
    ///
    /// A file that exists is not replaced.
    Init(InitArgs),
    /// Show what is in files: meshes, skins, clips, materials, textures.
    Info(InfoArgs),
    /// Show every problem of one or more files, with its location.
    ///
    /// The exit code is the worst of all files: 0 without problems, 1 for a denied warning or note, 3 for an invalid file, 4 for a
    /// file that cannot be read.
    Validate(ValidateArgs),
    /// Pose two models side by side and show how far the vertices of the second are from those of the first.
    Compare(CompareArgs),
    /// List and compare skeletons, and propose which joints of one are which of another.
    Rig(RigArgs),
    /// Bake one pose of an animated model into a static one.
    ///
    /// The result has the posed vertices and no skins, clips or morph targets; cameras and lights stay where the pose puts
    /// them.
    Pose(PoseArgs),
    /// Draw a model: a picture, a sequence, an animation or a contact sheet.
    ///
    /// The model is framed so that it stays within the picture over the whole clip. No screen is needed; without a graphics
    /// card, the CPU draws.
    #[cfg(feature = "render")]
    Render(RenderArgs),
    /// Show models in a window: play, look around, compare.
    ///
    /// Two files are shown side by side and in sync, the second coloured by its distance from the first. With more files, Page
    /// Down shows the next. Files reload when you save them. F1 lists all keys.
    #[cfg(feature = "view")]
    View(ViewArgs),
    /// Let git show what changed in models, instead of "Binary files differ".
    ///
    /// Prints what to set. Then `git diff` compares the texts of `ligament info`, and `git difftool -t ligament` shows how
    /// far the vertices moved.
    DiffDriver(DiffDriverArgs),
    /// List every format with its extensions, dialects and what it can hold.
    Formats(FormatsArgs),
    /// Explain a diagnostic or loss code with an example and the fix.
    Explain(ExplainArgs),
    /// Print a script that completes ligament's commands and options in a shell.
    Completions(CompletionsArgs),
    /// Write the man pages into a folder, one per command.
    Man(ManArgs),
}

#[derive(Debug, Args)]
#[command(
    override_usage = "ligament convert [OPTIONS] IN OUT
       ligament convert [OPTIONS] IN -o OUT
       ligament convert [OPTIONS] IN --to FORMAT
       ligament convert [OPTIONS] IN... --to FORMAT --out-dir FOLDER",
    after_help = examples::convert()
)]
pub struct ConvertArgs {
    /// The file to read and the file to write; `-` is standard input or output. With --out-dir, all paths are inputs:
    /// files, folders and quoted patterns such as 'art/**/*.glb'. Without OUT, --to writes a file beside the input
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// The file to write, instead of OUT
    #[arg(short, long, value_name = "FILE", conflicts_with = "out_dir")]
    pub output: Option<PathBuf>,
    /// The folder to write into, keeping the folders that a pattern or folder matched; created if needed
    #[arg(long, value_name = "FOLDER", requires = "to")]
    pub out_dir: Option<PathBuf>,
    /// Also write a report with pictures, plots and all losses to this file, as one HTML page that needs nothing else
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out_dir", "watch"])]
    pub html: Option<PathBuf>,
    /// Keep the input's extension in the output's name, where several files are converted: art/creature.bgl becomes
    /// creature.bgl.apg
    #[arg(long)]
    pub keep_extension: bool,
    /// List what the conversion would do, in order, without doing it
    #[arg(long)]
    pub explain_plan: bool,
    #[command(flatten)]
    pub options: ConversionArgs,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub tell: TellArgs,
}

#[derive(Debug, Args)]
#[command(after_help = examples::build())]
pub struct BuildArgs {
    /// The file with the rules
    #[arg(long, value_name = "FILE", default_value = "ligament.toml")]
    pub config: PathBuf,
    /// Let rules write outside of the folder of the rules
    #[arg(long)]
    pub allow_outside: bool,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub tell: TellArgs,
}

#[derive(Debug, Args)]
#[command(after_help = examples::init())]
pub struct InitArgs {
    /// The folder of the ligament.toml; created if it does not exist
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub folder: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = examples::info())]
pub struct InfoArgs {
    /// The files; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Show all nodes as a tree: joints, what they carry, and which clips move them
    #[arg(long)]
    pub tree: bool,
    /// Show the box around everything that each clip shows, at its keys and between them, and around the vertices of each
    /// joint, in the joint's own space
    #[arg(long)]
    pub bounds: bool,
    /// Leave out the file's name, size and problems: the same text for the same model, to compare with other versions
    #[arg(long, conflicts_with = "json")]
    pub text: bool,
    /// The result as JSON: an object, or an array of objects for several files
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub read: ReadArgs,
}

#[derive(Debug, Args)]
#[command(after_help = examples::validate())]
pub struct ValidateArgs {
    /// The files to check; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Fail on warnings, or on warnings and notes, too
    #[arg(long, value_name = "WHAT")]
    pub deny: Option<Deny>,
    /// The result as JSON: an array with one object per file
    #[arg(long)]
    pub json: bool,
    /// The result as SARIF 2.1.0, for code scanning services
    #[arg(long, conflicts_with = "json")]
    pub sarif: bool,
    #[command(flatten)]
    pub read: ReadArgs,
}

#[derive(Debug, Args)]
#[command(after_help = examples::compare())]
pub struct CompareArgs {
    /// The model to compare with
    #[arg(value_name = "A")]
    pub first: PathBuf,
    /// The model to compare
    #[arg(value_name = "B")]
    pub second: PathBuf,
    /// The format of A, instead of detecting it
    #[arg(long, value_name = "FORMAT", value_parser = format_words(), ignore_case = true)]
    pub from_a: Option<String>,
    /// The format of B, instead of detecting it
    #[arg(long, value_name = "FORMAT", value_parser = format_words(), ignore_case = true)]
    pub from_b: Option<String>,
    /// Fail above this deviation: a percentage of the model's size (0.01%) or a fraction of it (0.0001)
    #[arg(long, value_name = "SIZE", value_parser = parse_fraction)]
    pub max_error: Option<f64>,
    /// The result as JSON
    #[arg(long)]
    pub json: bool,
    /// The result as Markdown, for comments on pull requests
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// Also write a report with pictures and plots to this file, as one HTML page that needs nothing else
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    pub settings: Settings<Reading>,
}

#[derive(Debug, Args)]
#[command(after_help = examples::rig())]
pub struct RigArgs {
    #[command(subcommand)]
    pub command: RigCommand,
}

#[derive(Debug, Subcommand)]
pub enum RigCommand {
    /// List the joints of a model: their hierarchy, lengths, vertices and clips
    List(RigListArgs),
    /// Show how two skeletons differ: joints, hierarchy, directions and lengths as they were bound
    Compare(RigPairArgs),
    /// Propose a map from the joints of A to those of B, for `--retarget`: by names, hierarchy and directions
    Map(RigPairArgs),
}

#[derive(Debug, Args)]
pub struct RigListArgs {
    /// The model; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The result as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub read: ReadArgs,
}

#[derive(Debug, Args)]
pub struct RigPairArgs {
    /// The first model
    #[arg(value_name = "A")]
    pub first: PathBuf,
    /// The second model
    #[arg(value_name = "B")]
    pub second: PathBuf,
    /// The result as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub read: ReadArgs,
}

#[derive(Debug, Args)]
#[command(after_help = examples::pose())]
pub struct PoseArgs {
    /// The animated model; `-` is standard input
    #[arg(value_name = "FILE")]
    pub input: PathBuf,
    /// The file to write; `-` is standard output and requires --to
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// The clip; optional if there is only one
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    /// Seconds into the clip
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, value_parser = parse_seconds)]
    pub at: f32,
    #[command(flatten)]
    pub read: ReadArgs,
    #[command(flatten)]
    pub write: WriteArgs,
    #[command(flatten)]
    pub tell: TellArgs,
}

#[derive(Debug, Args)]
#[command(after_help = examples::diff_driver())]
pub struct DiffDriverArgs {
    /// Set it: in the configuration of the current folder's repository, and in its .gitattributes
    #[arg(long)]
    pub install: bool,
}

#[derive(Debug, Args)]
#[command(after_help = examples::formats())]
pub struct FormatsArgs {
    /// Formats to show with all their dialects; without one, all formats are shown as written by default
    #[arg(value_name = "FORMAT", value_parser = format_words(), ignore_case = true)]
    pub formats: Vec<String>,
    /// The result as JSON
    #[arg(long)]
    pub json: bool,
}

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

#[derive(Debug, Args)]
#[command(after_help = examples::completions())]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
#[command(after_help = examples::man())]
pub struct ManArgs {
    /// The folder; created if it does not exist
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Deny {
    /// Fail on warnings
    Warnings,
    /// Fail on warnings and notes
    Notes,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
