//! Meshes and their parts.

use super::{Rules, codes, faces};
use crate::report::Severity;
use crate::scene::{Mesh, Part, Scene};
use glam::Vec3;

pub(super) fn check(scene: &Scene, rules: &mut Rules) {
    for (i, mesh) in scene.meshes.iter().enumerate() {
        for (m, morph) in mesh.morphs.iter().enumerate() {
            rules.finite(morph.weight, || format!("meshes[{i}].morphs[{m}].weight"));
        }
        for (p, part) in mesh.parts.iter().enumerate() {
            let path = format!("meshes[{i}].parts[{p}]");
            numbers(part, &path, rules);
            lengths(part, &path, rules);
            morphs(mesh, part, &path, rules);
            material(scene, part, &path, rules);
            faces::check(&part.faces, part.positions.len(), &path, rules);
        }
    }
}

fn numbers(part: &Part, path: &str, rules: &mut Rules) {
    rules.finite_array(&format!("{path}.positions"), &part.positions, |v| v.is_finite());
    rules.finite_array(&format!("{path}.normals"), &part.normals, |v| v.is_finite());
    rules.finite_array(&format!("{path}.tangents"), &part.tangents, |v| v.is_finite());
    for (i, set) in part.uvs.iter().enumerate() {
        rules.finite_array(&format!("{path}.uvs[{i}]"), set, |v| v.is_finite());
    }
    for (i, set) in part.colors.iter().enumerate() {
        rules.finite_array(&format!("{path}.colors[{i}]"), set, |v| v.is_finite());
    }
    directions(part, path, rules);
    let field = format!("{path}.influences.pairs");
    rules.array(
        (Severity::Error, &codes::NOT_FINITE),
        &field,
        part.influences.pairs(),
        |pair| !pair.weight.is_finite(),
        |pair| format!("the weight on joint {} is {}, which is not finite", pair.joint, pair.weight),
    );
    rules.array(
        (Severity::Warning, &codes::NEGATIVE_WEIGHT),
        &field,
        part.influences.pairs(),
        |pair| pair.weight < 0.0,
        |pair| format!("the weight on joint {} is {}", pair.joint, pair.weight),
    );
}

fn directions(part: &Part, path: &str, rules: &mut Rules) {
    // Eight-bit normals are off by about a hundredth; a tenth is more than any rounding.
    let odd = |v: &Vec3| v.is_finite() && (v.length() - 1.0).abs() > 0.1;
    rules.array(
        (Severity::Warning, &codes::NORMAL_LENGTH),
        &format!("{path}.normals"),
        &part.normals,
        odd,
        |v| format!("the normal {v} has length {}", v.length()),
    );
    let field = format!("{path}.tangents");
    rules.array(
        (Severity::Warning, &codes::NORMAL_LENGTH),
        &field,
        &part.tangents,
        |v| odd(&v.truncate()),
        |v| format!("the tangent {v} has length {}", v.truncate().length()),
    );
    rules.array(
        (Severity::Warning, &codes::TANGENT_SIGN),
        &field,
        &part.tangents,
        |v| v.w.is_finite() && (v.w.abs() - 1.0).abs() > 1e-3,
        |v| format!("the tangent's sign is {}, not 1 or -1", v.w),
    );
}

fn lengths(part: &Part, path: &str, rules: &mut Rules) {
    let vertices = part.positions.len();
    let mut array = |name: &dyn Fn() -> String, length: usize| {
        if length != 0 && length != vertices {
            let message = format!("{length} elements for {vertices} positions");
            rules.error(&codes::LENGTH, format!("{path}.{}", name()), message);
        }
    };
    array(&|| "normals".into(), part.normals.len());
    array(&|| "tangents".into(), part.tangents.len());
    array(&|| "influences".into(), part.influences.len());
    for (i, set) in part.uvs.iter().enumerate() {
        array(&|| format!("uvs[{i}]"), set.len());
    }
    for (i, set) in part.colors.iter().enumerate() {
        array(&|| format!("colors[{i}]"), set.len());
    }
    for (i, deltas) in part.morphs.iter().enumerate() {
        array(&|| format!("morphs[{i}].positions"), deltas.positions.len());
        array(&|| format!("morphs[{i}].normals"), deltas.normals.len());
        array(&|| format!("morphs[{i}].tangents"), deltas.tangents.len());
    }
}

fn morphs(mesh: &Mesh, part: &Part, path: &str, rules: &mut Rules) {
    let (found, expected) = (part.morphs.len(), mesh.morphs.len());
    if found != expected {
        let message = format!("deltas for {found} morph targets in a mesh with {expected}");
        rules.error(&codes::MORPH_COUNT, format!("{path}.morphs"), message);
    }
    for (i, deltas) in part.morphs.iter().enumerate() {
        for (name, array) in
            [("positions", &deltas.positions), ("normals", &deltas.normals), ("tangents", &deltas.tangents)]
        {
            rules.finite_array(&format!("{path}.morphs[{i}].{name}"), array, |v| v.is_finite());
        }
    }
}

fn material(scene: &Scene, part: &Part, path: &str, rules: &mut Rules) {
    let Some(id) = part.material else { return };
    rules.index("material", id.index(), scene.materials.len(), || format!("{path}.material"));
    let Some(material) = scene.materials.get(id.index()) else { return };
    if part.positions.is_empty() {
        return;
    }
    let sets = part.uvs.len();
    let textures = material.textures();
    let mut lost = textures.iter().filter(|(_, texture)| texture.uv_set as usize >= sets);
    if let Some((slot, texture)) = lost.next() {
        let (id, set) = (id.index(), texture.uv_set);
        let message =
            format!("the {slot} texture of material {id} uses coordinate set {set}, but the part has {sets}");
        let field = format!("{path}.uvs");
        rules.offender((Severity::Warning, &codes::UV_SET), field, message, lost.count());
    }
}
