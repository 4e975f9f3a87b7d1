//! A file's bounding boxes, as they travel through a scene: in `extras.pfobj.bounds` of the scene and its clips.
//!
//! They are stored as one string of numbers. As a list of JSON numbers, the boxes of a long clip would take more
//! memory than its frames.

use super::document::Bounds;
use crate::scene::Extras;
use crate::text::parse_f32;
use serde_json::Value;

/// Formats minima and maxima, axis by axis, box by box, separated by spaces.
pub(super) fn to_extras(bounds: &[Bounds]) -> Value {
    let mut text = String::new();
    let mut buffer = zmij::Buffer::new();
    for value in bounds.as_flattened().as_flattened() {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(buffer.format(*value));
    }
    text.shrink_to_fit();
    Value::String(text)
}

/// Parses the boxes in extras, up to the first invalid one.
pub(super) fn from_extras(extras: &Extras) -> Vec<Bounds> {
    let text = extras.get("pfobj").and_then(|values| values.get("bounds")).and_then(Value::as_str);
    let mut numbers = text.unwrap_or_default().split(' ').map_while(|n| parse_f32(n.as_bytes()).ok());
    let mut axis = || Some([numbers.next()?, numbers.next()?]);
    std::iter::from_fn(|| Some([axis()?, axis()?, axis()?])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_come_back_as_they_were() {
        let boxes =
            [[[-1.0, 2.5], [0.1, 1e-7], [-0.0, 3e20]], [[f32::MIN, f32::MAX], [0.0, 0.0], [7.0, 8.0]]];
        let extras =
            |value| Extras::from_iter([("pfobj".to_owned(), serde_json::json!({ "bounds": value }))]);
        assert_eq!(from_extras(&extras(to_extras(&boxes))), boxes);
        assert_eq!(from_extras(&extras(to_extras(&[]))), Vec::<Bounds>::new());
        for (other, whole) in
            [("1 2 3 4 5", 0), ("1 2 3 4 5 6 7", 1), ("1 2 3 4 5 x", 0), ("nan 2 3 4 5 6", 0)]
        {
            assert_eq!(from_extras(&extras(other.into())).len(), whole, "{other}");
        }
    }
}
