use super::list::{Joint, joints};
use crate::passes::operations::{degrees, matched, rotation};
use crate::scene::Scene;
use glam::DVec3;
use std::collections::HashMap;

/// Angles below this, in degrees, and ratios nearer to 1 than this, are rounding.
const SAME: f64 = 0.01;

/// A joint that both skeletons have, and how it differs.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// Its name in the first.
    pub first: String,
    /// Its name in the second.
    pub second: String,
    /// The joints that it is below, if they are not counterparts of each other; empty where there is none.
    pub parents: Option<[String; 2]>,
    /// The angle between its axes in the two bind poses, in degrees.
    pub axes: f64,
    /// The angle between the directions from the joint above it, in degrees.
    pub direction: f64,
    /// Its distance to the joint above it in the second, divided by that in the first; relative to the ratio of all.
    pub length: f64,
}

/// What differs between two skeletons.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Differences {
    /// Joints that only the first has.
    pub only_first: Vec<String>,
    /// Joints that only the second has.
    pub only_second: Vec<String>,
    /// The number of joints that both have.
    pub shared: usize,
    /// Whether the shared joints are in the same order.
    pub same_order: bool,
    /// The size of the second, divided by that of the first: the median of the ratios of shared bones.
    pub size: f64,
    /// The shared joints that differ.
    pub joints: Vec<Difference>,
}

impl Differences {
    /// Whether there are none.
    pub fn is_none(&self) -> bool {
        self.only_first.is_empty() && self.only_second.is_empty() && self.same_order && self.joints.is_empty()
    }
}

/// Compares two skeletons as they were bound. Joints are found by name: exactly, without namespaces, or in another case.
pub fn compare(first: &Scene, second: &Scene) -> Differences {
    let (a, b) = (joints(first), joints(second));
    let of_node: HashMap<_, usize> = b.iter().enumerate().map(|(index, joint)| (joint.node, index)).collect();
    let found = matched(first, second);
    let pairs: Vec<Option<usize>> =
        a.iter().map(|joint| of_node.get(&found[joint.node.index()]?).copied()).collect();
    let mut taken = vec![false; b.len()];
    pairs.iter().flatten().for_each(|&index| taken[index] = true);
    let shared: Vec<(usize, usize)> =
        pairs.iter().enumerate().filter_map(|(index, other)| Some((index, (*other)?))).collect();
    // The median, so that what differs stands out from all else.
    let ratios = shared.iter().map(|&(own, other)| b[other].length / a[own].length);
    let mut ratios: Vec<f64> = ratios.filter(|ratio| ratio.is_normal()).collect();
    ratios.sort_unstable_by(f64::total_cmp);
    let size = ratios.get(ratios.len() / 2).copied().unwrap_or(1.0);
    let of = |&(own, other): &(usize, usize)| {
        let (joint, twin) = (&a[own], &b[other]);
        let parents = (joint.parent.and_then(|parent| pairs[parent]) != twin.parent
            || joint.parent.is_none() != twin.parent.is_none())
        .then(|| {
            let name =
                |all: &[Joint], parent: Option<usize>| parent.map_or(String::new(), |i| all[i].name.clone());
            [name(&a, joint.parent), name(&b, twin.parent)]
        });
        let length = twin.length / joint.length / size;
        Difference {
            first: joint.name.clone(),
            second: twin.name.clone(),
            axes: degrees(rotation(&joint.bound), rotation(&twin.bound)),
            direction: angle(way(&a, own), way(&b, other)),
            length: if length.is_finite() && length > 0.0 { length } else { 1.0 },
            parents,
        }
    };
    let all = shared.iter().map(of);
    let differs = |d: &Difference| {
        d.parents.is_some() || d.axes > SAME || d.direction > SAME || (d.length - 1.0).abs() > SAME
    };
    let names = |all: &[Joint], is_shared: &dyn Fn(usize) -> bool| {
        all.iter().enumerate().filter(|(i, _)| !is_shared(*i)).map(|(_, joint)| joint.name.clone()).collect()
    };
    Differences {
        only_first: names(&a, &|index| pairs[index].is_some()),
        only_second: names(&b, &|index| taken[index]),
        shared: shared.len(),
        same_order: shared.is_sorted_by_key(|pair| pair.1),
        size,
        joints: all.filter(differs).collect(),
    }
}

/// The way from the joint above.
pub(super) fn way(all: &[Joint], index: usize) -> DVec3 {
    let above = all[index].parent.map_or(all[index].bound, |parent| all[parent].bound);
    (all[index].bound.w_axis - above.w_axis).truncate()
}

/// The angle between two directions, in degrees; 0 if one is none.
pub(super) fn angle(a: DVec3, b: DVec3) -> f64 {
    match (a.try_normalize(), b.try_normalize()) {
        (Some(a), Some(b)) => 2.0 * (a - b).length().atan2((a + b).length()).to_degrees(),
        _ => 0.0,
    }
}
