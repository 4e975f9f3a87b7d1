//! `ligament info`: shows what is in files. The facts are gathered once, as JSON, and shown as JSON or as tables.

mod bounds;
mod tree;

use super::compare::deviation;
use super::{extend, load, new_report, outcome, reading_json};
use crate::args::InfoArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::input::Input;
use crate::render::table::Table;
use crate::render::{report, style};
use ligament::compare::Deviation;
use ligament::facts;
use ligament::report::{Paint, Severity};
use serde_json::{Value, json};

pub fn run(args: &InfoArgs, console: &mut Console) -> Exit {
    let options = args.read.options();
    let mut worst = Exit::Done;
    let mut objects = Vec::new();
    for (index, path) in args.files.iter().enumerate() {
        let mut report = new_report(&options);
        let input = Input::new(path);
        let loaded = load(&input, &options, &mut report);
        let exit = loaded.as_ref().err().map_or(Exit::Done, |failure| (*failure).into());
        if !args.text {
            worst = worst.max(exit);
        }
        let mut object = outcome(exit);
        match loaded {
            Ok(loaded) => {
                let mut facts = loaded.facts(input.name());
                if args.tree {
                    extend(&mut facts, json!({ "nodes": facts::nodes(&loaded.imported.scene) }));
                }
                if args.bounds {
                    extend(&mut facts, json!({ "boxes": facts::boxes(&loaded.imported.scene) }));
                }
                let reading = loaded.reading_cost();
                if !args.json {
                    let gap = if index > 0 { "\n" } else { "" };
                    let heading = if args.text {
                        String::new()
                    } else {
                        file_heading(&facts, loaded.imported.format.name)
                    };
                    let reading = reading.as_ref().map_or(String::new(), reading_text);
                    let tree = if args.tree { format!("\n{}", tree::text(&facts)) } else { String::new() };
                    let tree = match args.bounds {
                        true => tree + &bounds::text(&facts["boxes"]),
                        false => tree,
                    };
                    let problems = if args.text { String::new() } else { problems(&report) };
                    console.out(&format!("{gap}{heading}{}{tree}{reading}{problems}", text(&facts)));
                }
                extend(&mut object, facts);
                extend(&mut object, reading_json(reading.as_ref()));
            }
            // For a diff, the reason is what there is to compare.
            Err(_) if args.text => {
                let found = report.diagnostics().iter().filter(|d| d.severity == Severity::Error);
                let lines = found
                    .take(1)
                    .map(|d| format!("cannot be read: {} [{}]\n", style::safe(&d.message), d.code.id));
                console.out(&lines.collect::<String>());
            }
            Err(_) => {
                console.err(&report::failure(&report, &input));
                extend(&mut object, json!({ "file": path.display().to_string() }));
            }
        }
        extend(&mut object, report.to_json());
        objects.push(object);
    }
    if args.json {
        // One object for one file, as ever.
        let one = if objects.len() == 1 { objects.pop() } else { None };
        console.json(&one.unwrap_or(Value::Array(objects)));
    }
    worst
}

/// What reading costs, as a row below the tables.
fn reading_text(worst: &Deviation) -> String {
    format!("\n{}  worst deviation from the file {}\n", style::bold("reading"), deviation(worst, None))
}

/// The facts as tables, without empty sections.
fn text(facts: &Value) -> String {
    let mut out = heading(facts);
    for (key, columns, row) in SECTIONS {
        let mut table = Table::new(columns);
        for (index, item) in facts[*key].as_array().into_iter().flatten().enumerate() {
            table.row(row(index, item, facts));
        }
        if !table.is_empty() {
            out += &format!("\n{}", table.render());
        }
    }
    if let Some(ambient) = facts["ambient"].as_array() {
        let values: Vec<_> = ambient.iter().map(number).collect();
        out += &format!("\n{}  {}\n", style::bold("ambient"), values.join(" "));
    }
    out
}

/// The file's name, format and size.
fn file_heading(facts: &Value, format_name: &str) -> String {
    let file = style::bold(&style::safe(facts["file"].as_str().unwrap_or_default()));
    let dialect = facts["dialect"].as_str().filter(|d| !d.is_empty());
    let dialect = dialect.map_or(String::new(), |d| format!(", dialect {}", style::safe(d)));
    let size = style::bytes(facts["bytes"].as_u64().unwrap_or(0));
    format!("{file}   {format_name}{dialect}   {size}\n")
}

/// The numbers of things, the extent, and what the file says about itself.
fn heading(facts: &Value) -> String {
    let count = |key: &str| facts["counts"][key].as_u64().unwrap_or(0) as usize;
    let counts = [
        style::counted(count("vertices"), "vertex", "vertices"),
        style::counted(count("triangles"), "triangle", "triangles"),
        style::counted(count("joints"), "joint", "joints"),
        style::counted(count("clips"), "clip", "clips"),
        style::counted(count("nodes"), "node", "nodes"),
    ];
    let vector = |key: &str, between: &str| {
        let values = facts["bounds"][key].as_array()?;
        Some(values.iter().map(number).collect::<Vec<_>>().join(between))
    };
    let bounds = match (vector("size", " × "), vector("min", " "), vector("max", " ")) {
        (Some(size), Some(min), Some(max)) => format!("   {size}, from ({min}) to ({max})"),
        _ => String::new(),
    };
    let mut out = format!("{}{bounds}\n", counts.join(", "));
    for (name, text) in facts["about"].as_object().into_iter().flatten() {
        out += &format!("{}  {}\n", style::bold(name), text_of(text));
    }
    out
}

