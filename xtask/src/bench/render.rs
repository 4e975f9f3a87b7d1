//! The time to draw pictures, and the viewer's frame rate, with the available graphics driver.

use super::measure::whole;
use super::page::{Row, milliseconds, times};
use super::{Bench, data};
use crate::run::{Result, cargo, output, root};

impl Bench {
    /// A picture from a cold start, and many in one process.
    pub fn render(&mut self) -> Result {
        let model = root().join("examples/creature.glb").display().to_string();
        let picture = data::folder().join("creature.png").display().to_string();
        let render = |size: &str| {
            let arguments =
                ["render", &model, "-o", &picture, "--clip", "walk", "--at", "0.25", "--size", size, "-q"];
            whole(&mut self.tools.ligament(&arguments))
        };
        if let Err(error) = render("64x64") {
            println!("   skipped: {error}");
            return Ok(());
        }
        let cold = fastest(self.rounds, || render("640x640"))?;
        let small = fastest(self.rounds, || render("256x256"))?;
        let count = if self.quick { 50 } else { 1000 };
        let folder = data::folder().join("thumbnails").display().to_string();
        let mut batch =
            vec!["render", "--batch", "--out-dir", &folder, "--clip", "walk", "--at", "0.25", "-q"];
        batch.extend(std::iter::repeat_n(model.as_str(), count));
        let each = whole(&mut self.tools.ligament(&batch))? / count as f64;
        self.page.row(Row {
            what: "`ligament render creature.glb`, 640×640, whole process from a cold start".into(),
            ours: milliseconds(cold),
            baseline: "–".into(),
            ratio: "–".into(),
            goal: "≤ 1 s".into(),
            met: Some((cold <= 1.0, cold <= 1.0)),
        });
        self.page.row(Row {
            what: format!("`ligament render --batch` of {count} thumbnails of 256×256, per thumbnail"),
            ours: milliseconds(each),
            baseline: format!("{} (one process each)", milliseconds(small)),
            ratio: times(small / each),
            goal: "–".into(),
            met: None,
        });
        self.frames()
    }

    /// The viewer's pictures per second while a large model plays.
    fn frames(&mut self) -> Result {
        let arguments = ["run", "--release", "--locked", "-q", "-p", "ligament-view", "--example", "frames"];
        let mut most = 0.0_f64;
        for _ in 0..if self.quick { 1 } else { 3 } {
            let text = output(&mut cargo(&arguments))?;
            let rate = text.split_whitespace().next().and_then(|word| word.parse().ok());
            most = most.max(rate.ok_or_else(|| format!("no number in {text:?}"))?);
        }
        self.page.row(Row {
            what: "Viewer: 100,000 skinned vertices playing in a view of 1280×720 (coarser if necessary), pictures per second".into(),
            ours: format!("{most:.0}"),
            baseline: "–".into(),
            ratio: "–".into(),
            goal: "≥ 10 on lavapipe".into(),
            met: Some((most >= 10.0, most >= 10.0)),
        });
        Ok(())
    }
}

fn fastest(rounds: usize, mut run: impl FnMut() -> Result<f64>) -> Result<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        best = best.min(run()?);
    }
    Ok(best)
}
