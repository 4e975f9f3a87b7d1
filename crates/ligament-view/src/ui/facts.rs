//! The contents of the files, their diagnostics, and the losses of reading.

use super::style::palette;
use super::{materials, morphs};
use crate::event::Event;
use crate::slot::Slot;
use crate::state::State;
use crate::ui::Textures;
use egui::{CollapsingHeader, Color32, RichText, ScrollArea, Ui};
use ligament::Report;
use ligament::internal::shown;
use ligament::report::{Diagnostic, LossKind, Severity};
use ligament_render::Selected;

pub fn show(ui: &mut Ui, state: &mut State, events: &mut Vec<Event>) {
    let mut textures = std::mem::take(&mut state.textures);
    contents(ui, state, &mut textures, events);
    state.textures = textures;
}

fn contents(ui: &mut Ui, state: &State, textures: &mut Textures, events: &mut Vec<Event>) {
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        selected(ui, state);
        for (number, slot) in state.slots.iter().enumerate() {
            if let Some(frame) = state.frames.get(number).and_then(Option::as_ref) {
                let chosen = state.selected.filter(|(of, _)| *of == number).map(|(_, what)| what);
                ui.push_id(("morphs", number), |ui| {
                    morphs::list(ui, number, slot, &frame.pose, chosen, events);
                });
            }
        }
        deviation(ui, state);
        for (number, slot) in state.slots.iter().enumerate() {
            ui.add_space(4.0);
            let path = if slot.opened.is_some() { &slot.opened_path } else { &slot.path };
            ui.label(RichText::new(slot.seen_instead().unwrap_or_else(|| slot.name())).strong());
            ui.label(
                RichText::new(shown::safe(&path.display().to_string())).small().color(palette(ui).faint),
            );
            if let Some(opened) = &slot.opened {
                ui.label(&opened.format);
            }
            let chosen = state.selected.filter(|(of, _)| *of == number).map(|(_, what)| what);
            ui.push_id(number, |ui| about(ui, number, slot, chosen, textures, events));
            ui.separator();
        }
    });
}

fn about(
    ui: &mut Ui,
    number: usize,
    slot: &Slot,
    chosen: Option<Selected>,
    textures: &mut Textures,
    events: &mut Vec<Event>,
) {
    let Some(opened) = &slot.opened else { return };
    for note in slot.notes.iter() {
        ui.label(RichText::new(&note.message).color(palette(ui).warning));
    }
    let report = &opened.report;
    if !report.diagnostics().is_empty() {
        let title = format!("Diagnostics ({})", report.diagnostics().len() as u64 + report.omitted());
        CollapsingHeader::new(title).default_open(true).show(ui, |ui| diagnostics(ui, report));
    }
    if !report.losses().is_empty() {
        let title = format!("Losses ({})", report.losses().len());
        CollapsingHeader::new(title).default_open(true).show(ui, |ui| losses(ui, report));
    }
    if report.diagnostics().is_empty() && report.losses().is_empty() && slot.broken.is_none() {
        ui.label(RichText::new("no problems").color(palette(ui).good));
    }
    for (place, section) in opened.facts.iter().enumerate() {
        let header =
            CollapsingHeader::new(&section.title).default_open(place == 0 || section.rows.len() <= 6);
        header.show(ui, |ui| {
            for (name, text) in &section.rows {
                row(ui, name, text);
            }
        });
        // Below the numbers, before the longer lists.
        if place == 0 {
            materials::list(ui, number, slot, chosen, textures, events);
        }
    }
}

fn row(ui: &mut Ui, name: &str, text: &str) {
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(name).color(palette(ui).faint));
        ui.label(text);
    });
}

fn diagnostics(ui: &mut Ui, report: &Report) {
    /// More rows would only make the panel slow; the command line shows all.
    const MOST: usize = 100;
    for diagnostic in report.diagnostics().iter().take(MOST) {
        show_diagnostic(ui, diagnostic, None);
    }
    let more = (report.diagnostics().len() as u64).saturating_sub(MOST as u64) + report.omitted();
    if more > 0 {
        ui.label(RichText::new(format!("and {more} more")).color(palette(ui).faint));
    }
}

