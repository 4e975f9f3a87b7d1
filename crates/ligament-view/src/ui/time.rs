//! The clip, the current time, and the timeline.

use super::style::palette;
use super::{button, toggle};
use crate::clock::SPEEDS;
use crate::event::Event;
use crate::facts::label;
use crate::shortcuts::Action;
use crate::state::State;
use egui::{Color32, CornerRadius, Pos2, Rect, RichText, Sense, Stroke, Ui};
use ligament::internal::shown;
use ligament_render::Selected;

pub fn show(ui: &mut Ui, state: &State, events: &mut Vec<Event>) {
    ui.add_space(3.0);
    ui.horizontal(|ui| {
        clips(ui, state, events);
        ui.separator();
        button(ui, "⏮", Action::PreviousKey, events);
        button(ui, "⏴", Action::FrameBackwards, events);
        let play = if state.clock.playing { "⏸" } else { "▶" };
        toggle(ui, play, state, Action::Play, events);
        button(ui, "⏵", Action::FrameForwards, events);
        button(ui, "⏭", Action::NextKey, events);
        if state.slots.len() > 1 {
            button(ui, "worst", Action::Worst, events);
        }
        toggle(ui, "🔁", state, Action::Loop, events);
        speed(ui, state, events);
        toggle(ui, "keys", state, Action::KeysPanel, events);
        ui.separator();
        moment(ui, state);
    });
    bar(ui, state, events);
    ui.add_space(2.0);
}

fn clips(ui: &mut Ui, state: &State, events: &mut Vec<Event>) {
    let Some(slot) = state.slots.first() else {
        ui.label(RichText::new("no file").color(palette(ui).faint));
        return;
    };
    let chosen = state.clock.clip.as_ref().map(|(clip, _)| *clip);
    let name = |clip: usize| slot.scores.get(clip).map_or_else(String::new, |s| label(&s.name, clip));
    let text = chosen.map_or_else(|| "at rest".to_owned(), name);
    egui::ComboBox::from_id_salt("clips").selected_text(text).width(150.0).show_ui(ui, |ui| {
        let mut choice = |ui: &mut Ui, clip: Option<usize>, text: String| {
            if ui.selectable_label(chosen == clip, text).clicked() {
                events.push(Event::Clip(clip));
            }
        };
        choice(ui, None, "at rest".to_owned());
        for (clip, score) in slot.scores.iter().enumerate() {
            choice(ui, Some(clip), format!("{}   {:.2} s", label(&score.name, clip), score.duration));
        }
    });
}

fn speed(ui: &mut Ui, state: &State, events: &mut Vec<Event>) {
    let mut speed = state.clock.speed;
    let field = egui::DragValue::new(&mut speed)
        .range(SPEEDS[0]..=SPEEDS[1])
        .speed(0.01)
        .max_decimals(2)
        .suffix(" ×");
    if ui.add(field).on_hover_text("speed: drag, or type a number ([ and ])").changed() {
        events.push(Event::Speed(speed));
    }
}

/// Time, frame, and interpolation.
fn moment(ui: &mut Ui, state: &State) {
    let clock = &state.clock;
    let Some((_, score)) = &clock.clip else {
        ui.label(RichText::new("bind pose (no clip)").color(palette(ui).faint));
        return;
    };
    ui.monospace(format!("{:7.3} / {:.3} s", clock.time, score.duration));
    ui.monospace(format!("frame {:<4}", clock.frame()));
    ui.separator();
    match selected_tracks(state) {
        Some(text) => ui.label(RichText::new(text).color(palette(ui).accent)),
        None => {
            let keys = shown::counted(score.keys.len(), "key", "keys");
            let how = score.interpolations.join(", ");
            ui.label(RichText::new(format!("{keys}, {how}")).color(palette(ui).faint))
        }
    };
}

/// `rotation: linear, 12 keys` for the selected node.
fn selected_tracks(state: &State) -> Option<String> {
    let (slot, Selected::Node(node)) = state.selected? else { return None };
    let clip = state.clip_of(slot)?;
    let clip = state.slots.get(slot)?.scene()?.clips.get(clip)?;
    let tracks: Vec<String> = clip
        .tracks
        .iter()
        .filter(|track| track.node == node)
        .map(|track| {
            let keys = shown::counted(track.times.len(), "key", "keys");
            format!("{}: {}, {keys}", track.values.property(), track.interpolation.name())
        })
        .collect();
    Some(if tracks.is_empty() { "the selected node is not animated".to_owned() } else { tracks.join("   ") })
}

