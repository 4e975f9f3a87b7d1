//! Results as Markdown, for comments on pull requests.

use super::style::safe;
use ligament::Report;
use ligament::compare::{Comparison, Deviation};
use ligament::convert::Conversion;
use ligament::internal::shown::percent;
use ligament::report::{LossKind, Paint, Remedy, Severity};

/// Stand for markup until everything else is escaped; [`safe`] leaves neither in a text from a file.
const BOLD: char = '\u{1}';
const CODE: char = '\u{2}';

/// Marks words instead of colouring them.
struct Marks;

fn marked(mark: char, text: &str) -> String {
    format!("{mark}{text}{mark}")
}

impl Paint for Marks {
    fn heading(&self, text: &str) -> String {
        marked(BOLD, text)
    }

    fn aside(&self, text: &str) -> String {
        marked(CODE, text.trim_matches(['[', ']']))
    }

    fn severity(&self, _: Severity, text: &str) -> String {
        marked(BOLD, text)
    }

    fn kind(&self, _: &LossKind, text: &str) -> String {
        marked(BOLD, text)
    }

    fn remedy(&self, remedy: &Remedy) -> String {
        marked(CODE, &safe(&remedy.option()))
    }
}

/// A conversion: its summary, and a list of what was lost and found.
pub fn conversion(input: &str, output: &str, done: &Conversion, report: &Report, verbose: bool) -> String {
    let summary = done.summary(input, output, report, &Marks);
    let lines = if verbose { report.lines(&Marks) } else { report.worries(&Marks) };
    let items: String = lines.lines().map(|line| format!("- {}\n", escaped(&spaced(line)))).collect();
    format!("{}\n\n{items}", escaped(&spaced(&summary)))
}

/// A comparison as a table.
pub fn comparison(first: &str, second: &str, found: &Comparison) -> String {
    let cell = |text: &str| escaped(&safe(text)).replace('|', "\\|");
    let mut out = format!(
        "**{} compared with {}**\n\n| | deviation | where |\n|---|---|---|\n",
        cell(second),
        cell(first)
    );
    let mut row = |name: &str, worst: &Option<Deviation>| {
        if let Some(worst) = worst {
            let clip = worst
                .clip
                .as_ref()
                .map_or("at rest".to_owned(), |clip| format!("clip {clip:?} at {:.3} s", worst.time));
            let joint = worst.joint.as_ref().map_or(String::new(), |joint| format!(", joint {joint:?}"));
            out += &format!("| {name} | {} | {} |\n", percent(worst.relative), cell(&(clip + &joint)));
        }
    };
    row("worst", &found.worst);
    row("at keys", &found.worst_at_keys);
    if !found.differences.is_empty() {
        out += "\n| differs | first | second |\n|---|---|---|\n";
        for difference in &found.differences {
            let cells = [&difference.feature, &difference.first, &difference.second].map(|text| cell(text));
            out += &format!("| {} |\n", cells.join(" | "));
        }
    }
    out
}

/// Text whose words are separated by single spaces.
fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Escapes what Markdown would take for markup, but not within code.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    let mut in_code = false;
    for c in text.chars() {
        match c {
            BOLD => out += "**",
            CODE => {
                in_code = !in_code;
                out.push('`');
            }
            '`' if in_code => out.push('\''),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '@' if !in_code => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_not_taken_for_markup() {
        let text = escaped(&format!("{} a_b <img> {}", marked(BOLD, "*x*"), marked(CODE, "--clip a_`b")));
        assert_eq!(text, "**\\*x\\*** a\\_b \\<img\\> `--clip a_'b`");
        assert_eq!(spaced("  a   b\n  c\n"), "a b c");
    }
}
