//! The adaptive fit: subdivides a stretch of time until what is played between its ends follows the motion.

use crate::report::{Code, Loss, Report};

/// Where a stretch is probed: in the middle, where an arc is farthest from its chord, and at `(1 ∓ 1/√3) / 2`, where an
/// S curve that crosses its chord in the middle is. These are irrational, so that a wheel that makes several whole
/// turns within the stretch does not look as if it stood still.
pub(crate) const PROBES: [f64; 3] = [0.5, 0.211_324_865_405_187_1, 0.788_675_134_594_812_9];

/// How many times a stretch between two keys of the source is subdivided at most.
const DEEPEST: usize = 12;
/// The same for the few places where a curve is so steep that this is not enough, and how many keys these may take per
/// stretch. They are pieces of less than a millisecond.
const STEEPEST: usize = 24;
const STEEP_KEYS: usize = 64;

/// An arc of half the length is a quarter as far from its chord, and an arc of a third a ninth. So halves suffice if
/// the middle is off by up to 4 tolerances, and thirds up to 9; and thirds take one key less than quarters.
const HALVES: f64 = 4.0;
const THIRDS: f64 = 9.0;

/// Deviation caused by rounding the keys, as a fraction of the model's size.
const ROUNDING: f64 = 1e-6;

/// Keys that may always be added, and how many more per stretch between keys of the source.
const FEWEST: usize = 1 << 14;
const PER_STRETCH: usize = 32;

/// A motion, which is any function of time, and how the keys that follow it are played.
pub(crate) trait Motion {
    /// One key of the result: the value of one property, or of all joints.
    type Key;

    /// The exact key at a time.
    fn at(&self, time: f64) -> Self::Key;

    /// The key played between two keys, at a fraction of the way from the first to the second.
    fn between(&self, from: &Self::Key, to: &Self::Key, fraction: f64) -> Self::Key;

    /// The distance of a played key from the exact one, as a fraction of the model's size.
    fn distance(&self, made: &Self::Key, wanted: &Self::Key) -> f64;

    /// Whether rounding decides which way is taken between two keys, as with opposite rotations.
    fn is_ambiguous(&self, _from: &Self::Key, _to: &Self::Key) -> bool {
        false
    }

    /// The nearest time that a key can have. Clips store times as f32.
    fn moment(&self, time: f64) -> f64 {
        f64::from(time as f32)
    }
}

/// How far keys may be from the motion they follow, as a fraction of the model's size.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(crate) struct Tolerance(f64);

impl Tolerance {
    /// The deviation that the proof calls exact.
    pub(crate) const FINE: Self = Self(1e-5);
    /// For formats where nearly all keys are added ones: a third of the keys of [`FINE`](Self::FINE).
    pub(crate) const COARSE: Self = Self(1e-4);
}

/// How many keys may still be added to a document.
#[derive(Debug)]
pub(crate) struct KeyBudget {
    left: usize,
}

impl Default for KeyBudget {
    fn default() -> Self {
        Self { left: FEWEST }
    }
}

/// The result of a fit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Fitted {
    /// Keys that the source does not have.
    pub(crate) added: usize,
    /// The largest distance found in the result, as a fraction of the model's size.
    pub(crate) left: f64,
    /// Whether more keys were needed than may be added.
    pub(crate) cut_short: bool,
}

impl Fitted {
    /// The sum of two results.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            added: self.added + other.added,
            left: self.left.max(other.left),
            cut_short: self.cut_short || other.cut_short,
        }
    }

    /// Whether only rounding is left; without added keys, no more than the proof calls exact.
    pub(crate) fn is_exact(&self) -> bool {
        self.left <= if self.added > 0 { ROUNDING } else { Tolerance::FINE.0 }
    }

    /// Reports what is left, unless the fit is [exact](Self::is_exact). `count` is the number of objects that the
    /// message is about.
    pub(crate) fn report(
        &self,
        code: &'static Code,
        object: &str,
        count: usize,
        message: &str,
        report: &mut Report,
    ) {
        if self.is_exact() {
            return;
        }
        let end = if self.cut_short { "; the limit of added keys was reached" } else { "" };
        let (message, unit) = (format!("{message}{end}"), "of the model's size");
        report.loss(Loss::approximated(code, object, count, self.left, unit, message));
    }
}

/// Adds keys to stretches of time, one after the other. Only the keys of the current stretch are kept, because frames
/// of all joints take more memory than the clip they are made from.
#[derive(Debug)]
pub(crate) struct Fit<'b> {
    tolerance: f64,
    budget: &'b mut KeyBudget,
    /// Keys that the target still has room for.
    room: usize,
    /// Keys that steep places of the current stretch may still take.
    steep: usize,
    in_thirds: bool,
    pub(crate) done: Fitted,
}

