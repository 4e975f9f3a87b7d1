//! `ligament formats`: the format table, for people and as JSON.

use crate::args::FormatsArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::render::table::Table;
use ligament::formats::{Capabilities, FORMATS, Feature, Format, by_id, describe};
use serde_json::Value;

pub fn run(args: &FormatsArgs, console: &mut Console) -> Exit {
    let named: Vec<_> = args.formats.iter().filter_map(|word| by_id(word)).collect();
    let all = named.is_empty();
    let formats = if all { FORMATS.to_vec() } else { named };
    if args.json {
        console.json(&Value::Array(formats.iter().map(|f| describe(f)).collect()));
    } else {
        console.out(&text(&formats, all));
    }
    Exit::Done
}

fn text(formats: &[&'static Format], all: bool) -> String {
    let mut table = Table::new(&["format", "name", "extensions", "read", "write", "what it is"]);
    for format in formats {
        let extensions: Vec<_> = format.extensions.iter().map(|e| format!(".{e}")).collect();
        let write = if format.writes(None) { "yes" } else { "no" };
        table.row([
            format.id.to_owned(),
            format.name.to_owned(),
            extensions.join(" "),
            "yes".to_owned(),
            write.to_owned(),
            format.summary.to_owned(),
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

/// The dialects of formats. Consecutive dialects with the same summary share a row.
fn dialects(formats: &[&'static Format]) -> Table {
    let mut table = Table::new(&["format", "dialect", "what sets it apart"]);
    for format in formats {
        for (index, alike) in format.dialects.chunk_by(|a, b| a.summary == b.summary).enumerate() {
            let default = if index == 0 && format.writes(None) { " (written by default)" } else { "" };
            let ids = match alike {
                [only] => only.id.to_owned(),
                [first, .., last] => format!("{} … {}", first.id, last.id),
                [] => continue,
            };
            table.row([format.id.to_owned(), ids, format!("{}{default}", alike[0].summary)]);
        }
    }
    table
}

/// What formats can hold: one column per format, or one per group of dialects that differ in it.
fn holdings(formats: &[&'static Format], defaults: bool) -> String {
    let columns: Vec<(String, Vec<Feature>)> = match defaults {
        true => formats.iter().map(|f| (f.id.to_owned(), f.capabilities(None).features())).collect(),
        false => formats.iter().flat_map(|f| columns(f)).collect(),
    };
    let heading: Vec<_> = ["holds"].into_iter().chain(columns.iter().map(|(h, _)| h.as_str())).collect();
    let mut table = Table::new(&heading);
    let Some((_, first)) = columns.first() else { return String::new() };
    for (index, Feature { label, .. }) in first.iter().enumerate() {
        let cells = columns.iter().map(|(_, features)| cell(&features[index].value));
        table.row(std::iter::once((*label).to_owned()).chain(cells));
    }
    table.render()
}

fn columns(format: &Format) -> Vec<(String, Vec<Feature>)> {
    let mut kinds: Vec<(Vec<&str>, (Capabilities, bool))> = Vec::new();
    for dialect in format.dialects {
        let holds = (format.capabilities(Some(dialect.id)), dialect.is_written);
        match kinds.iter_mut().find(|(_, same)| *same == holds) {
            Some((ids, _)) => ids.push(dialect.id),
            None => kinds.push((vec![dialect.id], holds)),
        }
    }
    if kinds.len() < 2 {
        return vec![(format.id.to_owned(), format.capabilities(None).features())];
    }
    let heading = |ids: &[&str]| match ids {
        [first, _, .., last] => format!("{} ({first} … {last})", format.id),
        _ => format!("{} ({})", format.id, ids.join(", ")),
    };
    kinds.iter().map(|(ids, (capabilities, _))| (heading(ids), capabilities.features())).collect()
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
