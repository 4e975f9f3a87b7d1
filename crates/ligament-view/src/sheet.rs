//! The keys of a clip as rows, its curves, and the stretch of time that is shown.

use crate::facts::label;
use crate::state::State;
use ligament::Scene;
use ligament::internal::shown;
use ligament::math::EulerRot;
use ligament::pose::{Sampled, sample};
use ligament::scene::{Clip, NodeId, Track};
use ligament_render::Selected;
use std::sync::Arc;

/// Rows that are listed; a clip of more nodes is searched by selecting them.
const MOST_ROWS: usize = 2000;

/// A row of keys.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyRow {
    /// The node, or the property of the selected node.
    pub label: String,
    /// The node.
    pub node: NodeId,
    /// The track, if the row is one property.
    pub track: Option<usize>,
    /// The times of its keys, ascending.
    pub keys: Vec<f32>,
}

/// The rows of a clip: those of one node, or one per node that moves.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sheet {
    /// The rows.
    pub rows: Vec<KeyRow>,
    /// Rows that are not listed.
    pub omitted: usize,
}

impl Sheet {
    /// The rows of a clip. `only` is the selected node.
    pub fn of(scene: &Scene, clip: &Clip, only: Option<NodeId>) -> Self {
        let mut rows: Vec<KeyRow> = Vec::new();
        let keys = |track: &Track| track.times.iter().copied().filter(|time| time.is_finite()).collect();
        if let Some(node) = only {
            let own = clip.tracks.iter().enumerate().filter(|(_, track)| track.node == node);
            rows.extend(own.map(|(number, track)| KeyRow {
                label: track.values.property().to_owned(),
                node,
                track: Some(number),
                keys: keys(track),
            }));
            return Self { rows, omitted: 0 };
        }
        // The row of each node.
        let mut known: Vec<Option<usize>> = vec![None; scene.nodes.len()];
        let mut omitted = 0;
        for track in &clip.tracks {
            let Some(row) = known.get_mut(track.node.index()) else { continue };
            match *row {
                Some(row) if row < rows.len() => rows[row].keys.extend(keys(track)),
                Some(_) => {}
                None if rows.len() < MOST_ROWS => {
                    *row = Some(rows.len());
                    let label = shown::safe(&scene.node_label(track.node));
                    rows.push(KeyRow { label, node: track.node, track: None, keys: keys(track) });
                }
                None => {
                    *row = Some(usize::MAX);
                    omitted += 1;
                }
            }
        }
        for row in &mut rows {
            row.keys.sort_by(f32::total_cmp);
            row.keys.dedup();
        }
        rows.sort_by_key(|row| row.node);
        Self { rows, omitted }
    }
}

/// One component of a track over a stretch of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    /// `X`, `Y`, `Z`, or the number of a morph target.
    pub label: String,
    /// Seconds and values.
    pub points: Vec<[f64; 2]>,
    /// The same at keys.
    pub keys: Vec<[f64; 2]>,
}

/// Curves of morph targets beyond this many would hide each other.
const MOST_GRAPHS: usize = 16;

/// The components of a track from one time to another, at `count` moments and at its keys. Rotations are in degrees about
/// the axes, and do not jump at half a turn.
pub fn graphs(track: &Track, [from, to]: [f64; 2], count: usize) -> Vec<Graph> {
    let moments = (0..count.max(2)).map(|i| from + (to - from) * i as f64 / (count.max(2) - 1) as f64);
    let mut last: Option<[f64; 3]> = None;
    let mut lines: Vec<Vec<[f64; 2]>> = Vec::new();
    for time in moments {
        for (line, value) in values(track, time, &mut last).into_iter().take(MOST_GRAPHS).enumerate() {
            if lines.len() <= line {
                lines.push(Vec::new());
            }
            if value.is_finite() {
                lines[line].push([time, value]);
            }
        }
    }
    let mut graphs: Vec<Graph> = lines
        .into_iter()
        .enumerate()
        .map(|(number, points)| {
            let axes = ["X", "Y", "Z"];
            let morph = !track.moves_node();
            let name = axes.get(number).filter(|_| !morph).map(|axis| (*axis).to_owned());
            Graph { label: name.unwrap_or_else(|| number.to_string()), points, keys: Vec::new() }
        })
        .collect();
    let seen = track.times.iter().copied().map(f64::from).filter(|time| (from..=to).contains(time));
    for time in seen.take(count) {
        // Near the points of the curves, so that angles are of the same turn.
        let near = graphs.iter().map(|graph| {
            let at = graph.points.partition_point(|point| point[0] < time);
            graph.points.get(at.min(graph.points.len().max(1) - 1)).map_or(0.0, |point| point[1])
        });
        let mut near: Option<[f64; 3]> = near.collect::<Vec<_>>().try_into().ok();
        for (graph, value) in graphs.iter_mut().zip(values(track, time, &mut near)) {
            if value.is_finite() {
                graph.keys.push([time, value]);
            }
        }
    }
    graphs
}

