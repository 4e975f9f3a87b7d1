//! `bindgen INPUT.wasm FOLDER`: makes the JavaScript around the library's WebAssembly, as `wasm-bindgen` does. A program of
//! our own has the version of the lock file, and builds in a fraction of the time.

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(input), Some(folder)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: bindgen INPUT.wasm FOLDER");
        return ExitCode::from(2);
    };
    let made = Bindgen::new().input_path(input).web(true).and_then(|bindgen| {
        // After a trap, the state is thrown away and made anew.
        bindgen
            .typescript(true)
            .remove_name_section(true)
            .remove_producers_section(true)
            .reset_state_function(true)
            .out_name("ligament")
            .generate(folder)
    });
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:?}");
            ExitCode::FAILURE
        }
    }
}
