//! Arithmetic that gives the same bits everywhere: only `+ − × ÷ √` of f64, which IEEE 754 fixes, and no system maths
//! library.

use ligament::math::{DQuat, DVec3};

/// Sine of an angle in turns.
pub fn sin(turns: f64) -> f64 {
    let turns = turns - (turns + 0.5).floor();
    // Folded into ±¼ turn, where the series below is good to 1e-15.
    let folded = if turns > 0.25 {
        0.5 - turns
    } else if turns < -0.25 {
        -0.5 - turns
    } else {
        turns
    };
    let x = folded * std::f64::consts::TAU;
    let square = x * x;
    let series = (1..=10).rev().fold(1.0, |sum, i| {
        let n = f64::from(2 * i);
        1.0 - square / (n * (n + 1.0)) * sum
    });
    x * series
}

/// Cosine of an angle in turns.
pub fn cos(turns: f64) -> f64 {
    sin(turns + 0.25)
}

/// A rotation about an axis of unit length.
pub fn rotation(axis: DVec3, degrees: f64) -> DQuat {
    let half = degrees / 720.0;
    let v = axis * sin(half);
    DQuat::from_xyzw(v.x, v.y, v.z, cos(half))
}

/// The shortest rotation that brings one direction to another (not opposite) one.
pub fn between(from: DVec3, to: DVec3) -> DQuat {
    let (from, to) = (from.normalize(), to.normalize());
    debug_assert!(from.dot(to) > -0.999, "opposite directions have no shortest rotation");
    let cross = from.cross(to);
    DQuat::from_xyzw(cross.x, cross.y, cross.z, 1.0 + from.dot(to)).normalize()
}

/// 0 below `a`, 1 above `b`, and a smooth ramp between.
pub fn ramp(a: f64, b: f64, x: f64) -> f64 {
    let t = ((x - a) / (b - a)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Interpolates from `a` to `b`.
pub fn mix(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * t
}

/// A number in 0..1 that looks random and depends only on the two given.
pub fn hash(x: i32, y: i32) -> f64 {
    let mut h = (x as u32).wrapping_mul(0x9E37_79B1) ^ (y as u32).wrapping_mul(0x85EB_CA77);
    h = (h ^ (h >> 15)).wrapping_mul(0x2C1B_3C6D);
    h = (h ^ (h >> 12)).wrapping_mul(0x297A_2D39);
    f64::from(h ^ (h >> 15)) / 4_294_967_296.0
}

/// Smooth noise in 0..1.
pub fn noise(x: f64, y: f64) -> f64 {
    let (column, row) = (x.floor() as i32, y.floor() as i32);
    let (u, v) = (ramp(0.0, 1.0, x - x.floor()), ramp(0.0, 1.0, y - y.floor()));
    let at = |i: i32, j: i32| hash(column + i, row + j);
    mix(mix(at(0, 0), at(1, 0), u), mix(at(0, 1), at(1, 1), u), v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sine_agrees_with_the_system_library() {
        for i in -1000..1000 {
            let turns = f64::from(i) / 173.0;
            let expected = (turns * std::f64::consts::TAU).sin();
            assert!((sin(turns) - expected).abs() < 1e-13, "{turns}");
        }
    }

    #[test]
    fn between_brings_one_direction_to_the_other() {
        let (from, to) = (DVec3::new(1.0, 2.0, 3.0), DVec3::new(-2.0, 0.5, 1.0));
        assert!((between(from, to) * from.normalize()).distance(to.normalize()) < 1e-15);
    }
}
