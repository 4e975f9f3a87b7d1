//! The peak memory of conversions, relative to the larger of input and scene; for OBJ relative to the OBJ file.

use super::measure::word_after;
use super::page::Row;
use super::{Bench, data, length};
use crate::run::{Result, command};
use std::path::Path;

/// Extension, dialect, vertices of the model, and keys per joint.
const FORMATS: [(&str, &str, usize, usize); 7] = [
    // In a smaller model, the program itself would dominate the measurement.
    ("bgl", "document", 450_000, 4_500),
    ("qmsh.tmp", "v10", 300_000, 4_500),
    // Indices have 16 bits, so most of the model is keys.
    ("qmsh", "qmsh22", 30_000, 40_000),
    ("apg", "text", 180_000, 12_000),
    ("apg", "binary", 150_000, 20_000),
    ("amo", "document", 250_000, 600),
    ("amo", "counted", 250_000, 12_000),
];

impl Bench {
    pub fn memory(&mut self) -> Result {
        let again = data::folder().join("again.pfobj");
        for input in [data::still(self.large())?, data::animated(self.large())?] {
            let glb = input.with_extension("glb");
            self.peak(&input, &glb, &[])?;
            self.peak(&glb, &again, &[])?;
        }
        let sheet = data::obj(self.large() / 2)?;
        let glb = sheet.with_extension("glb");
        let again = data::folder().join("again.obj");
        for (input, out) in [(&sheet, &glb), (&glb, &again)] {
            let peak = self.peak_bytes(input, out, &[])?;
            self.memory_row(input, out, peak, length(&sheet)?, "the OBJ file");
        }
        for (extension, dialect, vertices, keys) in FORMATS {
            let smaller = if self.quick { 4 } else { 1 };
            let name = format!("{dialect}-memory{smaller}.{extension}");
            let input = self.model(&name, dialect, vertices / smaller, keys / smaller)?;
            let glb = data::folder().join(format!("{name}.glb"));
            self.peak(&input, &glb, &[])?;
            self.peak(&glb, &data::folder().join(format!("again-{name}")), &["--dialect", dialect])?;
        }
        Ok(())
    }

    fn peak(&mut self, input: &Path, out: &Path, options: &[&str]) -> Result {
        let peak = self.peak_bytes(input, out, options)?;
        let input_name = input.display().to_string();
        let scene = word_after(&mut self.tools.ours(&["scene-size", &input_name]), "bytes")?;
        self.memory_row(input, out, peak, scene.max(length(input)?), "larger of file and scene");
        Ok(())
    }

    fn peak_bytes(&self, input: &Path, out: &Path, options: &[&str]) -> Result<f64> {
        let (from, to) = (input.display().to_string(), out.display().to_string());
        let mut time = command("/usr/bin/time", &["-f", "peak %M", "-o", "/dev/stdout"]);
        time.arg(&self.tools.ligament).args(["convert", &from, &to, "--no-verify"]).args(options);
        Ok(word_after(&mut time, "peak")? * 1024.0)
    }

    fn memory_row(&mut self, input: &Path, out: &Path, peak: f64, allowed: f64, by: &str) {
        let ratio = peak / allowed;
        let file_name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.page.row(Row {
            what: format!("Peak memory of `convert --no-verify` {} → {}", file_name(input), file_name(out)),
            ours: format!("{:.0} MB", peak / 1e6),
            baseline: format!("{:.0} MB ({by})", allowed / 1e6),
            ratio: format!("{ratio:.2}"),
            goal: "≤ 1.5".into(),
            met: Some((ratio <= 1.5, ratio <= 1.5)),
        });
    }
}
