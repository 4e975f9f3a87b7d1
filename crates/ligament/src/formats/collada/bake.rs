//! Values over time to the keys of a track: the file's keys where going straight between them is right, more where it is
//! not.

use super::curves::Side;
use glam::{DQuat, DVec3};

/// Where between two keys the track is compared with what it stands for. Not at even fractions, which whole turns could
/// hide behind.
const PROBES: [f64; 3] = [0.29, 0.5, 0.83];

/// How often a piece between two keys is halved at most.
const HALVINGS: u32 = 8;

/// A value that a track can hold.
pub(super) trait Value: Clone {
    fn between(&self, other: &Self, u: f64) -> Self;
    fn distance(&self, other: &Self) -> f64;
}

impl Value for DVec3 {
    fn between(&self, other: &Self, u: f64) -> Self {
        self.lerp(*other, u)
    }

    fn distance(&self, other: &Self) -> f64 {
        DVec3::distance(*self, *other)
    }
}

impl Value for DQuat {
    fn between(&self, other: &Self, u: f64) -> Self {
        self.slerp(*other, u)
    }

    /// The angle between them.
    fn distance(&self, other: &Self) -> f64 {
        // By the sine too, which is exact for small angles.
        let turned = self.conjugate() * *other;
        2.0 * turned.xyz().length().atan2(turned.w.abs())
    }
}

impl Value for Vec<f64> {
    fn between(&self, other: &Self, u: f64) -> Self {
        self.iter().zip(other).map(|(a, b)| a + (b - a) * u).collect()
    }

    fn distance(&self, other: &Self) -> f64 {
        self.iter().zip(other).fold(0.0, |m, (a, b)| m.max((a - b).abs()))
    }
}

/// The keys of a track.
pub(super) struct Baked<V> {
    pub times: Vec<f32>,
    pub values: Vec<V>,
    pub is_step: bool,
    /// How far the track is off between its keys, as far as it was looked at.
    pub error: f64,
}

/// What is baked, and how well.
pub(super) struct Task<'a> {
    /// Times of the file's keys, ascending.
    pub keys: &'a [f64],
    /// What is taken from times: clips start at 0.
    pub shift: f64,
    /// Deviation that needs no more keys.
    pub tolerance: f64,
    /// Pieces that each stretch between two keys is cut into before anything is compared.
    pub pieces: &'a dyn Fn(f64, f64) -> usize,
    /// Values that may still be worked out for additional keys.
    pub left: &'a mut usize,
}

impl Task<'_> {
    /// Keys for a value over time.
    pub fn bake<V: Value>(&mut self, mut at: impl FnMut(f64, Side) -> V) -> Baked<V> {
        let mut baked = Baked { times: Vec::new(), values: Vec::new(), is_step: false, error: 0.0 };
        let Some(&first) = self.keys.first() else { return baked };
        if let Some(steps) = self.steps(&mut at) {
            return steps;
        }
        let mut start = at(first, Side::After);
        self.push(&mut baked, first, start.clone());
        for pair in self.keys.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let end = at(to, Side::Before);
            self.stretch(&mut baked, (from, start), (to, end.clone()), &mut at);
            let next = at(to, Side::After);
            if end.distance(&next) > 1e-9 {
                // A jump: the old value up to the last moment that can be told from the key.
                let time = f64::from(((to - self.shift) as f32).next_down()) + self.shift;
                self.push(&mut baked, time, end);
            }
            self.push(&mut baked, to, next.clone());
            start = next;
        }
        baked
    }

    /// A value that only jumps, if it does.
    fn steps<V: Value>(&self, at: &mut impl FnMut(f64, Side) -> V) -> Option<Baked<V>> {
        let mut baked = Baked { times: Vec::new(), values: Vec::new(), is_step: true, error: 0.0 };
        let mut jumps = false;
        let mut value = at(*self.keys.first()?, Side::After);
        self.push(&mut baked, self.keys[0], value.clone());
        for pair in self.keys.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let is_held = |v: V| v.distance(&value) <= 1e-12;
            if !is_held(at(to, Side::Before))
                || !PROBES.iter().all(|u| is_held(at(from + (to - from) * u, Side::After)))
            {
                return None;
            }
            let next = at(to, Side::After);
            if next.distance(&value) > 1e-12 {
                jumps = true;
                self.push(&mut baked, to, next.clone());
            }
            value = next;
        }
        jumps.then_some(baked)
    }

    /// Adds the keys between two keys.
    fn stretch<V: Value>(
        &mut self,
        baked: &mut Baked<V>,
        (from, start): (f64, V),
        (to, end): (f64, V),
        at: &mut impl FnMut(f64, Side) -> V,
    ) {
        let pieces = (self.pieces)(from, to).clamp(1, 4096).min((*self.left).max(1));
        let mut before = (from, start);
        for piece in 1..=pieces {
            let time = if piece == pieces { to } else { from + (to - from) * piece as f64 / pieces as f64 };
            let value = if piece == pieces { end.clone() } else { at(time, Side::After) };
            *self.left = self.left.saturating_sub(1);
            self.refine(baked, before, (time, value.clone()), at);
            if piece < pieces {
                self.push(baked, time, value.clone());
            }
            before = (time, value);
        }
    }

    fn refine<V: Value>(
        &mut self,
        baked: &mut Baked<V>,
        start: (f64, V),
        end: (f64, V),
        at: &mut impl FnMut(f64, Side) -> V,
    ) {
        // Ends of pieces that are still to be looked at, the nearest last.
        let mut open = vec![(end, 0)];
        let mut start = start;
        while let Some((end, halvings)) = open.pop() {
            let span = end.0 - start.0;
            let off = PROBES.iter().fold(0.0_f64, |off, u| {
                off.max(start.1.between(&end.1, *u).distance(&at(start.0 + span * u, Side::After)))
            });
            let middle = start.0 + span / 2.0;
            let fits = |a: f64, b: f64| ((a - self.shift) as f32) < ((b - self.shift) as f32);
            let can_halve =
                halvings < HALVINGS && *self.left > 0 && fits(start.0, middle) && fits(middle, end.0);
            if off > self.tolerance && can_halve {
                *self.left -= 1;
                let value = at(middle, Side::After);
                open.push((end, halvings + 1));
                open.push(((middle, value), halvings + 1));
                continue;
            }
            baked.error = baked.error.max(off);
            if !open.is_empty() {
                self.push(baked, end.0, end.1.clone());
            }
            start = end;
        }
    }

    /// Times rise strictly, whatever rounding does to them.
    fn push<V: Value>(&self, baked: &mut Baked<V>, time: f64, value: V) {
        let time = ((time - self.shift) as f32).max(0.0);
        match baked.times.last() {
            Some(&last) if time <= last => {
                if let Some(last) = baked.values.last_mut() {
                    *last = value;
                }
            }
            _ => {
                baked.times.push(time);
                baked.values.push(value);
            }
        }
    }
}
