use super::compare::{angle, way};
use super::list::{Joint, joints};
use super::parts::{Part, part};
use crate::passes::operations::matched;
use crate::scene::Scene;
use std::collections::HashMap;

/// Directions that differ by more than this, in degrees, belong to other bones.
const MOST_DEGREES: f64 = 30.0;
/// Joints below one joint that are compared with each other by direction.
const MOST_CHILDREN: usize = 64;

crate::words! {
    /// Why two joints are taken for each other.
    #[non_exhaustive]
    pub enum Why(word) {
        /// They have one name, but for the namespace and case.
        Name = "same name",
        /// Their names mean the same part of a body.
        Part = "same part",
        /// Each is the only one left below joints that belong together.
        Only = "only one left",
        /// They point the same way from joints that belong together.
        Direction = "same direction",
    }
}

/// Two joints that seem to belong together.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Proposal {
    /// The joint of the first skeleton.
    pub from: String,
    /// The joint of the second.
    pub to: String,
    /// Why.
    pub why: Why,
    /// The angle between the directions from the joints above, in degrees.
    pub degrees: f64,
}

/// Proposes which joints of one skeleton are which of another: by names, by what names mean, by the hierarchy, and by the
/// directions in which bones are bound. No joint is in two pairs. Also returns the joints without a counterpart, of the first
/// and of the second.
pub fn propose(from: &Scene, to: &Scene) -> (Vec<Proposal>, [Vec<String>; 2]) {
    let (a, b) = (joints(from), joints(to));
    let mut found = Found { pairs: vec![None; a.len()], taken: vec![false; b.len()] };
    let of_node: HashMap<_, usize> = b.iter().enumerate().map(|(index, joint)| (joint.node, index)).collect();
    let by_name = matched(from, to);
    for (index, joint) in a.iter().enumerate() {
        if let Some(&other) = by_name[joint.node.index()].and_then(|node| of_node.get(&node)) {
            found.add(index, other, Why::Name);
        }
    }
    by_parts(&a, &b, &mut found);
    by_place(&a, &b, &mut found);
    let pair = |(index, other): (usize, &Option<(usize, Why)>)| {
        let (other, why) = (*other)?;
        let degrees = angle(way(&a, index), way(&b, other));
        Some(Proposal { from: a[index].name.clone(), to: b[other].name.clone(), why, degrees })
    };
    let proposals = found.pairs.iter().enumerate().filter_map(pair).collect();
    let lone =
        a.iter().zip(&found.pairs).filter(|(_, pair)| pair.is_none()).map(|(joint, _)| joint.name.clone());
    let left = b.iter().zip(&found.taken).filter(|(_, taken)| !**taken).map(|(joint, _)| joint.name.clone());
    (proposals, [lone.collect(), left.collect()])
}

struct Found {
    pairs: Vec<Option<(usize, Why)>>,
    taken: Vec<bool>,
}

impl Found {
    fn add(&mut self, own: usize, other: usize, why: Why) {
        if self.pairs[own].is_none() && !std::mem::replace(&mut self.taken[other], true) {
            self.pairs[own] = Some((other, why));
        }
    }
}

/// Joints that are called after the same part, in their order: the first and the last belong together, and those between as far
/// as there are as many.
fn by_parts(a: &[Joint], b: &[Joint], found: &mut Found) {
    let free = |all: &[Joint], is_free: &dyn Fn(usize) -> bool| {
        let mut lists: HashMap<Part, Vec<usize>> = HashMap::new();
        for (index, joint) in all.iter().enumerate().filter(|(index, _)| is_free(*index)) {
            if let Some(part) = part(&joint.name) {
                lists.entry(part).or_default().push(index);
            }
        }
        lists
    };
    let own = free(a, &|index| found.pairs[index].is_none());
    let others = free(b, &|index| !found.taken[index]);
    for (part, own) in own {
        let Some(others) = others.get(&part) else { continue };
        let (few, many) = (own.len().min(others.len()), own.len().max(others.len()));
        for index in 0..few {
            let spread = if few > 1 { (index * (many - 1) + (few - 1) / 2) / (few - 1) } else { 0 };
            let (i, j) = if own.len() <= others.len() { (index, spread) } else { (spread, index) };
            found.add(own[i], others[j], Why::Part);
        }
    }
}

/// Joints below joints that belong together: the only one left of each, or those that point the same way.
fn by_place(a: &[Joint], b: &[Joint], found: &mut Found) {
    let below = |all: &[Joint]| {
        let mut below: Vec<Vec<usize>> = vec![Vec::new(); all.len()];
        for (index, joint) in all.iter().enumerate() {
            if let Some(parent) = joint.parent {
                below[parent].push(index);
            }
        }
        below
    };
    let (below_a, below_b) = (below(a), below(b));
    // Parents come first, so what is found here counts for what is below.
    for (index, below) in below_a.iter().enumerate() {
        let Some((other, _)) = found.pairs[index] else { continue };
        let own: Vec<usize> = below.iter().copied().filter(|&i| found.pairs[i].is_none()).collect();
        let others: Vec<usize> = below_b[other].iter().copied().filter(|&i| !found.taken[i]).collect();
        if let ([own], [other]) = (&own[..], &others[..]) {
            if angle(way(a, *own), way(b, *other)) <= 3.0 * MOST_DEGREES {
                found.add(*own, *other, Why::Only);
            }
            continue;
        }
        let mut near: Vec<(f64, usize, usize)> = Vec::new();
        for &i in own.iter().take(MOST_CHILDREN) {
            for &j in others.iter().take(MOST_CHILDREN) {
                let degrees = angle(way(a, i), way(b, j));
                if degrees <= MOST_DEGREES && a[i].length > 0.0 && b[j].length > 0.0 {
                    near.push((degrees, i, j));
                }
            }
        }
        near.sort_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        near.into_iter().for_each(|(_, i, j)| found.add(i, j, Why::Direction));
    }
}
