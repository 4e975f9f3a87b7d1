//! `ligament convert`, and the parts that `ligament pose` shares.

use super::exhibit::{self, HtmlReport};
use super::{complain, extend, new_report, outcome, plan, resolve};
use crate::args::{ConvertArgs, RunArgs, TellArgs};
use crate::batch::tracked::{self, Beside, Remember};
use crate::batch::{self, depfile, own_files};
use crate::console::Console;
use crate::exit::Exit;
use crate::fence::fenced;
use crate::input::{Input, is_stream};
use crate::interrupt;
use crate::progress::Progress;
use crate::render::html::Page;
use crate::render::{markdown, report, style};
use ligament::convert::{self, Conversion, ConvertOptions, Proven, convert_to, target};
use ligament::formats::by_id;
use ligament::internal::{cannot_write, create_with_folders};
use ligament::io::{FileOutput, Output, StreamOutput, codes};
use ligament::{Failure, Report};
use serde_json::{Value, json};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The largest number of side files that are named; the rest is only counted.
const MOST_NAMED: usize = 8;

/// The name of standard output in messages.
const STDOUT: &str = "<stdout>";

pub fn run(args: &ConvertArgs, console: &mut Console) -> Exit {
    let mut options = args.options.options();
    options.iter_mut().for_each(|options| args.tell.replacing.apply(options));
    match resolve::request(args, &options) {
        Ok(request) if args.explain_plan => plan::run(&request, &options, args.tell.json, console),
        Ok(resolve::Request::One(input, output)) if !args.run.watch => {
            run_with(&input, &output, &options[0], &args.tell, Some(&args.run), args.html.as_deref(), console)
        }
        Ok(_) if args.html.is_some() => {
            let message = "--html is about one conversion, and several files would be converted; --markdown and --report take several";
            batch::complain(Exit::Usage, message, console)
        }
        Ok(request) => resolve::run(request, args, options, console),
        Err(message) => batch::complain(Exit::Usage, message, console),
    }
}

