//! Nodes that draw something become mesh objects.

use super::super::codes;
use super::super::document::{Faces, Material, Mesh, Object, Placement};
use super::super::import::EXTRAS;
use super::angle::{self, Chosen};
use super::names::{Kind, Names};
use super::rig::Rig;
use super::shape::{Shape, Vertices};
use super::surface::Surface;
use crate::passes::codes::FACES;
use crate::pose::Pose;
use crate::report::{Failure, Loss, Place, Report};
use crate::scene::{self, MaterialId, NodeId, Part, Scene, Y_UP, decompose};
use glam::{DMat3, DMat4, DVec3};
use std::ops::Range;

/// Maximum number of materials per mesh.
const MOST_MATERIALS: usize = 16;

/// Adds the objects without their lists, and for each object the source of its lists.
pub(super) fn export(
    scene: &Scene,
    rig: &Rig,
    names: &mut Names,
    objects: &mut Vec<Object>,
    report: &mut Report,
) -> Result<Vec<Option<Shape>>, Failure> {
    let pose = Pose::rest(scene);
    let mut shapes: Vec<Option<Shape>> = objects.iter().map(|_| None).collect();
    for (index, node) in scene.nodes.iter().enumerate() {
        let Some(mesh_id) = node.mesh else { continue };
        let id = NodeId::new(index);
        let mut above = std::iter::once(id).chain(scene.ancestors(id));
        let carrier = Carrier {
            skinned: node.skin.is_some() && !rig.bones.is_empty(),
            bone: above.find_map(|node| rig.bone_of(node.index())),
            // A skin places its mesh by itself.
            global: if node.skin.is_some() { DMat4::IDENTITY } else { pose.globals[index] },
        };
        let mesh = &scene.meshes[mesh_id.index()];
        let name = if node.name.is_empty() { &mesh.name } else { &node.name };
        let angle = mesh.extras.get(EXTRAS).and_then(|e| e.get("smooth_angle")).and_then(|a| a.as_f64());
        let angle = angle.filter(|a| (0.0..=360.0).contains(a));
        let object = format!("mesh {name:?}");
        let groups = by_materials(&mesh.parts);
        if groups.len() > 1 {
            let message =
                format!("more than {MOST_MATERIALS} materials; the mesh was split into several objects");
            report.loss(Loss::kept(&codes::OBJECTS_SPLIT, &*object, groups.len(), message));
        }
        for parts in groups {
            let name = names.unique(Kind::Object, name, &format!("object{index}"));
            // Faces refer to the materials of their object from 0.
            let mut used: Vec<Option<MaterialId>> = Vec::new();
            let number = |part: &Part| {
                let known = used.iter().position(|id| *id == part.material);
                known.unwrap_or_else(|| {
                    used.push(part.material);
                    used.len() - 1
                }) as u32
            };
            let numbers = mesh.parts[parts.clone()].iter().map(number).collect();
            let placed = Placed::of(&carrier);
            // Done before the vertices are numbered, because it takes more memory.
            let chosen = placed.choose(&mesh.parts[parts.clone()], angle);
            let shape = placed.shape(scene, mesh_id.index(), parts, numbers);
            placed.check(&shape, scene, &chosen, &object, report)?;
            let bone = carrier.bone.filter(|_| !carrier.skinned).map(|b| rig.bones[b].name.clone());
            let hangs = carrier.skinned || bone.is_some();
            let material = |id: Option<MaterialId>| {
                let name = id.map(|id| names.material(id, scene)).unwrap_or_default();
                Material { name, ..Material::default() }
            };
            objects.push(Object::Mesh(Mesh {
                name,
                placement: placed.placement,
                parent: rig.name.clone().filter(|_| hangs).unwrap_or_default(),
                parent_bone: bone.unwrap_or_default(),
                smooth_angle: Some(chosen.degrees),
                materials: used.into_iter().map(material).collect(),
                vertices: Vec::new(),
                normals: Vec::new(),
                faces: Faces::default(),
                groups: Vec::new(),
            }));
            shapes.push(Some(shape));
        }
    }
    Ok(shapes)
}

/// Splits the parts into runs of as many materials as a mesh can have.
fn by_materials(parts: &[Part]) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut used: Vec<Option<MaterialId>> = Vec::new();
    let mut start = 0;
    for (i, part) in parts.iter().enumerate() {
        if !used.contains(&part.material) {
            if used.len() == MOST_MATERIALS {
                used.clear();
                runs.push(start..i);
                start = i;
            }
            used.push(part.material);
        }
    }
    runs.push(start..parts.len());
    runs
}

/// The carrier of a mesh, and the rest transform of its node.
struct Carrier {
    skinned: bool,
    bone: Option<usize>,
    global: DMat4,
}

