//! Rebuilds a part's vertex arrays from a selection of its own vertices.

use crate::scene::{Faces, Influences, Part};
use std::collections::HashMap;

/// The vertex indices of any topology, mutable.
pub(crate) fn corners_mut(faces: &mut Faces) -> &mut Vec<u32> {
    match faces {
        Faces::Points(c) | Faces::Lines(c) | Faces::Triangles(c) => c,
        Faces::Polygons { corners, .. } => corners,
    }
}

/// Replaces vertex `i` of the part by vertex `chosen[i]`, in every attribute. Faces are left to the caller. Works array
/// by array, so that at most one of them is duplicated at a time.
pub(crate) fn gather(part: &mut Part, chosen: &[u32]) {
    fn pick<T: Copy>(values: &mut Vec<T>, chosen: &[u32]) {
        if !values.is_empty() {
            *values = chosen.iter().map(|&v| values[v as usize]).collect();
        }
    }
    pick(&mut part.positions, chosen);
    pick(&mut part.normals, chosen);
    pick(&mut part.tangents, chosen);
    part.uvs.iter_mut().for_each(|set| pick(set, chosen));
    part.colors.iter_mut().for_each(|set| pick(set, chosen));
    for deltas in &mut part.morphs {
        pick(&mut deltas.positions, chosen);
        pick(&mut deltas.normals, chosen);
        pick(&mut deltas.tangents, chosen);
    }
    if !part.influences.is_empty() {
        let pairs = chosen.iter().map(|&v| part.influences.of(v as usize).len()).sum();
        let mut influences = Influences::with_capacity(chosen.len(), pairs);
        for &vertex in chosen {
            influences.push(part.influences.of(vertex as usize).iter().copied());
        }
        part.influences = influences;
    }
}

/// Turns values of corners into values of vertices. If the corners of a vertex have different values, new vertices are
/// appended for them. Returns one value per vertex; vertices without a corner get `unused`.
pub(crate) fn split_corners<T, B>(part: &mut Part, at_corners: &[T], unused: T) -> Vec<T>
where
    T: Copy + PartialEq + bytemuck::Pod,
    B: bytemuck::Pod + Eq + std::hash::Hash,
{
    let count = part.positions.len();
    let (mut values, mut has_value) = (vec![unused; count], vec![false; count]);
    // The vertices that new ones are copies of.
    let mut copied: Vec<u32> = Vec::new();
    let mut split: HashMap<(u32, B), u32> = HashMap::new();
    for (corner, &value) in corners_mut(&mut part.faces).iter_mut().zip(at_corners) {
        let vertex = *corner as usize;
        if !std::mem::replace(&mut has_value[vertex], true) {
            values[vertex] = value;
        } else if values[vertex] != value {
            *corner = *split.entry((*corner, bytemuck::cast(value))).or_insert_with(|| {
                copied.push(vertex as u32);
                values.push(value);
                values.len() as u32 - 1
            });
        }
    }
    if !copied.is_empty() {
        let chosen: Vec<u32> = (0..count as u32).chain(copied).collect();
        gather(part, &chosen);
    }
    values
}

/// Keeps the first `keep` sets of texture coordinates or colours, and returns how many are lost.
pub(crate) fn trim<T>(sets: &mut Vec<Vec<T>>, keep: usize) -> usize {
    // An empty set only keeps the index of the sets after it: it is no loss, and pointless without them.
    let lost = sets.iter().skip(keep).filter(|s| !s.is_empty()).count();
    sets.truncate(keep);
    while sets.last().is_some_and(Vec::is_empty) {
        sets.pop();
    }
    lost
}

/// Appends the vertices and faces of another part, which has the same attributes and kind of faces.
pub(crate) fn append(part: &mut Part, mut other: Part) {
    let first = part.positions.len() as u32;
    corners_mut(&mut other.faces).iter_mut().for_each(|c| *c += first);
    if let (Faces::Polygons { starts, corners }, Faces::Polygons { starts: more, .. }) =
        (&mut part.faces, &other.faces)
    {
        let end = corners.len() as u32;
        starts.extend(more.iter().skip(usize::from(!starts.is_empty())).map(|s| s + end));
    }
    corners_mut(&mut part.faces).append(corners_mut(&mut other.faces));
    part.positions.append(&mut other.positions);
    part.normals.append(&mut other.normals);
    part.tangents.append(&mut other.tangents);
    part.uvs.iter_mut().zip(&mut other.uvs).for_each(|(a, b)| a.append(b));
    part.colors.iter_mut().zip(&mut other.colors).for_each(|(a, b)| a.append(b));
    for (a, b) in part.morphs.iter_mut().zip(&mut other.morphs) {
        a.positions.append(&mut b.positions);
        a.normals.append(&mut b.normals);
        a.tangents.append(&mut b.tangents);
    }
    other.influences.iter().for_each(|pairs| part.influences.push(pairs.iter().copied()));
}

/// All arrays as one of `count` values; the first is moved.
pub(crate) fn concat<T>(arrays: impl Iterator<Item = Vec<T>>, count: usize) -> Vec<T> {
    let mut all = Vec::new();
    for mut array in arrays {
        if all.is_empty() {
            all = array;
        } else {
            all.reserve_exact(count.saturating_sub(all.len()));
            all.append(&mut array);
        }
    }
    all
}

/// The corners of all parts, taken out of them, as indices of the vertices of all parts.
pub(crate) fn take_corners(parts: &mut [Part]) -> Vec<u32> {
    let count = parts.iter().map(|part| part.faces.corners().len()).sum();
    let mut first = 0;
    let of_part = |part: &mut Part| {
        let mut corners = std::mem::take(corners_mut(&mut part.faces));
        corners.iter_mut().for_each(|corner| *corner += first);
        first += part.positions.len() as u32;
        corners
    };
    concat(parts.iter_mut().map(of_part), count)
}
