//! Reading QMSH TMP, APG and AMO, compared with C programs with an `fscanf` loop, and instructions per byte.

use super::measure::{in_turns, printed, told, word_after};
use super::page::Row;
use super::{Bench, data, length};
use crate::run::Result;
use std::path::{Path, PathBuf};

/// A text format, and the skinned, animated model that is read.
struct Text {
    name: &'static str,
    extension: &'static str,
    dialect: &'static str,
    /// The C program.
    baseline: &'static str,
    /// Vertices, and keys per joint, for one megabyte: about half of the bytes each.
    vertices: usize,
    keys: usize,
}

const FORMATS: [Text; 4] = [
    Text {
        name: "QMSH TMP",
        extension: "qmsh.tmp",
        dialect: "v10",
        baseline: "qmsh_tmp_read",
        vertices: 2100,
        keys: 50,
    },
    Text { name: "APG", extension: "apg", dialect: "text", baseline: "apg_read", vertices: 760, keys: 90 },
    Text {
        name: "AMO (document)",
        extension: "amo",
        dialect: "document",
        baseline: "amo_read",
        vertices: 1500,
        keys: 7,
    },
    Text {
        name: "AMO (counted)",
        extension: "amo",
        dialect: "counted",
        baseline: "amo_counted_read",
        vertices: 1600,
        keys: 140,
    },
];

const MEGABYTES: usize = 20;

impl Bench {
    pub fn read_text(&mut self) -> Result {
        for format in &FORMATS {
            let file = self.text_model(format, MEGABYTES)?.display().to_string();
            self.same_sum(format, &file)?;
            let ours = || told(&mut self.tools.ours(&["read", &file, "--threads", "1"]));
            let baseline = || Ok(printed(&mut self.tools.baseline(format.baseline, &[&file]))?.0);
            let against = in_turns(self.rounds, ours, baseline)?;
            let megabytes = length(Path::new(&file))? / 1e6;
            let what = format!("Reading {megabytes:.0} MB of {}, all checks on, one core", format.name);
            self.page.faster(&what, "fscanf", against, 5.0, 7.0);
        }
        Ok(())
    }

    /// Checks that both read the same numbers; otherwise their times mean nothing.
    fn same_sum(&self, format: &Text, file: &str) -> Result {
        let ours = word_after(&mut self.tools.ours(&["sum", file]), "sum")?;
        let theirs = word_after(&mut self.tools.baseline(format.baseline, &[file]), "sum")?;
        if (ours - theirs).abs() > 1e-9 * ours.abs() {
            return Err(format!("{file}: the numbers sum to {ours} for us and {theirs} for the baseline"));
        }
        Ok(())
    }

    pub fn text_instructions(&mut self) -> Result {
        for format in &FORMATS {
            let (short, long) = (self.text_model(format, 1)?, self.text_model(format, 3)?);
            let each = self.instructions_a_byte(&short, &long)?;
            self.page.row(Row {
                what: format!("Reading {}: instructions per byte (callgrind)", format.name),
                ours: format!("{each:.1}"),
                baseline: "–".into(),
                ratio: "–".into(),
                goal: "≤ 25".into(),
                met: Some((each <= 25.0, each <= 25.0)),
            });
        }
        Ok(())
    }

    /// Vertices alone, in two sizes: finding equal corners must cost the same per corner, however many there are.
    pub fn corners(&mut self) -> Result {
        let [few, many] = [20_000, 160_000_usize].map(|vertices| {
            let name = format!("corners-{vertices}.amo");
            let file = self.model(&name, "document", vertices, 0)?;
            // Two triangles per vertex, except for the last ring.
            Ok::<_, String>((self.instructions(&file)?, (vertices / 64 - 1) as f64 * 64.0 * 6.0))
        });
        let ((few, few_corners), (many, many_corners)) = (few?, many?);
        let ratio = (many / many_corners) / (few / few_corners);
        self.page.row(Row {
            what: format!(
                "Reading AMO of {many_corners} corners rather than {few_corners}: instructions per corner (callgrind)"
            ),
            ours: format!("{:.0}", many / many_corners),
            baseline: format!("{:.0}", few / few_corners),
            ratio: format!("{ratio:.2}"),
            goal: "≤ 1.1 (linear)".into(),
            met: Some((ratio <= 1.1, ratio <= 1.1)),
        });
        Ok(())
    }

    fn text_model(&self, format: &Text, megabytes: usize) -> Result<PathBuf> {
        let name = format!("{}-{megabytes}.{}", format.dialect, format.extension);
        self.model(&name, format.dialect, format.vertices * megabytes, format.keys * megabytes)
    }

    /// The skinned model with about this many vertices and this many keys per joint.
    pub fn model(&self, name: &str, dialect: &str, vertices: usize, keys: usize) -> Result<PathBuf> {
        let path = data::folder().join(name);
        if !path.is_file() {
            let (file, vertices, keys) = (path.display().to_string(), vertices.to_string(), keys.to_string());
            crate::run::output(&mut self.tools.ours(&["make", &file, dialect, &vertices, &keys]))?;
        }
        Ok(path)
    }
}
