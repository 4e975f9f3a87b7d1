//! What the paths of `ligament convert` mean, and several files at once.

use crate::args::ConvertArgs;
use crate::batch::find::Pattern;
use crate::batch::plan::{Job, Plan, extension, key, output};
use crate::batch::{self, Cache};
use crate::console::Console;
use crate::exit::Exit;
use crate::input::is_stream;
use ligament::ConvertOptions;
use ligament::formats::{by_extension, by_id};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is to be converted into what.
pub enum Request {
    /// One file into another.
    One(PathBuf, PathBuf),
    /// Everything that these words mean, into a folder or each beside its input.
    Many(Vec<PathBuf>, Option<PathBuf>),
}

/// With `--out-dir` all paths are inputs. Otherwise there is one input, and the output is the second path, what `-o` says,
/// or, with `--to`, a file beside the input. There are options for each format.
pub fn request(args: &ConvertArgs, options: &[ConvertOptions]) -> Result<Request, String> {
    if let Some(folder) = &args.out_dir {
        if args.paths.iter().any(|path| is_stream(path)) {
            return Err("standard input has no name to be called by in a folder; use -o FILE".into());
        }
        return Ok(Request::Many(args.paths.clone(), Some(folder.clone())));
    }
    match (args.paths.as_slice(), &args.output) {
        ([input], Some(output)) => one(input, output, options),
        ([_, output], Some(_)) => Err(format!(
            "the output is given twice, as {} and with -o; several inputs need --out-dir FOLDER instead",
            output.display()
        )),
        ([input, output], None) => one(input, output, options),
        ([input], None) => beside(input, options),
        (paths, _) => Err(format!(
            "{} paths are given; --out-dir FOLDER makes all of them inputs, without it there are only IN and OUT (a pattern \
             goes into quotes, or the shell replaces it by the files)",
            paths.len()
        )),
    }
}

fn one(input: &Path, output: &Path, options: &[ConvertOptions]) -> Result<Request, String> {
    let [options] = options else {
        let output = output.display();
        return Err(format!(
            "{output} is one file, and --to names several formats; use --out-dir FOLDER, or leave it out"
        ));
    };
    let is_many = Pattern::new(input, Path::new("")).is_ok_and(|pattern| !pattern.is_file());
    if is_many && !is_stream(input) {
        return Err(format!("{} means several files; --out-dir FOLDER says where they go", input.display()));
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
            "{} would be replaced by {}, but it is called like {}; if it is another input, use --out-dir FOLDER",
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
        return Err("standard input has no name that the output could take; give OUT or -o FILE".into());
    }
    let pattern = Pattern::new(input, Path::new(""))?;
    if !pattern.is_file() || options.len() > 1 {
        return Ok(Request::Many(vec![input.to_owned()], None));
    }
    let found = crate::batch::find::Found { path: input.to_owned(), below: PathBuf::new() };
    let to = output(&found, None, extension);
    if key(&to) == key(input) {
        return Err(format!(
            "{} would be replaced by itself; say so with OUT, or give another name",
            input.display()
        ));
    }
    Ok(Request::One(input.to_owned(), to))
}

/// Converts several files, or one again and again.
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
                let message = "--watch needs files on both sides, not standard input or output";
                return batch::complain(Exit::Usage, message, console);
            }
            let mut planner = |_: &Cache, _: &mut Console| {
                let mut plan = Plan::default();
                if let Ok(pattern) = Pattern::new(&input, Path::new("")) {
                    plan.watch(&pattern);
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
            // Beside the inputs there is only one word.
            let first = patterns.first().map(|(_, pattern)| pattern.folder().to_owned());
            let cache = folder.clone().or(first);
            let mut planner = |cache: &Cache, console: &mut Console| {
                plan(&patterns, folder.as_deref(), &options, cache, console)
            };
            batch::run(&args.run, &args.tell, cache.as_deref(), None, &mut planner, console)
        }
    }
}

fn plan(
    patterns: &[(&PathBuf, Pattern)],
    folder: Option<&Path>,
    options: &[Arc<ConvertOptions>],
    cache: &Cache,
    console: &mut Console,
) -> Result<Plan, Exit> {
    let mut refuse = |exit: Exit, message: String| Err(batch::complain(exit, message, console));
    let targets = options.iter().map(|options| Some((extension(options)?, options)));
    let Some(targets) = targets.collect::<Option<Vec<_>>>() else {
        return refuse(Exit::Usage, "--to FORMAT says what the files become".into());
    };
    let (written, own) = (cache.all_outputs(), folder.map(key));
    // Neither what earlier runs wrote nor the folder they write into.
    let skip = |path: &Path| {
        if path.is_dir() { own.as_ref() == Some(&key(path)) } else { written.contains(&key(path)) }
    };
    let mut plan = Plan::default();
    let mut known = BTreeSet::new();
    for (word, pattern) in patterns {
        plan.watch(pattern);
        let found = match pattern.find(&skip) {
            Ok(found) => found,
            Err(error) => return refuse(Exit::Io, format!("{}: {error}", word.display())),
        };
        if found.is_empty() {
            let (word, place) = (word.display(), pattern.folder().display());
            let message = format!(
                "no model matches {word} (looked in {place} and below; hidden files and what an earlier run wrote are left out)"
            );
            return refuse(Exit::Usage, message);
        }
        for (found, (extension, options)) in found.iter().flat_map(|f| targets.iter().map(move |t| (f, t))) {
            let output = output(found, folder, extension);
            // Two words may mean the same file.
            if known.insert((found.path.clone(), output.clone())) {
                plan.jobs.push(Job { input: found.path.clone(), output, options: Arc::clone(options) });
            }
        }
    }
    if let Err(message) = plan.check() {
        return refuse(Exit::Usage, message);
    }
    if let Some(folder) = folder {
        batch::prepare_folder(folder, console)?;
    }
    Ok(plan)
}