impl<'b> Fit<'b> {
    pub(crate) fn new(tolerance: Tolerance, budget: &'b mut KeyBudget) -> Self {
        let (room, steep, done) = (usize::MAX, STEEP_KEYS, Fitted::default());
        Self { tolerance: tolerance.0, budget, room, steep, in_thirds: false, done }
    }

    /// Sets how many added keys the target can hold.
    pub(crate) fn within(self, room: usize) -> Self {
        Self { room, ..self }
    }

    /// Splits into thirds as well as halves, if that takes fewer keys. Not for one of several tracks: with halves
    /// alone, the tracks share key times.
    pub(crate) fn in_thirds(self) -> Self {
        Self { in_thirds: true, ..self }
    }

    /// Calls `each` with the keys at these ascending times and with the keys added between them, in order.
    pub(crate) fn follow<M: Motion>(
        &mut self,
        motion: &M,
        times: impl IntoIterator<Item = f64>,
        each: &mut impl FnMut(f64, M::Key),
    ) {
        let mut last: Option<(f64, M::Key)> = None;
        for time in times {
            let key = (time, motion.at(time));
            last = Some(match last {
                Some(last) => self.stretch(motion, last, key, each),
                None => key,
            });
        }
        if let Some((time, key)) = last {
            each(time, key);
        }
    }

    /// Calls `each` with the first key of a stretch and the keys added within it, in order; returns the last key.
    pub(crate) fn stretch<M: Motion>(
        &mut self,
        motion: &M,
        from: (f64, M::Key),
        to: (f64, M::Key),
        each: &mut impl FnMut(f64, M::Key),
    ) -> (f64, M::Key) {
        self.budget.left = self.budget.left.saturating_add(PER_STRETCH);
        self.steep = STEEP_KEYS;
        let mut from = from;
        // The current piece ends at `to`. The ends of those after it are on the stack, the nearest on top.
        let (mut to, mut level) = (to, 0);
        let mut after = Vec::new();
        loop {
            let mut keys = self.split(&Piece { motion, from: &from, to: &to }, level);
            if keys.is_empty() {
                each(from.0, from.1);
                let Some(next) = after.pop() else { return to };
                (from, (to, level)) = (to, next);
                continue;
            }
            // Thirds count as deep as quarters, so that a stretch gets no more pieces than by halves.
            level += keys.len();
            while let Some(key) = keys.pop() {
                after.push((std::mem::replace(&mut to, key), level));
            }
        }
    }

    /// Measures a piece of a stretch, and makes the keys it needs: one in the middle, or two.
    fn split<M: Motion>(&mut self, piece: &Piece<'_, M>, level: usize) -> Vec<(f64, M::Key)> {
        let most = if level < DEEPEST { usize::MAX } else { self.steep };
        let room = if level < STEEPEST { self.budget.left.min(self.room).min(most) } else { 0 };
        let (off, middle, bow) = piece.look(if room > 0 { THIRDS * self.tolerance } else { f64::INFINITY });
        let is_near = off <= self.tolerance && !piece.motion.is_ambiguous(&piece.from.1, &piece.to.1);
        let Some(middle) = middle.filter(|_| !is_near && room > 0) else {
            self.done.cut_short |= !is_near && level < DEEPEST && room == 0;
            self.done.left = self.done.left.max(off);
            return Vec::new();
        };
        let in_thirds = self.in_thirds && bow > HALVES * self.tolerance && off <= THIRDS * self.tolerance;
        let thirds = (in_thirds && room > 1 && level + 1 < DEEPEST).then(|| piece.thirds()).flatten();
        let keys = thirds.unwrap_or_else(|| vec![middle]);
        self.budget.left -= keys.len();
        self.room -= keys.len();
        if level >= DEEPEST {
            self.steep -= keys.len();
        }
        self.done.added += keys.len();
        keys
    }
}

/// A piece of a stretch.
struct Piece<'k, M: Motion> {
    motion: &'k M,
    from: &'k (f64, M::Key),
    to: &'k (f64, M::Key),
}

