//! Binary files are read range by range. The content and the report must be the same as when the whole file is in
//! memory, for good files and for bad ones.

use ligament::formats::{ReadOptions, by_id};
use ligament::io::{Content, NoFolder, Source};
use ligament::report::{Failure, Report};
use ligament::scene::Scene;
use std::borrow::Cow;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn path(extension: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/creature").with_extension(extension)
}

fn example(extension: &str) -> Vec<u8> {
    let path = path(extension);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn scene(format: &str, content: Content<'_>) -> (Result<Scene, Failure>, Report) {
    let source = Source { name: "model".into(), content, folder: Arc::new(NoFolder) };
    let (options, mut report) = (ReadOptions::default(), Report::new("model", 50));
    let document = by_id(format).expect("in the table").read(source, &options, &mut report);
    let scene = document.and_then(|document| document.import(&options, &mut report));
    (scene, report)
}

/// The whole files, and files cut off at many places.
#[test]
fn binary_files_read_the_same_from_disk_and_from_memory() {
    for (format, extension) in [("bogle", "bgl"), ("qmsh", "qmsh")] {
        let bytes = example(extension);
        let mut good = 0;
        for cut in (0..bytes.len()).step_by(bytes.len() / 60) {
            let length = bytes.len() - cut;
            let file = File::open(path(extension)).expect("the example");
            let (on_disk, disk_report) = scene(format, Content::File(file, length as u64));
            let (in_memory, report) = scene(format, Content::Memory(Cow::Borrowed(&bytes[..length])));
            assert!(on_disk == in_memory, "{format}: the scenes differ with {length} bytes");
            assert_eq!(disk_report.diagnostics(), report.diagnostics(), "{format} with {length} bytes");
            good += usize::from(in_memory.is_ok());
        }
        assert_eq!(good, 1, "only the whole file is good");
    }
}
