//! Pixels of images. A scene refers to image files or holds their bytes; only a target that takes fewer image types than
//! its source, and programs that draw, need the pixels.

mod ktx2;
mod signature;

pub(crate) use signature::{SIGNATURE_BYTES, is_image};

use crate::limits::has_room;
use crate::scene::media_type;
use image::{DynamicImage, ImageFormat, ImageReader, Limits};
use std::io::Cursor;

/// Limit of the memory for one image, in bytes.
const MOST_BYTES: u64 = 512 << 20;

/// Decodes the bytes of an image file. The name helps where a type has no signature. The error is a sentence without
/// a full stop, for people.
pub fn decode(bytes: &[u8], name: &str) -> Result<DynamicImage, String> {
    if bytes.is_empty() {
        return Err("the file is empty".to_owned());
    }
    if media_type(bytes) == Some("image/avif") {
        return Err("pictures in AVIF are not decoded".to_owned());
    }
    if ktx2::is_ktx2(bytes) {
        return ktx2::decode(bytes, MOST_BYTES).map(DynamicImage::ImageRgba8);
    }
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|e| e.to_string())?;
    if reader.format().is_none() {
        match ImageFormat::from_path(name) {
            Ok(format) => reader.set_format(format),
            Err(_) => return Err("it is not in a supported image format".to_owned()),
        }
    }
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(1 << 16);
    limits.max_image_height = Some(1 << 16);
    limits.max_alloc = Some(MOST_BYTES);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(|error| error.to_string())?;
    match image::ImageDecoder::total_bytes(&decoder) {
        bytes if bytes > MOST_BYTES => return Err(format!("its pixels take more than {MOST_BYTES} bytes")),
        bytes if !has_room(bytes) => return Err("the system has no memory for its pixels".to_owned()),
        _ => {}
    }
    let picture = DynamicImage::from_decoder(decoder).map_err(|error| error.to_string())?;
    if picture.width() == 0 || picture.height() == 0 {
        Err("it has no pixels".to_owned())
    } else {
        Ok(picture)
    }
}

/// Width and height of an image, from the beginning of its file.
pub fn dimensions(head: &[u8]) -> Option<[u32; 2]> {
    if ktx2::is_ktx2(head) {
        let number = |at: usize| Some(u32::from_le_bytes(head.get(at..at + 4)?.try_into().ok()?));
        return Some([number(20)?, number(24)?]);
    }
    let reader = ImageReader::new(Cursor::new(head)).with_guessed_format().ok()?;
    reader.into_dimensions().ok().map(|(width, height)| [width, height])
}

/// The same pixels as a PNG file.
pub fn to_png(bytes: &[u8], name: &str) -> Result<Vec<u8>, String> {
    let mut png = Cursor::new(Vec::new());
    decode(bytes, name)?.write_to(&mut png, ImageFormat::Png).map_err(|error| error.to_string())?;
    Ok(png.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).expect("can be encoded");
        bytes.into_inner()
    }

    #[test]
    fn pixels_and_depth_are_those_of_the_source() {
        let small = image::RgbImage::from_fn(5, 3, |x, y| image::Rgb([(x * 50) as u8, (y * 80) as u8, 7]));
        let small = DynamicImage::ImageRgb8(small);
        for format in [ImageFormat::Bmp, ImageFormat::Tga, ImageFormat::Jpeg] {
            let bytes = encoded(&small, format);
            let before = decode(&bytes, "a.tga").expect("readable");
            let png = to_png(&bytes, "a.tga").expect("readable");
            assert!(png.starts_with(b"\x89PNG"));
            assert_eq!(decode(&png, "").expect("readable"), before, "{format:?}");
        }
        let deep = image::ImageBuffer::from_fn(2, 2, |x, y| image::Luma([(x * 20_000 + y) as u16]));
        let deep = DynamicImage::ImageLuma16(deep);
        let png = to_png(&encoded(&deep, ImageFormat::Png), "").expect("readable");
        assert_eq!(decode(&png, "").expect("readable"), deep);
    }

    #[test]
    fn what_is_no_image_is_refused() {
        assert!(to_png(b"", "a.jpg").is_err());
        assert!(to_png(b"hello", "a.txt").is_err());
        let avif = to_png(b"\0\0\0\x20ftypavif\0\0\0\0avifmif1miafMA1B", "a.png").expect_err("no decoder");
        assert!(avif.contains("AVIF"), "{avif}");
        assert!(to_png(b"\xff\xd8\xff\xe0 and nothing more", "a.jpg").is_err());
        // A header that claims an enormous picture.
        let mut huge = encoded(&DynamicImage::new_rgb8(1, 1), ImageFormat::Bmp);
        huge[18..22].copy_from_slice(&60_000_i32.to_le_bytes());
        huge[22..26].copy_from_slice(&60_000_i32.to_le_bytes());
        assert!(to_png(&huge, "").is_err());
    }
}
