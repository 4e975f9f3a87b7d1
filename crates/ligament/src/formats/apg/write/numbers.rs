//! Numbers in text: with all digits needed to restore them, or as many as the published document writes.

use super::super::codes;
use crate::report::{Loss, Remedy, Report};
use crate::settings::Precision;
use crate::text::{TextWriter, parse_f64};

crate::words! {
    /// The published document's number formats.
    pub(super) enum Style(rounding) {
        /// Points: `%.2f`.
        Hundredths = "points are rounded to a hundredth",
        /// Normals, tangents and texture coordinates: `%.3g`.
        ThreeDigits = "normals, tangents and texture coordinates are rounded to three digits",
        /// Keys and matrices: `%f`.
        SixDecimals = "keys, weights and matrices are rounded to six decimals",
    }
}

/// Prints numbers and remembers the rounding error.
pub(super) struct Numbers {
    precision: Precision,
    shortest: zmij::Buffer,
    /// The square of the error of the current row.
    row: f64,
    /// For each style, the number of rounded rows and the largest error.
    rounded: [(usize, f64); 3],
}

impl Numbers {
    pub(super) fn new(precision: Precision) -> Self {
        Self { precision, shortest: zmij::Buffer::new(), row: 0.0, rounded: [(0, 0.0); 3] }
    }

    pub(super) fn write(&mut self, value: f32, style: Style, out: &mut TextWriter<'_>) {
        if value.is_nan() {
            out.text(b"nan");
        } else if self.precision == Precision::Full {
            let text = self.shortest.format(value);
            out.text(text.strip_suffix(".0").unwrap_or(text).as_bytes());
        } else {
            let text = as_document(f64::from(value), style);
            out.text(text.as_bytes());
            let off = f64::from(value) - parse_f64(text.as_bytes()).unwrap_or(0.0);
            self.row += off * off;
        }
    }

    /// Ends a row, whose error is measured as a whole and returned.
    pub(super) fn end_row(&mut self, style: Style) -> f64 {
        let off = std::mem::take(&mut self.row).sqrt();
        self.count(off, style);
        off
    }

    /// Counts the error of a row.
    pub(super) fn count(&mut self, off: f64, style: Style) {
        // The limits of f32 are not counted as rounding: 0.1 is not exactly a tenth.
        if off > 1e-7 {
            let (rows, worst) = &mut self.rounded[style as usize];
            *rows += 1;
            *worst = worst.max(off);
        }
    }

    pub(super) fn report(&self, report: &mut Report) {
        for style in Style::ALL {
            let (rows, worst) = self.rounded[style as usize];
            let loss = Loss::approximated(&codes::PRECISION, "", rows, worst, "units", style.rounding());
            report.loss(loss.remedy(Remedy::new("precision", "full", "rounds nothing")));
        }
    }
}

fn as_document(value: f64, style: Style) -> String {
    match style {
        Style::Hundredths => format!("{value:.2}"),
        Style::SixDecimals => format!("{value:.6}"),
        Style::ThreeDigits => three_digits(value),
    }
}

/// Formats a number like `printf("%.3g")`.
fn three_digits(value: f64) -> String {
    let scientific = format!("{value:.2e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| -> String {
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text.to_owned()
        }
    };
    if (-4..3).contains(&exponent) {
        return trimmed(&format!("{value:.*}", (2 - exponent) as usize));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trimmed(digits), exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_printed_as_printf_does() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (0.752_44, "0.752"),
            (-0.875, "-0.875"),
            (0.999_6, "1"),
            (0.000_123_456, "0.000123"),
            (0.000_012_345, "1.23e-05"),
            (1e-6, "1e-06"),
            (999.4, "999"),
            (999.6, "1e+03"),
            (12_345.0, "1.23e+04"),
            (10.05, "10.1"),
            (1e100, "1e+100"),
        ] {
            assert_eq!(three_digits(value), text);
        }
    }
}
