//! `ligament compare`: two models posed side by side.

use super::{Loaded, extend, load, new_report, outcome};
use crate::args::CompareArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::input::{Input, is_stream};
use crate::progress::Progress;
use crate::render::{markdown, report, style};
use ligament::compare::{
    ClipMatch, ClipPair, CompareOptions, Comparison, Deviation, Model, Pairing, compare,
};
use ligament::formats::ReadOptions;
use ligament::{Failure, Report};
use serde_json::{Value, json};
use std::path::Path;

pub fn run(args: &CompareArgs, console: &mut Console) -> Exit {
    if is_stream(&args.first) && is_stream(&args.second) {
        console.err(&format!(
            "{}: only one of the two models can come from standard input\n",
            style::error("error")
        ));
        return Exit::Usage;
    }
    let first = args.settings.read_options(args.from_a.clone());
    let second = args.settings.read_options(args.from_b.clone());
    let read = Side::read(&args.first, &first, console).and_then(|first| {
        let second = Side::read(&args.second, &second, console)?;
        Ok((first, second))
    });
    let (first, second) = match read {
        Ok(sides) => sides,
        Err(failure) => return failure.into(),
    };
    let comparison = {
        let _progress = Progress::start("comparing".to_owned(), false);
        compare(first.model(), second.model(), &CompareOptions::default())
    };
    let exit = match args.max_error {
        Some(allowed) if !comparison.is_within(allowed) => Exit::Check,
        _ => Exit::Done,
    };
    if args.json {
        let mut object = outcome(exit);
        extend(&mut object, json!({ "first": first.to_json(), "second": second.to_json() }));
        extend(&mut object, json!({ "max_error": args.max_error, "comparison": comparison.to_json() }));
        console.json(&object);
    } else if args.markdown {
        console.out(&markdown::comparison(&first.name, &second.name, &comparison));
    } else {
        console.out(&text(&first, &second, &comparison));
    }
    if exit == Exit::Check {
        let worst = comparison.worst.as_ref().map_or("unknown".to_owned(), |w| style::percent(w.relative));
        let allowed = style::percent(args.max_error.unwrap_or(0.0));
        let why = [comparison.doubt(), comparison.gap()].into_iter().flatten();
        let why: String = why.map(|why| format!("; {why}")).collect();
        console.err(&format!(
            "{}: the worst deviation is {worst} of the model's size; --max-error allows {allowed}{why}\n",
            style::error("error")
        ));
    }
    exit
}

/// One of the two models.
struct Side {
    name: String,
    format: &'static ligament::formats::Format,
    scene: ligament::Scene,
    own: Option<ligament::pose::OwnMotion>,
    report: Report,
}

impl Side {
    /// Reads a model, or reports why it cannot be read.
    fn read(path: &Path, options: &ReadOptions, console: &mut Console) -> Result<Self, Failure> {
        let mut report = new_report(options);
        let input = Input::new(path);
        match load(&input, options, &mut report) {
            Ok(Loaded { format, scene, own, .. }) => {
                Ok(Self { name: input.name().to_owned(), format, scene, own, report })
            }
            Err(failure) => {
                console.err(&report::failure(&report, &input));
                Err(failure)
            }
        }
    }

    /// The file as it moves by its own rules.
    fn model(&self) -> Model<'_> {
        Model { scene: &self.scene, own: self.own.as_ref() }
    }

    fn line(&self) -> String {
        let mut parts =
            vec![style::safe(&self.name), self.format.name.to_owned(), self.scene.counts().to_string()];
        let tally = self.report.tally();
        if !tally.is_empty() {
            parts.push(tally);
        }
        parts.join("   ")
    }

    fn to_json(&self) -> Value {
        let mut object = json!({ "file": self.name, "format": self.format.id });
        extend(&mut object, self.report.to_json());
        object
    }
}

/// The mean as a part of the size, and what it is the mean of.
fn mean(comparison: &Comparison) -> String {
    let mean = match mean_fraction(comparison) {
        0.0 => "0".to_owned(),
        mean => style::deviation(mean, &style::percent(mean)),
    };
    if comparison.mean_points == comparison.points {
        return mean;
    }
    format!("{mean} (of a sample: {} per pose)", style::counted(comparison.mean_points, "vertex", "vertices"))
}

fn mean_fraction(comparison: &Comparison) -> f64 {
    if comparison.size > 0.0 { comparison.mean / comparison.size } else { 0.0 }
}

