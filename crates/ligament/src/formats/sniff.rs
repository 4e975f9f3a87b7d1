use super::{FORMATS, Format};
use std::path::Path;

/// How well a file's beginning fits a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Match {
    /// It is not this format.
    No,
    /// It could be; the extension decides between several candidates.
    Maybe,
    /// It is this format.
    Yes,
}

/// The number of bytes of a file that [`detect`] looks at.
pub const HEAD_BYTES: usize = 4096;

/// Detects a file's format: by its content first, then by its extension if the content is ambiguous.
pub fn detect(head: &[u8], path: Option<&Path>) -> Option<&'static Format> {
    let named = path.and_then(by_extension);
    // The usual case: no other format needs to be tried.
    if let Some(format) = named.filter(|f| f.sniff(head) == Match::Yes) {
        return Some(format);
    }
    let matches: Vec<Match> = FORMATS.iter().map(|f| f.sniff(head)).collect();
    let best = *matches.iter().max()?;
    if best == Match::No {
        return named;
    }
    let mut fitting = FORMATS.iter().zip(&matches).filter(|(_, m)| **m == best).map(|(f, _)| *f);
    let by_both = named.filter(|n| fitting.clone().any(|f| f.id == n.id));
    by_both.or_else(|| fitting.next())
}

/// The format with this id or extension (with or without the dot), ignoring case.
pub fn by_id(id: &str) -> Option<&'static Format> {
    let id = id.trim_start_matches('.');
    let by_id = FORMATS.iter().find(|f| f.id.eq_ignore_ascii_case(id));
    let by_extension = || FORMATS.iter().find(|f| f.extensions.iter().any(|e| e.eq_ignore_ascii_case(id)));
    by_id.or_else(by_extension).copied()
}

/// The format of a path's extension. Extensions may contain a dot (`.qmsh.tmp`).
pub fn by_extension(path: &Path) -> Option<&'static Format> {
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    let fits = |format: &&&'static Format| {
        format.extensions.iter().any(|e| name.strip_suffix(e).is_some_and(|stem| stem.ends_with('.')))
    };
    FORMATS.iter().find(fits).copied()
}
