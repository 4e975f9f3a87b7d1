//! Rules about several properties of one object.

use super::schema::ANY;
use super::view::{Fields, integer, items, set_number};
use super::walk::shown;
use super::{Rules, at, codes, deeper};
use crate::formats::gltf::accessor::{Component, components};
use crate::formats::gltf::locate::Step;
use crate::formats::gltf::uri::data_uri;
use crate::scene::media_type;
use serde_json::Value;

/// The limit that quaternions of node rotations and animations keep to: what rounding to bytes costs.
pub(super) const QUATERNION_TOLERANCE: f64 = 0.00769;

type R<'x, 'r, 's, 'a, 'v> = &'x mut Rules<'r, 's, 'a, 'v>;

fn number(fields: &Fields, name: &str) -> Option<f64> {
    fields.get(name)?.as_f64()
}

fn text<'v>(fields: &'v Fields, name: &str) -> Option<&'v str> {
    fields.get(name)?.as_str()
}

fn numbers(fields: &Fields, name: &str) -> Option<Vec<f64>> {
    fields.get(name)?.as_array()?.iter().map(Value::as_f64).collect()
}

impl<'v> Rules<'_, '_, '_, 'v> {
    /// Reports that a property needs another one.
    fn needs(&mut self, path: &[Step<'v>], name: &'v str, other: &str) {
        let message = format!("`{name}` needs `{other}`, which is missing");
        self.error(&codes::MISSING, &deeper(path, at![name]), message);
    }
}

pub(super) fn root<'v>(rules: R<'_, '_, '_, '_, 'v>, fields: &'v Fields, path: &[Step<'v>]) {
    if fields.contains_key("extensionsRequired") && !fields.contains_key("extensionsUsed") {
        rules.needs(path, "extensionsRequired", "extensionsUsed");
    }
}

pub(super) fn asset<'v>(rules: R<'_, '_, '_, '_, 'v>, fields: &'v Fields, path: &[Step<'v>]) {
    let parts = |name| {
        let (major, minor) = text(fields, name)?.split_once('.')?;
        Some((major.parse::<u64>().ok()?, minor.parse::<u64>().ok()?))
    };
    let Some(version) = parts("version") else { return };
    if let Some(least) = parts("minVersion").filter(|least| *least > version) {
        let message = format!(
            "the file needs version {}.{}, but says that it has {}.{}",
            least.0, least.1, version.0, version.1
        );
        rules.error(&codes::OUT_OF_RANGE, &deeper(path, at!["minVersion"]), message);
    }
    if version.0 == 2 && version.1 > 0 {
        let message = format!("glTF 2.{} is not known; it is checked as 2.0", version.1);
        rules.warning(&codes::OUT_OF_RANGE, &deeper(path, at!["version"]), message);
    }
}

pub(super) fn accessor<'v>(rules: R<'_, '_, '_, '_, 'v>, fields: &'v Fields, path: &[Step<'v>]) {
    if fields.contains_key("byteOffset") && !fields.contains_key("bufferView") {
        rules.needs(path, "byteOffset", "bufferView");
    }
    let component =
        fields.get("componentType").and_then(integer).and_then(|c| Component::from_gl(c.try_into().ok()?));
    let kind = text(fields, "type").unwrap_or("");
    let is_long = matches!(component, Some(Component::F32 | Component::U32));
    if is_long && fields.get("normalized") == Some(&Value::Bool(true)) {
        let message = "only accessors of bytes and shorts can be normalized";
        rules.error(&codes::LAYOUT, &deeper(path, at!["normalized"]), message);
    }
    let offset = fields.get("byteOffset").and_then(integer).unwrap_or(0);
    if kind.starts_with("MAT") && !offset.is_multiple_of(4) {
        let message = format!("matrices must start at a multiple of 4 bytes, not at {offset}");
        rules.error(&codes::LAYOUT, &deeper(path, at!["byteOffset"]), message);
    }
    let (Some(component), Some(width)) = (component, components(kind)) else { return };
    for name in ["min", "max"] {
        let Some(bounds) = fields.get(name).and_then(Value::as_array).filter(|b| !b.is_empty()) else {
            continue;
        };
        let path = deeper(path, at![name]);
        if bounds.len() != width {
            let message = format!("{} numbers; a {kind} has {width}", bounds.len());
            rules.error(&codes::LENGTH, &path, message);
        } else if let Some(bad) = bounds.iter().filter_map(Value::as_f64).find(|v| !holds(component, *v)) {
            let message = format!("{bad} is not a value of the component type");
            rules.error(&codes::OUT_OF_RANGE, &path, message);
        }
    }
}

