//! Options for reading, shared by every command that opens a model.

use super::parse::format_words;
use super::settings::{Reading, Settings, Which};
use clap::Args;
use ligament::ConvertOptions;
use ligament::formats::ReadOptions;

// No doc comment: clap would take it for what the command does.
#[derive(Debug, Clone, Args)]
pub struct ReadArgs {
    /// The input's format, instead of detecting it by content and extension
    #[arg(long, value_name = "FORMAT", value_parser = format_words(), ignore_case = true, help_heading = Reading::HEADING)]
    pub from: Option<String>,
    #[command(flatten)]
    pub settings: Settings<Reading>,
}

impl ReadArgs {
    pub fn options(&self) -> ReadOptions {
        self.settings.read_options(self.from.clone())
    }
}

impl Settings<Reading> {
    /// The library's options for reading a file of a format; `None` detects it.
    pub fn read_options(&self, format: Option<String>) -> ReadOptions {
        let mut options = ConvertOptions::default();
        self.apply(&mut options);
        ReadOptions { format, ..options.read }
    }
}
