//! The page and the package: how large they are, how fast they read, and when the first picture is there.

use super::measure::{in_turns, told, word_after};
use super::page::{Row, milliseconds};
use super::{Bench, data};
use crate::run::{Result, command};
use crate::web;

/// Bytes that a visitor may load before a file is opened.
const MOST_FIRST: f64 = 2e6;
/// Seconds until the first picture.
const MOST_WAIT: f64 = 2.0;

impl Bench {
    pub fn web(&mut self) -> Result {
        if !web::build()? {
            println!("   skipped: the page cannot be built");
            return Ok(());
        }
        let measure = |arguments: &[&str]| command("node", &[&["web/tests/measure.mjs"], arguments].concat());
        let file = data::animated(20)?.display().to_string();
        let native = || told(&mut self.tools.ours(&["read-scene", &file, "--threads", "1"]));
        let against = in_turns(self.rounds.min(3), || told(&mut measure(&["parse", &file])), native)?;
        let what = "The package for JavaScript reads 20 MB of animated PFOBJ, with all facts";
        self.page.faster(what, "native, one core", against, 0.5, 0.5);
        let size = |word: &str| word_after(&mut measure(&["sizes"]), word);
        let (page, wasm) = (size("page")?, size("wasm")?);
        self.page.row(Row {
            what: "The page in the browser, before a file is opened (compressed)".into(),
            ours: format!("{:.0} kB", page / 1e3),
            baseline: "35 MB (f3d's page)".into(),
            ratio: "–".into(),
            goal: "≤ 2 MB".into(),
            met: Some((page <= MOST_FIRST, page <= MOST_FIRST)),
        });
        self.page.row(Row {
            what: "The converter with all formats, loaded with the first file (compressed)".into(),
            ours: format!("{:.1} MB", wasm / 1e6),
            baseline: "–".into(),
            ratio: "–".into(),
            goal: "–".into(),
            met: None,
        });
        let Ok(wait) = told(&mut measure(&["picture"])) else {
            println!("   skipped: there is no browser");
            return Ok(());
        };
        self.page.row(Row {
            what: "The page shows `creature.glb` (headless Chromium, warm cache, drawn on the CPU)".into(),
            ours: milliseconds(wait),
            baseline: "–".into(),
            ratio: "–".into(),
            goal: "≤ 2 s".into(),
            met: Some((wait <= MOST_WAIT, wait <= MOST_WAIT)),
        });
        Ok(())
    }
}
