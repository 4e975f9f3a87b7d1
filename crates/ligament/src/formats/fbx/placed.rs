//! Lights and cameras, which are attached to nodes.

use super::codes;
use super::import::{Import, user_properties};
use crate::report::Loss;
use crate::scene::{Camera, Light, LightKind, Projection};
use std::f32::consts::{FRAC_PI_2, PI};

/// Creates all lights and cameras; their indices are the file's.
pub(super) fn import(import: &mut Import<'_, '_, '_>) {
    let fbx = import.fbx;
    for source in fbx.lights.as_ref() {
        let light = light(import, source);
        import.scene.lights.push(light);
    }
    let message =
        "FBX lights have a brightness without a unit; it is read as candela, or lux for directional lights";
    let loss = Loss::approximated(&codes::LIGHTS, "", fbx.lights.len(), None, "units", message);
    import.report.loss(loss);
    for source in fbx.cameras.as_ref() {
        let camera = camera(import, source);
        import.scene.cameras.push(camera);
    }
}

fn light(import: &mut Import<'_, '_, '_>, source: &ufbx::Light) -> Light {
    let name = source.element.name.to_string();
    let other = |import: &mut Import<'_, '_, '_>, message: &str| {
        let object = format!("light {name:?}");
        import.report.loss(Loss::approximated(&codes::LIGHTS, object, 1, None, "units", message));
    };
    // The file has the full cone angle, in degrees.
    let half = |import: &mut Import<'_, '_, '_>, degrees: f64| {
        (import.finite.real(degrees).to_radians() / 2.0).clamp(0.0, FRAC_PI_2)
    };
    let kind = match source.type_ {
        ufbx::LightType::Directional => LightKind::Directional,
        ufbx::LightType::Spot => {
            let outer_angle = half(import, source.outer_angle);
            LightKind::Spot { inner_angle: half(import, source.inner_angle).min(outer_angle), outer_angle }
        }
        ufbx::LightType::Point => LightKind::Point,
        kind @ (ufbx::LightType::Area | ufbx::LightType::Volume) => {
            let what = if kind == ufbx::LightType::Area { "an area" } else { "a volume" };
            other(import, &format!("{what} light became a point light"));
            LightKind::Point
        }
    };
    if kind != LightKind::Directional && source.decay != ufbx::LightDecay::Quadratic {
        other(import, "a light with another decay now fades with the square of the distance");
    }
    let intensity = if source.cast_light { import.finite.real(source.intensity) } else { 0.0 };
    let color = import.finite.vec3(source.color).to_array();
    let range = range(import, source);
    Light { kind, color, intensity, range, extras: user_properties(&source.element.props), name }
}

/// The distance at which the light ends, if the file states one.
fn range(import: &mut Import<'_, '_, '_>, source: &ufbx::Light) -> Option<f32> {
    let props = &source.element.props;
    let ends = props.find_prop("EnableFarAttenuation").is_some_and(|p| p.value_int != 0);
    let end = props.find_prop("FarAttenuationEnd").filter(|_| ends)?.value_vec4.x;
    let scale = import.length_scale * import.fbx.metadata.geometry_scale;
    Some(import.finite.real(end * scale)).filter(|&range| range > 0.0)
}

fn camera(import: &mut Import<'_, '_, '_>, source: &ufbx::Camera) -> Camera {
    let scale = import.length_scale;
    let finite = &mut import.finite;
    let projection = match source.projection_mode {
        ufbx::ProjectionMode::Perspective => {
            let fov_y = finite.real(source.field_of_view_deg.y).to_radians();
            let aspect = Some(finite.real(source.aspect_ratio)).filter(|&aspect| aspect > 0.0);
            // A field of view of zero or half a turn shows nothing; a usual one is better.
            let fov_y = if fov_y > 0.0 && fov_y < PI { fov_y } else { 0.7 };
            Projection::Perspective { fov_y, aspect }
        }
        ufbx::ProjectionMode::Orthographic => {
            let half = |finite: &mut super::numbers::Finite, size: f64| finite.real(size * scale / 2.0);
            Projection::Orthographic {
                half_width: half(finite, source.orthographic_size.x),
                half_height: half(finite, source.orthographic_size.y),
            }
        }
    };
    let far = finite.real(source.far_plane * scale);
    let near = finite.real(source.near_plane * scale);
    Camera {
        name: source.element.name.to_string(),
        projection,
        near,
        far: (far > near).then_some(far),
        extras: user_properties(&source.element.props),
    }
}
