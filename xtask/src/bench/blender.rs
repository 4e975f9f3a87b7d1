//! Exporting from Blender, compared with its own glTF exporter in the same process.

use super::measure::Compared;
use super::{Bench, data};
use crate::blender;
use crate::run::{Result, output};
use std::path::Path;

const WHAT: &str = "Exporting 100 000 vertices, 60 bones and 250 frames from Blender 5.0 to GLB";

impl Bench {
    pub(super) fn export_from_blender(&mut self) -> Result {
        let Some((blender, zips)) = blender::for_measuring()? else {
            println!("   skipped: there is no Blender 5.0");
            return Ok(());
        };
        let mut script = blender.script(Path::new("blender/tests/speed.py"));
        script.arg(&zips).arg(data::folder()).arg(self.rounds.to_string());
        blender::settings_of_its_own(&mut script, "speed")?;
        let text = output(&mut script)?;
        let rounds: Vec<Vec<f64>> = text
            .lines()
            .filter_map(|line| line.strip_prefix("round "))
            .map(|line| line.split_whitespace().filter_map(|word| word.parse().ok()).collect())
            .collect();
        if rounds.is_empty() || rounds.iter().any(|round| round.len() != 3) {
            return Err(format!("blender/tests/speed.py printed no times:\n{text}"));
        }
        let theirs = "Blender's glTF exporter";
        let pairs = |ours: usize| rounds.iter().map(|round| (round[ours], round[2])).collect();
        for (column, proof) in ["without the proof", "with the proof"].into_iter().enumerate() {
            self.page.faster(&format!("{WHAT}, {proof}"), theirs, Compared::of(pairs(column)), 5.0, 5.0);
        }
        Ok(())
    }
}
