use encoding_rs::{EncoderResult, WINDOWS_1250};

/// Decodes Windows-1250. Every byte becomes one character; the five that the code page leaves undefined become control
/// characters. `to_cp1250` therefore restores the same bytes.
pub fn from_cp1250(bytes: &[u8]) -> String {
    WINDOWS_1250.decode_without_bom_handling(bytes).0.into_owned()
}

/// Encodes a text as Windows-1250. `replace` returns the ASCII replacement of a character that is not in the code page.
pub fn to_cp1250(text: &str, mut replace: impl FnMut(char) -> String) -> Vec<u8> {
    let mut encoder = WINDOWS_1250.new_encoder();
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    loop {
        // One byte per character is enough for a single-byte code page; the encoder wants a few more for each call.
        bytes.reserve(rest.len() + 4);
        let (result, read) = encoder.encode_from_utf8_to_vec_without_replacement(rest, &mut bytes, true);
        rest = &rest[read..];
        match result {
            EncoderResult::InputEmpty => return bytes,
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(c) => {
                bytes.extend(replace(c).bytes().map(|b| if b.is_ascii() { b } else { b'_' }));
            }
        }
    }
}

/// Encodes a name as Windows-1250. Returns also whether characters were replaced: those outside the code page become a
/// `u` and their code point in hexadecimal.
pub fn name_in_cp1250(name: &str) -> (Vec<u8>, bool) {
    let mut changed = false;
    let bytes = to_cp1250(name, |c| {
        changed = true;
        format!("u{:04X}", u32::from(c))
    });
    (bytes, changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back() {
        let all: Vec<u8> = (0..=255).collect();
        let text = from_cp1250(&all);
        assert_eq!(to_cp1250(&text, |c| panic!("{c:?} is not in the code page")), all);
        assert_eq!(from_cp1250(b"Ko\x9c\xe6 g\xb3\xf3wna"), "Kość główna");
    }

    #[test]
    fn what_is_not_in_the_code_page_is_replaced_as_asked() {
        let bytes = to_cp1250("ż日本x", |c| format!("u{:04X}", c as u32));
        assert_eq!(bytes, b"\xbfu65E5u672Cx");
    }
}
