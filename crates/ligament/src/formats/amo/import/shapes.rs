//! Hooks, boxes and collision meshes, which travel as key-value data so that the counted dialect can restore them.

use super::{Import, KEY};
use crate::formats::amo::codes;
use crate::formats::amo::document::{Hook, JointBox, Model, Shapes};
use crate::report::Loss;
use serde_json::{Map, Value, json};

impl Import<'_> {
    pub(super) fn shapes(&mut self, models: &[Model]) {
        let count = |s: &Shapes| {
            s.hooks.len()
                + s.boxes.len()
                + s.bounds.iter().count()
                + s.ellipsoid.iter().count()
                + usize::from(!s.collision_positions.is_empty() || !s.collision_triangles.is_empty())
        };
        let total: usize = models.iter().map(|model| count(&model.shapes)).sum();
        if total == 0 {
            return;
        }
        let shapes: Vec<Value> = models.iter().map(|model| to_json(&model.shapes)).collect();
        self.scene.extras.insert(KEY.to_owned(), json!({ "shapes": shapes }));
        let message = "hooks, boxes and collision meshes are kept as key-value data, in the file's own space";
        self.report.loss(Loss::kept(&codes::SHAPES, "", total, message));
    }
}

fn numbers<'n>(values: impl IntoIterator<Item = &'n f32>) -> Vec<Value> {
    values.into_iter().map(|&v| json!(v)).collect()
}

fn to_json(shapes: &Shapes) -> Value {
    let mut object = Map::new();
    let mut set = |key: &str, values: Vec<Value>| {
        if !values.is_empty() {
            object.insert(key.to_owned(), Value::Array(values));
        }
    };
    let hook = |h: &Hook| {
        let rest = numbers(h.position.iter().chain(&h.direction).chain(&h.matrix));
        Value::Array([json!(h.index), json!(h.joint)].into_iter().chain(rest).collect())
    };
    let joint_box = |b: &JointBox| {
        let rest = numbers(b.position.iter().chain(&b.scale).chain(&b.matrix));
        Value::Array(std::iter::once(json!(b.joint)).chain(rest).collect())
    };
    set("hooks", shapes.hooks.iter().map(hook).collect());
    set("bounds", numbers(shapes.bounds.iter().flatten()));
    set("ellipsoid", numbers(shapes.ellipsoid.iter().flatten()));
    set("collision_positions", numbers(shapes.collision_positions.iter().flatten()));
    set("collision_triangles", shapes.collision_triangles.iter().flatten().map(|&i| json!(i)).collect());
    set("boxes", shapes.boxes.iter().map(joint_box).collect());
    Value::Object(object)
}

/// Parses the shapes of the first model, as far as they match what [`to_json`] writes.
pub(in super::super) fn from_json(extras: &crate::scene::Extras) -> Shapes {
    let mut shapes = Shapes::default();
    let Some(object) = extras.get(KEY).and_then(|v| v.get("shapes")?.get(0)) else { return shapes };
    let list = |key: &str| object.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    shapes.bounds = floats(list("bounds"));
    shapes.ellipsoid = floats(list("ellipsoid"));
    let positions = list("collision_positions").as_chunks::<3>().0;
    shapes.collision_positions = positions.iter().filter_map(|values| floats(values)).collect();
    let triangles = list("collision_triangles").as_chunks::<3>().0;
    let triangle = |[a, b, c]: &[Value; 3]| Some([whole(a)?, whole(b)?, whole(c)?]);
    shapes.collision_triangles = triangles.iter().filter_map(triangle).collect();
    for values in list("hooks").iter().filter_map(Value::as_array) {
        let [index, joint, rest @ ..] = values.as_slice() else { continue };
        let (Some(index), Some(joint), Some(all)) = (whole(index), whole(joint), floats::<22>(rest)) else {
            continue;
        };
        let (position, direction, matrix) = parts(&all);
        shapes.hooks.push(Hook { index, joint, position, direction, matrix });
    }
    for values in list("boxes").iter().filter_map(Value::as_array) {
        let [joint, rest @ ..] = values.as_slice() else { continue };
        let (Some(joint), Some(all)) = (whole(joint), floats::<22>(rest)) else { continue };
        let (position, scale, matrix) = parts(&all);
        shapes.boxes.push(JointBox { joint, position, scale, matrix });
    }
    shapes
}

fn parts(all: &[f32; 22]) -> ([f32; 3], [f32; 3], [f32; 16]) {
    let at = |i: usize| all.get(i).copied().unwrap_or_default();
    (std::array::from_fn(at), std::array::from_fn(|i| at(3 + i)), std::array::from_fn(|i| at(6 + i)))
}

fn whole(value: &Value) -> Option<i32> {
    i32::try_from(value.as_i64()?).ok().filter(|&v| v != i32::MIN)
}

fn floats<const N: usize>(values: &[Value]) -> Option<[f32; N]> {
    let mut floats = [0.0; N];
    if values.len() != N {
        return None;
    }
    for (float, value) in floats.iter_mut().zip(values) {
        *float = Some(value.as_f64()? as f32).filter(|v| v.is_finite())?;
    }
    Some(floats)
}
