//! Meshes: parts become primitives.

use super::super::extensions::OF_OBJECT;
use super::super::{codes, json};
use super::data::{Chunk, INDICES, VERTICES};
use super::extras::plain;
use super::influences::sets;
use super::skins::Plan;
use super::{Export, extensions};
use crate::scene::{Faces, Influences, Material, Mesh, MorphDeltas, Part, Scene};
use glam::{DVec3, Vec3, Vec4};
use serde_json::Value;
use std::collections::BTreeMap;

impl Export<'_> {
    /// Writes the meshes. Returns the file's index of each, or `None` if nothing of it can be written.
    pub(super) fn meshes(&mut self, scene: &mut Scene, plan: &Plan) -> Vec<Option<u32>> {
        let meshes = std::mem::take(&mut scene.meshes);
        let mut numbers = Vec::new();
        for (index, mesh) in meshes.into_iter().enumerate() {
            numbers.push(self.mesh(mesh, index, plan, &scene.materials));
        }
        numbers
    }

    fn mesh(&mut self, mesh: Mesh, index: usize, plan: &Plan, materials: &[Material]) -> Option<u32> {
        let object = crate::report::label("mesh", &mesh.name, index);
        let mut primitives = Vec::new();
        for part in mesh.parts {
            if part.positions.is_empty() || part.faces.count() == 0 {
                let message = "a part without vertices or faces cannot be written";
                self.dropped(&codes::EMPTY, &object, 1, message);
                continue;
            }
            let static_joint = plan.static_joint[index].unwrap_or(0);
            let skinned = plan.is_skinned[index].then_some(static_joint);
            primitives.push(self.primitive(part, mesh.morphs.len(), skinned, materials, &object));
        }
        if primitives.is_empty() {
            self.dropped(&codes::EMPTY, &object, 1, "a mesh without parts cannot be written");
            return None;
        }
        let mut extras = mesh.extras;
        if mesh.morphs.iter().any(|m| !m.name.is_empty()) {
            let names = mesh.morphs.iter().map(|m| Value::from(m.name.as_str())).collect();
            extras.insert("targetNames".to_owned(), Value::Array(names));
        }
        let weighted = mesh.morphs.iter().any(|m| m.weight != 0.0);
        let weights = mesh.morphs.iter().filter(|_| weighted).map(|m| json::Num(m.weight)).collect();
        let extensions = extensions::kept(&mut extras, OF_OBJECT);
        let extras = plain(extras);
        self.root.meshes.push(json::Mesh { name: mesh.name, primitives, weights, extensions, extras });
        Some((self.root.meshes.len() - 1) as u32)
    }

    fn primitive(
        &mut self,
        mut part: Part,
        morphs: usize,
        skinned: Option<u32>,
        materials: &[Material],
        object: &str,
    ) -> json::Primitive {
        let count = part.positions.len();
        let mut attributes = BTreeMap::new();
        let (has_normals, has_tangents) = self.frames(&mut part, object);
        if has_normals {
            let normals = Chunk::Vec3(std::mem::take(&mut part.normals));
            attributes.insert("NORMAL".to_owned(), self.data.add(normals, "VEC3", VERTICES));
        }
        if has_tangents {
            let tangents = Chunk::Vec4(std::mem::take(&mut part.tangents));
            attributes.insert("TANGENT".to_owned(), self.data.add(tangents, "VEC4", VERTICES));
        }
        let needed = part.material.map_or(0, |m| uv_sets(&materials[m.index()]));
        let mut uvs = std::mem::take(&mut part.uvs);
        uvs.resize(uvs.len().max(needed), Vec::new());
        for (set, uvs) in uvs.into_iter().enumerate() {
            let accessor = match uvs.is_empty() {
                true => self.data.blank(count, "VEC2", false),
                false => self.data.add(Chunk::Vec2(uvs), "VEC2", VERTICES),
            };
            attributes.insert(format!("TEXCOORD_{set}"), accessor);
        }
        for (set, mut colors) in std::mem::take(&mut part.colors).into_iter().enumerate() {
            let accessor = if colors.is_empty() {
                self.data.blank(count, "VEC4", false)
            } else {
                self.clamp_colors(&mut colors, object);
                self.data.add(Chunk::Vec4(colors), "VEC4", VERTICES)
            };
            attributes.insert(format!("COLOR_{set}"), accessor);
        }
        if let Some(static_joint) = skinned {
            let influences = std::mem::take(&mut part.influences);
            self.influences(&influences, count, static_joint, object, &mut attributes);
        }
        let mut targets = Vec::new();
        let mut deltas = std::mem::take(&mut part.morphs);
        deltas.resize_with(morphs, MorphDeltas::default);
        for deltas in deltas {
            targets.push(self.target(deltas, count, has_normals, has_tangents, object));
        }
        let mode = match part.faces {
            Faces::Points(_) => Some(0),
            Faces::Lines(_) => Some(1),
            _ => None,
        };
        let indices = self.indices(part.faces, count);
        let positions = Chunk::Vec3(part.positions);
        attributes.insert("POSITION".to_owned(), self.data.add_bounded(positions, "VEC3", VERTICES));
        let extensions = extensions::kept(&mut part.extras, OF_OBJECT);
        let (material, extras) = (part.material.map(|m| m.0), plain(part.extras));
        json::Primitive { attributes, indices, material, mode, targets, extensions, extras }
    }

    fn influences(
        &mut self,
        influences: &Influences,
        count: usize,
        static_joint: u32,
        object: &str,
        attributes: &mut BTreeMap<String, u32>,
    ) {
        let sets = sets(influences, count, static_joint);
        let message = "vertices without influences are bound to a joint that never moves";
        self.kept(&codes::STATIC_JOINT, object, sets.free, message);
        let message = "weights are normalised, and a joint that occurs twice is written once";
        self.kept(&codes::WEIGHTS, object, sets.adjusted, message);
        self.dropped(&codes::WEIGHTS, object, sets.negative, "negative weights cannot be written");
        for (set, (joints, weights)) in sets.sets.into_iter().enumerate() {
            attributes.insert(format!("JOINTS_{set}"), self.data.add(joints, "VEC4", VERTICES));
            attributes.insert(format!("WEIGHTS_{set}"), self.data.add(weights, "VEC4", VERTICES));
        }
    }

    fn target(
        &mut self,
        deltas: MorphDeltas,
        count: usize,
        has_normals: bool,
        has_tangents: bool,
        object: &str,
    ) -> BTreeMap<String, u32> {
        let mut target = BTreeMap::new();
        for (name, values, has_base) in
            [("NORMAL", deltas.normals, has_normals), ("TANGENT", deltas.tangents, has_tangents)]
        {
            if !values.is_empty() && has_base {
                target.insert(name.to_owned(), self.data.add(Chunk::Vec3(values), "VEC3", VERTICES));
            } else if !values.is_empty() {
                let message = "morph targets move normals or tangents that the part does not have; these deltas are dropped";
                self.dropped(&codes::UNIT_VECTORS, object, values.len(), message);
            }
        }
        let positions = if !deltas.positions.is_empty() {
            self.data.add_bounded(Chunk::Vec3(deltas.positions), "VEC3", VERTICES)
        } else {
            self.data.blank(count, "VEC3", true)
        };
        target.insert("POSITION".to_owned(), positions);
        target
    }

    /// Writes indices in the smallest type whose largest value stays free, since that value restarts primitives. `None`
    /// if the vertices are simply used in order.
    fn indices(&mut self, faces: Faces, vertices: usize) -> Option<u32> {
        let corners = match faces {
            Faces::Points(c) | Faces::Lines(c) | Faces::Triangles(c) => c,
            Faces::Polygons { starts, corners } => fans(&starts, &corners),
        };
        if corners.len() == vertices && corners.iter().enumerate().all(|(i, &c)| c as usize == i) {
            return None;
        }
        let largest = corners.iter().max().copied().unwrap_or(0);
        let chunk = if largest < 255 {
            Chunk::U8(corners.iter().map(|&c| c as u8).collect())
        } else if largest < 65535 {
            Chunk::U16(corners.iter().map(|&c| c as u16).collect())
        } else {
            Chunk::U32(corners)
        };
        Some(self.data.add(chunk, "SCALAR", INDICES))
    }

    /// Normalises normals and tangents. Returns whether normals and tangents are written.
    fn frames(&mut self, part: &mut Part, object: &str) -> (bool, bool) {
        let mut changed = 0;
        if part.normals.contains(&Vec3::ZERO) {
            let around = face_normals(part);
            for (normal, face) in part.normals.iter_mut().zip(around).filter(|(n, _)| **n == Vec3::ZERO) {
                *normal = face;
                changed += 1;
            }
        }
        for normal in &mut part.normals {
            if !is_unit(*normal) {
                *normal = normal.as_dvec3().normalize().as_vec3();
                changed += 1;
            }
        }
        for tangent in &mut part.tangents {
            let direction = tangent.truncate();
            if !is_unit(direction) || tangent.w.abs() != 1.0 {
                let direction = direction.as_dvec3().try_normalize().unwrap_or(DVec3::X).as_vec3();
                *tangent = direction.extend(if tangent.w < 0.0 { -1.0 } else { 1.0 });
                changed += 1;
            }
        }
        let message = "normals and tangents that are not unit vectors were normalised";
        self.approximated(&codes::UNIT_VECTORS, object, changed, message);
        let has_normals = !part.normals.is_empty();
        if !has_normals {
            let message = "tangents without normals are dropped";
            self.dropped(&codes::UNIT_VECTORS, object, part.tangents.len(), message);
        }
        (has_normals, has_normals && !part.tangents.is_empty())
    }

    fn clamp_colors(&mut self, colors: &mut [Vec4], object: &str) {
        let mut outside = 0;
        for color in colors {
            let clamped = color.clamp(Vec4::ZERO, Vec4::ONE);
            outside += usize::from(clamped != *color);
            *color = clamped;
        }
        self.approximated(&codes::COLORS, object, outside, "vertex colours were clamped to 0..1");
    }
}

