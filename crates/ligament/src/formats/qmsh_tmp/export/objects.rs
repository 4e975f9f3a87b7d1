//! Nodes that draw something become mesh objects.

use super::super::codes;
use super::super::document::{Corner, FaceHead, Faces, Group, Material, Mesh, Object, Placement};
use super::super::import::EXTRAS;
use super::super::space;
use super::angle;
use super::names::{Kind, Names};
use super::rig::Rig;
use crate::passes::codes::FACES;
use crate::passes::triangulate::cut_face;
use crate::pose::Pose;
use crate::report::{Failure, Loss, Place, Report};
use crate::scene::{self, Influence, Influences, MaterialId, Part, Scene, decompose};
use crate::text::RawText;
use glam::{DMat3, DMat4, DVec3, Vec2, Vec3};
use std::collections::HashMap;

/// Materials a mesh.
const MOST_MATERIALS: usize = 16;
/// Vertices at one place that are looked through for one to share.
const MOST_SHARED: usize = 32;

pub(super) fn export(
    scene: &mut Scene,
    rig: &Rig,
    names: &mut Names,
    objects: &mut Vec<Object>,
    report: &mut Report,
) -> Result<(), Failure> {
    let pose = Pose::rest(scene);
    let mut materials = Materials::default();
    let mut last_use = vec![0; scene.meshes.len()];
    for (i, node) in scene.nodes.iter().enumerate() {
        node.mesh.into_iter().for_each(|mesh| last_use[mesh.index()] = i);
    }
    for index in 0..scene.nodes.len() {
        let Some(mesh_id) = scene.nodes[index].mesh else { continue };
        let above = std::iter::successors(Some(index), |&n| scene.nodes[n].parent.map(|p| p.index()));
        let carrier = Carrier {
            skinned: scene.nodes[index].skin.is_some() && !rig.bones.is_empty(),
            bone: above.into_iter().find_map(|n| rig.bone_of(n)),
            // A skin places its mesh itself.
            global: if scene.nodes[index].skin.is_some() { DMat4::IDENTITY } else { pose.globals[index] },
        };
        // The arrays of a mesh are done with after its last node.
        let mesh = match last_use[mesh_id.index()] == index {
            true => std::mem::take(&mut scene.meshes[mesh_id.index()]),
            false => scene.meshes[mesh_id.index()].clone(),
        };
        let node = &scene.nodes[index];
        let name = if node.name.is_empty() { mesh.name.clone() } else { node.name.clone() };
        let angle = mesh.extras.get(EXTRAS).and_then(|e| e.get("smooth_angle")).and_then(|a| a.as_f64());
        let angle = angle.filter(|a| (0.0..=360.0).contains(a));
        let object = format!("mesh {name:?}");
        let groups = by_materials(mesh.parts);
        if groups.len() > 1 {
            let message =
                format!("more than {MOST_MATERIALS} materials; the mesh is written as several objects");
            report.loss(Loss::kept(&codes::OBJECTS_SPLIT, &*object, groups.len(), message));
        }
        for parts in groups {
            let name = names.unique(Kind::Object, &name, &format!("object{index}"));
            let mut builder = Builder::new(&carrier, rig);
            for part in parts {
                builder.part(&part, &mut materials, scene, names);
            }
            objects.push(Object::Mesh(builder.finish(name, angle, &object, report)?));
        }
    }
    Ok(())
}

/// The parts in runs of as many materials as a mesh can have.
fn by_materials(parts: Vec<Part>) -> Vec<Vec<Part>> {
    let mut groups: Vec<Vec<Part>> = vec![Vec::new()];
    let mut used: Vec<Option<MaterialId>> = Vec::new();
    for part in parts {
        if !used.contains(&part.material) {
            if used.len() == MOST_MATERIALS {
                used.clear();
                groups.push(Vec::new());
            }
            used.push(part.material);
        }
        if let Some(group) = groups.last_mut() {
            group.push(part);
        }
    }
    groups
}

