//! Empties and cameras, which later versions have.

use super::super::codes;
use super::super::document::{Camera, Empty};
use super::super::space;
use super::{Import, extras, out_of_range};
use crate::report::Place;
use crate::scene::{self, CameraId, Extras, Local, Node, Projection, Trs, Y_UP, y_up};
use glam::{DMat3, DMat4, DQuat, DVec3};
use serde_json::json;

/// Default field of view, in radians.
const USUAL_ANGLE: f32 = 0.872_664_6;

impl Import<'_> {
    /// Makes a node below the joint of its bone. Before version 21 an empty's matrix is relative to the bone's tail.
    pub(super) fn empty(&mut self, empty: &Empty) {
        let (document, skeleton) = (self.document, &self.skeleton);
        let own = space::from_rows(&empty.matrix);
        let bone = skeleton.bones.get(&empty.bone).copied().filter(|_| !skeleton.globals.is_empty());
        let matrix = match bone {
            None => space::turned(&own),
            Some(bone) if document.version.short_bones() => {
                let above = space::invert(&skeleton.globals[bone]).unwrap_or(DMat4::IDENTITY);
                above * Y_UP * skeleton.matrix * own
            }
            Some(bone) => {
                let tail = DVec3::new(0.0, f64::from(skeleton.lengths[bone]), 0.0);
                DMat4::from_translation(tail) * own
            }
        };
        let local = Local::from_matrix(&matrix);
        if !local.to_matrix().is_finite() {
            return out_of_range("the position of an empty", self.report);
        }
        self.scene.add_node(Node {
            name: document.text(&empty.name),
            parent: bone.map(|bone| skeleton.nodes[bone]),
            local,
            extras: extras(json!({
                "empty": document.text(&empty.kind),
                "size": empty.size.to_array(),
                "scale": empty.scale,
            })),
            ..Node::default()
        });
    }

    /// Makes a camera, which looks along its node's −Z, with +Y up.
    pub(super) fn camera(&mut self, camera: &Camera) {
        let [position, target, up] = [camera.position, camera.target, camera.up].map(|v| y_up(v).as_dvec3());
        let back = (position - target).try_normalize().unwrap_or(DVec3::Z);
        let right = up.cross(back).try_normalize().unwrap_or_else(|| back.any_orthonormal_vector());
        let rotation = DQuat::from_mat3(&DMat3::from_cols(right, back.cross(right), back)).normalize();
        let lens = scene::Camera {
            name: String::new(),
            projection: Projection::Perspective { fov_y: USUAL_ANGLE, aspect: None },
            near: 0.1,
            far: None,
            extras: Extras::new(),
        };
        let camera = Some(CameraId::push(&mut self.scene.cameras, lens));
        let (translation, rotation) = (position.as_vec3(), rotation.as_quat());
        let local = Trs { translation, rotation, ..Trs::IDENTITY }.into();
        self.scene.add_node(Node { name: "camera".to_owned(), local, camera, ..Node::default() });
        let message = "the file does not store the camera's field of view; 50 degrees are used";
        self.report.note(&codes::LENS, Place::field("camera"), message);
    }
}
