//! `extras`: kept as they are, except for what ligament itself wrote under its key.

use super::super::{EXTRAS, KEY, json};
use super::Import;
use crate::scene::{Extras, Scene};
use serde_json::{Map, Value};

/// What ligament stored in an object's extras.
pub(super) type Marks = Map<String, Value>;

/// An object's extras without ligament's own, and those.
pub(super) fn split(extra: &json::Extra) -> (Extras, Marks) {
    take_apart(extra.clone())
}

/// The same of extras that nobody needs any more: a clip's may be as large as the clip.
pub(super) fn take_apart(extra: json::Extra) -> (Extras, Marks) {
    match extra.map(|value| *value) {
        None => Default::default(),
        Some(Value::Object(mut extras)) => match extras.shift_remove(KEY) {
            Some(Value::Object(mut marks)) => {
                // Extras that were no object stand among the marks, as `wrapped` has them.
                if let Some(value) = marks.shift_remove("value") {
                    extras.append(&mut wrapped(value));
                }
                (extras, marks)
            }
            Some(other) => {
                extras.insert(KEY.to_owned(), other);
                (extras, Marks::new())
            }
            None => (extras, Marks::new()),
        },
        // The specification prefers objects but allows anything.
        Some(other) => (wrapped(other), Marks::new()),
    }
}

/// Extras that are no object, as a scene keeps them.
fn wrapped(value: Value) -> Extras {
    let mut inner = Map::new();
    inner.insert("value".to_owned(), value);
    let mut extras = Extras::new();
    extras.insert(KEY.to_owned(), Value::Object(inner));
    extras
}

/// The extras of an object that ligament stores nothing in.
pub(super) fn kept(extra: &json::Extra) -> Extras {
    match extra.as_deref() {
        Some(Value::Object(map)) => map.clone(),
        _ => split(extra).0,
    }
}

/// A finite number of a mark.
pub(super) fn number(value: &Value) -> Option<f32> {
    value.as_f64().map(|v| v as f32).filter(|v| v.is_finite())
}

/// A list of exactly `N` finite numbers.
pub(super) fn numbers<const N: usize>(value: Option<&Value>) -> Option<[f32; N]> {
    let list = value?.as_array()?;
    let values: Vec<f32> = list.iter().map_while(number).collect();
    values.try_into().ok()
}

impl Import<'_, '_, '_> {
    /// What the default scene, the asset and the file as a whole say besides their objects.
    pub(super) fn scene_data(&mut self, scene: &mut Scene) {
        let root = self.root;
        let index = root.scene.unwrap_or(0) as usize;
        if let Some(source) = root.scenes.get(index) {
            let (extras, marks) = split(&source.extras);
            scene.name.clone_from(&source.name);
            scene.extras = extras;
            scene.ambient = numbers(marks.get("ambient"));
        }
        // The asset's and the file's own data have no other place in a scene.
        let mut whole = Map::new();
        if let Some(asset) = &root.asset {
            if let Some(copyright) = &asset.copyright {
                whole.insert("copyright".to_owned(), copyright.as_str().into());
            }
            if let Some(extras) = &asset.extras {
                whole.insert("asset".to_owned(), (**extras).clone());
            }
        }
        if let Some(extras) = &root.extras {
            whole.insert("file".to_owned(), (**extras).clone());
        }
        if !whole.is_empty() {
            scene.extras.insert(EXTRAS.to_owned(), Value::Object(whole));
        }
    }
}
