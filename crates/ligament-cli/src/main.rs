//! The `ligament` command line: converts, checks, compares and poses skinned, animated meshes.
//!
//! [`args`] defines the options, [`commands`] has one file per command, and [`render`] turns reports into
//! text. No file here knows a format by name; everything about formats comes from [`ligament::formats::FORMATS`].

mod args;
mod batch;
mod codes;
mod commands;
mod config;
mod console;
mod examples;
mod exit;
mod fence;
mod input;
mod interrupt;
mod progress;
mod render;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};
use console::Console;
use ligament::formats::by_extension;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// `ligament FILE` is `ligament info FILE`, and `ligament help WORD` is `ligament WORD --help`, which suggests the command
/// that was meant.
fn meant(mut args: Vec<OsString>) -> Vec<OsString> {
    let is_command = |word: &OsString| {
        let all = args::Cli::command();
        all.get_subcommands().any(|command| word.to_str().is_some_and(|word| command.get_name() == word))
    };
    match args.get(1..).unwrap_or_default() {
        [help, word] if help == "help" && !is_command(word) && word != "help" => {
            args.remove(1);
        }
        [first, ..] if !is_command(first) && !first.as_encoded_bytes().starts_with(b"-") => {
            let path = Path::new(first);
            if path.is_file() || (path.extension().is_some() && by_extension(path).is_some()) {
                args.insert(1, "info".into());
            }
        }
        _ => {}
    }
    args
}

/// Options of other programs, and what ligament has instead.
const OTHER_WORDS: [(&str, &str); 7] = [
    ("--overwrite", "existing files are replaced, unless --no-clobber is given"),
    ("--force", "existing files are replaced, unless --no-clobber is given"),
    ("--format", "--to names the format of the output, and --from that of the input"),
    ("--input-format", "--from names the format of the input"),
    ("--output-format", "--to names the format of the output"),
    ("-v", "only conversions have --verbose; --version shows the version"),
    ("--verbose", "only conversions have --verbose; validate shows everything about a file"),
];

/// Replaces the most similar option by what was probably meant.
fn other_words(mut error: clap::Error) -> clap::Error {
    let tip = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(word)) if error.kind() == ErrorKind::UnknownArgument => {
            OTHER_WORDS.iter().find(|(other, _)| word == other).map(|(_, tip)| *tip)
        }
        _ => None,
    };
    if let Some(tip) = tip {
        for kind in [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::TrailingArg] {
            error.remove(kind);
        }
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

fn main() -> ExitCode {
    let cli = match args::Cli::try_parse_from(meant(std::env::args_os().collect())) {
        Ok(cli) => cli,
        Err(error) => {
            let error = other_words(error);
            // Help and version arrive here too, with code 0. A closed pipe is not an error.
            let _ = error.print();
            return ExitCode::from(error.exit_code() as u8);
        }
    };
    fence::install();
    let mut console = Console::new();
    let exit = commands::run(cli.command, &mut console);
    console.finish(exit)
}
