//! `<animation>`: samplers, and the targets of their channels.

use super::codes;
use super::curves::{Curve, Handles, Way};
use super::ids::Sids;
use super::import::Import;
use super::source::Floats;
use super::transforms::Kind;
use super::xml::{Xml, children, label, tag, word};
use crate::motion::Side;
use crate::report::Loss;
use crate::scene::NodeId;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Everything that animations move.
#[derive(Default)]
pub(super) struct Driven {
    /// By the index of the `<node>` element, so that the file's order is kept.
    pub nodes: BTreeMap<u32, Vec<Drive>>,
    /// Weights of morph controllers, by the index of the `<morph>` element.
    pub weights: BTreeMap<u32, Vec<Drive>>,
    /// Nodes that draw a morph controller's mesh, by the index of the `<morph>` element.
    pub morphed: HashMap<u32, Vec<NodeId>>,
    /// The static joint.
    pub still: Option<NodeId>,
}

/// One channel.
#[derive(Clone)]
pub(super) struct Drive {
    /// The element whose numbers change: a transform or a `<morph>`.
    pub element: roxmltree::NodeId,
    /// The index of the first number that changes.
    pub first: usize,
    /// One curve per number from there.
    pub curves: Arc<Vec<Curve>>,
    /// The number of curves that are used.
    pub count: usize,
    /// The innermost `<animation>` around the channel.
    pub animation: roxmltree::NodeId,
}

