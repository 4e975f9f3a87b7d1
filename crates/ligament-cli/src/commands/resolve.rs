//! Resolves the paths of `ligament convert`, and converts several files.

use crate::args::ConvertArgs;
use crate::batch::find::{Found, Pattern};
use crate::batch::plan::{Job, Plan, extension, key, output, output_with_extension};
use crate::batch::{self, Cache};
use crate::console::Console;
use crate::exit::Exit;
use crate::input::is_stream;
use ligament::ConvertOptions;
use ligament::formats::{by_extension, by_id};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The resolved paths.
pub enum Request {
    /// One file into another.
    One(PathBuf, PathBuf),
    /// Everything that these arguments match, into a folder or each beside its input.
    Many(Vec<PathBuf>, Option<PathBuf>),
}

/// Resolves the paths. With `--out-dir`, all of them are inputs. Otherwise there is one input, and the output is the second
/// path, the one given by `-o`, or, with `--to`, a file beside the input. `options` has one entry per output format.
pub fn request(args: &ConvertArgs, options: &[ConvertOptions]) -> Result<Request, String> {
    if let Some(folder) = &args.out_dir {
        if args.paths.iter().any(|path| is_stream(path)) {
            return Err("standard input has no name that a file in --out-dir could take; use -o FILE".into());
        }
        return Ok(Request::Many(args.paths.clone(), Some(folder.clone())));
    }
    match (args.paths.as_slice(), &args.output) {
        ([input], Some(output)) => one(input, output, options),
        ([_, output], Some(_)) => Err(format!(
            "the output is given twice, as {} and with -o; for several inputs use --out-dir FOLDER",
            output.display()
        )),
        ([input, output], None) => one(input, output, options),
        ([input], None) => beside(input, options),
        (paths, _) => Err(format!(
            "expected IN and OUT, found {} paths; --out-dir FOLDER takes any number of inputs (put patterns in quotes, or \
             the shell expands them)",
            paths.len()
        )),
    }
}

fn one(input: &Path, output: &Path, options: &[ConvertOptions]) -> Result<Request, String> {
    let [options] = options else {
        let output = output.display();
        return Err(format!(
            "{output} is one file, but --to names several formats; use --out-dir FOLDER, or omit {output}"
        ));
    };
    let is_many = Pattern::new(input, Path::new("")).is_ok_and(|pattern| !pattern.is_file());
    if is_many && !is_stream(input) {
        return Err(format!(
            "{} stands for several files; say where the results go with --out-dir FOLDER",
            input.display()
        ));
    }
    if output.is_dir() {
        let output = output.display();
        return Err(format!("{output} is a folder; to write into it, use --to FORMAT --out-dir {output}"));
    }
    let meant = options.to.as_deref().and_then(by_id);
    let named = by_extension(output);
    if let Some((meant, named)) = meant.zip(named).filter(|(meant, named)| meant.id != named.id)
        && output.is_file()
    {
        return Err(format!(
            "{} exists and would be overwritten with {}, but has the extension of {}; if it is another input, use --out-dir FOLDER",
            output.display(),
            meant.name,
            named.name
        ));
    }
    Ok(Request::One(input.to_owned(), output.to_owned()))
}

fn beside(input: &Path, options: &[ConvertOptions]) -> Result<Request, String> {
    let Some(extension) = options.first().and_then(extension) else {
        return Err(
            "an output is required: a second path, -o FILE, or --to FORMAT for a file beside the input"
                .into(),
        );
    };
    if is_stream(input) {
        return Err("standard input has no name that the output could take; use OUT or -o FILE".into());
    }
    let pattern = Pattern::new(input, Path::new(""))?;
    if !pattern.is_file() || options.len() > 1 {
        return Ok(Request::Many(vec![input.to_owned()], None));
    }
    let found = Found { path: input.to_owned(), below: PathBuf::new() };
    let to = output(&found, None, extension);
    if key(&to) == key(input) {
        return Err(format!(
            "{} would overwrite itself; if that is intended, repeat it as OUT, otherwise choose another name",
            input.display()
        ));
    }
    Ok(Request::One(input.to_owned(), to))
}

