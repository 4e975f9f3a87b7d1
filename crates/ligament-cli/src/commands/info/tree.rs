//! The nodes of a scene: their tree, what they carry, and which clips move them.

use crate::render::style;
use crate::render::table::Table;
use serde_json::Value;

/// Steps by which a row is indented; deeper nodes stay at the last one.
const MOST_STEPS: usize = 40;

/// The facts as an indented table. Nodes are listed below their parents.
pub fn text(facts: &Value) -> String {
    let nodes = facts["nodes"].as_array().map_or(&[][..], Vec::as_slice);
    let mut children = vec![Vec::new(); nodes.len()];
    let mut left = Vec::new();
    for (index, node) in nodes.iter().enumerate().rev() {
        match node["parent"].as_u64().and_then(|parent| children.get_mut(parent as usize)) {
            Some(siblings) => siblings.push(index),
            None => left.push((index, 0)),
        }
    }
    let all = facts["clips"].as_array().map_or(0, Vec::len);
    let mut table = Table::new(&["node", "is", "moved by"]);
    while let Some((index, depth)) = left.pop() {
        let node = &nodes[index];
        let name = match node["name"].as_str() {
            Some(name) if !name.is_empty() => style::safe(name),
            _ => format!("(node {index})"),
        };
        table.row([
            format!("{}{name}", "  ".repeat(depth.min(MOST_STEPS))),
            what(node, facts),
            moved_by(node, facts, all),
        ]);
        left.extend(children[index].iter().map(|child| (*child, depth + 1)));
    }
    table.render()
}

/// `joint, mesh "body"`.
fn what(node: &Value, facts: &Value) -> String {
    let mut words = Vec::new();
    if node["joint"] == true {
        words.push("joint".to_owned());
    }
    for (kind, list) in [("mesh", "meshes"), ("camera", "cameras"), ("light", "lights")] {
        let Some(index) = node[kind].as_u64() else { continue };
        let name = facts[list][index as usize]["name"].as_str().filter(|name| !name.is_empty());
        words.push(name.map_or(format!("{kind} {index}"), |name| format!("{kind} {}", style::name(name))));
    }
    words.join(", ")
}

/// The names of the clips that move a node, or `all clips`.
fn moved_by(node: &Value, facts: &Value, all: usize) -> String {
    let clips: Vec<u64> = node["clips"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
    if all > 1 && clips.len() == all {
        return "all clips".to_owned();
    }
    let name = |index: u64| match facts["clips"][index as usize]["name"].as_str() {
        Some(name) if !name.is_empty() => style::safe(name),
        _ => format!("clip {index}"),
    };
    clips.into_iter().map(name).collect::<Vec<_>>().join(", ")
}
