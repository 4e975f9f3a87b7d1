//! Writing formats whose records are not the scene's arrays, compared with reading them back.

use super::Bench;
use super::data;
use super::measure::{in_turns, told};
use super::page::{Row, milliseconds, times};
use crate::run::Result;

/// Extension and dialect.
const FORMATS: [(&str, &str); 3] = [("bgl", "BOGLE"), ("qmsh.tmp", "QMSH TMP"), ("apg", "APG")];
/// Two triangles per vertex of the model, except for its last ring.
const CORNERS: usize = 800_000;
/// Writing takes at most this many times as long as reading.
const MOST: f64 = 4.0;

impl Bench {
    pub fn exports(&mut self) -> Result {
        let corners = if self.quick { CORNERS / 8 } else { CORNERS };
        let source = self.model(&format!("exported-{corners}.glb"), "-", corners / 6, 0)?;
        let source = source.display().to_string();
        for (extension, format) in FORMATS {
            let out = data::folder().join(format!("exported.{extension}")).display().to_string();
            let write = || told(&mut self.tools.ours(&["write-scene", &source, &out, "3", "--threads", "1"]));
            let read = || told(&mut self.tools.ours(&["read-scene", &out, "--threads", "1"]));
            let against = in_turns(self.rounds, write, read)?;
            let cost = 1.0 / against.ratio;
            self.page.row(Row {
                what: format!("Writing {corners} corners of a scene as {format}, one core"),
                ours: milliseconds(against.ours),
                baseline: format!("{} (reading them up to the scene)", milliseconds(against.baseline)),
                ratio: times(cost),
                goal: format!("≤ {MOST}"),
                met: Some((cost <= MOST, cost <= MOST)),
            });
        }
        Ok(())
    }
}
