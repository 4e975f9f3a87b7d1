//! Parsers for option values.

use clap::builder::PossibleValuesParser;
use ligament::formats::FORMATS;
use ligament::settings::Kind;

/// Ids and extensions of all formats: both name a format after `--from` and `--to`.
pub fn format_words() -> PossibleValuesParser {
    let mut words: Vec<&'static str> = Vec::new();
    for info in FORMATS {
        for word in [info.id].iter().chain(info.extensions) {
            if !words.contains(word) {
                words.push(word);
            }
        }
    }
    PossibleValuesParser::new(words)
}

/// A fraction of the model's size: `0.01%` or `0.0001`.
pub fn parse_fraction(text: &str) -> Result<f64, String> {
    Kind::Fraction.parse(text).map(|value| value.as_f64().unwrap_or_default())
}

pub fn parse_positive(text: &str) -> Result<f32, String> {
    Kind::Above(0.0).parse(text).map(|value| value.as_f64().unwrap_or_default() as f32)
}

pub fn parse_seconds(text: &str) -> Result<f32, String> {
    let value: f32 = text.parse().map_err(|_| "expected a number of seconds")?;
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err("expected a number of seconds, 0 or more".to_owned())
    }
}
