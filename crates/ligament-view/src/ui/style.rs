//! Colours and sizes.

use crate::styled::Style;
use egui::{Color32, CornerRadius, Stroke, Theme, Visuals};

pub const ACCENT: Color32 = Color32::from_rgb(184, 76, 0);
pub const ERROR: Color32 = Color32::from_rgb(176, 32, 32);
pub const WARNING: Color32 = Color32::from_rgb(148, 92, 0);
pub const GOOD: Color32 = Color32::from_rgb(24, 110, 60);
pub const FAINT: Color32 = Color32::from_rgb(94, 98, 106);
const TEXT: Color32 = Color32::from_rgb(34, 38, 48);
const PANEL: Color32 = Color32::from_rgb(247, 248, 250);
const WINDOW: Color32 = Color32::from_rgb(252, 252, 253);

/// The colour of a piece of a report.
pub fn of(style: Style, text: Color32) -> Color32 {
    match style {
        Style::Plain => text,
        Style::Aside => FAINT,
        Style::Good => GOOD,
        Style::Warning => WARNING,
        Style::Error => ERROR,
    }
}

/// Applies a light theme, to match the pictures.
pub fn apply(ctx: &egui::Context) {
    ctx.set_theme(Theme::Light);
    let mut visuals = Visuals::light();
    visuals.panel_fill = PANEL;
    visuals.window_fill = WINDOW;
    visuals.override_text_color = Some(TEXT);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance as WCAG 2 defines it.
    fn luminance(color: Color32) -> f64 {
        let linear = |byte: u8| {
            let v = f64::from(byte) / 255.0;
            if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
    }

    /// What WCAG's level AA asks of text.
    #[test]
    fn text_has_contrast() {
        for text in [TEXT, ACCENT, ERROR, WARNING, GOOD, FAINT] {
            for ground in [PANEL, WINDOW] {
                let ratio = (luminance(ground) + 0.05) / (luminance(text) + 0.05);
                assert!(ratio >= 4.5, "{text:?} on {ground:?}: {ratio:.2}");
            }
        }
    }
}
