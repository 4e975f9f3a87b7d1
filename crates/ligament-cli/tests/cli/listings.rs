//! Help, listings and `info`.

use super::*;
use ligament::formats::FORMATS;

#[test]
fn help_of_every_command_has_examples() {
    let folder = folder();
    for name in COMMANDS {
        let output = run(&folder, [name, "--help"]);
        expect(&output, 0);
        let text = stdout(&output);
        assert!(text.contains("Examples:\n  ligament "), "{name}: {text}");
        assert!(text.contains(&format!("ligament {name}")), "{name}: {text}");
    }
    let output = ligament(&folder, "--help");
    expect(&output, 0);
    for name in COMMANDS {
        // The list and the command's own help begin with the same sentence.
        let text = stdout(&output);
        let line = text.lines().find(|line| line.trim_start().starts_with(&format!("{name} "))).expect(name);
        let about = line.trim_start()[name.len()..].trim();
        let help = stdout(&run(&folder, [name, "-h"]));
        // Both may be broken into lines.
        let first = help.lines().next().expect("a line");
        let is_same = first.len() > 10 && (about.starts_with(first) || first.starts_with(about));
        assert!(is_same, "{name}: {first} instead of {about}");
    }
    assert!(stdout(&output).contains("\n  5  "), "every exit code is listed");
}

#[test]
fn json_holds_the_whole_result() {
    let folder = folder();
    let output = ligament(&folder, "convert bend_tube.pfobj tube.glb --json --report report.json");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let value = json(&output);
    assert_eq!(value["ok"], true);
    assert_eq!(value["counts"]["vertices"], 324);
    assert!(value["comparison"]["poses"].as_u64().is_some_and(|n| n > 16), "{value}");
    let report = fs::read(folder.path().join("report.json")).expect("written");
    assert_eq!(serde_json::from_slice::<Value>(&report).expect("JSON"), value);

    write(&folder, "broken.pfobj", "version 1.0\nnum_verts x\n");
    let output = ligament(&folder, "convert broken.pfobj out.glb --json --report report.json");
    expect(&output, 3);
    assert_eq!(
        (&json(&output)["ok"], &json(&output)["exit"]),
        (&Value::from(false), &Value::from("invalid"))
    );
    let report = fs::read(folder.path().join("report.json")).expect("written");
    assert_eq!(serde_json::from_slice::<Value>(&report).expect("JSON"), json(&output));

    let value = json(&ligament(&folder, "info bend_tube.pfobj --json"));
    assert_eq!(value["clips"][0]["name"], "Bend");
    assert_eq!(value["clips"][0]["frames"], 10);
    assert_eq!(value["images"][0]["found"], true);
    let value = json(&ligament(&folder, "info multi_mat_cube.pfobj --json"));
    assert_eq!(value["images"][0]["found"], false, "its pictures were not copied");

    let value = json(&ligament(&folder, "compare bend_tube.pfobj tube.glb --json"));
    assert!(value["comparison"]["worst"]["relative"].as_f64().is_some_and(|w| w < 1e-6), "{value}");
}

#[test]
fn every_format_is_listed_from_the_table() {
    let folder = folder();
    let (text, value) = (ligament(&folder, "formats"), json(&ligament(&folder, "formats --json")));
    expect(&text, 0);
    assert_eq!(value.as_array().map(Vec::len), Some(FORMATS.len()));
    for (row, format) in value.as_array().into_iter().flatten().zip(FORMATS) {
        assert_eq!(row["id"], format.id);
        assert_eq!(row["write"], format.writes(None));
        for word in [format.name].iter().chain(format.extensions) {
            assert!(stdout(&text).contains(word), "{word}");
        }
    }
}

#[test]
fn every_code_is_explained() {
    let folder = folder();
    let list = stdout(&ligament(&folder, "explain"));
    assert_eq!(list, stdout(&ligament(&folder, "explain --list")));
    let mut codes = 0;
    for code in ligament::report::all_codes() {
        assert!(list.contains(code.id) && list.contains(code.title), "{}", code.id);
        codes += 1;
    }
    assert!(codes > 10, "{codes}");
    let output = ligament(&folder, "explain io001");
    expect(&output, 0);
    let text = stdout(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    for piece in ["IO001", "Example", "What to do", ligament::io::codes::CANNOT_READ.explanation] {
        assert!(text.contains(piece), "{piece}");
    }
}

/// Advice that names a command or an option which does not exist sends people nowhere.
#[test]
fn what_codes_recommend_exists() {
    let folder = folder();
    let mut options: Vec<String> = Vec::new();
    for name in COMMANDS {
        let help = stdout(&run(&folder, [name, "--help"]));
        options.extend(words_after(&help, "--").map(|word| format!("--{word}")));
    }
    let (mut commands_seen, mut options_seen) = (0, 0);
    for code in json(&ligament(&folder, "explain --list --json")).as_array().expect("an array") {
        for key in ["explanation", "example", "fix"] {
            let text = code[key].as_str().expect("text");
            for command in words_after(text, "`ligament ") {
                commands_seen += 1;
                assert!(COMMANDS.contains(&command), "{}: there is no command {command}", code["code"]);
            }
            // Of another program, which is quoted whole.
            let text = text.replace("`vulkaninfo --summary`", "");
            for option in words_after(&text, "--") {
                options_seen += 1;
                let option = format!("--{option}");
                assert!(options.contains(&option), "{}: there is no option {option}", code["code"]);
            }
        }
    }
    assert!(commands_seen > 10 && options_seen > 50, "{commands_seen} commands, {options_seen} options");
}

/// The words of lower-case letters and dashes that follow directly on a mark.
fn words_after<'a>(text: &'a str, mark: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(mark).skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(rest.len());
        (end > 0).then(|| &rest[..end])
    })
}

#[test]
fn completions_and_man_pages_know_every_command() {
    let folder = folder();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(&folder, ["completions", shell]);
        expect(&output, 0);
        for name in COMMANDS {
            assert!(stdout(&output).contains(name), "{shell}: {name}");
        }
    }
    expect(&ligament(&folder, "man pages/man1"), 0);
    let pages = names(&folder.path().join("pages/man1"));
    for name in COMMANDS {
        assert!(pages.contains(&format!("ligament-{name}.1")), "{pages:?}");
    }
    let page = fs::read_to_string(folder.path().join("pages/man1/ligament-convert.1")).expect("a page");
    assert!(page.contains("Examples"), "the examples belong into the page");
}