/// The transform of an object.
struct Placed {
    placement: Placement,
    /// Maps the scene's mesh space to the file's vertices.
    matrix: DMat4,
    /// The transform of the written vertices, in the scene's axes.
    shape: DMat4,
    /// The matrix that is applied to vertices, in the scene's axes, because no placement can express it.
    baked: Option<DMat4>,
    skinned: bool,
}

impl Placed {
    fn of(carrier: &Carrier) -> Self {
        let back = Y_UP.transpose();
        let world = back * carrier.global * Y_UP;
        let parts = decompose(&world).filter(|(_, error)| *error <= 1e-6 && !carrier.skinned);
        let (placement, matrix, shape, baked) = match parts {
            _ if carrier.skinned => (Placement::IDENTITY, back, DMat4::IDENTITY, None),
            Some((trs, _)) => (placement(&trs), back, carrier.global, None),
            None => (Placement::IDENTITY, back * carrier.global, DMat4::IDENTITY, Some(carrier.global)),
        };
        Self { placement, matrix, shape, baked, skinned: carrier.skinned }
    }

    fn flip(&self) -> bool {
        self.baked.is_some_and(|matrix| matrix.determinant() < 0.0)
    }

    fn shape(&self, scene: &Scene, mesh: usize, parts: Range<usize>, materials: Vec<u32>) -> Shape {
        let (skinned, flip) = (self.skinned, self.flip());
        let of_mesh = &scene.meshes[mesh].parts[parts.clone()];
        let surface = Surface::of(of_mesh, self.baked.as_ref(), flip);
        let vertices = Vertices::of(of_mesh, &surface.positions, skinned, flip);
        Shape { mesh, parts, materials, matrix: self.matrix, flip, skinned, vertices }
    }

    /// The smoothing angle nearest to the normals.
    fn choose(&self, parts: &[Part], stated: Option<f64>) -> Chosen {
        let surface = Surface::of(parts, self.baked.as_ref(), self.flip());
        if surface.has_normals() {
            return angle::choose(&surface, &self.shape, stated);
        }
        // Without normals, faces are flat.
        Chosen { degrees: stated.unwrap_or(0.0), worst: 0.0, corners: 0 }
    }

    /// Reports losses.
    fn check(
        &self,
        shape: &Shape,
        scene: &Scene,
        chosen: &Chosen,
        object: &str,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let message = "faces with fewer than three corners were dropped";
        report.loss(Loss::dropped(&FACES, object, shape.vertices.dropped, message));
        if self.baked.is_some() {
            let message = "the object's transform contains shear and was applied to its vertices";
            report.loss(Loss::kept(&codes::OBJECT_SHEAR, object, 1, message));
        }
        if !shape.vertices(scene).all(|v| v.is_finite()) {
            let message = format!("a vertex of {object} is out of range");
            return Err(report.invalid(&codes::OUT_OF_RANGE, Place::field(object), message));
        }
        if chosen.corners > 0 {
            let Chosen { degrees, worst, corners: count } = *chosen;
            let message =
                format!("normals are recomputed from the smoothing angle; {degrees} degrees is nearest");
            report.loss(Loss::approximated(&codes::NORMALS, object, count, worst, "degrees", message));
        }
        Ok(())
    }
}

/// Position, angles and scale of a transform in the file's axes.
fn placement(trs: &scene::Trs) -> Placement {
    let axes = DMat3::from_quat(trs.rotation.as_dquat().normalize());
    let DMat3 { x_axis: x, y_axis: y, z_axis: z } = axes;
    let angles = if x.z.abs() < 1.0 - 1e-12 {
        DVec3::new(y.z.atan2(z.z), (-x.z).asin(), x.y.atan2(x.x))
    } else {
        // In gimbal lock, only the sum or difference of the other two angles matters.
        DVec3::new((-z.y).atan2(y.y), (-x.z).clamp(-1.0, 1.0).asin(), 0.0)
    };
    Placement { position: trs.translation, rotation: angles.as_vec3(), scale: trs.scale }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    #[test]
    fn angles_come_back() {
        let quarter = std::f32::consts::FRAC_PI_2;
        for (x, y, z) in [(0.3, -1.1, 2.0), (0.0, quarter, 0.4), (1.0, -quarter, 0.0), (3.0, 0.1, -3.0)] {
            let rotation = Quat::from_rotation_z(z) * Quat::from_rotation_y(y) * Quat::from_rotation_x(x);
            let trs = scene::Trs { rotation, ..scene::Trs::IDENTITY };
            let difference = super::super::super::space::matrix(&placement(&trs)) - trs.to_matrix();
            assert!(difference.to_cols_array().iter().all(|d| d.abs() < 2e-6), "{x} {y} {z}: {difference}");
        }
    }
}
