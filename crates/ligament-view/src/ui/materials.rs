//! Materials: swatches, values, textures, and a texture with the layout of its coordinates.

use super::style::palette;
use crate::event::Event;
use crate::facts::label;
use crate::pictures::TextureView;
use crate::slot::Slot;
use crate::state::State;
use crate::ui::Textures;
use crate::welcome::Thumbnail;
use egui::{
    CollapsingHeader, Color32, Pos2, Rect, RichText, ScrollArea, Sense, Stroke, StrokeKind, Ui, vec2,
};
use ligament::internal::shown;
use ligament::scene::{AlphaMode, Material, MaterialId};
use ligament_render::Selected;

/// Materials that are listed.
const MOST: usize = 200;
/// The size of a texture in the list.
const SMALL: f32 = 56.0;

/// The list of a file's materials.
pub fn list(
    ui: &mut Ui,
    number: usize,
    slot: &Slot,
    selected: Option<Selected>,
    textures: &mut Textures,
    events: &mut Vec<Event>,
) {
    let Some(scene) = slot.scene() else { return };
    if scene.materials.is_empty() {
        return;
    }
    let title = format!("Materials ({})", scene.materials.len());
    let header = CollapsingHeader::new(title).default_open(scene.materials.len() <= 12);
    header.show(ui, |ui| {
        if slot.pictures.all.len() != scene.images.len() {
            events.push(Event::Pictures(number));
        }
        for (index, material) in scene.materials.iter().enumerate().take(MOST) {
            let what = Selected::Material(MaterialId::new(index));
            ui.horizontal(|ui| {
                for (name, color) in colors(material) {
                    swatch(ui, &name, color);
                }
                let name = label(&material.name, index);
                if ui.selectable_label(selected == Some(what), name).clicked() {
                    events.push(Event::Select(number, what));
                }
            });
            ui.label(RichText::new(values(material)).color(palette(ui).faint));
            ui.horizontal_wrapped(|ui| {
                for which in 0..material.textures().len() {
                    small_texture(ui, number, slot, MaterialId::new(index), which, textures, events);
                }
            });
            ui.add_space(6.0);
        }
        let more = scene.materials.len().saturating_sub(MOST);
        if more > 0 {
            ui.label(RichText::new(format!("and {more} more")).color(palette(ui).faint));
        }
    });
}

/// A linear colour as it is seen.
fn seen([r, g, b]: [f32; 3]) -> Color32 {
    let clean = |v: f32| if v.is_finite() { v.clamp(0.0, 1.0) } else { 0.0 };
    egui::Rgba::from_rgb(clean(r), clean(g), clean(b)).into()
}

/// The colours of a material, and what they are.
fn colors(material: &Material) -> Vec<(String, Color32)> {
    let hex = |c: Color32| format!("#{:02x}{:02x}{:02x}", c.r(), c.g(), c.b());
    let mut all = Vec::new();
    let mut add = |name: &str, linear: [f32; 3]| {
        let color = seen(linear);
        all.push((format!("{name} {}", hex(color)), color));
    };
    if let Some(pbr) = &material.pbr {
        let [r, g, b, _] = pbr.base_color;
        add("base colour", [r, g, b]);
    }
    if let Some(phong) = &material.phong {
        add("diffuse", phong.diffuse);
        add("specular", phong.specular);
    }
    if material.emissive != [0.0; 3] {
        add("emissive", material.emissive);
    }
    all
}

fn swatch(ui: &mut Ui, name: &str, color: Color32) {
    let (rect, response) = ui.allocate_exact_size(vec2(18.0, 18.0), Sense::hover());
    ui.painter().rect_filled(rect, 3.0, color);
    ui.painter().rect_stroke(rect, 3.0, Stroke::new(1.0, palette(ui).faint), StrokeKind::Inside);
    response.on_hover_text(name);
}

/// `metallic 0, roughness 0.8, double-sided`.
fn values(material: &Material) -> String {
    let mut parts: Vec<String> = Vec::new();
    let number = |v: f32| shown::short(f64::from((v * 1e4).round() / 1e4));
    if let Some(pbr) = &material.pbr {
        parts.push(format!("metallic {}, roughness {}", number(pbr.metallic), number(pbr.roughness)));
    }
    if let Some(phong) = &material.phong {
        phong.shininess.iter().for_each(|own| parts.push(format!("shininess {}", number(*own))));
    }
    match material.alpha {
        AlphaMode::Opaque => {}
        AlphaMode::Mask(cutoff) => parts.push(format!("cut out below {}", number(cutoff))),
        AlphaMode::Blend => parts.push("blended".to_owned()),
    }
    let words = [(material.unlit, "unlit"), (material.double_sided, "double-sided")];
    parts.extend(words.into_iter().filter(|(is, _)| *is).map(|(_, word)| word.to_owned()));
    parts.join(", ")
}

/// The image of a texture: its index, and the name of the texture's slot.
fn image_of(slot: &Slot, material: MaterialId, which: usize) -> Option<(usize, &'static str)> {
    let scene = slot.scene()?;
    let (name, texture) = scene.materials.get(material.index())?.textures().get(which).copied()?;
    Some((scene.textures.get(texture.texture.index())?.image.index(), name))
}

