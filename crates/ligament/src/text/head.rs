//! Lines and words of a file's head, for detecting its format. Files are read with [`TextReader`](super::TextReader).

/// The lines of a file's head that are not blank, without the blanks around them and without a byte order mark.
pub(crate) fn head_lines(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty())
}

/// The words of a line.
pub(crate) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}
