//! Files of any format to documents and scenes, and back.

use ligament::formats::{Document, HEAD_BYTES, ReadOptions, WriteOptions, detect};
use ligament::io::{MemoryOutput, Source};
use ligament::report::Report;
use ligament::{ConvertOptions, write};
use std::path::Path;

fn document(path: &Path) -> Box<dyn Document> {
    let (options, mut report) = (ReadOptions::default(), Report::default());
    let document = Source::open(path, &options.limits, &mut report).and_then(|source| {
        let head = source.content.head(HEAD_BYTES).unwrap_or_default();
        let format = detect(&head, Some(path)).expect("a known format");
        drop(head);
        format.read(source, &options, &mut report)
    });
    document.unwrap_or_else(|failure| panic!("{failure:?}: {:?}", report.diagnostics().first()))
}

pub fn read(path: &Path) {
    let document = crate::timed(|| document(path));
    // Freeing memory at the end of the process is not part of reading.
    std::mem::forget(document);
}

pub fn read_scene(path: &Path) {
    std::mem::forget(crate::timed(|| crate::scene(path)));
}

pub fn write_document(path: &Path, out: &Path, times: usize) {
    let document = document(path);
    let options = WriteOptions::default();
    let mut output = MemoryOutput::new("out");
    let mut print = || {
        output.main.clear();
        let written = document.write(document.dialect(), &options, &mut output, &mut Report::default());
        written.expect("memory can be written");
    };
    // The buffer is allocated before the clock starts, as in the baseline.
    print();
    crate::fastest(times, print);
    std::fs::write(out, &output.main).unwrap_or_else(|error| panic!("{}: {error}", out.display()));
}

/// An export takes the scene apart, so each gets a copy, which is made before its clock starts.
pub fn write_scene(path: &Path, out: &Path, times: usize) {
    let scene = crate::scene(path);
    let options = ConvertOptions { verify: false, ..ConvertOptions::default() };
    let mut copies = vec![scene; times.max(1)];
    crate::fastest(times, || {
        let scene = copies.pop().expect("one copy per time");
        write(scene, out, &options).unwrap_or_else(|error| panic!("{error}"))
    });
}

pub fn same(path: &Path) {
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads can be started").install(|| crate::scene(path))
    };
    assert!(with(1) == with(2), "one thread and two give different scenes");
    println!("same");
}
