//! Options for writing, checking and reporting, shared by every command that converts.

use super::ReadArgs;
use super::parse::target_words;
use super::settings::{Replacing, Settings, Which, Writing};
use clap::Args;
use ligament::ConvertOptions;
use std::path::PathBuf;

// No doc comment: clap would take it for what the command does.
#[derive(Debug, Clone, Args)]
pub struct WriteArgs {
    /// The output's format, instead of deriving it from the extension; several formats where outputs are named after the
    /// inputs: `--to apg,pfobj`
    #[arg(
        long,
        value_name = "FORMAT",
        value_delimiter = ',',
        value_parser = target_words(),
        ignore_case = true,
        help_heading = Writing::HEADING
    )]
    pub to: Vec<String>,
    /// The dialect to write; `ligament formats` lists them
    #[arg(long, value_name = "NAME", help_heading = Writing::HEADING)]
    pub dialect: Option<String>,
    /// Write the binary form of the output's format; short for `--dialect binary`
    #[arg(long, conflicts_with = "dialect", help_heading = Writing::HEADING)]
    pub binary: bool,
    #[command(flatten)]
    pub settings: Settings<Writing>,
}

// No doc comment: clap would take it for what the command does.
#[derive(Debug, Args)]
pub struct TellArgs {
    #[command(flatten)]
    pub replacing: Settings<Replacing>,
    /// Write the result with all diagnostics and losses to this file, as JSON
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// The result as JSON
    #[arg(long)]
    pub json: bool,
    /// The result as Markdown, for comments on pull requests
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// Print nothing unless it fails
    #[arg(short, long, conflicts_with_all = ["json", "markdown"])]
    pub quiet: bool,
    /// Print everything that was found, also what hardly ever matters
    #[arg(short, long, conflicts_with = "quiet")]
    pub verbose: bool,
}

impl WriteArgs {
    /// The library's options for a conversion into the first format, including those for reading.
    pub fn convert_options(&self, read: &ReadArgs) -> ConvertOptions {
        let mut options = ConvertOptions { to: self.to.first().cloned(), ..ConvertOptions::default() };
        options.read.format.clone_from(&read.from);
        options.dialect = if self.binary { Some("binary".to_owned()) } else { self.dialect.clone() };
        read.settings.apply(&mut options);
        self.settings.apply(&mut options);
        options
    }
}

impl TellArgs {
    /// Whether an existing file must not be replaced.
    pub fn keep_existing(&self) -> bool {
        let mut options = ConvertOptions::default();
        self.replacing.apply(&mut options);
        options.keep_existing
    }
}
