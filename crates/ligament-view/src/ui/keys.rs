//! The keys of a clip as rows, and the curves of the selected node, over a stretch of time that can be zoomed.

use super::style::palette;
use crate::event::Event;
use crate::sheet::{KeyRow, step};
use crate::shortcuts::Action;
use crate::state::State;
use egui::{
    Align2, Color32, FontId, PointerButton, Pos2, Rect, Response, RichText, ScrollArea, Sense, Shape, Stroke,
    Ui, UiBuilder, vec2,
};
use ligament::internal::shown;
use ligament_render::Selected;

/// The width of the rows' names, and the height of a row.
const NAMES: f32 = 150.0;
const ROW: f32 = 18.0;
/// The height of the ruler.
const RULER: f32 = 18.0;

/// The colours of components: those of axes first.
const COLORS: [Color32; 6] = [
    Color32::from_rgb(200, 50, 50),
    Color32::from_rgb(40, 140, 60),
    Color32::from_rgb(50, 90, 210),
    Color32::from_rgb(150, 80, 170),
    Color32::from_rgb(180, 120, 20),
    Color32::from_rgb(20, 140, 150),
];

/// From seconds to pixels.
#[derive(Clone, Copy)]
struct Scale {
    from: f64,
    to: f64,
    left: f32,
    right: f32,
}

impl Scale {
    fn x(&self, time: f64) -> f32 {
        let part = (time - self.from) / (self.to - self.from).max(1e-12);
        self.left + (self.right - self.left) * part as f32
    }

    fn time(&self, x: f32) -> f64 {
        let part = f64::from((x - self.left) / (self.right - self.left).max(1.0));
        self.from + (self.to - self.from) * part
    }

    fn seconds_per_pixel(&self) -> f64 {
        (self.to - self.from) / f64::from((self.right - self.left).max(1.0))
    }
}

pub fn show(ui: &mut Ui, state: &mut State, events: &mut Vec<Event>) {
    let Some(sheet) = state.sheet() else {
        ui.label(RichText::new("choose a clip to see its keys").color(palette(ui).faint));
        ui.allocate_space(ui.available_size());
        return;
    };
    head(ui, state, events);
    let rect = ui.available_rect_before_wrap();
    let [from, to] = state.span.ends(state.clock.duration());
    let scale = Scale { from, to, left: rect.left() + NAMES, right: rect.right() - 8.0 };
    let chart = Rect::from_min_max(Pos2::new(scale.left - 6.0, rect.top()), rect.max);
    // Before the rows, so that their names stay clickable.
    let response = ui.allocate_rect(chart, Sense::click_and_drag());
    hand(ui, state, &response, scale, events);
    ruler(ui, rect, scale);
    let below = rect.with_min_y(rect.top() + RULER);
    let selected = state.selected.filter(|(_, what)| matches!(what, Selected::Node(_))).is_some();
    let height =
        if selected { (sheet.rows.len() as f32 * ROW).min(below.height() * 0.5) } else { below.height() };
    let list = below.with_max_y(below.top() + height);
    ui.scope_builder(UiBuilder::new().max_rect(list), |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ScrollArea::vertical().auto_shrink(false).show_rows(ui, ROW, sheet.rows.len(), |ui, range| {
            for row in sheet.rows.get(range).unwrap_or_default() {
                keys_of(ui, state, row, scale, events);
            }
        });
    });
    if selected {
        let room = below.with_min_y(list.bottom() + 4.0);
        match sheet.rows.is_empty() {
            true => note(ui, room, "the selected node is not animated in this clip"),
            false => curves(ui, state, room, scale),
        }
    }
    let x = scale.x(state.clock.time);
    if (scale.left - 1.0..=scale.right + 1.0).contains(&x) {
        ui.painter().vline(x, rect.y_range(), Stroke::new(1.5, palette(ui).accent));
    }
}

