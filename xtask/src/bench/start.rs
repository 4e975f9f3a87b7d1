//! How long the process takes to start.

use super::Bench;
use super::measure::{in_turns, whole};
use super::page::{Row, milliseconds};
use crate::run::{Result, command};

/// Milliseconds that the process may take.
const MOST: f64 = 1.0;

impl Bench {
    /// `ligament --version`, beside a process that does nothing.
    pub fn start(&mut self) -> Result {
        let start = || whole(&mut self.tools.ligament(&["--version"]));
        let found = in_turns(self.rounds * 30, start, || whole(&mut command("true", &[])))?;
        let met = found.ours * 1e3 <= MOST;
        self.page.row(Row {
            what: "`ligament --version`, whole process".into(),
            ours: milliseconds(found.ours),
            baseline: format!("{} (`true`)", milliseconds(found.baseline)),
            ratio: "–".into(),
            goal: format!("≤ {MOST} ms"),
            met: Some((met, met)),
        });
        Ok(())
    }
}
