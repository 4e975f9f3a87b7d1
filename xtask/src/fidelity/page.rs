//! The page itself. Deviations are shown in powers of ten, so that the last bits of a machine's arithmetic do not change it.

use super::Table;
use super::cell::{Cell, EXACT};
use ligament::formats::Format;
use ligament::report::find_code;
use std::collections::BTreeSet;
use std::fmt::Write;

const HEAD: &str = "\
# Fidelity

Made by `cargo xtask fidelity`; `cargo xtask test` fails if it is out of date or if anything moved that no report announced.

Each scene is written as a file of each format (its row), converted to each other format (its column) and back again, in the formats'
default dialects and with default options. On the diagonal the file goes through the scene and is written anew. After each of the two
conversions, source and result are posed side by side at rest, at every key of either and between keys. A cell shows

- how far the worst vertex was from its place after either conversion, as a fraction of the model's size: `exact` (at most a
  hundred-thousandth) or the next power of ten above;
- what the reports of the two conversions said was approximated or dropped, as codes that the last table explains.

A cell is right if the worst vertex is no farther off than the reports announced *before* anyone compared, plus a hundred-thousandth
of the model's size for rounding. What counts as announced:
the sizes of the losses that state one as a length or as a fraction of the model's size, added up, because several may move the same
vertex; a loss of one clip counts for that clip alone, not for others or the rest pose. Losses of other kinds (weights, degrees, colours)
cover nothing here, so a loss that moves vertices must say how far. A clip that is gone must have been announced by name, and faces
that are gone by a loss of faces. Everything on this page was announced.
";

/// The whole page.
pub fn page(formats: &[&'static Format], tables: &[Table]) -> String {
    let mut page = String::from(HEAD);
    let names: Vec<_> = formats.iter().map(|f| f.name).collect();
    let overall: Vec<Vec<Cell>> =
        (0..names.len()).map(|a| (0..names.len()).map(|b| worst(tables, a, b)).collect()).collect();
    section(&mut page, "All scenes", "The worst of all scenes below.", &names, &overall);
    for Table { case, cells } in tables {
        let about = format!("{}{}.", case.about[..1].to_uppercase(), &case.about[1..]);
        section(&mut page, &format!("Scene `{}`", case.name), &about, &names, cells);
    }
    page.push_str("\n## Losses\n\n| code | what |\n|---|---|\n");
    let codes: BTreeSet<_> = overall.iter().flatten().flat_map(|c| c.losses.iter().copied()).collect();
    for code in codes {
        let title = find_code(code).map_or("", |c| c.title);
        let _ = writeln!(page, "| {code} | {title} |");
    }
    page
}

fn worst(tables: &[Table], a: usize, b: usize) -> Cell {
    let mut worst = Cell::default();
    for cell in tables.iter().map(|t| &t.cells[a][b]) {
        worst.deviation = worst.deviation.max(cell.deviation);
        worst.losses.extend(&cell.losses);
        worst.faults.extend(cell.faults.iter().cloned());
    }
    worst
}

fn section(page: &mut String, title: &str, about: &str, names: &[&str], cells: &[Vec<Cell>]) {
    let _ = write!(page, "\n## {title}\n\n{about}\n\n| from \\ to |");
    names.iter().for_each(|name| page.push_str(&format!(" {name} |")));
    page.push_str("\n|---|");
    names.iter().for_each(|_| page.push_str("---|"));
    page.push('\n');
    for (name, row) in names.iter().zip(cells) {
        let _ = write!(page, "| {name} |");
        row.iter().for_each(|cell| page.push_str(&format!(" {} |", shown(cell))));
        page.push('\n');
    }
}

fn shown(cell: &Cell) -> String {
    let deviation = match cell.deviation {
        _ if !cell.faults.is_empty() => "**not announced**".to_owned(),
        d if d <= EXACT => "exact".to_owned(),
        d => class(d),
    };
    let codes: Vec<_> = cell.losses.iter().copied().collect();
    if codes.is_empty() { deviation } else { format!("{deviation}; {}", codes.join(" ")) }
}

/// `< 1 %`, `< 0.1 %`: the next power of ten.
fn class(deviation: f64) -> String {
    let percent = deviation * 100.0;
    let steps = [0.01, 0.1, 1.0, 10.0, 100.0];
    match steps.iter().find(|&&step| percent < step) {
        Some(step) => format!("< {step} %"),
        None => "≥ 100 %".to_owned(),
    }
}
