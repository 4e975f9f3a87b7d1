/// A finished picture: rows from the top, four bytes per pixel (sRGB and straight alpha).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// All pixels.
    pub rgba: Vec<u8>,
}

impl Picture {
    /// A picture of one colour.
    pub fn filled(width: u32, height: u32, color: [u8; 4]) -> Self {
        let pixels = width as usize * height as usize;
        Self { width, height, rgba: color.repeat(pixels) }
    }

    /// Pastes another picture with its top left corner at `x` and `y`, clipped to this one.
    pub fn paste(&mut self, other: &Picture, x: u32, y: u32) {
        let columns = other.width.min(self.width.saturating_sub(x)) as usize;
        let rows = other.height.min(self.height.saturating_sub(y)) as usize;
        for row in 0..rows {
            let from = row * other.width as usize * 4;
            let to = ((y as usize + row) * self.width as usize + x as usize) * 4;
            self.rgba[to..to + columns * 4].copy_from_slice(&other.rgba[from..from + columns * 4]);
        }
    }

    /// The pixel at a column and row.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        let at = (y as usize * self.width as usize + x as usize) * 4;
        if x < self.width { self.rgba.get(at..at + 4)?.try_into().ok() } else { None }
    }
}
