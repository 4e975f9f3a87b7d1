use crate::color::heat;
use crate::text::{Anchor, Block, Label};

/// A colour scale with labels, for the bottom left corner of a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Legend {
    /// The scale, and a light background for its labels.
    pub blocks: Vec<Block>,
    /// The title, and the values at both ends.
    pub labels: Vec<Label>,
}

impl Legend {
    /// A scale from one end to the other.
    pub fn new(title: &str, low: &str, high: &str, [width, height]: [u32; 2]) -> Self {
        let [width, height] = [width as f32, height as f32];
        let text = (height / 36.0).clamp(10.0, 24.0);
        let edge = text * 0.8;
        // Wide enough for the labels at its ends, at 0.6 of their height per letter.
        let words = (low.chars().count() + high.chars().count() + 2) as f32 * text * 0.6;
        let long = (width * 0.34).max(60.0).max(words).min(width - 2.0 * edge);
        let thick = text * 0.75;
        let top = height - edge - text * 1.2 - thick;
        // A block for each column of pixels, so that there are no bands.
        let columns = long.round().clamp(2.0, 8192.0) as usize;
        let at = |i: usize| (edge + long * i as f32 / columns as f32).round();
        let blocks = (0..columns).map(|i| Block {
            rectangle: [at(i), top, at(i + 1), top + thick],
            color: heat((i as f32 + 0.5) / columns as f32),
        });
        let label = |text_of: &str, x: f32, y: f32, anchor| Label {
            text: text_of.to_owned(),
            at: [x, y],
            size: text,
            color: [16, 18, 28, 255],
            rim: Some([255, 255, 255, 200]),
            anchor,
        };
        Self {
            blocks: blocks.collect(),
            labels: vec![
                label(title, edge, top - text * 1.25, Anchor::Left),
                label(low, edge, top + thick + text * 0.15, Anchor::Left),
                label(high, edge + long, top + thick + text * 0.15, Anchor::Right),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_has_no_bands() {
        let legend = Legend::new("weight", "0", "1", [640, 640]);
        for pair in legend.blocks.windows(2) {
            let [a, b] = [pair[0], pair[1]];
            assert!(b.rectangle[0] == a.rectangle[2] && a.rectangle[2] - a.rectangle[0] <= 2.0);
            assert!(a.color.iter().zip(b.color).all(|(a, b)| a.abs_diff(b) <= 5), "{a:?} {b:?}");
        }
    }
}
