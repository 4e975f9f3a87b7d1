//! The targets of curves, and their values at any frame.

use super::document::{Curve, Extend};

/// The property that a curve moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Target {
    /// Translation along an axis.
    Loc(usize),
    /// A component of the rotation, in the order w, x, y, z.
    Quat(usize),
    /// Scale along an axis.
    Scale(usize),
}

impl Target {
    pub(super) fn of(name: &[u8]) -> Option<Target> {
        let (&last, stem) = name.split_last()?;
        let axis = b"XYZ".iter().position(|&a| a == last);
        match stem {
            b"Loc" => axis.map(Target::Loc),
            b"Quat" => b"WXYZ".iter().position(|&a| a == last).map(Target::Quat),
            b"Scale" | b"Size" => axis.map(Target::Scale),
            _ => None,
        }
    }
}

/// A frame at which a curve bends or jumps. It is straight between two knots.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Knot {
    pub frame: f64,
    /// The value before the frame.
    pub left: f64,
    /// The value after the frame.
    pub right: f64,
}

/// Remaining knots for repeating curves, so that a short file cannot request endless cycles.
pub(super) struct Budget {
    pub left: usize,
    pub exceeded: bool,
}

impl Budget {
    pub(super) fn new(keys: usize) -> Self {
        Self { left: 2048 + 4 * keys, exceeded: false }
    }

    /// Takes up to `wanted` knots from the budget.
    pub(super) fn take(&mut self, wanted: usize) -> usize {
        let taken = wanted.min(self.left);
        self.left -= taken;
        self.exceeded |= taken < wanted;
        taken
    }
}

/// The first and last frame of a curve's keys.
pub(super) fn span(curve: &Curve) -> Option<(f32, f32)> {
    let frames = || curve.keys.iter().map(|k| k[0]);
    Some((frames().reduce(f32::min)?, frames().reduce(f32::max)?))
}

/// The curve over the frames of its clip, from `start` to `end`: its keys, and its extension before and after them.
/// Empty without keys; the first and last value hold outside.
pub(super) fn knots(curve: &Curve, start: f64, end: f64, budget: &mut Budget) -> Vec<Knot> {
    let keys = sorted(&curve.keys);
    let own = own_knots(&keys, curve.interpolation.holds());
    let (Some(&first), Some(&last)) = (own.first(), own.last()) else { return own };
    match curve.extend {
        Extend::Extrap if !curve.interpolation.holds() => extrapolated(own, start, end),
        Extend::Cyclic | Extend::CyclicExtrap if last.frame > first.frame => {
            let rise = if curve.extend == Extend::CyclicExtrap { last.right - first.right } else { 0.0 };
            repeated(&own, rise, start, end, budget)
        }
        _ => own,
    }
}

/// Sorts keys by frame; if several share a frame, the last is used.
fn sorted(keys: &[[f32; 2]]) -> Vec<[f64; 2]> {
    let mut sorted: Vec<[f64; 2]> = keys.iter().map(|k| k.map(f64::from)).collect();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]));
    sorted.dedup_by(|later, earlier| {
        let same = later[0] == earlier[0];
        if same {
            earlier[1] = later[1];
        }
        same
    });
    sorted
}

fn own_knots(keys: &[[f64; 2]], holds: bool) -> Vec<Knot> {
    let mut before = None;
    let knot = |&[frame, value]: &[f64; 2]| {
        let left = if holds { before.unwrap_or(value) } else { value };
        before = Some(value);
        Knot { frame, left, right: value }
    };
    keys.iter().map(knot).collect()
}

fn extrapolated(mut knots: Vec<Knot>, start: f64, end: f64) -> Vec<Knot> {
    let along = |a: Knot, b: Knot, frame: f64| {
        a.right + (b.left - a.right) * ((frame - a.frame) / (b.frame - a.frame))
    };
    if let [.., a, b] = knots[..]
        && b.frame < end
    {
        let value = along(a, b, end);
        knots.push(Knot { frame: end, left: value, right: value });
    }
    if let [a, b, ..] = knots[..]
        && start < a.frame
    {
        let value = along(a, b, start);
        knots.insert(0, Knot { frame: start, left: value, right: value });
    }
    knots
}

/// Repeats the knots over the whole clip, each time raised by `rise`.
fn repeated(own: &[Knot], rise: f64, start: f64, end: f64, budget: &mut Budget) -> Vec<Knot> {
    let (first, last) = (own[0], own[own.len() - 1]);
    let length = last.frame - first.frame;
    let cycles = |frames: f64| (frames / length).ceil().clamp(0.0, 1e9) as usize;
    let (before, after) = (cycles(first.frame - start), cycles(end - last.frame));
    let granted = budget.take((before + after).saturating_mul(own.len())) / own.len();
    let (before, after) = (before.min(granted), after.min(granted - before.min(granted)));
    let mut knots: Vec<Knot> = Vec::with_capacity((before + after + 1) * own.len());
    for cycle in -(before as i64)..=after as i64 {
        let (shift, lift) = (cycle as f64 * length, cycle as f64 * rise);
        for (i, knot) in own.iter().enumerate() {
            let (left, right) = (knot.left + lift, knot.right + lift);
            match knots.last_mut() {
                // A cycle ends where the next begins.
                Some(end) if i == 0 => end.right = right,
                _ => knots.push(Knot { frame: knot.frame + shift, left, right }),
            }
        }
    }
    trim(&mut knots, start, end);
    knots
}

