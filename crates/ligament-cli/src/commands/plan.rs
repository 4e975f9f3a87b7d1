//! `ligament convert --explain-plan`: what a conversion does, in order, without doing it.

use super::resolve::Request;
use crate::batch;
use crate::console::Console;
use crate::exit::Exit;
use crate::input::is_stream;
use crate::render::style;
use crate::render::table::Table;
use ligament::convert::{ConvertOptions, Step, plan, target};
use ligament::formats::{Format, by_extension, by_id};
use ligament::{Failure, Report};
use serde_json::json;
use std::path::Path;

/// Prints the plan, once per output format.
pub fn run(request: &Request, options: &[ConvertOptions], is_json: bool, console: &mut Console) -> Exit {
    let (input, output) = match request {
        Request::One(input, output) => (Some(input.as_path()).filter(|path| !is_stream(path)), Some(output)),
        Request::Many(..) => (None, None),
    };
    let mut plans = Vec::new();
    for options in options {
        let mut report = Report::default();
        let no_name = Path::new("").to_owned();
        let target = match target(output.unwrap_or(&no_name), options, &mut report) {
            Ok(target) => target,
            Err(Failure::Usage) | Err(_) => {
                let message = report.diagnostics().first().map(|first| first.message.clone());
                return batch::complain(Exit::Usage, message.unwrap_or_default(), console);
            }
        };
        let from = options.read.format.as_deref().and_then(by_id).or_else(|| input.and_then(by_extension));
        plans.push((from, target.format, plan(options, from, target)));
    }
    if is_json {
        let one = |(from, to, steps): &(Option<&'static Format>, &'static Format, Vec<Step>)| {
            let steps: Vec<_> = steps.iter().map(Step::to_json).collect();
            json!({ "from": from.map(|from| from.id), "to": to.id, "steps": steps })
        };
        console.json(&json!({ "plans": plans.iter().map(one).collect::<Vec<_>>() }));
    } else {
        let texts: Vec<_> = plans.iter().map(|(.., steps)| text(steps)).collect();
        console.out(&texts.join("\n"));
    }
    Exit::Done
}

fn text(steps: &[Step]) -> String {
    let mut table = Table::new(&["", "step", "does"]);
    for (index, step) in steps.iter().enumerate() {
        let name = match ligament::settings::find(step.name).filter(|_| step.kind == "operation") {
            Some(setting) => format!("--{}", setting.long()),
            None => step.name.to_owned(),
        };
        table.row([(index + 1).to_string(), name, style::safe(&step.does)]);
    }
    table.render()
}
