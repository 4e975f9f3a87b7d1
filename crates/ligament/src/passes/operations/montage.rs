//! Clips made of stretches of other clips, one after the other. Every operation on the time of clips is one: splitting,
//! trimming, joining, reversing, changing the speed, looping.

use super::cut::{Section, track};
use super::gauge::Gauge;
use crate::motion::key_times;
use crate::passes::resample::grid;
use crate::pose::{OwnClip, OwnMotion, Player};
use crate::scene::{Clip, Extras, Interpolation, Local, NodeId, Scene, Track, Trs, Values};
use std::collections::BTreeMap;

/// A stretch of a clip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Piece {
    /// The clip's index.
    pub(crate) clip: usize,
    /// Seconds of the clip.
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// How many times as fast it is played.
    pub(crate) speed: f64,
    pub(crate) reversed: bool,
}

/// A piece with the time at which it begins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placed {
    pub(crate) piece: Piece,
    pub(crate) start: f64,
}

impl Piece {
    pub(super) fn whole(clip: usize, of: &Clip) -> Self {
        Self { clip, from: 0.0, to: f64::from(of.duration), speed: 1.0, reversed: false }
    }

    fn lasts(&self) -> f64 {
        (self.to - self.from) / self.speed
    }
}

impl Placed {
    pub(super) fn all(pieces: &[Piece]) -> Vec<Self> {
        let mut start = 0.0;
        let place = |&piece: &Piece| {
            let placed = Self { piece, start };
            start += piece.lasts();
            placed
        };
        pieces.iter().map(place).collect()
    }

    pub(crate) fn end(&self) -> f64 {
        self.start + self.piece.lasts()
    }

    /// The time of the clip that is shown at a time of the montage.
    pub(crate) fn source(&self, time: f64) -> f64 {
        let passed = (time - self.start) * self.piece.speed;
        match self.piece.reversed {
            // Of two values at a step, the one that was shown before it.
            true => (self.piece.to - passed - 1e-9).max(self.piece.from),
            false => (self.piece.from + passed).min(self.piece.to),
        }
    }

    /// The time at which a time of the clip is shown.
    pub(crate) fn shown(&self, time: f64) -> f64 {
        let Piece { from, to, speed, reversed, .. } = self.piece;
        self.start + if reversed { to - time } else { time - from } / speed
    }
}

/// The name of a property, to sort by.
fn property(values: &Values) -> u8 {
    match values {
        Values::Translation(_) => 0,
        Values::Rotation(_) => 1,
        Values::Scale(_) => 2,
        Values::MorphWeights { .. } => 3,
    }
}

/// Makes a clip of pieces. Tracks that a piece's clip lacks are at rest in it.
pub(super) fn montage(scene: &Scene, name: String, pieces: &[Piece]) -> Clip {
    let placed = Placed::all(pieces);
    let mut tracks: BTreeMap<(NodeId, u8), Vec<(usize, &Track)>> = BTreeMap::new();
    for (index, piece) in pieces.iter().enumerate() {
        for track in &scene.clips[piece.clip].tracks {
            tracks.entry((track.node, property(&track.values))).or_default().push((index, track));
        }
    }
    let tracks = tracks.values().filter_map(|parts| joined(scene, &placed, parts)).collect();
    let seconds = placed.last().map_or(0.0, Placed::end) as f32;
    let first = pieces.first().map(|piece| &scene.clips[piece.clip]);
    let extras = first.filter(|_| pieces.len() == 1).map_or_else(Extras::new, |clip| clip.extras.clone());
    let mut clip = Clip { name, duration: seconds, frames: None, tracks, extras };
    clip.duration = seconds.max(clip.last_key());
    // Frames are counted anew, at the rate that all clips agree on.
    let rate = first.and_then(|clip| clip.frames).map(|frames| frames.rate);
    let agree = |piece: &Piece| scene.clips[piece.clip].frames.map(|frames| frames.rate) == rate;
    if rate.is_some() && pieces.iter().all(agree) {
        clip.frames = Some(grid(&clip, rate));
    }
    clip
}

/// The track of one property: its section in each piece.
fn joined(scene: &Scene, placed: &[Placed], parts: &[(usize, &Track)]) -> Option<Track> {
    let (_, like) = parts.first()?;
    let mut parts = parts.iter().peekable();
    let mut sections = Vec::new();
    for (index, at) in placed.iter().enumerate() {
        let Piece { from, to, speed, reversed, .. } = at.piece;
        let own =
            parts.next_if(|(piece, _)| *piece == index).and_then(|(_, track)| Section::of(track, from, to));
        let section = own.or_else(|| at_rest(scene, like, from))?;
        let fills = reversed || placed.len() > 1;
        let section = if fills { section.filling(from, to) } else { section };
        let (origin, factor) = if reversed { (to, -1.0 / speed) } else { (from, 1.0 / speed) };
        sections.push(section.retimed(at.start, origin, factor));
    }
    let kind = common(&sections);
    let mut sections: Vec<_> = sections.into_iter().map(|section| section.into_kind(kind)).collect();
    if kind != Interpolation::Step {
        for (next, at) in placed.iter().enumerate().skip(1) {
            let (before, after) = sections.split_at_mut(next);
            seam(before.last_mut()?, after.first()?, at.start);
        }
    }
    track(like.node, &like.values, sections)
}

