//! Colours and sizes.

use egui::{Color32, CornerRadius, Stroke, Theme, Visuals};

pub const ACCENT: Color32 = Color32::from_rgb(220, 96, 12);
pub const ERROR: Color32 = Color32::from_rgb(176, 32, 32);
pub const WARNING: Color32 = Color32::from_rgb(148, 92, 0);
pub const GOOD: Color32 = Color32::from_rgb(24, 110, 60);
pub const FAINT: Color32 = Color32::from_rgb(120, 124, 132);

/// Applies a light theme, to match the pictures.
pub fn apply(ctx: &egui::Context) {
    ctx.set_theme(Theme::Light);
    let mut visuals = Visuals::light();
    visuals.panel_fill = Color32::from_rgb(247, 248, 250);
    visuals.window_fill = Color32::from_rgb(252, 252, 253);
    visuals.override_text_color = Some(Color32::from_rgb(34, 38, 48));
    visuals.selection.bg_fill = Color32::from_rgb(255, 221, 190);
    visuals.selection.stroke = Stroke::new(1.0, Color32::from_rgb(110, 44, 0));
    for widget in [
        &mut visuals.widgets.inactive,
        &mut visuals.widgets.hovered,
        &mut visuals.widgets.active,
        &mut visuals.widgets.open,
    ] {
        widget.corner_radius = CornerRadius::same(4);
    }
    ctx.set_visuals_of(Theme::Light, visuals);
    ctx.all_styles_mut(|style| {
        style.spacing.item_spacing = egui::vec2(6.0, 4.0);
        style.spacing.button_padding = egui::vec2(6.0, 2.0);
        style.interaction.selectable_labels = false;
        // Pictures are redrawn only while something moves; fading would need more of them.
        style.animation_time = 0.0;
    });
}
