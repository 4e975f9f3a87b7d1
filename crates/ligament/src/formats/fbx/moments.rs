//! The times at which a property has keys: sorted, and those that tracks cannot tell apart as one.

/// Times at most this many seconds apart are one moment.
const ONE_MOMENT: f64 = 1e-7;
/// How far before and after a moment its limits are looked at.
const ASIDE: f64 = 1e-9;
/// Times that differ less are equal ones: a tick of FBX is 2·10⁻¹¹ seconds.
const ROUNDING: f64 = 5e-12;

/// The time of a key, in the file's seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct KeyTime {
    pub(super) time: f64,
    /// Whether the curve may jump there.
    pub(super) jumps: bool,
}

/// Keys that a track's 32 bits cannot tell apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moment {
    first: f64,
    last: f64,
    jumps: bool,
}

impl Moment {
    /// The moment's own time.
    pub(super) fn time(&self) -> f64 {
        self.last
    }

    /// A time just before the moment, if the value may be another one there.
    pub(super) fn before(&self) -> Option<f64> {
        self.jumps.then(|| self.first - aside(self.first))
    }

    /// A time just after the moment, if the value may be another one there.
    pub(super) fn after(&self) -> Option<f64> {
        self.jumps.then(|| self.last + aside(self.last))
    }
}

fn aside(time: f64) -> f64 {
    ASIDE.max(time.abs() * 1e-14)
}

/// Sorts key times and joins those that are one moment in a clip that begins at `begin`.
pub(super) fn moments(mut times: Vec<KeyTime>, begin: f64) -> Vec<Moment> {
    times.retain(|key| key.time.is_finite());
    times.sort_by(|a, b| a.time.total_cmp(&b.time));
    let mut moments: Vec<Moment> = Vec::with_capacity(times.len());
    for KeyTime { time, jumps } in times {
        // Clips store times as f32.
        let near = ONE_MOMENT.max((time - begin).abs() * f64::from(f32::EPSILON)).max(time.abs() * 1e-13);
        match moments.last_mut() {
            Some(moment) if time - moment.first <= near => {
                // The value may change from one to the other. Equal times that were rounded differ less than a tick.
                moment.jumps |= jumps || time - moment.first > ROUNDING.max(time.abs() * 1e-14);
                moment.last = time;
            }
            _ => moments.push(Moment { first: time, last: time, jumps }),
        }
    }
    // A track has its first key's value before that key, so a jump there needs a key before it.
    if moments.first().is_some_and(|first| first.jumps && first.first > begin) {
        moments.insert(0, Moment { first: begin, last: begin, jumps: false });
    }
    moments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_that_a_track_cannot_tell_apart_are_one_moment() {
        let key = |time| KeyTime { time, jumps: false };
        let times = [2.0, 1.0, 1.0, f64::NAN, 1.0 + 1e-15, 3.0, 3.0 + 5e-8, 2.5].map(key);
        let found = moments(times.to_vec(), 0.0);
        let seen: Vec<_> = found.iter().map(|m| (m.time(), m.jumps)).collect();
        let expected = [(1.0 + 1e-15, false), (2.0, false), (2.5, false), (3.0 + 5e-8, true)];
        assert_eq!(seen, expected);
        assert!(found[3].before().unwrap() < 3.0 && found[3].after().unwrap() > 3.0 + 5e-8);
        assert_eq!(found[0].before(), None);
    }

    #[test]
    fn a_jump_at_the_first_key_has_a_key_before_it() {
        let times = vec![KeyTime { time: 1.0, jumps: true }];
        let found: Vec<f64> = moments(times.clone(), 0.5).iter().map(Moment::time).collect();
        assert_eq!(found, [0.5, 1.0]);
        assert_eq!(moments(times, 1.0).len(), 1);
    }

    #[test]
    fn late_times_are_told_apart_on_the_clip_s_clock() {
        let times = [1e6, 1e6 + 0.01].map(|time| KeyTime { time, jumps: false });
        let found = |begin| -> Vec<f64> { moments(times.to_vec(), begin).iter().map(Moment::time).collect() };
        assert_eq!(found(1e6), [1e6, 1e6 + 0.01]);
        // Together they are a jump, which has a key before it.
        assert_eq!(found(0.0), [0.0, 1e6 + 0.01]);
    }
}
