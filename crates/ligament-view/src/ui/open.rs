//! The dialog that opens a file.

use super::style::palette;
use crate::event::Event;
use crate::state::State;
use egui::{RichText, ScrollArea};
use ligament::formats::FORMATS;
use ligament::internal::shown;
use std::path::{Path, PathBuf};

/// Maximum number of entries listed per folder.
const MOST: usize = 2000;

pub fn show(ctx: &egui::Context, state: &mut State, events: &mut Vec<Event>) {
    let Some(dialog) = state.panels.open.clone() else { return };
    let title = if dialog.beside { "Open beside" } else { "Open" };
    let (mut folder, mut chosen, mut is_open) = (dialog.folder.clone(), None, true);
    let middle = ctx.content_rect().center();
    let window = egui::Window::new(title).pivot(egui::Align2::CENTER_CENTER).default_pos(middle);
    window.collapsible(false).open(&mut is_open).default_size([440.0, 420.0]).show(ctx, |ui| {
        ui.horizontal(|ui| {
            if ui.button("⏶").on_hover_text("parent folder").clicked() {
                folder = above(&folder);
            }
            ui.label(shown::safe(&folder.display().to_string()));
        });
        ui.separator();
        ScrollArea::vertical().auto_shrink(false).max_height(340.0).show(ui, |ui| {
            let (folders, files) = entries(&dialog.folder);
            for path in folders {
                if ui.selectable_label(false, format!("🗁 {}", name(&path))).clicked() {
                    folder = path;
                }
            }
            for path in files {
                if ui.selectable_label(false, name(&path)).clicked() {
                    chosen = Some(path);
                }
            }
        });
        ui.label(RichText::new("showing supported files only").small().color(palette(ui).faint));
    });
    if let Some(path) = chosen {
        is_open = false;
        events.push(if dialog.beside { Event::OpenBeside(path) } else { Event::Open(vec![path]) });
    }
    state.panels.open = is_open.then_some(crate::event::OpenDialog { folder, ..dialog });
}

fn name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| shown::safe(&name.to_string_lossy()))
}

fn above(folder: &Path) -> PathBuf {
    let full = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    full.parent().unwrap_or(&full).to_owned()
}

/// The folders and the files of known formats in a folder, by name.
fn entries(folder: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return (Vec::new(), Vec::new()) };
    let is_hidden =
        |path: &Path| path.file_name().is_none_or(|name| name.as_encoded_bytes().first() == Some(&b'.'));
    let paths = entries.flatten().map(|entry| entry.path()).filter(|path| !is_hidden(path));
    let (mut folders, mut files): (Vec<_>, Vec<_>) = paths.take(MOST).partition(|path| path.is_dir());
    files.retain(|path| is_known(path));
    folders.sort();
    files.sort();
    (folders, files)
}

/// Whether a file's extension is one of a format's.
fn is_known(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let mut all = FORMATS.iter().flat_map(|format| format.extensions);
    all.any(|extension| name.strip_suffix(extension).is_some_and(|stem| stem.ends_with('.')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_of_the_table_is_listed() {
        for format in FORMATS {
            for extension in format.extensions {
                let name = format!("Model.{}", extension.to_uppercase());
                assert!(is_known(Path::new(&name)), "{name}");
            }
        }
        assert!(!is_known(Path::new("notes.txt")) && !is_known(Path::new("glb")));
    }
}
