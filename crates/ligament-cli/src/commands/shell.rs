//! `ligament completions` and `ligament man`, both generated from the definition of the command line.

use crate::args::Cli;
use crate::console::Console;
use crate::exit::Exit;
use crate::render::style;
use clap::CommandFactory;
use std::path::Path;

pub fn completions(shell: clap_complete::Shell, console: &mut Console) -> Exit {
    // Into memory first: the generator panics if writing fails, for example on a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "ligament", &mut script);
    console.raw(&script);
    Exit::Done
}

pub fn man(folder: &Path, console: &mut Console) -> Exit {
    let written =
        std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Cli::command(), folder));
    match written {
        Ok(()) => {
            console.out(&format!("man pages written to {}\n", style::safe(&folder.display().to_string())));
            Exit::Done
        }
        Err(error) => {
            let folder = style::safe(&folder.display().to_string());
            console.err(&format!("{}: {folder}: cannot write: {error}\n", style::error("error")));
            Exit::Io
        }
    }
}
