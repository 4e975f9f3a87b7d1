//! Extras as properties that a user added, and back: numbers, texts, vectors; anything else as text.

use super::codes;
use super::tree::{Record, property};
use crate::formats::owns_extras;
use crate::report::{Loss, Report};
use crate::scene::Extras;
use serde_json::Value as Json;

/// Properties of models that the SDK knows and that change what is seen: extras of these names would be taken for them.
const KNOWN: &[&str] = &[
    "QuaternionInterpolate",
    "RotationOffset",
    "RotationPivot",
    "ScalingOffset",
    "ScalingPivot",
    "TranslationActive",
    "TranslationMin",
    "TranslationMax",
    "TranslationMinX",
    "TranslationMinY",
    "TranslationMinZ",
    "TranslationMaxX",
    "TranslationMaxY",
    "TranslationMaxZ",
    "RotationOrder",
    "RotationSpaceForLimitOnly",
    "AxisLen",
    "PreRotation",
    "PostRotation",
    "RotationActive",
    "RotationMin",
    "RotationMax",
    "RotationMinX",
    "RotationMinY",
    "RotationMinZ",
    "RotationMaxX",
    "RotationMaxY",
    "RotationMaxZ",
    "ScalingActive",
    "ScalingMin",
    "ScalingMax",
    "GeometricTranslation",
    "GeometricRotation",
    "GeometricScaling",
    "LookAtProperty",
    "UpVectorProperty",
    "Show",
    "Visibility",
    "Visibility Inheritance",
    "Freeze",
    "LODBox",
    "BlendMode",
    "UVSet",
    "ReferenceStop",
];

/// The custom properties of an object, beside its own `rows`.
pub(super) fn with_extras(mut rows: Vec<Record>, extras: &Extras, report: &mut Report) -> Vec<Record> {
    let is_known = |rows: &[Record], name: &str| {
        KNOWN.contains(&name)
            || rows.iter().any(|row| row.values.first().is_some_and(|own| own.is_text(name)))
    };
    let (mut as_text, mut renamed) = (0, 0);
    for (name, value) in extras {
        if name == super::KEY {
            continue;
        }
        let mut free = name.replace('\0', "_");
        while is_known(&rows, &free) {
            free.insert_str(0, "user_");
        }
        renamed += usize::from(free != *name);
        let (row, is_text) = row(free, value);
        // Values that a format keeps for itself come back as they were.
        as_text += usize::from(is_text && !owns_extras(name));
        rows.push(row);
    }
    let message = "lists and objects among extras are written as text in JSON";
    report.loss(Loss::kept(&codes::EXTRAS, "", as_text, message));
    let message = "extras whose names are properties of FBX begin with `user_`";
    report.loss(Loss::kept(&codes::EXTRAS, "", renamed, message));
    rows
}

/// A property, and whether its value had to become text.
fn row(name: String, value: &Json) -> (Record, bool) {
    let vector: Option<Vec<f64>> = value.as_array().and_then(|list| list.iter().map(Json::as_f64).collect());
    let row = match (value, vector.as_deref()) {
        (Json::Bool(value), _) => property(name, ["bool", "", "U"], [i32::from(*value)]),
        (Json::Number(number), _) => match number.as_i64().map(i32::try_from) {
            Some(Ok(small)) => property(name, ["int", "Integer", "U"], [small]),
            _ => property(name, ["double", "Number", "U"], [number.as_f64().unwrap_or(0.0)]),
        },
        (Json::String(text), _) => property(name, ["KString", "", "U"], [text.replace('\0', "_")]),
        (_, Some(&[x, y, z])) => property(name, ["Vector3D", "Vector", "U"], [x, y, z]),
        _ => return (property(name, ["KString", "", "U"], [value.to_string()]), true),
    };
    (row, false)
}