/// Converts several files, or one file repeatedly.
pub fn run(
    request: Request,
    args: &ConvertArgs,
    options: Vec<ConvertOptions>,
    console: &mut Console,
) -> Exit {
    let options: Vec<_> = options.into_iter().map(Arc::new).collect();
    match request {
        Request::One(input, output) => {
            if is_stream(&input) || is_stream(&output) {
                let message = "--watch needs an input file and an output file, not standard input or output";
                return batch::complain(Exit::Usage, message, console);
            }
            let mut planner = |_: &Cache, _: &mut Console| {
                let mut plan = Plan::default();
                for word in std::iter::once(input.as_path()).chain(options[0].operations.words()) {
                    Pattern::new(word, Path::new("")).iter().for_each(|pattern| plan.watch(pattern));
                }
                let job =
                    Job { input: input.clone(), output: output.clone(), options: Arc::clone(&options[0]) };
                plan.jobs.push(job);
                Ok(plan)
            };
            batch::run(&args.run, &args.tell, None, None, &mut planner, console)
        }
        Request::Many(words, folder) => {
            let mut patterns = Vec::new();
            for word in &words {
                match Pattern::new(word, Path::new("")) {
                    Ok(pattern) => patterns.push((word, pattern)),
                    Err(message) => return batch::complain(Exit::Usage, message, console),
                }
            }
            // Outputs beside the inputs are possible for a single argument only.
            let first = patterns.first().map(|(_, pattern)| pattern.folder().to_owned());
            let cache = folder.clone().or(first);
            let mut planner = |cache: &Cache, console: &mut Console| {
                plan(&patterns, folder.as_deref(), &options, args.keep_extension, cache, console)
            };
            batch::run(&args.run, &args.tell, cache.as_deref(), None, &mut planner, console)
        }
    }
}

/// Whether a file beside its input would be that input.
fn is_in_place(found: &Found, extension: &str) -> bool {
    key(&output(found, None, extension)) == key(&found.path)
}

fn plan(
    patterns: &[(&PathBuf, Pattern)],
    folder: Option<&Path>,
    options: &[Arc<ConvertOptions>],
    keep_extension: bool,
    cache: &Cache,
    console: &mut Console,
) -> Result<Plan, Exit> {
    let mut refuse = |exit: Exit, message: String| Err(batch::complain(exit, message, console));
    let targets = options.iter().map(|options| Some((extension(options)?, options)));
    let Some(targets) = targets.collect::<Option<Vec<_>>>() else {
        return refuse(Exit::Usage, "the output format is missing; name it with --to FORMAT".into());
    };
    let (written, own) = (cache.all_outputs(), folder.map(key));
    // Skips the outputs of earlier runs and the output folder.
    let skip = |path: &Path| {
        if path.is_dir() { own.as_ref() == Some(&key(path)) } else { written.contains(&key(path)) }
    };
    let mut plan = Plan::default();
    for word in options.iter().flat_map(|options| options.operations.words()) {
        Pattern::new(word, Path::new("")).iter().for_each(|pattern| plan.watch(pattern));
    }
    let mut known = BTreeSet::new();
    for (word, pattern) in patterns {
        plan.watch(pattern);
        let found = pattern.find(&skip, &mut plan.unreadable);
        if let Some(what) = plan.unreadable.first().filter(|_| found.is_empty()) {
            return refuse(Exit::Io, format!("cannot search {what}"));
        }
        if found.is_empty() {
            let (word, place) = (word.display(), pattern.folder().display());
            let message = format!(
                "no model matches {word} (looked in {place} and below, except for hidden files and outputs of earlier runs)"
            );
            return refuse(Exit::Usage, message);
        }
        for (found, (extension, options)) in found.iter().flat_map(|f| targets.iter().map(move |t| (f, t))) {
            let output = match keep_extension {
                true => output_with_extension(found, folder, extension),
                false => output(found, folder, extension),
            };
            // What is in the target format already stays as it is, unless it is named or goes elsewhere.
            if folder.is_none() && !pattern.is_file() && is_in_place(found, extension) {
                plan.same_format.insert(found.path.clone());
                continue;
            }
            // Two arguments may match the same file.
            if known.insert((found.path.clone(), output.clone())) {
                plan.jobs.push(Job { input: found.path.clone(), output, options: Arc::clone(options) });
            }
        }
    }
    if let Err(message) = plan.check() {
        let help = "; --keep-extension keeps their names apart";
        let help = if plan.clashes() && !keep_extension { help } else { "" };
        return refuse(Exit::Usage, message + help);
    }
    if let Some(folder) = folder {
        batch::prepare_folder(folder, console)?;
    }
    Ok(plan)
}
