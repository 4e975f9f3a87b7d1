//! Compares a document with the tables of `schema.rs`.

use super::schema::{Extension, Kind, Object, ROOT, find_extension};
use super::view::{Fields, List, integer, items};
use super::{Rules, at, codes, deeper};
use crate::formats::gltf::locate::Step;
use crate::report::Severity;
use serde_json::Value;
use std::collections::HashSet;
use std::hash::Hash;

pub(super) fn check(rules: &mut Rules<'_, '_, '_, '_>) {
    declared(rules);
    let root = rules.root;
    if let Some(fields) = root.as_object() {
        rules.object(fields, &ROOT, &mut Vec::new());
    }
}

/// `extensionsUsed` and `extensionsRequired`.
fn declared(rules: &mut Rules<'_, '_, '_, '_>) {
    let root = rules.root;
    let required: HashSet<_> = items(&root["extensionsRequired"]).iter().filter_map(Value::as_str).collect();
    for (i, name) in items(&root["extensionsUsed"]).iter().enumerate() {
        let Some(name) = name.as_str() else { continue };
        let path = at!["extensionsUsed", i];
        if !is_well_named(name) {
            let message = format!("{name:?} is not named like an extension: a prefix in capitals, then `_`");
            rules.warning(&codes::DECLARATION, path, message);
        }
        if find_extension(name).is_some_and(|known| known.required) && !required.contains(name) {
            let message = format!("{name} cannot be optional; list it in extensionsRequired, too");
            rules.error(&codes::DECLARATION, path, message);
        }
    }
    for (i, name) in items(&root["extensionsRequired"]).iter().enumerate() {
        let Some(name) = name.as_str().filter(|name| !rules.uses(name)) else { continue };
        let message = format!("{name} is required, but not listed in extensionsUsed");
        rules.error(&codes::DECLARATION, at!["extensionsRequired", i], message);
    }
}

fn is_well_named(name: &str) -> bool {
    let Some((prefix, rest)) = name.split_once('_') else { return false };
    let is_word = |text: &str, fits: fn(&u8) -> bool| !text.is_empty() && text.bytes().all(|b| fits(&b));
    is_word(prefix, |b| b.is_ascii_uppercase() || b.is_ascii_digit())
        && is_word(rest, |&b| b.is_ascii_alphanumeric() || b == b'_')
}

/// A value as it is called in a message.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => value.to_string(),
        Value::String(text) if text.chars().count() > 60 => {
            format!("{:?}...", text.chars().take(60).collect::<String>())
        }
        Value::String(text) => format!("{text:?}"),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

