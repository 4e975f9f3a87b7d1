//! Colours and sizes.

use crate::styled::Style;
use egui::{Color32, CornerRadius, Stroke, Theme, Ui, Visuals};

/// The colours of a theme.
#[derive(Debug)]
pub struct Palette {
    pub accent: Color32,
    pub error: Color32,
    pub warning: Color32,
    pub good: Color32,
    pub faint: Color32,
    pub text: Color32,
    pub panel: Color32,
    pub window: Color32,
    /// Behind a line of a file.
    pub code: Color32,
    /// The card of an error.
    pub card: Color32,
    /// The timeline, the part of it that was played, and its keys.
    pub track: Color32,
    pub played: Color32,
    pub key: Color32,
    /// What is selected, and text on it.
    pub selection: [Color32; 2],
    /// The background of pictures.
    pub background: [u8; 4],
}

const fn rgb(r: u8, g: u8, b: u8) -> Color32 {
    Color32::from_rgb(r, g, b)
}

pub const LIGHT: Palette = Palette {
    accent: rgb(184, 76, 0),
    error: rgb(176, 32, 32),
    warning: rgb(148, 92, 0),
    good: rgb(24, 110, 60),
    faint: rgb(94, 98, 106),
    text: rgb(34, 38, 48),
    panel: rgb(247, 248, 250),
    window: rgb(252, 252, 253),
    code: rgb(236, 238, 242),
    card: rgb(255, 242, 240),
    track: rgb(226, 229, 234),
    played: rgb(208, 213, 222),
    key: rgb(112, 120, 134),
    selection: [rgb(255, 221, 190), rgb(110, 44, 0)],
    background: [236, 238, 241, 255],
};

pub const DARK: Palette = Palette {
    accent: rgb(255, 160, 84),
    error: rgb(255, 132, 124),
    warning: rgb(236, 184, 84),
    good: rgb(110, 204, 148),
    faint: rgb(166, 172, 184),
    text: rgb(226, 229, 235),
    panel: rgb(32, 34, 40),
    window: rgb(38, 41, 48),
    code: rgb(50, 54, 62),
    card: rgb(62, 36, 36),
    track: rgb(50, 54, 62),
    played: rgb(66, 71, 82),
    key: rgb(140, 148, 164),
    selection: [rgb(104, 58, 20), rgb(255, 226, 200)],
    background: [52, 55, 62, 255],
};

/// The colours of the current theme.
pub fn palette(ui: &Ui) -> &'static Palette {
    of_theme(ui.visuals().dark_mode)
}

pub fn of_theme(is_dark: bool) -> &'static Palette {
    if is_dark { &DARK } else { &LIGHT }
}

/// The colour of a piece of a report.
pub fn of(style: Style, palette: &Palette) -> Color32 {
    match style {
        Style::Plain => palette.text,
        Style::Aside => palette.faint,
        Style::Good => palette.good,
        Style::Warning => palette.warning,
        Style::Error => palette.error,
    }
}

/// Applies both themes. Without a wish of the user or the system the light one is shown.
pub fn apply(ctx: &egui::Context) {
    ctx.options_mut(|options| options.fallback_theme = Theme::Light);
    for (theme, palette) in [(Theme::Light, &LIGHT), (Theme::Dark, &DARK)] {
        let mut visuals = if theme == Theme::Dark { Visuals::dark() } else { Visuals::light() };
        visuals.panel_fill = palette.panel;
        visuals.window_fill = palette.window;
        visuals.override_text_color = Some(palette.text);
        visuals.selection.bg_fill = palette.selection[0];
        visuals.selection.stroke = Stroke::new(1.0, palette.selection[1]);
        for widget in [
            &mut visuals.widgets.inactive,
            &mut visuals.widgets.hovered,
            &mut visuals.widgets.active,
            &mut visuals.widgets.open,
        ] {
            widget.corner_radius = CornerRadius::same(4);
        }
        ctx.set_visuals_of(theme, visuals);
    }
    ctx.all_styles_mut(|style| {
        style.spacing.item_spacing = egui::vec2(6.0, 4.0);
        style.spacing.button_padding = egui::vec2(6.0, 2.0);
        style.interaction.selectable_labels = false;
        // A splitter of one pixel is hard to hit.
        style.interaction.resize_grab_radius_side = 6.0;
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
        for p in [&LIGHT, &DARK] {
            let texts = [p.text, p.accent, p.error, p.warning, p.good, p.faint];
            let pairs = texts.into_iter().flat_map(|text| [(text, p.panel), (text, p.window)]);
            let others = [(p.text, p.code), (p.text, p.card), (p.error, p.card), (p.faint, p.card)];
            let chosen = [(p.selection[1], p.selection[0])];
            for (text, ground) in pairs.chain(others).chain(chosen) {
                let (a, b) = (luminance(ground), luminance(text));
                let ratio = (a.max(b) + 0.05) / (a.min(b) + 0.05);
                assert!(ratio >= 4.5, "{text:?} on {ground:?}: {ratio:.2}");
            }
        }
    }
}
