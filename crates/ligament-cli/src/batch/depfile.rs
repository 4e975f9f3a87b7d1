//! Depfiles: which outputs depend on which inputs, for make and ninja.

use super::fingerprint::Fingerprint;
use ligament::io::write_file;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

/// Returns one rule: all outputs depend on all inputs, because one process made them. Each input that may vanish gets an
/// empty rule, so that make does not stop there.
pub fn rule<'a>(outputs: impl Iterator<Item = &'a Path>, inputs: impl Iterator<Item = &'a Path>) -> String {
    let inputs: BTreeSet<&Path> = inputs.collect();
    let targets: Vec<_> = outputs.filter_map(|path| escaped(path, true)).collect();
    let mut text = targets.join(" ") + ":";
    for input in inputs.iter().filter_map(|path| escaped(path, false)) {
        text += " \\\n  ";
        text += &input;
    }
    text.push('\n');
    for input in inputs.iter().filter_map(|path| escaped(path, true)) {
        text += &format!("\n{input}:\n");
    }
    text
}

/// The files that existed.
pub fn present<'a>(prints: impl IntoIterator<Item = &'a Fingerprint>) -> impl Iterator<Item = &'a Path> {
    prints.into_iter().filter(|print| print.was.is_some()).map(|print| print.path.as_path())
}

/// Writes a depfile or report completely or not at all. One that would not change keeps its time.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    if path.is_file() && fs::read(path).is_ok_and(|there| there == text.as_bytes()) {
        return Ok(());
    }
    write_file(path, text.as_bytes())
}

/// Escapes a path for make; `None` for a path with a line break, which make cannot express.
fn escaped(path: &Path, is_target: bool) -> Option<String> {
    // make does not know that `./a` and `a` are the same file.
    let path = path.strip_prefix(".").unwrap_or(path).to_str()?;
    if path.contains(['\n', '\r']) {
        return None;
    }
    let mut text = String::with_capacity(path.len());
    let mut backslashes = 0;
    for c in path.chars() {
        match c {
            '$' => text.push('$'),
            ' ' | '\t' | '#' | ':' => {
                // The backslashes before it would otherwise be taken for escapes.
                text.extend(std::iter::repeat_n('\\', backslashes + 1));
            }
            '%' if is_target => text.push('\\'),
            _ => {}
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        text.push(c);
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_escaped() {
        for (path, wanted) in [
            ("a b.glb", "a\\ b.glb"),
            ("$HOME/#1:2.glb", "$$HOME/\\#1\\:2.glb"),
            ("./a.glb", "a.glb"),
            ("a\\ b", "a\\\\\\ b"),
            ("a\\b", "a\\b"),
            ("50%.glb", "50%.glb"),
        ] {
            assert_eq!(escaped(Path::new(path), false).as_deref(), Some(wanted), "{path}");
        }
        assert_eq!(escaped(Path::new("50%.glb"), true).as_deref(), Some("50\\%.glb"));
        assert_eq!(escaped(Path::new("a\nb"), true), None);
    }
}
