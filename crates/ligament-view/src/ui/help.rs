//! The overlay that lists every shortcut.

use super::style::palette;
use crate::event::Event;
use crate::shortcuts::{Action, GESTURES, Group, SHORTCUTS};
use crate::state::State;
use egui::{Grid, RichText, ScrollArea, Ui};

pub fn show(ctx: &egui::Context, state: &State, events: &mut Vec<Event>) {
    if !state.panels.help {
        return;
    }
    let frame = egui::Frame::popup(&ctx.global_style()).inner_margin(18.0);
    let modal = egui::Modal::new(egui::Id::unique("help")).frame(frame).show(ctx, |ui| {
        ui.label(RichText::new("Keys and mouse").heading());
        ui.add_space(6.0);
        // Small windows do not have room for all of it.
        let room = ctx.content_rect().size() - egui::vec2(64.0, 110.0);
        let area = ScrollArea::both().max_width(room.x.max(120.0)).max_height(room.y.max(80.0));
        area.show(ui, columns);
    });
    // Escape is a shortcut of its own, which has already been handled.
    if modal.backdrop_response.clicked() {
        events.push(Event::Do(Action::Help));
    }
}

fn columns(ui: &mut Ui) {
    ui.horizontal_top(|ui| {
        for column in SHORTCUTS.chunks(2) {
            ui.vertical(|ui| {
                column.iter().for_each(|group| list(ui, group));
            });
            ui.add_space(24.0);
        }
        ui.vertical(|ui| {
            ui.label(RichText::new("Mouse in the picture").strong());
            Grid::new("gestures").num_columns(1).show(ui, |ui| {
                for (gesture, text) in GESTURES {
                    ui.label(RichText::new(*gesture).monospace());
                    ui.end_row();
                    ui.label(RichText::new(*text).color(palette(ui).faint));
                    ui.end_row();
                }
            });
        });
    });
}

fn list(ui: &mut Ui, (title, shortcuts): &Group) {
    ui.label(RichText::new(*title).strong());
    Grid::new(title).num_columns(2).spacing([14.0, 2.0]).show(ui, |ui| {
        for shortcut in *shortcuts {
            ui.label(RichText::new(shortcut.keys()).monospace());
            ui.label(shortcut.text);
            ui.end_row();
        }
    });
    ui.add_space(10.0);
}
