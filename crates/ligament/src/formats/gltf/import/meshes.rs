//! Meshes: primitives become parts, with any component types and drawing mode.

use super::super::accessor::Checked;
use super::super::extensions::OF_OBJECT;
use super::super::{codes, json};
use super::Import;
use super::extras::{kept, split};
use super::skins::Skinning;
use crate::mesh::vertices::trim;
use crate::report::label;
use crate::scene::{Faces, MaterialId, Mesh, Morph, MorphDeltas, Part, Scene};
use bytemuck::{Pod, Zeroable};
use glam::{Vec3, Vec4};
use std::collections::BTreeMap;
use std::fmt;

/// Maximum sets of texture coordinates, colours, joints or weights per primitive. It is far above what real files use,
/// and low enough that a number in an attribute's name cannot cost memory.
const MAX_SETS: usize = 64;

impl Import<'_, '_, '_> {
    pub(super) fn meshes(&mut self, skinning: &Skinning, scene: &mut Scene) {
        for index in 0..self.meshes.own {
            let mesh = self.mesh(index, skinning);
            scene.meshes.push(mesh);
        }
    }

    fn mesh(&mut self, index: usize, skinning: &Skinning) -> Mesh {
        let root = self.root;
        let source = &root.meshes[index];
        let path = format_args!("meshes[{index}]");
        if source.primitives.is_empty() {
            self.error(&codes::MESH, path, "a mesh needs at least one primitive");
        }
        let (mut extras, _) = split(&source.extras);
        self.keep_extensions(&source.extensions, OF_OBJECT, &mut extras);
        let morphs = source.primitives.first().map_or(0, |p| p.targets.len());
        let names =
            extras.get("targetNames").and_then(|v| v.as_array()).filter(|n| n.len() == morphs).cloned();
        if names.is_some() {
            extras.shift_remove("targetNames");
        }
        let name = |i: usize| names.as_ref().and_then(|n| n[i].as_str()).unwrap_or_default().to_owned();
        let weight = |i: usize| source.weights.get(i).map_or(0.0, |w| w.0);
        let morphs = (0..morphs).map(|i| Morph { name: name(i), weight: weight(i) }).collect();
        let mut mesh = Mesh { name: source.name.clone(), parts: Vec::new(), morphs, extras };
        for (at, primitive) in source.primitives.iter().enumerate() {
            let path = format_args!("{path}.primitives[{at}]");
            if primitive.targets.len() != mesh.morphs.len() {
                let message = "all primitives of a mesh need the same number of morph targets";
                self.error(&codes::MESH, path, message);
            } else if let Some(part) = self.part(index, at, primitive, path, skinning) {
                mesh.parts.push(part);
            }
        }
        mesh
    }

    fn part(
        &mut self,
        mesh: usize,
        at: usize,
        primitive: &json::Primitive,
        path: fmt::Arguments<'_>,
        skinning: &Skinning,
    ) -> Option<Part> {
        let Some(&positions) = primitive.attributes.get("POSITION") else {
            // Allowed by the specification: such a primitive is not drawn.
            let message = "a primitive without POSITION draws nothing; it is left out";
            self.warning(&codes::MESH, format_args!("{path}.attributes"), message);
            return None;
        };
        self.decode_draco(primitive, path)?;
        let positions = self.accessor(positions, format_args!("{path}.attributes.POSITION"))?;
        let count = positions.count;
        let materials = self.root.materials.len();
        let material = self.index(primitive.material, materials, format_args!("{path}.material"), "material");
        let (material, mut extras) = (material.map(MaterialId::new), kept(&primitive.extras));
        self.keep_extensions(&primitive.extensions, OF_OBJECT, &mut extras);
        let mut part = Part { material, extras, ..Part::default() };
        let mut sets = Sets::default();
        for (name, &accessor) in &primitive.attributes {
            if !sets.add(name, accessor) && !matches!(name.as_str(), "POSITION" | "NORMAL" | "TANGENT") {
                let object = label("mesh", &self.root.meshes[mesh].name, mesh);
                let message = format!("the vertex attribute {name} is not read");
                self.lose(&codes::OTHER_ATTRIBUTES, &object, count, message);
            }
        }
        // Influences first: they need scratch space, which is freed before the other arrays are read.
        part.influences = self.influences(mesh, at, count, &sets, path, skinning)?;
        part.faces = self.faces(primitive, count, path)?;
        part.positions = self.attribute(&positions, 3, count, format_args!("{path}.attributes.POSITION"))?;
        if let Some(&accessor) = primitive.attributes.get("NORMAL") {
            part.normals = self.vectors(accessor, count, format_args!("{path}.attributes.NORMAL"))?;
            self.unit_normals(&mut part.normals, format_args!("{path}.attributes.NORMAL"));
        }
        if let Some(&accessor) = primitive.attributes.get("TANGENT") {
            part.tangents = self.vectors(accessor, count, format_args!("{path}.attributes.TANGENT"))?;
            self.unit_tangents(&mut part.tangents, format_args!("{path}.attributes.TANGENT"));
        }
        for (set, accessor) in sets.list("TEXCOORD", self, path)? {
            part.uvs.resize(set, Vec::new());
            part.uvs.push(self.vectors(accessor, count, format_args!("{path}.attributes.TEXCOORD_{set}"))?);
        }
        // A trailing set of zeros was added by the writer because a texture refers to it.
        trim(&mut part.uvs, usize::MAX);
        let colors = sets.list("COLOR", self, path)?;
        let last = colors.last().map(|c| c.0);
        for (set, accessor) in colors {
            part.colors.resize(set, Vec::new());
            // Zeros before another set fill a gap; in the last set they are black.
            let is_gap = Some(set) != last;
            let path = format_args!("{path}.attributes.COLOR_{set}");
            part.colors.push(self.colors(accessor, count, is_gap, path)?);
        }
        for (target, attributes) in primitive.targets.iter().enumerate() {
            let path = format_args!("{path}.targets[{target}]");
            part.morphs.push(self.deltas(attributes, count, path)?);
        }
        if primitive.indices.is_some() && self.shared_positions.get(&(positions.index as u32)) > Some(&1) {
            self.compact(&mut part);
        }
        Some(part)
    }

    /// Reads an attribute of `T`'s width and the part's length. One without data counts as absent.
    fn vectors<T: Pod + Zeroable>(
        &mut self,
        accessor: u32,
        count: usize,
        path: fmt::Arguments<'_>,
    ) -> Option<Vec<T>> {
        let accessor = self.accessor(accessor, path)?;
        if accessor.is_blank() && accessor.count == count {
            return Some(Vec::new());
        }
        self.attribute(&accessor, size_of::<T>() / 4, count, path)
    }

    pub(super) fn attribute<T: Pod + Zeroable>(
        &mut self,
        accessor: &Checked,
        width: usize,
        count: usize,
        path: fmt::Arguments<'_>,
    ) -> Option<Vec<T>> {
        self.check_attribute(accessor, &[width], count, path)?;
        self.floats(accessor)
    }

    pub(super) fn check_attribute(
        &mut self,
        accessor: &Checked,
        widths: &[usize],
        count: usize,
        path: fmt::Arguments<'_>,
    ) -> Option<()> {
        if !widths.contains(&accessor.components) {
            let message =
                format!("the accessor has {} components; this needs {widths:?}", accessor.components);
            return self.fault(&codes::ACCESSOR_TYPE, path, message);
        }
        if accessor.count != count {
            let message = format!("{} values for {count} vertices", accessor.count);
            return self.fault(&codes::MESH, path, message);
        }
        Some(())
    }

    fn colors(
        &mut self,
        accessor: u32,
        count: usize,
        is_gap: bool,
        path: fmt::Arguments<'_>,
    ) -> Option<Vec<Vec4>> {
        let accessor = self.accessor(accessor, path)?;
        if is_gap && accessor.is_blank() && accessor.count == count {
            return Some(Vec::new());
        }
        self.check_attribute(&accessor, &[3, 4], count, path)?;
        if accessor.components == 4 {
            return self.floats(&accessor);
        }
        let rgb = self.floats::<Vec3>(&accessor)?;
        Some(rgb.into_iter().map(|c| c.extend(1.0)).collect())
    }

    fn deltas(
        &mut self,
        attributes: &BTreeMap<String, u32>,
        count: usize,
        path: fmt::Arguments<'_>,
    ) -> Option<MorphDeltas> {
        let mut deltas = MorphDeltas::default();
        for (name, &accessor) in attributes {
            let path = format_args!("{path}.{name}");
            let target = match name.as_str() {
                "POSITION" => &mut deltas.positions,
                "NORMAL" => &mut deltas.normals,
                "TANGENT" => &mut deltas.tangents,
                _ => {
                    let message = format!("morph targets of {name} are not read");
                    self.lose(&codes::OTHER_ATTRIBUTES, "", count, message);
                    continue;
                }
            };
            *target = self.vectors(accessor, count, path)?;
        }
        Some(deltas)
    }

    /// The indices of the vertices in the order in which they are drawn.
    fn indices(
        &mut self,
        primitive: &json::Primitive,
        vertices: usize,
        path: fmt::Arguments<'_>,
    ) -> Option<Vec<u32>> {
        let Some(accessor) = primitive.indices else {
            self.spend(vertices as u64 * 4, path)?;
            return Some((0..vertices as u32).collect());
        };
        let path = format_args!("{path}.indices");
        let accessor = self.accessor(accessor, path)?;
        if accessor.components != 1 {
            return self.fault(&codes::ACCESSOR_TYPE, path, "indices must be SCALAR");
        }
        self.unsigned(&accessor, path)
    }

    fn faces(
        &mut self,
        primitive: &json::Primitive,
        vertices: usize,
        path: fmt::Arguments<'_>,
    ) -> Option<Faces> {
        // A compressed primitive holds triangles, also where its mode is a strip.
        let (indices, mode) = match self.decoded.corners.take() {
            Some(corners) => (corners, 4),
            None => (self.indices(primitive, vertices, path)?, primitive.mode.unwrap_or(4)),
        };
        if indices.iter().fold(0, |m, &i| m.max(i)) as usize >= vertices && !indices.is_empty() {
            let at = indices.iter().position(|&i| i as usize >= vertices).unwrap_or(0);
            let message = format!("index {at} is {}, but there are {vertices} vertices", indices[at]);
            return self.fault(&codes::MESH, format_args!("{path}.indices"), message);
        }
        if matches!(mode, 2 | 3 | 5 | 6) {
            // Strips, fans and loops become lists, which are up to three times as long.
            self.spend(indices.len() as u64 * 12, path)?;
        }
        let whole = match mode {
            1 => 2,
            4 => 3,
            _ => 1,
        };
        if indices.len() % whole != 0 {
            let message =
                format!("{} indices do not make complete faces; the rest is ignored", indices.len());
            self.warning(&codes::MESH, path, message);
        }
        faces(mode, indices, whole).or_else(|| {
            let message = format!("mode {mode} is outside 0 to 6");
            self.fault(&codes::MESH, format_args!("{path}.mode"), message)
        })
    }
}

