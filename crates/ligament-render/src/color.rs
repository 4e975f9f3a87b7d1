//! Colours between sRGB and linear light, and scales of colours.

use std::sync::LazyLock;

static LINEAR: LazyLock<[f32; 256]> = LazyLock::new(|| {
    std::array::from_fn(|i| {
        let v = i as f32 / 255.0;
        if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
    })
});

/// The linear value of an sRGB byte.
pub(crate) fn to_linear(byte: u8) -> f32 {
    LINEAR[usize::from(byte)]
}

/// The sRGB byte of a linear value.
pub(crate) fn to_srgb(linear: f32) -> u8 {
    let v = linear.clamp(0.0, 1.0);
    let encoded = if v <= 0.0031308 { v * 12.92 } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 };
    (encoded * 255.0 + 0.5) as u8
}

/// A colour of the scale from 0 to 1 that weights and deviations are shown in: dark blue, teal, yellow, red. Its lightness
/// rises up to yellow, so that it can be read in grey too.
pub fn heat(value: f32) -> [u8; 4] {
    const STOPS: [[f32; 3]; 6] = [
        [38.0, 42.0, 110.0],
        [36.0, 104.0, 168.0],
        [38.0, 164.0, 146.0],
        [140.0, 200.0, 80.0],
        [250.0, 210.0, 60.0],
        [214.0, 48.0, 36.0],
    ];
    let at = if value.is_finite() { value.clamp(0.0, 1.0) } else { 1.0 } * (STOPS.len() - 1) as f32;
    let below = (at as usize).min(STOPS.len() - 2);
    let part = at - below as f32;
    let mix = |i: usize| (STOPS[below][i] + (STOPS[below + 1][i] - STOPS[below][i]) * part + 0.5) as u8;
    [mix(0), mix(1), mix(2), 255]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn srgb_bytes_come_back() {
        for byte in 0..=255 {
            assert_eq!(to_srgb(to_linear(byte)), byte);
        }
        assert_eq!((to_srgb(-1.0), to_srgb(f32::MAX), to_srgb(0.5)), (0, 255, 188));
    }

    #[test]
    fn the_scale_has_ends_and_no_gaps() {
        assert_eq!((heat(-1.0), heat(f32::NAN)), (heat(0.0), heat(1.0)));
        for i in 0..1000 {
            let (a, b) = (heat(i as f32 / 1000.0), heat((i + 1) as f32 / 1000.0));
            assert!(a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 2));
        }
    }
}
