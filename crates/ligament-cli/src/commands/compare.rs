//! `ligament compare`: two models posed side by side.

use super::exhibit::{self, HtmlReport};
use super::{Loaded, extend, load, new_report, outcome};
use crate::args::CompareArgs;
use crate::batch::{self, own_files};
use crate::console::Console;
use crate::exit::Exit;
use crate::input::{Input, is_stream};
use crate::progress::Progress;
use crate::render::html::{self, Page};
use crate::render::place::place;
use crate::render::{markdown, report, style};
use ligament::compare::{
    ClipMatch, ClipPair, CompareOptions, Comparison, Deviation, Model, Pairing, compare,
};
use ligament::convert::Imported;
use ligament::formats::ReadOptions;
use ligament::io::Folder;
use ligament::{Failure, Report};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

pub fn run(args: &CompareArgs, console: &mut Console) -> Exit {
    if is_stream(&args.first) && is_stream(&args.second) {
        console.err(&format!(
            "{}: only one of the two models can come from standard input\n",
            style::error("error")
        ));
        return Exit::Usage;
    }
    let inputs = [Input::new(&args.first), Input::new(&args.second)];
    let html = match html_report(args, &inputs[0], console) {
        Ok(html) => html,
        Err(exit) => return exit,
    };
    let first = args.settings.read_options(args.from_a.clone());
    let second = args.settings.read_options(args.from_b.clone());
    let read = Side::read(&inputs[0], &first, console).and_then(|first| {
        let second = Side::read(&inputs[1], &second, console)?;
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
    let mut exit = match args.max_error {
        Some(allowed) if !comparison.is_within(allowed) => Exit::Check,
        _ => Exit::Done,
    };
    let failed = (exit == Exit::Check).then(|| too_far(args, &comparison));
    if let Some(html) = html
        && let Err(failure) = write_html(html, [&first, &second], &comparison, failed.clone(), console)
    {
        exit = exit.max(failure.into());
    }
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
    if let Some(failed) = failed {
        console.err(&format!("{}: {failed}\n", style::error("error")));
    }
    exit
}

/// Says that the models are farther apart than --max-error allows.
fn too_far(args: &CompareArgs, comparison: &Comparison) -> String {
    let worst = comparison.worst.as_ref().map_or("unknown".to_owned(), |w| style::percent(w.relative));
    let allowed = style::percent(args.max_error.unwrap_or(0.0));
    let why = [comparison.grown(), comparison.doubt(), comparison.gap()].into_iter().flatten();
    let why: String = why.map(|why| format!("; {why}")).collect();
    format!("the worst deviation is {worst} of the model's size; --max-error allows {allowed}{why}")
}

/// The HTML report, if one is asked for.
fn html_report(args: &CompareArgs, first: &Input, console: &mut Console) -> Result<Option<HtmlReport>, Exit> {
    let Some(path) = &args.html else { return Ok(None) };
    exhibit::prepare();
    let models = [("the model", &*args.first), ("the model", &*args.second)];
    if let Err(message) = own_files::check(&[("--html", Some(path))], models.into_iter()) {
        return Err(batch::complain(Exit::Usage, message, console));
    }
    let mut report = Report::default();
    HtmlReport::open(path, &mut report).map(Some).map_err(|failure| {
        console.err(&report::failure(&report, first));
        failure.into()
    })
}

fn write_html(
    html: HtmlReport,
    [first, second]: [&Side<'_>; 2],
    comparison: &Comparison,
    failed: Option<String>,
    console: &mut Console,
) -> Result<(), Failure> {
    let _progress = Progress::start("drawing the report".to_owned(), false);
    let models = [(first.model(), first.folder()), (second.model(), second.folder())];
    let shown = exhibit::shown(models, comparison);
    let page = Page {
        kind: "Comparison",
        names: [&first.name, &second.name],
        formats: Some([first, second].map(|side| side.imported.format.name.to_owned())),
        failed,
        comparison: Some(comparison),
        shown: Some(&shown),
        reports: [first, second]
            .map(|side| (format!("Found in {}", html::file_name(&side.name)), &side.report))
            .into(),
    };
    let mut report = Report::default();
    html.write(&page, &mut report)
        .inspect_err(|_| console.err(&report::failure(&report, &Input::new(Path::new(&first.name)))))
}

/// One of the two models.
struct Side<'a> {
    name: String,
    imported: Imported,
    folder: Arc<dyn Folder + Send + Sync + 'a>,
    report: Report,
}

impl<'a> Side<'a> {
    /// Reads a model, or reports why it cannot be read.
    fn read(input: &'a Input, options: &ReadOptions, console: &mut Console) -> Result<Self, Failure> {
        let mut report = new_report(options);
        match load(input, options, &mut report) {
            Ok(Loaded { imported, folder, .. }) => {
                Ok(Self { name: input.name().to_owned(), imported, folder, report })
            }
            Err(failure) => {
                console.err(&report::failure(&report, input));
                Err(failure)
            }
        }
    }

    /// The file as it moves by its own rules.
    fn model(&self) -> Model<'_> {
        self.imported.model()
    }

    fn folder(&self) -> &dyn Folder {
        &*self.folder
    }

    fn line(&self) -> String {
        let mut parts = vec![
            style::safe(&self.name),
            self.imported.format.name.to_owned(),
            self.imported.scene.counts().to_string(),
        ];
        let tally = self.report.tally();
        if !tally.is_empty() {
            parts.push(tally);
        }
        parts.join("   ")
    }

    fn to_json(&self) -> Value {
        let mut object = json!({ "file": self.name, "format": self.imported.format.id });
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

fn text(first: &Side<'_>, second: &Side<'_>, comparison: &Comparison) -> String {
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
    if let Some(grown) = comparison.grown() {
        rows.push(("growth", grown));
    }
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
    let place = place(deviation, pairing);
    format!("{}   {place}", style::deviation(deviation.relative, &style::percent(deviation.relative)))
}