/// The meshes of the file that are meshes of the scene.
///
/// glTF wants a mesh with joints always drawn with a skin. Where a scene also draws it without one, the writer adds a
/// marked copy without joints, after all other meshes.
pub(super) struct Meshes {
    /// The number of meshes that are not copies.
    pub own: usize,
    /// The original of each copy.
    copies: Vec<u32>,
}

impl Meshes {
    pub fn new(root: &json::Root) -> Self {
        let mut copies: Vec<u32> = root.meshes.iter().rev().map_while(|mesh| copied(mesh, root)).collect();
        copies.reverse();
        let own = root.meshes.len() - copies.len();
        // The originals must not be copies themselves.
        match copies.iter().all(|&c| (c as usize) < own) {
            true => Self { own, copies },
            false => Self { own: root.meshes.len(), copies: Vec::new() },
        }
    }

    /// The scene's index of a mesh in the file.
    pub fn number(&self, mesh: usize) -> usize {
        mesh.checked_sub(self.own).map_or(mesh, |copy| self.copies[copy] as usize)
    }
}

/// The mesh that this one is a copy of, if neither was edited since then.
fn copied(mesh: &json::Mesh, root: &json::Root) -> Option<u32> {
    let number = split(&mesh.extras).1.get("copy_of")?.as_u64().and_then(|n| u32::try_from(n).ok())?;
    let original = root.meshes.get(number as usize)?;
    let positions = |m: &json::Mesh| -> Vec<Option<u32>> {
        m.primitives.iter().map(|p| p.attributes.get("POSITION").copied()).collect()
    };
    (positions(mesh) == positions(original)).then_some(number)
}