/// Removes everything before `start` and after `end`.
fn trim(knots: &mut Vec<Knot>, start: f64, end: f64) {
    if knots.first().is_some_and(|k| k.frame < start) {
        let (_, right) = at(knots, start);
        let kept = knots.partition_point(|k| k.frame <= start);
        knots.splice(..kept, [Knot { frame: start, left: right, right }]);
    }
    if knots.last().is_some_and(|k| k.frame > end) {
        let (left, right) = at(knots, end);
        let kept = knots.partition_point(|k| k.frame < end);
        knots.truncate(kept);
        knots.push(Knot { frame: end, left, right });
    }
}

/// The values of a curve before and after a frame. There must be at least one knot.
pub(super) fn at(knots: &[Knot], frame: f64) -> (f64, f64) {
    let next = knots.partition_point(|k| k.frame < frame);
    let Some(&b) = knots.get(next) else {
        let end = knots.last().map_or(0.0, |k| k.right);
        return (end, end);
    };
    if b.frame == frame {
        return (b.left, b.right);
    }
    let Some(&a) = next.checked_sub(1).and_then(|i| knots.get(i)) else { return (b.left, b.left) };
    let value = a.right + (b.left - a.right) * ((frame - a.frame) / (b.frame - a.frame));
    (value, value)
}

#[cfg(test)]
mod tests {
    use super::super::document::{Extend, Interpolation};
    use super::*;

    fn curve(interpolation: Interpolation, extend: Extend, keys: &[[f32; 2]]) -> Curve {
        Curve { name: "LocX".into(), interpolation, extend, keys: keys.to_vec() }
    }

    /// The values at the start of the clip, at `frames`, from 0 to 100.
    fn values(curve: &Curve, frames: &[f64]) -> Vec<f64> {
        let knots = knots(curve, 0.0, 100.0, &mut Budget::new(10));
        assert!(knots.windows(2).all(|k| k[0].frame < k[1].frame), "{knots:?}");
        frames.iter().map(|&f| at(&knots, f).1).collect()
    }

    #[test]
    fn names_are_known_in_both_spellings() {
        assert_eq!(Target::of(b"LocZ"), Some(Target::Loc(2)));
        assert_eq!(Target::of(b"QuatW"), Some(Target::Quat(0)));
        assert_eq!(Target::of(b"SizeY"), Target::of(b"ScaleY"));
        for unknown in [&b"LocW"[..], b"RotX", b"loc", b"", b"X"] {
            assert_eq!(Target::of(unknown), None);
        }
    }

    #[test]
    fn curves_go_on_as_they_say() {
        use Extend::*;
        let keys = [[20.0, 1.0], [30.0, 2.0], [40.0, 5.0]];
        let frames = [0.0, 10.0, 20.0, 25.0, 35.0, 40.0, 45.0, 60.0, 100.0];
        for (extend, expected) in [
            (Const, [1.0, 1.0, 1.0, 1.5, 3.5, 5.0, 5.0, 5.0, 5.0]),
            (Extrap, [-1.0, 0.0, 1.0, 1.5, 3.5, 5.0, 6.5, 11.0, 23.0]),
            (Cyclic, [1.0, 2.0, 1.0, 1.5, 3.5, 1.0, 1.5, 1.0, 5.0]),
            (CyclicExtrap, [-3.0, -2.0, 1.0, 1.5, 3.5, 5.0, 5.5, 9.0, 17.0]),
        ] {
            let found = values(&curve(Interpolation::Linear, extend, &keys), &frames);
            let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9);
            assert!(near, "{extend:?}: {found:?}");
        }
        let held = values(&curve(Interpolation::Const, Extrap, &keys), &frames);
        assert_eq!(held, [1.0, 1.0, 1.0, 1.0, 2.0, 5.0, 5.0, 5.0, 5.0]);
    }

    #[test]
    fn keys_are_sorted_and_the_last_of_equals_counts() {
        let curve = curve(Interpolation::Linear, Extend::Const, &[[10.0, 3.0], [0.0, 1.0], [10.0, 2.0]]);
        assert_eq!(values(&curve, &[0.0, 5.0, 10.0]), [1.0, 1.5, 2.0]);
    }

    #[test]
    fn endless_cycles_are_cut() {
        let curve = curve(Interpolation::Linear, Extend::Cyclic, &[[0.0, 0.0], [1e-6, 1.0]]);
        let mut budget = Budget::new(2);
        let knots = knots(&curve, 0.0, 1e6, &mut budget);
        assert!(budget.exceeded && knots.len() < 20_000);
    }
}
