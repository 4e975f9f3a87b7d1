//! `ligament rig`: lists and compares skeletons, and proposes a map from one to another.

use super::{load, new_report, outcome};
use crate::args::{RigArgs, RigCommand};
use crate::console::Console;
use crate::exit::Exit;
use crate::input::Input;
use crate::render::table::Table;
use crate::render::{report, style};
use ligament::Scene;
use ligament::formats::ReadOptions;
use ligament::rig::{Differences, Joint, Proposal, compare, joints, propose};
use serde_json::{Value, json};
use std::path::Path;

/// Steps by which a joint is indented; deeper ones stay at the last.
const MOST_STEPS: usize = 40;

pub fn run(args: &RigArgs, console: &mut Console) -> Exit {
    match &args.command {
        RigCommand::List(args) => {
            let scene = match read(&args.file, &args.read.options(), console) {
                Ok(scene) => scene,
                Err(exit) => return exit,
            };
            let joints = joints(&scene);
            match args.json {
                true => console.json(&with(Exit::Done, json!({ "joints": list_json(&joints) }))),
                false => console.out(&list_text(&joints)),
            }
            Exit::Done
        }
        RigCommand::Compare(args) => {
            let options = args.read.options();
            let (first, second) = match both(&args.first, &args.second, &options, console) {
                Ok(both) => both,
                Err(exit) => return exit,
            };
            let found = compare(&first, &second);
            match args.json {
                true => console.json(&with(Exit::Done, differences_json(&found))),
                false => console.out(&differences_text(&found)),
            }
            Exit::Done
        }
        RigCommand::Map(args) => {
            let options = args.read.options();
            let (first, second) = match both(&args.first, &args.second, &options, console) {
                Ok(both) => both,
                Err(exit) => return exit,
            };
            let (pairs, lone) = propose(&first, &second);
            match args.json {
                true => console.json(&with(Exit::Done, map_json(&pairs, &lone))),
                false => console.out(&map_text(&pairs, &lone, [&args.first, &args.second])),
            }
            Exit::Done
        }
    }
}

fn both(
    first: &Path,
    second: &Path,
    options: &ReadOptions,
    console: &mut Console,
) -> Result<(Scene, Scene), Exit> {
    Ok((read(first, options, console)?, read(second, options, console)?))
}

fn read(path: &Path, options: &ReadOptions, console: &mut Console) -> Result<Scene, Exit> {
    let mut found = new_report(options);
    let input = Input::new(path);
    let loaded = load(&input, options, &mut found).map(|loaded| loaded.imported.scene);
    loaded.map_err(|failure| {
        console.err(&report::failure(&found, &input));
        failure.into()
    })
}

fn with(exit: Exit, more: Value) -> Value {
    let mut object = outcome(exit);
    super::extend(&mut object, more);
    object
}

fn list_json(joints: &[Joint]) -> Value {
    let one = |joint: &Joint| {
        json!({
            "name": joint.name,
            "parent": joint.parent,
            "length": joint.length,
            "vertices": joint.vertices,
            "clips": joint.clips,
        })
    };
    joints.iter().map(one).collect()
}

fn list_text(joints: &[Joint]) -> String {
    if joints.is_empty() {
        return "no joints\n".to_owned();
    }
    let mut table = Table::new(&["joint", ">length", ">vertices", ">clips"]);
    let mut children = vec![Vec::new(); joints.len()];
    let mut left = Vec::new();
    for (index, joint) in joints.iter().enumerate().rev() {
        match joint.parent {
            Some(parent) => children[parent].push(index),
            None => left.push((index, 0)),
        }
    }
    while let Some((index, depth)) = left.pop() {
        let joint = &joints[index];
        table.row([
            format!("{}{}", "  ".repeat(depth.min(MOST_STEPS)), style::safe(&joint.name)),
            style::short(joint.length),
            joint.vertices.to_string(),
            joint.clips.to_string(),
        ]);
        left.extend(children[index].iter().map(|child| (*child, depth + 1)));
    }
    format!("{}\n{}", style::counted(joints.len(), "joint", "joints"), table.render())
}

fn differences_json(found: &Differences) -> Value {
    let one = |d: &ligament::rig::Difference| {
        json!({
            "first": d.first,
            "second": d.second,
            "parents": d.parents,
            "axes": d.axes,
            "direction": d.direction,
            "length": d.length,
        })
    };
    json!({
        "same": found.is_none(),
        "in_both": found.shared,
        "size": found.size,
        "same_order": found.same_order,
        "only_first": found.only_first,
        "only_second": found.only_second,
        "differences": found.joints.iter().map(one).collect::<Vec<_>>(),
    })
}

fn differences_text(found: &Differences) -> String {
    let mut out = format!("{} in both", style::counted(found.shared, "joint", "joints"));
    if found.shared > 0 {
        let order = if found.same_order { "in the same order" } else { "in another order" };
        out += &format!(", {order}; the second is {} times as large", style::short(found.size));
    }
    out.push('\n');
    for (which, names) in [("first", &found.only_first), ("second", &found.only_second)] {
        if !names.is_empty() {
            let names: Vec<_> = names.iter().map(|name| style::name(name)).collect();
            out += &format!("only in the {which}  {}\n", names.join(", "));
        }
    }
    let mut table = Table::new(&["joint", ">axes", ">direction", ">length", "below"]);
    for d in &found.joints {
        let name = if d.first == d.second {
            style::safe(&d.first)
        } else {
            style::safe(&format!("{} = {}", d.first, d.second))
        };
        let below = d.parents.as_ref().map_or(String::new(), |[a, b]| {
            style::safe(&format!(
                "{}, {}",
                if a.is_empty() { "nothing" } else { a },
                if b.is_empty() { "nothing" } else { b }
            ))
        });
        table.row([
            name,
            format!("{:.2}°", d.axes),
            format!("{:.2}°", d.direction),
            format!("× {}", style::short(d.length)),
            below,
        ]);
    }
    if found.is_none() {
        out += "no differences\n";
    } else if !table.is_empty() {
        out += &format!("\n{}", table.render());
    }
    out
}

fn map_json(pairs: &[Proposal], lone: &[Vec<String>; 2]) -> Value {
    let one = |p: &Proposal| json!({ "from": p.from, "to": p.to, "why": p.why.word(), "degrees": p.degrees });
    json!({ "joints": pairs.iter().map(one).collect::<Vec<_>>(), "only_first": lone[0], "only_second": lone[1] })
}

/// A file of TOML, with the reason for each line.
fn map_text(pairs: &[Proposal], lone: &[Vec<String>; 2], files: [&Path; 2]) -> String {
    let [first, second] = files.map(|path| style::safe(&path.display().to_string()));
    let mut out = format!("# joints of {first} = joints of {second}, for --retarget\n[joints]\n");
    // JSON's strings are strings of TOML too.
    let quoted = |text: &str| json!(text).to_string();
    let width = pairs
        .iter()
        .map(|p| quoted(&p.from).chars().count() + quoted(&p.to).chars().count())
        .max()
        .unwrap_or(0);
    for p in pairs {
        let pair = format!("{} = {}", quoted(&p.from), quoted(&p.to));
        let space = " ".repeat((width + 3).saturating_sub(pair.chars().count()));
        out += &format!("{pair}{space}  # {}, {:.0}° apart\n", p.why.word(), p.degrees);
    }
    for (file, names) in [(first, &lone[0]), (second, &lone[1])] {
        if !names.is_empty() {
            let names: Vec<_> = names.iter().map(|name| quoted(name)).collect();
            out += &format!("# only in {file}: {}\n", names.join(", "));
        }
    }
    out
}
