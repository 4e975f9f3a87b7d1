//! Reads a stream from the front. No read goes past its end.

/// The unread rest of a stream.
pub(super) struct Bytes<'b>(pub &'b [u8]);

const ENDS: &str = "the stream ends too early";

impl<'b> Bytes<'b> {
    pub fn take(&mut self, count: usize) -> Result<&'b [u8], String> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(ENDS)?;
        self.0 = rest;
        Ok(taken)
    }

    pub fn byte(&mut self) -> Result<u8, String> {
        let (&first, rest) = self.0.split_first().ok_or(ENDS)?;
        self.0 = rest;
        Ok(first)
    }

    /// A number in groups of seven bits, the lowest first.
    pub fn number(&mut self) -> Result<u32, String> {
        let mut value = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err("a number has more than 5 bytes".to_owned())
    }

    /// Everything must have been read.
    pub fn end(self) -> Result<(), String> {
        match self.0.len() {
            0 => Ok(()),
            left => Err(format!("{left} bytes of the stream are left over")),
        }
    }
}

/// Signed numbers with the sign in the lowest bit.
pub(super) fn unzigzag(value: u32) -> u32 {
    (value >> 1) ^ (value & 1).wrapping_neg()
}
