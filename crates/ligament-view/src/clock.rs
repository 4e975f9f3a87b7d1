//! Playback: the current time, and how it advances.

use ligament::scene::Clip;
use std::sync::Arc;

/// Frames per second for clips that do not state a rate.
const RATE: f64 = 30.0;
/// The range of playback speeds.
pub const SPEEDS: [f64; 2] = [0.05, 10.0];

/// A clip as the clock needs it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Score {
    /// The clip's name.
    pub name: String,
    /// Duration in seconds.
    pub duration: f64,
    /// The times at which any track has a key, ascending.
    pub keys: Vec<f32>,
    /// Frames per second.
    pub rate: f64,
    /// The interpolations of its tracks, each once.
    pub interpolations: Vec<&'static str>,
}

impl Score {
    /// Collects the facts of a clip.
    pub fn of(clip: &Clip) -> Self {
        let mut lists: Vec<&Arc<[f32]>> = clip.tracks.iter().map(|track| &track.times).collect();
        // The tracks of a sampled clip share one list of times, which need not be read more than once.
        lists.sort_by_key(|list| list.as_ptr());
        lists.dedup_by_key(|list| (list.as_ptr(), list.len()));
        let mut keys: Vec<f32> = lists.into_iter().flat_map(|list| list.iter().copied()).collect();
        keys.retain(|time| time.is_finite());
        keys.sort_by(f32::total_cmp);
        keys.dedup();
        let mut interpolations: Vec<_> = clip.tracks.iter().map(|track| track.interpolation.name()).collect();
        interpolations.sort_unstable();
        interpolations.dedup();
        let rate = clip.frames.map_or(RATE, |frames| f64::from(frames.rate));
        Self {
            name: clip.name.clone(),
            duration: if clip.duration.is_finite() { f64::from(clip.duration.max(0.0)) } else { 0.0 },
            keys,
            rate: if rate.is_finite() && rate > 0.0 { rate } else { RATE },
            interpolations,
        }
    }
}

/// Plays one clip, or shows the rest pose.
#[derive(Debug, Clone, PartialEq)]
pub struct Clock {
    /// The clip's index and its facts.
    pub clip: Option<(usize, Arc<Score>)>,
    /// Seconds into the clip.
    pub time: f64,
    /// Whether the clip is playing.
    pub playing: bool,
    /// Whether playback loops.
    pub looping: bool,
    /// Playback speed: clip seconds per real second.
    pub speed: f64,
}

impl Default for Clock {
    fn default() -> Self {
        Self { clip: None, time: 0.0, playing: false, looping: true, speed: 1.0 }
    }
}

impl Clock {
    /// The clip's length in seconds; 0 at rest.
    pub fn duration(&self) -> f64 {
        self.clip.as_ref().map_or(0.0, |(_, score)| score.duration)
    }

    fn keys(&self) -> &[f32] {
        self.clip.as_ref().map_or(&[], |(_, score)| &score.keys)
    }

    fn rate(&self) -> f64 {
        self.clip.as_ref().map_or(RATE, |(_, score)| score.rate)
    }

    /// The index of the current frame.
    pub fn frame(&self) -> u64 {
        (self.time * self.rate() + 1e-3).floor().max(0.0) as u64
    }

    /// Goes to a time within the clip.
    pub fn seek(&mut self, seconds: f64) {
        let seconds = if seconds.is_finite() { seconds } else { 0.0 };
        self.time = seconds.clamp(0.0, self.duration());
    }

    /// Advances by elapsed time. Returns whether the shown time changed.
    pub fn tick(&mut self, seconds: f64) -> bool {
        let duration = self.duration();
        if !self.playing || seconds <= 0.0 || seconds.is_nan() {
            return false;
        }
        if duration <= 0.0 {
            // There is nothing to play; further ticks would only waste energy.
            self.playing = false;
            return false;
        }
        let time = self.time + seconds * self.speed;
        if time < duration {
            self.time = time;
        } else if self.looping {
            self.time = time % duration;
        } else {
            self.time = duration;
            self.playing = false;
        }
        true
    }

    /// Toggles playback. At the end, starts over.
    pub fn toggle(&mut self) {
        self.playing = !self.playing && self.duration() > 0.0;
        if self.playing && !self.looping && self.time >= self.duration() {
            self.time = 0.0;
        }
    }

    /// Pauses and steps by frames, snapping to the frame grid and wrapping around at both ends.
    pub fn step(&mut self, frames: i64) {
        self.playing = false;
        let rate = self.rate();
        let here = self.time * rate;
        // Between two frames, the first step goes to the next one in that direction.
        let grid = if frames > 0 { (here + 1e-3).floor() } else { (here - 1e-3).ceil() };
        let last = (self.duration() * rate + 1e-3).floor();
        let mut to = grid + frames as f64;
        if self.looping && last > 0.0 {
            to = to.rem_euclid(last + 1.0);
        }
        self.seek(to.max(0.0) / rate);
    }