fn color(ui: &Ui, severity: Severity) -> Color32 {
    match severity {
        Severity::Error => palette(ui).error,
        Severity::Warning => palette(ui).warning,
        Severity::Note => palette(ui).faint,
    }
}

/// `warning  PF101  line 12, column 3`, the message, the line, and what to do.
pub fn show_diagnostic(ui: &mut Ui, diagnostic: &Diagnostic, line: Option<&str>) {
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(diagnostic.severity.name()).strong().color(color(ui, diagnostic.severity)));
        ui.label(RichText::new(diagnostic.code.id).monospace());
        let place = &diagnostic.place;
        if let Some((line, column)) = place.line_column {
            ui.label(RichText::new(format!("line {line}, column {column}")).strong());
        } else if let Some(span) = &place.span {
            ui.label(RichText::new(format!("byte {}", span.start)).strong());
        }
        if let Some(field) = &place.field {
            ui.label(RichText::new(shown::safe(field)).monospace());
        }
    });
    ui.label(shown::safe(&diagnostic.message));
    if let Some(line) = line {
        let text = RichText::new(line).monospace().background_color(palette(ui).code);
        // Wrapped, carets would mark something else.
        ScrollArea::horizontal().id_salt((line, diagnostic.code.id)).show(ui, |ui| {
            ui.add(egui::Label::new(text).extend());
        });
    }
    if let Some(help) = &diagnostic.help {
        ui.label(RichText::new(shown::safe(help)).color(palette(ui).good));
    }
    ui.add_space(4.0);
}

fn losses(ui: &mut Ui, report: &Report) {
    for loss in report.losses() {
        let color = match loss.kind {
            LossKind::Kept => palette(ui).good,
            LossKind::Approximated { .. } => palette(ui).warning,
            LossKind::Dropped => palette(ui).error,
        };
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new(loss.kind.name()).strong().color(color));
            ui.label(RichText::new(loss.code.id).monospace());
            ui.label(shown::safe(&loss.object));
        });
        ui.label(format!("{} ({})", shown::safe(&loss.message), loss.count));
        ui.add_space(4.0);
    }
}

fn deviation(ui: &mut Ui, state: &State) {
    if state.slots.len() < 2 {
        return;
    }
    ui.label(RichText::new("Side by side").strong());
    match &state.difference {
        None => ui.label(RichText::new("comparing…").color(palette(ui).faint)),
        Some(difference) if difference.is_empty() => ui.label("the two models share no faces to compare"),
        Some(difference) => {
            let part = shown::percent(difference.worst / difference.size.max(1e-300));
            ui.label(format!(
                "max deviation in this pose: {} ({part} of the size)",
                shown::short(difference.worst)
            ))
        }
    };
    ui.separator();
}

/// The selected object, and its current transform.
fn selected(ui: &mut Ui, state: &State) {
    let Some((number, what)) = state.selected else { return };
    let Some(slot) = state.slots.get(number) else { return };
    let kind = match what {
        Selected::Node(_) => "node",
        Selected::Mesh(_) => "mesh",
        Selected::Material(_) => "material",
    };
    ui.add_space(4.0);
    ui.label(
        RichText::new(format!("{kind} {}", slot.label(what).unwrap_or_default()))
            .strong()
            .color(palette(ui).accent),
    );
    if let Selected::Node(node) = what
        && let Some(frame) = state.frames.get(number).and_then(Option::as_ref)
        && let Some(global) = frame.pose.globals.get(node.index())
    {
        let (scale, turn, place) = global.to_scale_rotation_translation();
        let three = |v: [f64; 3]| v.map(shown::short).join("  ");
        row(ui, "position", &three(place.to_array()));
        let (y, x, z) = turn.to_euler(ligament::math::EulerRot::YXZ);
        // Adding zero makes no zero negative.
        let turned =
            [x, y, z].map(|angle| format!("{:.1}°", (angle.to_degrees() * 10.0).round() / 10.0 + 0.0));
        row(ui, "rotation", &turned.join("  "));
        row(ui, "scale", &three(scale.to_array()));
    }
    ui.separator();
}
