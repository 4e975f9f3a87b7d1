//! Samples clips onto a regular grid of frames, or into the interpolations that a target supports.

use super::codes;
use super::deviation::{self, Probes, posed, size, thin};
use super::straighten::straighten;
use crate::motion::{KeyBudget, frame_times};
use crate::pose::{Sampled, sample};
use crate::report::{Failure, Loss, Place, Remedy, Report, counted};
use crate::scene::{Clip, Frames, Interpolation, Scene, Track, Values};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How clips are sampled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResampleOptions<'a> {
    /// Frames per second; `None` is the clip's own rate, or 24 if it has none. Without a grid, `None` adds keys where
    /// curves bend.
    pub fps: Option<f32>,
    /// Whether every track must have a key per frame, or a single one if it is constant.
    pub grid: bool,
    /// Interpolations that a track may have.
    pub interpolations: &'a [Interpolation],
    /// Whether cubic rotations that [go straight](Track::is_straight) may stay if there is no grid.
    pub straight_rotations: bool,
}

impl ResampleOptions<'_> {
    fn allows(&self, track: &Track) -> bool {
        self.interpolations.contains(&track.interpolation) || self.straight_rotations && track.is_straight()
    }
}

/// Default frame rate.
const USUAL_RATE: f32 = 24.0;
/// A key that is closer than this to a frame, in frames, is on it.
const ON_FRAME: f64 = 1e-3;
/// Limit of the values sampled per clip.
const MOST_VALUES: u64 = 16 << 20;

/// Samples the tracks that do not fit; clips that fit are not touched. The loss of each clip says what was sampled, how
/// many keys fell between frames, and an upper bound of how far any vertex is off between frames. A clip that would
/// need an absurd number of frames is a [`Failure::Usage`].
///
/// ```
/// use ligament::passes::resample::{ResampleOptions, resample};
/// use ligament::scene::{Clip, Interpolation, Node, NodeId, Scene, Track, Values};
/// use ligament::math::Vec3;
///
/// let values = Values::Translation(vec![Vec3::ZERO, Vec3::X]);
/// let times = [0.0, 1.0].into();
/// let track = Track { node: NodeId(0), interpolation: Interpolation::Linear, times, values };
/// let clip = Clip { duration: 1.0, tracks: vec![track], ..Clip::default() };
/// let mut scene = Scene { nodes: vec![Node::default()], clips: vec![clip], ..Scene::default() };
/// let interpolations = &[Interpolation::Linear];
/// let options = ResampleOptions { fps: Some(10.0), grid: true, interpolations, straight_rotations: false };
/// resample(&mut scene, &options, &mut Default::default()).unwrap();
/// assert_eq!(scene.clips[0].tracks[0].times.len(), 11);
/// ```
pub fn resample(scene: &mut Scene, options: &ResampleOptions, report: &mut Report) -> Result<(), Failure> {
    let (mut probes, mut budget) = (None, KeyBudget::default());
    for index in 0..scene.clips.len() {
        let frames = grid(&scene.clips[index], options.fps);
        if fits(&scene.clips[index], &frames, options) {
            continue;
        }
        check_length(&scene.clips[index], &frames, report)?;
        let mut source = std::mem::take(&mut scene.clips[index]);
        let (tracks, mut change) = sample_tracks(&mut source, &frames, size(scene), &mut budget, options);
        let all_step = tracks.iter().all(|t| t.interpolation == Interpolation::Step);
        let sampled = Clip {
            name: source.name.clone(),
            duration: match options.grid {
                true if all_step => frames.time(frames.count),
                true => source.duration.max(frames.time(frames.count - 1)),
                false => source.duration,
            },
            frames: if options.grid { Some(frames) } else { source.frames },
            tracks,
            extras: std::mem::take(&mut source.extras),
        };
        if !change.is_exact() {
            let probes = probes.get_or_insert_with(|| Probes::new(scene));
            let mut moments = moments(&source, &frames);
            if change.straightened {
                moments.extend(deviation::moments(sampled.tracks.iter()));
            }
            change.unseen = thin(&mut moments, probes.affordable(scene));
            let size = probes.between(scene, &source, &sampled, &moments);
            let size = size.map(|size| size.max(morphed(scene, &source, &sampled, moments)));
            change.report(source.label(index), &frames, size, report);
        }
        scene.clips[index] = sampled;
    }
    Ok(())
}

