//! Document to scene.
//!
//! | file | what it makes |
//! |---|---|
//! | `objects.rs` | assigns elements to parts and meshes |
//! | `parts.rs` | parts with their vertices |
//! | `normals.rs` | normals from smoothing groups |
//! | `materials.rs` | materials and textures |

mod materials;
mod normals;
mod objects;
mod parts;

use super::codes;
use super::document::{LeftOut, Model};
use crate::report::{Failure, Loss, Report};
use crate::scene::{Faces, Mesh, MeshId, Node, Part, Scene};
use objects::objects;

/// The key of OBJ's own values in extras.
pub(super) const KEY: &str = "obj";

impl Model {
    pub(super) fn into_scene(mut self, report: &mut Report) -> Result<Scene, Failure> {
        let mut scene = Scene { name: self.name.clone(), ..Scene::default() };
        report_left_out(&self.left_out, report);
        materials::materials(&self, &mut scene, report);
        let objects = objects(&self);
        let has_spares = normals::complete(&mut self, &objects, report);
        if objects.is_empty() {
            let part = self.cloud();
            add(&mut scene, self.name.clone(), vec![part]);
        }
        let mut builder = parts::Builder::new(self);
        // The only part takes all vertices, if none was replaced.
        let only = !has_spares && objects.iter().map(|object| object.parts.len()).sum::<usize>() == 1;
        for object in &objects {
            let name = object.name(builder.model());
            let parts = object.parts.iter().map(|part| builder.part(part, only)).collect();
            add(&mut scene, name, parts);
        }
        builder.report(report);
        report.check().map(|()| scene)
    }

    /// All positions as points, for a file that contains nothing else.
    fn cloud(&mut self) -> Part {
        let count = self.positions.len() as i32;
        let normals = self.normals.len() == self.positions.len();
        self.vertices = (0..count).map(|i| [i, -1, if normals { i } else { -1 }]).collect();
        parts::vertices_of(self, &self.vertices, Faces::Points((0..count as u32).collect()))
    }
}

fn add(scene: &mut Scene, name: String, parts: Vec<Part>) {
    let mesh = Mesh { name: name.clone(), parts, ..Mesh::default() };
    let mesh = Some(MeshId::push(&mut scene.meshes, mesh));
    scene.add_node(Node { name, mesh, ..Node::default() });
}

fn report_left_out(left_out: &LeftOut, report: &mut Report) {
    let losses = [
        (&codes::FREE_FORM, left_out.free_form, "curves, surfaces and trims are not read"),
        (
            &codes::FREE_FORM,
            left_out.parameters,
            "parameter-space points of curves and surfaces are not read",
        ),
        (&codes::W_LEFT_OUT, left_out.weights, "weights of positions, which are for curves, are left out"),
        (&codes::W_LEFT_OUT, left_out.depths, "third texture coordinates are left out"),
        (&codes::THIN_FACE, left_out.thin_faces, "faces with fewer than three corners are left out"),
        (&codes::UNUSED, left_out.unused, "unused positions are left out"),
    ];
    for (code, count, message) in losses {
        report.loss(Loss::dropped(code, "", count, message));
    }
}
