//! The Python module's `load`, compared with the Rust reader inside it.

use super::Bench;
use super::measure::{Compared, in_turns, told};
use super::page::{Row, milliseconds, times};
use super::{data, tools};
use crate::python;
use crate::run::{Result, output};
use std::path::PathBuf;
use std::process::Command;

impl Bench {
    pub fn load_python(&mut self) -> Result {
        let Some(python) = python::environment()? else { return Ok(()) };
        python.install(&python.wheel("dist")?)?;
        for (file, what, runs) in self.models()? {
            let file = file.display().to_string();
            let load = |arguments: &[&str]| {
                let arguments = [&["benches/baseline/load.py", &file, runs], arguments].concat();
                told(keeping_memory(&mut python.run(&arguments)))
            };
            let rust = || told(keeping_memory(&mut self.tools.ours(&["read-glb", &file, runs])));
            let against = in_turns(self.rounds, || load(&[]), rust)?;
            let looked_at = in_turns(self.rounds, || load(&["look"]), rust)?;
            let met = against.ratio >= 1.0 / 1.1;
            let row = |what: String, found: &Compared| Row {
                what,
                ours: milliseconds(found.ours),
                baseline: format!("{} (the same in Rust)", milliseconds(found.baseline)),
                ratio: times(found.ratio),
                goal: "–".into(),
                met: None,
            };
            let asked = Row {
                goal: "≥ 0.91×".into(),
                met: Some((met, met)),
                ..row(format!("`ligament.load` of {what} in Python"), &against)
            };
            self.page.row(asked);
            self.page
                .row(row(format!("`ligament.load` of {what} in Python, making all objects"), &looked_at));
        }
        Ok(())
    }

    /// A binary and a text model, each with its description and number of runs.
    fn models(&self) -> Result<Vec<(PathBuf, String, &'static str)>> {
        let glb = data::folder().join("python.glb");
        let name = glb.display().to_string();
        output(&mut self.tools.ours(&["make", &name, "-", "100000", "250"]))?;
        let mut models = vec![(glb, "a GLB of 100k vertices, 40 joints and 250 frames".to_owned(), "200")];
        models.push((data::animated(20)?, "20 MB of animated PFOBJ".to_owned(), "20"));
        // Small files, which show the fixed cost of Python.
        let small = tools::glb_files().into_iter().next();
        models.extend(small.map(|file| {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            (file, name, "1000")
        }));
        Ok(models)
    }
}

/// Makes both programs keep freed memory. Whether it returns to the system depends on what happens to be at the end of the
/// heap, and fetching it again page by page takes longer than all the reading.
fn keeping_memory(command: &mut Command) -> &mut Command {
    command.env("MALLOC_MMAP_THRESHOLD_", "33554432").env("MALLOC_TRIM_THRESHOLD_", "1000000000")
}