/// The clips that [`resample`] would sample, and their frames. One that is too long is a [`Failure::Usage`].
pub(super) fn frames_to_make<'s>(
    scene: &'s Scene,
    options: &ResampleOptions,
    report: &mut Report,
) -> Result<Vec<(&'s Clip, Frames)>, Failure> {
    let clips = scene.clips.iter().map(|clip| (clip, grid(clip, options.fps)));
    let made: Vec<_> = clips.filter(|(clip, frames)| !fits(clip, frames, options)).collect();
    made.iter().try_for_each(|(clip, frames)| check_length(clip, frames, report))?;
    Ok(made)
}

/// How far apart the clips put the vertices of meshes whose morph weights they animate.
fn morphed(scene: &Scene, source: &Clip, sampled: &Clip, times: Vec<f32>) -> f64 {
    let nodes: Vec<_> = source.tracks.iter().filter(|t| !t.moves_node()).map(|t| t.node).collect();
    if nodes.is_empty() { 0.0 } else { posed(scene, &nodes, source, sampled, times) }
}

/// The grid for a clip.
pub(super) fn grid(clip: &Clip, fps: Option<f32>) -> Frames {
    let valid = |rate: &f32| rate.is_finite() && *rate > 0.0;
    let own = clip.frames.filter(|f| valid(&f.rate));
    let rate = fps.filter(valid).or(own.map(|f| f.rate)).unwrap_or(USUAL_RATE);
    if let Some(own) = own.filter(|f| f.rate == rate) {
        return Frames { count: own.count.max(1), ..own };
    }
    let frames_in = |seconds: f32| f64::from(seconds) * f64::from(rate);
    let last_key = (frames_in(clip.last_key()) + ON_FRAME).floor() + 1.0;
    let all_step = clip.tracks.iter().all(|t| t.interpolation == Interpolation::Step);
    let count = if all_step {
        // The last frame is held until the end, where nothing new begins.
        (frames_in(clip.duration) - ON_FRAME).ceil().max(last_key)
    } else {
        (frames_in(clip.duration) + ON_FRAME).floor() + 1.0
    };
    // The conversion saturates; `check_length` refuses clips that long.
    Frames { rate, count: (count as u32).max(1) }
}

fn fits(clip: &Clip, frames: &Frames, options: &ResampleOptions) -> bool {
    if !options.grid {
        return clip.tracks.iter().all(|t| options.allows(t));
    }
    clip.frames.as_ref() == Some(frames) && clip.tracks.iter().all(|t| is_on_grid(t, frames, options))
}

fn is_on_grid(track: &Track, frames: &Frames, options: &ResampleOptions) -> bool {
    let is_single = track.times.len() == 1 && track.interpolation != Interpolation::Cubic;
    let is_allowed = options.interpolations.contains(&track.interpolation);
    is_single
        || track.interpolation != Interpolation::Cubic
            && is_allowed
            && track.times.len() == frames.count as usize
            && track.times.iter().enumerate().all(|(i, &t)| t == frames.time(i as u32))
}

fn check_length(clip: &Clip, frames: &Frames, report: &mut Report) -> Result<(), Failure> {
    let values = u64::from(frames.count) * clip.tracks.len().max(1) as u64;
    if values <= MOST_VALUES {
        return Ok(());
    }
    let message = format!(
        "clip {:?} lasts {} seconds; at {} frames per second that is {} frames of {} tracks",
        clip.name,
        clip.duration,
        frames.rate,
        frames.count,
        clip.tracks.len()
    );
    report.error(&codes::TOO_MANY_FRAMES, Place::field(format!("clips[{:?}]", clip.name)), message);
    Err(Failure::Usage)
}

