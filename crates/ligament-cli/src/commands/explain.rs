//! `ligament explain`: explains codes.

use crate::args::ExplainArgs;
use crate::codes;
use crate::console::Console;
use crate::exit::Exit;
use crate::render::style;
use crate::render::table::Table;
use ligament::internal::typing_errors;
use ligament::report::Code;
use serde_json::{Value, json};

pub fn run(args: &ExplainArgs, console: &mut Console) -> Exit {
    if args.list || args.codes.is_empty() {
        return list(args.json, console);
    }
    let mut exit = Exit::Done;
    let mut found = Vec::new();
    for word in &args.codes {
        match find_code(word) {
            Some(code) => found.push(code),
            None => {
                console.err(&unknown(word));
                exit = Exit::Usage;
            }
        }
    }
    if args.json {
        console.json(&Value::Array(found.into_iter().map(to_json).collect()));
    } else {
        let texts: Vec<_> = found.into_iter().map(text).collect();
        console.out(&texts.join("\n"));
    }
    exit
}

/// The library's codes and the command line's own.
fn all_codes() -> impl Iterator<Item = &'static Code> {
    ligament::report::all_codes().chain(codes::ALL.iter().copied())
}

fn find_code(id: &str) -> Option<&'static Code> {
    all_codes().find(|code| code.id.eq_ignore_ascii_case(id))
}

fn list(json: bool, console: &mut Console) -> Exit {
    if json {
        console.json(&Value::Array(all_codes().map(to_json).collect()));
        return Exit::Done;
    }
    let mut table = Table::new(&["code", "title"]);
    for code in all_codes() {
        table.row([code.id.to_owned(), code.title.to_owned()]);
    }
    console.out(&table.render());
    Exit::Done
}

fn text(code: &Code) -> String {
    let indented = |text: &str| text.lines().map(wrapped).collect::<String>();
    format!(
        "{}\n\n{}\n{}\n{}\n{}\n{}",
        style::bold(&format!("{}: {}", code.id, code.title)),
        indented(code.explanation),
        style::bold("Example"),
        indented(code.example),
        style::bold("What to do"),
        indented(code.fix),
    )
}

/// Wraps a line of text between words; each resulting line is indented and ends with a line break.
fn wrapped(line: &str) -> String {
    const WIDTH: usize = 90;
    // Examples are code: their spaces and line breaks are kept.
    if line.chars().count() <= WIDTH {
        return format!("  {line}\n");
    }
    let mut out = String::new();
    let mut width = 0;
    for word in line.split_whitespace() {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            out.push('\n');
            width = 0;
        }
        out += if width == 0 { "  " } else { " " };
        out += word;
        width += length + usize::from(width > 0);
    }
    out + "\n"
}

fn to_json(code: &Code) -> Value {
    json!({
        "code": code.id,
        "title": code.title,
        "explanation": code.explanation,
        "example": code.example,
        "fix": code.fix,
        "unsupported": code.is_unsupported,
    })
}

fn unknown(word: &str) -> String {
    let mut text = format!("{}: there is no code {}\n", style::error("error"), style::name(word));
    let near = suggestions(word);
    if near.is_empty() {
        text += "  `ligament explain --list` lists them all\n";
    } else {
        text += "  did you mean\n";
        for code in near {
            text += &format!("    {}  {}\n", code.id, code.title);
        }
    }
    text
}

/// The codes with the smallest edit distance, up to two, or those whose title contains the word.
fn suggestions(word: &str) -> Vec<&'static Code> {
    let (upper, lower) = (word.to_uppercase(), word.to_lowercase());
    let mut near: Vec<(usize, &'static Code)> = all_codes()
        .filter_map(|code| {
            let slips = typing_errors(&upper, code.id);
            let in_title = lower.len() >= 3 && code.title.to_lowercase().contains(&lower);
            (slips <= 2 || in_title).then_some((if in_title { 0 } else { slips }, code))
        })
        .collect();
    near.sort_by_key(|(slips, code)| (*slips, code.id));
    let fewest = near.first().map_or(0, |(slips, _)| *slips);
    near.into_iter().take_while(|(slips, _)| *slips == fewest).take(5).map(|(_, code)| code).collect()
}
