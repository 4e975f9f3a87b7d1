//! One number over time, as described by a sampler's keys.

use crate::motion::Side;
use std::sync::Arc;

/// How a curve is interpolated from one key to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Linear,
    Step,
    Bezier,
    Hermite,
    /// Catmull–Rom.
    Cardinal,
    BSpline,
}

impl Way {
    /// Parses the name in INTERPOLATION.
    pub fn of(name: &str) -> Option<Self> {
        Some(match name {
            "LINEAR" => Way::Linear,
            "STEP" => Way::Step,
            "BEZIER" => Way::Bezier,
            "HERMITE" => Way::Hermite,
            "CARDINAL" | "TCB" => Way::Cardinal,
            "BSPLINE" => Way::BSpline,
            _ => return None,
        })
    }
}

/// A key's tangents: control points (time, value) for Bézier, vectors for Hermite.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Handles {
    pub before: [f64; 2],
    pub after: [f64; 2],
}

/// Keys of one number.
#[derive(Debug, Clone)]
pub(super) struct Curve {
    /// Ascending.
    pub times: Arc<[f64]>,
    /// One per key; the last key's is not used.
    pub ways: Arc<[Way]>,
    pub values: Vec<f64>,
    /// One per key, or empty if no key needs any.
    pub handles: Vec<Handles>,
}

/// The key before a time, and the fraction of the way to the next key, in 0..1.
pub(super) fn segment(times: &[f64], time: f64, side: Side) -> (usize, f64) {
    let passed = match side {
        Side::After => times.partition_point(|&t| t <= time),
        Side::Before => times.partition_point(|&t| t < time),
    };
    let last = times.len().saturating_sub(1);
    let key = passed.saturating_sub(1).min(last);
    if passed == 0 || key >= last {
        return (key, 0.0);
    }
    let (from, to) = (times[key], times[key + 1]);
    (key, ((time - from) / (to - from)).clamp(0.0, 1.0))
}

impl Curve {
    /// The value at a time; the first and last values are held outside the keys.
    pub fn at(&self, time: f64, side: Side) -> f64 {
        let (key, u) = segment(&self.times, time, side);
        let value = |i: usize| self.values.get(i).copied().unwrap_or(0.0);
        let is_loose = self.ways.get(key) == Some(&Way::BSpline)
            && self.times.first().is_some_and(|&first| time >= first);
        if key + 1 >= self.values.len() || (u == 0.0 && !is_loose) {
            return value(key);
        }
        let (a, b) = (value(key), value(key + 1));
        let (from, to) = (self.times[key], self.times[key + 1]);
        let handles = self.handles.get(key).zip(self.handles.get(key + 1));
        let way = self.ways.get(key).copied().unwrap_or(Way::Linear);
        match (way, handles.map(|(first, second)| (first.after, second.before))) {
            (Way::Step, _) => a,
            (Way::Bezier, Some((c, d))) => {
                // Control points outside the segment would make time run backwards.
                let times = [from, c[0].clamp(from, to), d[0].clamp(from, to), to];
                bezier([a, c[1], d[1], b], solve(|s| bezier(times, s), time, u))
            }
            (Way::Hermite, Some((m, n))) => {
                hermite([a, m[1], b, n[1]], solve(|s| hermite([from, m[0], to, n[0]], s), time, u))
            }
            (Way::Linear | Way::Bezier | Way::Hermite, _) => a + (b - a) * u,
            (Way::Cardinal, _) => {
                let (before, after) =
                    (value(key.saturating_sub(1)), value((key + 2).min(self.values.len() - 1)));
                hermite([a, (b - before) / 2.0, b, (after - a) / 2.0], u)
            }
            (Way::BSpline, _) => {
                // The ends are mirrored, so that the spline starts and ends at the first and last key.
                let before = if key == 0 { 2.0 * a - b } else { value(key - 1) };
                let after = if key + 2 < self.values.len() { value(key + 2) } else { 2.0 * b - a };
                let (u2, u3) = (u * u, u * u * u);
                (before * (1.0 - 3.0 * u + 3.0 * u2 - u3)
                    + a * (4.0 - 6.0 * u2 + 3.0 * u3)
                    + b * (1.0 + 3.0 * u + 3.0 * u2 - 3.0 * u3)
                    + after * u3)
                    / 6.0
            }
        }
    }
}

fn bezier([a, b, c, d]: [f64; 4], s: f64) -> f64 {
    let r = 1.0 - s;
    r * r * r * a + 3.0 * r * r * s * b + 3.0 * r * s * s * c + s * s * s * d
}

/// Arguments: start, its tangent, end, its tangent.
fn hermite([a, m, b, n]: [f64; 4], s: f64) -> f64 {
    let (s2, s3) = (s * s, s * s * s);
    a * (2.0 * s3 - 3.0 * s2 + 1.0) + m * (s3 - 2.0 * s2 + s) + b * (3.0 * s2 - 2.0 * s3) + n * (s3 - s2)
}

