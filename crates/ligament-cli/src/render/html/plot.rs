//! The deviation over the time of a clip, as inline SVG. Its numbers are HTML beside it, so that they stay readable at
//! any width.

use super::Curve;
use super::escape::text;
use crate::render::style::percent;
use std::fmt::Write;

/// The units of the drawing, which is stretched to its box.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 160.0;

/// The plots of some clips, all with the same scale.
pub fn plots(curves: &[Curve]) -> String {
    let finite = curves.iter().flat_map(|curve| &curve.points).map(|point| point.1);
    let most = finite.filter(|value| value.is_finite()).fold(0.0, f64::max);
    curves.iter().map(|curve| plot(curve, most)).collect()
}

/// One plot; `most` is where the scale ends.
fn plot(curve: &Curve, most: f64) -> String {
    let Some(worst) = curve.points.iter().copied().reduce(|a, b| if b.1 > a.1 { b } else { a }) else {
        return String::new();
    };
    let (start, end) = (curve.points[0].0, curve.points[curve.points.len() - 1].0);
    // A clip of one key has no length, and its point is in the middle.
    let across = |time: f64| if end > start { (time - start) / (end - start) } else { 0.5 };
    // What is not finite is beyond the scale.
    let up = |value: f64| match value.is_finite() {
        true if most > 0.0 => value / most * 0.94,
        true => 0.0,
        false => 1.0,
    };
    let mut line = String::new();
    for (time, value) in &curve.points {
        let _ = write!(line, "{:.1},{:.1} ", across(*time) * WIDTH, HEIGHT - up(*value) * HEIGHT);
    }
    let line = line.trim_end();
    let (from, to) = (across(start) * WIDTH, across(end) * WIDTH);
    let name = text(&curve.clip);
    let said = match worst.1.is_finite() {
        true => format!("{} at {:.3} s", percent(worst.1), worst.0),
        false => format!("not finite at {:.3} s", worst.0),
    };
    format!(
        r#"<figure class="plot"><figcaption><b>{name}</b> <span>worst {said}</span></figcaption>
<div class="chart"><span class="most">{}</span><span class="least">0</span><div class="area">
<svg viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Deviation over the clip {name}: worst {said}">
<polygon class="under" points="{from:.1},{HEIGHT} {line} {to:.1},{HEIGHT}"/><polyline class="line" points="{line}"/></svg>
<i class="dot" style="left:{:.2}%;bottom:{:.2}%"></i></div>
<span class="start">{start:.2} s</span><span class="end">{end:.2} s</span></div></figure>
"#,
        percent(most / 0.94),
        across(worst.0) * 100.0,
        up(worst.1) * 100.0,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(points: &[(f64, f64)]) -> Curve {
        Curve { clip: "<go>".into(), points: points.to_vec() }
    }

    #[test]
    fn a_curve_ends_at_both_ends_of_its_clip() {
        let svg = plots(&[curve(&[(1.0, 0.0), (2.0, 0.02), (3.0, 0.01)])]);
        assert!(svg.contains(r#"<polyline class="line" points="0.0,160.0 300.0,9.6 600.0,84.8"/>"#), "{svg}");
        assert!(svg.contains("worst 2 % at 2.000 s") && svg.contains("&lt;go&gt;"), "{svg}");
        assert!(svg.contains("left:50.00%;bottom:94.00%"), "{svg}");
    }

    #[test]
    fn no_clip_is_too_short_or_too_far_off() {
        let one = plots(&[curve(&[(0.0, 0.5)])]);
        assert!(one.contains(r#"points="300.0,9.6""#) && !one.contains("NaN"), "{one}");
        let none = plots(&[curve(&[(0.0, 0.0), (1.0, 0.0)])]);
        assert!(none.contains("0.0,160.0 600.0,160.0") && !none.contains("NaN"), "{none}");
        let beyond = plots(&[curve(&[(0.0, 0.1), (1.0, f64::INFINITY)])]);
        assert!(beyond.contains("600.0,0.0") && beyond.contains("not finite at 1.000 s"), "{beyond}");
        assert!(!beyond.contains("inf\"") && plots(&[curve(&[])]).is_empty());
    }
}
