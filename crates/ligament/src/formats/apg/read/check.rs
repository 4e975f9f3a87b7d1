//! Checks after reading: references from one block to another.

use super::super::codes;
use super::super::document::{Document, Kind, Node};
use super::text::TextOrigins;
use crate::formats::ReadOptions;
use crate::formats::hierarchy::Hierarchy;
use crate::report::{Place, Report};
use crate::text::Spot;
use std::collections::HashSet;

/// Positions in the file.
pub(super) enum Origins {
    Text(TextOrigins),
    Binary(BinaryOrigins),
}

/// Offsets in a binary file.
#[derive(Default)]
pub(super) struct BinaryOrigins {
    pub bones: u64,
    pub skeleton: u64,
    pub hierarchy: u64,
    pub channels: Vec<u64>,
}

impl Origins {
    /// The position of the first vertex with a bone that is too large.
    fn vertex(&self, bone: i32, index: usize, comps: usize) -> Place {
        match self {
            Origins::Text(at) => {
                place(at.bones.iter().find(|(largest, _)| *largest >= bone).map(|(_, spot)| spot))
            }
            Origins::Binary(at) => {
                Place::binary(at.bones + 4 * index as u64, format!("bones[{}]", index / comps))
            }
        }
    }

    fn node(&self, node: usize) -> Place {
        match self {
            Origins::Text(at) => place(at.nodes.get(node)),
            Origins::Binary(at) => Place::binary(at.hierarchy + 8 * node as u64, format!("nodes[{node}]")),
        }
    }

    fn channel(&self, channel: usize) -> Place {
        match self {
            Origins::Text(at) => place(at.channels.get(channel)),
            Origins::Binary(at) => {
                Place::binary(at.channels.get(channel).copied().unwrap_or(0), format!("channels[{channel}]"))
            }
        }
    }

    fn skeleton(&self) -> Place {
        match self {
            Origins::Text(at) => at.skeleton.into(),
            Origins::Binary(at) => Place::binary(at.skeleton, "bones"),
        }
    }
}

fn place(spot: Option<&Spot>) -> Place {
    spot.map_or(Place::WHOLE, |spot| (*spot).into())
}

/// Checks every reference, so that an importer can rely on all of them.
pub(super) fn check(document: &Document, origins: &Origins, options: &ReadOptions, report: &mut Report) {
    let bones = document.bones as usize;
    if bones > document.offsets.len().max(document.nodes.len()) {
        let message = format!(
            "{bones} bones are announced, but there are {} offset matrices and {} nodes",
            document.offsets.len(),
            document.nodes.len()
        );
        report.error(&codes::BONES, origins.skeleton(), message);
        return;
    }
    vertices(document, origins, report);
    hierarchy(document, origins, options, report);
    channels(document, origins, report);
}

fn vertices(document: &Document, origins: &Origins, report: &mut Report) {
    let comps = document.vertices.bones_per_vertex.max(1);
    // Without a skeleton, bones have no meaning, which the importer reports.
    if document.bones == 0 && document.nodes.is_empty() {
        return;
    }
    let wrong = |bone: &i32| *bone >= 0 && *bone as u32 >= document.bones;
    let mut offenders = document.vertices.bones.iter().enumerate().filter(|(_, bone)| wrong(bone));
    if let Some((i, bone)) = offenders.next() {
        let others = match offenders.count() {
            0 => String::new(),
            n => format!(" (and {n} more such references)"),
        };
        let message = format!("there is no bone {bone}; the skeleton has {}{others}", document.bones);
        report.error(&codes::BONE_RANGE, origins.vertex(*bone, i, comps), message);
    }
}

fn hierarchy(document: &Document, origins: &Origins, options: &ReadOptions, report: &mut Report) {
    let count = document.nodes.len();
    let mut valid = true;
    for (i, node) in document.nodes.iter().enumerate() {
        if node.parent >= 0 && node.parent as usize >= count {
            let message = format!("there is no node {}; the hierarchy has {count}", node.parent);
            report.error(&codes::NODE_RANGE, origins.node(i), message);
            valid = false;
        }
        if node.bone >= 0 && node.bone as u32 >= document.bones {
            let message = format!("there is no bone {}; the skeleton has {}", node.bone, document.bones);
            report.error(&codes::BONE_RANGE, origins.node(i), message);
        }
    }
    if !valid {
        return;
    }
    let tree = tree(&document.nodes);
    if let Some(&(_, node)) = tree.cut.first() {
        let message = format!("node {node} is its own ancestor");
        report.error(&codes::PARENT_LOOP, origins.node(node), message);
        return;
    }
    let most = options.limits.max_depth;
    if let Some(node) = tree.deeper_than(most.saturating_sub(1)) {
        let message = format!("more than {most} nodes are nested here");
        report.error(&codes::TOO_DEEP, origins.node(node), message);
    }
}

fn channels(document: &Document, origins: &Origins, report: &mut Report) {
    let count = document.nodes.len();
    let mut number = 0;
    for animation in &document.animations {
        let mut seen: HashSet<(u32, Kind)> = HashSet::new();
        for channel in &animation.channels {
            let kind = channel.values.kind();
            if channel.node as usize >= count {
                let message = format!("there is no node {}; the hierarchy has {count}", channel.node);
                report.error(&codes::NODE_RANGE, origins.channel(number), message);
            } else if !seen.insert((channel.node, kind)) {
                let message = format!("node {} already has {} keys", channel.node, kind.name());
                report.error(&codes::TWICE, origins.channel(number), message);
            }
            number += 1;
        }
    }
}

/// The tree of the nodes.
pub(in super::super) fn tree(nodes: &[Node]) -> Hierarchy {
    Hierarchy::of(nodes.iter().map(|node| usize::try_from(node.parent).ok()))
}
