//! `cargo xtask fidelity`: converts every scene from every format to every other and back, poses both ends, and writes
//! deviations and losses to `docs/fidelity.md`.

mod cell;
mod page;
mod scenes;

use crate::run::{Result, at_once, root};
use cell::{Cell, file, there_and_back};
use ligament::formats::{FORMATS, Format};
use scenes::{Case, cases};

/// All cells of one scene: `cells[a][b]` is the conversion from format `a` to `b` and back.
pub struct Table {
    case: Case,
    cells: Vec<Vec<Cell>>,
}

/// The writable formats.
fn formats() -> Vec<&'static Format> {
    FORMATS.iter().copied().filter(|format| format.writes(None)).collect()
}

fn tables() -> Vec<Table> {
    let formats = formats();
    let table = |case: Case| {
        let row = |&a: &&'static Format| match file(&case.scene, a) {
            Ok(file) => formats.iter().map(|&b| there_and_back(&file, a, b)).collect(),
            Err(message) => formats.iter().map(|_| Cell::failed(message.clone())).collect(),
        };
        let cells = formats.iter().map(row).collect();
        Table { case, cells }
    };
    at_once(cases(), table)
}

/// All changes that were not announced, one line each.
fn faults(tables: &[Table]) -> Vec<String> {
    let formats = formats();
    let mut all = Vec::new();
    for table in tables {
        for (a, row) in formats.iter().zip(&table.cells) {
            for (b, cell) in formats.iter().zip(row) {
                let pair = format!("{}: {} to {} and back", table.case.name, a.name, b.name);
                all.extend(cell.faults.iter().map(|fault| format!("{pair}: {fault}")));
            }
        }
    }
    all
}

/// Converts everything and writes the page.
pub fn write_page() -> Result {
    let tables = tables();
    let path = root().join("docs/fidelity.md");
    let written = std::fs::write(&path, page::page(&formats(), &tables));
    written.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    let faults = faults(&tables);
    if faults.is_empty() { Ok(()) } else { Err(format!("not announced:\n{}", faults.join("\n"))) }
}

/// Converts everything and compares the result with the existing page.
pub fn check() -> Result {
    let tables = tables();
    let faults = faults(&tables);
    if !faults.is_empty() {
        return Err(format!("not announced:\n{}", faults.join("\n")));
    }
    let there = std::fs::read_to_string(root().join("docs/fidelity.md")).unwrap_or_default();
    if there != page::page(&formats(), &tables) {
        return Err("docs/fidelity.md is out of date; run `cargo xtask fidelity`".into());
    }
    println!(
        "   {} conversions there and back",
        tables.iter().map(|t| t.cells.len() * t.cells.len()).sum::<usize>()
    );
    Ok(())
}