/// Whether a component type has a value.
fn holds(component: Component, value: f64) -> bool {
    let (min, max) = match component {
        Component::I8 => (-128.0, 127.0),
        Component::U8 => (0.0, 255.0),
        Component::I16 => (-32768.0, 32767.0),
        Component::U16 => (0.0, 65535.0),
        Component::U32 => (0.0, f64::from(u32::MAX)),
        Component::F32 => return ANY.contains(value),
    };
    value.fract() == 0.0 && (min..=max).contains(&value)
}

pub(super) fn animation_target<'v>(rules: R<'_, '_, '_, '_, 'v>, fields: &'v Fields, path: &[Step<'v>]) {
    const POINTER: &str = "KHR_animation_pointer";
    let Some(property) = text(fields, "path") else { return };
    let is_used = rules.uses(POINTER);
    let is_known = matches!(property, "translation" | "rotation" | "scale" | "weights");
    let is_pointer = is_used && property == "pointer";
    if !is_known && !is_pointer {
        let message = format!("{property:?} is not one of translation, rotation, scale, weights");
        rules.warning(&codes::OUT_OF_RANGE, &deeper(path, at!["path"]), message);
    }
    if !is_used || fields.get("extensions").and_then(|e| e.get(POINTER)).is_none() {
        return;
    }
    if fields.contains_key("node") {
        let message = "a target with KHR_animation_pointer has no node; the pointer names it";
        rules.error(&codes::CHANNEL, &deeper(path, at!["node"]), message);
    }
    if property != "pointer" {
        let message =
            format!("a target with KHR_animation_pointer has the path \"pointer\", not {property:?}");
        rules.error(&codes::CHANNEL, &deeper(path, at!["path"]), message);
    }
}

pub(super) fn buffer<'v>(rules: R<'_, '_, '_, '_, 'v>, fields: &'v Fields, path: &[Step<'v>]) {
    let Some(uri) = text(fields, "uri") else { return };
    let path = deeper(path, at!["uri"]);
    match data_uri(uri) {
        Some(data) => {
            let mime = data.mime.to_ascii_lowercase();
            if !matches!(mime.as_str(), "application/octet-stream" | "application/gltf-buffer") {
                let message = format!("a buffer's data is application/octet-stream, not {mime:?}");
                rules.error(&codes::URI, &path, message);
            }
        }
        None => link(rules, uri, &path),
    }
}

pub(super) fn image<'v>(rules: R<'_, '_, '_, '_, 'v>, fields: &'v Fields, path: &[Step<'v>]) {
    let has_view = fields.contains_key("bufferView");
    let uri = text(fields, "uri");
    if has_view == uri.is_some() {
        let found = if has_view { "both" } else { "neither" };
        let message = format!("an image has a `uri` or a `bufferView`; this one has {found}");
        rules.error(&codes::MISSING, path, message);
    }
    match text(fields, "mimeType") {
        None if has_view => rules.needs(path, "bufferView", "mimeType"),
        Some(mime) if !is_enabled(rules, mime) => {
            let message = format!("{mime:?} is not one of image/jpeg, image/png");
            rules.warning(&codes::OUT_OF_RANGE, &deeper(path, at!["mimeType"]), message);
        }
        _ => {}
    }
    let Some(uri) = uri else { return };
    let path = deeper(path, at!["uri"]);
    match data_uri(uri) {
        Some(data) => {
            let head = uri.get(data.payload..).unwrap_or("").as_bytes();
            let head = &head[..head.len().min(64) / 4 * 4];
            let bytes = crate::formats::gltf::uri::decode_base64(head).unwrap_or_default();
            let found = media_type(&bytes);
            if found != Some(data.mime.to_ascii_lowercase().as_str()) {
                let found = found.unwrap_or("of an unknown type");
                let message = format!("the data URI says {:?}, but the image is {found}", data.mime);
                rules.error(&codes::URI, &path, message);
            }
        }
        None => link(rules, uri, &path),
    }
}

