//! Cameras and lights, which models carry.

use super::codes;
use super::file::File;
use super::models::{Attribute, Models};
use super::properties::with_extras;
use super::tree::{Record, choice, color, double, flag, number};
use crate::report::{Loss, Report};
use crate::scene::{Camera, Light, LightKind, Projection, Scene};

/// The height of a film that is 1 inch high, in millimetres.
const INCH: f64 = 25.4;
/// The width over height of a camera that states none.
const USUAL_ASPECT: f64 = 16.0 / 9.0;
/// An orthographic camera with zoom 1 is as many units high.
const ORTHO_UNIT: f64 = 30.0;

/// Writes the cameras and lights of all models.
pub(super) fn placed(scene: &Scene, models: &Models, length: f64, file: &mut File, report: &mut Report) {
    for model in &models.list {
        let id = file.id();
        let object = match model.attribute {
            Attribute::Camera(camera) => {
                let camera = &scene.cameras[camera.index()];
                let object = Record::object("NodeAttribute", id, &*camera.name, "NodeAttribute", "Camera");
                let object = object.properties(with_extras(
                    camera_rows(camera, length, report),
                    &camera.extras,
                    report,
                ));
                object.with("TypeFlags", "Camera").with("GeometryVersion", 124)
            }
            Attribute::Light(light) => {
                let light = &scene.lights[light.index()];
                let object = Record::object("NodeAttribute", id, &*light.name, "NodeAttribute", "Light");
                let object = object.properties(with_extras(light_rows(light, length), &light.extras, report));
                object.with("TypeFlags", "Light").with("GeometryVersion", 124)
            }
            _ => continue,
        };
        file.add(object);
        file.connect(id, model.id);
    }
}

fn camera_rows(camera: &Camera, length: f64, report: &mut Report) -> Vec<Record> {
    let mut usual_aspect = || {
        let message = "cameras that take the window's aspect get 16:9";
        report.loss(Loss::approximated(&codes::ASPECT, "", 1, None, "", message));
        USUAL_ASPECT
    };
    let mut rows = match camera.projection {
        Projection::Perspective { fov_y, aspect } => {
            let aspect = aspect.map_or_else(&mut usual_aspect, f64::from);
            let fov_y = f64::from(fov_y);
            let half = (fov_y / 2.0).tan();
            vec![
                choice("CameraProjectionType", 0),
                // The field of view is the vertical one.
                choice("ApertureMode", 2),
                number("FieldOfView", fov_y.to_degrees()),
                number("FieldOfViewX", 2.0 * (half * aspect).atan().to_degrees()),
                number("FieldOfViewY", fov_y.to_degrees()),
                number("FocalLength", if half > 0.0 { INCH / 2.0 / half } else { INCH }),
                double("AspectWidth", aspect),
            ]
        }
        Projection::Orthographic { half_width, half_height } => {
            let (width, height) = (f64::from(half_width), f64::from(half_height));
            let aspect = if width > 0.0 && height > 0.0 { width / height } else { 1.0 };
            vec![
                choice("CameraProjectionType", 1),
                double("OrthoZoom", 2.0 * height * length / ORTHO_UNIT),
                double("AspectWidth", aspect),
            ]
        }
    };
    let aspect = match camera.projection {
        Projection::Perspective { aspect, .. } => aspect.map_or(USUAL_ASPECT, f64::from),
        Projection::Orthographic { half_width, half_height } => {
            f64::from(half_width) / f64::from(half_height)
        }
    };
    let aspect = if aspect.is_finite() && aspect > 0.0 { aspect } else { 1.0 };
    rows.extend([
        double("AspectHeight", 1.0),
        choice("AspectRatioMode", 1),
        choice("GateFit", 1),
        double("FilmWidth", aspect),
        double("FilmHeight", 1.0),
        double("FilmAspectRatio", aspect),
        double("NearPlane", f64::from(camera.near) * length),
    ]);
    rows.extend(camera.far.map(|far| double("FarPlane", f64::from(far) * length)));
    rows
}

fn light_rows(light: &Light, length: f64) -> Vec<Record> {
    let mut rows = vec![
        choice(
            "LightType",
            match light.kind {
                LightKind::Point => 0,
                LightKind::Directional => 1,
                LightKind::Spot { .. } => 2,
            },
        ),
        flag("CastLight", true),
        color("Color", light.color),
        // In percent.
        number("Intensity", f64::from(light.intensity) * 100.0),
        // With the square of the distance.
        choice("DecayType", if light.kind == LightKind::Directional { 0 } else { 2 }),
    ];
    if let LightKind::Spot { inner_angle, outer_angle } = light.kind {
        let whole = |half: f32| f64::from(half).to_degrees() * 2.0;
        rows.extend([number("InnerAngle", whole(inner_angle)), number("OuterAngle", whole(outer_angle))]);
    }
    if let Some(range) = light.range {
        let end = double("FarAttenuationEnd", f64::from(range) * length);
        rows.extend([flag("EnableFarAttenuation", true), end]);
    }
    rows
}