/// Names of materials, which must differ for different materials.
#[derive(Default)]
struct Materials(HashMap<MaterialId, RawText>);

impl Materials {
    fn name(&mut self, id: Option<MaterialId>, scene: &Scene, names: &mut Names) -> RawText {
        let Some(id) = id else { return RawText::default() };
        let made = || {
            names.unique(
                Kind::Material,
                &scene.materials[id.index()].name,
                &format!("material{}", id.index()),
            )
        };
        self.0.entry(id).or_insert_with(made).clone()
    }
}

/// What carries a mesh, and where its node stands at rest.
struct Carrier {
    skinned: bool,
    bone: Option<usize>,
    global: DMat4,
}

/// The scene's normals.
#[derive(Default)]
pub(super) struct Normals {
    values: Vec<Vec3>,
    /// The number of each corner's, or none.
    of_corner: Vec<u32>,
}

impl Normals {
    /// Zero where the scene has none.
    pub(super) fn at(&self, corner: usize) -> Vec3 {
        let number = self.of_corner.get(corner);
        number.and_then(|&number| self.values.get(number as usize)).copied().unwrap_or_default()
    }
}

/// A mesh object while parts are added to it.
struct Builder<'r> {
    rig: &'r Rig,
    skinned: bool,
    parent_bone: Option<usize>,
    placement: Placement,
    /// From the scene's mesh space to the file's vertices.
    matrix: DMat4,
    /// The matrix that the written vertices are seen through.
    shape: DMat4,
    baked: bool,
    flip: bool,
    materials: Vec<(Option<MaterialId>, RawText)>,
    vertices: Vec<Vec3>,
    normals: Normals,
    faces: Faces,
    groups: Vec<Vec<(u32, f32)>>,
    /// The influences of each vertex.
    influences: Influences,
    /// The last vertex at each place, and the one before each.
    places: HashMap<[u32; 3], u32>,
    before: Vec<u32>,
    dropped: usize,
    /// The first normal of the part that is being added, if it has any.
    first_normal: Option<u32>,
}

const NONE: u32 = u32::MAX;

impl<'r> Builder<'r> {
    fn new(carrier: &Carrier, rig: &'r Rig) -> Self {
        let back = space::TURN.transpose();
        let world = back * carrier.global * space::TURN;
        let parts = decompose(&world).filter(|(_, error)| *error <= 1e-6 && !carrier.skinned);
        let (placement, matrix, shape, baked) = match parts {
            _ if carrier.skinned => (Placement::IDENTITY, back, DMat4::IDENTITY, false),
            Some((trs, _)) => (placement(&trs), back, world, false),
            None => (Placement::IDENTITY, back * carrier.global, DMat4::IDENTITY, true),
        };
        Self {
            rig,
            skinned: carrier.skinned,
            parent_bone: carrier.bone.filter(|_| !carrier.skinned),
            placement,
            matrix,
            shape,
            baked,
            flip: baked && carrier.global.determinant() < 0.0,
            materials: Vec::new(),
            vertices: Vec::new(),
            normals: Normals::default(),
            faces: Faces::default(),
            groups: vec![Vec::new(); if carrier.skinned { rig.bones.len() } else { 0 }],
            influences: Influences::new(),
            places: HashMap::new(),
            before: Vec::new(),
            dropped: 0,
            first_normal: None,
        }
    }

    fn part(&mut self, part: &Part, materials: &mut Materials, scene: &Scene, names: &mut Names) {
        let known = self.materials.iter().position(|(id, _)| *id == part.material);
        let material = known.unwrap_or_else(|| {
            self.materials.push((part.material, materials.name(part.material, scene, names)));
            self.materials.len() - 1
        }) as u32;
        self.faces.heads.reserve_exact(part.faces.count());
        self.faces.corners.reserve_exact(part.faces.corners().len());
        self.normals.of_corner.reserve_exact(part.faces.corners().len());
        let first_normal = self.normals.values.len() as u32;
        self.normals.values.extend(part.normals.iter().map(|&normal| space::from_scene(normal)));
        self.first_normal = (!part.normals.is_empty()).then_some(first_normal);
        // Points and lines are gone by now.
        match &part.faces {
            scene::Faces::Polygons { starts, corners } => {
                for face in starts.windows(2) {
                    self.face(part, scene, material, &corners[face[0] as usize..face[1] as usize]);
                }
            }
            scene::Faces::Triangles(corners) => {
                corners.chunks_exact(3).for_each(|face| self.face(part, scene, material, face));
            }
            _ => {}
        }
    }