/// The changes that sampling made in a clip.
#[derive(Default)]
struct Change {
    /// Interpolations that were replaced.
    from: BTreeSet<&'static str>,
    /// The interpolation that replaced them.
    to: Option<Interpolation>,
    /// Keys between frames.
    off_grid: usize,
    /// Tracks that may play differently.
    tracks: usize,
    /// Whether keys were added where curves bend, rather than on the grid.
    straightened: bool,
    /// Whether the clip is too long to be compared at all times.
    unseen: bool,
}

impl Change {
    fn is_exact(&self) -> bool {
        self.tracks == 0
    }

    fn report(&self, clip: String, frames: &Frames, size: Option<f64>, report: &mut Report) {
        if size.is_some_and(|size| size < 1e-7) {
            return;
        }
        let kinds: Vec<_> = self.from.iter().copied().collect();
        let kinds = if kinds.is_empty() { String::new() } else { format!("{} ", kinds.join(" and ")) };
        let mut message = match self.straightened && self.from.len() == 1 {
            true => format!("{kinds}keys became linear, with keys added where the curves bend"),
            false => format!("{kinds}keys are sampled at {} frames per second", frames.rate),
        };
        match self.to {
            Some(Interpolation::Step) => message += ", which the format plays as steps",
            Some(_) if self.from.contains("step") => message += ", which the format plays without steps",
            _ => {}
        }
        if self.off_grid > 0 {
            let keys = counted(self.off_grid, "key falls", "keys fall");
            message += &format!("; {keys} between frames");
        }
        if self.unseen {
            message += "; the clip is so long that the size was measured at some of its frames only";
        }
        let unit = "of the model's size";
        let is_sampled = !(self.straightened && self.from.len() == 1);
        let remedy = is_sampled.then(|| Remedy::new("fps", finer(frames.rate), "comes closer"));
        let loss = Loss::approximated(&codes::SAMPLED, clip, self.tracks, size, unit, message);
        report.loss(loss.remedy(remedy));
    }
}

/// A usual rate that is higher.
fn finer(rate: f32) -> f32 {
    if rate < 60.0 { 60.0 } else { rate * 2.0 }
}

fn sample_tracks(
    source: &mut Clip,
    frames: &Frames,
    size: f64,
    budget: &mut KeyBudget,
    options: &ResampleOptions,
) -> (Vec<Track>, Change) {
    let (grid_times, start) = (frames.times(), Arc::from([0.0]));
    let mut change = Change::default();
    let mut sampled = Vec::with_capacity(source.tracks.len());
    for track in &mut source.tracks {
        let fits = if options.grid { is_on_grid(track, frames, options) } else { options.allows(track) };
        if fits {
            sampled.push(track.clone());
            continue;
        }
        let is_constant = is_constant(track);
        let interpolation = replacement(track.interpolation, options);
        let (snapped, off_grid) = snap(track, frames);
        let times = match options.grid {
            true if is_constant => Arc::clone(&start),
            true => Arc::clone(&grid_times),
            false if is_curve(track, interpolation, options) => {
                change.straightened = true;
                straighten(track, size, budget)
            }
            false => with_keys(&grid_times, &track.times),
        };
        let changes = interpolation != track.interpolation || (options.grid && off_grid > 0);
        if changes && !is_constant {
            change.tracks += 1;
            change.off_grid += if options.grid { off_grid } else { 0 };
            if interpolation != track.interpolation {
                change.from.insert(track.interpolation.name());
                change.to = Some(interpolation);
            }
        }
        let snapped = Track { times: snapped, ..std::mem::replace(track, empty(track)) };
        sampled.push(Track { interpolation, values: values_at(&snapped, &times), times, node: track.node });
        *track = snapped;
    }
    (sampled, change)
}

/// Whether a track is a curve that becomes linear, without a given frame rate.
fn is_curve(track: &Track, becomes: Interpolation, options: &ResampleOptions) -> bool {
    let is_bent = track.interpolation == Interpolation::Cubic && becomes == Interpolation::Linear;
    is_bent && options.fps.is_none()
}

