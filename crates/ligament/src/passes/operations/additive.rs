//! Additive clips: what a clip does beyond a reference pose.
//!
//! A joint's rotation is `reference · delta`, its translation `reference + delta`, its scale `reference · delta` along each axis, and weights of
//! morph targets are `reference + delta`. All of these are linear in the delta, so keys stay keys, also cubic ones, and base plus
//! delta is the source between keys too.

use super::clips::Clips;
use super::gauge::{EXACT, Gauge, percent};
use super::rest_pose::At;
use super::rig_codes as codes;
use crate::passes::deviation::{UNIT, moments, thin};
use crate::pose::{OwnClip, Player, Pose, locals_at};
use crate::report::{Failure, Loss, counted, label};
use crate::scene::{Clip, Interpolation, Local, Mesh, Morph, Node, NodeId, Scene, Track, Trs, Values};
use glam::{DMat4, Quat, Vec3};
use serde_json::json;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// The key of a clip's extras that says what its values are.
const EXTRA: &str = "additive";
/// A factor of a scale that cannot be divided by.
const FLAT: f32 = 1e-6;

impl Clips<'_> {
    /// Makes clips additive, relative to a pose; without one, to their own first frame.
    pub(super) fn additive(&mut self, texts: &[String], reference: Option<&str>) -> Result<(), Failure> {
        if texts.is_empty() {
            let message = "a reference pose is given, but no clip is to become additive";
            return if reference.is_some() { Err(self.wrong(message.to_owned())) } else { Ok(()) };
        }
        let mut chosen = BTreeSet::new();
        for text in texts {
            chosen.extend(self.named(text)?);
        }
        let shared = reference.map(|text| self.pose_named(text.trim())).transpose()?;
        let gauge = Gauge::of(self.scene);
        for index in chosen {
            let (pose, what) = match &shared {
                Some(shared) => shared.clone(),
                None => (self.pose_at(index, 0.0), "its own first frame".to_owned()),
            };
            self.make_additive(index, &pose, &what, &gauge)?;
        }
        Ok(())
    }

    fn make_additive(&mut self, index: usize, pose: &[At], what: &str, gauge: &Gauge) -> Result<(), Failure> {
        let clip = &self.scene.clips[index];
        let name = clip.name.clone();
        let flat = clip.tracks.iter().find(|track| {
            let scale = pose[track.node.index()].0.trs().map(|trs| trs.scale);
            matches!(track.values, Values::Scale(_)) && scale.is_some_and(|s| s.abs().min_element() < FLAT)
        });
        if let Some(track) = flat {
            let joint = self.scene.node_label(track.node);
            let message =
                format!("clip {name:?} cannot be relative to {what}: there, {joint:?} has a scale of zero");
            return Err(self.wrong(message));
        }
        let made = delta(self.scene, clip, pose, what);
        let (worst, poses) = self.base_and_delta(index, &made, pose, gauge);
        let object = label("clip", &name, index);
        let poses = counted(poses, "pose", "poses");
        let message = format!(
            "relative to {what}; base and delta compared with the source in {poses}, at most {} off",
            percent(worst)
        );
        self.report.loss(match worst <= EXACT {
            true => Loss::kept(&codes::ADDITIVE, object, 1, message),
            false => Loss::approximated(&codes::ADDITIVE, object, 1, worst, UNIT, message),
        });
        self.scene.clips[index] = made;
        if let Some(own) = self.own.as_mut() {
            own.replace(index, OwnClip::of_tracks());
        }
        Ok(())
    }

    /// Poses the reference with the delta on top, beside the source.
    fn base_and_delta(&self, index: usize, made: &Clip, pose: &[At], gauge: &Gauge) -> (f64, usize) {
        let source = &self.scene.clips[index];
        let still = at_nothing(self.scene);
        let mut times = moments(source.tracks.iter());
        thin(&mut times, gauge.affordable(self.scene));
        let mut player = Player::new(self.scene, self.own.as_ref());
        let mut worst = 0.0_f64;
        for &time in &times {
            let weights = Pose::at(&still, made, time).morph_weights;
            let locals = locals_at(&still, made, time);
            let mut globals: Vec<DMat4> = Vec::with_capacity(locals.len());
            for ((node, (base, _)), delta) in self.scene.nodes.iter().zip(pose).zip(&locals) {
                let local = match (base, delta) {
                    (Local::Trs(base), Local::Trs(delta)) => added(base, delta).to_matrix(),
                    (base, _) => base.to_matrix(),
                };
                globals.push(node.parent.map_or(local, |parent| globals[parent.index()] * local));
            }
            let sum =
                |(base, delta): (&At, &Vec<f32>)| base.1.iter().zip(delta).map(|(a, b)| a + b).collect();
            let morph_weights = pose.iter().zip(&weights).map(sum).collect();
            worst = worst.max(gauge.apart(player.pose(index, time), &Pose { globals, morph_weights }));
        }
        (worst, times.len())
    }
}

