//! Animations: samplers and their accessors, channels and what they animate.

use super::contents::{Check, Rule};
use super::layout::{Array, Arrays, Use};
use super::view::{List, index, items, morph_count};
use super::{Rules, at, codes};
use crate::formats::gltf::accessor::Component::{F32, U32};
use serde_json::Value;
use std::collections::HashMap;

pub(super) fn check<'v>(rules: &mut Rules<'_, '_, '_, 'v>, arrays: &mut Arrays<'v>) {
    for (a, animation) in items(&rules.root["animations"]).iter().enumerate() {
        let samplers: Vec<_> = items(&animation["samplers"])
            .iter()
            .enumerate()
            .map(|(s, sampler)| self::sampler(rules, arrays, sampler, (a, s)))
            .collect();
        let mut targets = HashMap::new();
        for (c, channel) in items(&animation["channels"]).iter().enumerate() {
            let target = &channel["target"];
            if let (Some(node), Some(path)) = (index(target, "node"), target["path"].as_str())
                && let Some(other) = targets.insert((node, path), c)
            {
                let message = format!("channel {other} animates the {path} of node {node}, too");
                rules.error(&codes::CHANNEL, at!["animations", a, "channels", c, "target"], message);
            }
            animated_node(rules, target, (a, c));
            let Some(index) = index(channel, "sampler") else { continue };
            match samplers.get(index) {
                Some(sampler) => values(rules, arrays, sampler, target, (a, c)),
                None => {
                    let message =
                        format!("there is no sampler {index}; the animation has {}", samplers.len());
                    rules.error(&codes::INDEX, at!["animations", a, "channels", c, "sampler"], message);
                }
            }
        }
    }
}

struct Sampler<'v> {
    is_cubic: bool,
    input: Option<Array<'v>>,
    output: Option<(usize, Array<'v>)>,
}

fn sampler<'v>(
    rules: &mut Rules<'_, '_, '_, 'v>,
    arrays: &mut Arrays<'v>,
    sampler: &'v Value,
    (a, s): (usize, usize),
) -> Sampler<'v> {
    let is_cubic = sampler["interpolation"] == "CUBICSPLINE";
    let path = at!["animations", a, "samplers", s, "input"];
    let input = index(sampler, "input").and_then(|accessor| {
        let array = arrays.use_accessor(rules, accessor, Use::Times, path)?;
        if array.format() == ("SCALAR", F32, false) {
            arrays.look(Check { accessor, rule: Rule::Times, path: path.to_vec() });
        } else {
            let message = format!("key times are FLOAT SCALAR, not {}", array.shown());
            rules.error(&codes::ACCESSOR_TYPE, path, message);
        }
        if !array.has_bounds {
            rules.error(&codes::BOUNDS, path, "the accessor of key times has no `min` and `max`");
        }
        if is_cubic && array.count < 2 {
            rules.error(&codes::CHANNEL, path, "a cubic spline needs at least 2 keys");
        }
        Some(array)
    });
    let path = at!["animations", a, "samplers", s, "output"];
    let output = index(sampler, "output")
        .and_then(|accessor| Some((accessor, arrays.use_accessor(rules, accessor, Use::Values, path)?)));
    Sampler { is_cubic, input, output }
}

/// Whether the node has what is animated.
fn animated_node(rules: &mut Rules<'_, '_, '_, '_>, target: &Value, (a, c): (usize, usize)) {
    let Some(node) = index(target, "node").and_then(|node| List::Nodes.of(rules.root).get(node)) else {
        return;
    };
    let path = at!["animations", a, "channels", c, "target"];
    match target["path"].as_str() {
        Some("translation" | "rotation" | "scale") => {
            if node.get("matrix").is_some() {
                let message =
                    "the node has a matrix, so its translation, rotation and scale cannot be animated";
                rules.error(&codes::CHANNEL, path, message);
            }
            if node.get("skin").is_some() {
                let message = "the node's mesh is skinned, so its transform has no effect";
                rules.warning(&codes::NO_EFFECT, path, message);
            }
        }
        Some("weights") => {
            let mesh = index(node, "mesh").and_then(|mesh| List::Meshes.of(rules.root).get(mesh));
            if mesh.is_none_or(|mesh| morph_count(mesh) == 0) {
                let message = "the node has no mesh with morph targets whose weights could be animated";
                rules.error(&codes::CHANNEL, path, message);
            }
        }
        _ => {}
    }
}

/// The values of a channel: their type, and how many there are.
fn values<'v>(
    rules: &mut Rules<'_, '_, '_, 'v>,
    arrays: &mut Arrays<'v>,
    sampler: &Sampler<'v>,
    target: &Value,
    (a, c): (usize, usize),
) {
    let (Some(property), Some((accessor, output))) = (target["path"].as_str(), &sampler.output) else {
        return;
    };
    let path = at!["animations", a, "channels", c, "sampler"];
    let is_plain = output.component == F32 && !output.normalized;
    let is_small = output.component != F32 && output.component != U32 && output.normalized;
    let fits = match property {
        "translation" | "scale" => output.kind == "VEC3" && is_plain,
        "rotation" => output.kind == "VEC4" && (is_plain || is_small),
        "weights" => output.kind == "SCALAR" && (is_plain || is_small),
        _ => return,
    };
    if !fits {
        let message = format!("values of {property} cannot be {}", output.shown());
        rules.error(&codes::ACCESSOR_TYPE, path, message);
    }
    if property == "rotation" && output.width == 4 {
        let rule = Rule::Rotations { is_cubic: sampler.is_cubic };
        arrays.look(Check { accessor: *accessor, rule, path: path.to_vec() });
    }
    let each = if property == "weights" {
        let node = index(target, "node").and_then(|node| List::Nodes.of(rules.root).get(node));
        let mesh = node.and_then(|node| List::Meshes.of(rules.root).get(index(node, "mesh")?));
        mesh.map_or(0, morph_count) as u64
    } else {
        1
    };
    let Some(keys) = sampler.input.as_ref().map(|input| input.count) else { return };
    let expected = keys.saturating_mul(each).saturating_mul(if sampler.is_cubic { 3 } else { 1 });
    if each != 0 && expected != output.count {
        let message = format!("{} values for {keys} keys; expected {expected}", output.count);
        rules.error(&codes::CHANNEL, path, message);
    }
}
