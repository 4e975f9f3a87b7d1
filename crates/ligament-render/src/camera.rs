//! Cameras.

use crate::Space;
use ligament::Scene;
use ligament::math::{DMat3, DMat4, DVec3, DVec4, Mat4, Vec3, Vec4};
use ligament::pose::Pose;
use ligament::scene::{NodeId, Projection};

/// A camera in the scene's coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Its position.
    pub eye: DVec3,
    /// Unit vectors: right, up, and backwards.
    pub axes: DMat3,
    /// Its lens.
    pub lens: Lens,
    /// Nearest and farthest visible distance; if `None`, they are derived from the model.
    pub clip: Option<(f64, f64)>,
}

/// A camera's lens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lens {
    /// Perspective.
    Perspective {
        /// Half the view's height and width at a distance of one.
        slope_y: f64,
        /// Width divided by height; `None` uses the picture's.
        aspect: Option<f64>,
    },
    /// Orthographic.
    Orthographic {
        /// Half the view's height in scene units.
        half_height: f64,
        /// Width divided by height; `None` uses the picture's.
        aspect: Option<f64>,
    },
}

/// A direction to look from.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Side {
    /// From +Z, the direction that models face.
    Front,
    /// From +X.
    Side,
    /// From −Z.
    Back,
    /// From above.
    Top,
    /// A three-quarter view from slightly above.
    #[default]
    ThreeQuarter,
    /// From given angles.
    Angles {
        /// Degrees around the vertical, from +Z towards +X.
        around: f64,
        /// Degrees above the horizontal.
        above: f64,
    },
}

impl Side {
    /// The angles around and above the model, in degrees.
    pub fn angles(self) -> (f64, f64) {
        match self {
            Side::Front => (0.0, 0.0),
            Side::Side => (90.0, 0.0),
            Side::Back => (180.0, 0.0),
            Side::Top => (0.0, 90.0),
            Side::ThreeQuarter => (35.0, 16.0),
            Side::Angles { around, above } => (around, above),
        }
    }

    /// The camera's axes: right, up, and towards the camera.
    pub fn axes(self) -> DMat3 {
        let (yaw, pitch) = self.angles();
        DMat3::from_rotation_y(yaw.to_radians()) * DMat3::from_rotation_x(-pitch.to_radians())
    }
}

/// Half the height (of upright pictures: the width) of our own views at a distance of one: 28 degrees in all.
const SLOPE: f64 = 0.249_328;

/// Half the height of our own views at a distance of one, for pictures of an aspect (width by height).
pub fn own_slope(aspect: f64) -> f64 {
    if aspect < 1.0 { SLOPE / aspect } else { SLOPE }
}

impl Camera {
    /// A camera that looks at `target` from a side and a distance, for pictures of an aspect (width by height).
    pub fn around(target: DVec3, side: Side, distance: f64, aspect: f64) -> Self {
        let axes = side.axes();
        let lens = Lens::Perspective { slope_y: own_slope(aspect), aspect: None };
        Self { eye: target + axes.z_axis * distance, axes, lens, clip: None }
    }

    /// The camera that a node of the scene carries, in a pose.
    pub fn of_node(scene: &Scene, pose: &Pose, node: NodeId) -> Option<Self> {
        let camera = scene.cameras.get(scene.nodes.get(node.index())?.camera?.index())?;
        let global = pose.globals.get(node.index())?;
        // A camera's axes stay orthogonal, whatever its node's transform.
        let back = global.z_axis.truncate().try_normalize().unwrap_or(DVec3::Z);
        let up = global.y_axis.truncate();
        let right = up.cross(back).try_normalize().unwrap_or_else(|| back.any_orthonormal_vector());
        let axes = DMat3::from_cols(right, back.cross(right), back);
        let eye = global.w_axis.truncate();
        let positive = |v: f32, or: f64| if v.is_finite() && v > 0.0 { f64::from(v) } else { or };
        let lens = match camera.projection {
            Projection::Perspective { fov_y, aspect } => Lens::Perspective {
                slope_y: (positive(fov_y, 0.8).clamp(1e-3, 3.0) * 0.5).tan(),
                aspect: aspect.map(|a| positive(a, 1.0)),
            },
            Projection::Orthographic { half_width, half_height } => {
                let (w, h) = (positive(half_width, 1.0), positive(half_height, 1.0));
                Lens::Orthographic { half_height: h, aspect: Some(w / h) }
            }
        };
        let near = positive(camera.near, 0.0);
        let far = camera.far.map_or(f64::INFINITY, |far| positive(far, f64::INFINITY));
        (eye.is_finite() && axes.is_finite()).then_some(Self {
            eye,
            axes,
            lens,
            clip: (far > near).then_some((near, far)),
        })
    }