/// A placeholder while a track is taken apart.
fn empty(track: &Track) -> Track {
    Track { values: Values::Scale(Vec::new()), times: Arc::from([]), ..*track }
}

/// The interpolation of the result: the same if the target supports it; frames are never cubic.
fn replacement(interpolation: Interpolation, options: &ResampleOptions) -> Interpolation {
    let wanted = match interpolation {
        Interpolation::Cubic if options.grid => Interpolation::Linear,
        other => other,
    };
    let order = match wanted {
        Interpolation::Step => [Interpolation::Step, Interpolation::Linear, Interpolation::Linear],
        _ => [wanted, Interpolation::Linear, Interpolation::Step],
    };
    order.into_iter().find(|i| options.interpolations.contains(i)).unwrap_or(Interpolation::Step)
}

fn is_constant(track: &Track) -> bool {
    fn all_same<T: PartialEq>(values: &[T]) -> bool {
        values.windows(2).all(|w| w[0] == w[1])
    }
    if track.times.len() < 2 {
        return true;
    }
    track.interpolation != Interpolation::Cubic
        && match &track.values {
            Values::Translation(v) | Values::Scale(v) => all_same(v),
            Values::Rotation(v) => all_same(v),
            Values::MorphWeights { count, weights } => {
                let mut keys = weights.chunks((*count).max(1));
                keys.next().is_none_or(|first| keys.all(|k| k == first))
            }
        }
}

/// The key times, and how many keys are not near a frame. Steps that are nearly on a frame are moved onto it: other
/// programs round differently, and a step must not come a frame late.
fn snap(track: &Track, frames: &Frames) -> (Arc<[f32]>, usize) {
    let rate = f64::from(frames.rate);
    let mut off_grid = 0;
    let snapped = track.times.iter().map(|&time| {
        let at = f64::from(time) * rate;
        // Late in a long clip, times in f32 are coarser than that.
        let near = ON_FRAME.max(f64::from(time) * f64::from(f32::EPSILON) * 2.0 * rate);
        if (at - at.round()).abs() <= near && at.round() < f64::from(u32::MAX) {
            frames.time(at.round() as u32)
        } else {
            off_grid += 1;
            time
        }
    });
    let snapped: Arc<[f32]> = snapped.collect();
    let off_grid = if track.times.len() < 2 { 0 } else { off_grid };
    // Other tracks have a value at every time.
    let is_step = track.interpolation == Interpolation::Step;
    (if is_step { snapped } else { Arc::clone(&track.times) }, off_grid)
}

/// The grid together with a track's own key times, for targets that store keys.
fn with_keys(grid: &[f32], keys: &[f32]) -> Arc<[f32]> {
    let (Some(&first), Some(&last)) = (keys.first(), keys.last()) else { return Arc::from([]) };
    let mut times: Vec<f32> =
        grid.iter().copied().filter(|&t| t > first && t < last).chain(keys.iter().copied()).collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    times.into()
}

fn values_at(track: &Track, times: &[f32]) -> Values {
    let mut values = match &track.values {
        Values::Translation(_) => Values::Translation(Vec::with_capacity(times.len())),
        Values::Rotation(_) => Values::Rotation(Vec::with_capacity(times.len())),
        Values::Scale(_) => Values::Scale(Vec::with_capacity(times.len())),
        Values::MorphWeights { count, .. } => {
            Values::MorphWeights { count: *count, weights: Vec::with_capacity(count * times.len()) }
        }
    };
    for &time in times {
        match (&mut values, sample(track, time)) {
            (Values::Translation(all), Some(Sampled::Translation(v))) => all.push(v),
            (Values::Rotation(all), Some(Sampled::Rotation(v))) => all.push(v),
            (Values::Scale(all), Some(Sampled::Scale(v))) => all.push(v),
            (Values::MorphWeights { weights, .. }, Some(Sampled::MorphWeights(v))) => weights.extend(v),
            _ => {}
        }
    }
    values
}

