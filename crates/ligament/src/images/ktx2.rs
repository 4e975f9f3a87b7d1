//! KTX2 images of Basis Universal (ETC1S, UASTC; KHR_texture_basisu), decoded with the crate `basisu`.
//!
//! This is the one place that calls it. An image is hostile input to code that is not ours, so sizes are checked against
//! the file before it starts, and a panic in there becomes an error here.

use basisu::{DecodeFlags, TargetFormat, Transcoder};
use image::RgbaImage;

const MAGIC: &[u8] = b"\xabKTX 20\xbb\r\n\x1a\n";
/// Bytes of the header before the list of levels, and of a level in that list.
const HEADER: usize = 80;
/// Pixels that a byte of the file may stand for: a block of 16 pixels takes some bits at least.
const PIXELS_PER_BYTE: u64 = 512;
/// Supercompression with Zstandard.
const ZSTANDARD: u32 = 2;

pub(super) fn is_ktx2(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The largest picture of the file. The error is a sentence without a full stop.
pub(super) fn decode(bytes: &[u8], most_bytes: u64) -> Result<RgbaImage, String> {
    let (width, height) = check(bytes, most_bytes)?;
    let pixels = std::panic::catch_unwind(|| {
        let file = Transcoder::new(bytes)?;
        file.transcode(0, TargetFormat::Rgba32, DecodeFlags::NONE)
    });
    let pixels = match pixels {
        Ok(Ok(pixels)) => pixels,
        Ok(Err(error)) => return Err(format!("its Basis Universal data cannot be decoded ({error:?})")),
        Err(_) => return Err("its Basis Universal data is damaged".to_owned()),
    };
    RgbaImage::from_raw(width, height, pixels).ok_or_else(|| "it has fewer pixels than it says".to_owned())
}

/// The size of the picture, if its file can hold that many pixels.
fn check(bytes: &[u8], most_bytes: u64) -> Result<(u32, u32), String> {
    let number =
        |at: usize| bytes.get(at..at + 4).and_then(|b| b.first_chunk()).map(|b| u32::from_le_bytes(*b));
    let long =
        |at: usize| bytes.get(at..at + 8).and_then(|b| b.first_chunk()).map(|b| u64::from_le_bytes(*b));
    let header =
        || Some((number(20)?, number(24)?, number(32)?, number(36)?, number(44)?, long(HEADER + 16)?));
    let Some((width, height, layers, faces, scheme, unpacked)) = header() else {
        return Err("it is shorter than a KTX2 header".to_owned());
    };
    let pixels = u64::from(width) * u64::from(height);
    if width == 0 || height == 0 || width.max(height) > 1 << 16 {
        return Err(format!("its size of {width}×{height} pixels is outside 1 to 65536"));
    }
    if pixels * 4 > most_bytes || pixels > PIXELS_PER_BYTE * bytes.len() as u64 {
        return Err(format!("{width}×{height} pixels are out of proportion to its {} bytes", bytes.len()));
    }
    // A block of sixteen pixels has sixteen bytes; in each layer and face.
    let blocks = u64::from(width.div_ceil(4)) * u64::from(height.div_ceil(4)) * 16;
    let images = u64::from(layers.max(1)).saturating_mul(u64::from(faces.max(1)));
    if scheme == ZSTANDARD && unpacked > blocks.saturating_mul(images).min(most_bytes) {
        return Err(format!("its first level claims {unpacked} bytes, more than its pixels have"));
    }
    Ok((width, height))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture that Binomial's encoder (npm `ktx2-encoder`) made, and an FNV-1a hash of its pixels as Binomial's own
    /// transcoder (in npm `three`) returns them.
    const IMAGES: [(&str, &[u8], u64); 3] = [
        ("ETC1S", include_bytes!("../../tests/fixtures/ktx2/etc1s.ktx2"), 0x0bc8_bec8_84e8_7723),
        ("UASTC", include_bytes!("../../tests/fixtures/ktx2/uastc.ktx2"), 0x6c7c_6fff_004d_247e),
        (
            "UASTC, Zstandard",
            include_bytes!("../../tests/fixtures/ktx2/uastc-zstd.ktx2"),
            0x6c7c_6fff_004d_247e,
        ),
    ];
    const MOST: u64 = 1 << 20;

    fn fnv(bytes: &[u8]) -> u64 {
        bytes
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
    }

    #[test]
    fn pixels_are_those_of_binomials_transcoder() {
        for (name, bytes, hash) in IMAGES {
            let picture = decode(bytes, MOST).unwrap_or_else(|why| panic!("{name}: {why}"));
            assert_eq!((picture.dimensions(), fnv(picture.as_raw())), ((20, 12), hash), "{name}");
        }
    }

    #[test]
    fn every_prefix_is_refused_or_read() {
        for (_, bytes, _) in IMAGES {
            for length in 0..bytes.len() {
                let _ = decode(&bytes[..length], MOST);
            }
            assert!(decode(&bytes[..200], MOST).is_err());
        }
    }

    #[test]
    fn changed_bytes_do_no_harm() {
        let (mut tried, mut refused) = (0, 0);
        for (_, bytes, _) in IMAGES {
            for at in 0..bytes.len() {
                for change in [0x01, 0x80, 0xff] {
                    let mut changed = bytes.to_vec();
                    changed[at] ^= change;
                    tried += 1;
                    refused += usize::from(decode(&changed, MOST).is_err());
                }
            }
        }
        assert!(tried > 6000 && refused > 500, "{refused} of {tried}");
    }

    #[test]
    fn sizes_that_the_file_cannot_hold_are_refused_before_they_are_allocated() {
        let mut bytes = IMAGES[2].1.to_vec();
        bytes[20..24].copy_from_slice(&60_000_u32.to_le_bytes());
        bytes[24..28].copy_from_slice(&60_000_u32.to_le_bytes());
        let error = decode(&bytes, u64::MAX).expect_err("too large");
        assert!(error.contains("out of proportion"), "{error}");
        let mut bytes = IMAGES[2].1.to_vec();
        bytes[HEADER + 16..HEADER + 24].copy_from_slice(&(1_u64 << 40).to_le_bytes());
        let error = decode(&bytes, MOST).expect_err("too large");
        assert!(error.contains("more than its pixels"), "{error}");
    }
}
