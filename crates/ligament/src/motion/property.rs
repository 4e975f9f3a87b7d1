//! One property over time.

use super::fit::Motion;
use glam::{DQuat, DVec3};

/// The value of a track, as a scene plays it.
pub(crate) trait Value: Clone {
    /// The value at a fraction of the way to `other`.
    fn between(&self, other: &Self, fraction: f64) -> Self;

    /// The distance from `other`; in radians for rotations.
    fn distance(&self, other: &Self) -> f64;

    /// Whether the way to `other` could change once both are rounded.
    fn is_ambiguous(&self, _other: &Self) -> bool {
        false
    }
}

impl Value for DVec3 {
    fn between(&self, other: &Self, fraction: f64) -> Self {
        self.lerp(*other, fraction)
    }

    fn distance(&self, other: &Self) -> f64 {
        DVec3::distance(*self, *other)
    }
}

impl Value for DQuat {
    fn between(&self, other: &Self, fraction: f64) -> Self {
        self.slerp(*other, fraction)
    }

    fn distance(&self, other: &Self) -> f64 {
        // Uses the sine, which is exact for small angles, whatever the signs of the two.
        let turned = self.conjugate() * *other;
        2.0 * turned.xyz().length().atan2(turned.w.abs())
    }

    /// True above 120°; at 180° neither way is shorter.
    fn is_ambiguous(&self, other: &Self) -> bool {
        self.dot(*other).abs() < 0.5
    }
}

/// Morph weights.
impl Value for Vec<f64> {
    fn between(&self, other: &Self, fraction: f64) -> Self {
        self.iter().zip(other).map(|(a, b)| a + (b - a) * fraction).collect()
    }

    fn distance(&self, other: &Self) -> f64 {
        self.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }
}

/// A property of a node as a function of time, which the keys of a track follow.
pub(crate) struct Property<F> {
    value: F,
    /// The weight of a distance of 1, as a fraction of the model's size.
    weight: f64,
    /// The time at which the clip begins on the function's clock.
    begin: f64,
}

impl<F> Property<F> {
    pub(crate) fn new(value: F, weight: f64) -> Self {
        Self { value, weight, begin: 0.0 }
    }

    /// Sets the clock: the clip begins at `begin`.
    pub(crate) fn beginning(self, begin: f64) -> Self {
        Self { begin, ..self }
    }
}

impl<V: Value, F: Fn(f64) -> V> Motion for Property<F> {
    type Key = V;

    fn at(&self, time: f64) -> V {
        (self.value)(time)
    }

    fn between(&self, from: &V, to: &V, fraction: f64) -> V {
        from.between(to, fraction)
    }

    fn distance(&self, made: &V, wanted: &V) -> f64 {
        made.distance(wanted) * self.weight
    }

    fn is_ambiguous(&self, from: &V, to: &V) -> bool {
        from.is_ambiguous(to)
    }

    fn moment(&self, time: f64) -> f64 {
        f64::from((time - self.begin) as f32) + self.begin
    }
}