/// Converts with complete options, and reports the outcome.
pub fn run_with(
    input: &Path,
    output: &Path,
    options: &ConvertOptions,
    tell: &TellArgs,
    run: Option<&RunArgs>,
    html: Option<&Path>,
    console: &mut Console,
) -> Exit {
    if html.is_some() {
        exhibit::prepare();
    }
    interrupt::catch();
    if is_stream(output) && tell.json {
        let message = "the model itself goes to standard output; use --report FILE instead of --json";
        return batch::complain(Exit::Usage, message, console);
    }
    if is_stream(output) && options.to.is_none() {
        let message = "standard output has no extension that names a format; name it with --to";
        return batch::complain(Exit::Usage, message, console);
    }
    let depfile = run.and_then(|run| run.depfile.as_deref());
    if depfile.is_some() && (is_stream(output) || is_stream(input)) {
        let message = "--depfile needs an input file and an output file, not standard input or output";
        return batch::complain(Exit::Usage, message, console);
    }
    let files = [("the input", input), ("the output", output)];
    let own = [("--report", tell.report.as_deref()), ("--depfile", depfile), ("--html", html)];
    if let Err(message) = own_files::check(&own, files.into_iter()) {
        return batch::complain(Exit::Usage, message, console);
    }
    if let Some(run) = run.filter(|run| run.jobs.is_some()) {
        batch::threads(run);
    }
    let mut report = new_report(&options.read);
    // Opened before the work, so that a report that cannot be written fails early.
    let opened = open(tell.report.as_deref(), html, &mut report);
    let input = Input::new(input);
    let (report_file, html, done) = match opened {
        Err(failure) => (None, None, Err(failure)),
        Ok((file, html)) => {
            let mut options = options.clone();
            options.witness = html.as_ref().map(HtmlReport::witness).unwrap_or_default();
            let done = fenced(&mut report, |report| {
                convert(&input, output, &options, tell, depfile, report, console)
            });
            (file, html, done)
        }
    };
    if done.is_err() && interrupt::happened() {
        // Whatever failed, failed because of that.
        return Exit::Interrupted;
    }
    let mut exit = done.as_ref().err().map_or(Exit::Done, |&failure| failure.into());
    let json = (tell.json || tell.report.is_some())
        .then(|| to_json(&input, output, exit, done.as_ref().ok(), &report));
    if let (Some((path, file)), Some(json)) = (report_file, &json)
        && let Err(error) = write_report(file, json)
    {
        let mut late = new_report(&options.read);
        exit = exit.max(cannot_write(path, error, &mut late).into());
        console.err(&report::failure(&late, &input));
    }
    if let Some(html) = html {
        let mut late = new_report(&options.read);
        if let Err(failure) = write_html(html, &input, output, &done, &report, &mut late) {
            exit = exit.max(failure.into());
            console.err(&report::failure(&late, &input));
        }
    }
    match &done {
        // A failed check is about the losses, so they are shown although nothing was written.
        Err(Failure::Check) => console.err(&report::failed_conversion(&report, &input, tell.verbose)),
        Err(_) if tell.verbose => console.err(&report::failed_conversion(&report, &input, true)),
        Err(_) => console.err(&report::failure(&report, &input)),
        Ok(_) if tell.quiet => {}
        Ok(done) if tell.markdown => {
            let output = output.display().to_string();
            let text = markdown::conversion(input.name(), &output, &done.conversion, &report, tell.verbose);
            if is_stream(Path::new(&output)) { console.err(&text) } else { console.out(&text) }
        }
        Ok(done) => {
            let text = summary(&input, output, &done.conversion, &report)
                + &side_files(&done.beside)
                + &report::details(&report, tell.verbose);
            // If the model or JSON goes to standard output, the text goes to standard error.
            if is_stream(output) || tell.json { console.err(&text) } else { console.out(&text) }
        }
    }
    if let Some(json) = json.filter(|_| tell.json) {
        console.json(&json);
    }
    exit
}

/// The files of the reports that were asked for.
type Reports<'a> = (Option<(&'a Path, FileOutput)>, Option<HtmlReport>);

fn open<'a>(
    json: Option<&'a Path>,
    html: Option<&Path>,
    report: &mut Report,
) -> Result<Reports<'a>, Failure> {
    let json = json.map(|path| {
        let file = FileOutput::create(path).map_err(|error| cannot_write(path, error, report))?;
        Ok((path, file))
    });
    let json = json.transpose()?;
    Ok((json, html.map(|path| HtmlReport::open(path, report)).transpose()?))
}

/// Writes the HTML report of a conversion, also of one that failed.
fn write_html(
    html: HtmlReport,
    input: &Input,
    output: &Path,
    done: &Result<Done, Failure>,
    report: &Report,
    late: &mut Report,
) -> Result<(), Failure> {
    let seen = html.take_seen();
    let format = |id: &str, dialect: Option<&str>| {
        let name = by_id(id).map_or(id, |format| format.name);
        dialect.map_or(name.to_owned(), |dialect| format!("{name}, dialect {dialect}"))
    };
    let formats =
        done.as_ref().ok().map(|Done { conversion: Conversion { from, to, dialect, .. }, .. }| {
            [format(from, None), format(to, Some(dialect))]
        });
    let failed = done
        .as_ref()
        .err()
        .map(|failure| format!("Nothing was written: {}", ligament::Error::new(*failure, report.clone())));
    let output = if is_stream(output) { STDOUT.to_owned() } else { output.display().to_string() };
    let page = Page {
        kind: "Conversion",
        names: [input.name(), &output],
        formats,
        failed,
        comparison: seen.as_ref().map(|seen| &seen.comparison),
        shown: seen.as_ref().map(|seen| &seen.shown),
        reports: vec![("What changed on the way".to_owned(), report)],
    };
    html.write(&page, late)
}

