//! Lists without repetitions, and faces.

use super::rig::Rig;
use crate::formats::amo::codes;
use crate::formats::amo::document::{Corner, Model};
use crate::formats::obj_text::Distinct;
use crate::report::{Failure, Place, Report};
use crate::scene::{Faces, Influence, Part, Scene};
use glam::{Vec2, Vec3};

/// Moves the parts of the scene's mesh into the model: list by list, so that what has been read of the scene is gone
/// before the next list is made.
pub(super) fn vertices(
    scene: &mut Scene,
    rig: &Rig,
    model: &mut Model,
    report: &mut Report,
) -> Result<(), Failure> {
    let mut parts: Vec<Part> =
        scene.meshes.iter_mut().flat_map(|mesh| std::mem::take(&mut mesh.parts)).collect();
    let total = |count: fn(&Part) -> usize| parts.iter().map(count).sum::<usize>();
    let (vertices, corners) = (total(|part| part.positions.len()), total(|part| part.faces.corners().len()));
    if vertices > i32::MAX as usize || corners > i32::MAX as usize {
        let message = "the mesh has more vertices or corners than the format's indices can count";
        return Err(report.invalid(&codes::TOO_MANY, Place::WHOLE, message));
    }
    model.faces.corners = corners_of(&mut parts);
    let counts: Vec<usize> = parts.iter().map(|part| part.positions.len()).collect();
    let none = Corner { position: -1, uv: -1, normal: -1, joints: -1, weights: -1 };
    let mut made = vec![none; vertices];
    let bits = |v: [f32; 3]| v.map(|v| v.to_bits() as i32);
    let floats = |bits: i32| f32::from_bits(bits as u32);
    let corners = &mut made;

    if parts.iter().any(|part| !part.influences.is_empty()) {
        let (mut joint_sets, mut weight_sets) = (Distinct::with_room(0), Distinct::with_room(vertices));
        let mut next = corners.iter_mut();
        for (part, &count) in parts.iter_mut().zip(&counts) {
            let influences = std::mem::take(&mut part.influences);
            for vertex in 0..count {
                let pairs = if influences.is_empty() { &[][..] } else { influences.of(vertex) };
                let (joints, weights) = slots(rig, pairs);
                let corner = next.next();
                let numbers = joint_sets.number(&joints).zip(weight_sets.number(&weights.map(to_bits)));
                if let (Some(corner), Some((joints, weights))) = (corner, numbers) {
                    (corner.joints, corner.weights) = (joints as i32, weights as i32);
                }
            }
        }
        model.joint_sets = joint_sets.into_records();
        model.weight_sets = weight_sets.into_records().into_iter().map(|v| v.map(floats)).collect();
    }

    let positions = parts.iter_mut().zip(&counts).flat_map(|(part, &count)| {
        let positions = std::mem::take(&mut part.positions);
        (0..count).map(move |vertex| bits(rig.to_file(positions[vertex])))
    });
    let positions = distinct(positions, vertices, corners, |corner| &mut corner.position);
    model.positions = positions.into_iter().map(|v| v.map(floats)).collect();

    let uvs = parts.iter_mut().zip(&counts).flat_map(|(part, &count)| {
        let set = std::mem::take(&mut part.uvs).into_iter().next().unwrap_or_default();
        (0..count).map(move |vertex| {
            let uv = set.get(vertex).copied().unwrap_or(Vec2::Y);
            [uv.x, 1.0 - uv.y].map(to_bits)
        })
    });
    let uvs = distinct(uvs, vertices, corners, |corner| &mut corner.uv);
    model.uvs = uvs.into_iter().map(|v| v.map(floats)).collect();

    let normals = parts.iter_mut().zip(&counts).flat_map(|(part, &count)| {
        let normals = std::mem::take(&mut part.normals);
        (0..count).map(move |vertex| bits(rig.to_file(normals.get(vertex).copied().unwrap_or(Vec3::Y))))
    });
    let normals = distinct(normals, vertices, corners, |corner| &mut corner.normal);
    model.normals = normals.into_iter().map(|v| v.map(floats)).collect();
    model.faces.vertices = made;
    Ok(())
}

fn to_bits(value: f32) -> i32 {
    value.to_bits() as i32
}

/// The corners of all parts' triangles, as indices of vertices of all parts. Those of the first part are moved.
fn corners_of(parts: &mut [Part]) -> Vec<u32> {
    let mut corners = Vec::new();
    let mut first = 0;
    for part in parts {
        let own = match std::mem::replace(&mut part.faces, Faces::Triangles(Vec::new())) {
            Faces::Triangles(own) => own,
            other => other.corners().to_vec(),
        };
        if first == 0 && corners.is_empty() {
            corners = own;
        } else {
            corners.extend(own.into_iter().map(|corner| corner + first));
        }
        first += part.positions.len() as u32;
    }
    corners
}

/// The values, each once, and their numbers in the corners. Numbers are equal if their bits are.
fn distinct<const N: usize>(
    values: impl Iterator<Item = [i32; N]>,
    count: usize,
    corners: &mut [Corner],
    index: impl Fn(&mut Corner) -> &mut i32,
) -> Vec<[i32; N]> {
    let mut distinct = Distinct::with_room(count);
    for (corner, value) in corners.iter_mut().zip(values) {
        if let Some(number) = distinct.number(&value) {
            *index(corner) = number as i32;
        }
    }
    let mut records = distinct.into_records();
    records.shrink_to_fit();
    records
}

/// Four joints and weights. The specification wants them to sum to one, and its players do not divide by their sum.
fn slots(rig: &Rig, pairs: &[Influence]) -> ([i32; 4], [f32; 4]) {
    let (mut joints, mut weights) = ([-1; 4], [0.0; 4]);
    let used = pairs.iter().filter(|pair| pair.weight != 0.0);
    let sum: f64 = used.clone().map(|pair| f64::from(pair.weight)).sum();
    if sum == 0.0 || !sum.is_finite() {
        return (joints, weights);
    }
    let keep = (sum - 1.0).abs() < 1e-6;
    for (slot, pair) in used.take(4).enumerate() {
        joints[slot] = rig.number(pair.joint as usize);
        let weight = if keep { pair.weight } else { (f64::from(pair.weight) / sum) as f32 };
        weights[slot] = if weight.is_finite() { weight } else { 0.0 };
    }
    (joints, weights)
}
