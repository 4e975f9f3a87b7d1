//! Recognises image files by their first bytes, so that only images are copied as images.

/// Bytes that [`is_image`] looks at.
pub(crate) const SIGNATURE_BYTES: usize = 64;

/// Whether a file is an image of a type that models use, decided by its first bytes. Types without a signature, or whose
/// signature could begin a text, must have their extension too.
pub(crate) fn is_image(head: &[u8], name: &str) -> bool {
    let has_extension = |known: &[&str]| {
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        known.iter().any(|known| extension.eq_ignore_ascii_case(known))
    };
    let begins = |signatures: &[&[u8]]| signatures.iter().any(|signature| head.starts_with(signature));
    begins(SIGNATURES)
        || is_bmp(head)
        || is_container(head)
        || (has_extension(&["tga", "icb", "vda", "vst"]) && is_tga(head))
        || (has_extension(&["hdr", "rgbe", "pic", "xyze"]) && begins(&[b"#?RADIANCE", b"#?RGBE"]))
        || (has_extension(&["pbm", "pgm", "ppm", "pnm", "pam", "pfm"]) && is_pnm(head))
        || (has_extension(&["pcx"]) && matches!(head, [10, 0..=5, 0..=1, 1 | 2 | 4 | 8, ..]))
        || (has_extension(&["sgi", "rgb", "rgba", "bw"]) && matches!(head, [0x01, 0xda, 0..=1, 1..=2, ..]))
        || (has_extension(&["iff"]) && begins(&[b"FORM", b"FOR4", b"FOR8"]))
        || (has_extension(&["basis"]) && begins(&[b"sB"]))
        || (has_extension(&["crn"]) && begins(&[b"Hx"]))
        || (has_extension(&["ico", "cur"]) && matches!(head, [0, 0, 1 | 2, 0, 1..=255, ..]))
}

const SIGNATURES: &[&[u8]] = &[
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"GIF87a",
    b"GIF89a",
    b"DDS ",
    b"\xabKTX 11\xbb\r\n\x1a\n",
    b"\xabKTX 20\xbb\r\n\x1a\n",
    // OpenEXR.
    b"\x76\x2f\x31\x01",
    // TIFF and BigTIFF.
    b"II*\0",
    b"MM\0*",
    b"II+\0",
    b"MM\0+",
    // Photoshop.
    b"8BPS\0",
    // JPEG 2000 and JPEG XL.
    b"\0\0\0\x0cjP  \r\n\x87\n",
    b"\xff\x4f\xff\x51",
    b"\0\0\0\x0cJXL \r\n\x87\n",
    b"\xff\x0a",
    b"qoif",
    // PowerVR, ASTC, and the textures of some engines.
    b"PVR\x03",
    b"\x13\xab\xa1\x5c",
    b"VTF\0",
    b"BLP1",
    b"BLP2",
];

/// `BM`, and a header of a length that exists.
fn is_bmp(head: &[u8]) -> bool {
    let header = head.get(14..18).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
    head.starts_with(b"BM")
        && header.is_some_and(|header| [12, 16, 40, 52, 56, 64, 108, 124].contains(&header))
}

/// WebP, AVIF and HEIF.
fn is_container(head: &[u8]) -> bool {
    match head {
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => true,
        [0, 0, _, _, b'f', b't', b'y', b'p', brand @ ..] => {
            [b"avif", b"avis", b"heic", b"heix", b"mif1", b"msf1"]
                .iter()
                .any(|known| brand.starts_with(*known))
        }
        _ => false,
    }
}

/// A header of TGA that makes sense; the type has no signature.
fn is_tga(head: &[u8]) -> bool {
    let Some(&[_, colour_map, kind, _, _, _, _, map_depth, _, _, _, _, w0, w1, h0, h1, depth, _]) =
        head.first_chunk()
    else {
        return false;
    };
    let is_mapped = matches!(kind, 1 | 9 | 32 | 33);
    let map_fits = if is_mapped { colour_map == 1 } else { colour_map <= 1 };
    map_fits
        && matches!(kind, 1 | 2 | 3 | 9 | 10 | 11 | 32 | 33)
        && matches!(map_depth, 0 | 15 | 16 | 24 | 32)
        && matches!(depth, 8 | 15 | 16 | 24 | 32)
        && (w0, w1) != (0, 0)
        && (h0, h1) != (0, 0)
}

/// `P1` to `P7`, `PF` or `Pf`, and white space.
fn is_pnm(head: &[u8]) -> bool {
    matches!(head, [b'P', b'1'..=b'7' | b'F' | b'f', b' ' | b'\t' | b'\r' | b'\n', ..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{DynamicImage, ImageFormat};
    use std::io::Cursor;

    #[test]
    fn images_that_another_program_encoded_are_images() {
        let picture = DynamicImage::ImageRgb8(image::RgbImage::new(3, 2));
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Bmp, ImageFormat::Tga] {
            let mut bytes = Cursor::new(Vec::new());
            picture.write_to(&mut bytes, format).expect("can be encoded");
            let bytes = bytes.into_inner();
            let head = &bytes[..bytes.len().min(SIGNATURE_BYTES)];
            assert!(is_image(head, "skin.tga"), "{format:?}");
            // Only TGA depends on the name.
            assert_eq!(is_image(head, "skin.txt"), format != ImageFormat::Tga, "{format:?}");
        }
        for (head, name) in [
            (&b"RIFF\x10\0\0\0WEBPVP8 "[..], "a"),
            (b"\0\0\0\x20ftypavif\0\0\0\0", "a.png"),
            (b"#?RADIANCE\n", "sky.HDR"),
            (b"P6 3 2 255\n", "a.ppm"),
            (b"II*\0\x08\0\0\0", "a.tif"),
        ] {
            assert!(is_image(head, name), "{name}");
        }
    }

    #[test]
    fn other_files_are_no_images_whatever_their_name() {
        for text in [
            &b"#!/bin/sh\nrm -rf /\n"[..],
            b"[[rule]]\nglob = \"*\"\n",
            b"{\"version\":\"1\",\"records\":[]}",
            b"all:\n\ttouch x\n",
            b"BM is how this text begins, and it goes on and on",
            b"version https://git-lfs.github.com/spec/v1\n",
            b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\0\0\0\0",
            b"PK\x03\x04",
            b"",
        ] {
            for name in ["skin.png", "skin.tga", "skin.ppm", "skin.hdr", "skin.pcx", "skin", ".envrc"] {
                assert!(!is_image(text, name), "{name}: {text:?}");
            }
        }
        assert!(!is_image(b"#?RADIANCE\nrm -rf /\n", "pre-commit"));
        assert!(!is_image(b"P6 3 2 255\n", "Makefile"));
    }
}
