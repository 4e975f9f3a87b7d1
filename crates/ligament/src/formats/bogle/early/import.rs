//! Early document to scene.

use super::{Early, Object};
use crate::scene::{Faces, Local, Mesh, MeshId, Node, Part, Scene, Trs};
use glam::{DQuat, DVec3, Vec2, Vec3};

impl Early {
    pub(super) fn into_scene(self) -> Scene {
        let mut scene = Scene { name: self.name, ..Scene::default() };
        for object in self.objects {
            let (name, local) = (object.name.to_text(), local(&object));
            let mesh =
                Mesh { name: name.clone(), parts: vec![part(object, self.layout.floats)], ..Mesh::default() };
            let mesh = Some(MeshId::push(&mut scene.meshes, mesh));
            scene.add_node(Node { name, local, mesh, ..Node::default() });
        }
        scene
    }
}

/// Y points up in these layouts, as in a scene.
fn local(object: &Object) -> Local {
    let Some([x, y, z, axis_x, axis_y, axis_z, angle, scale @ ..]) = object.placement else {
        return Local::default();
    };
    let axis = Vec3::new(axis_x, axis_y, axis_z).as_dvec3().try_normalize().unwrap_or(DVec3::Y);
    Local::Trs(Trs {
        translation: Vec3::new(x, y, z),
        rotation: DQuat::from_axis_angle(axis, f64::from(angle)).as_quat(),
        scale: Vec3::from_array(scale),
    })
}

fn part(object: Object, floats: usize) -> Part {
    let vertices = || object.vertices.chunks_exact(floats);
    let uv = |vertex: &[f32]| Vec2::new(vertex[3], 1.0 - vertex[4]);
    let mut part = Part {
        positions: vertices().map(|vertex| Vec3::from_slice(vertex)).collect(),
        // V points up in the file and down in a scene.
        uvs: vec![vertices().map(uv).collect()],
        ..Part::default()
    };
    if floats == 8 {
        part.normals = vertices().map(|vertex| Vec3::from_slice(&vertex[5..])).collect();
    }
    part.faces = Faces::Triangles(object.indices);
    part
}