/// The components at a time; angles are those nearest to the last ones.
fn values(track: &Track, time: f64, last: &mut Option<[f64; 3]>) -> Vec<f64> {
    match sample(track, time as f32) {
        None => Vec::new(),
        Some(Sampled::Translation(v) | Sampled::Scale(v)) => v.to_array().map(f64::from).to_vec(),
        Some(Sampled::MorphWeights(weights)) => weights.iter().copied().map(f64::from).collect(),
        Some(Sampled::Rotation(turn)) => {
            let (y, x, z) = turn.as_dquat().to_euler(EulerRot::YXZ);
            let angles = [x, y, z].map(f64::to_degrees);
            // The same rotation has a second triple of angles, which may be the nearer one.
            let other = [180.0 - angles[0], angles[1] + 180.0, angles[2] + 180.0];
            let near = |triple: [f64; 3], to: [f64; 3]| {
                [0, 1, 2].map(|i| triple[i] + ((to[i] - triple[i]) / 360.0).round() * 360.0)
            };
            let apart = |a: [f64; 3], b: [f64; 3]| (0..3).map(|i| (a[i] - b[i]).abs()).sum::<f64>();
            let chosen = match *last {
                None => angles,
                Some(last) => {
                    let (a, b) = (near(angles, last), near(other, last));
                    if apart(b, last) < apart(a, last) { b } else { a }
                }
            };
            *last = Some(chosen);
            chosen.to_vec()
        }
    }
}

/// The shortest stretch of time that can be shown.
const SHORTEST: f64 = 1e-3;

/// The stretch of time that is shown, within a clip.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Span {
    /// Its ends; `None` shows the whole clip.
    ends: Option<[f64; 2]>,
}

impl Span {
    /// Its ends, for a clip of a duration.
    pub fn ends(&self, duration: f64) -> [f64; 2] {
        match self.ends {
            Some([from, to]) if from < duration && to <= duration * 1.000_001 => [from, to.min(duration)],
            _ => [0.0, duration.max(SHORTEST)],
        }
    }

    /// Whether only a part of the clip is shown.
    pub fn is_part(&self, duration: f64) -> bool {
        self.ends(duration) != [0.0, duration.max(SHORTEST)]
    }

    /// Zooms in (above one) or out; the time `at` stays where it is.
    pub fn zoom(&mut self, at: f64, factor: f64, duration: f64) {
        if !(factor.is_finite() && factor > 0.0 && at.is_finite()) {
            return;
        }
        let [from, to] = self.ends(duration);
        let length = ((to - from) / factor).clamp(SHORTEST.min(duration), duration);
        let part = ((at - from) / (to - from)).clamp(0.0, 1.0);
        self.show(at.clamp(from, to) - part * length, length, duration);
    }

    /// Moves it by seconds.
    pub fn pan(&mut self, seconds: f64, duration: f64) {
        let [from, to] = self.ends(duration);
        if seconds.is_finite() && self.is_part(duration) {
            self.show(from + seconds, to - from, duration);
        }
    }

    /// Shows the whole clip.
    pub fn fit(&mut self) {
        self.ends = None;
    }

    fn show(&mut self, from: f64, length: f64, duration: f64) {
        let from = from.clamp(0.0, (duration - length).max(0.0));
        self.ends = (length < duration).then_some([from, from + length]);
    }
}

/// A round number of seconds between the marks of a ruler: at least `least`.
pub fn step(least: f64) -> f64 {
    let least = least.clamp(1e-9, 1e9);
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|s| *s >= least * 0.999)
        .unwrap_or(least)
}

/// What a sheet was made of: the file, how often it was read, the clip and the node.
pub(crate) type SheetKey = (usize, u64, usize, Option<NodeId>);

impl State {
    /// The file and the clip whose keys are shown, and the selected node.
    fn sheet_key(&self) -> Option<SheetKey> {
        let selected = self.selected.and_then(|(slot, what)| match what {
            Selected::Node(node) => Some((slot, node)),
            _ => None,
        });
        let slot = selected.map_or(0, |(slot, _)| slot);
        let clip = self.clip_of(slot)?;
        Some((slot, self.slots.get(slot)?.times_read, clip, selected.map(|(_, node)| node)))
    }

    /// The rows of the clip: those of the selected node, or one per node that moves.
    pub fn sheet(&mut self) -> Option<Arc<Sheet>> {
        let key = self.sheet_key()?;
        if let Some((_, sheet)) = self.sheet.as_ref().filter(|(known, _)| *known == key) {
            return Some(Arc::clone(sheet));
        }
        let scene = self.slots.get(key.0)?.scene()?;
        let sheet = Arc::new(Sheet::of(scene, scene.clips.get(key.2)?, key.3));
        self.sheet = Some((key, Arc::clone(&sheet)));
        Some(sheet)
    }