fn head(ui: &mut Ui, state: &State, events: &mut Vec<Event>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(state.sheet_title().unwrap_or_default()).strong());
        if state.selected.is_some() && ui.small_button("all nodes").clicked() {
            events.push(Event::Do(Action::Deselect));
        }
        let duration = state.clock.duration();
        if state.span.is_part(duration) {
            let [from, to] = state.span.ends(duration);
            ui.label(RichText::new(format!("{from:.3} to {to:.3} s")).color(palette(ui).faint));
            if ui.small_button("whole clip").clicked() {
                events.push(Event::FitTime);
            }
        } else {
            ui.label(RichText::new("the wheel zooms").color(palette(ui).faint));
        }
    });
}

fn note(ui: &Ui, rect: Rect, text: &str) {
    ui.painter().text(
        rect.center(),
        Align2::CENTER_CENTER,
        text,
        FontId::proportional(14.0),
        palette(ui).faint,
    );
}

/// Scrubs, zooms and pans.
fn hand(ui: &Ui, state: &State, response: &Response, scale: Scale, events: &mut Vec<Event>) {
    let duration = state.clock.duration();
    if let Some(pointer) = response.hover_pos() {
        let (scrolled, pinched) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        let factor = f64::from(pinched) * (f64::from(scrolled) * 0.008).exp();
        if factor != 1.0 {
            events.push(Event::ZoomTime(scale.time(pointer.x), factor));
        }
    }
    if response.dragged_by(PointerButton::Secondary) || response.dragged_by(PointerButton::Middle) {
        events.push(Event::PanTime(-f64::from(response.drag_delta().x) * scale.seconds_per_pixel()));
    } else if response.double_clicked() {
        events.push(Event::FitTime);
    } else if let Some(pointer) = response.interact_pointer_pos()
        && (response.is_pointer_button_down_on() || response.clicked())
        && ui.input(|input| input.pointer.primary_down() || input.pointer.primary_released())
    {
        if state.clock.playing {
            events.push(Event::Do(Action::Play));
        }
        events.push(Event::Seek(scale.time(pointer.x).clamp(0.0, duration)));
    }
}

fn ruler(ui: &Ui, rect: Rect, scale: Scale) {
    let every = step(scale.seconds_per_pixel() * 70.0);
    let digits = if every >= 1.0 { 0 } else { (-every.log10()).ceil().clamp(0.0, 6.0) as usize };
    let painter = ui.painter();
    let first = (scale.from / every).ceil() as i64;
    for number in first..first + 64 {
        let time = number as f64 * every;
        if time > scale.to + every * 1e-6 {
            break;
        }
        let x = scale.x(time);
        painter.vline(
            x,
            rect.y_range(),
            Stroke::new(1.0, ui.visuals().faint_bg_color.lerp_to_gamma(palette(ui).faint, 0.25)),
        );
        let (at, text) = (Pos2::new(x + 3.0, rect.top() + 1.0), format!("{time:.digits$} s"));
        painter.text(at, Align2::LEFT_TOP, text, FontId::proportional(12.0), palette(ui).faint);
    }
}

/// A name, and a diamond per key, at most one per three pixels.
fn keys_of(ui: &mut Ui, state: &State, row: &KeyRow, scale: Scale, events: &mut Vec<Event>) {
    let (rect, response) = ui.allocate_exact_size(vec2(NAMES - 10.0, ROW), Sense::click());
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::Button, true, format!("keys of {}", row.label))
    });
    let is_chosen = row.track.is_some() && (state.track == row.track);
    let color = if is_chosen || response.hovered() { palette(ui).accent } else { ui.visuals().text_color() };
    let mut job =
        egui::text::LayoutJob::simple_singleline(row.label.clone(), FontId::proportional(13.0), color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(NAMES - 14.0);
    let galley = ui.painter().layout_job(job);
    ui.painter().galley(Pos2::new(rect.left() + 2.0, rect.top() + 1.0), galley, color);
    let keys = shown::counted(row.keys.len(), "key", "keys");
    let response = response.on_hover_text(format!("{}: {keys}", row.label));
    if response.clicked() {
        events.push(match row.track {
            Some(track) => Event::Track(track),
            None => Event::Select(state.sheet_slot(), Selected::Node(row.node)),
        });
    }
    let middle = rect.center().y;
    let strip = Rect::from_min_max(
        Pos2::new(scale.left - 6.0, rect.top() + 1.0),
        Pos2::new(scale.right + 6.0, rect.bottom() - 1.0),
    );
    let clip = ui.clip_rect().intersect(strip.expand2(vec2(0.0, 2.0)));
    let painter = ui.painter().with_clip_rect(clip);
    painter.rect_filled(strip, 3.0, ui.visuals().text_color().gamma_multiply(0.05));
    let fill = if row.track.is_some() { palette(ui).accent } else { palette(ui).faint };
    let start =
        row.keys.partition_point(|key| f64::from(*key) < scale.from - scale.seconds_per_pixel() * 8.0);
    let mut last = f32::MIN;
    for key in &row.keys[start..] {
        let x = scale.x(f64::from(*key));
        if x > scale.right + 8.0 {
            break;
        }
        if x - last < 3.0 {
            continue;
        }
        last = x;
        let r = 4.5;
        let corners =
            [(0.0, -r), (r, 0.0), (0.0, r), (-r, 0.0)].map(|(dx, dy)| Pos2::new(x + dx, middle + dy));
        painter.add(Shape::convex_polygon(corners.to_vec(), fill, Stroke::NONE));
    }
}

