//! The page itself.

use super::{Counts, Ours, Row};
use std::fmt::Write;

const HEAD: &str = "\
# Compatibility

Made by `cargo xtask compatibility`; `cargo xtask test` fails if it is out of date or if a file is refused for no good reason.

The models are all .dae, .zae, .fbx, .obj, .gltf and .glb files of Assimp's own tests, as Debian packages them, beside what that
package's `assimp info` makes of them. Faces are those of all meshes, each mesh counted once; Assimp cuts polygons into triangles while
it reads, and ligament only where the target asks for it, so that the numbers may differ. Joints are the nodes that skins move (Assimp
counts them once a mesh). A refusal shows its first error, which `ligament explain` explains, and why refusing is right.
";

/// The whole page.
pub fn page(rows: &[Row], version: &str) -> String {
    let ours = rows.iter().filter(|row| matches!(row.ours, Ours::Read { .. })).count();
    let theirs = rows.iter().filter(|row| row.assimp.is_ok()).count();
    let mut page = format!(
        "{HEAD}\nOf {} models of {version}, ligament reads {ours} and Assimp reads {theirs}.\n\n\
         | model | ligament | Assimp |\n|---|---|---|\n",
        rows.len()
    );
    for row in rows {
        let theirs = match &row.assimp {
            Ok(counts) => counted(counts),
            Err(message) => format!("refused: {}", cell(message)),
        };
        let _ = writeln!(page, "| {} | {} | {theirs} |", cell(&row.file), outcome(&row.ours));
    }
    page
}

fn outcome(ours: &Ours) -> String {
    match ours {
        Ours::Read { counts, warnings, losses } => {
            let mut text = counted(counts);
            for (number, what) in [(*warnings, "warning"), (*losses, "loss")] {
                match (number, what) {
                    (0, _) => {}
                    (1, _) => text += &format!(", 1 {what}"),
                    (_, "loss") => text += &format!(", {number} losses"),
                    _ => text += &format!(", {number} {what}s"),
                }
            }
            text
        }
        Ours::Refused { code, message, reason } => {
            let why = reason.unwrap_or("**this is our bug**");
            format!("refused: {code}: {}. {why}", cell(message))
        }
    }
}

fn counted(counts: &Counts) -> String {
    let numbers = [(counts.faces, "face"), (counts.joints, "joint"), (counts.clips, "clip")];
    let words = numbers.iter().enumerate().filter(|(at, (number, _))| *at == 0 || *number > 0);
    let words =
        words.map(|(_, (number, what))| format!("{number} {what}{}", if *number == 1 { "" } else { "s" }));
    words.collect::<Vec<_>>().join(", ")
}

/// Text that does not end its cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ").replace(super::MODELS, "…")
}
