//! Every real model that can be read is written in every format, or refused with a reason: no panic, and no file that
//! cannot be read back.

mod support;

use ligament::convert::{Input, convert_to, create};
use ligament::formats::FORMATS;
use ligament::io::DirFolder;
use ligament::report::Report;
use ligament::{ConvertOptions, read};
use std::path::PathBuf;
use std::sync::Arc;

/// Larger files would take most of the time and show nothing else.
const MOST_BYTES: u64 = 1 << 20;

fn models(mut files: Vec<PathBuf>) -> Vec<PathBuf> {
    files.retain(|path| {
        let is_small = path.metadata().is_ok_and(|about| about.len() <= MOST_BYTES);
        is_small && ligament::formats::by_extension(path).is_some()
    });
    files
}

/// How many models could be read, and how many times one was written and refused.
fn write_all(models: &[PathBuf]) -> (usize, usize, usize) {
    let (mut readable, mut written, mut refused) = (0, 0, 0);
    for path in models {
        let Ok((scene, _)) = read(path, &Default::default()) else { continue };
        readable += 1;
        let around = Arc::new(DirFolder::new(path.parent().expect("a folder")));
        for format in FORMATS.iter().filter(|format| format.writes(None)) {
            let place = tempfile::tempdir().expect("a folder");
            let target = place.path().join(format!("model.{}", format.extensions[0]));
            let options = ConvertOptions { verify: false, ..ConvertOptions::default() };
            let what = || format!("{} to {}", path.display(), format.id);
            let input = Input::Scene(scene.clone(), around.clone());
            let done = Report::collect(&options.read.limits, |report| {
                let (format, file) = create(&target, &options, report)?;
                convert_to(input, format, file, &options, report)?.commit(report)
            });
            match done {
                Ok(_) => {
                    let (again, _) = read(&target, &Default::default())
                        .unwrap_or_else(|error| panic!("{}: {error}", what()));
                    let mut promise = Report::default();
                    ligament::validate::validate(&again, &mut promise);
                    assert!(!promise.has_errors(), "{}: {:?}", what(), promise.diagnostics());
                    written += 1;
                }
                Err(error) => {
                    assert!(error.report.has_errors(), "{}: no reason", what());
                    assert!(!target.exists(), "{}: half a file", what());
                    refused += 1;
                }
            }
        }
    }
    (readable, written, refused)
}

#[test]
fn the_corpus_is_written_in_every_format() {
    let (readable, written, refused) = write_all(&models(support::files_below(&support::corpus(""))));
    println!("{readable} models, written {written} times, refused {refused} times");
    assert!(readable == 72 && refused <= 5, "{readable} {written} {refused}");
}

#[test]
fn models_beside_the_clone_are_written_in_every_format() {
    let mut known = models(support::extras());
    known.retain(|path| support::seeds::refused_with(path).is_none());
    let (readable, written, refused) = write_all(&models(support::shared_files()));
    println!("{readable} models, written {written} times, refused {refused} times");
    assert!(readable >= known.len() && refused <= 5, "{readable} of {}, {refused}", known.len());
}

#[test]
fn models_of_other_programs_are_written_in_every_format() {
    let test = "models_of_other_programs_are_written_in_every_format";
    let Some(folder) = support::assimp_models(test) else { return };
    let (readable, written, refused) = write_all(&models(support::files_below(&folder)));
    println!("{readable} models, written {written} times, refused {refused} times");
    assert!(readable >= 80 && refused <= 5, "{readable} {written} {refused}");
}