/// Converts strips, fans and loops to lists. Degenerate triangles, which only change a strip's direction, are left out.
fn faces(mode: u32, mut indices: Vec<u32>, whole: usize) -> Option<Faces> {
    let proper = |t: &[u32; 3]| t[0] != t[1] && t[1] != t[2] && t[0] != t[2];
    Some(match mode {
        0 => Faces::Points(indices),
        1 => {
            indices.truncate(indices.len() / whole * whole);
            Faces::Lines(indices)
        }
        2 | 3 => {
            let mut lines: Vec<u32> = indices.windows(2).flatten().copied().collect();
            if let (2, [first, _, .., last]) = (mode, &indices[..]) {
                lines.extend([*last, *first]);
            }
            Faces::Lines(lines)
        }
        4 => {
            indices.truncate(indices.len() / whole * whole);
            Faces::Triangles(indices)
        }
        5 => {
            // Every second triangle of a strip has the opposite winding.
            let turned = |(i, w): (usize, &[u32])| {
                if i % 2 == 0 { [w[0], w[1], w[2]] } else { [w[1], w[0], w[2]] }
            };
            let triangles = indices.windows(3).enumerate().map(turned).filter(proper);
            Faces::Triangles(triangles.flatten().collect())
        }
        6 => {
            let (first, rest) = indices.split_first()?;
            let triangles = rest.windows(2).map(|w| [*first, w[0], w[1]]).filter(proper);
            Faces::Triangles(triangles.flatten().collect())
        }
        _ => return None,
    })
}

