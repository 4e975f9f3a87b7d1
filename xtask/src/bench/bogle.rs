//! Reading BOGLE, compared with copying its bytes.

use super::Bench;
use super::measure::{in_turns, told, word_after};
use super::page::{Row, milliseconds};
use crate::run::Result;

const VERTICES: &str = "200000";

impl Bench {
    pub fn read_bogle(&mut self) -> Result {
        let tool = |what: &str| self.tools.ours(&[what, VERTICES, "20"]);
        let bytes = word_after(&mut tool("read-bogle"), "bytes")?;
        let against =
            in_turns(self.rounds, || told(&mut tool("read-bogle")), || told(&mut tool("copy-bogle")))?;
        let speed = bytes / against.ours / 1e9;
        let met = speed >= 2.0 || against.ratio >= 1.0 / 1.5;
        self.page.row(Row {
            what: format!("Reading {:.0} MB of BOGLE from memory, all checks on, one core", bytes / 1e6),
            ours: format!("{} ({speed:.1} GB/s)", milliseconds(against.ours)),
            baseline: format!("{} (copying the bytes)", milliseconds(against.baseline)),
            ratio: format!("{:.2}×", against.ratio),
            goal: "≥ 2 GB/s, or ≥ 0.67×".into(),
            met: Some((met, met)),
        });
        Ok(())
    }
}
