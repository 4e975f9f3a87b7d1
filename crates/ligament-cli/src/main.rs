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

fn main() -> ExitCode {
    let cli = match args::Cli::try_parse_from(meant(std::env::args_os().collect())) {
        Ok(cli) => cli,
        Err(error) => {
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