/// The numbered attributes of a primitive.
#[derive(Default)]
pub(super) struct Sets<'n>(BTreeMap<(&'n str, usize), u32>);

impl<'n> Sets<'n> {
    /// Adds an attribute such as `TEXCOORD_1`; returns false if it is not a known numbered attribute.
    fn add(&mut self, name: &'n str, accessor: u32) -> bool {
        let Some((kind, number)) = name.rsplit_once('_') else { return false };
        let known = matches!(kind, "TEXCOORD" | "COLOR" | "JOINTS" | "WEIGHTS");
        match number.parse() {
            Ok(number) if known => {
                self.0.insert((kind, number), accessor);
                true
            }
            _ => false,
        }
    }

    /// The sets of one kind in order.
    pub fn list(
        &self,
        kind: &str,
        import: &mut Import<'_, '_, '_>,
        path: fmt::Arguments<'_>,
    ) -> Option<Vec<(usize, u32)>> {
        let sets: Vec<(usize, u32)> =
            self.0.iter().filter(|((k, _), _)| *k == kind).map(|((_, n), &a)| (*n, a)).collect();
        match sets.last() {
            Some(&(last, _)) if last >= MAX_SETS => {
                let message = format!("{kind}_{last} is above the limit of {MAX_SETS} sets");
                import.fault(&codes::MESH, format_args!("{path}.attributes.{kind}_{last}"), message)
            }
            Some(&(last, _)) if last >= sets.len() => {
                let missing = (0..last).find(|&n| sets.get(n).is_none_or(|s| s.0 != n)).unwrap_or(0);
                let message =
                    format!("there is no {kind}_{missing}; sets must be numbered from 0 without gaps");
                import.warning(&codes::MESH, format_args!("{path}.attributes.{kind}_{last}"), message);
                Some(sets)
            }
            _ => Some(sets),
        }
    }
}
