//! Meshes: points, polygons, and layers of normals, tangents, texture coordinates, colours and materials.

use super::KEY;
use super::codes;
use super::points::{Points, each_face};
use super::properties::with_extras;
use super::tree::{Array, Id, Record, Value};
use crate::report::{Loss, Report};
use crate::scene::{MaterialId, Mesh, Part};
use glam::{Vec2, Vec3, Vec4};

/// A layer of values for each corner.
struct Layer {
    element: Record,
    kind: &'static str,
    index: usize,
}

/// The materials of a mesh's faces, each once, in the order of their parts. `None` is the default appearance.
pub(super) fn materials(mesh: &Mesh) -> Vec<Option<MaterialId>> {
    let mut known = Vec::new();
    for part in drawn(mesh) {
        if !known.contains(&part.material) {
            known.push(part.material);
        }
    }
    known
}

fn drawn(mesh: &Mesh) -> impl Iterator<Item = &Part> {
    mesh.parts.iter().filter(|part| part.faces.count() > 0)
}

/// A mesh as an object.
pub(super) fn geometry(
    id: Id,
    name: &str,
    mesh: &Mesh,
    points: &Points<'_>,
    length: f64,
    report: &mut Report,
) -> Record {
    let place = |&vertex: &u32| {
        let (part, index) = points.place(vertex as usize);
        (part.positions[index].as_dvec3() * length).to_array()
    };
    let vertices: Vec<f64> = points.vertices.iter().flat_map(place).collect();
    let mut corners: Vec<i32> = Vec::new();
    for (number, part) in mesh.parts.iter().enumerate() {
        let start = points.start(number);
        each_face(&part.faces, &mut |face| {
            corners.extend(face.iter().map(|&corner| points.of_vertex[start + corner as usize] as i32));
            // The last corner of a polygon is its complement.
            if let Some(last) = corners.last_mut() {
                *last = !*last;
            }
        });
    }
    let rows = with_extras(Vec::new(), &mesh.extras, report);
    let object = Record::object("Geometry", id, name, "Geometry", "Mesh");
    let object = if rows.is_empty() { object } else { object.properties(rows) };
    let object =
        object.with("GeometryVersion", 124).with("Vertices", vertices).with("PolygonVertexIndex", corners);
    let layers = layers(mesh, points, report);
    let most = layers.iter().map(|layer| layer.index + 1).max().unwrap_or(0);
    // The SDK finds only what a layer names.
    let named = (0..most).map(|number| {
        let of_layer = layers.iter().filter(|layer| layer.index == number);
        let element = |layer: &Layer| {
            let record = Record::new("LayerElement").with("Type", layer.kind);
            record.with("TypedIndex", layer.index as i32)
        };
        Record::of("Layer", number as i32).with("Version", 100).children(of_layer.map(element))
    });
    let named: Vec<Record> = named.collect();
    object.children(layers.into_iter().map(|layer| layer.element)).children(named)
}

fn layers(mesh: &Mesh, points: &Points<'_>, report: &mut Report) -> Vec<Layer> {
    let mut layers = Vec::new();
    if drawn(mesh).any(|part| !part.normals.is_empty()) {
        let normals = at_corners(mesh, |part, i| at(&part.normals, i).as_dvec3().to_array());
        layers.push(direct("LayerElementNormal", 0, "", [("Normals", normals)]));
    }
    let with_tangents = drawn(mesh).filter(|part| !part.tangents.is_empty()).count();
    if with_tangents > 0 && drawn(mesh).all(|part| !part.tangents.is_empty() && !part.normals.is_empty()) {
        let tangents = at_corners(mesh, |part, i| part.tangents[i].truncate().as_dvec3().to_array());
        layers.push(direct("LayerElementTangent", 0, "", [("Tangents", tangents)]));
        let binormals = at_corners(mesh, |part, i| {
            let tangent = part.tangents[i].as_dvec4();
            (part.normals[i].as_dvec3().cross(tangent.truncate()) * tangent.w).to_array()
        });
        layers.push(direct("LayerElementBinormal", 0, "", [("Binormals", binormals)]));
    } else {
        let message = "tangents of some parts of a mesh, or without normals, are dropped";
        report.loss(Loss::dropped(&codes::PARTIAL, "", with_tangents, message));
    }
    let sets = drawn(mesh).map(|part| part.uvs.len()).max().unwrap_or(0);
    let lacking =
        |has: &dyn Fn(&Part) -> usize, sets: usize| drawn(mesh).map(|p| sets - has(p)).sum::<usize>();
    let message =
        "parts without texture coordinates or colours that other parts of the mesh have get zeros, or white";
    report.loss(Loss::kept(&codes::PARTIAL, "", lacking(&|part| part.uvs.len(), sets), message));
    for set in 0..sets {
        let (values, indices) = points.coordinates(set);
        let values = values.iter().flat_map(|uv: &Vec2| [f64::from(uv.x), 1.0 - f64::from(uv.y)]).collect();
        let name = uv_set(mesh, set);
        layers.push(indexed("LayerElementUV", set, &name, ("UV", values), "UVIndex", mesh, points, &indices));
    }
    let colors = drawn(mesh).map(|part| part.colors.len()).max().unwrap_or(0);
    report.loss(Loss::kept(&codes::PARTIAL, "", lacking(&|part| part.colors.len(), colors), message));
    let every: Vec<u32> = (0..points.vertex_count() as u32).collect();
    for set in 0..colors {
        let color = |part: &Part, i: usize| {
            let color = part.colors.get(set).and_then(|colors| colors.get(i)).copied();
            color.unwrap_or(Vec4::ONE).as_dvec4().to_array()
        };
        let values =
            mesh.parts.iter().flat_map(|part| (0..part.positions.len()).flat_map(move |i| color(part, i)));
        let (name, values) = (set_name(mesh, "color_sets", set, "Color"), values.collect());
        let (kind, list) = ("LayerElementColor", ("Colors", values));
        layers.push(indexed(kind, set, &name, list, "ColorIndex", mesh, points, &every));
    }
    layers.extend(material_layer(mesh));
    layers
}

