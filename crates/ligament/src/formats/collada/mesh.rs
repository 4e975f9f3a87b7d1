//! The mesh of one instance of a geometry: its parts with the materials that the instance binds, influences and morphs.

use super::codes;
use super::controller::Weights;
use super::geometry::BuiltPart;
use super::import::Import;
use super::xml::{Xml, child, label, name, path, techniques, word};
use crate::scene::{Influence, Influences, MaterialId, Mesh, MeshId};

/// Instances with an equal key share a mesh: geometry, controller and the text of the bound materials.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct MeshKey {
    geometry: roxmltree::NodeId,
    controller: Option<roxmltree::NodeId>,
    materials: Box<str>,
}

/// The deformation of a geometry by a controller.
pub(super) struct Deform<'d> {
    pub controller: Xml<'d>,
    pub morph: Option<Xml<'d>>,
    pub weights: Option<Weights>,
}

impl<'d> Import<'d, '_> {
    /// Creates the mesh of a geometry with the materials that an instance binds. `None` if it has no parts.
    pub(super) fn mesh(
        &mut self,
        instance: Xml<'d>,
        geometry: Xml<'d>,
        deform: Option<&Deform<'d>>,
    ) -> Option<MeshId> {
        let bound = path(instance, &["bind_material", "technique_common"]);
        let materials = bound.map_or("", |b| &b.document().input_text()[b.range()]);
        let key = MeshKey {
            geometry: geometry.id(),
            controller: deform.map(|d| d.controller.id()),
            materials: materials.into(),
        };
        self.used.insert(geometry.id());
        if let Some(known) = self.meshes.get(&key) {
            return Some(*known);
        }
        if child(geometry, "mesh").is_none() && geometry.tag_name().name() != "geometry" {
            let message = format!("{} is not a geometry", label(geometry));
            self.warning(&codes::REFERENCE, instance, message);
            return None;
        }
        let parts = self.geometry(geometry)?;
        if parts.is_empty() {
            return None;
        }
        let mut mesh = Mesh { name: name(geometry).to_owned(), ..Mesh::default() };
        let targets = deform.and_then(|d| d.morph).map(|morph| self.morphs(morph, geometry, &parts));
        for (index, mut built) in parts.into_iter().enumerate() {
            built.part.material = self.material_of(&built, bound);
            if let Some(weights) = deform.and_then(|d| d.weights.as_ref()) {
                built.part.influences = self.influences(&built, weights)?;
            }
            if let Some(targets) = &targets {
                built.part.morphs = targets.iter().map(|t| t.deltas[index].clone()).collect();
            }
            mesh.parts.push(built.part);
        }
        // Maya states this for meshes, not for materials.
        let stated = techniques(geometry).find_map(|t| child(t, "double_sided"));
        if stated.is_some_and(|v| word(v) == "1") {
            for material in mesh.parts.iter().filter_map(|p| p.material) {
                self.scene.materials[material.index()].double_sided = true;
            }
        }
        mesh.morphs = targets.into_iter().flatten().map(|t| t.morph).collect();
        self.scene.meshes.push(mesh);
        let id = MeshId::new(self.scene.meshes.len() - 1);
        self.meshes.insert(key, id);
        Some(id)
    }

    /// The influences of a part's vertices.
    fn influences(&mut self, built: &BuiltPart<'d>, weights: &Weights) -> Option<Influences> {
        let of = |position: u32| weights.influences.of(position as usize);
        let total: usize = built.position_of.iter().map(|&p| of(p).len().max(1)).sum();
        self.spend((total + built.position_of.len()).saturating_mul(8), built.element)?;
        let mut influences = Influences::with_capacity(built.position_of.len(), total);
        for &position in &built.position_of {
            let pulls = of(position);
            if pulls.iter().map(|i| i.weight).sum::<f32>() == 0.0 {
                // No joint influences it: it stays in the bind shape.
                influences.push([Influence { joint: weights.still, weight: 1.0 }]);
            } else {
                influences.push(pulls.iter().copied());
            }
        }
        Some(influences)
    }

    /// The material that the instance binds to a part's symbol.
    fn material_of(&mut self, built: &BuiltPart<'d>, bound: Option<Xml<'d>>) -> Option<MaterialId> {
        let symbol = built.symbol?;
        let binding = bound.and_then(|bound| self.surfaces.binding(bound, symbol));
        let target = match binding {
            Some(binding) => self.target(binding, "target"),
            // Exporters that omit the binding use the material's id or name.
            None => self
                .ids
                .get(symbol, &["material"])
                .or_else(|| self.surfaces.material_named(self.root, symbol)),
        };
        let target = target.filter(|t| t.tag_name().name() == "material");
        if target.is_none() {
            let message = format!("the material symbol {symbol:?} is not bound to a material");
            self.warning(&codes::UNBOUND_MATERIAL, built.element, message);
        }
        self.material(target?, binding, &built.uv_sets)
    }
}
