//! Another pose at rest.
//!
//! Only what is shown without a clip changes. Inverse bind matrices stay, so the mesh is bound as before, and what a clip does not
//! move gets a key where it was at rest.

use super::clips::Clips;
use super::gauge::{EXACT, Gauge, percent};
use super::joints::bound;
use super::rig_codes as codes;
use super::spec::{Moment, rate};
use crate::passes::deviation::{UNIT, moments, thin};
use crate::pose::{Moved, OwnMotion, Player, Pose, locals_at};
use crate::report::{Failure, Loss, counted};
use crate::scene::{Clip, Interpolation, Local, Mesh, Node, NodeId, Scene, Track, Trs, Values};
use glam::DMat4;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The word for the pose in which meshes were bound.
const BIND: &str = "bind";
/// The word for the pose without a clip.
const REST: &str = "rest";

/// The transform of a node, and the weights of its morph targets.
pub(super) type At = (Local, Vec<f32>);

impl Clips<'_> {
    /// Lets the scene rest in a pose: `walk@10`, `walk@0.5s`, `10` of the only clip, or `bind`.
    pub(super) fn rest_pose(&mut self, text: &str) -> Result<(), Failure> {
        let (wanted, what) = self.pose_named(text.trim())?;
        let gauge = Gauge::of(self.scene);
        // Only names and weights of morph targets are looked at.
        let outline = |mesh: &Mesh| Mesh { morphs: mesh.morphs.clone(), ..Mesh::default() };
        let before = Scene {
            nodes: self.scene.nodes.clone(),
            meshes: self.scene.meshes.iter().map(outline).collect(),
            clips: self.scene.clips.clone(),
            ..Scene::default()
        };
        let changed: Vec<NodeId> = before.node_ids().filter(|id| differs(&before, *id, &wanted)).collect();
        for id in &changed {
            let (local, weights) = &wanted[id.index()];
            let node = &mut self.scene.nodes[id.index()];
            node.local = local.clone();
            if !weights.is_empty() {
                node.morph_weights.clone_from(weights);
            }
        }
        for clip in &mut self.scene.clips {
            hold(clip, &before, self.scene.nodes.as_slice(), &changed);
        }
        if let Some(own) = self.own.as_mut() {
            hold_own(own, &before, &changed);
        }
        let (worst, poses) = self.beside(&before, &gauge);
        let poses = counted(poses, "pose", "poses");
        let message =
            format!("the model rests in {what}; clips compared in {poses}, at most {} off", percent(worst));
        self.report.loss(match worst <= EXACT {
            true => Loss::kept(&codes::REST_POSE, "", changed.len(), message),
            false => Loss::approximated(&codes::REST_POSE, "", changed.len(), worst, UNIT, message),
        });
        Ok(())
    }

    /// The transforms and weights of all nodes in a pose, and how reports call it.
    pub(super) fn pose_named(&mut self, text: &str) -> Result<(Vec<At>, String), Failure> {
        match text {
            BIND => Ok((at_bind(self.scene), "the pose in which meshes are bound".to_owned())),
            REST => {
                let weights = Pose::rest(self.scene).morph_weights;
                let locals = self.scene.nodes.iter().map(|node| node.local.clone());
                Ok((locals.zip(weights).collect(), "the rest pose".to_owned()))
            }
            _ => self.pose_of(text),
        }
    }

    /// The transforms and weights of all nodes at a time of a clip.
    pub(super) fn pose_at(&self, index: usize, seconds: f32) -> Vec<At> {
        let clip = &self.scene.clips[index];
        let weights = Pose::at(self.scene, clip, seconds).morph_weights;
        locals_at(self.scene, clip, seconds).into_iter().zip(weights).collect()
    }

    /// The same at a moment that people name.
    fn pose_of(&mut self, text: &str) -> Result<(Vec<At>, String), Failure> {
        let (clip, moment) = match text.rsplit_once('@') {
            Some((clip, moment)) => (Some(clip.trim()), moment),
            None => (None, text),
        };
        let moment = Moment::parse(moment).map_err(|message| {
            self.wrong(format!("{text:?}: {message}; the rest pose is that of walk@10, walk@0.5s or {BIND}"))
        })?;
        let index = self.clip_of(clip)?;
        let clip = &self.scene.clips[index];
        let (rate, name) = (rate(clip, self.fps), clip.name.clone());
        let seconds = moment.seconds(rate);
        let lasts = f64::from(clip.duration);
        if seconds > lasts + 0.01 / rate {
            let message =
                format!("{text:?}: clip {name:?} ends at {lasts} s, which is frame {}", lasts * rate);
            return Err(self.wrong(message));
        }
        let seconds = (seconds as f32).min(clip.duration);
        let wanted = self.pose_at(index, seconds);
        Ok((wanted, format!("the pose at {seconds} s of clip {name:?}")))
    }

    /// Poses every clip as before and with the new rest pose.
    fn beside(&self, before: &Scene, gauge: &Gauge) -> (f64, usize) {
        let (mut worst, mut poses) = (0.0_f64, 0);
        let most = gauge.affordable(before) / before.clips.len().max(1);
        for (old, new) in before.clips.iter().zip(&self.scene.clips) {
            let mut times = moments(old.tracks.iter());
            thin(&mut times, most);
            let (mut a, mut b) = (Player::of_clip(before, old), Player::of_clip(self.scene, new));
            for &time in &times {
                worst = worst.max(gauge.apart(a.at(time), b.at(time)));
            }
            poses += times.len();
        }
        (worst, poses)
    }
}

