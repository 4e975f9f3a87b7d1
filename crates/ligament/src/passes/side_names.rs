//! Names of image files beside a model.

use crate::formats::{FORMATS, pfobj};
use crate::io::{LONGEST_NAME, cut};

/// Turns any name into a file name that is valid on every system.
pub(super) fn safe_name(name: &str) -> String {
    let bad = |c: char| c.is_control() || "/\\:*?\"<>|".contains(c);
    let name: String = name.chars().map(|c| if bad(c) { '_' } else { c }).collect();
    let (stem, extension) = name.rsplit_once('.').unwrap_or((&name, "png"));
    let stem: String = stem.trim_matches(['.', ' ']).chars().take(80).collect();
    format!("{}.{extension}", if stem.is_empty() { "image" } else { &stem })
}

/// A path whose file name has a number before its extension, unless that is 0, and is short enough for a file system.
pub(super) fn numbered(path: &str, number: u64) -> String {
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) if extension.len() < 32 => (stem, format!(".{extension}")),
        _ => (name, String::new()),
    };
    let number = if number == 0 { String::new() } else { format!("-{number}") };
    let stem = cut(stem, LONGEST_NAME - number.len() - extension.len());
    let slash = if folder.is_empty() { "" } else { "/" };
    format!("{folder}{slash}{stem}{number}{extension}")
}

/// Whether the model's own files have this name: the model itself, its buffers, materials and geometries, and the image
/// that PFOBJ adds. `stem` is the model's name.
pub(super) fn is_reserved(path: &str, stem: &str) -> bool {
    let (path, stem) = (path.to_lowercase(), stem.to_lowercase());
    if path == pfobj::WHITE_TEXTURE || (path.starts_with("geometries/") && path.ends_with(".bgg")) {
        return true;
    }
    let Some(rest) = path.strip_prefix(&stem) else { return false };
    // Further buffers have a number.
    let (number, extension) = rest.split_once('.').unwrap_or((rest, ""));
    let is_buffer = number.strip_prefix('_').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    match extension {
        "bin" => number.is_empty() || is_buffer,
        _ if !number.is_empty() => false,
        "mtl" => true,
        _ => FORMATS.iter().any(|format| format.extensions.contains(&extension)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_into_255_bytes() {
        // Four bytes each.
        let long = "🦴".repeat(100);
        for (path, number) in [
            (format!("{}.png", "a".repeat(300)), 0),
            (format!("sub/{long}.jpeg"), 12345),
            (long.clone(), 7),
            (format!("x.{long}"), 7),
            (safe_name(&format!("{long}.png")), 0),
        ] {
            let fitted = numbered(&path, number);
            let name = fitted.rsplit('/').next().unwrap_or_default();
            assert!(name.len() <= LONGEST_NAME && name.len() > 240, "{} bytes: {name}", name.len());
        }
        assert_eq!(numbered("sub/skin.png", 0), "sub/skin.png");
        assert_eq!(numbered("sub.d/skin", 2), "sub.d/skin-2");
        assert_eq!(numbered("skin.png", 3), "skin-3.png");
        assert_eq!(numbered(&format!("{long}.png"), 1), format!("{}-1.png", "🦴".repeat(62)));
    }

    #[test]
    fn own_files_of_a_model_are_reserved() {
        for path in ["m.bin", "M.BIN", "m_1.bin", "m.mtl", "m.gltf", "m.qmsh.tmp", "geometries/mesh.bgg"] {
            assert!(is_reserved(path, "m"), "{path}");
        }
        assert!(is_reserved("ligament-white.png", "m"));
        for path in
            ["m.png", "m-1.bin", "n.bin", "sub/m.bin", "geometries/skin.png", "m_a.bin", "mm.gltf", "m"]
        {
            assert!(!is_reserved(path, "m"), "{path}");
        }
    }
}
