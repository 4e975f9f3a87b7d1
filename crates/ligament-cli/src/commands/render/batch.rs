//! One thumbnail per file, using one graphics device for all of them.

use super::choose;
use super::output::cannot_write;
use super::{Done, Job, Studio, about_picture, load, new_report, still, summary};
use crate::args::RenderArgs;
use crate::batch::find::Pattern;
use crate::commands::{extend, outcome};
use crate::console::Console;
use crate::exit::Exit;
use crate::input::{Input, is_stream};
use crate::progress::Progress;
use crate::render::{report, style};
use ligament::internal::UniqueNames;
use ligament::{Failure, Report};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Default size of a thumbnail in pixels.
const SIZE: [u32; 2] = [256, 256];

pub fn run(args: &RenderArgs, console: &mut Console) -> Exit {
    let mut unreadable = Vec::new();
    let models = match files(&args.files, &mut unreadable) {
        Ok(models) => models,
        Err(message) => {
            console.err(&format!("{}: {message}\n", style::error("error")));
            return Exit::Usage;
        }
    };
    let mut common = new_report(&args.read.options());
    let folder = args.out_dir.clone().unwrap_or_default();
    let opened = fs::create_dir_all(&folder)
        .map_err(|error| cannot_write(&folder, error, &mut common))
        .and_then(|()| Studio::open(&mut common));
    let mut studio = match opened {
        Ok(studio) => studio,
        Err(failure) => {
            console.err(&report::failure(&common, &Input::new(&folder)));
            return failure.into();
        }
    };
    let _progress = Progress::start("drawing thumbnails".to_owned(), args.quiet);
    let (mut worst, mut results, mut names) = (Exit::Done, Vec::new(), UniqueNames::default());
    for what in unreadable {
        console.err(&format!("{}: cannot search {what}\n", style::error("error")));
        worst = Exit::Io;
    }
    for path in models {
        let input = Input::new(&path);
        let mut own = new_report(&args.read.options());
        let target = folder.join(thumbnail(&path, &mut names));
        let done = draw(args, &mut studio, &input, &target, &mut own, console);
        let exit = done.as_ref().err().map_or(Exit::Done, |&failure| failure.into());
        worst = worst.max(exit);
        match &done {
            Err(_) => console.err(&report::failure(&own, &input)),
            Ok(_) if args.quiet || args.json => {}
            Ok(done) => {
                let own = about_picture(&own);
                console.out(&(summary(&input, done, &own) + &report::lines(&own)));
            }
        }
        if args.json {
            let mut object = outcome(exit);
            extend(&mut object, json!({ "input": input.name() }));
            extend(&mut object, done.as_ref().map_or(json!({}), Done::to_json));
            extend(&mut object, own.to_json());
            results.push(object);
        }
    }
    if args.json {
        console.json(&Value::Array(results));
    }
    worst
}

fn draw(
    args: &RenderArgs,
    studio: &mut Studio,
    input: &Input,
    path: &Path,
    report: &mut Report,
    console: &mut Console,
) -> Result<Done, Failure> {
    let loaded = load(input, &args.read.options(), report)?;
    let wish = choose::wish(args, &loaded.imported.scene, report)?;
    let model = studio.load(loaded, report)?;
    still::run(Job { args, studio, model, wish, path }, args.size.unwrap_or(SIZE), report, console)
}

/// The models that arguments stand for: files, all models of a folder, or those that match a pattern. Where nothing matches,
/// the argument itself is taken, so that its error names it.
fn files(words: &[PathBuf], unreadable: &mut Vec<String>) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for word in words {
        if is_stream(word) {
            files.push(word.clone());
            continue;
        }
        let found = Pattern::new(word, Path::new(""))?.find(&|_| false, unreadable);
        match found.is_empty() {
            true => files.push(word.clone()),
            false => files.extend(found.into_iter().map(|found| found.path)),
        }
    }
    Ok(files)
}

/// `mage.pfobj.png`; a name that was taken gets a number.
fn thumbnail(path: &Path, taken: &mut UniqueNames<String>) -> String {
    let stem = path.file_name().map_or("stdin".into(), |name| name.to_string_lossy());
    let numbered = |number| match number {
        0 => format!("{stem}.png"),
        _ => format!("{stem}-{}.png", number + 1),
    };
    let number = taken.take(numbered);
    numbered(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thumbnails_of_files_with_one_name_do_not_replace_each_other() {
        let mut taken = UniqueNames::default();
        let names = ["a/x.glb", "b/x.glb", "x.glb"].map(|path| thumbnail(Path::new(path), &mut taken));
        assert_eq!(names, ["x.glb.png", "x.glb-2.png", "x.glb-3.png"]);
    }
}
