use super::fixed::{FIXED6_MAX, fixed6, whole};
use std::io::{self, Write};

const CHUNK: usize = 1 << 16;

/// The maximum number of bytes in a [`Block`].
pub const BLOCK: usize = 1024;

/// A piece of text of limited length, written without flushing in between. Text that does not fit is left out, so a block
/// must only be used for text that is known to fit.
pub struct Block<'b> {
    out: &'b mut [u8; BLOCK],
    length: usize,
}

impl Block<'_> {
    /// Adds bytes.
    #[inline(always)]
    pub fn text<const N: usize>(&mut self, bytes: &[u8; N]) {
        if let Some(space) = self.out.get_mut(self.length..).and_then(|b| b.first_chunk_mut()) {
            *space = *bytes;
            self.length += N;
        }
    }

    /// Adds a number with six decimals.
    #[inline(always)]
    pub fn fixed6(&mut self, value: f32) {
        if let Some(space) = self.out.get_mut(self.length..).and_then(|b| b.first_chunk_mut()) {
            self.length += fixed6(f64::from(value), space);
        }
    }

    /// Adds numbers with six decimals and spaces between them.
    #[inline(always)]
    pub fn fixed6s<const N: usize>(&mut self, values: [f32; N]) {
        for (i, value) in values.into_iter().enumerate() {
            if i > 0 {
                self.text(b" ");
            }
            self.fixed6(value);
        }
    }

    /// Adds a whole number.
    #[inline(always)]
    pub fn whole(&mut self, value: u32) {
        if value < 10 {
            self.text(&[b'0' + value as u8]);
            return;
        }
        let (digits, first) = whole(value);
        for digit in &digits[first..] {
            self.text(&[*digit]);
        }
    }
}

/// Buffers text and writes it in large pieces. The first write error is kept until [`finish`](Self::finish); text after
/// it is ignored.
pub struct TextWriter<'w> {
    sink: &'w mut dyn Write,
    buffer: Box<[u8]>,
    length: usize,
    /// Bytes of the current line that have already left the buffer.
    line_flushed: usize,
    line_start: usize,
    longest_line: usize,
    error: Option<io::Error>,
}

impl<'w> TextWriter<'w> {
    /// Writes to `sink`.
    pub fn new(sink: &'w mut dyn Write) -> Self {
        Self {
            sink,
            buffer: vec![0; CHUNK].into_boxed_slice(),
            length: 0,
            line_flushed: 0,
            line_start: 0,
            longest_line: 0,
            error: None,
        }
    }

    /// Adds bytes, which must not contain a line end.
    #[inline(always)]
    pub fn text(&mut self, bytes: &[u8]) {
        if let Some(space) = self.buffer.get_mut(self.length..self.length + bytes.len()) {
            space.copy_from_slice(bytes);
            self.length += bytes.len();
        } else {
            self.long_text(bytes);
        }
    }

    /// Adds a number with six decimals.
    #[inline(always)]
    pub fn fixed6(&mut self, value: impl Into<f64>) {
        if self.buffer.len() - self.length < FIXED6_MAX {
            self.flush();
        }
        if let Some(space) = self.buffer.get_mut(self.length..).and_then(|b| b.first_chunk_mut()) {
            self.length += fixed6(value.into(), space);
        }
    }

    /// Adds `prefix` and numbers with six decimals and `separator` between them.
    pub fn fixed6s<T: Into<f64>, const N: usize>(&mut self, prefix: &[u8], values: [T; N], separator: u8) {
        self.text(prefix);
        for (i, value) in values.into_iter().enumerate() {
            if i > 0 {
                self.text(&[separator]);
            }
            self.fixed6(value);
        }
    }

    /// Adds a whole number.
    pub fn whole(&mut self, value: u32) {
        let (digits, first) = whole(value);
        self.text(&digits[first..]);
    }

