//! `extras`: kept unchanged, except for what ligament itself wrote under its key.

use super::super::extensions::{OF_OBJECT, OF_SCENE, clear, store};
use super::super::{KEY, json};
use super::Import;
use crate::scene::{Extras, Scene};
use serde_json::{Map, Value};

/// The values that ligament stored in an object's extras.
pub(super) type Marks = Map<String, Value>;

/// Splits an object's extras into the file's own and ligament's marks.
pub(super) fn split(extra: &json::Extra) -> (Extras, Marks) {
    take_apart(extra.clone())
}

/// Like [`split`], taking the extras by value: a clip's may be as large as the clip.
pub(in super::super) fn take_apart(extra: json::Extra) -> (Extras, Marks) {
    match extra.map(|value| *value) {
        None => Default::default(),
        Some(Value::Object(mut extras)) => match cleared(&mut extras).shift_remove(KEY) {
            Some(Value::Object(mut marks)) => {
                // Extras that were not an object are stored among the marks, in the form of `wrapped`.
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
        // The specification recommends objects but allows any value.
        Some(other) => (wrapped(other), Marks::new()),
    }
}

/// A file's own extras, without what importing stores there.
fn cleared(extras: &mut Extras) -> &mut Extras {
    clear(extras);
    extras
}

/// The form in which a scene keeps extras that are not an object.
fn wrapped(value: Value) -> Extras {
    let mut inner = Map::new();
    inner.insert("value".to_owned(), value);
    let mut extras = Extras::new();
    extras.insert(KEY.to_owned(), Value::Object(inner));
    extras
}

/// The extras of an object in which ligament stores nothing.
pub(super) fn kept(extra: &json::Extra) -> Extras {
    match extra.as_deref() {
        Some(Value::Object(map)) => {
            let mut extras = map.clone();
            clear(&mut extras);
            extras
        }
        _ => split(extra).0,
    }
}

/// The value of a mark as a finite number.
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
    /// Reads the extras of the default scene, the asset and the file as a whole.
    pub(super) fn scene_data(&mut self, scene: &mut Scene) {
        let root = self.root;
        let index = root.scene.unwrap_or(0) as usize;
        if let Some(source) = root.scenes.get(index) {
            let (extras, marks) = split(&source.extras);
            scene.name.clone_from(&source.name);
            scene.extras = extras;
            self.keep_extensions(&source.extensions, OF_SCENE, &mut scene.extras);
            scene.ambient = numbers(marks.get("ambient"));
        }
        // The asset's and the file's own data have no field in a scene.
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
        self.keep_extensions(&root.extensions, OF_OBJECT, &mut scene.extras);
        for (key, value) in whole {
            store(&mut scene.extras, &key, value);
        }
    }
}