/// Times at which clip and source are compared: at the source's keys, just before its steps and before each new frame,
/// where steps are farthest off, and halfway between all these.
fn moments(source: &Clip, frames: &Frames) -> Vec<f32> {
    let frame_ends: Vec<f32> = (1..=frames.count).map(|frame| frames.time(frame).next_down()).collect();
    let mut moments = frame_times(&source.tracks, &frame_ends);
    moments.push(source.duration);
    moments.retain(|&t| t <= source.duration);
    let least = ON_FRAME as f32 / frames.rate;
    let halves = moments.windows(2).filter(|w| w[1] - w[0] > least).map(|w| w[0] + (w[1] - w[0]) * 0.5);
    let halves: Vec<f32> = halves.collect();
    moments.extend(halves);
    moments
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{self, apart, loss_of, size_of};
    use glam::Vec3;

    const STEP: &[Interpolation] = &[Interpolation::Step];
    const LINEAR: &[Interpolation] = &[Interpolation::Step, Interpolation::Linear];

    fn run(scene: &Scene, fps: Option<f32>, interpolations: &'static [Interpolation]) -> (Scene, Report) {
        let (mut sampled, mut report) = (scene.clone(), Report::default());
        let options = ResampleOptions { fps, grid: true, interpolations, straight_rotations: false };
        resample(&mut sampled, &options, &mut report).unwrap();
        (sampled, report)
    }

    #[test]
    fn frames_are_exact_and_the_rest_is_announced() {
        let mut measured = 0;
        for (name, before) in testing::scenes() {
            for interpolations in [STEP, LINEAR] {
                let (after, report) = run(&before, Some(24.0), interpolations);
                for (index, clip) in after.clips.iter().enumerate() {
                    let frames = clip.frames.expect("sampled");
                    assert_eq!(frames.count, 25, "{name}");
                    let all = frames.times();
                    assert!(clip.tracks.iter().all(|t| *t.times == *all || *t.times == [0.0]));
                    let off = apart(&before, &after, Some(index), &frames.times());
                    assert!(off < 1e-6, "{name}: {off:e} on frames");
                    let between: Vec<f32> = (0..24 * 8).map(|i| (i as f32 + 0.25) / (24.0 * 8.0)).collect();
                    let off = apart(&before, &after, Some(index), &between);
                    let size = loss_of(&report, clip).map_or(0.0, |loss| size_of(loss).expect("a size"));
                    assert!(off <= size + 1e-6, "{name}: {off:e}, but only {size:e} announced");
                    assert!(size < 10.0 * off + 1e-6, "{name}: {size:e} announced, only {off:e} seen");
                    measured += 1;
                }
            }
        }
        assert!(measured >= 20, "{measured}");
    }

    /// A box moves by its own length and back, either within one frame late in a long clip, or at keys of a track that is
    /// not the longest.
    #[test]
    fn a_short_movement_is_in_the_size() {
        let hop = |at: f32, length: f32| {
            let values = Values::Translation(vec![Vec3::ZERO, Vec3::X * length, Vec3::ZERO]);
            let times = [at, at + 0.3 / 24.0, at + 0.6 / 24.0].into();
            (times, values)
        };
        let many: Arc<[f32]> = (0..40_u8).map(f32::from).collect();
        for (at, duration, interpolation) in [
            (777.2 / 24.0, 60.0, Interpolation::Linear),
            (3.3 / 24.0, 60.0, Interpolation::Linear),
            (3.3 / 24.0, 2.0, Interpolation::Step),
        ] {
            let mut scene = testing::bend();
            let node = scene.nodes.iter().position(|n| n.mesh.is_some() || n.parent.is_none()).unwrap();
            let node = scene.clips[0].tracks.first().map_or(crate::scene::NodeId(node as u32), |t| t.node);
            let size = crate::pose::bounds(&scene, &crate::pose::Pose::rest(&scene)).unwrap().diagonal();
            let (times, values) = hop(at, size as f32);
            let still = Values::Scale(vec![Vec3::ONE; many.len()]);
            let tracks = vec![
                Track { node, interpolation, times, values },
                Track { node, interpolation: Interpolation::Linear, times: Arc::clone(&many), values: still },
            ];
            scene.clips = vec![Clip { name: "Hop".into(), duration, tracks, ..Clip::default() }];
            let (after, report) = run(&scene, Some(24.0), STEP);
            let off = apart(&scene, &after, Some(0), &[at + 0.3 / 24.0]);
            let announced = size_of(&report.losses()[0]).expect("a size");
            assert!(off > 0.5 && announced >= off - 1e-6, "{announced} announced, {off} seen");
        }
    }

    #[test]
    fn what_is_sampled_is_not_touched() {
        for (_, before) in testing::scenes() {
            let (once, _) = run(&before, Some(30.0), STEP);
            let (twice, report) = run(&once, None, STEP);
            assert_eq!(once, twice);
            assert!(report.losses().is_empty());
        }
    }

    #[test]
    fn steps_at_twice_the_rate_last_as_long() {
        let (once, _) = run(&testing::bend(), Some(24.0), STEP);
        let (twice, report) = run(&once, Some(48.0), STEP);
        assert_eq!(twice.clips[0].frames, Some(Frames { rate: 48.0, count: 50 }));
        assert_eq!(once.clips[0].duration, twice.clips[0].duration);
        assert!(report.losses().is_empty(), "{:?}", report.losses());
        let times: Vec<f32> = (0..200).map(|i| i as f32 / 190.0).collect();
        assert!(apart(&once, &twice, Some(0), &times) < 1e-7);
    }

    #[test]
    fn the_message_names_what_happens() {
        let (_, report) = run(&testing::bend(), Some(7.0), STEP);
        let message = &report.losses()[0].message;
        assert_eq!(
            message,
            "linear keys are sampled at 7 frames per second, which the format plays as steps; 3 keys fall between frames"
        );
        let (_, report) = run(&testing::cubic(), None, LINEAR);
        let message = &report.losses()[0].message;
        assert_eq!(message, "cubic keys are sampled at 24 frames per second; 3 keys fall between frames");
    }

    #[test]
    fn a_step_that_is_a_rounding_late_stays_on_its_frame() {
        let late = f32::from_bits((5.0_f32 / 24.0).to_bits() + 2);
        let mut scene = testing::bend();
        scene.clips.truncate(1);
        let track = &mut scene.clips[0].tracks[1];
        *track = Track {
            interpolation: Interpolation::Step,
            times: Arc::from([0.0, late]),
            values: Values::Translation(vec![Vec3::ZERO, Vec3::ONE]),
            ..track.clone()
        };
        let (after, _) = run(&scene, None, LINEAR);
        let Values::Translation(values) = &after.clips[0].tracks[1].values else { panic!("translation") };
        assert_eq!((values[4], values[5]), (Vec3::ZERO, Vec3::ONE));
    }

    #[test]
    fn absurdly_long_clips_are_refused() {
        let mut scene = testing::bend();
        scene.clips[0].duration = 1e30;
        let options =
            ResampleOptions { fps: None, grid: true, interpolations: STEP, straight_rotations: false };
        let mut report = Report::default();
        assert_eq!(resample(&mut scene, &options, &mut report), Err(Failure::Usage));
        assert!(report.has_errors());
    }

    #[test]
    fn cubic_keys_stay_keys_where_there_is_no_grid() {
        let (mut scene, mut report) = (testing::cubic(), Report::default());
        let before = scene.clone();
        let options = ResampleOptions {
            fps: Some(60.0),
            grid: false,
            interpolations: LINEAR,
            straight_rotations: false,
        };
        resample(&mut scene, &options, &mut report).unwrap();
        assert_eq!(scene.clips[0].frames, None);
        assert!(scene.clips[0].tracks.iter().all(|t| t.interpolation == Interpolation::Linear));
        let keys = before.clips[0].tracks[0].times.to_vec();
        assert!(apart(&before, &scene, Some(0), &keys) < 1e-7);
        assert_eq!(report.losses().len(), 1);
    }
}