/// A channel's target, parsed.
struct Address<'t> {
    path: Vec<&'t str>,
    member: Member<'t>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Member<'t> {
    All,
    Named(&'t str),
    Index(usize),
    Index2(usize, usize),
}

impl<'d> Import<'d, '_> {
    /// Finds all channels and their targets.
    pub(super) fn find_channels(&mut self) {
        let mut samplers: HashMap<roxmltree::NodeId, Option<Arc<Vec<Curve>>>> = HashMap::new();
        let libraries: Vec<_> = children(self.root, "library_animations").collect();
        if !libraries.is_empty() {
            self.sids = Sids::of(self.root);
        }
        for animation in libraries.into_iter().flat_map(|l| l.descendants()) {
            if !animation.is_element() || tag(animation) != "animation" {
                continue;
            }
            for channel in children(animation, "channel") {
                let Some(sampler) = self.target(channel, "source") else { continue };
                let curves = match samplers.get(&sampler.id()) {
                    Some(known) => known.clone(),
                    None => {
                        let curves = self.sampler(sampler).map(Arc::new);
                        samplers.insert(sampler.id(), curves.clone());
                        curves
                    }
                };
                if let Some(curves) = curves {
                    self.channel(channel, curves, animation);
                }
            }
            self.check_infinity(animation);
        }
    }

    fn channel(&mut self, channel: Xml<'d>, curves: Arc<Vec<Curve>>, animation: Xml<'d>) {
        let target = channel.attribute("target").unwrap_or("");
        let Some((element, member)) = self.find(target) else {
            let message = format!("the channel's target {target:?} is not in the file");
            self.warning(&codes::CHANNEL, channel, message);
            self.lose(&codes::CHANNEL, "", 1, "channels whose target is not in the file are dropped");
            return;
        };
        let owner = element.parent().filter(|p| p.is_element() && tag(*p) == "node");
        if let Some((owner, kind)) = owner.zip(Kind::of(tag(element))) {
            let size = kind.neutral().len();
            let first = component(element, member, curves.len());
            match first.filter(|first| *first < size) {
                Some(first) => {
                    let whole = member == Member::All && first == 0;
                    let count = if whole { curves.len().min(size) } else { 1 };
                    let drive =
                        Drive { element: element.id(), first, curves, count, animation: animation.id() };
                    self.driven.nodes.entry(owner.id().get()).or_default().push(drive);
                }
                None => {
                    let message = format!("{target:?} does not name a number of {}", label(element));
                    self.warning(&codes::CHANNEL, channel, message);
                    self.lose(&codes::CHANNEL, "", 1, "channels that name no number are dropped");
                }
            }
            return;
        }
        if let Some(morph) = element.ancestors().find(|a| tag(*a) == "morph") {
            let first = match member {
                Member::Index(index) | Member::Index2(index, _) => index,
                _ => 0,
            };
            let count = if member == Member::All { curves.len() } else { 1 };
            let drive = Drive { element: morph.id(), first, curves, count, animation: animation.id() };
            self.driven.weights.entry(morph.id().get()).or_default().push(drive);
            return;
        }
        let kind = element.ancestors().find_map(|a| match tag(a) {
            "camera" => Some("cameras"),
            "light" => Some("lights"),
            "effect" | "material" | "image" => Some("materials"),
            "node" => Some("the visibility of nodes"),
            "geometry" => Some("geometry"),
            _ => None,
        });
        let message = format!("animation of {} is dropped", kind.unwrap_or("other things"));
        self.lose(&codes::OTHER_CHANNELS, "", 1, message);
    }

    /// Returns the element that a channel's target names, and which of its numbers.
    fn find<'t>(&self, target: &'t str) -> Option<(Xml<'d>, Member<'t>)> {
        let address = Address::of(target);
        if let Some(found) = self.walk(&address.path) {
            return Some((found, address.member));
        }
        // A sid may contain a dot.
        let whole: Vec<&str> = target.split('/').collect();
        self.walk(&whole).map(|found| (found, Member::All))
    }

    fn walk(&self, path: &[&str]) -> Option<Xml<'d>> {
        let (id, sids) = path.split_first()?;
        // A geometry may have the id of the node that shows it; only one of them has what the path names.
        self.ids
            .all(id)
            .iter()
            .find_map(|start| sids.iter().try_fold(*start, |node, sid| self.sids.find(node, sid)))
    }

    /// Reads the curves of a sampler, one per number of its output.
    fn sampler(&mut self, sampler: Xml<'d>) -> Option<Vec<Curve>> {
        let source = self.input_source(sampler, "INPUT")?;
        let input = self.floats_of(source, 1)?;
        let source = self.input_source(sampler, "OUTPUT")?;
        let output = self.floats_of(source, 1)?;
        let source = self.input_source(sampler, "INTERPOLATION");
        let names =
            source.and_then(|source| self.words_of(source)).map(|(words, _)| words).unwrap_or_default();
        let width = output.width();
        let count = input.count.min(output.count);
        if input.count != output.count {
            let message = format!("found {} times, but {} values", input.count, output.count);
            self.warning(&codes::COUNT, sampler, message);
        }
        let rows = self.ascending(sampler, &input, count);
        if rows.is_empty() || width == 0 {
            return None;
        }
        let ways = self.ways(sampler, &names, &rows);
        let bent = ways.iter().any(|w| matches!(w, Way::Bezier | Way::Hermite));
        let tangents = |import: &mut Self, semantic: &str| {
            let source = if bent { import.input_source(sampler, semantic) } else { None };
            source.and_then(|source| import.floats_of(source, width * 2))
        };
        let (before, after) = (tangents(self, "IN_TANGENT"), tangents(self, "OUT_TANGENT"));
        if bent && (before.is_none() || after.is_none()) {
            self.warning(&codes::TANGENTS, sampler, "the curve has no tangents; it is read as linear");
        }
        let times: Arc<[f64]> = rows.iter().map(|&row| f64::from(input.get(row, 0))).collect();
        let mut curves = Vec::with_capacity(width);
        for column in 0..width {
            let values: Vec<f64> = rows.iter().map(|&row| f64::from(output.get(row, column))).collect();
            let mut handles = Vec::new();
            if let (Some(before), Some(after)) = (&before, &after) {
                for (key, &row) in rows.iter().enumerate() {
                    let at = Tangent { times: &times, ways: &ways, key, width, column };
                    handles.push(Handles {
                        before: at.read(before, row, false),
                        after: at.read(after, row, true),
                    });
                }
            }
            curves.push(Curve { times: Arc::clone(&times), ways: Arc::clone(&ways), values, handles });
        }
        Some(curves)
    }

    /// The indices of the keys whose times increase.
    fn ascending(&mut self, sampler: Xml<'d>, input: &Floats, count: usize) -> Vec<usize> {
        let mut rows: Vec<usize> = Vec::with_capacity(count);
        for row in 0..count {
            if rows.last().is_none_or(|&last| input.get(row, 0) > input.get(last, 0)) {
                rows.push(row);
            }
        }
        if rows.len() < count {
            let message =
                format!("{} keys are not later than the key before; they are left out", count - rows.len());
            self.warning(&codes::TIMES, sampler, message);
        }
        rows
    }

    fn ways(&mut self, sampler: Xml<'d>, names: &[String], rows: &[usize]) -> Arc<[Way]> {
        let (mut unknown, mut spline) = (None, 0);
        let last = names.last();
        let ways = rows.iter().map(|&row| {
            // A list that is too short is continued with its last element.
            let Some(name) = names.get(row).or(last) else { return Way::Linear };
            spline += usize::from(matches!(name.as_str(), "TCB"));
            Way::of(name).unwrap_or_else(|| {
                unknown = Some(name.clone());
                Way::Linear
            })
        });
        let ways: Arc<[Way]> = ways.collect();
        if let Some(name) = unknown {
            let message = format!("{name:?} is not an interpolation; LINEAR is used");
            self.warning(&codes::INTERPOLATION, sampler, message);
        }
        let message = "TCB curves are read as Catmull–Rom, without tension, continuity and bias";
        self.report.loss(Loss::approximated(&codes::INTERPOLATION, "", spline, None, "", message));
        ways
    }

    /// Reports extrapolation: the first and last values are always held, whatever the file says.
    fn check_infinity(&mut self, animation: Xml<'d>) {
        let samplers = children(animation, "sampler");
        let stated =
            samplers.flat_map(|s| [s.attribute("pre_behavior"), s.attribute("post_behavior")]).flatten();
        let mut ways: Vec<String> = stated.map(str::to_owned).collect();
        let extras = animation
            .children()
            .filter(|n| n.is_element() && matches!(tag(*n), "extra" | "channel" | "sampler"));
        for extra in extras.flat_map(|e| e.descendants()) {
            if extra.is_element() && matches!(tag(extra), "pre_infinity" | "post_infinity") {
                ways.push(word(extra));
            }
        }
        let odd = |w: &&String| !matches!(w.as_str(), "" | "CONSTANT" | "UNDEFINED" | "HOLD");
        let message =
            "curves that repeat or continue beyond their keys hold their first and last value instead";
        self.lose(&codes::INFINITY, "", ways.iter().filter(odd).count(), message);
    }
}

