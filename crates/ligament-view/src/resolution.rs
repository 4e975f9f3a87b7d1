//! Pictures that follow each other quickly enough, at the price of their sharpness.

/// Seconds from picture to picture that look like motion.
const ENOUGH: f64 = 1.0 / 14.0;
/// The coarsest: so many pixels of the window for one of the picture, each way.
const MOST: u32 = 3;
/// Pictures that are looked at before anything is changed.
const PATIENCE: u32 = 3;

/// How coarse pictures are while something plays. On a graphics card they never are; a processor that plays one gets a
/// quarter or a ninth of the work. What stands still is always sharp.
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
    /// Pixels of the window for one of the picture, each way.
    pub fn coarse(self) -> u32 {
        self.coarse
    }

    /// A picture took so many seconds while something played.
    pub fn note(&mut self, seconds: f64) {
        self.slow = if seconds > ENOUGH { self.slow + 1 } else { 0 };
        if self.slow >= PATIENCE {
            *self = Self { coarse: (self.coarse + 1).min(MOST), slow: 0 };
        }
    }

    /// Nothing plays any more. Returns whether the last picture was coarse.
    pub fn rest(&mut self) -> bool {
        std::mem::take(self).coarse > 1
    }

    /// The size of a picture for a part of the window.
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
