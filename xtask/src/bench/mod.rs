//! `cargo xtask bench`: measures speed and memory, and writes `docs/benchmarks.md`.

mod batch;
mod blender;
mod bogle;
mod capture;
mod collada;
mod data;
mod exports;
mod fbx;
mod measure;
mod memory;
mod obj;
mod page;
mod proof;
mod python;
mod render;
mod start;
mod text;
mod tools;
mod web;

use crate::run::{Result, Steps, command, output, root};
use measure::{Compared, in_turns, printed, told, whole};
use page::{Page, Row, milliseconds, times};
use std::path::Path;
use tools::Tools;

type Part = (&'static str, fn(&mut Bench) -> Result);

/// The measurements, in order.
const PARTS: [Part; 22] = [
    ("reading PFOBJ", Bench::read_pfobj),
    ("instructions per byte", Bench::pfobj_instructions),
    ("writing PFOBJ", Bench::write_pfobj),
    ("reading QMSH TMP, APG and AMO", Bench::read_text),
    ("instructions per byte of QMSH TMP, APG and AMO", Bench::text_instructions),
    ("corners of AMO", Bench::corners),
    ("reading OBJ", Bench::read_obj),
    ("reading BOGLE", Bench::read_bogle),
    ("reading GLB", Bench::read_glb),
    ("reading FBX", Bench::read_fbx),
    ("loading in Python", Bench::load_python),
    ("converting as a process", Bench::convert),
    ("converting COLLADA as a process", Bench::convert_collada),
    ("what the proof costs", Bench::proof),
    ("what exports cost", Bench::exports),
    ("starting the process", Bench::start),
    ("many files in one process", Bench::batch),
    ("skinning", Bench::skin),
    ("pictures", Bench::render),
    ("exporting from Blender", Bench::export_from_blender),
    ("the page and the package", Bench::web),
    ("peak memory", Bench::memory),
];

/// What to measure.
#[derive(Clone, Copy, PartialEq)]
pub enum What<'a> {
    /// Everything, for the page.
    All,
    /// Everything with smaller inputs and fewer rounds.
    Quick,
    /// The parts whose names contain this text.
    Only(&'a str),
}

/// Measures, and writes the page if everything was measured.
pub fn bench(what: What) -> Result {
    let wanted = |name: &str| if let What::Only(text) = what { name.contains(text) } else { true };
    let parts: Vec<_> = PARTS.iter().filter(|(name, _)| wanted(name)).collect();
    if parts.is_empty() {
        let names: Vec<_> = PARTS.iter().map(|(name, _)| *name).collect();
        return Err(format!(
            "no measurement has that in its name; expected part of one of:\n  {}",
            names.join("\n  ")
        ));
    }
    let quick = what == What::Quick;
    // Before the builds, which would count as other load.
    let page = Page::default();
    let mut steps = Steps::default();
    let mut tools = None;
    steps.step("builds and tools", || {
        tools = Some(Tools::build()?);
        Ok(())
    })?;
    let tools = tools.ok_or("the tools were not built")?;
    let mut bench = Bench { tools, page, rounds: if quick { 3 } else { 7 }, quick };
    for (name, measure) in parts {
        steps.step(name, || measure(&mut bench))?;
    }
    steps.summary();
    let text = bench.page.markdown();
    println!("\n{text}");
    if what != What::All {
        println!("docs/benchmarks.md was not changed; measure everything to update it.");
        return Ok(());
    }
    let path = root().join("docs/benchmarks.md");
    std::fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

struct Bench {
    tools: Tools,
    page: Page,
    rounds: usize,
    quick: bool,
}

impl Bench {
    fn large(&self) -> usize {
        if self.quick { 20 } else { 200 }
    }

    fn read_pfobj(&mut self) -> Result {
        let file = data::still(self.large())?;
        let file = file.display().to_string();
        let read =
            |what: &str, threads: &str| told(&mut self.tools.ours(&[what, &file, "--threads", threads]));
        let baseline = || Ok(printed(&mut self.tools.baseline("pfobj_read", &[&file]))?.0);
        let against = in_turns(self.rounds, || read("read", "1"), baseline)?;
        let threads = in_turns(self.rounds, || read("read", "2"), || read("read", "1"))?;
        let scene = in_turns(self.rounds, || read("read-scene", "1"), baseline)?;
        output(&mut self.tools.ours(&["same", &file]))?;
        let size = format!("{} MB of PFOBJ", self.large());
        self.page.faster(
            &format!("Reading {size}, all checks on, one core"),
            "fgets + sscanf",
            against,
            5.0,
            9.0,
        );
        self.page.faster("The same on two cores, with identical results", "one core", threads, 1.4, 1.4);
        self.page.plain(&format!("Reading {size} up to the scene, one core"), "fgets + sscanf", scene);
        let file = data::animated(20)?.display().to_string();
        let read = || told(&mut self.tools.ours(&["read", &file, "--threads", "1"]));
        let baseline = || Ok(printed(&mut self.tools.baseline("pfobj_read", &[&file]))?.0);
        let against = in_turns(self.rounds, read, baseline)?;
        self.page.faster("Reading 20 MB of animated PFOBJ, one core", "fgets + sscanf", against, 5.0, 9.0);
        Ok(())
    }

    fn pfobj_instructions(&mut self) -> Result {
        for (what, short, long) in [
            ("static", data::still(1)?, data::still(3)?),
            ("animated", data::animated(1)?, data::animated(3)?),
        ] {
            let each = self.instructions_a_byte(&short, &long)?;
            self.page.row(Row {
                what: format!("Reading {what} PFOBJ: instructions per byte (callgrind)"),
                ours: format!("{each:.1}"),
                baseline: "–".into(),
                ratio: "–".into(),
                goal: "≤ 20, goal 12".into(),
                met: Some((each <= 20.0, each <= 12.0)),
            });
        }
        Ok(())
    }

    /// Measured on two lengths of the same kind of file, so that the fixed cost of a process cancels out.
    fn instructions_a_byte(&self, short: &Path, long: &Path) -> Result<f64> {
        let bytes = length(long)? - length(short)?;
        Ok((self.instructions(long)? - self.instructions(short)?) / bytes)
    }

    /// The instructions of a process that reads a file.
    fn instructions(&self, file: &Path) -> Result<f64> {
        let out = data::folder().join("callgrind.out");
        let mut valgrind = command("valgrind", &["--tool=callgrind", "--log-fd=1"]);
        valgrind.arg(format!("--callgrind-out-file={}", out.display()));
        valgrind.arg(&self.tools.bench_tool).arg("read").arg(file).args(["--threads", "1"]);
        let text = output(&mut valgrind)?;
        let count = text.lines().find_map(|line| line.split("Collected :").nth(1)?.trim().parse().ok());
        count.ok_or_else(|| "callgrind did not print the number of instructions".into())
    }

    /// Both print the same vertices into memory; our text must equal the baseline's byte for byte.
    fn write_pfobj(&mut self) -> Result {
        const MEGABYTES: usize = 20;
        let floats = data::floats(MEGABYTES)?.display().to_string();
        let snprintf = || printed(&mut self.tools.baseline("pfobj_write", &[&floats, "3"]));
        let file = data::around(&snprintf()?.1, MEGABYTES)?.display().to_string();
        let out = data::folder().join("written.pfobj").display().to_string();
        let ours = || told(&mut self.tools.ours(&["write-pfobj", &file, &out, "3"]));
        let against = in_turns(self.rounds, ours, || Ok(snprintf()?.0))?;
        let same = output(&mut command("cmp", &[&file, &out]));
        same.map_err(|error| format!("our bytes differ from the baseline's: {error}"))?;
        let what = format!("Writing {MEGABYTES} MB of PFOBJ, byte-identical");
        self.page.faster(&what, "snprintf(\"%.6f\")", against, 12.0, 12.0);
        Ok(())
    }

    fn read_glb(&mut self) -> Result {
        for file in tools::glb_files() {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let file = file.display().to_string();
            let read = |what: &str| told(&mut self.tools.ours(&[what, &file, "50"]));
            let against = in_turns(self.rounds, || read("read-glb"), || read("read-gltf-crate"))?;
            self.page.faster(
                &format!("Reading {name} up to the scene"),
                "`gltf` crate, buffers loaded",
                against,
                1.0,
                1.0,
            );
        }
        Ok(())
    }

    fn convert(&mut self) -> Result {
        if !self.tools.assimp {
            println!("   skipped: assimp is missing");
            return Ok(());
        }
        let file = tools::glb_files().into_iter().next().ok_or("there is no GLB file")?;
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let file = file.display().to_string();
        let out = data::folder().join("converted.glb").display().to_string();
        let theirs = data::folder().join("assimp.glb").display().to_string();
        let assimp = || whole(&mut command("assimp", &["export", &file, &theirs, "-fglb2"]));
        let rounds = self.rounds * 15;
        for (options, what) in [(&["--no-verify"][..], "without the proof"), (&[], "with the proof")] {
            let ours = || whole(self.tools.ligament(&["convert", &file, &out, "--reencode"]).args(options));
            let against = in_turns(rounds, ours, assimp)?;
            let what = format!("`ligament convert {name}` to GLB, {what}, whole process");
            self.page.faster(&what, "`assimp export`", against, 2.0, 2.0);
        }
        Ok(())
    }

    fn skin(&mut self) -> Result {
        let ours = || told(&mut self.tools.ours(&["skin-ours", "50"]));
        let what = "Skinning 100k vertices with 4 influences each";
        let glam = in_turns(self.rounds, ours, || told(&mut self.tools.ours(&["skin-glam", "50"])))?;
        let four = in_turns(self.rounds, ours, || told(&mut self.tools.ours(&["skin-glam-four", "50"])))?;
        let numpy = match &self.tools.python {
            Some(python) => Some(in_turns(self.rounds, ours, || {
                told(command(python, &["benches/baseline/skin.py", "5"]).env("OMP_NUM_THREADS", "1"))
            })?),
            None => None,
        };
        if let Some(numpy) = numpy {
            self.page.faster(what, "numpy einsum", numpy, 15.0, 15.0);
        }
        // Compared with a plain loop there is no minimum, only a goal.
        self.page.faster(what, "plain glam `Mat4` loop over the same influences", glam, 0.0, 1.5);
        self.page.plain(
            what,
            "plain glam `Mat4` loop over arrays of exactly four normalised influences",
            four,
        );
        Ok(())
    }
}

fn length(path: &Path) -> Result<f64> {
    let file = std::fs::metadata(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    Ok(file.len() as f64)
}

impl Page {
    /// Adds a row about speed relative to the baseline: at least `floor`, ideally `goal`.
    fn faster(&mut self, what: &str, baseline: &str, compared: Compared, floor: f64, goal: f64) {
        let met = (compared.ratio >= floor, compared.ratio >= goal);
        let wanted = match (floor, goal) {
            (floor, goal) if floor == goal => format!("≥ {floor}"),
            (0.0, goal) => format!("goal {goal}"),
            (floor, goal) => format!("≥ {floor}, goal {goal}"),
        };
        self.compared(what, baseline, compared, &wanted, Some(met));
    }

    /// Adds a row without a goal.
    fn plain(&mut self, what: &str, baseline: &str, compared: Compared) {
        self.compared(what, baseline, compared, "–", None);
    }

    fn compared(
        &mut self,
        what: &str,
        name: &str,
        compared: Compared,
        goal: &str,
        met: Option<(bool, bool)>,
    ) {
        self.row(Row {
            what: what.into(),
            ours: milliseconds(compared.ours),
            baseline: format!("{} ({name})", milliseconds(compared.baseline)),
            ratio: times(compared.ratio),
            goal: goal.into(),
            met,
        });
    }
}
