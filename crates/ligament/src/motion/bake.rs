//! Converts values over time to the keys of a track: the file's own keys where linear interpolation is right, more keys
//! where it is not.

use super::fit::{Fit, PROBES};
use super::property::{Property, Value};
use crate::scene::{Interpolation, NodeId, Track, Values};

/// Which value counts at the time of a jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Before,
    After,
}

/// Values closer than this are the same.
const SAME: f64 = 1e-9;

/// The keys of a track.
pub(crate) struct Baked<V> {
    times: Vec<f32>,
    values: Vec<V>,
    is_step: bool,
}

/// What to bake, and how precisely.
pub(crate) struct Task<'a> {
    /// Times of the file's keys, ascending.
    pub(crate) keys: &'a [f64],
    /// Subtracted from times, because clips start at 0.
    pub(crate) shift: f64,
    /// How much a distance of 1 counts, relative to the model's size.
    pub(crate) weight: f64,
}

impl Task<'_> {
    /// Returns keys for a value over time.
    pub(crate) fn bake<V: Value>(&self, fit: &mut Fit<'_>, at: impl Fn(f64, Side) -> V) -> Baked<V> {
        let mut baked = Baked { times: Vec::new(), values: Vec::new(), is_step: false };
        let Some(&first) = self.keys.first() else { return baked };
        if let Some(steps) = self.steps(&at) {
            return steps;
        }
        let property = Property::new(|time| at(time, Side::After), self.weight).beginning(self.shift);
        let mut last = (first, at(first, Side::After));
        for &time in &self.keys[1..] {
            let (end, next) = (at(time, Side::Before), at(time, Side::After));
            let jumps = end.distance(&next) > SAME;
            last = fit.stretch(&property, last, (time, end), &mut |time, value| {
                baked.push(time - self.shift, value)
            });
            if jumps {
                // Hold the old value up to the last f32 before the key.
                let before = ((time - self.shift) as f32).next_down();
                baked.push(f64::from(before), last.1);
                last.1 = next;
            }
        }
        baked.push(last.0 - self.shift, last.1);
        baked
    }

    /// Step keys, if the value only changes in jumps.
    fn steps<V: Value>(&self, at: &impl Fn(f64, Side) -> V) -> Option<Baked<V>> {
        let mut baked = Baked { times: Vec::new(), values: Vec::new(), is_step: true };
        let mut jumps = false;
        let mut value = at(*self.keys.first()?, Side::After);
        baked.push(self.keys[0] - self.shift, value.clone());
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
                baked.push(to - self.shift, next.clone());
            }
            value = next;
        }
        jumps.then_some(baked)
    }
}

impl<V> Baked<V> {
    /// Adds a key; times increase strictly, whatever rounding does to them.
    fn push(&mut self, time: f64, value: V) {
        let time = (time as f32).max(0.0);
        match self.times.last() {
            Some(&last) if time <= last => {
                if let Some(last) = self.values.last_mut() {
                    *last = value;
                }
            }
            _ => {
                self.times.push(time);
                self.values.push(value);
            }
        }
    }
}

impl<V: Value> Baked<V> {
    /// Reduces a constant value to one key; `None` if it never leaves the rest value.
    pub(crate) fn leaving(mut self, rest: &V) -> Option<Self> {
        let first = self.values.first()?;
        if self.values.iter().all(|v| v.distance(first) <= SAME) {
            if first.distance(rest) <= SAME {
                return None;
            }
            self.values.truncate(1);
            self.times.truncate(1);
        }
        Some(self)
    }

    pub(crate) fn track(self, node: NodeId, values: impl Fn(&[V]) -> Values) -> Track {
        let interpolation = if self.is_step { Interpolation::Step } else { Interpolation::Linear };
        Track { node, interpolation, times: self.times.into(), values: values(&self.values) }
    }
}