    /// Adds a number with as many digits as are needed to restore the same f32, and without an exponent.
    pub fn shortest(&mut self, value: f32) {
        let mut digits = [0; 64];
        let mut rest: &mut [u8] = &mut digits;
        // The longest texts, those of the smallest numbers, fit into the buffer.
        let _ = write!(rest, "{value}");
        let left = rest.len();
        self.text(&digits[..digits.len() - left]);
    }

    /// The bytes of the current line so far; `None` if some have already left the buffer.
    pub fn line(&self) -> Option<&[u8]> {
        (self.line_flushed == 0).then(|| &self.buffer[self.line_start..self.length])
    }

    /// Adds whole lines that fit into a [`Block`]. They do not count for [`longest_line`](Self::longest_line).
    #[inline(always)]
    pub fn block(&mut self, write: impl FnOnce(&mut Block<'_>)) {
        if self.buffer.len() - self.length < BLOCK {
            self.flush();
        }
        if let Some(out) = self.buffer.get_mut(self.length..).and_then(|b| b.first_chunk_mut()) {
            let mut block = Block { out, length: 0 };
            write(&mut block);
            self.length += block.length;
        }
        self.line_start = self.length;
        self.line_flushed = 0;
    }

    /// Ends the line.
    #[inline(always)]
    pub fn end_line(&mut self) {
        let length = self.line_flushed + self.length - self.line_start;
        self.longest_line = self.longest_line.max(length);
        self.text(b"\n");
        self.line_flushed = 0;
        self.line_start = self.length;
    }

    /// The length in bytes of the longest line ended by [`end_line`](Self::end_line) so far, without its line end.
    pub fn longest_line(&self) -> usize {
        self.longest_line
    }

    /// Writes the rest, and returns the first error if there was one.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush();
        match self.error {
            Some(error) => Err(error),
            None => self.sink.flush(),
        }
    }

    #[cold]
    fn long_text(&mut self, bytes: &[u8]) {
        for piece in bytes.chunks(CHUNK) {
            self.flush();
            self.buffer[..piece.len()].copy_from_slice(piece);
            self.length = piece.len();
        }
    }

    #[cold]
    fn flush(&mut self) {
        if self.error.is_none()
            && let Err(error) = self.sink.write_all(&self.buffer[..self.length])
        {
            self.error = Some(error);
        }
        self.line_flushed += self.length - self.line_start;
        self.line_start = 0;
        self.length = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_survive_the_chunks_they_are_written_in() {
        let (mut written, mut expected) = (Vec::new(), String::new());
        let mut writer = TextWriter::new(&mut written);
        let long = "x".repeat(3 * CHUNK + 17);
        for i in 0..20_000_u32 {
            let value = i as f32 * 0.37 - 1000.0;
            writer.text(b"v ");
            writer.whole(i);
            writer.fixed6s(b" ", [value, -value], b'/');
            expected.push_str(&format!("v {i} {:.6}/{:.6}", f64::from(value), -f64::from(value)));
            if i == 7000 {
                writer.text(long.as_bytes());
                expected.push_str(&long);
            }
            writer.end_line();
            writer.block(|block| {
                block.text(b"w ");
                block.fixed6s([value, 0.5]);
                block.text(b" ");
                block.whole(i);
                block.text(b"\n");
            });
            expected.push_str(&format!("\nw {:.6} 0.500000 {i}\n", f64::from(value)));
        }
        let longest = expected.lines().map(str::len).max();
        assert_eq!(Some(writer.longest_line()), longest);
        writer.finish().expect("memory takes everything");
        assert!(written == expected.as_bytes());
    }

    #[test]
    fn the_first_failure_is_told_at_the_end() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::Error::other("full"))
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut full = Full;
        let mut writer = TextWriter::new(&mut full);
        for _ in 0..CHUNK {
            writer.fixed6(1.0_f32);
        }
        assert!(writer.finish().is_err());
    }
}