impl<M: Motion> Piece<'_, M> {
    /// A time within the piece.
    fn moment(&self, part: f64) -> Option<f64> {
        let (from, to) = (self.from.0, self.to.0);
        Some(self.motion.moment(from + (to - from) * part)).filter(|time| from < *time && *time < to)
    }

    /// Returns the largest deviation, the exact key in the middle, and the deviation there. Stops early once the
    /// deviation is above `enough`.
    fn look(&self, enough: f64) -> (f64, Option<(f64, M::Key)>, f64) {
        let (mut worst, mut middle, mut bow) = (0.0_f64, None, 0.0);
        for part in PROBES {
            let Some(time) = self.moment(part) else { continue };
            let wanted = self.motion.at(time);
            let fraction = (time - self.from.0) / (self.to.0 - self.from.0);
            let made = self.motion.between(&self.from.1, &self.to.1, fraction);
            let off = self.motion.distance(&made, &wanted);
            // A distance that is not a number is replaced later; it must not count as a bend.
            let off = if off.is_finite() { off } else { 0.0 };
            worst = worst.max(off);
            if part == PROBES[0] {
                (middle, bow) = (Some((time, wanted)), off);
            }
            if off > enough {
                break;
            }
        }
        (worst, middle, bow)
    }

    fn thirds(&self) -> Option<Vec<(f64, M::Key)>> {
        let (first, second) = self.moment(1.0 / 3.0).zip(self.moment(2.0 / 3.0))?;
        (first < second).then(|| vec![(first, self.motion.at(first)), (second, self.motion.at(second))])
    }
}

#[cfg(test)]
mod tests {
    use super::super::Property;
    use super::*;
    use glam::{DQuat, DVec3};
    use std::f64::consts::{PI, TAU};

    /// The keys that follow a function along x within a thousandth, and the result of the fit.
    fn along_x(times: &[f64], x: impl Fn(f64) -> f64, budget: &mut KeyBudget) -> (Vec<(f64, f64)>, Fitted) {
        let motion = Property::new(|time| DVec3::X * x(time), Tolerance::FINE.0 / 1e-3);
        let mut keys = Vec::new();
        let mut fit = Fit::new(Tolerance::FINE, budget).in_thirds();
        fit.follow(&motion, times.iter().copied(), &mut |time, value| keys.push((time, value.x)));
        (keys, fit.done)
    }

    fn reported(done: Fitted) -> Option<String> {
        let mut report = Report::default();
        done.report(&crate::passes::codes::SAMPLED, "clip", 1, "keys", &mut report);
        report.losses().first().map(|loss| loss.message.clone())
    }

    /// Goes from 0 to 1, eased at both ends, then stays.
    fn eased(time: f64) -> f64 {
        let t = time.clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    }

    #[test]
    fn lines_stay_near_and_keys_come_where_it_bends() {
        let (keys, done) = along_x(&[0.0, 1.0, 2.0], eased, &mut KeyBudget::default());
        let bent = keys.iter().filter(|key| key.0 > 0.0 && key.0 < 1.0).count();
        assert!((8..40).contains(&bent) && done.added == bent, "{bent} {done:?}");
        assert_eq!(keys.last().map(|key| key.0), Some(2.0), "a straight stretch needs no keys");
        assert!(keys.is_sorted_by(|a, b| a.0 < b.0));
        for pair in keys.windows(2) {
            for part in (1..16).map(|part| f64::from(part) / 16.0) {
                let line = pair[0].1 + (pair[1].1 - pair[0].1) * part;
                let off = (line - eased(pair[0].0 + (pair[1].0 - pair[0].0) * part)).abs();
                assert!(off <= 1.1e-3, "{off} in {pair:?}");
            }
        }
        assert!(done.left > 1e-6 && done.left <= Tolerance::FINE.0 && !done.cut_short, "{done:?}");
    }

    #[test]
    fn a_line_gets_no_keys() {
        let (keys, done) = along_x(&[0.0, 0.3, 7.0], |time| 2.0 - time * 5.0, &mut KeyBudget::default());
        assert_eq!((keys.len(), done.added), (3, 0));
        assert_eq!(reported(done), None);
    }

    #[test]
    fn a_bow_gets_no_more_keys_than_it_takes() {
        // Heights of a parabola above its chord; the tolerance is 1e-3.
        for (height, added) in [(3.9e-3, 1), (4.1e-3, 2), (8.9e-3, 2), (9.1e-3, 3), (35e-3, 5)] {
            let (_, done) = along_x(&[0.0, 1.0], |t| 4.0 * height * t * (1.0 - t), &mut KeyBudget::default());
            assert_eq!(done.added, added, "{height}");
        }
    }

    #[test]
    fn an_s_that_crosses_the_line_in_the_middle_is_noticed() {
        let (_, done) = along_x(&[0.0, 2.0], |time| 0.01 * (PI * time).sin(), &mut KeyBudget::default());
        assert!(done.added > 2, "{done:?}");
    }

