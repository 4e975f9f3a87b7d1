//! How much two pictures differ.

use ligament_render::Picture;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};

/// Pixels along a side of a tile.
const TILE: u32 = 12;

/// The allowed difference between drivers: rounding, and the samples that an edge covers.
const MEAN: f64 = 1.0;
const WORST_TILE: f64 = 8.0;

/// Mean difference of a channel, over the picture and in the tile where it is largest.
#[derive(Debug, Clone, Copy)]
pub struct Difference {
    pub mean: f64,
    pub worst_tile: f64,
}

impl Difference {
    pub fn is_small(&self) -> bool {
        self.mean <= MEAN && self.worst_tile <= WORST_TILE
    }
}

pub fn difference(a: &Picture, b: &Picture) -> Difference {
    assert_eq!((a.width, a.height), (b.width, b.height));
    let (mut sum, mut worst) = (0.0, 0.0_f64);
    for top in (0..a.height).step_by(TILE as usize) {
        for left in (0..a.width).step_by(TILE as usize) {
            let (mut tile, mut count) = (0.0, 0.0);
            for y in top..(top + TILE).min(a.height) {
                for x in left..(left + TILE).min(a.width) {
                    let (p, q) = (a.pixel(x, y).expect("inside"), b.pixel(x, y).expect("inside"));
                    tile += p.iter().zip(q).map(|(p, q)| f64::from(p.abs_diff(q))).sum::<f64>();
                    count += 4.0;
                }
            }
            sum += tile;
            worst = worst.max(tile / count);
        }
    }
    Difference { mean: sum / (f64::from(a.width) * f64::from(a.height) * 4.0), worst_tile: worst }
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures/references").join(format!("{name}.png"))
}

/// The reference of a name; with `LIGAMENT_WRITE_REFERENCES=1` the picture replaces it.
pub fn reference(name: &str, picture: &Picture) -> Picture {
    if std::env::var("LIGAMENT_WRITE_REFERENCES").is_ok_and(|value| value == "1") {
        write(&path(name), picture);
    }
    read(&path(name))
}

/// Compares a picture with its reference. A picture that differs is saved in the target folder for inspection.
#[track_caller]
pub fn expect_reference(name: &str, picture: &Picture) {
    let known = reference(name, picture);
    let found = difference(&known, picture);
    if !found.is_small() {
        let wrong = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.png"));
        write(&wrong, picture);
        panic!("{name} differs from its reference: {found:?}; see {}", wrong.display());
    }
}

pub fn write(path: &Path, picture: &Picture) {
    let file = BufWriter::new(File::create(path).expect("a file"));
    let mut encoder = png::Encoder::new(file, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgba);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&picture.rgba).expect("pixels");
}

fn read(path: &Path) -> Picture {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut reader = png::Decoder::new(BufReader::new(file)).read_info().expect("a PNG");
    let mut rgba = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut rgba).expect("pixels");
    assert_eq!(info.color_type, png::ColorType::Rgba);
    Picture { width: info.width, height: info.height, rgba }
}
