//! Values that are more than words.

use clap::builder::PossibleValuesParser;
use ligament::formats::FORMATS;

/// Ids and extensions of all formats: both name a format after `--from` and `--to`.
pub fn format_words() -> PossibleValuesParser {
    let mut words: Vec<&'static str> = Vec::new();
    for info in FORMATS.iter().map(|f| f.info()) {
        for word in [info.id].iter().chain(info.extensions) {
            if !words.contains(word) {
                words.push(word);
            }
        }
    }
    PossibleValuesParser::new(words)
}

/// `0.01%` is a percentage, `0.0001` the same as a fraction.
pub fn parse_max_error(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.trim().strip_suffix('%') {
        Some(number) => (number.trim_end(), 0.01),
        None => (text.trim(), 1.0),
    };
    let value: f64 = number.parse().map_err(
        |_| "expected a percentage of the model's size such as 0.01%, or a fraction such as 0.0001",
    )?;
    if value.is_finite() && value >= 0.0 {
        Ok(value * unit)
    } else {
        Err("a deviation cannot be negative or infinite".to_owned())
    }
}

pub fn parse_positive(text: &str) -> Result<f32, String> {
    let value: f32 = text.parse().map_err(|_| "expected a number")?;
    if value.is_finite() && value > 0.0 { Ok(value) } else { Err("expected a number above zero".to_owned()) }
}

pub fn parse_seconds(text: &str) -> Result<f32, String> {
    let value: f32 = text.parse().map_err(|_| "expected a number of seconds")?;
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err("expected a number of seconds from zero on".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn max_error_is_a_percentage_or_a_fraction() {
        assert_eq!(parse_max_error("1%"), Ok(0.01));
        assert_eq!(parse_max_error("0.5 %"), Ok(0.005));
        assert_eq!(parse_max_error("0.0001"), Ok(0.0001));
        assert_eq!(parse_max_error("0"), Ok(0.0));
        for wrong in ["", "%", "-1%", "inf", "NaN", "1mm", "1,5%"] {
            assert!(parse_max_error(wrong).is_err(), "{wrong:?}");
        }
    }
}