    /// The shader's view of the camera.
    pub(crate) fn view(&self, space: &Space, aspect: f64, reach: (f64, f64)) -> View {
        let eye = space.place(self.eye);
        let axes = self.axes;
        let rows = [axes.x_axis, axes.y_axis, axes.z_axis].map(|axis| axis.as_vec3());
        let turn = |row: Vec3| row.extend(-row.dot(eye));
        let view = Mat4::from_cols(turn(rows[0]), turn(rows[1]), turn(rows[2]), Vec4::W).transpose();
        let (near, far) = self.depths(space, reach);
        let shown = |own: Option<f64>| own.unwrap_or(aspect);
        // If the aspects differ, the picture shows everything that the camera sees.
        let fit =
            |own: Option<f64>, half: f64| if shown(own) > aspect { half * shown(own) / aspect } else { half };
        let projection = match self.lens {
            Lens::Perspective { slope_y, aspect: own } => {
                let slope = fit(own, slope_y).clamp(1e-6, 1e6);
                perspective(slope, aspect, near, far)
            }
            Lens::Orthographic { half_height, aspect: own } => {
                let h = space.length(fit(own, half_height)).clamp(1e-9, 1e9);
                orthographic(h, aspect, near, far)
            }
        };
        View {
            matrix: projection * view,
            eye,
            axes: axes.as_mat3(),
            perspective: matches!(self.lens, Lens::Perspective { .. }),
            nearness: match self.lens {
                Lens::Perspective { .. } => near * far / (far - near),
                Lens::Orthographic { .. } => 1.0 / (far - near),
            } as f32,
        }
    }

    /// Nearest and farthest distance in the model's units.
    fn depths(&self, space: &Space, reach: (f64, f64)) -> (f64, f64) {
        let (mut near, mut far) = reach;
        if let Some((least, most)) = self.clip {
            near = near.max(space.length(least));
            far = far.min(space.length(most));
        }
        let far = if far.is_finite() && far > 1e-6 { far.min(1e9) } else { 1.0 };
        let near = match self.lens {
            Lens::Perspective { .. } => near.clamp(far * 1e-5, far * 0.99),
            Lens::Orthographic { .. } => near.min(far - 1e-6),
        };
        (near, far)
    }
}

/// A perspective projection along −Z, with depths from 0 (near) to 1 (far).
fn perspective(slope_y: f64, aspect: f64, near: f64, far: f64) -> Mat4 {
    let depth = far / (near - far);
    DMat4::from_cols(
        DVec4::X / (slope_y * aspect),
        DVec4::Y / slope_y,
        DVec4::new(0.0, 0.0, depth, -1.0),
        DVec4::Z * depth * near,
    )
    .as_mat4()
}

fn orthographic(half_height: f64, aspect: f64, near: f64, far: f64) -> Mat4 {
    let depth = 1.0 / (near - far);
    DMat4::from_cols(
        DVec4::X / (half_height * aspect),
        DVec4::Y / half_height,
        DVec4::Z * depth,
        DVec4::new(0.0, 0.0, near * depth, 1.0),
    )
    .as_mat4()
}

/// A camera as the shaders see it, in the model's units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    pub(crate) matrix: Mat4,
    pub(crate) eye: Vec3,
    pub(crate) axes: ligament::math::Mat3,
    pub(crate) perspective: bool,
    /// How much a step towards the camera changes the depth, at a distance of one.
    pub(crate) nearness: f32,
}

impl View {
    /// Projects a point to pixels from the top left; `None` behind the camera.
    pub(crate) fn pixel(&self, place: Vec3, size: [f32; 2]) -> Option<[f32; 2]> {
        let clip = self.matrix * place.extend(1.0);
        let in_front = clip.w > 1e-6 && clip.z >= 0.0 && clip.is_finite();
        in_front.then(|| [(clip.x / clip.w + 1.0) * 0.5 * size[0], (1.0 - clip.y / clip.w) * 0.5 * size[1]])
    }

    /// The point at a pixel that is as deep in the picture as another point.
    pub(crate) fn beside(&self, place: Vec3, pixel: [f32; 2], size: [f32; 2]) -> Vec3 {
        let clip = self.matrix * place.extend(1.0);
        let x = f64::from(pixel[0] / size[0]) * 2.0 - 1.0;
        let y = 1.0 - f64::from(pixel[1] / size[1]) * 2.0;
        let inverse = self.matrix.as_dmat4().inverse();
        inverse.project_point3(DVec3::new(x, y, f64::from(clip.z) / f64::from(clip.w))).as_vec3()
    }

    /// A point's distance from the camera along the line of sight.
    pub(crate) fn depth(&self, place: Vec3) -> f32 {
        -self.axes.z_axis.dot(place - self.eye)
    }
}
