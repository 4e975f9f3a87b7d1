//! The motion of a file by its own rules, where the tracks of a scene only approximate it.

use super::dual::DualSkin;
use super::hierarchy::Pose;
use super::player::Player;
use crate::passes::Placed;
use crate::scene::{Local, NodeId, Scene};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

/// How a file moves by its own rules.
///
/// Formats know motions that no track can express: Euler angles on Bézier curves, curves that repeat, matrices that are
/// interpolated as a whole. An importer turns them into keys that follow the motion closely, and leaves the exact
/// functions here, so that a conversion is judged by the file and not by what was made of it.
#[derive(Default)]
pub struct OwnMotion {
    /// For each clip of the scene, in order, what moves in it.
    clips: Vec<OwnClip>,
    /// Skins that are not linear in the file.
    dual: HashMap<NodeId, DualSkin>,
}

/// What moves in one clip, and how.
#[derive(Default)]
pub(crate) struct OwnClip {
    moves: Vec<Move>,
    /// The exact times of the file's keys: ascending, in seconds of the clip.
    keys: Vec<f64>,
    /// The scene's tracks are all that is known of the motion.
    plays_tracks: bool,
}

#[derive(Clone)]
struct Move {
    node: NodeId,
    at: Arc<dyn Fn(f64) -> Moved + Send + Sync>,
}

/// The exact state of a node at one time.
#[derive(Debug, Clone, PartialEq)]
pub enum Moved {
    /// Its local transform.
    Local(Local),
    /// The weights of its mesh's morph targets.
    MorphWeights(Vec<f32>),
}

impl OwnMotion {
    /// Adds a mesh placement that the file deforms by dual quaternions.
    #[cfg(feature = "fbx")]
    pub(crate) fn add_dual_skin(&mut self, skin: DualSkin) {
        self.dual.insert(skin.node, skin);
    }

    /// The way in which the file deforms a mesh placement, if that is not the scene's.
    pub(crate) fn dual_skin(&self, node: NodeId) -> Option<&DualSkin> {
        self.dual.get(&node)
    }

    /// Adds what moves in the scene's next clip.
    pub(crate) fn push(&mut self, clip: OwnClip) {
        self.clips.push(clip);
    }

    /// Keeps the clips with these indices, in this order, as a scene does whose clips were selected.
    pub(crate) fn select(&mut self, clips: &[usize]) {
        let mut old: Vec<_> = std::mem::take(&mut self.clips).into_iter().map(Some).collect();
        self.clips =
            clips.iter().map(|&i| old.get_mut(i).and_then(Option::take).unwrap_or_default()).collect();
    }

    /// Applies a change to the transforms of all nodes; `true` stands for a root.
    pub(crate) fn map_locals(
        &mut self,
        scene: &Scene,
        change: impl Fn(&mut Local, bool) + Send + Sync + Clone + 'static,
    ) {
        for one in self.clips.iter_mut().flat_map(|clip| &mut clip.moves) {
            let is_root = scene.nodes.get(one.node.index()).is_some_and(|node| node.parent.is_none());
            let (change, at) = (change.clone(), Arc::clone(&one.at));
            one.at = Arc::new(move |time| match at(time) {
                Moved::Local(mut local) => {
                    change(&mut local, is_root);
                    Moved::Local(local)
                }
                weights => weights,
            });
        }
    }

    /// Changes the ids of nodes.
    pub(crate) fn map_nodes(&mut self, change: impl Fn(&mut NodeId)) {
        self.clips.iter_mut().flat_map(|clip| &mut clip.moves).for_each(|one| change(&mut one.node));
        let dual = std::mem::take(&mut self.dual).into_values().map(|mut skin| {
            change(&mut skin.node);
            (skin.node, skin)
        });
        self.dual = dual.collect();
    }

