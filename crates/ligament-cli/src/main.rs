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

use clap::Parser;
use console::Console;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match args::Cli::try_parse() {
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
