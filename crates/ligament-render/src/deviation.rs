//! Colours that show how far a model is from another.

use crate::Legend;
use crate::color::heat;
use crate::text::{Anchor, Label};

/// Deviations of at most this part of a model's size, 0.01 %, are rounding: models that differ no more look identical, and
/// are drawn so.
pub const ROUNDING: f64 = 1e-4;

/// Colour of vertices without a counterpart in the other model.
const ALONE: [u8; 4] = [170, 172, 178, 255];
/// Keeps the material.
const AS_IT_IS: [u8; 4] = [0; 4];

/// Paint for [`Shot::paint`](crate::Shot::paint): a colour for the distance of each vertex, on a scale that ends at `most`.
/// If no distance is more than rounding, vertices keep their materials; those without a distance are grey.
pub fn deviations(
    distances: impl Iterator<Item = Option<f64>>,
    worst: f64,
    most: f64,
    size: f64,
) -> Vec<[u8; 4]> {
    let is_same = is_identical(worst, size);
    let scale = 1.0 / most.max(f64::MIN_POSITIVE);
    let color = |distance: f64| if is_same { AS_IT_IS } else { heat((distance * scale).min(1.0) as f32) };
    distances.map(|distance| distance.map_or(ALONE, color)).collect()
}

/// Whether a largest distance is only rounding.
pub fn is_identical(worst: f64, size: f64) -> bool {
    worst <= size * ROUNDING
}

impl Legend {
    /// A line of text instead of a scale, where that would be.
    pub fn note(text: &str, [_, height]: [u32; 2]) -> Self {
        let size = (height as f32 / 36.0).clamp(10.0, 24.0);
        let at = [size * 0.8, height as f32 - size * 2.0];
        let (color, rim) = ([16, 18, 28, 255], Some([255, 255, 255, 200]));
        let label = Label { text: text.to_owned(), at, size, color, rim, anchor: Anchor::Left };
        Self { blocks: Vec::new(), labels: vec![label] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_no_rainbow() {
        let paint =
            |worst: f64, most| deviations([Some(0.0), Some(worst), None].into_iter(), worst, most, 2.0);
        assert_eq!(paint(2e-4, 2e-4), [AS_IT_IS, AS_IT_IS, ALONE]);
        assert_eq!(paint(3e-4, 3e-4), [heat(0.0), heat(1.0), ALONE]);
        assert_eq!(paint(0.01, 0.02), [heat(0.0), heat(0.5), ALONE]);
        assert_eq!(paint(0.5, 0.02), [heat(0.0), heat(1.0), ALONE]);
        assert_eq!(paint(f64::INFINITY, f64::INFINITY)[2], ALONE);
    }
}
