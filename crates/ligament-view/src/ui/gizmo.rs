//! The axes in the corner of the picture; a click on one looks along it.

use super::style::palette;
use crate::event::Event;
use crate::shortcuts::{self, Action};
use crate::state::State;
use egui::{Align2, Color32, FontId, Pos2, Rect, Role, Sense, Stroke, Ui, WidgetInfo, vec2};
use ligament::math::DVec3;

/// The length of an axis, and the radius of its end.
const LENGTH: f32 = 30.0;
const END: f32 = 9.0;

/// Axes with their colours and what a click does.
const AXES: [(DVec3, &str, Color32, Action); 6] = [
    (DVec3::X, "X", Color32::from_rgb(214, 64, 64), Action::Side),
    (DVec3::Y, "Y", Color32::from_rgb(66, 150, 70), Action::Top),
    (DVec3::Z, "Z", Color32::from_rgb(64, 110, 220), Action::Front),
    (DVec3::NEG_X, "-X", Color32::from_rgb(214, 64, 64), Action::Left),
    (DVec3::NEG_Y, "-Y", Color32::from_rgb(66, 150, 70), Action::Below),
    (DVec3::NEG_Z, "-Z", Color32::from_rgb(64, 110, 220), Action::Back),
];

pub fn show(ui: &mut Ui, state: &State, rect: Rect, events: &mut Vec<Event>) {
    if rect.width() < 160.0 || rect.height() < 160.0 {
        return;
    }
    let Some(axes) = state.frames.iter().flatten().next().map(|frame| frame.axes()) else { return };
    let center = rect.right_top() + vec2(-LENGTH - END - 12.0, LENGTH + END + 12.0);
    let placed = AXES.map(|(axis, name, color, action)| {
        let (x, y, depth) = (axes.x_axis.dot(axis), axes.y_axis.dot(axis), axes.z_axis.dot(axis));
        (center + vec2(x as f32, -y as f32) * LENGTH, depth, name, color, action)
    });
    let mut order = placed;
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    for (at, _, name, color, action) in order {
        let own = Rect::from_center_size(at, vec2(END * 2.0, END * 2.0));
        let response = ui.interact(own, ui.scope_id().with(("axis", name)), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("look from {name}")));
        let (is_front, painter) = (!name.starts_with('-'), ui.painter());
        let lit = response.hovered() || response.has_focus();
        if is_front {
            painter.line_segment([center, at], Stroke::new(2.0, color));
        }
        let ground = palette(ui).background;
        let ground = Color32::from_rgb(ground[0], ground[1], ground[2]);
        let fill = if is_front || lit { color } else { ground.lerp_to_gamma(color, 0.25) };
        painter.circle(at, END - 1.0, fill, Stroke::new(1.0, color));
        if is_front || lit {
            label(ui, at, name);
        }
        let text = shortcuts::of(action).map_or_else(String::new, |s| format!("{} ({})", s.text, s.keys()));
        if response.on_hover_text(text).clicked() {
            events.push(Event::Do(action));
        }
    }
}

fn label(ui: &Ui, at: Pos2, name: &str) {
    ui.painter().text(at, Align2::CENTER_CENTER, name, FontId::proportional(12.0), Color32::WHITE);
}
