//! The page that the measurements end up on.

/// One measurement.
pub struct Row {
    pub what: String,
    pub ours: String,
    pub baseline: String,
    pub ratio: String,
    pub goal: String,
    /// Whether the least that is asked for was met, and whether the goal was; `None` if nothing is asked for.
    pub met: Option<(bool, bool)>,
}

/// All measurements.
pub struct Page {
    rows: Vec<Row>,
    /// How many programs wanted a core before we started.
    load: f64,
}

impl Default for Page {
    fn default() -> Self {
        let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let load = text.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0.0);
        Self { rows: Vec::new(), load }
    }
}

const INTRODUCTION: &str = "\
# Benchmarks

Written by `cargo xtask bench`, which builds everything, makes the inputs, runs each of our programs in turns with its baseline, and takes
the median of the ratios; the times shown are the shortest. Ratios say how many times as fast as the baseline we are (for memory: how many
times the larger of the input file and the scene's arrays, or what the row says). Processes are those of a program that was copied, as
`cargo install` does it. No test depends on a time.

The baselines are in [`benches/`](../benches): C programs that read PFOBJ with `fgets` and `sscanf`, print it with `snprintf`, and read the
other text formats with `fscanf` (`cc -O2`), the `gltf` and `tobj` crates, a plain `glam` loop, numpy, Debian's `assimp-utils`
and `blender`, and glTF-Transform (in `tools/gltf-transform`).
";

impl Page {
    pub fn row(&mut self, row: Row) {
        println!("   {}: {} against {}: {}", row.what, row.ours, row.baseline, row.ratio);
        self.rows.push(row);
    }

    pub fn markdown(&self) -> String {
        let mut text = format!("{INTRODUCTION}\n{}\n", machine(self.load));
        text += "| what | ours | baseline | ratio | asked for | |\n|---|--:|--:|--:|---|---|\n";
        for row in &self.rows {
            let verdict = match row.met {
                None => "",
                Some((true, true)) => "met",
                Some((true, false)) => "met, below the goal",
                Some((false, _)) => "**not met**",
            };
            text += &format!(
                "| {} | {} | {} | {} | {} | {verdict} |\n",
                row.what, row.ours, row.baseline, row.ratio, row.goal
            );
        }
        text
    }
}

/// What it was measured on, without anything that names the machine.
fn machine(load: f64) -> String {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or("unknown processor", |(_, name)| name.trim());
    let busy = if load > 0.5 {
        format!(
            " The machine was busy with other things (load {load:.1} at the start), so that what needs two cores is not \
             to be trusted and times are long."
        )
    } else {
        String::new()
    };
    format!("Measured on {cores} cores of an {model} under {}.{busy}\n", std::env::consts::OS)
}

pub fn milliseconds(seconds: f64) -> String {
    let ms = seconds * 1000.0;
    match ms {
        ms if ms >= 100.0 => format!("{ms:.0} ms"),
        ms if ms >= 1.0 => format!("{ms:.2} ms"),
        ms => format!("{ms:.3} ms"),
    }
}

pub fn times(ratio: f64) -> String {
    if ratio >= 10.0 { format!("{ratio:.1}×") } else { format!("{ratio:.2}×") }
}
