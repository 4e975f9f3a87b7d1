//! The panels. They read the state and send events; they decide nothing.

mod bar;
mod convert;
mod error;
mod facts;
mod gizmo;
mod help;
mod keys;
mod materials;
mod morphs;
mod open;
mod style;
mod textures;
mod time;
mod tree;
mod view;
mod welcome;

pub use style::{apply as apply_style, of_theme};
pub use textures::Textures;

use crate::event::Event;
use crate::shortcuts::{self, Action};
use crate::state::State;
use egui::{CentralPanel, Panel, TextureId, ThemePreference, Ui};

/// Lays out all panels and collects their events. `layers` are the textures that the models are drawn into.
pub fn show(root: &mut Ui, state: &mut State, layers: [TextureId; 2]) {
    let mut events = keys(root.ctx());
    let wanted = match state.theme {
        None => ThemePreference::System,
        Some(true) => ThemePreference::Dark,
        Some(false) => ThemePreference::Light,
    };
    root.ctx().set_theme(wanted);
    let is_dark = root.ctx().theme() == egui::Theme::Dark;
    if is_dark != state.is_dark {
        events.push(Event::Dark(is_dark));
    }
    events.extend(dropped(root.ctx()));
    Panel::top("bar").show(root, |ui| bar::show(ui, state, &mut events));
    // Without a model, panels have nothing to show.
    let is_open = state.slots.iter().any(|slot| slot.opened.is_some());
    if is_open {
        Panel::bottom("time").show(root, |ui| time::show(ui, state, &mut events));
    }
    if is_open && state.panels.keys {
        Panel::bottom("keys").resizable(true).default_size(210.0).size_range(90.0..=600.0).show(root, |ui| {
            keys::show(ui, state, &mut events);
        });
    }
    if is_open && state.panels.tree {
        Panel::left("tree").default_size(250.0).size_range(160.0..=500.0).show(root, |ui| {
            tree::show(ui, state, &mut events);
        });
    }
    if is_open && state.convert.is_some() {
        Panel::right("convert").default_size(360.0).size_range(260.0..=640.0).show(root, |ui| {
            convert::show(ui, state, &mut events);
        });
    } else if is_open && state.panels.facts {
        Panel::right("facts").default_size(290.0).size_range(180.0..=600.0).show(root, |ui| {
            facts::show(ui, state, &mut events);
        });
    }
    CentralPanel::no_frame().show(root, |ui| view::show(ui, state, layers, &mut events));
    help::show(root.ctx(), state, &mut events);
    open::show(root.ctx(), state, &mut events);
    materials::window(root.ctx(), state, &mut events);
    state.textures.tidy();
    events.into_iter().for_each(|event| state.update(event));
}

/// Actions of pressed keys, unless a text field has the focus.
fn keys(ctx: &egui::Context) -> Vec<Event> {
    if ctx.egui_wants_keyboard_input() {
        return Vec::new();
    }
    let find = |event: &egui::Event| match event {
        egui::Event::Key { key, pressed: true, repeat, modifiers, .. } => {
            let action = shortcuts::find(*key, *modifiers)?;
            (!repeat || goes_on(action)).then_some(Event::Do(action))
        }
        _ => None,
    };
    ctx.input(|input| input.events.iter().filter_map(find).collect())
}

/// Whether an action repeats while its key is held.
fn goes_on(action: Action) -> bool {
    use Action::{FrameBackwards, FrameForwards, NextClip, NextFile, NextKey};
    use Action::{PreviousClip, PreviousFile, PreviousKey};
    matches!(
        action,
        FrameForwards
            | FrameBackwards
            | NextKey
            | PreviousKey
            | NextClip
            | PreviousClip
            | NextFile
            | PreviousFile
    )
}

/// Files that were dropped onto the window.
fn dropped(ctx: &egui::Context) -> Option<Event> {
    let paths: Vec<_> =
        ctx.input(|input| input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect());
    (!paths.is_empty()).then_some(Event::Open(paths))
}

/// A button for an action, with its key in the tip.
fn button(ui: &mut Ui, text: &str, action: Action, events: &mut Vec<Event>) {
    if tipped(ui.button(text), action).clicked() {
        events.push(Event::Do(action));
    }
}

/// A button that shows whether something is on.
fn toggle(ui: &mut Ui, text: &str, state: &State, action: Action, events: &mut Vec<Event>) {
    if tipped(ui.add(egui::Button::selectable(state.is_on(action), text).frame_when_inactive(true)), action)
        .clicked()
    {
        events.push(Event::Do(action));
    }
}

fn tipped(response: egui::Response, action: Action) -> egui::Response {
    match shortcuts::of(action) {
        Some(shortcut) => response.on_hover_text(format!("{} ({})", shortcut.text, shortcut.keys())),
        None => response,
    }
}
