//! Parsers for option values.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use ligament::formats::{FORMATS, Format};
use ligament::settings::Kind;

/// Ids and extensions of all formats: both name a format after `--from`.
pub fn format_words() -> PossibleValuesParser {
    PossibleValuesParser::new(words(|_| true))
}

/// Ids and extensions of the formats that are written: both name a format after `--to`. Those that are only read are
/// accepted too, so that the error says so, but not listed.
pub fn target_words() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(words(|format| format.writes(None)).into_iter().map(PossibleValue::new).chain(
        words(|format| !format.writes(None)).into_iter().map(|word| PossibleValue::new(word).hide(true)),
    ))
}

fn words(takes: fn(&Format) -> bool) -> Vec<&'static str> {
    let mut words: Vec<&'static str> = Vec::new();
    for info in FORMATS.iter().filter(|format| takes(format)) {
        for word in [info.id].iter().chain(info.extensions) {
            if !words.contains(word) {
                words.push(word);
            }
        }
    }
    words
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
