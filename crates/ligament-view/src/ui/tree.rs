//! The contents of the files as a tree, with boxes to show and hide objects.

use super::style::palette;
use super::toggle;
use crate::event::{Cover, Event};
use crate::outline::Row;
use crate::shortcuts::Action;
use crate::state::State;
use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Color32, FontId, RichText, ScrollArea, TextStyle, Ui};

/// The toggles, in groups, in the words of `ligament render --show`.
const SHOWN: &[(&str, &[(&str, Action)])] = &[
    (
        "Skeleton",
        &[
            ("bones", Action::Skeleton),
            ("names", Action::Names),
            ("axes", Action::Axes),
            ("weights", Action::Weights),
            ("all weights", Action::AllWeights),
            ("influences", Action::Influences),
        ],
    ),
    (
        "Surface",
        &[
            ("wire", Action::Wire),
            ("normals", Action::Normals),
            ("tangents", Action::Tangents),
            ("uv", Action::Uv),
            ("flat", Action::Flat),
            ("back faces", Action::TwoSided),
        ],
    ),
    ("Scene", &[("grid", Action::Grid), ("shadow", Action::Shadow), ("bounds", Action::Bounds)]),
];

pub fn show(ui: &mut Ui, state: &mut State, events: &mut Vec<Event>) {
    ui.add_space(4.0);
    for (title, toggles) in SHOWN {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            ui.label(RichText::new(*title).color(palette(ui).faint));
            for (text, action) in *toggles {
                toggle(ui, text, state, *action, events);
            }
        });
    }
    ui.horizontal_wrapped(|ui| {
        if state.cover == Cover::Influences {
            let mut most = state.most_influences;
            ui.label("more than");
            if ui.add(egui::DragValue::new(&mut most).range(0..=64)).changed() {
                events.push(Event::Influences(most));
            }
        }
        if state.slots.iter().any(|slot| !slot.trial.is_empty()) {
            super::button(ui, "undo by hand", Action::ResetPose, events);
        }
        if state.slots.len() > 1 {
            toggle(ui, "deviation", state, Action::Deviation, events);
        }
    });
    ui.separator();
    ui.horizontal(|ui| {
        ui.label(RichText::new("find").color(palette(ui).faint));
        ui.add(egui::TextEdit::singleline(&mut state.panels.filter).desired_width(f32::INFINITY));
    });
    let wanted = std::mem::take(&mut state.panels.scroll_to_selected);
    let share = ui.available_height() / state.slots.len().max(1) as f32;
    for number in 0..state.slots.len() {
        if state.slots.len() > 1 {
            ui.label(RichText::new(state.slots[number].name()).strong());
        }
        let scroll = wanted && state.selected.is_some_and(|(of, _)| of == number);
        rows(ui, state, number, share - 30.0, scroll, events);
    }
}

fn rows(ui: &mut Ui, state: &mut State, number: usize, height: f32, scroll: bool, events: &mut Vec<Event>) {
    let slot = &state.slots[number];
    let seen = slot.outline.seen(&slot.folded, &state.panels.filter);
    let row_height = ui.spacing().interact_size.y;
    let mut area =
        ScrollArea::both().id_salt(("rows", number)).max_height(height.max(60.0)).auto_shrink(false);
    let selected = state.selected.filter(|(of, _)| *of == number);
    if let Some((_, what)) = selected.filter(|_| scroll)
        && let Some(at) =
            seen.iter().position(|&row| slot.outline.row(row).and_then(|r| r.what) == Some(what))
    {
        // The row may be outside the visible part, where nothing is laid out to scroll to.
        let step = row_height + ui.spacing().item_spacing.y;
        area = area.vertical_scroll_offset((at as f32 * step - height * 0.4).max(0.0));
    }
    let mut folded = None;
    area.show_rows(ui, row_height, seen.len(), |ui, range| {
        for &row_number in seen.get(range).unwrap_or_default() {
            let Some(row) = slot.outline.row(row_number) else { continue };
            let is_folded = slot.folded.contains(&row_number);
            if show_row(ui, state, number, row, is_folded, events) {
                folded = Some(row_number);
            }
        }
    });
    if let Some(row) = folded {
        let slot = &mut state.slots[number];
        if !slot.folded.remove(&row) {
            slot.folded.insert(row);
        }
    }
}

/// A row's name. Of a prefix that most joints share only a dimmed trace is left, so that what differs is seen in a narrow
/// panel.
fn name(ui: &Ui, row: &Row, prefix: &str, visible: bool, font: FontId) -> LayoutJob {
    let color = |seen: bool| if seen { Color32::PLACEHOLDER } else { palette(ui).faint };
    let format = |color| TextFormat { font_id: font.clone(), color, ..TextFormat::default() };
    let mut job = LayoutJob::default();
    match row.label.strip_prefix(prefix).filter(|rest| !prefix.is_empty() && !rest.is_empty()) {
        Some(rest) => {
            job.append("…", 0.0, format(color(false)));
            job.append(rest, 0.0, format(color(visible)));
        }
        None => job.append(&row.label, 0.0, format(color(visible))),
    }
    job
}

/// Shows a row. Returns whether it was folded or unfolded.
fn show_row(
    ui: &mut Ui,
    state: &State,
    number: usize,
    row: &Row,
    is_folded: bool,
    events: &mut Vec<Event>,
) -> bool {
    let mut fold = false;
    ui.horizontal(|ui| {
        ui.set_min_height(ui.spacing().interact_size.y);
        ui.add_space(row.depth as f32 * 12.0);
        if row.below > 0 {
            let arrow = if is_folded { "⏵" } else { "⏷" };
            fold = ui.add(egui::Button::new(arrow).frame(false).small()).clicked();
        } else {
            ui.add_space(18.0);
        }
        let Some(what) = row.what else {
            ui.label(RichText::new(&row.label).strong());
            return;
        };
        let slot = &state.slots[number];
        let mut visible = !slot.hidden.contains(what);
        if ui.checkbox(&mut visible, "").on_hover_text("shown or hidden (H)").changed() {
            events.push(Event::Hide(number, what, !visible));
        }
        let response = ui.selectable_label(
            state.selected == Some((number, what)),
            name(ui, row, &slot.prefix, visible, TextStyle::Button.resolve(ui.style())),
        );
        let response = response.on_hover_text(&row.label);
        if response.clicked() {
            events.push(Event::Select(number, what));
        }
        if response.double_clicked() {
            events.push(Event::Do(Action::FitSelected));
        }
        if !row.kind.is_empty() {
            ui.with_layout(egui::Layout::left_to_right(Align::Center), |ui| {
                ui.label(RichText::new(row.kind).small().color(palette(ui).faint));
            });
        }
    });
    fold
}