    #[test]
    fn wheels_that_turn_whole_times_between_two_keys_still_turn() {
        for turns in [1.0, 2.0, 4.0, 7.0, 64.0, 1000.0] {
            let turn = |time: f64| DQuat::from_rotation_z(time * TAU * turns);
            let motion = Property::new(turn, 1.0);
            let (mut budget, mut keys) = (KeyBudget::default(), Vec::new());
            let mut fit = Fit::new(Tolerance::FINE, &mut budget);
            fit.follow(&motion, [0.0, 1.0], &mut |_, key| keys.push(key));
            // Between two keys the shorter way is taken.
            let is_short = |pair: &[DQuat]| pair[0].angle_between(pair[1]) < 2.2;
            assert!(keys.len() as f64 > 2.0 * turns && keys.windows(2).all(is_short), "{turns}");
            assert!(fit.done.left < 1e-6, "{turns}: {:?}", fit.done);
        }
    }

    #[test]
    fn rotations_count_by_their_angle_whatever_their_sign() {
        let turn = |time: f64| if time < 0.4 { DQuat::IDENTITY } else { -DQuat::IDENTITY };
        let mut budget = KeyBudget::default();
        let mut fit = Fit::new(Tolerance::FINE, &mut budget);
        fit.follow(&Property::new(turn, 1.0), [0.0, 1.0], &mut |_, _| {});
        assert_eq!(fit.done, Fitted::default());
    }

    #[test]
    fn a_curve_that_is_upright_at_one_place_is_followed_through_it() {
        let (_, done) = along_x(&[0.0, 1.0], |time| 0.3 * (time - 0.37).cbrt(), &mut KeyBudget::default());
        assert!(done.left <= Tolerance::FINE.0 && done.added < 200, "{done:?}");
    }

    #[test]
    fn a_jump_is_narrowed_down_and_reported() {
        let (keys, done) =
            along_x(&[0.0, 1.0], |time| f64::from(u8::from(time > 0.3)), &mut KeyBudget::default());
        assert_eq!(done.added, STEEPEST, "one key for each time that the stretch is subdivided");
        let jump = keys.windows(2).find(|pair| pair[0].1 != pair[1].1).unwrap();
        assert!(jump[1].0 - jump[0].0 < 1e-7 && done.left > 1e-3);
        assert_eq!(reported(done).as_deref(), Some("keys"));
    }

    #[test]
    fn budget_and_room_are_kept() {
        let noise = |time: f64| (time * 1e9).sin();
        let (keys, done) = along_x(&[0.0, 1.0, 2.0], noise, &mut KeyBudget { left: 0 });
        assert_eq!((done.added, keys.len(), done.cut_short), (2 * PER_STRETCH, 3 + 2 * PER_STRETCH, true));
        assert_eq!(reported(done).as_deref(), Some("keys; the limit of added keys was reached"));

        let (_, done) = along_x(&[0.0, 1.0], noise, &mut KeyBudget::default());
        assert_eq!(
            (done.added, done.cut_short),
            ((1 << DEEPEST) - 1 + STEEP_KEYS, false),
            "no stretch takes all"
        );
        let mut budget = KeyBudget::default();
        let mut fit = Fit::new(Tolerance::FINE, &mut budget).within(5);
        fit.follow(&Property::new(|time| DVec3::X * noise(time), 1.0), [0.0, 1.0], &mut |_, _| {});
        assert_eq!((fit.done.added, fit.done.cut_short), (5, true));
    }

    #[test]
    fn times_of_keys_have_32_bits_on_the_clip_s_clock() {
        let motion = Property::new(|time: f64| DVec3::X * (time - 1000.1).powi(2), 1.0).beginning(1000.1);
        let (mut budget, mut times) = (KeyBudget::default(), Vec::new());
        let mut fit = Fit::new(Tolerance::FINE, &mut budget);
        fit.follow(&motion, [1000.1, 1000.4], &mut |time, _| times.push(time));
        let is_stored = |time: &f64| (f64::from((time - 1000.1) as f32) - (time - 1000.1)).abs() < 1e-12;
        assert!(times.len() > 8 && times[1..times.len() - 1].iter().all(is_stored), "{times:?}");
    }

    #[test]
    fn what_is_not_a_number_and_no_time_at_all_end_nothing() {
        let (keys, done) = along_x(&[0.0, 1.0], |_| f64::NAN, &mut KeyBudget::default());
        assert_eq!((keys.len(), done), (2, Fitted::default()));
        assert_eq!(along_x(&[], eased, &mut KeyBudget::default()).0.len(), 0);
        let next = f64::from(1.0_f32.next_up());
        assert_eq!(along_x(&[1.0, next], |t| t.floor(), &mut KeyBudget::default()).0.len(), 2);
    }
}