    /// Holds nodes in every clip that does not move them.
    pub(crate) fn hold(&mut self, held: &HashMap<NodeId, Vec<Moved>>) {
        for clip in self.clips.iter_mut().filter(|clip| !clip.plays_tracks) {
            let kind = |moved: &Moved| matches!(moved, Moved::Local(_));
            let known: HashSet<(NodeId, bool)> =
                clip.moves.iter().map(|one| (one.node, kind(&(one.at)(0.0)))).collect();
            let mut nodes: Vec<_> = held.iter().collect();
            nodes.sort_unstable_by_key(|(node, _)| **node);
            for (&node, all) in nodes {
                for moved in all.iter().filter(|moved| !known.contains(&(node, kind(moved)))) {
                    let moved = moved.clone();
                    clip.add(node, move |_| moved.clone());
                }
            }
        }
    }

    /// Replaces a clip, given by its index.
    pub(crate) fn replace(&mut self, index: usize, clip: OwnClip) {
        if let Some(old) = self.clips.get_mut(index) {
            *old = clip;
        }
    }

    /// Replaces the clips.
    pub(crate) fn set_clips(&mut self, clips: Vec<OwnClip>) {
        self.clips = clips;
    }

    /// The clips, to be put in another order or to be added to.
    pub(crate) fn take_clips(&mut self) -> Vec<OwnClip> {
        std::mem::take(&mut self.clips)
    }

    /// Whether a clip moves otherwise than its tracks say.
    pub(super) fn has(&self, clip: usize) -> bool {
        !self.clips.get(clip).is_some_and(|clip| clip.plays_tracks)
    }

    /// Stretches of clips, one after the other. Where a node does not move in a stretch, it is at `rest`. If one of the
    /// clips plays its tracks, so does the result.
    pub(crate) fn montage(&self, placed: &[Placed], rest: impl Fn(NodeId) -> Local) -> OwnClip {
        let clips: Option<Vec<&OwnClip>> = placed.iter().map(|at| self.clips.get(at.piece.clip)).collect();
        let Some(clips) = clips.filter(|clips| clips.iter().all(|clip| !clip.plays_tracks)) else {
            return OwnClip::of_tracks();
        };
        let mut all = OwnClip::default();
        let mut moves: BTreeMap<NodeId, Vec<Option<Move>>> = BTreeMap::new();
        for (index, (at, clip)) in placed.iter().zip(clips).enumerate() {
            let within = |key: &&f64| (at.piece.from..=at.piece.to).contains(*key);
            all.add_keys(
                std::iter::once(at.start).chain(clip.keys.iter().filter(within).map(|&key| at.shown(key))),
            );
            for one in &clip.moves {
                moves.entry(one.node).or_insert_with(|| vec![None; placed.len()])[index] = Some(one.clone());
            }
        }
        for (node, of_pieces) in moves {
            let (placed, at_rest) = (placed.to_vec(), rest(node));
            all.add(node, move |time| {
                let index = placed.partition_point(|at| at.start <= time).saturating_sub(1);
                match (of_pieces.get(index).and_then(Option::as_ref), placed.get(index)) {
                    (Some(one), Some(at)) => (one.at)(at.source(time)),
                    _ => Moved::Local(at_rest.clone()),
                }
            });
        }
        all
    }

    /// The scene at a time of a clip, given by its index.
    pub fn pose(&self, scene: &Scene, clip: usize, seconds: f32) -> Pose {
        Player::new(scene, Some(self)).pose(clip, seconds).clone()
    }

    /// The nodes that move in a clip.
    pub(super) fn moving(&self, clip: usize) -> impl Iterator<Item = NodeId> {
        self.clips.get(clip).into_iter().flat_map(|clip| &clip.moves).map(|one| one.node)
    }

    /// Calls `each` with everything that moves in a clip at a time.
    pub(super) fn each(&self, clip: usize, seconds: f32, mut each: impl FnMut(NodeId, Moved)) {
        let Some(clip) = self.clips.get(clip) else { return };
        let time = clip.exact(seconds);
        clip.moves.iter().for_each(|Move { node, at }| each(*node, at(time)));
    }
}