    fn face(&mut self, part: &Part, scene: &Scene, material: u32, face: &[u32]) {
        match *face {
            [] | [_] | [_, _] => self.dropped += 1,
            [a, b, c] => self.add(part, scene, material, &[a, b, c]),
            [a, b, c, d] => {
                // The file's cut is between the second corner and the fourth.
                let triangles = cut_face(&part.positions, face);
                let twice = |corner: u32| triangles.iter().filter(|&&t| t == corner).count() > 1;
                let quad =
                    if twice(b) && twice(d) && !(twice(a) && twice(c)) { [a, b, c, d] } else { [d, a, b, c] };
                self.add(part, scene, material, &quad);
            }
            _ => {
                let triangles = cut_face(&part.positions, face);
                triangles.chunks_exact(3).for_each(|t| self.add(part, scene, material, t));
            }
        }
    }

    fn add(&mut self, part: &Part, scene: &Scene, material: u32, face: &[u32]) {
        let normal = |corner: &u32| part.normals.get(*corner as usize).copied().unwrap_or_default();
        let bent = face.iter().any(|c| normal(c).distance_squared(normal(&face[0])) > 1e-8);
        let corners = face.len() as u8;
        self.faces.heads.push(FaceHead { material, smooth: u32::from(bent), corners });
        let count = face.len();
        for i in 0..count {
            // Turned around, the second corner and the fourth stay what they are to the cut.
            let corner = if self.flip { face[(2 * count - 2 - i) % count] } else { face[i] };
            let uv = part.uvs.first().and_then(|uvs| uvs.get(corner as usize));
            let uv = uv.map_or(Vec2::ZERO, |uv| Vec2::new(uv.x, 1.0 - uv.y));
            let vertex = self.vertex(part, scene, corner as usize);
            self.faces.corners.push(Corner { vertex, uv });
            self.normals.of_corner.push(self.first_normal.map_or(NONE, |first| first + corner));
        }
    }

    /// The file's vertex for a vertex of the scene: one at the same place that the same bones pull, or a new one.
    fn vertex(&mut self, part: &Part, scene: &Scene, vertex: usize) -> u32 {
        let place = self.matrix.transform_point3(part.positions[vertex].as_dvec3()).as_vec3() + Vec3::ZERO;
        let pulls = self.skinned && vertex < part.influences.len();
        let own = if pulls { part.influences.of(vertex) } else { &[] };
        let bits = place.to_array().map(f32::to_bits);
        let last = self.places.get(&bits).copied().unwrap_or(NONE);
        let mut next = last;
        for _ in 0..MOST_SHARED {
            if next == NONE {
                break;
            }
            if !self.skinned || self.influences.of(next as usize) == own {
                return next;
            }
            next = self.before[next as usize];
        }
        let index = self.vertices.len() as u32;
        self.vertices.push(place);
        self.places.insert(bits, index);
        self.before.push(last);
        if self.skinned {
            self.influences.push(own.iter().copied());
            self.weigh(scene, index, own);
        }
        index
    }

    /// A bone's group has each vertex once; a joint that pulls it twice pulls with both weights together.
    fn weigh(&mut self, scene: &Scene, vertex: u32, influences: &[Influence]) {
        let Some(skin) = scene.skins.first() else { return };
        for influence in influences.iter().filter(|i| i.weight > 0.0) {
            let joint = skin.joints.get(influence.joint as usize);
            let Some(bone) = joint.and_then(|j| self.rig.bone_of(j.index())) else { continue };
            match self.groups[bone].last_mut() {
                Some((same, weight)) if *same == vertex => *weight += influence.weight,
                _ => self.groups[bone].push((vertex, influence.weight)),
            }
        }
    }

