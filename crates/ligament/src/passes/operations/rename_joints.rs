//! Joints under other names.

use super::codes;
use super::joints::Finder;
use super::map::{Pair, pairs};
use super::rig_codes;
use crate::Limits;
use crate::report::{Failure, Loss, Report};
use crate::scene::{NodeId, Scene};
use std::collections::{HashMap, HashSet};

/// Limit of the patterns of a map: each is compared with every joint.
const MOST_PATTERNS: usize = 64;
/// How many names a message lists.
const MOST_NAMED: usize = 8;

/// Renames joints, all at once, as maps say. A name with one `*` stands for all joints that have it with anything in the star's
/// place, except for those that are named themselves.
pub(super) fn rename_joints(
    scene: &mut Scene,
    words: &[String],
    limits: &Limits,
    report: &mut Report,
) -> Result<(), Failure> {
    let pairs = pairs(words, limits, report)?;
    no_circles(&pairs, report)?;
    let mut renamed: HashMap<NodeId, (String, &Pair)> = HashMap::new();
    let (patterns, plain): (Vec<&Pair>, Vec<&Pair>) = pairs.iter().partition(|pair| pair.from.contains('*'));
    if let Some(pair) = patterns.get(MOST_PATTERNS) {
        return Err(pair.wrong(format!("a map has at most {MOST_PATTERNS} names with a star"), report));
    }
    let finder = Finder::of(scene);
    for pair in plain {
        let found = finder.find(&pair.from);
        let node = found.map_err(|missing| {
            pair.report(missing.diagnostic(scene, &pair.from, crate::report::Place::WHOLE), report)
        })?;
        if pair.to.is_empty() || pair.to.contains('*') {
            return Err(pair.wrong(format!("{:?} is no name", pair.to), report));
        }
        if renamed.insert(node, (pair.to.clone(), pair)).is_some() {
            return Err(pair.wrong(format!("joint {:?} is renamed twice", scene.node_label(node)), report));
        }
    }
    let named: HashSet<NodeId> = renamed.keys().copied().collect();
    for pair in patterns {
        rename_by_pattern(scene, pair, &named, &mut renamed, report)?;
    }
    renamed.retain(|node, (name, _)| scene.nodes[node.index()].name != *name);
    no_twins(scene, &renamed, report)?;
    apply(scene, renamed, report);
    Ok(())
}

fn rename_by_pattern<'p>(
    scene: &Scene,
    pair: &'p Pair,
    named: &HashSet<NodeId>,
    renamed: &mut HashMap<NodeId, (String, &'p Pair)>,
    report: &mut Report,
) -> Result<(), Failure> {
    let (before, after) = pair.from.split_once('*').unwrap_or((&pair.from, ""));
    let to = pair.to.split_once('*').filter(|(_, rest)| !rest.contains('*') && !after.contains('*'));
    let Some((to_before, to_after)) = to else {
        let message = format!(
            "{:?} to {:?}: expected one star in each, such as \"mixamorig:*\" to \"*\"",
            pair.from, pair.to
        );
        return Err(pair.wrong(message, report));
    };
    let is_joint = scene.are_joints();
    let any_joint = is_joint.contains(&true);
    let mut any = false;
    for id in scene.node_ids().filter(|id| !any_joint || is_joint[id.index()]) {
        let name = &scene.nodes[id.index()].name;
        let star = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
        let Some(star) = star else { continue };
        any = true;
        if named.contains(&id) {
            continue;
        }
        let new = format!("{to_before}{star}{to_after}");
        if new.is_empty() {
            return Err(pair.wrong(format!("joint {name:?} would have no name"), report));
        }
        if renamed.insert(id, (new, pair)).is_some() {
            return Err(pair.wrong(format!("joint {name:?} is renamed twice"), report));
        }
    }
    if any { Ok(()) } else { Err(pair.wrong(format!("no joint is called {:?}", pair.from), report)) }
}

/// Refuses pairs that lead back to where they began: nobody can tell whether an exchange was meant, or a mistake.
fn no_circles(pairs: &[Pair], report: &mut Report) -> Result<(), Failure> {
    let of: HashMap<&str, usize> =
        pairs.iter().enumerate().map(|(index, pair)| (pair.from.as_str(), index)).collect();
    // The walk in which each pair was met.
    let mut met = vec![usize::MAX; pairs.len()];
    for start in 0..pairs.len() {
        let mut at = start;
        while met[at] == usize::MAX {
            met[at] = start;
            let Some(&next) = of.get(pairs[at].to.as_str()).filter(|next| **next != at) else { break };
            if met[next] == start {
                let mut circle = vec![format!("{:?}", pairs[next].from)];
                let mut step = next;
                while circle.len() <= MOST_NAMED {
                    circle.push(format!("{:?}", pairs[step].to));
                    match of.get(pairs[step].to.as_str()) {
                        Some(&after) if after != next => step = after,
                        _ => break,
                    }
                }
                let message = format!("the map goes in a circle: {}", circle.join(" to "));
                let help = "to exchange names, rename in two conversions, by way of another name";
                let mut error = crate::report::Diagnostic::new(
                    crate::report::Severity::Error,
                    &codes::BAD_OPERATION,
                    crate::report::Place::WHOLE,
                    message,
                );
                error.help = Some(help.to_owned());
                return Err(pairs[next].report(error, report));
            }
            at = next;
        }
    }
    Ok(())
}

/// Refuses two joints of one name.
fn no_twins(
    scene: &Scene,
    renamed: &HashMap<NodeId, (String, &Pair)>,
    report: &mut Report,
) -> Result<(), Failure> {
    let is_joint = scene.are_joints();
    // Files may have joints of one name already.
    let stay = scene.node_ids().filter(|id| is_joint[id.index()] && !renamed.contains_key(id));
    let mut known: HashMap<&str, NodeId> =
        stay.map(|id| (scene.nodes[id.index()].name.as_str(), id)).collect();
    for id in scene.node_ids() {
        let Some((name, pair)) = renamed.get(&id) else { continue };
        if let Some(other) = known.insert(name, id) {
            let [a, b] = [other, id].map(|id| scene.node_label(id));
            return Err(pair.wrong(format!("joints {a:?} and {b:?} would both be called {name:?}"), report));
        }
    }
    Ok(())
}

fn apply(scene: &mut Scene, renamed: HashMap<NodeId, (String, &Pair)>, report: &mut Report) {
    let mut all: Vec<(NodeId, String)> = renamed.into_iter().map(|(id, (name, _))| (id, name)).collect();
    all.sort_unstable();
    let shown = all.iter().take(MOST_NAMED);
    let shown: Vec<_> = shown.map(|(id, name)| format!("{:?} is {name:?}", scene.node_label(*id))).collect();
    let more = all.len().saturating_sub(MOST_NAMED);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    report.loss(Loss::kept(
        &rig_codes::RENAMED_JOINTS,
        "",
        all.len(),
        format!("{} from now on{more}", shown.join(", ")),
    ));
    for (id, name) in all {
        scene.nodes[id.index()].name = name;
    }
}
