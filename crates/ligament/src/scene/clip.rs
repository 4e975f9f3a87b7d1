use super::{Extras, NodeId};
use glam::{Quat, Vec3};
use std::borrow::Cow;
use std::sync::Arc;

/// A named animation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Clip {
    /// Name; empty if the format has none.
    pub name: String,
    /// Seconds until the clip ends, or starts again if it loops. Never before the last key. A clip of N stepped frames
    /// lasts N frames, although its last key is at frame N − 1.
    pub duration: f32,
    /// The regular grid that the clip was sampled on, if the format stores frames.
    pub frames: Option<Frames>,
    /// Tracks, each for one property of one node; there is at most one track per property of a node.
    pub tracks: Vec<Track>,
    /// Key-value data.
    pub extras: Extras,
}

impl Clip {
    /// Time of the last key of all tracks; 0 if there are no keys.
    pub fn last_key(&self) -> f32 {
        self.tracks.iter().filter_map(|t| t.times.last()).fold(0.0, |m, &t| m.max(t))
    }

    /// The clip's name or, if it has none, one made of its place in [`Scene::clips`](super::Scene::clips). Reports,
    /// comparisons and formats that need a name all use it, so that they speak of the same clip.
    pub fn shown_name(&self, index: usize) -> Cow<'_, str> {
        if self.name.is_empty() { Cow::Owned(format!("clip{index}")) } else { Cow::Borrowed(&self.name) }
    }

    /// The clip as the object of a loss.
    pub(crate) fn label(&self, index: usize) -> String {
        format!("clip {:?}", self.shown_name(index))
    }
}

/// A regular grid of frames: frame `i` is at `i / rate` seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frames {
    /// Frames per second.
    pub rate: f32,
    /// Number of frames.
    pub count: u32,
}

impl Frames {
    /// The time of a frame in seconds. All code that makes or samples frames uses this, so that a frame's time is the
    /// same f32 everywhere and a stepped track is hit exactly on its key.
    pub fn time(&self, frame: u32) -> f32 {
        (f64::from(frame) / f64::from(self.rate)) as f32
    }

    /// The times of all frames.
    pub fn times(&self) -> Arc<[f32]> {
        (0..self.count).map(|frame| self.time(frame)).collect()
    }
}

/// The values of one node's property over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// The node that moves.
    pub node: NodeId,
    /// How values between keys are computed.
    pub interpolation: Interpolation,
    /// Key times in seconds, strictly ascending, not negative. Shared, because all tracks of a sampled clip have the
    /// same times.
    pub times: Arc<[f32]>,
    /// The property and its value at each key (three values per key for cubic tracks).
    pub values: Values,
}

impl Track {
    /// Whether the track changes the node's transform, and not the weights of its mesh.
    pub fn moves_node(&self) -> bool {
        !matches!(self.values, Values::MorphWeights { .. })
    }

    /// The track with only some of its keys.
    pub(crate) fn with_keys(&self, keys: &[usize]) -> Self {
        fn pick<T: Copy>(values: &[T], keys: &[usize], each: usize) -> Vec<T> {
            keys.iter().flat_map(|&key| &values[key * each..(key + 1) * each]).copied().collect()
        }
        let each = self.interpolation.values_per_key();
        let values = match &self.values {
            Values::Translation(v) => Values::Translation(pick(v, keys, each)),
            Values::Rotation(v) => Values::Rotation(pick(v, keys, each)),
            Values::Scale(v) => Values::Scale(pick(v, keys, each)),
            Values::MorphWeights { count, weights } => {
                Values::MorphWeights { count: *count, weights: pick(weights, keys, each * count) }
            }
        };
        Self { times: keys.iter().map(|&key| self.times[key]).collect(), values, ..*self }
    }

    /// Whether this is a cubic track of rotations whose components each change linearly from key to key: its tangents
    /// are the slopes.
    pub fn is_straight(&self) -> bool {
        let Values::Rotation(values) = &self.values else { return false };
        if self.interpolation != Interpolation::Cubic || values.len() != self.times.len() * 3 {
            return false;
        }
        (1..self.times.len()).all(|i| {
            let (a, b) = (values[3 * i - 2].as_dquat(), values[3 * i + 1].as_dquat());
            let span = f64::from(self.times[i]) - f64::from(self.times[i - 1]);
            let near = |tangent: Quat| {
                let difference = (tangent.as_dquat() * span - (b - a)).length();
                difference <= 1e-6 * (b - a).length().max(0.5)
            };
            near(values[3 * i - 1]) && near(values[3 * i])
        })
    }
}

crate::words! {
    /// How values change from key to key. Before the first key and after the last, a track holds their values.
    #[derive(Default)]
    pub enum Interpolation(name) {
        /// Holds each key until the next.
        Step = "step",
        /// Linear; rotations along the shorter great arc (slerp).
        #[default]
        Linear = "linear",
        /// Cubic Hermite spline as in glTF: every key has an in-tangent, a value and an out-tangent, in that order;
        /// tangents are scaled by the time between keys. Rotations are normalised afterwards.
        Cubic = "cubic",
    }
}

impl Interpolation {
    /// The number of stored values per key.
    pub fn values_per_key(self) -> usize {
        if self == Interpolation::Cubic { 3 } else { 1 }
    }
}

/// A track's property and values.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// The node's translation.
    Translation(Vec<Vec3>),
    /// The node's rotation: unit quaternions (tangents of cubic tracks are not unit length).
    Rotation(Vec<Quat>),
    /// The node's scale.
    Scale(Vec<Vec3>),
    /// The weights of the mesh's morph targets, `count` values per key (and for a cubic key: `count` in-tangents,
    /// `count` values, `count` out-tangents).
    MorphWeights {
        /// Number of morph targets.
        count: usize,
        /// All weights, key after key.
        weights: Vec<f32>,
    },
}

impl Values {
    /// The number of stored elements: vectors, quaternions, or sets of morph weights. A sane track has `values_per_key`
    /// of them per key.
    pub fn len(&self) -> usize {
        match self {
            Values::Translation(v) | Values::Scale(v) => v.len(),
            Values::Rotation(v) => v.len(),
            Values::MorphWeights { count, weights } => weights.len() / (*count).max(1),
        }
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether all values are finite.
    pub(crate) fn are_finite(&self) -> bool {
        match self {
            Values::Translation(v) | Values::Scale(v) => v.iter().all(|v| v.is_finite()),
            Values::Rotation(v) => v.iter().all(|v| v.is_finite()),
            Values::MorphWeights { weights, .. } => weights.iter().all(|v| v.is_finite()),
        }
    }

    /// Keeps only the first value if all are identical bit for bit.
    pub(crate) fn keep_one_if_constant(&mut self) {
        fn keep_one<T: bytemuck::Pod>(values: &mut Vec<T>) {
            if values.windows(2).all(|pair| bytemuck::bytes_of(&pair[0]) == bytemuck::bytes_of(&pair[1])) {
                values.truncate(1);
                values.shrink_to_fit();
            }
        }
        match self {
            Values::Translation(v) | Values::Scale(v) => keep_one(v),
            Values::Rotation(v) => keep_one(v),
            Values::MorphWeights { .. } => {}
        }
    }

    /// The property's word in reports: `translation`, `rotation`, `scale` or `weights`.
    pub fn property(&self) -> &'static str {
        match self {
            Values::Translation(_) => "translation",
            Values::Rotation(_) => "rotation",
            Values::Scale(_) => "scale",
            Values::MorphWeights { .. } => "weights",
        }
    }
}
