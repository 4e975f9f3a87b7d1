//! `ligament build`: converts everything matched by a `ligament.toml`.

use super::new_report;
use crate::args::BuildArgs;
use crate::batch;
use crate::config;
use crate::console::Console;
use crate::exit::Exit;
use crate::input::Input;
use crate::render::report;
use ligament::formats::ReadOptions;
use std::path::Path;

pub fn run(args: &BuildArgs, console: &mut Console) -> Exit {
    let folder = args.config.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut planner = |cache: &batch::Cache, console: &mut Console| {
        let mut found = new_report(&ReadOptions::default());
        let wanted =
            config::Wanted { keep_existing: args.tell.keep_existing(), allow_outside: args.allow_outside };
        let planned = config::plan(&args.config, wanted, cache, &mut found);
        planned.map_err(|failure| {
            console.err(&report::failure(&found, &Input::new(&args.config)));
            failure.into()
        })
    };
    batch::run(&args.run, &args.tell, Some(folder), Some(&args.config), &mut planner, console)
}