fn small_texture(
    ui: &mut Ui,
    number: usize,
    slot: &Slot,
    material: MaterialId,
    which: usize,
    textures: &mut Textures,
    events: &mut Vec<Event>,
) {
    let Some((image, name)) = image_of(slot, material, which) else { return };
    let (rect, response) = ui.allocate_exact_size(vec2(SMALL, SMALL), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, format!("{name} texture")));
    let painter = ui.painter_at(rect);
    board(&painter, rect);
    match slot.pictures.all.get(image) {
        Some(Thumbnail::Drawn(picture)) => {
            let texture = textures.of(ui, picture);
            painter.image(texture, fitted(rect, picture.width, picture.height), WHOLE, Color32::WHITE);
        }
        Some(Thumbnail::Nothing) => {
            painter.line_segment([rect.left_top(), rect.right_bottom()], Stroke::new(1.5, Color32::RED));
        }
        _ => {}
    }
    let stroke = if response.hovered() {
        Stroke::new(2.0, palette(ui).accent)
    } else {
        Stroke::new(1.0, palette(ui).faint)
    };
    ui.painter().rect_stroke(rect, 2.0, stroke, StrokeKind::Inside);
    let about = slot.pictures.about.get(image).map_or("", String::as_str);
    if response.on_hover_text(format!("{name}: {about}")).clicked() {
        events.push(Event::Texture(Some(TextureView {
            slot: number,
            material,
            which,
            layout: true,
            zoom: 1.0,
        })));
    }
}

const WHOLE: Rect = Rect { min: Pos2::ZERO, max: Pos2::new(1.0, 1.0) };

/// A checkerboard, so that transparency is seen.
fn board(painter: &egui::Painter, rect: Rect) {
    painter.rect_filled(rect, 0.0, Color32::from_gray(210));
    let cell = 8.0;
    let (columns, rows) = ((rect.width() / cell).ceil() as usize, (rect.height() / cell).ceil() as usize);
    for y in 0..rows.min(128) {
        for x in (y % 2..columns.min(128)).step_by(2) {
            let min = rect.min + vec2(x as f32 * cell, y as f32 * cell);
            let own = Rect::from_min_size(min, vec2(cell, cell)).intersect(rect);
            painter.rect_filled(own, 0.0, Color32::from_gray(180));
        }
    }
}

/// The largest rectangle of a picture's shape.
fn fitted(rect: Rect, width: u32, height: u32) -> Rect {
    let (w, h) = (width.max(1) as f32, height.max(1) as f32);
    let scale = (rect.width() / w).min(rect.height() / h);
    Rect::from_center_size(rect.center(), vec2(w * scale, h * scale))
}

/// The window of one texture.
pub fn window(ctx: &egui::Context, state: &mut State, events: &mut Vec<Event>) {
    let Some(view) = state.panels.texture.clone() else { return };
    let mut textures = std::mem::take(&mut state.textures);
    let (mut is_open, mut wanted) = (true, view.clone());
    if let Some(slot) = state.slots.get(view.slot)
        && let Some((image, name)) = image_of(slot, view.material, view.which)
    {
        let material = slot.label(Selected::Material(view.material)).unwrap_or_default();
        let window =
            egui::Window::new(format!("{name} texture of {material}")).id(egui::Id::unique("texture"));
        window.open(&mut is_open).collapsible(false).default_size([420.0, 460.0]).show(ctx, |ui| {
            ui.horizontal(|ui| {
                ui.checkbox(&mut wanted.layout, "UV layout");
                ui.add(egui::Slider::new(&mut wanted.zoom, 1.0..=16.0).logarithmic(true).text("zoom"));
            });
            let about = slot.pictures.about.get(image).map_or("", String::as_str);
            ui.label(RichText::new(about).color(palette(ui).faint));
            let side = ui.available_width().min(ui.available_height()).max(80.0);
            ScrollArea::both().auto_shrink(false).show(ui, |ui| {
                let (rect, _) = ui.allocate_exact_size(vec2(side, side) * view.zoom, Sense::hover());
                // The layout is square, as the coordinates are; the picture is stretched over it as on the model.
                board(&ui.painter_at(rect), rect);
                if let Some(Thumbnail::Drawn(picture)) = slot.pictures.all.get(image) {
                    let texture = textures.of(ui, picture);
                    ui.painter().image(texture, rect, WHOLE, Color32::WHITE);
                }
                let layout = slot.layout.as_ref().filter(|(of, _)| *of == (view.material, view.which));
                if let Some((_, layout)) = layout.filter(|_| view.layout) {
                    let texture = textures.of(ui, layout);
                    ui.painter().image(texture, rect, WHOLE, Color32::WHITE);
                }
            });
        });
    }
    state.textures = textures;
    if !is_open {
        events.push(Event::Texture(None));
    } else if wanted != view {
        events.push(Event::Texture(Some(wanted)));
    }
}
