//! Adaptive resolution: motion stays smooth at the expense of sharpness.

/// Seconds per picture that still look like motion.
const ENOUGH: f64 = 1.0 / 14.0;
/// The coarsest factor: window pixels per picture pixel, in each direction.
const MOST: u32 = 3;
/// Slow pictures in a row before the resolution drops.
const PATIENCE: u32 = 3;

/// The resolution while a clip plays. A graphics card usually keeps up at full resolution; a CPU that draws instead
/// may draw a quarter or a ninth of the pixels. Still pictures are always sharp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resolution {
    coarse: u32,
    slow: u32,
}

impl Default for Resolution {
    fn default() -> Self {
        Self { coarse: 1, slow: 0 }
    }
}

impl Resolution {
    /// Window pixels per picture pixel, in each direction.
    pub fn coarse(self) -> u32 {
        self.coarse
    }

    /// Records the seconds that a picture took during playback.
    pub fn note(&mut self, seconds: f64) {
        self.slow = if seconds > ENOUGH { self.slow + 1 } else { 0 };
        if self.slow >= PATIENCE {
            *self = Self { coarse: (self.coarse + 1).min(MOST), slow: 0 };
        }
    }

    /// Handles the end of playback. Returns whether the last picture was coarse.
    pub fn rest(&mut self) -> bool {
        std::mem::take(self).coarse > 1
    }

    /// The picture size for a part of the window.
    pub fn size(self, window: [u32; 2]) -> [u32; 2] {
        window.map(|pixels| pixels.div_ceil(self.coarse))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_pictures_become_coarse_and_what_stands_still_is_sharp() {
        let mut resolution = Resolution::default();
        (0..100).for_each(|_| resolution.note(0.016));
        assert_eq!(resolution.size([1280, 721]), [1280, 721]);
        (0..2).for_each(|_| resolution.note(0.2));
        resolution.note(0.016);
        assert_eq!(resolution.coarse(), 1, "a hiccup is no reason");
        (0..3).for_each(|_| resolution.note(0.2));
        assert_eq!(resolution.size([1280, 721]), [640, 361]);
        (0..100).for_each(|_| resolution.note(0.2));
        assert_eq!(resolution.coarse(), MOST);
        assert!(resolution.rest() && !resolution.rest());
        assert_eq!(resolution.coarse(), 1);
        assert_eq!(resolution.size([0, 1]), [0, 1]);
    }
}