/// The reference with a delta on top.
fn added(base: &Trs, delta: &Trs) -> Trs {
    Trs {
        translation: base.translation + delta.translation,
        rotation: (base.rotation.as_dquat() * delta.rotation.as_dquat()).normalize().as_quat(),
        scale: base.scale * delta.scale,
    }
}

/// The same nodes without any transform: what a delta does to them is the delta.
fn at_nothing(scene: &Scene) -> Scene {
    let node = |node: &Node| Node { parent: node.parent, mesh: node.mesh, ..Node::default() };
    let mesh = |mesh: &Mesh| Mesh { morphs: vec![Morph::default(); mesh.morphs.len()], ..Mesh::default() };
    Scene {
        nodes: scene.nodes.iter().map(node).collect(),
        meshes: scene.meshes.iter().map(mesh).collect(),
        ..Scene::default()
    }
}

/// The clip relative to a pose.
fn delta(scene: &Scene, clip: &Clip, pose: &[At], what: &str) -> Clip {
    let mut made = Clip { tracks: Vec::with_capacity(clip.tracks.len()), ..clip.clone() };
    let mut known: HashSet<(NodeId, &str)> = HashSet::new();
    for track in &clip.tracks {
        let (local, weights) = &pose[track.node.index()];
        known.insert((track.node, track.values.property()));
        let is_cubic = track.interpolation == Interpolation::Cubic;
        // The tangents of cubic keys are directions.
        let is_value = |index: usize| !is_cubic || index % 3 == 1;
        let base = local.nearest_trs().0;
        let inverse = base.rotation.as_dquat().normalize().inverse();
        let values = match &track.values {
            Values::Translation(v) => {
                let less = |(i, v): (usize, &Vec3)| if is_value(i) { *v - base.translation } else { *v };
                Values::Translation(v.iter().enumerate().map(less).collect())
            }
            Values::Rotation(v) => {
                let turned = |q: &Quat| (inverse * q.as_dquat()).as_quat();
                Values::Rotation(v.iter().map(turned).collect())
            }
            Values::Scale(v) => Values::Scale(v.iter().map(|v| *v / base.scale).collect()),
            Values::MorphWeights { count, weights: v } => {
                let less = |(i, v): (usize, &f32)| {
                    let is_value = is_value(i / (*count).max(1));
                    let base = weights.get(i % (*count).max(1)).copied().unwrap_or(0.0);
                    if is_value { v - base } else { *v }
                };
                Values::MorphWeights { count: *count, weights: v.iter().enumerate().map(less).collect() }
            }
        };
        made.tracks.push(Track { values, ..track.clone() });
    }
    made.tracks.extend(rested(scene, &known, pose));
    made.extras.insert(EXTRA.to_owned(), json!({ "reference": what }));
    made
}

/// Tracks for what the clip does not move, where the pose is not the rest pose.
fn rested(scene: &Scene, known: &HashSet<(NodeId, &str)>, pose: &[At]) -> Vec<Track> {
    let start: Arc<[f32]> = [0.0].into();
    let at_rest = Pose::rest(scene).morph_weights;
    let mut tracks = Vec::new();
    for id in scene.node_ids() {
        let (local, weights) = &pose[id.index()];
        let mut add = |values: Values| {
            if !known.contains(&(id, values.property())) {
                let times = Arc::clone(&start);
                tracks.push(Track { node: id, interpolation: Interpolation::Linear, times, values });
            }
        };
        if let (Local::Trs(rest), Local::Trs(base)) = (&scene.nodes[id.index()].local, local) {
            if rest.translation != base.translation {
                add(Values::Translation(vec![rest.translation - base.translation]));
            }
            if rest.rotation != base.rotation {
                let turned = base.rotation.as_dquat().normalize().inverse() * rest.rotation.as_dquat();
                add(Values::Rotation(vec![turned.as_quat()]));
            }
            if rest.scale != base.scale && base.scale.abs().min_element() >= FLAT {
                add(Values::Scale(vec![rest.scale / base.scale]));
            }
        }
        let rest = &at_rest[id.index()];
        if !rest.is_empty() && rest != weights {
            let less = rest.iter().zip(weights).map(|(rest, base)| rest - base).collect();
            add(Values::MorphWeights { count: rest.len(), weights: less });
        }
    }
    tracks
}
