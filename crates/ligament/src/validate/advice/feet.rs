//! Feet that slide over the ground while the model walks.

use super::{clip_name, codes, joint_name, others};
use crate::pose::Pose;
use crate::report::{Place, Report};
use crate::scene::{Clip, NodeId, Scene, Track, Values};
use glam::{DVec2, DVec3};
use std::collections::HashSet;

/// All lengths are parts of the model's size. How far the root moves in a clip that goes somewhere.
const TRAVEL: f64 = 0.2;
/// How far above its lowest height a foot still touches the ground.
const CONTACT: f64 = 0.01;
/// How far a foot may move while it touches the ground.
const SLIDE: f64 = 0.05;
/// Poses per clip.
const MOST_POSES: usize = 120;
/// Nodes that are posed in all; clips beyond that are not looked at.
const MOST_NODES: usize = 20_000_000;

const NAMES: [&str; 6] = ["foot", "toe", "ankle", "hoof", "paw", "fuss"];

pub(super) fn check(scene: &Scene, size: f64, report: &mut Report) {
    let feet = feet(scene);
    if feet.is_empty() || size <= 0.0 {
        return;
    }
    let mut nodes = 0;
    for (c, clip) in scene.clips.iter().enumerate() {
        let times = times(clip);
        let Some(root) = mover(scene, clip, &feet) else { continue };
        nodes += times.len().saturating_mul(scene.nodes.len());
        if nodes > MOST_NODES {
            return;
        }
        let mut paths = vec![Vec::with_capacity(times.len()); feet.len() + 1];
        for time in &times {
            let pose = Pose::at(scene, clip, *time);
            for (path, node) in paths.iter_mut().zip([&root].into_iter().chain(&feet)) {
                path.push(origin(&pose, *node) / size);
            }
        }
        if !goes_somewhere(&paths[0]) {
            continue;
        }
        let slides = feet.iter().zip(&paths[1..]).filter_map(|(foot, path)| Some((*foot, slide(path)?)));
        let mut slides: Vec<_> = slides.filter(|(_, slide)| slide.2 > SLIDE).collect();
        slides.sort_by(|a, b| b.1.2.total_cmp(&a.1.2));
        let Some((foot, (from, to, length))) = slides.first() else { continue };
        let message = format!(
            "{}: {} slides over the ground by {:.1} % of the model's size from {} s to {} s{}",
            clip_name(scene, c),
            joint_name(scene, *foot),
            length * 100.0,
            times[*from],
            times[*to],
            others(slides.len() - 1)
        );
        report.note(&codes::SLIDE, Place::field(format!("clips[{c}]")), message);
    }
}

/// The joints that are named like feet, without those that have such a joint below them.
fn feet(scene: &Scene) -> Vec<NodeId> {
    let joints: HashSet<NodeId> = scene.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    let is_foot = |node: &NodeId| {
        let name = scene.nodes.get(node.index()).map_or(String::new(), |node| node.name.to_lowercase());
        NAMES.iter().any(|word| name.contains(word))
    };
    let mut feet: HashSet<NodeId> = joints.iter().copied().filter(is_foot).collect();
    for foot in feet.clone() {
        if let Some(parent) = scene.nodes.get(foot.index()).and_then(|node| node.parent) {
            feet.remove(&parent);
        }
    }
    let mut feet: Vec<_> = feet.into_iter().collect();
    feet.sort_unstable();
    feet
}

/// The topmost node above the feet that the clip translates: the one that moves the model.
fn mover(scene: &Scene, clip: &Clip, feet: &[NodeId]) -> Option<NodeId> {
    let is_moved = |track: &&Track| matches!(track.values, Values::Translation(_));
    let moved: HashSet<NodeId> = clip.tracks.iter().filter(is_moved).map(|track| track.node).collect();
    // Parents come before their children, so this ends.
    let parent = |id: &NodeId| scene.nodes.get(id.index())?.parent.filter(|parent| parent < id);
    let above = std::iter::successors(feet.first().and_then(parent), parent);
    above.filter(|node| moved.contains(node)).last()
}

/// The times of the track with the most keys, or some of them.
fn times(clip: &Clip) -> Vec<f32> {
    let longest = clip.tracks.iter().filter(|track| track.moves_node()).max_by_key(|track| track.times.len());
    let Some(track) = longest else { return Vec::new() };
    let each = track.times.len().div_ceil(MOST_POSES).max(1);
    track.times.iter().copied().step_by(each).collect()
}

fn origin(pose: &Pose, node: NodeId) -> DVec3 {
    pose.globals.get(node.index()).map_or(DVec3::ZERO, |global| global.w_axis.truncate())
}

fn ground(point: &DVec3) -> DVec2 {
    DVec2::new(point.x, point.z)
}

fn goes_somewhere(path: &[DVec3]) -> bool {
    match (path.first(), path.last()) {
        (Some(first), Some(last)) => ground(first).distance(ground(last)) > TRAVEL,
        _ => false,
    }
}

/// The longest slide: the poses between which the foot touches the ground, and how far it moves meanwhile.
fn slide(path: &[DVec3]) -> Option<(usize, usize, f64)> {
    let lowest = path.iter().map(|point| point.y).fold(f64::INFINITY, f64::min);
    let touches = |point: &DVec3| point.y < lowest + CONTACT;
    let mut worst: Option<(usize, usize, f64)> = None;
    let mut start = None;
    for (i, point) in path.iter().enumerate() {
        if !touches(point) {
            start = None;
            continue;
        }
        let from = *start.get_or_insert(i);
        let length = ground(&path[from]).distance(ground(point));
        if worst.is_none_or(|worst| length > worst.2) {
            worst = Some((from, i, length));
        }
    }
    worst
}