/// Whether the Khronos validator accepts the length as that of a unit vector.
fn is_unit(v: Vec3) -> bool {
    (v.length_squared() - 1.0).abs() < 1e-3
}

/// The mean normal of the triangles around each vertex, or up.
fn face_normals(part: &Part) -> Vec<Vec3> {
    let mut sums = vec![DVec3::ZERO; part.positions.len()];
    if let Faces::Triangles(corners) = &part.faces {
        for triangle in corners.as_chunks::<3>().0 {
            let [a, b, c] = triangle.map(|i| part.positions[i as usize].as_dvec3());
            let normal = (b - a).cross(c - a);
            triangle.iter().for_each(|&i| sums[i as usize] += normal);
        }
    }
    sums.into_iter().map(|s| s.try_normalize().unwrap_or(DVec3::Y).as_vec3()).collect()
}

/// Polygons as triangle fans, for scenes that were not triangulated.
fn fans(starts: &[u32], corners: &[u32]) -> Vec<u32> {
    let polygon = |w: &[u32]| &corners[w[0] as usize..w[1] as usize];
    let fan = |p: &[u32]| (2..p.len()).flat_map(|i| [p[0], p[i - 1], p[i]]).collect::<Vec<_>>();
    starts.windows(2).map(polygon).flat_map(fan).collect()
}

/// The number of texture coordinate sets that a material's glTF textures need.
fn uv_sets(material: &Material) -> usize {
    let own = [&material.normal_texture, &material.occlusion_texture, &material.emissive_texture];
    let pbr = material.pbr.iter().flat_map(|p| {
        let specular = p.specular.iter().flat_map(|s| [&s.texture, &s.color_texture]);
        [&p.base_color_texture, &p.metallic_roughness_texture].into_iter().chain(specular)
    });
    own.into_iter().chain(pbr).flatten().map(|t| t.uv_set as usize + 1).max().unwrap_or(0)
}
