//! A scene posed beside the same scene with another rig.
//!
//! Vertices are not posed one by one: a vertex is a blend of what its joints do with it, so it is never farther off than
//! the corners of the box around the vertices of the joint that is off most.

use crate::passes::deviation::{MOST_WORK, moments, thin};
use crate::pose::{Bounds, Player, Pose, joint_bounds};
use crate::report::counted;
use crate::scene::{Clip, Interpolation, NodeId, Scene, Skin};
use glam::{DMat4, DVec3};
use std::collections::HashMap;

use super::gauge::{EXACT, percent};
use crate::passes::deviation::{UNIT, size};
use crate::report::{Code, Loss};

/// What a scene draws, and how it moves, before its rig is changed.
pub(super) struct Beside {
    /// Nodes, skins and clips; the vertices are in the boxes.
    before: Scene,
    boxes: Vec<Boxed>,
    size: f64,
}

/// The box around vertices that one node moves.
struct Boxed {
    /// The node that draws the mesh.
    drawn_by: NodeId,
    mover: NodeId,
    /// If it is a joint: how many times the skin lists it before.
    repeats: Option<usize>,
    /// From the mesh's space to the mover's.
    bind: DMat4,
    corners: [DVec3; 8],
}

/// How a changed scene belongs to the one before.
pub(super) struct Change<'a> {
    /// What became of each node.
    pub(super) nodes: &'a [Option<NodeId>],
    /// By what the vertices were moved that a node draws.
    pub(super) moved: &'a dyn Fn(NodeId) -> DMat4,
    /// Whether the pose without a clip is compared.
    pub(super) with_rest: bool,
}

/// How far apart two scenes are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Apart {
    /// As a fraction of the model's size.
    pub(super) worst: f64,
    /// The number of poses.
    pub(super) poses: usize,
}

impl Apart {
    /// The loss of an operation that promises to keep every posed vertex in its place.
    pub(super) fn loss(self, code: &'static Code, count: usize, message: String) -> Loss {
        let poses = counted(self.poses, "pose", "poses");
        let message = format!("{message}; compared in {poses}, at most {} off", percent(self.worst));
        match self.worst <= EXACT {
            true => Loss::kept(code, "", count, message),
            false => Loss::approximated(code, "", count, self.worst, UNIT, message),
        }
    }
}

impl Beside {
    pub(super) fn of(scene: &Scene) -> Self {
        let mut boxes = Vec::new();
        for drawn_by in scene.node_ids() {
            let node = &scene.nodes[drawn_by.index()];
            let Some(mesh) = node.mesh else { continue };
            let parts = &scene.meshes[mesh.index()].parts;
            let mut add = |mover, repeats, bind, own: Option<Bounds>| {
                let boxed = |own: Bounds| Boxed { drawn_by, mover, repeats, bind, corners: own.corners() };
                boxes.extend(own.map(boxed));
            };
            match node.skin.map(|skin| &scene.skins[skin.index()]) {
                Some(skin) => {
                    let own = joint_bounds(parts, skin.joints.len());
                    let mut listed: HashMap<NodeId, usize> = HashMap::new();
                    for ((joint, bind), own) in skin.binds().zip(own) {
                        let times = listed.entry(joint).or_default();
                        add(joint, Some(*times), bind, own);
                        *times += 1;
                    }
                }
                None => {
                    let positions = parts.iter().flat_map(|part| &part.positions).copied();
                    add(drawn_by, None, DMat4::IDENTITY, Bounds::of(positions));
                }
            }
        }
        let before = Scene {
            nodes: scene.nodes.clone(),
            skins: scene.skins.clone(),
            clips: scene.clips.clone(),
            ..Scene::default()
        };
        Self { before, boxes, size: size(scene) }
    }

    /// Poses both scenes, at rest and in every clip.
    pub(super) fn compare(&self, after: &Scene, change: &Change<'_>) -> Apart {
        let pairs = self.pairs(after, change);
        let mut found = Apart { worst: 0.0, poses: 0 };
        if change.with_rest {
            found.add(&pairs, &Pose::rest(&self.before), &Pose::rest(after), self.size);
        }
        let work = (self.before.nodes.len() + after.nodes.len() + pairs.len() * 8).max(1);
        let most = MOST_WORK / work / self.before.clips.len().max(1);
        for (old, new) in self.before.clips.iter().zip(&after.clips) {
            let mut times = times(old, new);
            thin(&mut times, most);
            let mut players = (Player::of_clip(&self.before, old), Player::of_clip(after, new));
            for time in times {
                found.add(&pairs, players.0.at(time), players.1.at(time), self.size);
            }
        }
        found
    }

    /// Each box with the node that moves it afterwards, and the bind matrix.
    fn pairs<'b>(&'b self, after: &Scene, change: &Change<'_>) -> Vec<(&'b Boxed, Option<(usize, DMat4)>)> {
        let of_skin = |skin: &Skin| {
            let mut binds: HashMap<NodeId, Vec<DMat4>> = HashMap::new();
            skin.binds().for_each(|(joint, bind)| binds.entry(joint).or_default().push(bind));
            binds
        };
        let binds: Vec<_> = after.skins.iter().map(of_skin).collect();
        let counterpart = |boxed: &Boxed| {
            let new = |node: NodeId| change.nodes.get(node.index()).copied().flatten();
            let (drawn_by, mover) = (new(boxed.drawn_by)?, new(boxed.mover)?);
            let bind = match boxed.repeats {
                Some(repeats) => {
                    let binds = binds[after.nodes[drawn_by.index()].skin?.index()].get(&mover)?;
                    *binds.get(repeats).or(binds.last())?
                }
                None => DMat4::IDENTITY,
            };
            Some((mover.index(), bind * (change.moved)(boxed.drawn_by)))
        };
        self.boxes.iter().map(|boxed| (boxed, counterpart(boxed))).collect()
    }
}

impl Apart {
    fn add(&mut self, pairs: &[(&Boxed, Option<(usize, DMat4)>)], a: &Pose, b: &Pose, size: f64) {
        let off = |(boxed, counterpart): &(&Boxed, Option<(usize, DMat4)>)| {
            // What nothing moves any more is nowhere.
            let Some((mover, bind)) = counterpart else { return f64::INFINITY };
            let difference = a.globals[boxed.mover.index()] * boxed.bind - b.globals[*mover] * *bind;
            let distance = |corner: &DVec3| (difference * corner.extend(1.0)).truncate().length();
            boxed.corners.iter().map(distance).fold(0.0, f64::max)
        };
        let worst = pairs.iter().map(off).fold(0.0, f64::max);
        self.worst = self.worst.max(if size > 0.0 { worst / size } else { worst });
        self.poses += 1;
    }
}

/// All key times of both clips, times between them, and the last moments before steps.
fn times(old: &Clip, new: &Clip) -> Vec<f32> {
    let mut times = moments(old.tracks.iter().chain(&new.tracks));
    let before: Vec<f32> = times.iter().map(|time| time.next_down()).filter(|time| *time > 0.0).collect();
    if old.tracks.iter().any(|track| track.interpolation == Interpolation::Step) {
        times.extend(before);
    }
    times.sort_unstable_by(f32::total_cmp);
    times
}
