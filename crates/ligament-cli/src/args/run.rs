//! How conversions are run: options of `convert` and `build`.

use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// How many at a time, how often, and for whom.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// How many cores to use [default: all]
    #[arg(short, long, value_name = "COUNT")]
    pub jobs: Option<NonZeroUsize>,
    /// Convert also what is unchanged
    #[arg(long)]
    pub force: bool,
    /// Stay, and convert again when a file is saved; Ctrl-C ends it
    #[arg(long)]
    pub watch: bool,
    /// Write which files were read and written to this file, as rules for make and ninja
    #[arg(long, value_name = "FILE")]
    pub depfile: Option<PathBuf>,
}
