//! One thumbnail per file, using one graphics device for all of them.

use super::choose;
use super::output::cannot_write;
use super::{Done, Job, Studio, load, new_report, still, summary};
use crate::args::RenderArgs;
use crate::commands::{extend, outcome};
use crate::console::Console;
use crate::exit::Exit;
use crate::input::Input;
use crate::progress::Progress;
use crate::render::report;
use ligament::internal::UniqueNames;
use ligament::{Failure, Report};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Default size of a thumbnail in pixels.
const SIZE: [u32; 2] = [256, 256];

pub fn run(args: &RenderArgs, console: &mut Console) -> Exit {
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
    for path in files(&args.files) {
        let input = Input::new(&path);
        let mut own = new_report(&args.read.options());
        let target = folder.join(thumbnail(&path, &mut names));
        let done = draw(args, &mut studio, &input, &target, &mut own, console);
        let exit = done.as_ref().err().map_or(Exit::Done, |&failure| failure.into());
        worst = worst.max(exit);
        match &done {
            Err(_) => console.err(&report::failure(&own, &input)),
            Ok(_) if args.quiet || args.json => {}
            Ok(done) => console.out(&(summary(&input, done, &own) + &report::lines(&own))),
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
    let wish = choose::wish(args, &loaded.scene, report)?;
    let model = studio.load(loaded, report)?;
    still::run(Job { args, studio, model, wish, path }, args.size.unwrap_or(SIZE), report, console)
}

/// The files, with patterns (`*` and `?` in the last part of a path) expanded unless a file of that name exists.
fn files(paths: &[PathBuf]) -> Vec<PathBuf> {
    paths.iter().flat_map(|path| spelled_out(path)).collect()
}

fn spelled_out(path: &Path) -> Vec<PathBuf> {
    let plain = || vec![path.to_owned()];
    let Some(pattern) = path.file_name().and_then(|name| name.to_str()) else { return plain() };
    if !pattern.contains(['*', '?']) || path.exists() {
        return plain();
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = fs::read_dir(folder) else { return plain() };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|own| own.is_file())
        .filter(|own| own.file_name().and_then(|n| n.to_str()).is_some_and(|name| matches(pattern, name)))
        .collect();
    found.sort();
    if found.is_empty() { plain() } else { found }
}

/// Whether a name matches a pattern, in which `*` is any text and `?` any single character.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    // For each prefix of the name, whether it matches the pattern so far.
    let mut fits: Vec<bool> = (0..=name.len()).map(|length| length == 0).collect();
    for &p in &pattern {
        let before = fits.clone();
        for length in 0..=name.len() {
            fits[length] = match p {
                '*' => before[..=length].contains(&true),
                _ => length > 0 && before[length - 1] && (p == '?' || p == name[length - 1]),
            };
        }
    }
    fits[name.len()]
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
    fn patterns_match_as_in_a_shell() {
        for (pattern, name, fits) in [
            ("*.glb", "fox.glb", true),
            ("*.glb", "fox.gltf", false),
            ("f?x*", "fox.glb", true),
            ("f?x", "fx", false),
            ("*", "", true),
            ("**x*", "aaxbb", true),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }

    #[test]
    fn thumbnails_of_files_with_one_name_do_not_replace_each_other() {
        let mut taken = UniqueNames::default();
        let names = ["a/x.glb", "b/x.glb", "x.glb"].map(|path| thumbnail(Path::new(path), &mut taken));
        assert_eq!(names, ["x.glb.png", "x.glb-2.png", "x.glb-3.png"]);
    }
}
