//! Options of `ligament render`.

use super::ReadArgs;
use super::parse::{parse_fraction, parse_positive, parse_seconds};
use crate::examples;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = examples::render())]
pub struct RenderArgs {
    /// The model; `-` is standard input. Two models with --diff, any number with --batch
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The picture to write: .png, .jpg, .webp, .gif or .apng; `-` is standard output [default: the model's name with
    /// .png, in the current folder]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Width and height in pixels [default: 640x640; 256x256 for thumbnails and cells of a contact sheet]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    pub size: Option<[u32; 2]>,
    /// The clip; optional if there is only one that moves anything. Without --clip and --at, the model is drawn at rest
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    /// Seconds into the clip
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub at: Option<f32>,
    /// The clip as numbered pictures: OUT-0000.png and so on
    #[arg(long, group = "kind")]
    pub frames: bool,
    /// The clip as a looping GIF
    #[arg(long, group = "kind")]
    pub gif: bool,
    /// The clip as a looping animated PNG
    #[arg(long, group = "kind")]
    pub apng: bool,
    /// Every clip (or only --clip) at several times, labelled, in one picture
    #[arg(long, group = "kind", conflicts_with_all = ["at", "turntable"])]
    pub contact_sheet: bool,
    /// Two models side by side, the second coloured by its distance from the first, in the worst pose unless --at is given
    #[arg(long, group = "kind", conflicts_with_all = ["turntable", "batch", "weights"])]
    pub diff: bool,
    /// The distance that --diff shows in red: a percentage of the model's size (1%) or a fraction of it [default: the largest]
    #[arg(long, value_name = "LENGTH", value_parser = parse_fraction, requires = "diff")]
    pub scale_max: Option<f64>,
    /// One thumbnail per model, using one graphics device for all of them. A folder stands for all models in it; patterns
    /// such as models/* may be quoted
    #[arg(long, group = "kind", requires = "out_dir", conflicts_with = "output")]
    pub batch: bool,
    /// The folder that --batch writes to; created if it does not exist
    #[arg(long, value_name = "FOLDER", requires = "batch")]
    pub out_dir: Option<PathBuf>,
    /// Number of pictures around the model: a sequence, or an animation with --gif or --apng
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub turntable: Option<u32>,
    /// Pictures per second in sequences and animations [default: 25]
    #[arg(long, value_name = "RATE", value_parser = parse_positive)]
    pub rate: Option<f32>,
    /// What else to show, separated by commas
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub show: Vec<ShowWord>,
    /// Show the weight of this joint on each vertex, as colours
    #[arg(long, value_name = "JOINT")]
    pub weights: Option<String>,
    /// Where to look from: front, back, left, right, top, below, three-quarter, behind (three-quarter from there), or a
    /// camera in the file
    #[arg(long, value_name = "NAME", default_value = "three-quarter")]
    pub camera: String,
    /// Degrees around the model, from the front (0) to the right (90); replaces those of --camera
    #[arg(long, value_name = "DEGREES", value_parser = parse_degrees, allow_negative_numbers = true)]
    pub yaw: Option<f64>,
    /// Degrees above the horizon, from -90 to 90; replaces those of --camera
    #[arg(long, value_name = "DEGREES", value_parser = parse_pitch, allow_negative_numbers = true)]
    pub pitch: Option<f64>,
    /// An image file as the base colour of all materials that have no texture for it
    #[arg(long, value_name = "FILE", conflicts_with = "batch")]
    pub texture: Option<PathBuf>,
    /// The background colour: #rgb, #rrggbb, #rrggbbaa, white, grey, black or transparent
    #[arg(long, value_name = "COLOR", value_parser = parse_color)]
    pub background: Option<[u8; 4]>,
    /// The light sources
    #[arg(long, value_name = "WHERE", default_value = "auto")]
    pub lights: LightsWord,
    /// Draw back faces regardless of the materials
    #[arg(long)]
    pub two_sided: bool,
    /// Draw no shadow on the ground
    #[arg(long)]
    pub no_shadow: bool,
    /// The result as JSON
    #[arg(long)]
    pub json: bool,
    /// Print nothing unless it fails
    #[arg(short, long, conflicts_with = "json")]
    pub quiet: bool,
    #[command(flatten)]
    pub read: ReadArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ShowWord {
    /// Bones and joints
    #[value(alias = "bones")]
    Skeleton,
    /// Joint names
    Names,
    /// Joint axes: X red, Y green, Z blue
    Axes,
    /// Wireframe
    #[value(alias = "edges")]
    Wire,
    /// Normals, as short lines
    Normals,
    /// Tangents (red) and bitangents (green), as short lines
    Tangents,
    /// The true bounding box (green), and the one stored in the file (orange)
    #[value(alias = "boxes")]
    Bounds,
    /// A checkerboard instead of textures: red grows with U, green with V
    #[value(alias = "checker")]
    Uv,
    /// Flat material colours
    Flat,
    /// The vertex colours alone
    Colors,
    /// A grid on the ground
    Grid,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LightsWord {
    /// The file's own lights, or a studio if it has none
    Auto,
    /// Key, fill and rim lights that follow the camera
    Studio,
}

/// Parses a size such as `640x480`.
pub fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let wrong = || "expected a size such as 640x480".to_owned();
    let (width, height) = text.split_once(['x', 'X', '×']).ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|&n| n > 0).ok_or_else(wrong);
    Ok([number(width)?, number(height)?])
}

fn parse_degrees(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| value.is_finite());
    value.ok_or_else(|| "expected a number of degrees".to_owned())
}

