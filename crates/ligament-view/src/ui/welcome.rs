//! The window without a file: a button to open one, the example, and recent files as thumbnails.

use super::error::card;
use super::style::palette;
use super::{button, tipped};
use crate::event::Event;
use crate::shortcuts::Action;
use crate::state::State;
use crate::welcome::{Thumb, Thumbnail};
use egui::{
    Align, Color32, CornerRadius, FontId, Layout, Pos2, Rect, Response, RichText, Role, ScrollArea, Sense,
    Stroke, StrokeKind, Ui, UiBuilder, Vec2, WidgetInfo, vec2,
};
use ligament::formats::FORMATS;
use ligament::internal::shown;

/// The size of a recent file: its picture, and its name below.
const CARD: Vec2 = vec2(176.0, 166.0);
const PICTURE: f32 = 128.0;

pub fn show(ui: &mut Ui, state: &mut State, rect: Rect, events: &mut Vec<Event>) {
    if state.welcome.is_none() {
        events.push(Event::Welcome);
    }
    let layout = Layout::top_down(Align::Center);
    ui.scope_builder(UiBuilder::new().max_rect(rect.shrink(16.0)).layout(layout), |ui| {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| contents(ui, state, events));
    });
}

fn contents(ui: &mut Ui, state: &mut State, events: &mut Vec<Event>) {
    ui.add_space((ui.available_height() * 0.08).clamp(8.0, 60.0));
    for slot in state.slots.iter().filter(|slot| slot.broken.is_some()) {
        ui.scope(|ui| {
            ui.set_max_width(ui.available_width().min(620.0));
            ui.with_layout(Layout::top_down(Align::Min), |ui| card(ui, slot, events));
        });
        ui.add_space(16.0);
    }
    ui.label(RichText::new("Open a model").size(26.0));
    ui.add_space(4.0);
    ui.label(RichText::new("or drop one onto the window; two appear side by side").color(palette(ui).faint));
    ui.add_space(14.0);
    let text = RichText::new("Open…").size(18.0).color(palette(ui).window);
    let open = egui::Button::new(text).fill(palette(ui).accent).min_size(vec2(180.0, 40.0));
    if tipped(ui.add(open), Action::Open).clicked() {
        events.push(Event::Do(Action::Open));
    }
    ui.add_space(6.0);
    if ui.button("Try the example").on_hover_text("a creature with three clips").clicked() {
        events.push(Event::Example);
    }
    button(ui, "Keys and mouse", Action::Help, events);
    ui.add_space(18.0);
    recent(ui, state, events);
    let mut known: Vec<&str> = FORMATS.iter().flat_map(|format| format.extensions).copied().collect();
    known.sort_unstable();
    ui.label(RichText::new(format!(".{}", known.join("  ."))).color(palette(ui).faint));
}

fn recent(ui: &mut Ui, state: &mut State, events: &mut Vec<Event>) {
    let thumbs = state.welcome.as_ref().map(|welcome| welcome.thumbs.clone()).unwrap_or_default();
    if thumbs.is_empty() {
        return;
    }
    ui.label(RichText::new("Recent files").strong());
    ui.add_space(6.0);
    let gap = ui.spacing().item_spacing.x;
    let columns = ((ui.available_width() + gap) / (CARD.x + gap)).floor().max(1.0) as usize;
    for row in thumbs.chunks(columns.min(6)) {
        let width = row.len() as f32 * (CARD.x + gap) - gap;
        ui.allocate_ui(vec2(width, CARD.y), |ui| {
            ui.horizontal(|ui| {
                for thumb in row {
                    let texture = match &thumb.picture {
                        Thumbnail::Drawn(picture) => Some(state.textures.of(ui, picture)),
                        Thumbnail::Waiting | Thumbnail::Nothing => None,
                    };
                    if show_thumb(ui, thumb, texture).clicked() {
                        events.push(Event::Open(vec![thumb.path.clone()]));
                    }
                }
            });
        });
    }
    ui.add_space(14.0);
}

fn show_thumb(ui: &mut Ui, thumb: &Thumb, texture: Option<egui::TextureId>) -> Response {
    let name = thumb.path.file_name().map_or_else(String::new, |name| shown::safe(&name.to_string_lossy()));
    let path = shown::safe(&thumb.path.display().to_string());
    let (rect, response) = ui.allocate_exact_size(CARD, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    let painter = ui.painter_at(rect);
    let radius = CornerRadius::same(6);
    painter.rect_filled(rect, radius, palette(ui).window);
    let picture = Rect::from_min_size(rect.min, vec2(CARD.x, PICTURE));
    match texture {
        Some(texture) => {
            let height = CARD.x * 0.75;
            let part = (height - PICTURE) * 0.5 / height;
            let seen = Rect::from_min_max(Pos2::new(0.0, part), Pos2::new(1.0, 1.0 - part));
            painter.image(texture, picture, seen, Color32::WHITE);
        }
        None => {
            let text = if matches!(thumb.picture, Thumbnail::Waiting) { "…" } else { "no picture" };
            painter.text(
                picture.center(),
                egui::Align2::CENTER_CENTER,
                text,
                FontId::proportional(14.0),
                palette(ui).faint,
            );
        }
    }
    let line = |text: &str, y: f32, size: f32, color| {
        let mut job =
            egui::text::LayoutJob::simple_singleline(text.to_owned(), FontId::proportional(size), color);
        job.wrap = egui::text::TextWrapping::truncate_at_width(CARD.x - 14.0);
        let galley = painter.layout_job(job);
        painter.galley(Pos2::new(rect.left() + 7.0, y), galley, color);
    };
    let folder = thumb.path.parent().map(|folder| shown::safe(&folder.display().to_string()));
    line(&name, picture.bottom() + 3.0, 14.0, ui.visuals().text_color());
    line(&folder.unwrap_or_default(), picture.bottom() + 20.0, 12.0, palette(ui).faint);
    let is_marked = response.hovered() || response.has_focus();
    let stroke =
        if is_marked { Stroke::new(2.0, palette(ui).accent) } else { Stroke::new(1.0, palette(ui).played) };
    ui.painter().rect_stroke(rect, radius, stroke, StrokeKind::Inside);
    response.on_hover_text(path)
}
