//! Poses a scene many times: keys are found from those of the time before, and only what moves is computed.

use super::hierarchy::{Pose, place};
use super::own::{Moved, OwnMotion};
use super::sample::{Sampled, Spot, sample_at};
use crate::scene::{Clip, Local, Scene, Track};
use glam::DMat4;

/// A scene that is posed at one time after the other. The poses are those of [`Pose::at`] and of [`OwnMotion::pose`].
pub(crate) struct Player<'a> {
    scene: &'a Scene,
    own: Option<&'a OwnMotion>,
    rest: Pose,
    /// The local matrices of all nodes: those of nodes that do not move are at rest.
    locals: Vec<DMat4>,
    /// The clip that is playing.
    clip: Option<usize>,
    cursors: Vec<Cursor<'a>>,
    /// Each track with its cursor and its place in `moving`.
    tracks: Vec<(&'a Track, usize, usize)>,
    /// The nodes that have tracks, and their local transforms.
    moving: Vec<(usize, Local)>,
    /// For each node, its place in `moving`.
    places: Vec<usize>,
    /// The nodes that move in the clip, or whose parents do: parents first.
    carried: Vec<usize>,
    pose: Pose,
}

/// Key times that several tracks share, and how many of them had passed when they were last looked at.
struct Cursor<'a> {
    times: &'a [f32],
    passed: usize,
}

impl<'a> Player<'a> {
    pub(crate) fn new(scene: &'a Scene, own: Option<&'a OwnMotion>) -> Self {
        let rest = Pose::rest(scene);
        let pose = rest.clone();
        Self {
            scene,
            own,
            rest,
            locals: Vec::new(),
            clip: None,
            cursors: Vec::new(),
            tracks: Vec::new(),
            moving: Vec::new(),
            places: Vec::new(),
            carried: Vec::new(),
            pose,
        }
    }

    /// A player of one clip, which need not be the scene's.
    pub(crate) fn of_clip(scene: &'a Scene, clip: &'a Clip) -> Self {
        let mut player = Self::new(scene, None);
        player.start(Some(0), &clip.tracks);
        player
    }

    /// The scene at a time of the clip that is playing.
    pub(crate) fn at(&mut self, seconds: f32) -> &Pose {
        self.pose_at(self.clip.unwrap_or_default(), seconds)
    }

    /// The scene at rest.
    pub(crate) fn rest(&self) -> &Pose {
        &self.rest
    }

    /// The scene at a time of a clip, given by its index.
    pub(crate) fn pose(&mut self, clip: usize, seconds: f32) -> &Pose {
        if self.clip != Some(clip) {
            let scene = self.scene;
            self.start(Some(clip), scene.clips.get(clip).map_or(&[][..], |clip| &clip.tracks));
        }
        self.pose_at(clip, seconds)
    }

    fn pose_at(&mut self, clip: usize, seconds: f32) -> &Pose {
        for (node, local) in &mut self.moving {
            local.clone_from(&self.scene.nodes[*node].local);
            self.pose.morph_weights[*node].clone_from(&self.rest.morph_weights[*node]);
        }
        if let Some(own) = self.own.filter(|own| own.has(clip)) {
            self.follow(own, clip, seconds);
        } else {
            self.sample(seconds);
        }
        for (node, local) in &self.moving {
            self.locals[*node] = local.to_matrix();
        }
        let globals = &mut self.pose.globals;
        for &node in &self.carried {
            let local = self.locals[node];
            let parent = self.scene.nodes[node].parent.filter(|parent| parent.index() < node);
            globals[node] = parent.map_or(local, |parent| globals[parent.index()] * local);
        }
        &self.pose
    }

    fn start(&mut self, clip: Option<usize>, tracks: &'a [Track]) {
        let scene = self.scene;
        self.clip = clip;
        self.pose.clone_from(&self.rest);
        self.locals = scene.nodes.iter().map(|node| node.local.to_matrix()).collect();
        (self.cursors, self.tracks, self.moving) = (Vec::new(), Vec::new(), Vec::new());
        let mut places = vec![usize::MAX; scene.nodes.len()];
        let mut place_of = |node: usize, moving: &mut Vec<(usize, Local)>| {
            let place = places.get_mut(node)?;
            if *place == usize::MAX {
                *place = moving.len();
                moving.push((node, scene.nodes[node].local.clone()));
            }
            Some(*place)
        };
        if let Some(own) = self.own.filter(|own| clip.is_some_and(|clip| own.has(clip))) {
            for node in clip.into_iter().flat_map(|clip| own.moving(clip)) {
                place_of(node.index(), &mut self.moving);
            }
        } else {
            let mut known = std::collections::HashMap::new();
            for track in tracks {
                let Some(place) = place_of(track.node.index(), &mut self.moving) else { continue };
                let cursor = *known.entry((track.times.as_ptr(), track.times.len())).or_insert_with(|| {
                    self.cursors.push(Cursor { times: &track.times, passed: 0 });
                    self.cursors.len() - 1
                });
                self.tracks.push((track, cursor, place));
            }
        }
        let mut is_carried = vec![false; scene.nodes.len()];
        for (node, about) in scene.nodes.iter().enumerate() {
            let parent = about.parent.filter(|parent| parent.index() < node);
            is_carried[node] = places[node] != usize::MAX || parent.is_some_and(|p| is_carried[p.index()]);
        }
        self.places = places;
        self.carried = (0..scene.nodes.len()).filter(|&node| is_carried[node]).collect();
    }

    fn sample(&mut self, seconds: f32) {
        self.cursors.iter_mut().for_each(|cursor| cursor.go(seconds));
        for &(track, cursor, at) in &self.tracks {
            let Cursor { times, passed } = &self.cursors[cursor];
            let spot = Spot::after(times, *passed, f64::from(seconds), track.interpolation);
            let value = spot.and_then(|spot| sample_at(track, spot));
            let (node, local) = &mut self.moving[at];
            match value {
                Some(Sampled::MorphWeights(weights)) => set(&mut self.pose.morph_weights[*node], weights),
                Some(value) => place(local, value),
                None => {}
            }
        }
    }

    fn follow(&mut self, own: &OwnMotion, clip: usize, seconds: f32) {
        own.each(clip, seconds, |node, moved| match moved {
            Moved::Local(local) => {
                let place = self.places.get(node.index());
                if let Some(slot) = place.and_then(|place| self.moving.get_mut(*place)) {
                    slot.1 = local;
                }
            }
            Moved::MorphWeights(weights) => {
                if let Some(slot) = self.pose.morph_weights.get_mut(node.index()) {
                    set(slot, weights);
                }
            }
        });
    }
}

/// Replaces weights by as many others.
fn set(slot: &mut Vec<f32>, weights: Vec<f32>) {
    if slot.len() == weights.len() {
        *slot = weights;
    }
}

impl Cursor<'_> {
    /// Counts the keys up to a time.
    fn go(&mut self, seconds: f32) {
        let is_there = |passed: usize| {
            let before = passed.checked_sub(1).is_none_or(|last| self.times[last] <= seconds);
            before && self.times.get(passed).is_none_or(|next| *next > seconds)
        };
        if is_there(self.passed) {
            return;
        }
        let next = (self.passed + 1).min(self.times.len());
        self.passed = if is_there(next) { next } else { self.times.partition_point(|&time| time <= seconds) };
    }
}
