//! Joints and weights of skinned meshes.

use super::contents::{Looks, Offenders};
use super::elements::{BLOCK, Elements, scale};
use super::layout::Arrays;
use super::view::{List, index, items, sets};
use super::{Rules, at, codes, deeper};
use crate::report::{Code, Severity};
use serde_json::Value;
use std::collections::HashSet;

/// What a sum of weights may be off by, per influence: rounding to f32.
const TOLERANCE: f64 = 2e-7;

pub(super) fn check(rules: &mut Rules<'_, '_, '_, '_>, arrays: &Arrays<'_>, looks: &mut Looks<'_, '_, '_>) {
    let root = rules.root;
    let meshes = List::Meshes.of(root);
    // The smallest skin that each mesh is drawn with.
    let mut joints = vec![None; meshes.len()];
    for node in List::Nodes.of(root) {
        let skin = index(node, "skin").and_then(|skin| List::Skins.of(root).get(skin));
        let count = skin.map_or(0, |skin| items(&skin["joints"]).len());
        if let Some(least) = index(node, "mesh").and_then(|mesh| joints.get_mut(mesh)).filter(|_| count > 0) {
            *least = Some(least.unwrap_or(count).min(count));
        }
    }
    let mut seen = HashSet::new();
    for (m, mesh) in meshes.iter().enumerate() {
        let Some(joints) = joints[m] else { continue };
        for (p, primitive) in items(&mesh["primitives"]).iter().enumerate() {
            // Primitives often share their vertices.
            if seen.insert((primitive["attributes"].to_string(), joints)) {
                self::primitive(rules, (m, p), primitive, joints, arrays, looks);
            }
        }
    }
}

/// One kind of fault, at the attribute that it is about.
struct Fault(Severity, &'static Code, &'static str, Offenders);

fn primitive(
    rules: &mut Rules<'_, '_, '_, '_>,
    (m, p): (usize, usize),
    primitive: &Value,
    joints: usize,
    arrays: &Arrays<'_>,
    looks: &mut Looks<'_, '_, '_>,
) {
    let count = sets(primitive, "JOINTS");
    if count == 0 || count != sets(primitive, "WEIGHTS") {
        return;
    }
    let attributes = &primitive["attributes"];
    let array = |name: &str, set: usize| arrays.get(index(attributes, &format!("{name}_{set}"))?);
    let pairs: Option<Vec<_>> =
        (0..count).map(|set| array("JOINTS", set).zip(array("WEIGHTS", set))).collect();
    let Some(pairs) = pairs else { return };
    let Some(vertices) = pairs.first().map(|pair| pair.0.count) else { return };
    let path = at!["meshes", m, "primitives", p, "attributes"];
    let mut open = Vec::new();
    for (joints, weights) in &pairs {
        let is_usual = [joints, weights].iter().all(|array| array.width == 4 && array.count == vertices);
        let both =
            Elements::open(joints, arrays, looks.buffers).zip(Elements::open(weights, arrays, looks.buffers));
        let Some(both) = both.filter(|both| is_usual && both.0.is_ordered() && both.1.is_ordered()) else {
            return;
        };
        if !looks.afford(rules, joints, path) || !looks.afford(rules, weights, path) {
            return;
        }
        open.push((both, scale(weights), Vec::new(), Vec::new()));
    }
    let (error, warning) = (Severity::Error, Severity::Warning);
    let mut faults = [
        Fault(error, &codes::INFLUENCES, "JOINTS_0", Offenders::default()),
        Fault(error, &codes::INFLUENCES, "JOINTS_0", Offenders::default()),
        Fault(error, &codes::INFLUENCES, "WEIGHTS_0", Offenders::default()),
        Fault(error, &codes::INFLUENCES, "WEIGHTS_0", Offenders::default()),
        Fault(warning, &codes::INFLUENCES, "JOINTS_0", Offenders::default()),
    ];
    let mut first = 0;
    while first < vertices {
        let length = BLOCK.min(vertices - first);
        for ((joints, weights), _, js, ws) in &mut open {
            let is_read = joints.block(looks.buffers, first, length, js).is_some()
                && weights.block(looks.buffers, first, length, ws).is_some();
            if !is_read {
                return;
            }
        }
        for v in 0..length as usize {
            let influences = open.iter().flat_map(|(_, scale, js, ws)| {
                js[v * 4..v * 4 + 4].iter().zip(&ws[v * 4..v * 4 + 4]).map(move |(j, w)| (*j, w * scale))
            });
            vertex(first + v as u64, influences, joints, &mut faults);
        }
        first += length;
    }
    for Fault(severity, code, attribute, offenders) in faults {
        if let Some(message) = offenders.message() {
            rules.say(severity, code, &deeper(path, at![attribute]), message);
        }
    }
}

fn vertex(v: u64, influences: impl Iterator<Item = (f64, f64)>, joints: usize, faults: &mut [Fault; 5]) {
    let [missing, twice, negative, sums, idle] = faults;
    let mut used: Vec<f64> = Vec::with_capacity(8);
    let (mut sum, mut tolerance) = (0.0_f32, 0.0);
    for (joint, weight) in influences {
        if joint >= joints as f64 {
            missing.3.add(|| format!("vertex {v} names joint {joint}, but the skin has {joints}"));
        } else if weight == 0.0 {
            if joint != 0.0 {
                idle.3.add(|| format!("vertex {v} names joint {joint} with a weight of 0; write joint 0"));
            }
        } else if used.contains(&joint) {
            twice.3.add(|| format!("vertex {v} names joint {joint} twice"));
        } else {
            used.push(joint);
            if weight < 0.0 {
                negative.3.add(|| format!("vertex {v} has the weight {weight}"));
            } else {
                // Summed in f32, as programs do.
                sum = (f64::from(sum) + weight) as f32;
                tolerance += TOLERANCE;
            }
        }
    }
    if (f64::from(sum) - 1.0).abs() > tolerance {
        sums.3.add(|| format!("the weights of vertex {v} sum to {sum}, not 1"));
    }
}