/// One key's tangent for one number.
struct Tangent<'a> {
    times: &'a [f64],
    ways: &'a [Way],
    key: usize,
    width: usize,
    column: usize,
}

impl Tangent<'_> {
    /// Reads a tangent. Tangents are stored as (time, value) per number, as one time and all values, or as values
    /// alone, whose times are then evenly spaced.
    fn read(&self, floats: &Floats, row: usize, after: bool) -> [f64; 2] {
        let get = |column: usize| f64::from(if row < floats.count { floats.get(row, column) } else { 0.0 });
        let stride = floats.width();
        if stride == 2 * self.width {
            return [get(2 * self.column), get(2 * self.column + 1)];
        }
        if stride == self.width + 1 {
            return [get(0), get(self.column + 1)];
        }
        let time = self.times[self.key];
        let other = if after { self.key + 1 } else { self.key.wrapping_sub(1) };
        let span = self.times.get(other).map_or(0.0, |t| (t - time).abs());
        let segment = if after { self.key } else { self.key.saturating_sub(1) };
        let time = match self.ways.get(segment) {
            // A vector for Hermite, a point for Bézier.
            Some(Way::Hermite) => span,
            _ if after => time + span / 3.0,
            _ => time - span / 3.0,
        };
        [time, get(self.column)]
    }
}

impl Drive {
    /// Sets the numbers that change.
    pub(super) fn apply(&self, values: &mut [f64], time: f64, side: Side) {
        for (value, curve) in values.iter_mut().skip(self.first).zip(self.curves.iter().take(self.count)) {
            *value = curve.at(time, side);
        }
    }
}

impl<'t> Address<'t> {
    fn of(target: &'t str) -> Self {
        let mut path: Vec<&str> = target.trim().split('/').collect();
        let last = path.pop().unwrap_or("");
        if let Some((sid, rest)) = last.split_once('(') {
            let numbers: Vec<usize> = rest.split(['(', ')']).filter_map(|n| n.trim().parse().ok()).collect();
            path.push(sid);
            let member = match numbers[..] {
                [index] => Member::Index(index),
                [first, second] => Member::Index2(first, second),
                _ => Member::All,
            };
            return Self { path, member };
        }
        match last.rsplit_once('.') {
            Some((sid, member)) => {
                path.push(sid);
                Self { path, member: Member::Named(member) }
            }
            None => {
                path.push(last);
                Self { path, member: Member::All }
            }
        }
    }
}

/// The index of the first number of a transform that a channel changes.
fn component(element: Xml<'_>, member: Member<'_>, curves: usize) -> Option<usize> {
    match member {
        // A single number for a whole rotation can only be the angle.
        Member::All if tag(element) == "rotate" && curves == 1 => Some(3),
        Member::All => Some(0),
        Member::Index(index) => Some(index),
        // Column, then row; the file stores matrices row by row.
        Member::Index2(column, row) if column < 4 && row < 4 => Some(row * 4 + column),
        Member::Index2(..) => None,
        Member::Named(name) => match (name, tag(element)) {
            ("ANGLE", "rotate") => Some(3),
            ("ANGLE", "skew") => Some(0),
            ("X" | "R" | "U" | "S", _) => Some(0),
            ("Y" | "G" | "V" | "T", _) => Some(1),
            ("Z" | "B" | "P", _) => Some(2),
            ("W" | "A" | "Q", _) => Some(3),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_come_apart() {
        for (target, path, member) in [
            ("node/translate.X", &["node", "translate"][..], Member::Named("X")),
            ("node/child/rotateY.ANGLE", &["node", "child", "rotateY"], Member::Named("ANGLE")),
            ("node/matrix", &["node", "matrix"], Member::All),
            ("node/matrix(3)(1)", &["node", "matrix"], Member::Index2(3, 1)),
            ("morph-weights(2)", &["morph-weights"], Member::Index(2)),
            ("node/matrix(", &["node", "matrix"], Member::All),
            ("", &[""], Member::All),
        ] {
            let address = Address::of(target);
            assert_eq!((&address.path[..], address.member), (path, member), "{target}");
        }
    }
}
