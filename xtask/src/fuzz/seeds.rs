//! The inputs that a fuzz target starts from.

use super::targets::{Seeds, Stream, Target};
use super::{MAX_LEN, error_at};
use crate::corpus::{files_below, shared_files};
use crate::run::{Result, root};
use base64::Engine;
use std::fs;
use std::path::Path;

/// Puts a target's seeds into an empty folder, and returns their number.
pub fn collect(target: Target, into: &Path) -> Result<usize> {
    let _ = fs::remove_dir_all(into);
    fs::create_dir_all(into).map_err(|error| error_at("create", into, error))?;
    match target {
        Target::Format(format) => Ok(copy_files(format.extensions, into)),
        Target::Stream(Stream { seeds: Seeds::Files(extensions), .. }) => Ok(copy_files(extensions, into)),
        Target::Stream(Stream { seeds: Seeds::List(list, head), .. }) => {
            let list = root().join("crates/ligament/tests/fixtures/gltf").join(list);
            unpack(&list, *head, into)
        }
        Target::Stream(Stream { seeds: Seeds::Random, .. }) => random(into),
    }
}

/// Writes inputs that look random: 32 of each of three lengths.
fn random(into: &Path) -> Result<usize> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    for count in 0..96 {
        let bytes: Vec<u8> = (0..256 << (2 * (count % 3)))
            .map(|_| {
                // Knuth's generator; its low bits are of little worth.
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 56) as u8
            })
            .collect();
        let path = into.join(format!("{count:03}"));
        fs::write(&path, bytes).map_err(|error| error_at("write", &path, error))?;
    }
    Ok(96)
}

/// Writes the inputs of a list: the last word of each line, in base64, after the bytes that `head` makes of the words.
fn unpack(list: &Path, head: fn(&[&str]) -> Vec<u8>, into: &Path) -> Result<usize> {
    let text = fs::read_to_string(list).map_err(|error| error_at("read", list, error))?;
    let mut count = 0;
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let bytes = base64::engine::general_purpose::STANDARD.decode(words[words.len() - 1]);
        let bytes = bytes.map_err(|error| format!("{}: {error}", list.display()))?;
        let path = into.join(format!("{count:03}"));
        fs::write(&path, [head(&words), bytes].concat()).map_err(|error| error_at("write", &path, error))?;
        count += 1;
    }
    Ok(count)
}

/// Copies every available small file with one of these extensions, and returns their number.
fn copy_files(extensions: &[&str], into: &Path) -> usize {
    let folders = ["examples", "crates/ligament/tests/fixtures", "corpus"];
    let mut files: Vec<_> = folders.iter().flat_map(|folder| files_below(&root().join(folder))).collect();
    files.extend(shared_files());
    let mut count = 0;
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let fits = extensions.iter().any(|e| name.ends_with(&format!(".{e}")));
        let small = fs::metadata(&path).is_ok_and(|file| file.len() <= MAX_LEN);
        if fits && small && fs::copy(&path, into.join(format!("{count:03}-{name}"))).is_ok() {
            count += 1;
        }
    }
    count
}
