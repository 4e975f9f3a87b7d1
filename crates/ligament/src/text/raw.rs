use std::fmt;

/// Text of a file as bytes, which need not be UTF-8. It can be written back unchanged, and is displayed safely.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct RawText(Box<[u8]>);

impl RawText {
    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Converts to a string; bytes that are not UTF-8 become U+FFFD.
    pub fn to_text(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the bytes are UTF-8, in which case [`to_text`](Self::to_text) is exact.
    pub fn is_utf8(&self) -> bool {
        std::str::from_utf8(&self.0).is_ok()
    }
}

impl From<&[u8]> for RawText {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }
}

impl From<&str> for RawText {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().into())
    }
}

impl From<String> for RawText {
    fn from(text: String) -> Self {
        Self(text.into_bytes().into())
    }
}

impl fmt::Display for RawText {
    /// In quotes, truncated to 60 characters, with control characters and invalid bytes escaped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        let mut left = 60_usize;
        for chunk in self.0.utf8_chunks() {
            for c in chunk.valid().chars() {
                if left == 0 {
                    return f.write_str("…\"");
                }
                left -= 1;
                if c == '"' || c == '\\' || c.is_control() {
                    write!(f, "{}", c.escape_default())?;
                } else {
                    write!(f, "{c}")?;
                }
            }
            for byte in chunk.invalid() {
                if left == 0 {
                    return f.write_str("…\"");
                }
                left -= 1;
                write!(f, "\\x{byte:02x}")?;
            }
        }
        f.write_str("\"")
    }
}

impl fmt::Debug for RawText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_bytes_are_shown_safely() {
        let raw = RawText::from(&b"a\x1b[31m\xff\xc5\xbc\"\n"[..]);
        assert_eq!(raw.to_string(), "\"a\\u{1b}[31m\\xffż\\\"\\n\"");
        let long = RawText::from("x".repeat(500));
        assert!(long.to_string().chars().count() < 70);
    }
}