/// Where two sections meet with different values, the first ends at the last moment before the second.
fn seam(before: &mut Section, after: &Section, time: f64) {
    let last = before.times.len().saturating_sub(1);
    let is_same = before.value(last).iter().zip(after.value(0)).all(|(a, b)| (a - b).abs() <= 1e-7);
    if !is_same && let Some(end) = before.times.last_mut() {
        *end = end.min(f64::from((time as f32).next_down()));
    }
}

/// The interpolation in which all sections can be expressed.
fn common(sections: &[Section]) -> Interpolation {
    let has = |kind| sections.iter().any(|section| section.times.len() > 1 && section.interpolation == kind);
    match (has(Interpolation::Cubic), has(Interpolation::Linear)) {
        (true, _) => Interpolation::Cubic,
        (false, true) => Interpolation::Linear,
        (false, false) => sections.first().map_or(Interpolation::Step, |only| match sections.len() {
            1 => only.interpolation,
            _ => Interpolation::Step,
        }),
    }
}

/// The value at rest of a track's property.
fn at_rest(scene: &Scene, like: &Track, time: f64) -> Option<Section> {
    let node = scene.nodes.get(like.node.index())?;
    let Trs { translation, rotation, scale } = node.local.nearest_trs().0;
    Some(match &like.values {
        Values::Translation(_) => Section::constant(time, &translation.to_array(), false),
        Values::Rotation(_) => Section::constant(time, &rotation.to_array(), true),
        Values::Scale(_) => Section::constant(time, &scale.to_array(), false),
        Values::MorphWeights { count, .. } => {
            let targets = node.mesh.map_or(&[][..], |mesh| &scene.meshes[mesh.index()].morphs);
            let mut weights = match node.morph_weights.is_empty() {
                true => targets.iter().map(|morph| morph.weight).collect(),
                false => node.morph_weights.clone(),
            };
            weights.resize(*count, 0.0);
            Section::constant(time, &weights, false)
        }
    })
}

/// The same montage of a file's own motion.
pub(super) fn own_montage(own: &OwnMotion, scene: &Scene, pieces: &[Piece]) -> OwnClip {
    let rest = |node: NodeId| scene.nodes.get(node.index()).map_or_else(Local::default, |n| n.local.clone());
    own.montage(&Placed::all(pieces), rest)
}

/// How far a montage puts any vertex from where the pieces put it, as a fraction of the model's size, and at how many
/// times that was measured. The pieces are posed as their file moves by its own rules.
pub(super) fn measure(
    scene: &Scene,
    own: Option<&OwnMotion>,
    gauge: &Gauge,
    pieces: &[Piece],
    made: &Clip,
) -> (f64, usize) {
    let mut result = Player::of_clip(scene, made);
    let (mut worst, mut count) = (0.0_f64, 0);
    let most = (gauge.affordable(scene) / pieces.len().max(1)).clamp(8, 4096);
    let last = pieces.len().saturating_sub(1);
    let mut source = Player::new(scene, own);
    for (index, at) in Placed::all(pieces).iter().enumerate() {
        let Piece { clip, from, to, reversed, .. } = at.piece;
        for time in moments(&scene.clips[clip], from, to, most) {
            let shown = at.shown(f64::from(time)) as f32;
            // A seam shows the next piece.
            let shown = if index < last { shown.min((at.end() as f32).next_down()) } else { shown };
            let time = if reversed { time.next_down() } else { time };
            worst = worst.max(gauge.apart(source.pose(clip, time.max(0.0)), result.at(shown)));
            count += 1;
        }
    }
    (worst, count)
}

/// The ends of a stretch, the key times in it, and times between them.
fn moments(clip: &Clip, from: f64, to: f64, most: usize) -> Vec<f32> {
    let (from, to) = (from as f32, to as f32);
    let keys = key_times(&clip.tracks).into_iter().filter(|&time| time > from && time < to);
    let keys: Vec<f32> = std::iter::once(from).chain(keys).chain([to]).collect();
    let every = keys.len().div_ceil(most.max(2)).max(1);
    let mut moments: Vec<f32> = keys.iter().copied().step_by(every).collect();
    let between = keys.windows(2).step_by(every);
    moments.extend(between.flat_map(|w| [0.3, 0.7].map(|part| w[0] + (w[1] - w[0]) * part)));
    moments.push(to);
    moments.retain(|time| (from..=to).contains(time));
    moments.sort_unstable_by(f32::total_cmp);
    moments
}