/// The name of a set of texture coordinates.
pub(super) fn uv_set(mesh: &Mesh, set: usize) -> String {
    set_name(mesh, "uv_sets", set, "UVMap")
}

/// The name that a set had in the file it came from, otherwise a usual one.
fn set_name(mesh: &Mesh, key: &str, set: usize, usual: &str) -> String {
    let known = mesh.extras.get(KEY).and_then(|own| own.get(key)?.get(set)?.as_str());
    let numbered = || if set == 0 { usual.to_owned() } else { format!("{usual}{}", set + 1) };
    known.map_or_else(numbered, str::to_owned)
}

fn at(values: &[Vec3], index: usize) -> Vec3 {
    values.get(index).copied().unwrap_or(Vec3::ZERO)
}

fn at_corners(mesh: &Mesh, value: impl Fn(&Part, usize) -> [f64; 3]) -> Vec<f64> {
    let mut values = Vec::new();
    for part in &mesh.parts {
        each_face(&part.faces, &mut |face| {
            values.extend(face.iter().flat_map(|&corner| value(part, corner as usize)));
        });
    }
    values
}

fn element(kind: &'static str, index: usize, name: &str, mapping: &str, reference: &str) -> Record {
    Record::of(kind, index as i32)
        .with("Version", 101)
        .with("Name", name)
        .with("MappingInformationType", mapping)
        .with("ReferenceInformationType", reference)
}

fn direct<const N: usize>(
    kind: &'static str,
    index: usize,
    name: &str,
    lists: [(&'static str, Vec<f64>); N],
) -> Layer {
    let element = element(kind, index, name, "ByPolygonVertex", "Direct");
    let element = lists.into_iter().fold(element, |element, (name, list)| element.with(name, list));
    Layer { element, kind, index }
}

#[expect(clippy::too_many_arguments, reason = "each is a word of the layer")]
fn indexed(
    kind: &'static str,
    index: usize,
    name: &str,
    (list, values): (&'static str, Vec<f64>),
    list_of_indices: &'static str,
    mesh: &Mesh,
    points: &Points<'_>,
    of_vertex: &[u32],
) -> Layer {
    let mut indices: Vec<i32> = Vec::new();
    for (number, part) in mesh.parts.iter().enumerate() {
        let start = points.start(number);
        each_face(&part.faces, &mut |face| {
            indices.extend(face.iter().map(|&corner| of_vertex[start + corner as usize] as i32));
        });
    }
    let element = element(kind, index, name, "ByPolygonVertex", "IndexToDirect");
    let element = element.with(list, values).with(list_of_indices, Value::Array(Array::I32(indices)));
    Layer { element, kind, index }
}

fn material_layer(mesh: &Mesh) -> Option<Layer> {
    let known = materials(mesh);
    let (kind, index) = ("LayerElementMaterial", 0);
    let (mapping, numbers) = match known[..] {
        [] | [None] => return None,
        [Some(_)] => ("AllSame", vec![0]),
        _ => {
            let mut numbers = Vec::new();
            for part in drawn(mesh) {
                let number = known.iter().position(|known| *known == part.material).unwrap_or(0);
                numbers.resize(numbers.len() + part.faces.count(), number as i32);
            }
            ("ByPolygon", numbers)
        }
    };
    let element = element(kind, index, "", mapping, "IndexToDirect").with("Materials", numbers);
    Some(Layer { element, kind, index })
}