fn curves(ui: &Ui, state: &mut State, room: Rect, scale: Scale) {
    if room.height() < 24.0 {
        return;
    }
    let count = ((scale.right - scale.left) / 2.0).clamp(16.0, 1200.0) as usize;
    let Some((property, graphs)) = state.curves(count) else { return };
    let values =
        || graphs.iter().flat_map(|graph| graph.points.iter().chain(&graph.keys)).map(|point| point[1]);
    let (low, high) = values().fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
    if low > high {
        return;
    }
    // A curve that does not change is in the middle.
    let margin = ((high - low) * 0.08).max(if high - low < 1e-9 { high.abs().max(1.0) * 0.1 } else { 0.0 });
    let (bottom, top) = (low - margin, high + margin);
    let inner = room.shrink2(vec2(0.0, 3.0));
    let y = |value: f64| inner.bottom() - inner.height() * ((value - bottom) / (top - bottom)) as f32;
    let names = ui.painter();
    let unit = if property == "rotation" { "°" } else { "" };
    let left = inner.left() + 2.0;
    let text = |at: Pos2, align, text: String, color| {
        names.text(at, align, text, FontId::proportional(12.0), color);
    };
    text(Pos2::new(left, inner.top()), Align2::LEFT_TOP, property, ui.visuals().text_color());
    for (number, graph) in graphs.iter().enumerate() {
        let at =
            Pos2::new(left + 18.0 * (number % 7) as f32, inner.top() + 16.0 + 14.0 * (number / 7) as f32);
        text(at, Align2::LEFT_TOP, graph.label.clone(), COLORS[number % COLORS.len()]);
    }
    for (value, align) in [(high, Align2::RIGHT_CENTER), (low, Align2::RIGHT_CENTER)] {
        let label = format!("{}{unit}", shown::short((value * 1e4).round() / 1e4));
        text(Pos2::new(scale.left - 10.0, y(value)), align, label, palette(ui).faint);
    }
    let chart = Rect::from_min_max(
        Pos2::new(scale.left - 6.0, room.top()),
        Pos2::new(scale.right + 6.0, room.bottom()),
    );
    let painter = ui.painter().with_clip_rect(chart);
    painter.rect_filled(chart, 3.0, ui.visuals().text_color().gamma_multiply(0.04));
    if bottom < 0.0 && top > 0.0 {
        painter.hline(chart.x_range(), y(0.0), Stroke::new(1.0, palette(ui).faint.gamma_multiply(0.5)));
    }
    for (number, graph) in graphs.iter().enumerate() {
        let color = COLORS[number % COLORS.len()];
        let line = graph.points.iter().map(|[time, value]| Pos2::new(scale.x(*time), y(*value))).collect();
        painter.line(line, Stroke::new(1.5, color));
        let mut last = f32::MIN;
        for [time, value] in &graph.keys {
            let x = scale.x(*time);
            if x - last >= 4.0 {
                painter.circle_filled(Pos2::new(x, y(*value)), 2.5, color);
                last = x;
            }
        }
    }
}
