//! The lights of a picture: the file's own, or a studio.

use crate::camera::View;
use crate::{NoteKind, Notes, Space};
use bytemuck::{Pod, Zeroable};
use ligament::Scene;
use ligament::math::{DVec3, Mat3, Vec3};
use ligament::pose::Pose;
use ligament::scene::{Light, LightKind};

/// The most lights per picture.
pub(crate) const MOST: usize = 16;

/// The source of light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lighting {
    /// The file's own lights if it has any, otherwise the studio.
    #[default]
    Auto,
    /// A key, a fill and a rim light that follow the camera, and a bright sky.
    Studio,
}

/// A light as the shaders see it; `frame.wgsl` documents the fields.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Source {
    place: [f32; 4],
    direction: [f32; 4],
    color: [f32; 4],
    cone: [f32; 4],
}

/// All light of a picture.
#[derive(Debug, Clone)]
pub(crate) struct Lights {
    pub(crate) sources: Vec<Source>,
    /// From above.
    pub(crate) sky: Vec3,
    /// From below.
    pub(crate) earth: Vec3,
    /// How bright the studio's lamps are in what surfaces mirror.
    pub(crate) lamps: f32,
}

/// With a file's own lights: the studio's sky, and its lamps in reflections, as parts of what they are without.
const OWN_SKY: f32 = 1.0;
const OWN_LAMPS: f32 = 0.4;

/// The brightness of a white surface that faces all lights together: bright but not overexposed.
const EXPOSURE: f64 = 2.9;

impl Lights {
    pub(crate) fn of(
        scene: &Scene,
        pose: &Pose,
        space: &Space,
        view: &View,
        choice: Lighting,
        notes: &mut Notes,
    ) -> Self {
        let own = match choice {
            Lighting::Auto => placed(scene, pose, space, notes),
            Lighting::Studio => Vec::new(),
        };
        let ambient = scene.ambient.filter(|_| choice == Lighting::Auto);
        let ambient = ambient.map(|[r, g, b, _]| clean(Vec3::new(r, g, b), 4.0));
        if own.is_empty() {
            let mut studio = studio(&view.axes);
            if let Some(ambient) = ambient.filter(|a| a.max_element() > 0.0) {
                // The file's tint, as bright as the studio's light.
                let tint = ambient / ambient.max_element();
                (studio.sky, studio.earth) = (studio.sky * tint, studio.earth * tint);
            }
            return studio;
        }
        // Files state the light from all around seldom, and without it what no lamp reaches would be black.
        let studio = studio(&view.axes);
        match ambient {
            Some(ambient) => Self { sources: own, sky: ambient, earth: ambient * 0.8, lamps: OWN_LAMPS },
            None => Self {
                sources: own,
                sky: studio.sky * OWN_SKY,
                earth: studio.earth * OWN_SKY,
                lamps: OWN_LAMPS,
            },
        }
    }
}

fn clean(color: Vec3, most: f32) -> Vec3 {
    if color.is_finite() { color.clamp(Vec3::ZERO, Vec3::splat(most)) } else { Vec3::ONE }
}

fn directional(direction: Vec3, color: Vec3) -> Source {
    Source {
        place: [0.0; 4],
        direction: direction.normalize_or(Vec3::NEG_Y).extend(0.0).to_array(),
        color: color.extend(0.0).to_array(),
        cone: [0.0; 4],
    }
}

/// Key from the upper left, fill from the right, rim from behind, all of them as seen from the camera.
fn studio(axes: &Mat3) -> Lights {
    let from = |x: f32, y: f32, z: f32, color: Vec3| directional(-(*axes * Vec3::new(x, y, z)), color);
    Lights {
        sources: vec![
            from(-0.55, 0.75, 0.8, Vec3::new(2.35, 2.25, 2.1)),
            from(0.9, 0.15, 0.55, Vec3::new(0.5, 0.55, 0.65)),
            from(0.35, 0.6, -0.9, Vec3::new(1.2, 1.2, 1.25)),
        ],
        sky: Vec3::new(0.42, 0.44, 0.48),
        earth: Vec3::new(0.17, 0.16, 0.15),
        lamps: 1.0,
    }
}

/// The lights that nodes carry, scaled so that together they are as bright as the studio: files state candelas, lux or no
/// unit at all, and a picture has one exposure.
fn placed(scene: &Scene, pose: &Pose, space: &Space, notes: &mut Notes) -> Vec<Source> {
    let mut all: Vec<(f64, Source)> = Vec::new();
    for (node, global) in scene.nodes.iter().zip(&pose.globals) {
        let Some(light) = node.light.and_then(|light| scene.lights.get(light.index())) else { continue };
        let place = global.w_axis.truncate();
        let to = (-global.z_axis.truncate()).try_normalize().unwrap_or(DVec3::NEG_Y);
        all.extend(source(light, place, to, space));
    }
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    if all.len() > MOST {
        notes.add(NoteKind::Model, format!("only the {MOST} brightest of {} lights are used", all.len()));
        all.truncate(MOST);
    }
    let total: f64 = all.iter().map(|(bright, _)| bright).sum();
    if total <= 0.0 {
        return Vec::new();
    }
    let exposure = EXPOSURE / total;
    let scaled = |(_, mut source): (f64, Source)| {
        for value in &mut source.color[..3] {
            *value = ((f64::from(*value) * exposure) as f32).min(1e6);
        }
        source
    };
    all.into_iter().map(scaled).collect()
}

/// A light, and how brightly it shines on the model's centre.
fn source(light: &Light, place: DVec3, to: DVec3, space: &Space) -> Option<(f64, Source)> {
    let color = clean(Vec3::from_array(light.color), 1e6);
    let intensity = if light.intensity.is_finite() { f64::from(light.intensity.max(0.0)) } else { 0.0 };
    let strength = intensity * f64::from(color.max_element());
    if strength <= 0.0 || !place.is_finite() {
        return None;
    }
    let kind = match light.kind {
        LightKind::Directional => 0.0,
        LightKind::Point => 1.0,
        LightKind::Spot { .. } => 2.0,
    };
    let (inner, outer) = match light.kind {
        LightKind::Spot { inner_angle, outer_angle } => (inner_angle, outer_angle),
        _ => (0.0, 0.0),
    };
    let cosine = |angle: f32| if angle.is_finite() { angle.clamp(0.0, 3.2).cos() } else { 1.0 };
    let own_place = space.place(place);
    // Intensity over the square of a distance in the model's units.
    let (bright, scaled) = if kind == 0.0 {
        (strength, intensity)
    } else {
        let own = intensity / (space.size() * space.size());
        let squared = f64::from(own_place.length_squared()).max(0.01);
        (own * f64::from(color.max_element()) / squared, own)
    };
    let range = light.range.filter(|r| r.is_finite() && *r > 0.0).map_or(0.0, |r| space.length(f64::from(r)));
    // Kept in f64 until the total brightness is known, since f32 could overflow.
    let level = bright.clamp(1e-300, 1e300);
    let color = color.as_dvec3() * (scaled / level);
    let finite = (color * level).as_vec3();
    (level.is_finite() && finite.is_finite()).then(|| {
        let source = Source {
            place: own_place.extend(kind).to_array(),
            direction: to.as_vec3().extend((range as f32).min(1e6)).to_array(),
            color: finite.extend(cosine(outer)).to_array(),
            cone: [cosine(inner), 0.0, 0.0, 0.0],
        };
        (level, source)
    })
}