    fn finish(
        mut self,
        name: RawText,
        stated: Option<f64>,
        object: &str,
        report: &mut Report,
    ) -> Result<Mesh, Failure> {
        if self.dropped > 0 {
            let message = "faces of fewer than three corners are dropped";
            report.loss(Loss::dropped(&FACES, object, self.dropped, message));
        }
        if self.baked {
            let message = "the object's transform holds shear and is applied to its vertices";
            report.loss(Loss::kept(&codes::OBJECT_SHEAR, object, 1, message));
        }
        if !self.vertices.iter().all(|v| v.is_finite()) {
            let message = format!("a vertex of {object} leaves the range of numbers");
            return Err(report.invalid(&codes::OUT_OF_RANGE, Place::field(object), message));
        }
        // Only needed to add parts.
        (self.influences, self.places, self.before) = (Influences::new(), HashMap::new(), Vec::new());
        let normals = self.file_normals();
        let angle = if normals.values.iter().all(|n| *n == Vec3::ZERO) {
            // Without normals faces are flat.
            stated.unwrap_or(0.0)
        } else {
            let chosen = angle::choose(&self.vertices, &self.faces, &normals, &self.shape, stated);
            if chosen.corners > 0 {
                let message = format!(
                    "normals are rebuilt from the smoothing angle; {} degrees come nearest",
                    chosen.degrees
                );
                let (count, worst) = (chosen.corners, chosen.worst);
                report.loss(Loss::approximated(&codes::NORMALS, object, count, worst, "degrees", message));
            }
            chosen.degrees
        };
        let groups = self.groups.into_iter().zip(&self.rig.bones).filter(|(weights, _)| !weights.is_empty());
        let bone = self.parent_bone.map(|b| self.rig.bones[b].name.clone());
        let hangs = self.skinned || bone.is_some();
        Ok(Mesh {
            name,
            placement: self.placement,
            parent: self.rig.name.clone().filter(|_| hangs).unwrap_or_default(),
            parent_bone: bone.unwrap_or_default(),
            smooth_angle: Some(angle),
            materials: self
                .materials
                .into_iter()
                .map(|(_, name)| Material { name, ..Material::default() })
                .collect(),
            vertices: self.vertices,
            normals: Vec::new(),
            faces: self.faces,
            groups: groups.map(|(weights, bone)| Group { name: bone.name.clone(), weights }).collect(),
        })
    }

    /// The scene's normals where the vertices are: through the matrix if that was baked.
    fn file_normals(&mut self) -> Normals {
        let mut normals = std::mem::take(&mut self.normals);
        if !self.baked {
            return normals;
        }
        // The axes have been changed already.
        let matrix = self.matrix * space::TURN;
        let through = DMat3::from_mat4(matrix).inverse().transpose();
        for normal in &mut normals.values {
            *normal = (through * normal.as_dvec3()).try_normalize().map_or(Vec3::ZERO, |n| n.as_vec3());
        }
        normals
    }
}

/// Position, angles and scale of a transform in the file's axes.
fn placement(trs: &scene::Trs) -> Placement {
    let axes = DMat3::from_quat(trs.rotation.as_dquat().normalize());
    let DMat3 { x_axis: x, y_axis: y, z_axis: z } = axes;
    let angles = if x.z.abs() < 1.0 - 1e-12 {
        DVec3::new(y.z.atan2(z.z), (-x.z).asin(), x.y.atan2(x.x))
    } else {
        // Looking straight up or down, only the sum or difference of the other two angles counts.
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
            let difference = space::matrix(&placement(&trs)) - trs.to_matrix();
            assert!(difference.to_cols_array().iter().all(|d| d.abs() < 2e-6), "{x} {y} {z}: {difference}");
        }
    }
}
