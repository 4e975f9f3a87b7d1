//! Meshes, whose attributes have other names in 2.0.

use super::super::codes;
use super::super::json;
use super::super::locate::Step::{Index, Name};
use super::json::Primitive;
use super::{Convert, join, named};
use std::collections::BTreeMap;

const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_SHORT: u32 = 5123;

impl Convert<'_, '_, '_> {
    pub(super) fn meshes(&mut self) {
        let source = self.source;
        for (id, mesh) in source.meshes.iter() {
            let primitives = mesh.primitives.iter().enumerate();
            let primitives = primitives.map(|(at, primitive)| self.primitive(id, at, primitive)).collect();
            let name = named(&mesh.name, id);
            self.root.meshes.push(json::Mesh {
                name,
                primitives,
                extras: mesh.extras.clone(),
                ..json::Mesh::default()
            });
        }
    }

    fn primitive(&mut self, mesh: &str, at: usize, primitive: &Primitive) -> json::Primitive {
        let source = self.source;
        let path = |field| [Name("meshes"), Name(mesh), Name("primitives"), Index(at), Name(field)];
        let mut attributes = BTreeMap::new();
        for (name, accessor) in &primitive.attributes {
            let path = join(&path("attributes"), &[Name(name)]);
            let accessor = self.number(&source.accessors, accessor, "accessor", &path);
            let Some(accessor) = accessor else { continue };
            let renamed = self.attribute(name, accessor);
            if renamed != *name {
                self.origins.attributes.entry(renamed.clone()).or_insert_with(|| name.clone());
            }
            if attributes.contains_key(&renamed) {
                let message = "the primitive has the same attribute under another name; this one is ignored";
                self.warning(&codes::MESH, &path, message);
            }
            attributes.entry(renamed).or_insert(accessor);
        }
        json::Primitive {
            attributes,
            indices: self.optional(&source.accessors, &primitive.indices, "accessor", &path("indices")),
            material: self.optional(&source.materials, &primitive.material, "material", &path("material")),
            mode: primitive.mode,
            extras: primitive.extras.clone(),
            ..json::Primitive::default()
        }
    }

    /// The name of an attribute in 2.0.
    fn attribute(&mut self, name: &str, accessor: u32) -> String {
        let (semantic, set) = match name.split_once('_') {
            Some((semantic, set)) if set.bytes().all(|b| b.is_ascii_digit()) => (semantic, set),
            _ => (name, "0"),
        };
        let accessor = &mut self.root.accessors[accessor as usize];
        if matches!(semantic, "COLOR" | "WEIGHT") {
            // In 1.0, it is up to the shaders that integers stand for 0 to 1.
            accessor.normalized |= matches!(accessor.component_type, Some(UNSIGNED_BYTE | UNSIGNED_SHORT));
        }
        match semantic {
            "TEXCOORD" | "COLOR" => format!("{semantic}_{set}"),
            "JOINT" => format!("JOINTS_{set}"),
            "WEIGHT" => format!("WEIGHTS_{set}"),
            // 1.0 has no tangents. Some files have them anyway, without the sign that 2.0 requires.
            "TANGENT" if accessor.kind != "VEC4" => "_TANGENT".to_owned(),
            _ => name.to_owned(),
        }
    }
}
