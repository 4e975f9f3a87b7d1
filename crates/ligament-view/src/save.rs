//! Pictures of the view and of the window, as files.

use ligament::io::{FileOutput, Output};
use ligament_render::Picture;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Saves a picture in a folder under an unused name: `mage-001.png`, `mage-002.png`...
pub fn save(picture: &Picture, folder: &Path, stem: &str) -> io::Result<PathBuf> {
    let stem: String =
        stem.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect();
    for number in 1..=9999 {
        let path = folder.join(format!("{stem}-{number:03}.png"));
        if path.symlink_metadata().is_ok() {
            continue;
        }
        let mut file = FileOutput::create(&path)?;
        write(picture, file.main())?;
        match file.commit_new() {
            // Another window was faster.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            done => return done.map(|()| path),
        }
    }
    Err(io::Error::new(ErrorKind::AlreadyExists, "the folder already has 9999 pictures of this name"))
}

fn write(picture: &Picture, file: &mut dyn Write) -> io::Result<()> {
    let mut encoder = png::Encoder::new(file, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let mut writer = encoder.write_header().map_err(io::Error::other)?;
    // A window's picture is opaque.
    let rgb: Vec<u8> = picture.rgba.as_chunks::<4>().0.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
    writer.write_image_data(&rgb).map_err(io::Error::other)?;
    writer.finish().map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    #[test]
    fn pictures_do_not_replace_each_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let picture = Picture { width: 2, height: 1, rgba: vec![1, 2, 3, 255, 4, 5, 6, 255] };
        let first = save(&picture, folder.path(), "a/b c").expect("saved");
        let second = save(&picture, folder.path(), "a/b c").expect("saved");
        assert_eq!(first.file_name().and_then(|n| n.to_str()), Some("a_b_c-001.png"));
        assert_ne!(first, second);
        let decoder = png::Decoder::new(io::BufReader::new(File::open(second).expect("there")));
        let mut reader = decoder.read_info().expect("a PNG");
        let mut bytes = vec![0; reader.output_buffer_size().expect("small")];
        reader.next_frame(&mut bytes).expect("a picture");
        assert_eq!(bytes, [1, 2, 3, 4, 5, 6]);
        assert!(save(&picture, Path::new("/nonexistent/folder"), "x").is_err());
    }
}