/// The transforms of all nodes where meshes were bound.
fn at_bind(scene: &Scene) -> Vec<At> {
    let (globals, moves) = (bound(scene), scene.are_animated());
    let weights = Pose::rest(scene).morph_weights;
    let is_bound = scene.are_joints();
    let local = |(index, node): (usize, &Node)| {
        let above = node.parent.map_or(DMat4::IDENTITY, |parent| globals[parent.index()]);
        let matrix = above.inverse() * globals[index];
        if !is_bound[index] || !matrix.is_finite() {
            return node.local.clone();
        }
        let local = Local::from_matrix(&matrix);
        // What a clip moves is no general matrix.
        if moves[index] { local.nearest_trs().0.into() } else { local }
    };
    scene.nodes.iter().enumerate().map(local).zip(weights).collect()
}

/// Differences below this, relative to the value, are the rounding of a product of matrices.
const ROUNDING: f32 = 1e-6;

fn differs(scene: &Scene, id: NodeId, wanted: &[At]) -> bool {
    let (local, weights) = &wanted[id.index()];
    let node = &scene.nodes[id.index()];
    let is_same = match (&node.local, local) {
        (Local::Trs(a), Local::Trs(b)) => {
            let near = |a: glam::Vec3, b: glam::Vec3| a.distance(b) <= ROUNDING * a.length().max(1e-3);
            near(a.translation, b.translation)
                && near(a.scale, b.scale)
                && a.rotation.dot(b.rotation).abs() >= 1.0 - ROUNDING * ROUNDING
        }
        (a, b) => a == b,
    };
    !is_same || (!weights.is_empty() && *weights != rest_weights(scene, node))
}

fn rest_weights(scene: &Scene, node: &Node) -> Vec<f32> {
    let Some(mesh) = node.mesh.map(|mesh| &scene.meshes[mesh.index()]) else { return Vec::new() };
    match node.morph_weights.len() == mesh.morphs.len() {
        true => node.morph_weights.clone(),
        false => mesh.morphs.iter().map(|morph| morph.weight).collect(),
    }
}

/// Adds keys for what rested in a clip and would move now.
fn hold(clip: &mut Clip, before: &Scene, now: &[Node], changed: &[NodeId]) {
    let known: HashSet<(NodeId, &str)> =
        clip.tracks.iter().map(|track| (track.node, track.values.property())).collect();
    let mut held = Vec::new();
    let start: Arc<[f32]> = [0.0].into();
    for &id in changed {
        let (old, new) = (&before.nodes[id.index()], &now[id.index()]);
        let mut keep = |values: Values| {
            if !known.contains(&(id, values.property())) {
                let times = Arc::clone(&start);
                held.push(Track { node: id, interpolation: Interpolation::Linear, times, values });
            }
        };
        if let (Local::Trs(was), Local::Trs(is)) = (&old.local, &new.local) {
            let Trs { translation, rotation, scale } = *was;
            if translation != is.translation {
                keep(Values::Translation(vec![translation]));
            }
            if rotation != is.rotation {
                keep(Values::Rotation(vec![rotation]));
            }
            if scale != is.scale {
                keep(Values::Scale(vec![scale]));
            }
        }
        let weights = rest_weights(before, old);
        if !weights.is_empty() && weights != new.morph_weights {
            keep(Values::MorphWeights { count: weights.len(), weights });
        }
    }
    clip.tracks.extend(held);
}

/// The same for the file's own motion.
fn hold_own(own: &mut OwnMotion, before: &Scene, changed: &[NodeId]) {
    let mut at_rest: HashMap<NodeId, Vec<Moved>> = HashMap::new();
    for &id in changed {
        let node = &before.nodes[id.index()];
        let moved = at_rest.entry(id).or_default();
        moved.push(Moved::Local(node.local.clone()));
        let weights = rest_weights(before, node);
        if !weights.is_empty() {
            moved.push(Moved::MorphWeights(weights));
        }
    }
    own.hold(&at_rest);
}
