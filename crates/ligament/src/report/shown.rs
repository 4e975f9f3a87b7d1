//! Formats numbers and names for people, in a terminal, a picture or a window.

/// Whether a character could control a terminal or disguise the text around it: control characters, and those that
/// change the writing direction or have no width.
pub fn is_hostile(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Text with hostile characters written as escapes.
pub fn safe(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hostile(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// `1 vertex`, `2 vertices`: a number and its word.
pub fn counted<N: std::fmt::Display + PartialEq + From<u8>>(n: N, one: &str, many: &str) -> String {
    let word = if n == N::from(1) { one } else { many };
    format!("{n} {word}")
}

/// A number in two or three significant digits: `0`, `0.25`, `12.3`, `1098`, `2.1e-6`.
pub fn short(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".to_owned()
    } else if !(1e-3..1e6).contains(&size) {
        format!("{value:.1e}")
    } else if size >= 100.0 {
        format!("{value:.0}")
    } else {
        trimmed(value, (2 - size.log10().floor() as i32).max(0) as usize)
    }
}

/// A fraction as a percentage with only the significant digits: `0.00001 %`, `1.2 %`.
pub fn percent(fraction: f64) -> String {
    let value = fraction * 100.0;
    let size = value.abs();
    let digits = if value == 0.0 || size >= 1e6 {
        0
    } else if size < 1e-7 {
        return format!("{value:.0e} %");
    } else {
        // One digit is enough for thousandths of a percent.
        let significant = if size < 1e-3 { 0 } else { 1 };
        (significant - size.log10().floor() as i32).max(0) as usize
    };
    format!("{} %", trimmed(value, digits))
}

/// Fixed decimals without trailing zeros.
fn trimmed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    if !text.contains('.') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A number of bytes: `812 B`, `1.2 MiB`.
pub fn bytes(n: u64) -> String {
    let mut value = n as f64;
    let mut unit = "B";
    for larger in ["KiB", "MiB", "GiB", "TiB"] {
        if value < 1024.0 {
            break;
        }
        value /= 1024.0;
        unit = larger;
    }
    if unit == "B" { format!("{n} B") } else { format!("{value:.1} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_characters_are_escaped() {
        assert_eq!(safe("\u{1b}[31mred\n\u{202e}é"), r"\u{1b}[31mred\n\u{202e}é");
    }

    #[test]
    fn numbers_are_short_and_keep_what_matters() {
        for (value, text) in [
            (0.0, "0"),
            (2.1e-6, "2.1e-6"),
            (0.25, "0.25"),
            (0.001234, "0.00123"),
            (12.345, "12.3"),
            (99.99, "100"),
            (1098.4, "1098"),
            (-3.25, "-3.25"),
            (2.5e9, "2.5e9"),
        ] {
            assert_eq!(short(value), text, "{value}");
        }
    }

    #[test]
    fn percentages_have_enough_digits() {
        for (fraction, text) in [
            (0.0, "0 %"),
            (1e-7, "0.00001 %"),
            (2.34e-6, "0.0002 %"),
            (1.234e-4, "0.012 %"),
            (0.012, "1.2 %"),
            (0.5, "50 %"),
            (3.0, "300 %"),
            (1.2e-12, "1e-10 %"),
        ] {
            assert_eq!(percent(fraction), text, "{fraction}");
        }
    }

    #[test]
    fn bytes_have_units() {
        assert_eq!(
            (bytes(812), bytes(1300), bytes(5 << 20)),
            ("812 B".into(), "1.3 KiB".into(), "5.0 MiB".into())
        );
    }
}