/// A conversion that is in place, and the names of the files that were written beside it.
pub struct Done {
    pub conversion: Conversion,
    pub beside: Vec<String>,
}

/// Reads, converts and writes.
fn convert(
    input: &Input,
    output: &Path,
    options: &ConvertOptions,
    tell: &TellArgs,
    depfile: Option<&Path>,
    report: &mut Report,
    console: &mut Console,
) -> Result<Done, Failure> {
    let _progress = Progress::start(format!("converting {}", style::safe(input.name())), tell.quiet);
    let source = input.source(&options.read.limits, report)?;
    if !is_stream(output) {
        let tracking: (Arc<dyn Beside>, _) = (Arc::new(tracked::Everything), Remember::Names);
        let file = create_with_folders(output, options, report)?;
        let proven = tracked::convert(source, input.path(), file, options, tracking, report)?;
        let (done, written) = tracked::commit(proven, report)?;
        if let Some(path) = depfile {
            let read = input.path().into_iter().chain(depfile::present(&written.read));
            let text = depfile::rule(depfile::present(&written.outputs), read);
            depfile::write(path, &text).map_err(|error| cannot_write(path, error, report))?;
        }
        return Ok(Done { conversion: done, beside: written.beside() });
    }
    let target = target(output, options, report)?;
    let stem = input.path().and_then(Path::file_stem).map_or("output".into(), |s| s.to_string_lossy());
    let stream = StreamOutput::new(&stem);
    let input = convert::Input::Source(source, input.path());
    let Proven { conversion, output, .. } = convert_to(input, target, stream, options, report)?;
    print(&output.into_bytes(), report, console)?;
    Ok(Done { conversion, beside: Vec::new() })
}

fn write_report(mut file: FileOutput, json: &Value) -> io::Result<()> {
    file.main().write_all(style::json(json).as_bytes())?;
    file.commit()
}

/// Writes a model to standard output, unless it is binary data and would garble a terminal.
fn print(model: &[u8], report: &mut Report, console: &mut Console) -> Result<(), Failure> {
    let is_binary = model.iter().any(|b| b.is_ascii_control() && !b.is_ascii_whitespace());
    if is_binary && console.out_is_terminal() {
        let message = "binary data would garble the terminal".to_owned();
        complain(report, STDOUT, &codes::CANNOT_WRITE, message, "redirect the output to a file or a pipe");
        return Err(Failure::Usage);
    }
    console.raw(model);
    Ok(())
}

/// `mage.pfobj → mage.glb   1098 vertices, 47 joints, 5 clips   worst deviation 0.00001 %   1 note`.
pub fn summary(input: &Input, output: &Path, done: &Conversion, report: &Report) -> String {
    let output = if is_stream(output) { STDOUT.to_owned() } else { output.display().to_string() };
    done.summary(input.name(), &output, report, &style::Colours)
}

/// The files beside a model, on a line below its summary.
pub fn side_files(names: &[String]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let shown: Vec<_> = names.iter().take(MOST_NAMED).map(|name| style::safe(name)).collect();
    let more = names.len().saturating_sub(MOST_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("  also wrote    {}{more}\n", shown.join(", "))
}

/// The members with which every JSON object about a conversion begins.
pub fn base_json(input: &Input, output: &Path, exit: Exit) -> Value {
    let mut object = outcome(exit);
    extend(&mut object, json!({ "input": input.name(), "output": output.display().to_string() }));
    object
}

pub fn to_json(input: &Input, output: &Path, exit: Exit, done: Option<&Done>, report: &Report) -> Value {
    let mut object = base_json(input, output, exit);
    if let Some(done) = done {
        extend(&mut object, done.conversion.to_json());
        extend(&mut object, json!({ "side_files": done.beside }));
    }
    extend(&mut object, report.to_json());
    object
}
