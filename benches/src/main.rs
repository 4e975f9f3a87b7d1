//! Small programs for `cargo xtask bench`: each does one thing in its own process and prints the seconds that
//! it took, without start-up and preparation.

mod bogle;
mod fbx;
mod file;
mod glb;
mod model;
mod obj;
mod size;
mod skin;
mod sum;

use std::path::Path;
use std::time::Instant;

const HELP: &str = "\
bench_tool make FILE DIALECT VERTICES KEYS  a skinned model with clips, in the format of the extension; `-` is its dialect
bench_tool read FILE [--threads N]         bytes to document, with all checks, any format
bench_tool read-scene FILE [--threads N]   bytes to scene, any format
bench_tool write-pfobj FILE OUT TIMES      document to bytes in memory, the fastest of TIMES; then into OUT
bench_tool write-scene FILE OUT TIMES      scene to file, the fastest of TIMES
bench_tool same FILE                       one thread and two give the same scene
bench_tool read-glb FILE TIMES             file to scene, the fastest of TIMES
bench_tool read-gltf-crate FILE TIMES      the `gltf` crate: document and buffers, the fastest of TIMES
bench_tool read-fbx FILE TIMES             file to scene, the fastest of TIMES
bench_tool read-ufbx FILE TIMES            `ufbx` alone: file to its own scene, the fastest of TIMES
bench_tool bake-ufbx FILE TIMES            the same, and its takes baked
bench_tool read-tobj FILE                   the `tobj` crate, one index a vertex
bench_tool read-bogle VERTICES TIMES       bytes to document, the fastest of TIMES
bench_tool read-bogle-scene VERTICES TIMES bytes to scene
bench_tool copy-bogle VERTICES TIMES       the same bytes copied
bench_tool skin-ours TIMES                 100k vertices of 4 influences, the fastest of TIMES
bench_tool skin-glam TIMES                 the same by a plain loop
bench_tool skin-glam-four TIMES            the same by a plain loop that knows there are four
bench_tool scene-size FILE                 bytes of the scene's arrays
bench_tool sum FILE                        the sum that the baselines print";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let words = take_threads(&words);
    match words[..] {
        ["make", file, dialect, vertices, keys] => {
            model::make(Path::new(file), dialect, number(vertices), number(keys))
        }
        ["read", file] => file::read(Path::new(file)),
        ["read-scene", file] => file::read_scene(Path::new(file)),
        ["write-pfobj", file, out, times] => file::write_document(Path::new(file), Path::new(out), number(times)),
        ["write-scene", file, out, times] => {
            file::write_scene(Path::new(file), Path::new(out), number(times));
        }
        ["same", file] => file::same(Path::new(file)),
        ["read-glb", file, times] => glb::ours(Path::new(file), number(times)),
        ["read-gltf-crate", file, times] => glb::gltf_crate(Path::new(file), number(times)),
        ["read-fbx", file, times] => fbx::ours(Path::new(file), number(times)),
        ["read-ufbx", file, times] => fbx::alone(Path::new(file), number(times)),
        ["bake-ufbx", file, times] => fbx::baked(Path::new(file), number(times)),
        ["read-tobj", file] => obj::tobj(Path::new(file)),
        ["read-bogle", vertices, times] => bogle::read(number(vertices), number(times)),
        ["read-bogle-scene", vertices, times] => bogle::read_scene(number(vertices), number(times)),
        ["copy-bogle", vertices, times] => bogle::copy(number(vertices), number(times)),
        ["skin-ours", times] => skin::ours(number(times)),
        ["skin-glam", times] => skin::plain_glam(number(times)),
        ["skin-glam-four", times] => skin::plain_glam_four(number(times)),
        ["scene-size", file] => println!("bytes {}", size::of(&scene(Path::new(file)))),
        ["sum", file] => println!("sum {:.6}", sum::of(Path::new(file))),
        _ => {
            eprintln!("{HELP}");
            std::process::exit(2);
        }
    }
}

/// Sets the number of threads if the arguments end with `--threads N`.
fn take_threads<'a>(words: &'a [&'a str]) -> &'a [&'a str] {
    let [rest @ .., "--threads", count] = words else { return words };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(number(count));
    pool.build_global().expect("nothing has started threads before");
    rest
}

fn number(word: &str) -> usize {
    word.parse().unwrap_or_else(|_| panic!("{word} is not a number"))
}

/// The scene of a file that is known to be valid.
fn scene(path: &Path) -> ligament::Scene {
    ligament::read(path, &Default::default()).unwrap_or_else(|error| panic!("{error}")).0
}

/// Runs a function and prints how long it took.
fn timed<T>(body: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = body();
    println!("seconds {:.9}", start.elapsed().as_secs_f64());
    result
}

/// Runs a function several times and prints the shortest time.
fn fastest<T>(times: usize, mut body: impl FnMut() -> T) {
    let mut best = f64::INFINITY;
    for _ in 0..times.max(1) {
        let start = Instant::now();
        std::hint::black_box(body());
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("seconds {best:.9}");
}
