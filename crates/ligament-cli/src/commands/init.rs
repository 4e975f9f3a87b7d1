//! `ligament init`: writes a `ligament.toml` to start from.

use crate::args::InitArgs;
use crate::batch;
use crate::console::Console;
use crate::exit::Exit;
use crate::render::style;
use ligament::formats::FORMATS;
use std::fs::File;
use std::io::{ErrorKind, Write};

/// The file's name.
const NAME: &str = "ligament.toml";

pub fn run(args: &InitArgs, console: &mut Console) -> Exit {
    let path = args.folder.join(NAME);
    let shown = path.display().to_string();
    let written = std::fs::create_dir_all(&args.folder)
        .and_then(|()| File::create_new(&path))
        .and_then(|mut file| file.write_all(template().as_bytes()));
    match written {
        Ok(()) => {
            let shown = style::safe(&shown);
            console.out(&format!("{shown} written; edit its rules, then run `ligament build`\n"));
            Exit::Done
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            batch::complain(Exit::Io, format!("{shown} exists already; it is not replaced"), console)
        }
        Err(error) => batch::complain(Exit::Io, format!("{shown}: cannot write: {error}"), console),
    }
}

/// The rules with explanations. The formats are taken from the table.
pub fn template() -> String {
    let written: Vec<_> =
        FORMATS.iter().filter(|format| format.writes(None)).map(|format| format.id).collect();
    let extensions =
        FORMATS.iter().flat_map(|format| format.extensions).copied().collect::<Vec<_>>().join(",");
    format!(
        "# Rules for `ligament build`. Paths are relative to the folder of this file.
# `ligament build --watch` repeats on every save; docs/folders.md explains everything.

[[rule]]
# Which files: a pattern, or a list of patterns. `*` matches within a folder, `**` across folders.
glob = \"art/**/*.{{{extensions}}}\"
# Files that are left out.
exclude = \"art/old/**\"
# The target format: {written}.
to = \"{to}\"
# Where the results go. {{dir}} is the part of the path that ** matched, {{stem}} the name without extension, {{ext}} the target's extension.
output = \"assets/{{dir}}/{{stem}}.{{ext}}\"

# Options of `ligament convert` under the same names, for example:
# max-error = \"0.1%\"      # fail if a vertex is off by more than this part of the model's size
# strict = true            # fail if anything is approximated or dropped
# clip = [\"walk\", \"idle\"] # keep only these clips
# fps = 60                 # for formats that store frames

# A file may match several rules.
# [[rule]]
# glob = \"art/**/*.glb\"
# to = \"obj\"
# output = \"previews/{{dir}}/{{stem}}.{{ext}}\"
",
        written = written.join(", "),
        to = written.first().copied().unwrap_or_default(),
    )
}