impl OwnClip {
    /// A clip in which nothing moves yet. `keys` are the exact times of the file's keys, in seconds of the clip: times
    /// of tracks are rounded, and a step must be looked at from its own side.
    pub(crate) fn new(keys: impl IntoIterator<Item = f64>) -> Self {
        let mut clip = Self::default();
        clip.add_keys(keys);
        clip
    }

    /// A clip of which nothing is known but its tracks.
    pub(crate) fn of_tracks() -> Self {
        Self { plays_tracks: true, ..Self::default() }
    }

    /// Adds exact times of the file's keys.
    pub(crate) fn add_keys(&mut self, keys: impl IntoIterator<Item = f64>) {
        self.keys.extend(keys.into_iter().filter(|time| time.is_finite()));
        self.keys.sort_unstable_by(f64::total_cmp);
        self.keys.dedup();
    }

    /// Adds a node that moves. The function gets seconds of the clip.
    pub(crate) fn add(&mut self, node: NodeId, at: impl Fn(f64) -> Moved + Send + Sync + 'static) {
        self.moves.push(Move { node, at: Arc::new(at) });
    }

    /// The file's time for a time of a track: that of the last key which is rounded to it, otherwise the same.
    fn exact(&self, seconds: f32) -> f64 {
        let passed = self.keys.partition_point(|&key| key as f32 <= seconds);
        let last = passed.checked_sub(1).map(|last| self.keys[last]);
        last.filter(|&key| key as f32 == seconds).unwrap_or(f64::from(seconds))
    }
}

impl fmt::Debug for OwnMotion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moving = |clip: &OwnClip| clip.moves.len();
        f.debug_struct("OwnMotion")
            .field("moving", &self.clips.iter().map(moving).collect::<Vec<_>>())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Node, Trs};
    use glam::Vec3;

    fn placed(x: f64) -> Moved {
        Moved::Local(Local::Trs(Trs { translation: Vec3::X * x as f32, ..Trs::IDENTITY }))
    }

    fn x(own: &OwnMotion, scene: &Scene, clip: usize, seconds: f32) -> f64 {
        own.pose(scene, clip, seconds).globals[0].w_axis.x
    }

    fn scene() -> Scene {
        Scene { nodes: vec![Node::default()], ..Scene::default() }
    }

    #[test]
    fn a_step_is_seen_from_its_own_side_whatever_rounding_did_to_its_time() {
        let (scene, mut own) = (scene(), OwnMotion::default());
        // Times that 32 bits round up and down.
        for key in [1.0 / 3.0, 0.7, 100.1] {
            let mut steps = OwnClip::new([key]);
            steps.add(NodeId(0), move |time| placed(if time < key { 0.0 } else { 1.0 }));
            own.push(steps);
            let clip = own.clips.len() - 1;
            assert_eq!(x(&own, &scene, clip, key as f32), 1.0, "{key}");
            assert_eq!(x(&own, &scene, clip, (key as f32).next_down()), 0.0, "{key}");
        }
    }

    #[test]
    fn clips_are_selected_and_transforms_changed_with_the_scene() {
        let (scene, mut own) = (scene(), OwnMotion::default());
        for clip in [1.0, 2.0, 3.0] {
            let mut even = OwnClip::new([]);
            even.add(NodeId(0), move |time| placed(clip * time));
            own.push(even);
        }
        own.select(&[2, 0]);
        assert_eq!((x(&own, &scene, 0, 2.0), x(&own, &scene, 1, 2.0)), (6.0, 2.0));
        assert_eq!(x(&own, &scene, 2, 2.0), 0.0, "a clip that is not there is at rest");
        own.map_locals(&scene, |local, is_root| {
            if let (Local::Trs(trs), true) = (local, is_root) {
                trs.translation *= 10.0;
            }
        });
        assert_eq!(x(&own, &scene, 0, 2.0), 60.0);
    }
}
