//! Animations: keys relative to the rest pose become tracks.

use super::Import;
use super::skeleton::Rig;
use crate::formats::draining::Draining;
use crate::formats::qmsh::codes;
use crate::formats::qmsh::document::{Animation, Key, text};
use crate::formats::qmsh::space::{mirrored, rotation};
use crate::scene::{Clip, Interpolation, NodeId, Track, Trs, Values};
use glam::{DQuat, Quat, Vec3};
use std::sync::Arc;

impl Import<'_> {
    pub(super) fn clips(&mut self, animations: Vec<Animation>, rig: &Rig) {
        for (i, animation) in animations.into_iter().enumerate() {
            let clip = clip(animation, rig);
            if !clip.tracks.iter().all(|track| track.values.are_finite()) {
                let message = "keys and rest pose together are too large to be posed".into();
                self.error(&codes::NOT_FINITE, format!("animations[{i}]"), message);
            }
            self.scene.clips.push(clip);
        }
    }
}

fn clip(animation: Animation, rig: &Rig) -> Clip {
    let Animation { name, length, times, mut keys } = animation;
    // If several keys share a time, the last one is used.
    let counts = |frame: usize| times.get(frame + 1).is_none_or(|next| *next > times[frame]);
    let key_times: Arc<[f32]> = (0..times.len()).filter(|&i| counts(i)).map(|i| times[i]).collect();
    let bones = rig.joints.len();
    let mut tracks: Vec<BoneTracks> = Vec::with_capacity(bones);
    for (bone, rest) in rig.rests.iter().enumerate() {
        let all = (0..times.len()).filter(|&i| counts(i)).map_while(|i| keys.get(i * bones + bone));
        tracks.push(BoneTracks::new(rest.unwrap_or(Trs::IDENTITY), all, key_times.len()));
    }
    keys.truncate(times.len() * bones);
    let mut keys = Draining::new(keys);
    for frame in (0..times.len()).rev() {
        for bone in (0..bones).rev() {
            let is_there = frame * bones + bone < keys.len();
            if let Some(key) = is_there.then(|| keys.pop()).flatten().filter(|_| counts(frame)) {
                tracks[bone].push(&key);
            }
        }
    }
    let mut clip = Clip { name: text(&name), ..Clip::default() };
    for (&joint, tracks) in rig.joints.iter().zip(tracks) {
        tracks.finish(joint, &key_times, &mut clip.tracks);
    }
    clip.duration = length.max(key_times.last().copied().unwrap_or(0.0)).max(0.0);
    clip
}

/// The tracks of one bone, filled from the last key to the first; a property that is always at rest has no track.
struct BoneTracks {
    rest: Trs,
    turn: DQuat,
    translation: Property<Vec3>,
    rotation: Property<Quat>,
    scale: Property<Vec3>,
}

/// The values of a property from last to first.
enum Property<T> {
    AtRest,
    /// One key is enough.
    Constant(Option<T>),
    Moving(Vec<T>),
}

impl<T> Property<T> {
    fn new(moves: bool, starts_at_rest: bool, count: usize) -> Self {
        match (moves, starts_at_rest) {
            (true, _) => Property::Moving(Vec::with_capacity(count)),
            (false, true) => Property::AtRest,
            (false, false) => Property::Constant(None),
        }
    }

    fn push(&mut self, value: impl FnOnce() -> T) {
        match self {
            Property::AtRest | Property::Constant(Some(_)) => {}
            Property::Constant(constant) => *constant = Some(value()),
            Property::Moving(values) => values.push(value()),
        }
    }

    /// The values from first to last.
    fn finish(self) -> Vec<T> {
        match self {
            Property::AtRest => Vec::new(),
            Property::Constant(constant) => constant.into_iter().collect(),
            Property::Moving(mut values) => {
                values.reverse();
                values
            }
        }
    }
}

impl BoneTracks {
    fn new<'k>(rest: Trs, keys: impl Iterator<Item = &'k Key> + Clone, count: usize) -> Self {
        let first = keys.clone().next().copied().unwrap_or(Key::AT_REST);
        let changes = |part: fn(&Key) -> &[f32]| keys.clone().any(|key| part(key) != part(&first));
        Self {
            rest,
            turn: rest.rotation.as_dquat().normalize(),
            translation: Property::new(changes(|key| &key.translation), first.translation == [0.0; 3], count),
            rotation: Property::new(changes(|key| &key.rotation), first.rotation[..3] == [0.0; 3], count),
            scale: Property::new(changes(|key| &key.scale), first.scale == [1.0; 3], count),
        }
    }

    fn push(&mut self, key: &Key) {
        let (rest, turn) = (&self.rest, self.turn);
        self.translation.push(|| {
            let moved = turn * (rest.scale * mirrored(key.translation)).as_dvec3();
            (rest.translation.as_dvec3() + moved).as_vec3()
        });
        self.rotation.push(|| (turn * rotation(key.rotation)).normalize().as_quat());
        // Mirroring does not change the axes of a scale.
        self.scale.push(|| rest.scale * Vec3::from_array(key.scale));
    }

    fn finish(self, node: NodeId, times: &Arc<[f32]>, tracks: &mut Vec<Track>) {
        let all = [
            Values::Translation(self.translation.finish()),
            Values::Rotation(self.rotation.finish()),
            Values::Scale(self.scale.finish()),
        ];
        for values in all.into_iter().filter(|values| !values.is_empty()) {
            let times = if values.len() == times.len() { Arc::clone(times) } else { Arc::from(&times[..1]) };
            tracks.push(Track { node, interpolation: Interpolation::Linear, times, values });
        }
    }
}
