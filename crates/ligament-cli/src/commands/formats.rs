//! `ligament formats`: the format table, for people and as JSON.

use crate::args::FormatsArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::render::table::Table;
use ligament::formats::{Capabilities, Count, FORMATS, Format, Info, by_id};
use serde_json::{Map, Value, json};

pub fn run(args: &FormatsArgs, console: &mut Console) -> Exit {
    let named: Vec<_> = args.formats.iter().filter_map(|word| by_id(word)).collect();
    let all = named.is_empty();
    let formats = if all { FORMATS.to_vec() } else { named };
    if args.json {
        console.json(&Value::Array(formats.iter().map(|f| to_json(*f)).collect()));
    } else {
        console.out(&text(&formats, all));
    }
    Exit::Done
}

fn text(formats: &[&'static dyn Format], all: bool) -> String {
    let mut table = Table::new(&["format", "name", "extensions", "read", "write", "what it is"]);
    for format in formats {
        let info = format.info();
        let extensions: Vec<_> = info.extensions.iter().map(|e| format!(".{e}")).collect();
        let write = if format.capabilities(None).write { "yes" } else { "no" };
        table.row([
            info.id.to_owned(),
            info.name.to_owned(),
            extensions.join(" "),
            "yes".to_owned(),
            write.to_owned(),
            info.summary.to_owned(),
        ]);
    }
    let mut out = table.render();
    let table = dialects(formats);
    if !table.is_empty() {
        out += &format!("\n{}", table.render());
    }
    out += &format!("\n{}", holdings(formats, all));
    if all {
        out += "\nAs written by default. `ligament formats FORMAT` shows what each of its dialects holds.\n";
    }
    out
}

/// The dialects of formats; a row of dialects that are set apart by the same thing is one.
fn dialects(formats: &[&'static dyn Format]) -> Table {
    let mut table = Table::new(&["format", "dialect", "what sets it apart"]);
    for format in formats {
        let (info, writes) = (format.info(), format.capabilities(None).write);
        for (index, alike) in info.dialects.chunk_by(|a, b| a.summary == b.summary).enumerate() {
            let default = if index == 0 && writes { " (written by default)" } else { "" };
            let ids = match alike {
                [only] => only.id.to_owned(),
                [first, .., last] => format!("{} … {}", first.id, last.id),
                [] => continue,
            };
            table.row([info.id.to_owned(), ids, format!("{}{default}", alike[0].summary)]);
        }
    }
    table
}

/// What formats can hold, one column a format; or one for each of its dialects that differ in it.
fn holdings(formats: &[&'static dyn Format], defaults: bool) -> String {
    let columns: Vec<(String, Features)> = match defaults {
        true => formats.iter().map(|f| (f.info().id.to_owned(), features(&f.capabilities(None)))).collect(),
        false => formats.iter().flat_map(|f| columns(*f)).collect(),
    };
    let heading: Vec<_> = ["holds"].into_iter().chain(columns.iter().map(|(h, _)| h.as_str())).collect();
    let mut table = Table::new(&heading);
    let Some((_, first)) = columns.first() else { return String::new() };
    for (index, (_, label, _)) in first.iter().enumerate() {
        let cells = columns.iter().map(|(_, features)| cell(&features[index].2));
        table.row(std::iter::once((*label).to_owned()).chain(cells));
    }
    table.render()
}

fn columns(format: &dyn Format) -> Vec<(String, Features)> {
    let info = format.info();
    let mut kinds: Vec<(Vec<&str>, Capabilities)> = Vec::new();
    for dialect in info.dialects {
        let capabilities = format.capabilities(Some(dialect.id));
        match kinds.iter_mut().find(|(_, same)| *same == capabilities) {
            Some((ids, _)) => ids.push(dialect.id),
            None => kinds.push((vec![dialect.id], capabilities)),
        }
    }
    if kinds.len() < 2 {
        return vec![(info.id.to_owned(), features(&format.capabilities(None)))];
    }
    let heading = |ids: &[&str]| match ids {
        [first, _, .., last] => format!("{} ({first} … {last})", info.id),
        _ => format!("{} ({})", info.id, ids.join(", ")),
    };
    kinds.iter().map(|(ids, capabilities)| (heading(ids), features(capabilities))).collect()
}

/// Key in JSON, label in the table, value.
type Features = Vec<(&'static str, &'static str, Value)>;

fn features(c: &Capabilities) -> Features {
    let interpolations: Vec<_> = c.interpolations.iter().map(|i| i.name()).collect();
    vec![
        ("hierarchy", "node tree", json!(c.hierarchy)),
        ("meshes", "meshes", json!(word(c.meshes))),
        ("skins", "skins", json!(word(c.skins))),
        ("max_influences", "influences a vertex", json!(c.max_influences)),
        ("default_influences", "of these unless asked", json!(c.default_influences.or(c.max_influences))),
        ("joint_scale", "scaled joints", json!(c.joint_scale)),
        ("separate_bind_pose", "rest pose apart from bind pose", json!(c.separate_bind_pose)),
        ("clips", "clips", json!(word(c.clips))),
        ("sampled_clips", "clips are frames", json!(c.sampled_clips)),
        ("interpolations", "interpolations", json!(interpolations)),
        ("polygons", "polygons", json!(c.polygons)),
        ("points_and_lines", "points and lines", json!(c.points_and_lines)),
        ("morphs", "morph targets", json!(c.morphs)),
        ("uv_sets", "texture coordinate sets", sets(c.uv_sets)),
        ("color_sets", "vertex colour sets", sets(c.color_sets)),
        ("normals", "normals", json!(c.normals)),
        ("tangents", "tangents", json!(c.tangents)),
        ("computes_tangents", "missing tangents computed", json!(c.computes_tangents)),
        ("phong", "Phong materials", json!(c.phong)),
        ("pbr", "metallic-roughness materials", json!(c.pbr)),
        ("normal_maps", "normal maps", json!(c.normal_maps)),
        ("alpha_modes", "alpha cut-outs and blending", json!(c.alpha_modes)),
        ("texture_files", "textures as files", json!(c.texture_files)),
        ("embedded_textures", "textures inside", json!(c.embedded_textures)),
        ("cameras", "cameras", json!(c.cameras)),
        ("lights", "lights", json!(c.lights)),
        ("ambient", "ambient light", json!(c.ambient)),
        ("extras", "key-value data", json!(c.extras)),
    ]
}

/// A number of sets; `null` is any number, for which formats say the largest there is.
fn sets(n: usize) -> Value {
    if n == usize::MAX { Value::Null } else { json!(n) }
}

fn word(count: Count) -> &'static str {
    match count {
        Count::None => "none",
        Count::One => "one",
        Count::Many => "many",
    }
}

fn cell(value: &Value) -> String {
    match value {
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "-".to_owned(),
        Value::Null => "any".to_owned(),
        Value::String(text) if text == "none" => "-".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(words) => words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
        Value::Number(n) if n.as_u64() == Some(0) => "-".to_owned(),
        other => other.to_string(),
    }
}

fn capabilities_json(capabilities: &Capabilities) -> Value {
    let members = features(capabilities).into_iter().map(|(key, _, value)| (key.to_owned(), value));
    Value::Object(members.collect::<Map<_, _>>())
}

fn to_json(format: &dyn Format) -> Value {
    let info: &Info = format.info();
    let default = format.capabilities(None);
    let dialects: Vec<_> = info
        .dialects
        .iter()
        .enumerate()
        .map(|(index, dialect)| {
            json!({
                "id": dialect.id,
                "summary": dialect.summary,
                "default": index == 0 && default.write,
                "capabilities": capabilities_json(&format.capabilities(Some(dialect.id))),
            })
        })
        .collect();
    json!({
        "id": info.id,
        "name": info.name,
        "summary": info.summary,
        "extensions": info.extensions,
        "text": info.is_text,
        "read": true,
        "write": default.write,
        "dialects": dialects,
        "capabilities": capabilities_json(&default),
        "codes": info.codes.iter().map(|c| c.id).collect::<Vec<_>>(),
    })
}
