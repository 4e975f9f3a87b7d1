//! The manual's tables of options and the Python module's typed keywords are generated from the library's settings.
//!
//! `UPDATE_PAGES=1 cargo test -p ligament-cli --test cli settings` updates them.

use super::*;
use ligament::settings::{Kind, Setting, general, settings};

fn is_only_for_convert(setting: &Setting) -> bool {
    [general::CLIPS.name, general::REENCODE.name].contains(&setting.name)
}

#[test]
fn the_manual_lists_every_setting() {
    let table = |takes: &dyn Fn(&Setting) -> bool| {
        let rows: String = settings().filter(|setting| takes(setting)).map(option_row).collect();
        format!("\n| option | does |\n|---|---|\n{rows}\n")
    };
    check(
        "docs/cli.md",
        "<!-- settings",
        &[
            ("reading", table(&|setting| setting.is_read())),
            ("writing", table(&|setting| !setting.is_read() && !is_only_for_convert(setting))),
            ("converting", table(&is_only_for_convert)),
        ],
    );
}

#[test]
fn python_has_every_setting_as_a_typed_keyword() {
    let keywords = |takes: &dyn Fn(&Setting) -> bool| {
        settings().filter(|setting| takes(setting)).map(keyword).collect::<String>()
    };
    check(
        "crates/ligament-py/python/ligament/functions.py",
        "    # settings",
        &[
            ("reading", keywords(&Setting::is_read)),
            ("writing", keywords(&Setting::is_written)),
            ("converting", keywords(&|setting| !setting.is_written())),
        ],
    );
}

/// Compares the text between `MARK: NAME` and the next line that begins with the mark with the expected text.
fn check(path: &str, mark: &str, parts: &[(&str, String)]) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let mut text = fs::read_to_string(&file).expect("a page");
    for (name, wanted) in parts {
        let begin = format!("{mark}: {name}");
        let found = text.find(&begin).and_then(|at| Some(at + text[at..].find('\n')? + 1));
        let start = found.unwrap_or_else(|| panic!("{path} has no line {begin:?}"));
        let end = start + text[start..].find(mark).unwrap_or_else(|| panic!("{path}: {name} has no end"));
        if std::env::var_os("UPDATE_PAGES").is_some() {
            text.replace_range(start..end, wanted);
        } else {
            assert_eq!(text[start..end], **wanted, "{path}: UPDATE_PAGES=1 updates it");
        }
    }
    if std::env::var_os("UPDATE_PAGES").is_some() {
        fs::write(&file, text).expect("the page is written");
    }
}

/// A row of the manual: the option's spelling, help, choices and default.
fn option_row(setting: &Setting) -> String {
    let words: Vec<_> = setting.kind.choices().iter().map(|(word, _)| *word).collect();
    let value = if words.is_empty() { setting.value_name.to_owned() } else { words.join("\\|") };
    let option = match setting.bare {
        Some(_) => format!("--{}[={value}]", setting.long()),
        None => format!("--{} {value}", setting.long()),
    };
    let (help, names) = (setting.long_help(), setting.help().split_off(setting.help.len()));
    let links = setting.formats().map(|info| format!("[{}](formats/{}.md)", info.name, info.id));
    let links = links.collect::<Vec<_>>().join(", ");
    let links = if links.is_empty() { links } else { format!(" ({links})") };
    let mut does = format!("{}{links}.", help.strip_suffix(&names).unwrap_or(&help));
    for (word, help) in setting.kind.choices() {
        does += &format!(" `{word}`: {help}.");
    }
    if let Some(bare) = setting.bare {
        does += &format!(" Without a value: `{bare}`.");
    }
    match (setting.kind, setting.default_value()) {
        (Kind::Flag, _) | (_, Value::Null) => {}
        (_, Value::String(word)) => does += &format!(" Default: `{word}`."),
        (_, number) => does += &format!(" Default: `{}`.", number.as_f64().unwrap_or_default()),
    }
    if let Some(needed) = setting.needs {
        does += &format!(" Not together with `--{}`.", needed.long());
    }
    format!("| `{}` | {does} |\n", option.trim_end())
}

/// A keyword of the Python module with its type and help.
fn keyword(setting: &Setting) -> String {
    let kind = match setting.kind {
        Kind::Flag => "bool".to_owned(),
        Kind::Word(words) => {
            let words: Vec<_> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
            format!("Literal[{}] | None", words.join(", "))
        }
        Kind::Above(_) | Kind::Fraction => "float | None".to_owned(),
        Kind::Integer(_) => "int | None".to_owned(),
        Kind::Memory => "int | str | None".to_owned(),
        Kind::Text => "str | None".to_owned(),
        Kind::Texts => "Sequence[str] | None".to_owned(),
        kind => panic!("{kind:?} has no type in Python"),
    };
    let mut lines = vec![String::from("    \"\"\"")];
    for word in format!("{}.\"\"\"", setting.help()).split(' ') {
        let last = lines.last_mut().expect("there is one");
        if last.chars().count() + 1 + word.chars().count() > 120 {
            lines.push(format!("    {word}"));
        } else {
            let space = if last.ends_with("\"\"\"") { "" } else { " " };
            *last += &format!("{space}{word}");
        }
    }
    format!("    {}: {kind}\n{}\n", setting.name, lines.join("\n"))
}