/// Models whose vertices are farther apart than this on average are hardly the same.
const UNRELATED: f64 = 0.05;

fn text(first: &Side, second: &Side, comparison: &Comparison) -> String {
    let mut rows = vec![
        ("first", first.line()),
        ("second", second.line()),
        ("size", format!("{} (diagonal of the first)", style::short(comparison.size))),
    ];
    match &comparison.worst {
        Some(worst) => rows.push(("worst", deviation(worst, comparison.pairing))),
        None => rows.push(("worst", "nothing to compare".to_owned())),
    }
    if let Some(at_keys) = comparison.worst_at_keys.as_ref().filter(|k| Some(*k) != comparison.worst.as_ref())
    {
        rows.push(("at keys", deviation(at_keys, comparison.pairing)));
    }
    rows.push(("mean", mean(comparison)));
    rows.push(("compared", compared(comparison)));
    if let Some(doubt) = comparison.doubt() {
        rows.push(("doubtful", doubt));
    }
    if let Some(gap) = comparison.gap() {
        rows.push(("left out", gap));
    }
    rows.extend(comparison.clips.iter().filter_map(|pair| Some(("clip", matched(pair)?))));
    let mut out = String::new();
    for (label, value) in rows {
        out += &format!("{}  {value}\n", style::bold(&format!("{label:<8}")));
    }
    if mean_fraction(comparison) > UNRELATED {
        out += &style::warning("these do not look like the same model in the same pose");
        out += "; is one of them rotated, scaled or in other units?\n";
    }
    // Values that only programs know: each format has some of its own.
    let (extras, differences): (Vec<_>, Vec<_>) =
        comparison.differences.iter().partition(|difference| difference.feature == "extras");
    if differences.is_empty() {
        let besides = if extras.is_empty() { "" } else { " but key-value data (--json lists it)" };
        return out + &format!("no other differences{besides}\n");
    }
    out += &format!("{}\n", style::bold("differs"));
    for difference in differences {
        out += &format!(
            "  {}: {} → {}\n",
            style::safe(&difference.feature),
            style::safe(&difference.first),
            style::safe(&difference.second)
        );
    }
    out
}

/// `1098 vertices in 240 poses, paired in order`, and the number of skipped poses.
fn compared(comparison: &Comparison) -> String {
    let (one, many) = match comparison.pairing {
        Some(Pairing::Joints) => ("joint", "joints"),
        _ => ("vertex", "vertices"),
    };
    let mut text = format!(
        "{} in {}",
        style::counted(comparison.points, one, many),
        style::counted(comparison.poses, "pose", "poses")
    );
    text += match comparison.pairing {
        Some(Pairing::InOrder) => ", paired in order",
        Some(Pairing::Nearest) => ", paired by place because the order differs",
        Some(Pairing::Joints) => ", paired by name",
        None => "",
    };
    if comparison.skipped > 0 {
        let skipped = style::counted(comparison.skipped, "pose", "poses");
        text += &format!("; {skipped} skipped to stay within the limit");
    }
    text
}

/// How two clips of different names were matched.
fn matched(pair: &ClipPair) -> Option<String> {
    let reason = match pair.by {
        ClipMatch::Name => return None,
        ClipMatch::LastPart => "the part of the name after |",
        ClipMatch::Duration => "duration",
        ClipMatch::Order => "order: neither name nor duration says which belong together",
    };
    Some(format!(
        "{} compared with {}, matched by {reason}",
        style::name(&pair.first),
        style::name(&pair.second)
    ))
}

/// `0.00001 %   clip "walk" at 0.42 s, joint "arm", mesh "body" vertex 12`.
pub(super) fn deviation(deviation: &Deviation, pairing: Option<Pairing>) -> String {
    if deviation.distance == 0.0 {
        return "0".to_owned();
    }
    let mut place = match &deviation.clip {
        Some(clip) => format!("clip {} at {:.3} s", style::name(clip), deviation.time),
        None => "at rest".to_owned(),
    };
    if let Some(joint) = &deviation.joint {
        place += &format!(", joint {}", style::name(joint));
    }
    if pairing != Some(Pairing::Joints) {
        place += &format!(", mesh {} vertex {}", style::name(&deviation.mesh), deviation.vertex);
    }
    format!("{}   {place}", style::deviation(deviation.relative, &style::percent(deviation.relative)))
}
