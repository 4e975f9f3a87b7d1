//! Options of `convert` and `build` about how conversions are run.

use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;

// No doc comment: clap would take it for what the command does.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Number of cores to use [default: all]
    #[arg(short, long, value_name = "COUNT")]
    pub jobs: Option<NonZeroUsize>,
    /// Reconvert unchanged files too
    #[arg(long)]
    pub force: bool,
    /// Keep running and reconvert on save (Ctrl-C to stop)
    #[arg(long)]
    pub watch: bool,
    /// Write a rule for make and ninja to this file: which files were read and written
    #[arg(long, value_name = "FILE")]
    pub depfile: Option<PathBuf>,
}
