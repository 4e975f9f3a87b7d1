//! The card that says why a file cannot be read.

use super::button;
use super::facts::show_diagnostic;
use super::style::palette;
use crate::event::Event;
use crate::shortcuts::Action;
use crate::slot::Slot;
use egui::{CornerRadius, Frame, RichText, ScrollArea, Stroke, Ui};
use ligament::report::Severity;

/// Diagnostics on a card; the copied text has all of them.
const MOST: usize = 5;

/// Shows the card of a file, if it cannot be read.
pub fn card(ui: &mut Ui, slot: &Slot, events: &mut Vec<Event>) {
    let Some(broken) = &slot.broken else { return };
    let frame = Frame::new()
        .fill(palette(ui).card)
        .stroke(Stroke::new(1.0, palette(ui).error))
        .corner_radius(CornerRadius::same(6))
        .inner_margin(12.0);
    frame.show(ui, |ui| {
        ui.label(RichText::new(format!("{} cannot be read", slot.name())).strong().color(palette(ui).error));
        let all = broken.report.diagnostics();
        ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
            let lines = broken.lines.iter().map(Option::as_deref).chain(std::iter::repeat(None));
            let mut errors_first: Vec<_> = all.iter().zip(lines).collect();
            errors_first.sort_by_key(|(diagnostic, _)| diagnostic.severity != Severity::Error);
            for (diagnostic, line) in errors_first.into_iter().take(MOST) {
                show_diagnostic(ui, diagnostic, line);
            }
            let more = (all.len() as u64).saturating_sub(MOST as u64) + broken.report.omitted();
            if more > 0 {
                ui.label(RichText::new(format!("and {more} more")).color(palette(ui).faint));
            }
            let first = all.iter().find(|d| d.severity == Severity::Error);
            if let Some(first) = first {
                ui.label(RichText::new("What to do").strong());
                ui.label(first.code.fix).on_hover_text(first.code.explanation);
            }
        });
        if let Some(other) = slot.seen_instead() {
            ui.label(RichText::new(format!("Still showing {other}")).color(palette(ui).faint));
        } else if slot.opened.is_some() {
            ui.label(RichText::new("Showing the last version that loaded").color(palette(ui).faint));
        }
        ui.horizontal(|ui| {
            button(ui, "Try again", Action::Reload, events);
            button(ui, "Open another…", Action::Open, events);
            if ui.button("Copy").on_hover_text("copy all messages as text").clicked() {
                ui.ctx().copy_text(broken.text());
            }
        });
    });
}
