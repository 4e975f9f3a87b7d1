//! The menus, and the names of the files.

use super::style::palette;
use super::{button, tipped};
use crate::event::Event;
use crate::layers::Arrangement;
use crate::shortcuts::{self, Action, SHORTCUTS};
use crate::state::State;
use egui::{MenuBar, RichText, Ui};
use ligament::internal::shown;

pub fn show(ui: &mut Ui, state: &State, events: &mut Vec<Event>) {
    MenuBar::new().ui(ui, |ui| {
        ui.menu_button("File", |ui| {
            let all = [
                Action::Open,
                Action::OpenBeside,
                Action::CloseSecond,
                Action::Convert,
                Action::Reload,
                Action::Picture,
                Action::WindowPicture,
            ];
            all.into_iter().for_each(|action| item(ui, state, action, events));
            ui.separator();
            recent(ui, state, events);
            if ui.button("Example").clicked() {
                events.push(Event::Example);
                ui.close();
            }
            ui.separator();
            item(ui, state, Action::Quit, events);
        });
        for (title, actions) in SHORTCUTS.iter().take(3) {
            ui.menu_button(*title, |ui| {
                actions.iter().for_each(|shortcut| item(ui, state, shortcut.action, events));
                if *title == "Camera" {
                    cameras(ui, state, events);
                }
            });
        }
        ui.menu_button("Panels", |ui| {
            for action in
                [Action::TreePanel, Action::FactsPanel, Action::KeysPanel, Action::Theme, Action::Help]
            {
                item(ui, state, action, events);
            }
        });
        button(ui, "Help", Action::Help, events);
        ui.separator();
        names(ui, state);
        arrangements(ui, state, events);
    });
}

fn item(ui: &mut Ui, state: &State, action: Action, events: &mut Vec<Event>) {
    let Some(shortcut) = shortcuts::of(action) else { return };
    // What is on has a mark.
    let mark = if state.is_on(action) { "✔ " } else { "" };
    let text = format!("{mark}{}", capitalised(shortcut.text));
    let button = egui::Button::new(text).shortcut_text(shortcut.keys());
    if ui.add(button).clicked() {
        events.push(Event::Do(action));
        ui.close();
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn recent(ui: &mut Ui, state: &State, events: &mut Vec<Event>) {
    let files = state.recent.files();
    ui.add_enabled_ui(!files.is_empty(), |ui| {
        ui.menu_button("Recent files", |ui| {
            for file in files {
                let text = shown::safe(&file.display().to_string());
                if ui.button(text).clicked() {
                    events.push(Event::Open(vec![file.clone()]));
                    ui.close();
                }
            }
        });
    });
}

fn cameras(ui: &mut Ui, state: &State, events: &mut Vec<Event>) {
    let Some(scene) = state.slots.first().and_then(|slot| slot.scene()) else { return };
    for camera in state.cameras() {
        let text = format!("Through {}", shown::safe(&scene.node_label(camera)));
        if ui.selectable_label(state.orbit.through == Some(camera), text).clicked() {
            events.push(Event::LookThrough(Some(camera)));
            ui.close();
        }
    }
}

/// How two models share the picture.
fn arrangements(ui: &mut Ui, state: &State, events: &mut Vec<Event>) {
    if state.slots.len() < 2 {
        return;
    }
    ui.separator();
    for arrangement in Arrangement::ALL {
        let label = ui.selectable_label(state.layers.arrangement == arrangement, arrangement.name());
        if tipped(label, Action::Arrange).clicked() {
            events.push(Event::Arrange(arrangement));
        }
    }
    if state.layers.arrangement == Arrangement::Overlay {
        let mut mix = state.layers.mix;
        let slider = ui.add(egui::Slider::new(&mut mix, 0.0..=1.0).show_value(false));
        if slider.on_hover_text("how much of the second model is seen").changed() {
            events.push(Event::Mix(mix));
        }
    }
}

/// `mage.pfobj   PFOBJ   3 warnings`.
fn names(ui: &mut Ui, state: &State) {
    for slot in &state.slots {
        let name = RichText::new(slot.name()).strong();
        ui.label(if slot.broken.is_some() { name.color(palette(ui).error) } else { name });
        match (&slot.opened, slot.loading) {
            (_, Some(_)) => {
                ui.label(RichText::new("reading…").color(palette(ui).faint));
            }
            (Some(opened), None) if slot.broken.is_none() => {
                ui.label(RichText::new(&opened.format).color(palette(ui).faint));
            }
            _ => {}
        }
        ui.add_space(10.0);
    }
    let (paths, at) = &state.queue;
    if paths.len() > 2 {
        ui.label(RichText::new(format!("{} of {}", at + 1, paths.len())).color(palette(ui).faint));
    }
}