fn parse_pitch(text: &str) -> Result<f64, String> {
    let value = parse_degrees(text).ok().filter(|value| (-90.0..=90.0).contains(value));
    value.ok_or_else(|| "expected a number of degrees from -90 to 90".to_owned())
}

fn parse_color(text: &str) -> Result<[u8; 4], String> {
    let wrong = || "expected #rgb, #rrggbb, #rrggbbaa, white, grey, black or transparent".to_owned();
    match text.to_ascii_lowercase().as_str() {
        "white" => return Ok([255; 4]),
        "black" => return Ok([0, 0, 0, 255]),
        "grey" | "gray" => return Ok([128, 128, 128, 255]),
        "transparent" | "none" => return Ok([0; 4]),
        _ => {}
    }
    let digits = text.strip_prefix('#').unwrap_or(text);
    let digits: Vec<u8> =
        digits.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect::<Option<_>>().ok_or_else(wrong)?;
    match digits[..] {
        [r, g, b] => Ok([r * 17, g * 17, b * 17, 255]),
        [r1, r0, g1, g0, b1, b0] => Ok([r1 * 16 + r0, g1 * 16 + g0, b1 * 16 + b0, 255]),
        [r1, r0, g1, g0, b1, b0, a1, a0] => Ok([r1 * 16 + r0, g1 * 16 + g0, b1 * 16 + b0, a1 * 16 + a0]),
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_colours_are_read() {
        assert_eq!(parse_size("640x480"), Ok([640, 480]));
        for wrong in ["", "640", "0x5", "x", "-1x2", "1x2x3", "99999999999x1"] {
            assert!(parse_size(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!((parse_degrees("-370.5"), parse_pitch("-90")), (Ok(-370.5), Ok(-90.0)));
        for wrong in ["", "north", "nan", "91", "-90.5"] {
            assert!(parse_pitch(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(parse_color("#f80"), Ok([255, 136, 0, 255]));
        assert_eq!(parse_color("102030"), Ok([16, 32, 48, 255]));
        assert_eq!(parse_color("#10203040"), Ok([16, 32, 48, 64]));
        assert_eq!(parse_color("Transparent"), Ok([0; 4]));
        for wrong in ["", "#12", "#gggggg", "blueish", "#ééé"] {
            assert!(parse_color(wrong).is_err(), "{wrong:?}");
        }
    }
}
