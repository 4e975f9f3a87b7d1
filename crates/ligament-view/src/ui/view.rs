//! The picture, and the mouse on it.

use super::error::card;
use super::style::palette;
use super::{gizmo, welcome};
use crate::event::Event;
use crate::state::State;
use egui::{Align2, Color32, CursorIcon, FontId, PointerButton, Pos2, Rect, Sense, TextureId, Ui};
use ligament_render::Hit;

/// Degrees for a drag across a whole view.
const TURN: f64 = 240.0;

pub fn show(ui: &mut Ui, state: &mut State, layers: [TextureId; 2], events: &mut Vec<Event>) {
    let pixels = ui.ctx().pixels_per_point();
    let rect = on_pixels(ui.available_rect_before_wrap(), pixels);
    let response = ui.allocate_rect(rect, Sense::click_and_drag());
    let names: Vec<String> = state.slots.iter().map(|slot| slot.name()).collect();
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::Image, true, format!("picture of {}", names.join(" and ")))
    });
    let size = [rect.width(), rect.height()].map(|v| (v * pixels).round().max(1.0) as u32);
    if size != state.size {
        events.push(Event::Resize(size));
    }
    let [r, g, b, _] = state.look.background;
    ui.painter().rect_filled(rect, 0.0, Color32::from_rgb(r, g, b));
    if state.slots.iter().any(|slot| slot.opened.is_some()) {
        let whole = Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0));
        ui.painter().image(layers[0], rect, whole, Color32::WHITE);
        if let Some(opacity) = state.opacity() {
            let tint = Color32::from_white_alpha((opacity * 255.0).round() as u8);
            ui.painter().image(layers[1], rect, whole, tint);
        }
        hand(ui, state, &response, rect, pixels, events);
        gizmo::show(ui, state, rect, events);
        cards(ui, state, rect, events);
    } else if state.is_empty() {
        welcome::show(ui, state, rect, events);
    }
    over(ui, state, rect);
}

/// A rectangle whose edges are on pixels, so that the picture is not resampled.
fn on_pixels(rect: Rect, pixels: f32) -> Rect {
    let round = |v: f32| (v * pixels).round() / pixels;
    Rect::from_min_max(
        Pos2::new(round(rect.min.x), round(rect.min.y)),
        Pos2::new(round(rect.max.x), round(rect.max.y)),
    )
}

fn hand(ui: &Ui, state: &State, response: &egui::Response, rect: Rect, pixels: f32, events: &mut Vec<Event>) {
    let shift = ui.input(|input| input.modifiers.shift);
    let height = f64::from(rect.height().max(1.0));
    let [x, y] = [response.drag_delta().x, response.drag_delta().y].map(f64::from);
    let sideways = response.dragged_by(PointerButton::Secondary)
        || response.dragged_by(PointerButton::Middle)
        || (response.dragged_by(PointerButton::Primary) && shift);
    if sideways {
        events.push(Event::Pan(x / height, y / height));
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    } else if response.dragged_by(PointerButton::Primary) {
        // A drag that begins on a joint turns the joint.
        let from = ui.input(|input| input.pointer.press_origin()).filter(|_| response.drag_started());
        let at = from.map(|from| (from - rect.min) * pixels);
        let grabbed = at.and_then(|at| match state.hit([at.x, at.y]) {
            Some((slot, Hit::Joint(joint))) => Some((slot, joint)),
            _ => None,
        });
        if grabbed.is_some() {
            events.push(Event::Grab(grabbed));
        }
        if (x, y) != (0.0, 0.0) {
            let (around, above) = (x / height * TURN, y / height * TURN);
            let holds = grabbed.or(state.held).is_some();
            events.push(if holds { Event::Bend(around, above) } else { Event::Turn(-around, above) });
        }
    }
    if response.drag_stopped() {
        events.push(Event::Grab(None));
    }
    if response.contains_pointer() {
        let (scrolled, pinched) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        let factor = f64::from(pinched) * (f64::from(scrolled) * 0.005).exp();
        if factor != 1.0 {
            events.push(Event::Zoom(factor));
        }
    }
    if let Some(pointer) = response.interact_pointer_pos().filter(|_| response.clicked()) {
        let at = (pointer - rect.min) * pixels;
        events.push(Event::Click([at.x, at.y], response.double_clicked()));
    }
    if state.clock.playing {
        ui.ctx().request_repaint();
    }
}

/// Errors, over the picture.
fn cards(ui: &Ui, state: &State, rect: Rect, events: &mut Vec<Event>) {
    let mut top = rect.min + egui::vec2(12.0, 12.0);
    for slot in &state.slots {
        if slot.broken.is_none() {
            continue;
        }
        let area = egui::Area::new(egui::Id::unique(("broken", &slot.path))).fixed_pos(top);
        let shown = area.show(ui.ctx(), |ui| {
            ui.set_max_width((rect.width() - 60.0).clamp(120.0, 560.0));
            card(ui, slot, events);
        });
        top.y += shown.response.rect.height() + 8.0;
    }
}

/// Progress and messages, over the picture.
fn over(ui: &Ui, state: &State, rect: Rect) {
    let corner = rect.right_bottom() + egui::vec2(-12.0, -12.0);
    if let Some((message, _)) = &state.message {
        let color = if message.is_error { palette(ui).error } else { palette(ui).text };
        let galley = ui.painter().layout(
            message.text.clone(),
            FontId::proportional(14.0),
            color,
            (rect.width() - 60.0).max(100.0),
        );
        let size = galley.size() + egui::vec2(16.0, 10.0);
        let back = Rect::from_min_size(corner - size, size);
        ui.painter().rect_filled(back, 5.0, palette(ui).window);
        ui.painter().galley(back.min + egui::vec2(8.0, 5.0), galley, color);
    }
    if state.is_working() && !state.is_empty() {
        let at = rect.right_top() + egui::vec2(-104.0, 12.0);
        ui.painter().text(at, Align2::RIGHT_TOP, "working…", FontId::proportional(14.0), palette(ui).faint);
    }
}
