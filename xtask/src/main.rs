//! The project's chores: `cargo xtask` lists them.

mod bench;
mod blender;
mod compatibility;
#[path = "../../crates/ligament/tests/support/corpus.rs"]
#[allow(dead_code)] // shared with the library's tests
mod corpus;
mod dependencies;
mod examples;
mod fidelity;
mod fuzz;
mod install;
mod links;
mod new_format;
mod python;
mod run;
mod test;
mod web;

use std::process::ExitCode;

const HELP: &str = "\
The project's chores.

cargo xtask test                 runs every check: formatting, lints, links, examples, documentation, tests
cargo xtask examples [--check]   makes the models in examples/; --check only compares them with the existing ones
cargo xtask fidelity [--check]   converts scenes between all pairs of formats and writes docs/fidelity.md; --check only
                                 compares it with the existing page
cargo xtask compatibility [--check]
                                 reads the models of Assimp's tests and writes docs/compatibility.md; --check only
                                 compares it with the existing page
cargo xtask new-format NAME [--read-only]
                                 creates the folder, row, page, fuzz target and failing tests of a new format
cargo xtask python               builds the Python module, installs it into target/python, and runs its tests and type checks
cargo xtask blender              makes the zips of the Blender add-on in target/blender
cargo xtask blender test         installs the zips in Blender 3.4, 4.5 and 5.0, as a user does, and runs the add-on's tests
cargo xtask web                  builds the library as WebAssembly, the package for npm and the page in target/web
cargo xtask web serve            the same, and serves the page to this machine
cargo xtask web test             the same, and its tests: bytes as the command line's, damaged files, and the page in Chromium
cargo xtask fuzz TARGET|--all [--minutes N]
                                 feeds mutated files to a format's reader, importer and writers, or to all in turn, and
                                 prints executions, coverage and findings; default: ten minutes per target
cargo xtask bench                measures speed and memory and writes docs/benchmarks.md
cargo xtask bench --quick        the same with smaller inputs and fewer rounds; only prints
cargo xtask bench TEXT           only the measurements with TEXT in their names (Python, COLLADA, ...); only prints
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        [] | ["help" | "--help" | "-h", ..] => {
            print!("{HELP}");
            Ok(())
        }
        ["test"] => test::test(),
        ["bench"] => bench::bench(bench::What::All),
        ["bench", "--quick"] => bench::bench(bench::What::Quick),
        ["bench", part] => bench::bench(bench::What::Only(part)),
        ["fuzz", arguments @ ..] => fuzz::fuzz(arguments),
        ["fidelity"] => fidelity::write_page(),
        ["fidelity", "--check"] => fidelity::check(),
        ["compatibility"] => compatibility::write_page(),
        ["compatibility", "--check"] => compatibility::check(),
        ["new-format", name] => new_format::new_format(name, true),
        ["new-format", name, "--read-only"] => new_format::new_format(name, false),
        ["python"] => python::test(),
        ["blender"] => blender::package(),
        ["blender", "test"] => blender::test(),
        ["web"] => web::build().map(drop),
        ["web", "serve"] => web::serve(),
        ["web", "test"] => web::test(),
        ["examples"] => examples::write_all(),
        ["examples", "--check"] => examples::check(),
        _ => {
            eprint!("cargo xtask has no command `{}`.\n\n{HELP}", arguments.join(" "));
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("\nFAILED: {message}");
            ExitCode::FAILURE
        }
    }
}