/// The timeline, with a mark at each key; those of the selected node are highlighted.
fn bar(ui: &mut Ui, state: &State, events: &mut Vec<Event>) {
    let curve = curve(state);
    let height = if curve.is_some() { CURVE_HEIGHT } else { 26.0 };
    let (rect, response) =
        ui.allocate_exact_size(egui::vec2(ui.available_width(), height), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::slider(true, state.clock.time, "time in seconds"));
    let inner = rect.shrink2(egui::vec2(6.0, 3.0));
    let duration = state.clock.duration();
    let x_of = |time: f64| {
        let part = if duration > 0.0 { (time / duration).clamp(0.0, 1.0) } else { 0.0 };
        inner.left() + inner.width() * part as f32
    };
    let painter = ui.painter_at(rect);
    painter.rect_filled(inner, CornerRadius::same(4), palette(ui).track);
    if duration > 0.0 {
        let played = Rect::from_min_max(inner.min, Pos2::new(x_of(state.clock.time), inner.bottom()));
        painter.rect_filled(played, CornerRadius::same(4), palette(ui).played);
    }
    if let Some((_, score)) = &state.clock.clip {
        marks(&painter, inner, &score.keys, x_of, palette(ui).key, 0.45);
    }
    marks(&painter, inner, &selected_keys(state), x_of, palette(ui).accent, 0.75);
    if let Some((points, most)) = curve {
        let y_of =
            |deviation: f64| inner.bottom() - inner.height() * ((deviation / most).min(1.0) * 0.92) as f32;
        let line = points.iter().map(|&(time, deviation)| Pos2::new(x_of(time), y_of(deviation))).collect();
        painter.line(line, Stroke::new(1.5, palette(ui).error));
    }
    let x = x_of(state.clock.time);
    painter.vline(x, rect.y_range(), Stroke::new(2.0, palette(ui).accent));
    painter.circle_filled(Pos2::new(x, rect.top() + 5.0), 5.0, palette(ui).accent);
    // Releasing the mouse must not scrub: a key may have been pressed since it last moved.
    let is_held = response.is_pointer_button_down_on() || response.clicked();
    if let Some(pointer) = response.interact_pointer_pos().filter(|_| is_held && duration > 0.0) {
        if state.clock.playing {
            events.push(Event::Do(Action::Play));
        }
        let part = f64::from((pointer.x - inner.left()) / inner.width().max(1.0));
        events.push(Event::Seek(part.clamp(0.0, 1.0) * duration));
    }
}

/// The height of the timeline with the deviation of the second model over it.
const CURVE_HEIGHT: f32 = 46.0;

/// The deviation over the clip, and where its scale ends: the same for all clips. `None` if there is none but rounding.
fn curve(state: &State) -> Option<(&[(f64, f64)], f64)> {
    let difference = state.difference.as_ref().filter(|difference| !difference.is_identical())?;
    let (clip, _) = state.clock.clip.as_ref()?;
    let curve = difference.curves.iter().find(|curve| curve.clip == *clip)?;
    Some((&curve.points, difference.peak))
}

/// A mark for each key, at most one per pixel.
fn marks(
    painter: &egui::Painter,
    inner: Rect,
    keys: &[f32],
    x_of: impl Fn(f64) -> f32,
    color: Color32,
    height: f32,
) {
    let mut last = f32::MIN;
    for &key in keys {
        let x = x_of(f64::from(key));
        if x - last >= 1.0 {
            let top = inner.bottom() - inner.height() * height;
            painter.vline(x, top..=inner.bottom(), Stroke::new(1.0, color));
            last = x;
        }
    }
}

fn selected_keys(state: &State) -> Vec<f32> {
    let Some((slot, Selected::Node(node))) = state.selected else { return Vec::new() };
    let clip = state.clip_of(slot).and_then(|clip| state.slots.get(slot)?.scene()?.clips.get(clip));
    let mut keys: Vec<f32> = clip
        .into_iter()
        .flat_map(|clip| clip.tracks.iter().filter(|track| track.node == node))
        .flat_map(|track| track.times.iter().copied())
        .collect();
    keys.sort_by(f32::total_cmp);
    keys
}