/// Finds the parameter at which an increasing time function reaches a time, by bisection from a linear guess.
fn solve(time_at: impl Fn(f64) -> f64, time: f64, guess: f64) -> f64 {
    let scale = (time_at(1.0) - time_at(0.0)).abs();
    if (time_at(guess) - time).abs() <= scale * 1e-12 {
        return guess;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..52 {
        let middle = (low + high) / 2.0;
        if time_at(middle) <= time { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(way: Way, values: [f64; 2], handles: Option<[[f64; 2]; 2]>) -> Curve {
        let handles = handles.map_or(Vec::new(), |[after, before]| {
            vec![Handles { after, ..Handles::default() }, Handles { before, ..Handles::default() }]
        });
        Curve { times: Arc::new([1.0, 3.0]), ways: Arc::new([way; 2]), values: values.to_vec(), handles }
    }

    fn at(curve: &Curve, time: f64, expected: f64) {
        let found = curve.at(time, Side::After);
        assert!((found - expected).abs() < 1e-9, "{found} instead of {expected} at {time}");
    }

    #[test]
    fn linear_and_step() {
        let linear = curve(Way::Linear, [10.0, 20.0], None);
        for (time, value) in [(0.0, 10.0), (1.0, 10.0), (1.5, 12.5), (3.0, 20.0), (9.0, 20.0)] {
            at(&linear, time, value);
        }
        let step = curve(Way::Step, [10.0, 20.0], None);
        for (time, value) in [(0.0, 10.0), (2.999, 10.0), (3.0, 20.0)] {
            at(&step, time, value);
        }
        assert_eq!(step.at(3.0, Side::Before), 10.0);
    }

    #[test]
    fn a_bezier_with_time_handles_is_slow_at_both_ends() {
        // Time 1, 2, 2, 3 and value 0, 0, 1, 1: halfway through the parameter, both are halfway.
        let ease = curve(Way::Bezier, [0.0, 1.0], Some([[2.0, 0.0], [2.0, 1.0]]));
        at(&ease, 2.0, 0.5);
        // At parameter 1/4 the time is 1·27/64 + 2·(27+9)/64 + 3·1/64 = 102/64, and the value is (9 + 1)/64.
        at(&ease, 102.0 / 64.0, 10.0 / 64.0);
        // With handles at thirds of the time, the curve is the polynomial itself.
        let thirds = curve(Way::Bezier, [0.0, 1.0], Some([[5.0 / 3.0, 0.0], [7.0 / 3.0, 1.0]]));
        at(&thirds, 1.5, 10.0 / 64.0);
    }

    #[test]
    fn a_hermite_curve_has_its_tangents() {
        // 3s² − 2s³ without tangents, plus s³ − 2s² + s per unit of the first tangent.
        let flat = curve(Way::Hermite, [0.0, 1.0], Some([[2.0, 0.0], [2.0, 0.0]]));
        at(&flat, 1.5, 3.0 / 16.0 - 2.0 / 64.0);
        let steep = curve(Way::Hermite, [0.0, 1.0], Some([[2.0, 4.0], [2.0, 0.0]]));
        at(&steep, 1.5, 3.0 / 16.0 - 2.0 / 64.0 + 4.0 * (1.0 / 64.0 - 2.0 / 16.0 + 0.25));
    }

    #[test]
    fn splines_through_and_along_their_keys() {
        let times: Arc<[f64]> = Arc::new([0.0, 1.0, 2.0, 3.0]);
        let of = |way| Curve {
            times: Arc::clone(&times),
            ways: Arc::new([way; 4]),
            values: vec![0.0, 1.0, 0.0, 3.0],
            handles: Vec::new(),
        };
        // Catmull–Rom at the midpoint: (−p0 + 9 p1 + 9 p2 − p3) / 16.
        at(&of(Way::Cardinal), 1.5, (9.0 - 3.0) / 16.0);
        // A uniform cubic B-spline at the midpoint: (p0 + 23 p1 + 23 p2 + p3) / 48.
        at(&of(Way::BSpline), 1.5, (23.0 + 3.0) / 48.0);
        at(&of(Way::BSpline), 1.0, 4.0 / 6.0);
        at(&of(Way::BSpline), 0.0, 0.0);
        at(&of(Way::BSpline), 3.0, 3.0);
    }

    #[test]
    fn handles_that_run_backwards_do_not_run_away() {
        let wild = curve(Way::Bezier, [0.0, 1.0], Some([[-100.0, 0.0], [100.0, 1.0]]));
        let mut last = 0.0;
        for i in 0..=20 {
            let value = wild.at(1.0 + f64::from(i) / 10.0, Side::After);
            assert!((0.0..=1.0).contains(&value) && value >= last);
            last = value;
        }
    }
}
