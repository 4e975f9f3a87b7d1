//! How two models share the picture: side by side, one over the other, or in turn.

use crate::state::State;

/// Seconds that each model is seen while they blink.
const BLINK: f64 = 0.6;

/// How two models share the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Arrangement {
    /// Side by side.
    #[default]
    Side,
    /// The second over the first, translucent.
    Overlay,
    /// One at a time, in turn: what differs seems to jump.
    Blink,
}

impl Arrangement {
    /// All, in the order of their shortcut.
    pub const ALL: [Self; 3] = [Self::Side, Self::Overlay, Self::Blink];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Side => "side by side",
            Self::Overlay => "overlay",
            Self::Blink => "blink",
        }
    }

    /// The one after it.
    pub fn next(self) -> Self {
        match self {
            Self::Side => Self::Overlay,
            Self::Overlay => Self::Blink,
            Self::Blink => Self::Side,
        }
    }
}

/// The arrangement, and what it needs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layers {
    /// The arrangement.
    pub arrangement: Arrangement,
    /// How much is seen of the second model in an overlay, from 0 to 1.
    pub mix: f64,
    /// Seconds since blinking began.
    elapsed: f64,
}

impl Default for Layers {
    fn default() -> Self {
        Self { arrangement: Arrangement::Side, mix: 0.5, elapsed: 0.0 }
    }
}

impl Layers {
    /// Chooses an arrangement.
    pub fn arrange(&mut self, arrangement: Arrangement) {
        (self.arrangement, self.elapsed) = (arrangement, 0.0);
    }

    /// Chooses how much is seen of the second model.
    pub fn set_mix(&mut self, mix: f64) {
        if mix.is_finite() {
            self.mix = mix.clamp(0.0, 1.0);
        }
    }

    /// Time passes. Returns whether another model is seen now.
    fn tick(&mut self, seconds: f64) -> bool {
        let before = self.turn();
        self.elapsed += seconds.clamp(0.0, BLINK);
        self.turn() != before
    }

    fn turn(&self) -> u64 {
        (self.elapsed / BLINK) as u64
    }

    fn opacity(&self) -> Option<f64> {
        match self.arrangement {
            Arrangement::Side => None,
            Arrangement::Overlay => Some(self.mix),
            Arrangement::Blink => Some((self.turn() % 2) as f64),
        }
    }

    /// Seconds until another model is seen.
    fn due(&self) -> f64 {
        BLINK - self.elapsed % BLINK
    }
}

impl State {
    /// How much is seen of the second model, which is drawn over the first; `None` if they are side by side, or if there is
    /// only one.
    pub fn opacity(&self) -> Option<f64> {
        self.layers.opacity().filter(|_| self.slots.len() > 1)
    }

    /// Seconds until the picture changes because models blink.
    pub(crate) fn blink_due(&self) -> Option<f64> {
        let blinks = self.layers.arrangement == Arrangement::Blink && self.opacity().is_some();
        blinks.then(|| self.layers.due())
    }

    /// Time passes for blinking models.
    pub(crate) fn blink(&mut self, seconds: f64) {
        if self.blink_due().is_some() && self.layers.tick(seconds) {
            self.behind = true;
        }
    }

    pub(crate) fn arrange(&mut self, arrangement: Arrangement) {
        let before = self.opacity().is_some();
        self.layers.arrange(arrangement);
        if self.opacity().is_some() != before {
            self.fit();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_blink_in_turn() {
        let mut layers = Layers::default();
        assert_eq!(layers.opacity(), None);
        layers.arrange(Arrangement::Blink);
        assert_eq!(layers.opacity(), Some(0.0));
        assert!(!layers.tick(BLINK * 0.5));
        assert!(layers.tick(BLINK * 0.6));
        assert_eq!(layers.opacity(), Some(1.0));
        assert!((layers.due() - BLINK * 0.9).abs() < 1e-9);
        assert!(layers.tick(100.0), "a long pause is one turn");
        assert_eq!(layers.opacity(), Some(0.0));
        layers.arrange(Arrangement::Overlay);
        layers.set_mix(7.0);
        layers.set_mix(f64::NAN);
        assert_eq!(layers.opacity(), Some(1.0));
    }
}