/// Whether images may have a media type: extensions add some.
pub(super) fn is_enabled(rules: &Rules<'_, '_, '_, '_>, mime: &str) -> bool {
    match mime {
        "image/jpeg" | "image/png" => true,
        "image/webp" => rules.uses("EXT_texture_webp"),
        "image/ktx2" => rules.uses("KHR_texture_basisu"),
        "image/avif" => rules.uses("EXT_texture_avif"),
        "image/vnd-ms.dds" => rules.uses("MSFT_texture_dds"),
        _ => false,
    }
}

/// Checks a URI that is no data URI.
fn link(rules: R<'_, '_, '_, '_, '_>, uri: &str, path: &[Step<'_>]) {
    let end = uri.find(['/', '?', '#']).unwrap_or(uri.len());
    if let Some(colon) = uri[..end].find(':') {
        let scheme = &uri.as_bytes()[..colon];
        let is_scheme = scheme.first().is_some_and(u8::is_ascii_alphabetic)
            && scheme.iter().all(|b| b.is_ascii_alphanumeric() || b"+.-".contains(b));
        if is_scheme {
            let message = format!("{} is not relative to the model's folder", shown(&Value::from(uri)));
            rules.warning(&codes::URI, path, message);
        } else {
            let message =
                format!("{} is not a URI: nothing may be before `:` but a scheme", shown(&Value::from(uri)));
            rules.error(&codes::URI, path, message);
        }
    } else if uri.starts_with('/') || uri.contains(['?', '#']) {
        let message = format!("{} is not relative to the model's folder", shown(&Value::from(uri)));
        rules.warning(&codes::URI, path, message);
    }
}

pub(super) fn buffer_view<'v>(rules: R<'_, '_, '_, '_, 'v>, fields: &'v Fields, path: &[Step<'v>]) {
    let get = |name: &str| fields.get(name).and_then(integer);
    let Some(stride) = get("byteStride").filter(|s| (4..=252).contains(s)) else { return };
    let path = deeper(path, at!["byteStride"]);
    if let Some(length) = get("byteLength").filter(|&length| stride > length) {
        let message = format!("a stride of {stride} is more than the view's {length} bytes");
        rules.error(&codes::LAYOUT, &path, message);
    }
    if !stride.is_multiple_of(4) {
        rules.error(&codes::LAYOUT, &path, format!("a stride of {stride} is not a multiple of 4"));
    }
    if get("target") == Some(34963) {
        rules.error(&codes::LAYOUT, &path, "a view of indices has no stride");
    }
}

pub(super) fn camera<'v>(rules: R<'_, '_, '_, '_, 'v>, fields: &'v Fields, path: &[Step<'v>]) {
    if fields.contains_key("orthographic") && fields.contains_key("perspective") {
        let message = "a camera is orthographic or perspective; this one has both";
        rules.error(&codes::MISSING, path, message);
    }
    for kind in ["orthographic", "perspective"] {
        if text(fields, "type") == Some(kind) && !fields.contains_key(kind) {
            rules.error(&codes::MISSING, path, format!("`{kind}` is missing"));
        }
    }
}

pub(super) fn orthographic<'v>(rules: R<'_, '_, '_, '_, 'v>, fields: &'v Fields, path: &[Step<'v>]) {
    planes(rules, fields, path);
    for name in ["xmag", "ymag"] {
        let path = deeper(path, at![name]);
        match number(fields, name) {
            Some(0.0) => {
                rules.error(&codes::OUT_OF_RANGE, &path, "a camera that is 0 wide or high shows nothing")
            }
            Some(value) if value < 0.0 => {
                rules.warning(
                    &codes::OUT_OF_RANGE,
                    &path,
                    format!("{value} is negative; programs disagree on it"),
                );
            }
            _ => {}
        }
    }
}

pub(super) fn perspective<'v>(rules: R<'_, '_, '_, '_, 'v>, fields: &'v Fields, path: &[Step<'v>]) {
    planes(rules, fields, path);
    if let Some(angle) = number(fields, "yfov").filter(|angle| *angle >= std::f64::consts::PI) {
        let message = format!("an angle of {angle} is not less than half a turn");
        rules.warning(&codes::OUT_OF_RANGE, &deeper(path, at!["yfov"]), message);
    }
}

/// A camera's far plane is beyond its near one.
fn planes<'v>(rules: R<'_, '_, '_, '_, 'v>, fields: &'v Fields, path: &[Step<'v>]) {
    let (far, near) = (number(fields, "zfar"), number(fields, "znear"));
    if let (Some(far), Some(near)) = (far.filter(|far| *far > 0.0), near.filter(|near| *near >= 0.0))
        && far <= near
    {
        let message = format!("the far plane, {far}, is not beyond the near plane, {near}");
        rules.error(&codes::OUT_OF_RANGE, &deeper(path, at!["zfar"]), message);
    }
}

