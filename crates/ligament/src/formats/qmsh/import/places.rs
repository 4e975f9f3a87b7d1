//! Points and the camera.

use super::skeleton::Rig;
use super::{Import, own_extras};
use crate::formats::qmsh::codes;
use crate::formats::qmsh::document::{Document, Point, text};
use crate::formats::qmsh::space::{affine, from_rows, mirrored};
use crate::formats::qmsh::{CAMERA_FAR, CAMERA_FOV, CAMERA_NEAR};
use crate::pose::Pose;
use crate::report::Loss;
use crate::scene::{Camera, CameraId, Extras, Local, Node, Projection};
use glam::{DMat3, DMat4, DVec3};
use serde_json::json;

impl Import<'_> {
    /// Adds the points. They follow their bones as vertices would, so their positions are relative to the rest pose.
    pub(super) fn points(&mut self, document: &Document, rig: &Rig) {
        if document.points.is_empty() {
            return;
        }
        let pose = Pose::rest(&self.scene);
        for (i, point) in document.points.iter().enumerate() {
            let joint = document.bone_of(point).and_then(|bone| rig.joints.get(bone)).copied();
            let above = joint.map_or(DMat4::IDENTITY, |joint| pose.globals[joint.index()]);
            let matrix = above.inverse() * from_rows(&affine(&point.matrix));
            let local = Local::from_matrix(&matrix);
            if !matrix.to_cols_array().iter().all(|v| (*v as f32).is_finite()) {
                let message = format!("point {} cannot be placed on its bone", point.name);
                self.error(&codes::NOT_INVERTIBLE, format!("points[{i}]"), message);
                continue;
            }
            let (name, extras) = (text(&point.name), point_extras(document, point));
            self.scene.add_node(Node { name, parent: joint, local, extras, ..Node::default() });
        }
        let message = "points became nodes, with their type, size and angles in extras";
        self.report.loss(Loss::kept(&codes::POINTS, "", document.points.len(), message));
    }

    pub(super) fn camera(&mut self, document: &Document) {
        let camera = document.camera;
        let [position, target] = [camera.position, camera.target].map(|p| mirrored(p).as_dvec3());
        let up = if document.version.since(15) { mirrored(camera.up).as_dvec3() } else { DVec3::Y };
        let back = position - target;
        // A camera without a direction is treated as absent.
        let Some(axes) = looking(back, up).filter(|_| position.as_vec3().is_finite()) else { return };
        let mut matrix = DMat4::from_mat3(axes);
        matrix.w_axis = position.extend(1.0);
        let camera = Camera {
            name: "camera".into(),
            projection: Projection::Perspective { fov_y: CAMERA_FOV, aspect: Some(1.0) },
            near: CAMERA_NEAR,
            far: Some(CAMERA_FAR),
            extras: Extras::new(),
        };
        let camera = Some(CameraId::push(&mut self.scene.cameras, camera));
        self.scene.add_node(Node {
            name: "camera".into(),
            local: Local::from_matrix(&matrix),
            camera,
            extras: own_extras(json!({ "distance": back.length() as f32 })),
            ..Node::default()
        });
    }
}

/// The axes of a camera that looks along its -Z.
fn looking(back: DVec3, up: DVec3) -> Option<DMat3> {
    let z = back.try_normalize()?;
    let x = up.cross(z).try_normalize()?;
    Some(DMat3::from_cols(x, z.cross(x), z))
}

/// The extras of a point. Before version 21 the second angle was negated; before 22 sizes may be negative by mistake.
fn point_extras(document: &Document, point: &Point) -> Extras {
    let [x, y, z] = point.rotation;
    let rotation = if document.version.since(21) { [x, y, z] } else { [x, -y, z] };
    let size = if document.version.since(22) { point.size } else { point.size.map(f32::abs) };
    own_extras(json!({ "point": { "type": point.kind, "size": size, "rotation": rotation } }))
}
