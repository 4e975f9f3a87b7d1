//! `extras`: the scene's own, unchanged, and under ligament's key the values that glTF has no fields for.

use super::super::extensions::{OF_OBJECT, OF_SCENE};
use super::super::{EXTRAS, KEY, codes, json};
use super::{Export, extensions};
use crate::scene::{Extras, Scene};
use serde_json::{Map, Value, json};

/// Combines an object's extras with ligament's marks.
pub(in super::super) fn join(mut extras: Extras, marks: Map<String, Value>) -> json::Extra {
    // Extras that were not an object in the file are written back unchanged.
    let only = if extras.len() == 1 && marks.is_empty() { extras.get_mut(KEY) } else { None };
    if let Some(value) = only.and_then(|v| v.as_object_mut()).and_then(|m| m.shift_remove("value")) {
        return Some(Box::new(value));
    }
    if !marks.is_empty() {
        match extras.get_mut(KEY) {
            Some(Value::Object(stored)) => stored.extend(marks),
            _ => {
                extras.insert(KEY.to_owned(), Value::Object(marks));
            }
        }
    }
    (!extras.is_empty()).then(|| Box::new(Value::Object(extras)))
}

/// An object's extras without marks.
pub(super) fn plain(extras: Extras) -> json::Extra {
    join(extras, Map::new())
}

/// Extras that hold only one of ligament's marks.
pub(super) fn mark(key: &str, value: Value) -> json::Extra {
    join(Extras::new(), Map::from_iter([(key.to_owned(), value)]))
}

impl Export<'_> {
    /// Writes the default scene, and what was read from the asset and the file as a whole.
    pub(super) fn scene_data(&mut self, scene: &mut Scene) {
        let mut extras = std::mem::take(&mut scene.extras);
        extensions::add(&mut self.root.extensions, extensions::kept(&mut extras, OF_OBJECT));
        let of_scene = extensions::kept(&mut extras, OF_SCENE);
        if let Some(Value::Object(mut whole)) = extras.shift_remove(EXTRAS) {
            if let Some(Value::String(copyright)) = whole.shift_remove("copyright") {
                self.asset().copyright = Some(copyright);
            }
            if let Some(extras) = whole.shift_remove("asset") {
                self.asset().extras = Some(Box::new(extras));
            }
            if let Some(extras) = whole.shift_remove("file") {
                self.root.extras = Some(Box::new(extras));
            }
        }
        let mut marks = Map::new();
        if let Some(ambient) = scene.ambient {
            marks.insert("ambient".to_owned(), json!(ambient));
            self.kept(&codes::IN_EXTRAS, "scene", 1, "ambient light is kept in extras");
        }
        self.root.scene = Some(0);
        self.root.scenes[0].extras = join(extras, marks);
        self.root.scenes[0].extensions = of_scene;
    }
}
