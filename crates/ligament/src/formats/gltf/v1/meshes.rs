//! Meshes, whose attributes have other names in 2.0.

use super::super::codes;
use super::super::json;
use super::super::locate::Step::{Index, Name};
use super::json::Primitive;
use super::{Convert, named};
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
        self.origins.meshes.clone_from(&source.meshes.names);
    }

    fn primitive(&mut self, mesh: &str, at: usize, primitive: &Primitive) -> json::Primitive {
        let source = self.source;
        let path = |field| [Name("meshes"), Name(mesh), Name("primitives"), Index(at), Name(field)];
        let mut attributes = BTreeMap::new();
        for (name, accessor) in &primitive.attributes {
            let [a, b, c, d, e] = path("attributes");
            let Some(accessor) =
                self.number(&source.accessors, accessor, "accessor", &[a, b, c, d, e, Name(name)])
            else {
                continue;
            };
            let renamed = self.attribute(name, accessor);
            if renamed != *name {
                self.origins.attributes.entry(renamed.clone()).or_insert_with(|| name.clone());
            }
            if attributes.contains_key(&renamed) {
                let message = "the primitive has the same attribute under another name; this one is ignored";
                self.warning(&codes::MESH, &[a, b, c, d, e, Name(name)], message);
            }
            attributes.entry(renamed).or_insert(accessor);
        }
        let indices = primitive.indices.as_ref();
        let material = primitive.material.as_ref();
        json::Primitive {
            attributes,
            indices: indices.and_then(|i| self.number(&source.accessors, i, "accessor", &path("indices"))),
            material: material.and_then(|m| self.number(&source.materials, m, "material", &path("material"))),
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