    /// The curves of a track of the selected node: the chosen one, or else the first that turns or moves.
    pub fn curves(&mut self, count: usize) -> Option<(String, Vec<Graph>)> {
        let (slot, _, clip, node) = self.sheet_key()?;
        node?;
        let sheet = self.sheet()?;
        let tracks: Vec<usize> = sheet.rows.iter().filter_map(|row| row.track).collect();
        let chosen = self.track.filter(|track| tracks.contains(track));
        let track = chosen.or_else(|| tracks.first().copied())?;
        let ends = self.span.ends(self.clock.duration());
        let track = self.slots.get(slot)?.scene()?.clips.get(clip)?.tracks.get(track)?;
        Some((track.values.property().to_owned(), graphs(track, ends, count)))
    }

    /// The file whose keys are shown.
    pub(crate) fn sheet_slot(&self) -> usize {
        self.sheet_key().map_or(0, |key| key.0)
    }

    /// The name of the clip whose keys are shown.
    pub(crate) fn sheet_title(&self) -> Option<String> {
        let (slot, _, clip, node) = self.sheet_key()?;
        let slot = self.slots.get(slot)?;
        let clip = label(&slot.scores.get(clip)?.name, clip);
        Some(match node.and_then(|node| slot.label(Selected::Node(node))) {
            Some(node) => format!("{node} in {clip}"),
            None => format!("all nodes in {clip}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament::math::{Quat, Vec3};
    use ligament::scene::{Interpolation, Node, Values};

    fn track(node: u32, times: &[f32], values: Values) -> Track {
        Track { node: NodeId(node), interpolation: Interpolation::Linear, times: times.into(), values }
    }

    #[test]
    fn rows_are_of_nodes_or_of_properties() {
        let mut scene = Scene::default();
        for _ in 0..3 {
            scene.add_node(Node::default());
        }
        let moves = |times: &[f32]| Values::Translation(vec![Vec3::ZERO; times.len()]);
        let tracks = vec![
            track(2, &[0.0, 1.0], moves(&[0.0, 1.0])),
            track(0, &[0.0], moves(&[0.0])),
            track(2, &[0.5, 1.0], Values::Scale(vec![Vec3::ONE; 2])),
        ];
        let clip = Clip { tracks, duration: 1.0, ..Clip::default() };
        let all = Sheet::of(&scene, &clip, None);
        let keys: Vec<_> = all.rows.iter().map(|row| (row.node.0, row.keys.clone())).collect();
        assert_eq!(keys, [(0, vec![0.0]), (2, vec![0.0, 0.5, 1.0])]);
        let one = Sheet::of(&scene, &clip, Some(NodeId(2)));
        let rows: Vec<_> = one.rows.iter().map(|row| (row.label.as_str(), row.track)).collect();
        assert_eq!(rows, [("translation", Some(0)), ("scale", Some(2))]);
        assert!(Sheet::of(&scene, &clip, Some(NodeId(1))).rows.is_empty());
    }

    #[test]
    fn angles_go_on_beyond_half_a_turn() {
        let turns: Vec<Quat> =
            (0..=8).map(|i| Quat::from_rotation_x(i as f32 * std::f32::consts::FRAC_PI_4)).collect();
        let times: Vec<f32> = (0..=8).map(|i| i as f32).collect();
        let track = track(0, &times, Values::Rotation(turns));
        let all = graphs(&track, [0.0, 8.0], 161);
        assert_eq!(all.len(), 3);
        for [time, angle] in &all[0].points {
            assert!((angle - time * 45.0).abs() < 0.5, "{angle} at {time}");
        }
        for [time, angle] in &all[0].keys {
            assert!((angle - time * 45.0).abs() < 0.5, "{angle} at the key {time}");
        }
        assert_eq!(all[0].keys.len(), 9);
        assert!(all[1].points.iter().chain(&all[2].points).all(|point| point[1].abs() < 0.5));
    }

    #[test]
    fn what_is_under_the_pointer_stays_there() {
        let mut span = Span::default();
        assert_eq!(span.ends(4.0), [0.0, 4.0]);
        span.zoom(1.0, 2.0, 4.0);
        assert_eq!(span.ends(4.0), [0.5, 2.5]);
        span.pan(-10.0, 4.0);
        assert_eq!(span.ends(4.0), [0.0, 2.0]);
        span.pan(10.0, 4.0);
        assert_eq!(span.ends(4.0), [2.0, 4.0]);
        (0..100).for_each(|_| span.zoom(3.0, 2.0, 4.0));
        let [from, to] = span.ends(4.0);
        assert!(from <= 3.0 && to >= 3.0 && (to - from - SHORTEST).abs() < 1e-9);
        (0..100).for_each(|_| span.zoom(3.0, 0.5, 4.0));
        assert!(!span.is_part(4.0));
        span.zoom(f64::NAN, 2.0, 4.0);
        span.zoom(1.0, 0.0, 4.0);
        assert_eq!(span.ends(4.0), [0.0, 4.0]);
        // Another clip is shorter.
        span.zoom(3.0, 4.0, 4.0);
        assert_eq!(span.ends(1.0), [0.0, 1.0]);
        assert!(span.ends(0.0)[1] > 0.0);
    }

    #[test]
    fn rulers_have_round_steps() {
        assert_eq!([0.3, 0.011, 1.0, 6.0].map(step), [0.5, 0.02, 1.0, 10.0]);
    }
}