type Row = fn(usize, &Value, &Value) -> Vec<String>;

/// The facts' key, the columns, and a function that makes a row from an entry's index, the entry and all facts.
const SECTIONS: &[(&str, &[&str], Row)] = &[
    (
        "meshes",
        &["mesh", ">parts", ">vertices", "faces", ">influences", ">uv sets", ">colours", ">morphs", "has"],
        |_, mesh, _| {
            let faces = mesh["faces"].as_object().into_iter().flatten();
            let faces = faces.map(|(many, n)| {
                let one = many.strip_suffix('s').unwrap_or(many);
                style::counted(n.as_u64().unwrap_or(0), one, many)
            });
            let faces: Vec<_> = faces.collect();
            let has: Vec<_> = ["normals", "tangents"].into_iter().filter(|k| mesh[*k] == true).collect();
            vec![
                name(mesh),
                number(&mesh["parts"]),
                number(&mesh["vertices"]),
                faces.join(", "),
                number(&mesh["max_influences"]),
                number(&mesh["uv_sets"]),
                number(&mesh["color_sets"]),
                number(&mesh["morphs"]),
                has.join(", "),
            ]
        },
    ),
    ("skins", &["skin", ">joints"], |_, skin, _| vec![name(skin), number(&skin["joints"])]),
    (
        "clips",
        &["clip", ">seconds", ">keys", ">joints moved", ">tracks", "frames", "interpolation"],
        |_, clip, _| {
            let frames = match (clip["frames"].as_u64(), clip["fps"].as_f64()) {
                (Some(frames), Some(fps)) => format!("{frames} at {} fps", style::short(fps)),
                _ => "-".to_owned(),
            };
            let how: Vec<_> = clip["interpolations"].as_array().into_iter().flatten().map(text_of).collect();
            vec![
                name(clip),
                format!("{:.3}", clip["seconds"].as_f64().unwrap_or(0.0)),
                number(&clip["keys"]),
                number(&clip["joints"]),
                number(&clip["tracks"]),
                frames,
                how.join(", "),
            ]
        },
    ),
    ("materials", &["material", "kind", "textures"], |_, material, facts| {
        let kinds: Vec<_> = material["kinds"].as_array().into_iter().flatten().map(text_of).collect();
        let textures = material["textures"].as_array().into_iter().flatten().map(|texture| {
            let index = texture["image"].as_u64().unwrap_or(u64::MAX) as usize;
            format!("{}: {}", text_of(&texture["slot"]), image_label(index, &facts["images"][index]))
        });
        vec![name(material), kinds.join(", "), textures.collect::<Vec<_>>().join(", ")]
    }),
    ("images", &["image", "pixels", "where"], |index, image, _| {
        let place = match (image["found"].as_bool(), image["bytes"].as_u64()) {
            (Some(true), _) => "file, found".to_owned(),
            (Some(false), _) => "file, missing".to_owned(),
            (None, bytes) => {
                format!("embedded, {}, {}", text_of(&image["type"]), style::bytes(bytes.unwrap_or(0)))
            }
        };
        let pixels = match (image["width"].as_u64(), image["height"].as_u64()) {
            (Some(width), Some(height)) => format!("{width}×{height}"),
            _ => "-".to_owned(),
        };
        vec![image_label(index, image), pixels, place]
    }),
    ("cameras", &["camera", "kind"], |_, camera, _| vec![name(camera), text_of(&camera["kind"])]),
    ("lights", &["light", "kind", ">intensity"], |_, light, _| {
        vec![name(light), text_of(&light["kind"]), number(&light["intensity"])]
    }),
];

fn image_label(index: usize, image: &Value) -> String {
    match (image["file"].as_str(), image["name"].as_str()) {
        (Some(file), _) => style::safe(file),
        (None, Some(text)) if !text.is_empty() => style::name(text),
        _ => format!("image {index}"),
    }
}

fn name(item: &Value) -> String {
    match item["name"].as_str() {
        Some(text) if !text.is_empty() => style::name(text),
        _ => "(no name)".to_owned(),
    }
}

fn text_of(value: &Value) -> String {
    style::safe(value.as_str().unwrap_or_default())
}

/// Integers in full, other numbers shortened.
fn number(value: &Value) -> String {
    match value.as_u64() {
        Some(whole) => whole.to_string(),
        None => style::short(value.as_f64().unwrap_or(0.0)),
    }
}

fn problems(report: &ligament::Report) -> String {
    let tally = report.tally();
    if tally.is_empty() {
        return String::new();
    }
    let worst = report.diagnostics().iter().map(|d| d.severity).max().unwrap_or(Severity::Note);
    format!("\n{}; `ligament validate` shows them\n", style::Colours.severity(worst, &tally))
}
