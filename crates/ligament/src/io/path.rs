/// Why a path from a file was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathRefusal {
    /// Nothing is left of the path.
    Empty,
    /// It starts at a root or a drive.
    Absolute,
    /// It leaves the folder with `..`.
    Leaves,
    /// It is a URL with a scheme.
    Scheme,
    /// It contains a NUL or another control character.
    Control,
}

impl std::fmt::Display for PathRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            PathRefusal::Empty => "the path is empty",
            PathRefusal::Absolute => "the path is absolute; only files in the model's folder are read",
            PathRefusal::Leaves => "the path leaves the model's folder",
            PathRefusal::Scheme => "the path is a URL; nothing is ever fetched",
            PathRefusal::Control => "the path contains control characters",
        })
    }
}

/// Cleans a path found in a file: `/` between parts, no `.`, nothing that leaves the model's folder.
///
/// ```
/// use ligament::io::{PathRefusal, safe_relative};
/// assert_eq!(safe_relative("textures\\./skin.png").as_deref(), Ok("textures/skin.png"));
/// assert_eq!(safe_relative("a/../skin.png").as_deref(), Ok("skin.png"));
/// assert_eq!(safe_relative("../../etc/passwd"), Err(PathRefusal::Leaves));
/// assert_eq!(safe_relative("http://host/skin.png"), Err(PathRefusal::Scheme));
/// ```
pub fn safe_relative(path: &str) -> Result<String, PathRefusal> {
    if path.chars().any(char::is_control) {
        return Err(PathRefusal::Control);
    }
    let path = path.replace('\\', "/");
    if let Some((head, _)) = path.split_once(':') {
        let is_word = head.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
        if is_word && !head.is_empty() {
            return Err(if head.len() == 1 { PathRefusal::Absolute } else { PathRefusal::Scheme });
        }
    }
    if path.starts_with('/') {
        return Err(PathRefusal::Absolute);
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop().ok_or(PathRefusal::Leaves)?;
            }
            _ => parts.push(part),
        }
    }
    if parts.is_empty() { Err(PathRefusal::Empty) } else { Ok(parts.join("/")) }
}

/// The longest name of a file in bytes, on every usual file system.
pub(crate) const LONGEST_NAME: usize = 255;

/// The beginning of a text, of at most this many bytes and without half a character.
pub(crate) fn cut(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_paths_are_refused() {
        for (path, why) in [
            ("/etc/passwd", PathRefusal::Absolute),
            ("\\\\host\\share\\x.png", PathRefusal::Absolute),
            ("C:\\x.png", PathRefusal::Absolute),
            ("file:///etc/passwd", PathRefusal::Scheme),
            ("..", PathRefusal::Leaves),
            ("a/../../b", PathRefusal::Leaves),
            ("..\\b", PathRefusal::Leaves),
            ("a\0b", PathRefusal::Control),
            ("./", PathRefusal::Empty),
            ("", PathRefusal::Empty),
        ] {
            assert_eq!(safe_relative(path), Err(why), "{path:?}");
        }
    }
}