    /// Pauses and steps to the next or previous key.
    pub fn to_key(&mut self, forwards: bool) {
        self.playing = false;
        let near = 1e-5;
        let found = if forwards {
            self.keys().iter().copied().map(f64::from).find(|&key| key > self.time + near)
        } else {
            self.keys().iter().rev().copied().map(f64::from).find(|&key| key < self.time - near)
        };
        let around = if forwards { self.keys().first() } else { self.keys().last() };
        if let Some(key) = found.or_else(|| around.filter(|_| self.looping).copied().map(f64::from)) {
            self.seek(key);
        }
    }

    /// Multiplies the playback speed.
    pub fn set_speed(&mut self, speed: f64) {
        if speed.is_finite() {
            self.speed = speed.clamp(SPEEDS[0], SPEEDS[1]);
        }
    }

    /// Switches to another clip, from its start, or to the rest pose.
    pub fn choose(&mut self, clip: Option<(usize, Arc<Score>)>) {
        self.clip = clip;
        self.time = 0.0;
        self.playing &= self.duration() > 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament::math::Vec3;
    use ligament::scene::{Frames, Interpolation, NodeId, Track, Values};

    fn clip(times: &[f32], duration: f32, frames: Option<Frames>) -> Clip {
        let track = |node, interpolation| Track {
            node: NodeId(node),
            interpolation,
            times: times.into(),
            values: Values::Translation(vec![Vec3::ZERO; times.len()]),
        };
        let tracks = vec![track(0, Interpolation::Linear), track(1, Interpolation::Step)];
        Clip { duration, tracks, frames, ..Clip::default() }
    }

    fn clock(times: &[f32], duration: f32) -> Clock {
        let score = Score::of(&clip(times, duration, Some(Frames { rate: 10.0, count: 11 })));
        Clock { clip: Some((0, Arc::new(score))), ..Clock::default() }
    }

    #[test]
    fn a_score_knows_keys_and_interpolations() {
        let score = Score::of(&clip(&[0.0, 0.5, 1.0], 1.0, None));
        assert_eq!(score.keys, [0.0, 0.5, 1.0]);
        assert_eq!(score.interpolations, ["linear", "step"]);
        assert_eq!(score.rate, 30.0);
    }

    #[test]
    fn time_passes_and_starts_again() {
        let mut clock = clock(&[0.0, 1.0], 1.0);
        assert!(!clock.tick(0.5), "it stands");
        clock.toggle();
        clock.set_speed(2.0);
        assert!(clock.tick(0.25));
        assert_eq!(clock.time, 0.5);
        assert!(clock.tick(0.5));
        assert_eq!(clock.time, 0.5, "once around");
        clock.looping = false;
        assert!(clock.tick(1.0));
        assert_eq!((clock.time, clock.playing), (1.0, false));
        clock.toggle();
        assert_eq!((clock.time, clock.playing), (0.0, true), "from the start");
    }

    #[test]
    fn steps_are_on_frames() {
        let mut clock = clock(&[0.0, 1.0], 1.0);
        clock.seek(0.25);
        clock.step(1);
        assert!((clock.time - 0.3).abs() < 1e-9);
        assert_eq!(clock.frame(), 3);
        clock.step(-1);
        assert!((clock.time - 0.2).abs() < 1e-9);
        clock.seek(0.25);
        clock.step(-1);
        assert!((clock.time - 0.2).abs() < 1e-9);
        clock.seek(0.0);
        clock.step(-1);
        assert!((clock.time - 1.0).abs() < 1e-9, "around");
    }

    #[test]
    fn keys_are_found_in_both_directions() {
        let mut clock = clock(&[0.0, 0.3, 0.8], 1.0);
        let mut seen = Vec::new();
        for _ in 0..4 {
            clock.to_key(true);
            seen.push((clock.time * 10.0).round() as u32);
        }
        assert_eq!(seen, [3, 8, 0, 3]);
        clock.to_key(false);
        assert_eq!(clock.time, 0.0);
        clock.looping = false;
        clock.to_key(false);
        assert_eq!(clock.time, 0.0);
    }

    #[test]
    fn a_clip_without_length_stands_still() {
        let mut clock = clock(&[0.0], 0.0);
        clock.toggle();
        assert!(!clock.playing);
        clock.playing = true;
        assert!(!clock.tick(1.0));
        assert!(!clock.playing);
        clock.step(1);
        clock.to_key(true);
        clock.seek(f64::NAN);
        assert_eq!(clock.time, 0.0);
        clock.set_speed(f64::INFINITY);
        assert_eq!(clock.speed, 1.0);
    }
}
