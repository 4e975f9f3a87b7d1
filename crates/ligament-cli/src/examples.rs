//! The examples at the end of each command's help, with extensions taken from the format table.

use ligament::formats::{FORMATS, Format};

/// Replaces `{a}` and `{b}` by two extensions, the second of a writable format, and `{id}` by the second format's id.
fn filled(text: &str) -> String {
    let first = FORMATS.first();
    let other = FORMATS.iter().skip(1).find(|f| f.writes(None)).or(first);
    let extension =
        |format: Option<&&Format>| format.and_then(|f| f.extensions.first()).copied().unwrap_or("model");
    let id = other.map_or("model", |f| f.id);
    let text = text.replace("{a}", extension(first)).replace("{b}", extension(other)).replace("{id}", id);
    format!("Examples:\n{text}")
}

pub fn top() -> String {
    filled(
        "  ligament convert mage.{a} mage.{b}
  ligament info mage.{a}     (or: ligament mage.{a})
  ligament validate *.{a}
  ligament compare mage.{a} mage.{b}
  ligament build
  ligament render mage.{a} -o mage.png
  ligament view mage.{a}

Exit codes:
  0  done
  1  a requested check failed (--strict, --max-error, --deny)
  2  wrong usage
  3  the input is invalid
  4  a file cannot be read or written, or there is no graphics driver
  5  the input needs something that ligament does not support
  130  interrupted by Ctrl-C",
    )
}

pub fn convert() -> String {
    filled(
        "  ligament convert mage.{a} mage.{b}
  ligament convert mage.{a} mage.{b} --clip walk --clip idle --max-error 0.01%
  ligament convert --strict --report mage.json mage.{a} mage.{b}
  ligament convert --textures copy --up z --scale 100 mage.{a} mage.{b}
  ligament convert mage.{a} --to {id}
  ligament convert 'art/**/*.{a}' --to {id} --out-dir assets
  ligament convert art --to {id} --out-dir assets --watch
  ligament convert - - --to {id} < mage.{a} > mage.{b}",
    )
}

pub fn rig() -> String {
    filled(
        "  ligament rig list mage.{a}
  ligament rig compare mage.{a} mage.{b}
  ligament rig map walk.{a} mage.{a} > map.toml",
    )
}

pub fn build() -> String {
    filled(
        "  ligament build
  ligament build --watch
  ligament build --config art/ligament.toml --jobs 4 --json

A ligament.toml:
  [[rule]]
  glob = \"art/**/*.{a}\"
  to = \"{id}\"
  output = \"assets/{dir}/{stem}.{ext}\"",
    )
}

pub fn init() -> String {
    "Examples:\n  ligament init\n  ligament init art && ligament build --config art/ligament.toml".to_owned()
}

pub fn info() -> String {
    filled(
        "  ligament info mage.{a}\n  ligament info models/*.{a}\n  ligament info mage.{a} --tree\n  ligament info mage.{b} --json",
    )
}

pub fn validate() -> String {
    filled(
        "  ligament validate mage.{a}
  ligament validate models/*.{a} --deny warnings
  ligament validate mage.{b} --json
  ligament validate models/*.{a} --sarif > ligament.sarif",
    )
}

pub fn compare() -> String {
    filled("  ligament compare mage.{a} mage.{b}\n  ligament compare mage.{a} mage.{b} --max-error 0.01%")
}

pub fn pose() -> String {
    filled(
        "  ligament pose mage.{a} --clip walk --at 0.5 mage-walking.{b}
  ligament pose mage.{a} --at 0 first-frame.{a}",
    )
}

#[cfg(feature = "render")]
pub fn render() -> String {
    filled(
        "  ligament render mage.{a} -o mage.png
  ligament render mage.{a} -o walk.gif --clip walk --size 320x320
  ligament render mage.{a} -o bones.png --show skeleton,names,wire --camera front
  ligament render mage.{a} -o weights.png --weights head
  ligament render mage.{a} -o clips.png --contact-sheet
  ligament render mage.{a} -o turn.png --apng --turntable 36 --background transparent
  ligament render --diff mage.{a} mage.{b} -o difference.png
  ligament render --batch models/*.{a} --out-dir thumbnails",
    )
}

#[cfg(feature = "view")]
pub fn view() -> String {
    filled(
        "  ligament view mage.{a}
  ligament view mage.{a} mage.{b}
  ligament view models/*.{a}",
    )
}

pub fn diff_driver() -> String {
    "Examples:\n  ligament diff-driver\n  ligament diff-driver --install && git diff HEAD~1".to_owned()
}

pub fn formats() -> String {
    filled("  ligament formats\n  ligament formats {id}\n  ligament formats --json")
}

pub fn explain() -> String {
    let code = ligament::report::all_codes().next().map_or("CODE", |c| c.id);
    format!("Examples:\n  ligament explain {code}\n  ligament explain --list")
}

pub fn completions() -> String {
    "Examples:
  ligament completions bash > ~/.local/share/bash-completion/completions/ligament
  ligament completions zsh > ~/.zfunc/_ligament
  ligament completions fish > ~/.config/fish/completions/ligament.fish"
        .to_owned()
}

pub fn man() -> String {
    "Examples:\n  ligament man ~/.local/share/man/man1".to_owned()
}