pub(super) fn light<'v>(rules: R<'_, '_, '_, '_, 'v>, fields: &'v Fields, path: &[Step<'v>]) {
    if text(fields, "type") == Some("spot") && !fields.contains_key("spot") {
        rules.error(&codes::MISSING, path, "`spot` is missing");
    }
}

pub(super) fn spot<'v>(rules: R<'_, '_, '_, '_, 'v>, fields: &'v Fields, path: &[Step<'v>]) {
    let angle = |name, default| fields.get(name).map_or(Some(default), Value::as_f64);
    let inner = angle("innerConeAngle", 0.0).filter(|angle| *angle >= 0.0);
    let outer = angle("outerConeAngle", std::f64::consts::FRAC_PI_4).filter(|angle| *angle > 0.0);
    if let (Some(inner), Some(outer)) = (inner, outer)
        && outer <= inner
    {
        let message = format!("the outer angle, {outer}, is not larger than the inner one, {inner}");
        rules.error(&codes::OUT_OF_RANGE, &deeper(path, at!["outerConeAngle"]), message);
    }
}

pub(super) fn material<'v>(rules: R<'_, '_, '_, '_, 'v>, fields: &'v Fields, path: &[Step<'v>]) {
    if fields.contains_key("alphaCutoff") && text(fields, "alphaMode") != Some("MASK") {
        let message = "a cutoff has no effect unless alphaMode is MASK";
        rules.warning(&codes::NO_EFFECT, &deeper(path, at!["alphaCutoff"]), message);
    }
    let Some(extensions) = fields.get("extensions").and_then(Value::as_object) else { return };
    let has = |name: &str| extensions.contains_key(name);
    let mut without = |name: &'static str, message: &str| {
        if has(name) && rules.uses(name) {
            rules.warning(&codes::NO_EFFECT, &deeper(path, at!["extensions", name]), message);
        }
    };
    if !has("KHR_materials_volume") {
        without("KHR_materials_dispersion", "dispersion has no effect without KHR_materials_volume");
    }
    if !has("KHR_materials_transmission") {
        without("KHR_materials_volume", "a volume has no effect without KHR_materials_transmission");
    }
    let glow = numbers(fields, "emissiveFactor").unwrap_or_default();
    let strength = extensions.get("KHR_materials_emissive_strength").and_then(|e| e.get("emissiveStrength"));
    if glow.iter().all(|v| *v == 0.0) && strength.and_then(Value::as_f64).is_some_and(|v| v != 1.0) {
        without("KHR_materials_emissive_strength", "a strength has no effect where emissiveFactor is 0");
    }
}

pub(super) fn mesh<'v>(rules: R<'_, '_, '_, '_, 'v>, fields: &'v Fields, path: &[Step<'v>]) {
    let primitives = fields.get("primitives").map_or(&[][..], items);
    let targets = |primitive: &Value| items(&primitive["targets"]).len();
    let Some(first) = primitives.first().map(targets) else { return };
    for (i, primitive) in primitives.iter().enumerate() {
        let count = targets(primitive);
        if count != first {
            let message = format!("{count} morph targets, but primitive 0 of the mesh has {first}");
            rules.error(&codes::MORPHS, &deeper(path, at!["primitives", i]), message);
        }
    }
    if let Some(weights) = fields.get("weights").and_then(Value::as_array).filter(|w| !w.is_empty())
        && weights.len() != first
    {
        let message = format!("{} weights for {first} morph targets", weights.len());
        rules.error(&codes::MORPHS, &deeper(path, at!["weights"]), message);
    }
}

