//! Vertex colours in OBJ files are sRGB, because the programs that write them (MeshLab, ZBrush, Blender) convert them
//! from 8-bit colours; a scene's are linear.

/// Converts sRGB to linear.
pub(super) fn to_linear(value: f32) -> f32 {
    let v = f64::from(value);
    let linear = if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) };
    finite(linear)
}

/// Converts linear to sRGB.
pub(super) fn to_srgb(value: f32) -> f32 {
    let v = f64::from(value);
    let srgb = if v <= 0.003_130_8 { v * 12.92 } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 };
    finite(srgb)
}

/// The nearest finite f32.
pub(super) fn finite(value: f64) -> f32 {
    value.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_come_back_and_the_ends_stay() {
        assert_eq!((to_linear(0.0), to_linear(1.0), to_srgb(0.0), to_srgb(1.0)), (0.0, 1.0, 0.0, 1.0));
        // The value that IEC 61966-2-1 gives for the 8-bit colour 188.
        assert!((to_linear(188.0 / 255.0) - 0.502_886_5).abs() < 1e-6);
        for i in 0..=1000 {
            let value = i as f32 / 1000.0;
            assert!((to_linear(to_srgb(value)) - value).abs() < 1e-6, "{value}");
        }
    }
}