impl<'v> Rules<'_, '_, '_, 'v> {
    fn object(&mut self, fields: &'v Fields, schema: &'static Object, path: &mut Vec<Step<'v>>) {
        for (name, _) in fields {
            let is_known = schema.properties.iter().any(|property| property.name == name)
                || matches!(name.as_str(), "extensions" | "extras");
            if !is_known {
                path.push(Step::Name(name));
                self.warning(&codes::UNKNOWN_PROPERTY, path, format!("glTF has no property {name:?} here"));
                path.pop();
            }
        }
        for property in schema.properties {
            match fields.get(property.name) {
                Some(value) => {
                    path.push(Step::Name(property.name));
                    self.value(value, &property.kind, path);
                    path.pop();
                }
                None if property.required => {
                    self.error(&codes::MISSING, path, format!("`{}` is missing", property.name));
                }
                None => {}
            }
        }
        if let Some(value) = fields.get("extensions") {
            path.push(Step::Name("extensions"));
            self.extensions(value, schema, path);
            path.pop();
        }
        if let Some(rule) = schema.rule {
            rule(self, fields, path);
        }
    }

    fn extensions(&mut self, value: &'v Value, schema: &'static Object, path: &mut Vec<Step<'v>>) {
        let Some(extensions) = value.as_object() else { return self.mistyped(value, "an object", path) };
        for (name, value) in extensions {
            path.push(Step::Name(name));
            let known = find_extension(name);
            if !self.uses(name) {
                let message = format!("{name} is not listed in extensionsUsed");
                self.error(&codes::DECLARATION, path, message);
            } else if let Some(known) = known {
                self.extension(known, value, schema, extensions.len(), path);
            }
            if (known.is_none() || !self.uses(name)) && !value.is_object() {
                self.mistyped(value, "an object", path);
            }
            path.pop();
        }
    }

    fn extension(
        &mut self,
        known: &'static Extension,
        value: &'v Value,
        schema: &'static Object,
        count: usize,
        path: &mut Vec<Step<'v>>,
    ) {
        let Some((_, added)) = known.adds.iter().find(|(of, _)| *of == schema.of) else {
            let message = format!("{} does not extend this kind of object", known.name);
            return self.error(&codes::MISPLACED_EXTENSION, path, message);
        };
        if known.alone && count > 1 {
            let message = format!("{} may contradict the other extensions of the object", known.name);
            self.warning(&codes::MISPLACED_EXTENSION, path, message);
        }
        match value.as_object() {
            Some(fields) => self.object(fields, added, path),
            None => self.mistyped(value, "an object", path),
        }
    }

    pub(super) fn mistyped(&mut self, value: &Value, expected: &str, path: &[Step<'_>]) {
        self.error(&codes::TYPE, path, format!("found {}, expected {expected}", shown(value)));
    }

    fn value(&mut self, value: &'v Value, kind: &'static Kind, path: &mut Vec<Step<'v>>) {
        match kind {
            Kind::Bool if value.is_boolean() => {}
            Kind::Bool => self.mistyped(value, "true or false", path),
            Kind::Text | Kind::Version | Kind::Pointer | Kind::Word(_) => self.text(value, kind, path),
            Kind::Integer(min, max) => self.integer(value, *min, *max, path),
            Kind::Constant(known) => self.constant(value, known, path),
            Kind::Number(range) => match value.as_f64() {
                Some(number) if range.contains(number) => {}
                Some(number) => {
                    self.error(&codes::OUT_OF_RANGE, path, format!("{number} is out of range"));
                }
                None => self.mistyped(value, "a number", path),
            },
            Kind::Numbers(length, range) => {
                let Some(list) = self.list(value, path) else { return };
                if length.is_some_and(|length| length != list.len()) {
                    let message = format!("{} numbers; expected {}", list.len(), length.unwrap_or(0));
                    return self.error(&codes::LENGTH, path, message);
                }
                for (i, value) in list.iter().enumerate() {
                    match value.as_f64() {
                        Some(number) if range.contains(number) => continue,
                        Some(number) => {
                            let message = format!("{number} is out of range");
                            self.error(&codes::OUT_OF_RANGE, &deeper(path, at![i]), message);
                        }
                        None => self.mistyped(value, "a number", &deeper(path, at![i])),
                    }
                }
            }
            Kind::Index(list) => self.index(value, *list, path),
            Kind::Indices(list) => {
                let Some(indices) = self.list(value, path) else { return };
                for (i, value) in indices.iter().enumerate() {
                    self.index(value, *list, &deeper(path, at![i]));
                }
                self.distinct(indices, integer, path);
            }
            Kind::Texts => {
                let Some(texts) = self.list(value, path) else { return };
                for (i, value) in texts.iter().enumerate().filter(|(_, value)| !value.is_string()) {
                    self.mistyped(value, "a text", &deeper(path, at![i]));
                }
                self.distinct(texts, Value::as_str, path);
            }
            Kind::Object(schema) => match value.as_object() {
                Some(fields) => self.object(fields, schema, path),
                None => self.mistyped(value, "an object", path),
            },
            Kind::Objects(schema) => {
                let Some(objects) = self.list(value, path) else { return };
                for (i, value) in objects.iter().enumerate() {
                    path.push(Step::Index(i));
                    match value.as_object() {
                        Some(fields) => self.object(fields, schema, path),
                        None => self.mistyped(value, "an object", path),
                    }
                    path.pop();
                }
            }
            Kind::Attributes => self.attributes(value, path),
            Kind::Targets => {
                let Some(targets) = self.list(value, path) else { return };
                for (i, value) in targets.iter().enumerate() {
                    path.push(Step::Index(i));
                    self.attributes(value, path);
                    path.pop();
                }
            }
        }
    }

    fn text(&mut self, value: &Value, kind: &Kind, path: &[Step<'_>]) {
        let Some(text) = value.as_str() else { return self.mistyped(value, "a text", path) };
        match kind {
            Kind::Word(known) if !known.contains(&text) => {
                let message = format!("{} is not one of {}", shown(value), known.join(", "));
                self.warning(&codes::OUT_OF_RANGE, path, message);
            }
            Kind::Version if !is_version(text) => {
                let message = format!("{} is not a version such as \"2.0\"", shown(value));
                self.error(&codes::OUT_OF_RANGE, path, message);
            }
            Kind::Pointer if !is_pointer(text) => {
                let message = format!("{} is not a JSON pointer such as \"/nodes/0/scale\"", shown(value));
                self.error(&codes::OUT_OF_RANGE, path, message);
            }
            _ => {}
        }
    }

    fn integer(&mut self, value: &Value, min: u64, max: u64, path: &[Step<'_>]) {
        match integer(value) {
            Some(number) if (min..=max).contains(&number) => {}
            None if !is_integer(value) => self.mistyped(value, "an integer", path),
            _ if max == u64::MAX => {
                let message = format!("{} is out of range; expected at least {min}", shown(value));
                self.error(&codes::OUT_OF_RANGE, path, message);
            }
            _ => {
                let message = format!("{} is out of range; expected {min} to {max}", shown(value));
                self.error(&codes::OUT_OF_RANGE, path, message);
            }
        }
    }

    fn constant(&mut self, value: &Value, known: &[u64], path: &[Step<'_>]) {
        if !is_integer(value) {
            self.mistyped(value, "an integer", path);
        } else if !integer(value).is_some_and(|number| known.contains(&number)) {
            let known: Vec<_> = known.iter().map(u64::to_string).collect();
            let message = format!("{} is not one of {}", shown(value), known.join(", "));
            self.warning(&codes::OUT_OF_RANGE, path, message);
        }
    }

    /// The elements of an array, which must have some.
    fn list(&mut self, value: &'v Value, path: &[Step<'_>]) -> Option<&'v [Value]> {
        match value.as_array() {
            Some(list) if list.is_empty() => {
                self.error(&codes::EMPTY_ENTITY, path, "the array is empty; leave the property out");
                None
            }
            Some(list) => Some(list),
            None => {
                self.mistyped(value, "an array", path);
                None
            }
        }
    }

    fn index(&mut self, value: &Value, list: List, path: &[Step<'_>]) {
        let Some(index) = integer(value) else { return self.mistyped(value, "an index", path) };
        let count = list.of(self.root).len();
        if index >= count as u64 {
            let message = format!("there is no {} {index}; the file has {count}", list.names().1);
            self.error(&codes::INDEX, path, message);
        }
    }

    fn attributes(&mut self, value: &'v Value, path: &[Step<'v>]) {
        let Some(attributes) = value.as_object() else { return self.mistyped(value, "an object", path) };
        if attributes.is_empty() {
            return self.error(&codes::EMPTY_ENTITY, path, "there are no attributes");
        }
        for (name, value) in attributes {
            self.index(value, List::Accessors, &deeper(path, at![name.as_str()]));
        }
    }

    /// Reports elements that occur twice.
    fn distinct<T: Eq + Hash>(
        &mut self,
        list: &'v [Value],
        key: impl Fn(&'v Value) -> Option<T>,
        path: &[Step<'_>],
    ) {
        let mut seen = HashSet::new();
        for (i, value) in list.iter().enumerate() {
            if key(value).is_some_and(|key| !seen.insert(key)) {
                let message = format!("{} is already in the list", shown(value));
                self.say(Severity::Error, &codes::REPEATED, &deeper(path, at![i]), message);
            }
        }
    }
}

fn is_integer(value: &Value) -> bool {
    value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0)
}

fn is_version(text: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    text.split_once('.').is_some_and(|(major, minor)| is_number(major) && is_number(minor))
}

fn is_pointer(text: &str) -> bool {
    let is_escaped = |part: &str| part.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
    text.is_empty() || (text.starts_with('/') && is_escaped(text))
}