pub(super) fn primitive<'v>(rules: R<'_, '_, '_, '_, 'v>, fields: &'v Fields, path: &[Step<'v>]) {
    for (t, target) in fields.get("targets").map_or(&[][..], items).iter().enumerate() {
        let names = target.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
        for name in names.filter(|name| !is_attribute(name, &["COLOR", "TEXCOORD"])) {
            let message =
                format!("{name:?} is not an attribute of morph targets; begin an own name with `_`");
            rules.error(&codes::ATTRIBUTE, &deeper(path, at!["targets", t, name]), message);
        }
    }
    let Some(attributes) = fields.get("attributes").and_then(Value::as_object) else { return };
    if attributes.is_empty() {
        return;
    }
    let path = deeper(path, at!["attributes"]);
    let mut sets = [("COLOR", 0, 0), ("JOINTS", 0, 0), ("TEXCOORD", 0, 0), ("WEIGHTS", 0, 0)];
    let known = sets.map(|(prefix, ..)| prefix);
    for name in attributes.keys() {
        if !is_attribute(name, &known) {
            let message = format!("{name:?} is not an attribute; begin an own name with `_`");
            rules.error(&codes::ATTRIBUTE, &deeper(&path, at![name.as_str()]), message);
        }
        let Some((prefix, digits)) = name.split_once('_') else { continue };
        if let Some(number) = set_number(digits)
            && let Some((_, count, end)) = sets.iter_mut().find(|set| set.0 == prefix)
        {
            *count += 1;
            *end = (*end).max(number.saturating_add(1));
        }
    }
    for (prefix, count, end) in sets.iter_mut().filter(|(_, count, end)| count != end) {
        let message = format!("{prefix} is numbered up to {}, but there are {count} of it", *end - 1);
        rules.error(&codes::ATTRIBUTE, &path, message);
        *count = 0;
    }
    if sets[1].1 != sets[3].1 {
        let message = format!("{} sets of JOINTS, but {} of WEIGHTS", sets[1].1, sets[3].1);
        rules.error(&codes::ATTRIBUTE, &path, message);
    }
    if !attributes.contains_key("POSITION") {
        rules.warning(&codes::ATTRIBUTE, &path, "there are no positions, so nothing is drawn");
    }
    if attributes.contains_key("TANGENT") && !attributes.contains_key("NORMAL") {
        let message = "tangents have no effect without normals";
        rules.warning(&codes::NO_EFFECT, &deeper(&path, at!["TANGENT"]), message);
    }
}

fn is_attribute(name: &str, numbered: &[&str]) -> bool {
    name.starts_with('_')
        || matches!(name, "POSITION" | "NORMAL" | "TANGENT")
        || name
            .split_once('_')
            .is_some_and(|(prefix, digits)| numbered.contains(&prefix) && set_number(digits).is_some())
}

pub(super) fn node<'v>(rules: R<'_, '_, '_, '_, 'v>, fields: &'v Fields, path: &[Step<'v>]) {
    if !fields.contains_key("mesh") {
        for name in ["skin", "weights"].into_iter().filter(|name| fields.contains_key(*name)) {
            rules.needs(path, name, "mesh");
        }
    }
    if let Some(q) = numbers(fields, "rotation").filter(|q| q.len() == 4) {
        let length = q.iter().map(|v| v * v).sum::<f64>().sqrt();
        if (length - 1.0).abs() > QUATERNION_TOLERANCE {
            let message = format!("the quaternion has length {length}, not 1");
            rules.error(&codes::UNIT, &deeper(path, at!["rotation"]), message);
        }
    }
    let Some(matrix) = numbers(fields, "matrix").and_then(|m| <[f64; 16]>::try_from(m).ok()) else { return };
    let matrix_path = deeper(path, at!["matrix"]);
    if ["translation", "rotation", "scale"].iter().any(|name| fields.contains_key(*name)) {
        let message = "a node has a matrix, or translation, rotation and scale; this one has both";
        rules.error(&codes::TRANSFORM, &matrix_path, message);
    }
    if !is_trs(&matrix) {
        let message = "the matrix is not made of translation, rotation and scale alone";
        rules.error(&codes::TRANSFORM, &matrix_path, message);
    }
}

/// Whether a matrix can be taken apart. Shear shows in columns that are not at right angles to each other.
fn is_trs(m: &[f64; 16]) -> bool {
    if [m[3], m[7], m[11]] != [0.0; 3] || m[15] != 1.0 {
        return false;
    }
    let columns = [0, 4, 8].map(|i| glam::DVec3::new(m[i], m[i + 1], m[i + 2]));
    let axes = columns.map(glam::DVec3::normalize_or_zero);
    let determinant = columns[0].cross(columns[1]).dot(columns[2]);
    let shear = axes[0].dot(axes[1]).abs().max(axes[1].dot(axes[2]).abs()).max(axes[2].dot(axes[0]).abs());
    determinant != 0.0 && determinant.is_finite() && shear < 1e-4
}
