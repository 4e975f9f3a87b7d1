//! `ligament view`: opens a window.

use super::new_report;
use crate::args::ViewArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::input::{Input, is_stream};
use crate::render::{report, style};
use ligament::Failure;
use ligament::report::{Diagnostic, Place, Severity, drawing};
use ligament_view::{Options, ViewError};
use std::path::Path;

pub fn run(args: &ViewArgs, console: &mut Console) -> Exit {
    super::render::keep_driver_quiet();
    if args.files.iter().any(|file| is_stream(file)) {
        let message = "the viewer reloads its files when they change, which is impossible with standard input; name a file";
        console.err(&format!("{}: {message}\n", style::error("error")));
        return Exit::Usage;
    }
    let options = Options {
        files: args.files.clone(),
        read: args.read.options(),
        size: args.size,
        pictures: args.pictures.clone(),
        log: args.log_state.clone(),
    };
    match ligament_view::run(options) {
        Ok(()) => Exit::Done,
        Err(error) => {
            let mut own = new_report(&args.read.options());
            own.push(diagnostic(&error));
            let first = args.files.first().map_or(Path::new(""), |file| file);
            console.err(&report::failure(&own, &Input::new(first)));
            Failure::Io.into()
        }
    }
}

fn diagnostic(error: &ViewError) -> Diagnostic {
    match error {
        ViewError::Render(error) => error.diagnostic(),
        ViewError::NoDisplay(_) => {
            Diagnostic::new(Severity::Error, &drawing::NO_DISPLAY, Place::WHOLE, error.to_string()).help(
                "start it in a graphical session, or set DISPLAY or WAYLAND_DISPLAY; `ligament render` draws \
                 pictures without a screen",
            )
        }
    }
}
