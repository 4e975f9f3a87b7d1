//! Options of `ligament view`.

use super::ReadArgs;
use super::render::parse_size;
use crate::examples;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = examples::view())]
pub struct ViewArgs {
    /// The models; without one, drop files onto the window
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The window's size [default: 1280x800]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    pub size: Option<[u32; 2]>,
    /// The folder that pictures are saved in
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub pictures: PathBuf,
    /// Write what the viewer shows to this file, one line of JSON per change: for tests
    #[arg(long, value_name = "FILE", hide = true)]
    pub log_state: Option<PathBuf>,
    #[command(flatten)]
    pub read: ReadArgs,
}
