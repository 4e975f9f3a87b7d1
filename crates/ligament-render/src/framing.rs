//! Framing: the extent of a model over its poses, and a camera that fits it.

use crate::camera::{Camera, Lens, own_slope};
use crate::{Look, Side, Space};
use ligament::Scene;
use ligament::math::{DMat3, DVec3, Vec3};
use ligament::pose::{Bounds, Deformer, Pose};
use ligament::scene::{Clip, NodeId};

/// Maximum number of poses considered to frame a clip, and of vertices in all of them: large models get fewer poses. Keys
/// are thinned evenly.
const MOST_POSES: usize = 96;
const MOST_VERTICES: usize = 100_000_000;
/// The margin on each side, as a fraction of the picture.
const MARGIN: f64 = 0.05;

/// The extent of everything drawn over one or more poses: its box, and its reach along given directions.
struct Extent {
    directions: Vec<DVec3>,
    reach: Vec<f64>,
    bounds: Option<Bounds>,
    /// The box of each pose, for turntables: the largest distance from the vertical axis is known only once the whole box
    /// is.
    boxes: Vec<Bounds>,
    skipped: usize,
}

impl Extent {
    /// An empty extent that measures reaches along `directions`.
    fn new(directions: Vec<DVec3>) -> Self {
        let reach = vec![f64::NEG_INFINITY; directions.len()];
        Self { directions, reach, bounds: None, boxes: Vec::new(), skipped: 0 }
    }

    fn add_points(&mut self, points: impl Iterator<Item = Vec3>) {
        let mut own: Option<Bounds> = None;
        for point in points {
            if !point.is_finite() {
                self.skipped += 1;
                continue;
            }
            let single = Bounds { min: point, max: point };
            own = Some(own.map_or(single, |b| b.union(single)));
            let exact = point.as_dvec3();
            for (direction, reach) in self.directions.iter().zip(&mut self.reach) {
                *reach = reach.max(direction.dot(exact));
            }
        }
        if let Some(own) = own {
            self.bounds = Some(self.bounds.map_or(own, |b| b.union(own)));
            self.boxes.push(own);
        }
    }

    /// Adds everything that a pose draws: vertices, and joints if requested or if there is nothing else.
    fn add_pose(&mut self, scene: &Scene, pose: &Pose, seen: Seen, memory: &mut Memory) {
        let before = self.boxes.len();
        for node in scene.node_ids() {
            memory.deformer.deform(scene, pose, node, &mut memory.parts);
            for part in &memory.parts {
                self.add_points(part.positions.iter().copied());
            }
        }
        if seen.joints || self.boxes.len() == before {
            let places = crate::overlays::skeleton::joints(scene).into_iter();
            self.add_points(places.filter_map(|joint| {
                pose.globals.get(joint.index()).map(|global| global.w_axis.truncate().as_vec3())
            }));
        }
        if seen.boxes
            && let Some(own) = self.boxes[before..].iter().copied().reduce(Bounds::union)
        {
            self.add_points(own.corners().into_iter().map(|corner| corner.as_vec3()));
        }
    }
}

/// What else is drawn besides the vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Seen {
    /// Its joints.
    pub joints: bool,
    /// The box around each pose.
    pub boxes: bool,
    /// All sides in turn, from the same height and distance.
    pub all_around: bool,
}

impl From<&Look> for Seen {
    fn from(look: &Look) -> Self {
        Self { joints: look.skeleton || look.names || look.axes, boxes: look.bounds, all_around: false }
    }
}

struct Memory {
    deformer: Deformer,
    parts: Vec<ligament::pose::PosedPart>,
}

/// The poses that framing considers: those at a clip's keys, or the rest pose without a clip.
pub fn poses_of<'a>(scene: &'a Scene, clip: Option<&'a Clip>) -> Box<dyn Iterator<Item = Pose> + 'a> {
    match clip {
        None => Box::new(std::iter::once_with(|| Pose::rest(scene))),
        Some(clip) => {
            let most = (MOST_VERTICES / scene.vertex_count().max(1)).clamp(6, MOST_POSES);
            Box::new(key_times(clip, most).into_iter().map(|time| Pose::at(scene, clip, time)))
        }
    }
}

/// Key times of a clip and the midpoints between them, thinned to a bounded number.
fn key_times(clip: &Clip, most: usize) -> Vec<f32> {
    let mut lists: Vec<_> = clip.tracks.iter().map(|track| &track.times).collect();
    lists.sort_by_key(|list| list.as_ptr());
    lists.dedup_by_key(|list| (list.as_ptr(), list.len()));
    let mut times: Vec<f32> = lists.into_iter().flat_map(|list| list.iter().copied()).collect();
    times.extend([0.0, clip.duration]);
    times.retain(|time| time.is_finite());
    times.sort_by(f32::total_cmp);
    times.dedup();
    let between: Vec<f32> = times.windows(2).map(|pair| (pair[0] + pair[1]) * 0.5).collect();
    times.extend(between);
    times.sort_by(f32::total_cmp);
    if times.len() > most {
        let last = times.len() - 1;
        times = (0..most).map(|i| times[i * last / (most - 1)]).collect();
    }
    times
}

/// The stage a model stands on: its units, the ground, and a camera that fits it.
#[derive(Debug, Clone)]
pub struct Stage {
    /// The model's units.
    pub space: Space,
    /// The height of the ground, in the scene's coordinates.
    pub ground: f64,
    /// The camera that fits everything.
    pub camera: Camera,
    /// Whether there is anything to see.
    pub is_empty: bool,
    /// Vertices without a finite position after posing.
    pub lost_vertices: usize,
    bounds: Bounds,
}

impl Stage {
    /// Frames a scene over poses from one side, for pictures of an aspect (width by height). `seen` says what
    /// else will be seen.
    pub fn new(
        scene: &Scene,
        poses: impl Iterator<Item = Pose>,
        side: Side,
        aspect: f64,
        seen: Seen,
    ) -> Self {
        Self::around(poses.map(|pose| (scene, pose)), side, aspect, seen)
    }

    /// Frames several scenes, each in a pose, like [`new`](Self::new).
    pub fn around<'a>(
        posed: impl Iterator<Item = (&'a Scene, Pose)>,
        side: Side,
        aspect: f64,
        seen: Seen,
    ) -> Self {
        let axes = side.axes();
        let slope_y = own_slope(aspect) * (1.0 - 2.0 * MARGIN);
        let slope_x = slope_y * aspect;
        let mut extent = Extent::new(planes(&axes, slope_x, slope_y));
        let mut memory = Memory { deformer: Deformer::positions_only(), parts: Vec::new() };
        for (scene, pose) in posed {
            extent.add_pose(scene, &pose, seen, &mut memory);
        }
        if seen.all_around {
            let corners = extent.boxes.clone();
            extent.add_ring(&corners);
        }
        Self::of_extent(&extent, &axes, slope_x, slope_y)
    }

    fn of_extent(extent: &Extent, axes: &DMat3, slope_x: f64, slope_y: f64) -> Self {
        let bounds = extent.bounds.unwrap_or(Bounds { min: Vec3::ZERO, max: Vec3::ZERO });
        let space = Space::of(extent.bounds);
        let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
        let center = (min + max) * 0.5;
        let mut eye = center + axes.z_axis * space.size() * 2.5;
        if extent.bounds.is_some() && min != max {
            let [right, left, top, bottom] = [0, 1, 2, 3].map(|i| extent.reach[i]);
            // Each plane of the view must have everything on its inner side; see `planes`.
            let across = (right - left) * 0.5;
            let up = (top - bottom) * 0.5;
            let back_x = (right + left) * 0.5 / slope_x;
            let back_y = (top + bottom) * 0.5 / slope_y;
            let back = back_x.max(back_y).max(extent.reach[4] + space.size() * 1e-3);
            eye = axes.x_axis * across + axes.y_axis * up + axes.z_axis * back;
        }
        let lens = Lens::Perspective { slope_y: slope_y / (1.0 - 2.0 * MARGIN), aspect: None };
        Self {
            space,
            ground: min.y,
            camera: Camera { eye, axes: *axes, lens, clip: None },
            is_empty: extent.bounds.is_none(),
            lost_vertices: extent.skipped,
            bounds,
        }
    }

    /// The box around everything.
    pub fn bounds(&self) -> Option<Bounds> {
        (!self.is_empty).then_some(self.bounds)
    }

    /// Nearest and farthest distance of anything from a camera, in the model's units and with some room.
    pub(crate) fn depths(&self, camera: &Camera) -> (f64, f64) {
        let distance = |corner: DVec3| self.space.length((camera.eye - corner).dot(camera.axes.z_axis));
        let all = self.bounds.corners().map(distance);
        let near = all.iter().copied().fold(f64::INFINITY, f64::min);
        let far = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // The ground is wider than the model, on both sides of it.
        ((near - 1.5).max(near * 0.1), far * 1.2 + 2.5)
    }

    /// The camera of a node, or the one that fits everything.
    pub fn camera_of(&self, scene: &Scene, pose: &Pose, node: Option<NodeId>) -> Camera {
        node.and_then(|node| Camera::of_node(scene, pose, node)).unwrap_or(self.camera)
    }
}

impl Extent {
    /// Makes room for everything rotated about the vertical axis through the centre.
    fn add_ring(&mut self, boxes: &[Bounds]) {
        let Some(bounds) = self.bounds else { return };
        let center = (bounds.min.as_dvec3() + bounds.max.as_dvec3()) * 0.5;
        let corners = boxes.iter().flat_map(|b| b.corners());
        let radius = corners.map(|c| (c.x - center.x).hypot(c.z - center.z)).fold(0.0, f64::max);
        let ring = (0..64).flat_map(|i| {
            let (sin, cos) = (f64::from(i) / 64.0 * std::f64::consts::TAU).sin_cos();
            [bounds.min.y, bounds.max.y]
                .map(|y| DVec3::new(center.x + radius * cos, f64::from(y), center.z + radius * sin).as_vec3())
        });
        let ring: Vec<Vec3> = ring.collect();
        self.add_points(ring.into_iter());
        self.bounds = Some(bounds);
    }
}

/// Directions whose reaches determine where a camera must be: with `x`, `y` and `z` along the camera's axes, a point is within
/// the view of a camera at `c` if `±(x − cx) ≤ slope_x · (cz − z)` and the same for `y`; so `cz · slope_x + cx` must be at
/// least the greatest `x + slope_x · z`, and so on.
fn planes(axes: &DMat3, slope_x: f64, slope_y: f64) -> Vec<DVec3> {
    let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis];
    vec![x + z * slope_x, -x + z * slope_x, y + z * slope_y, -y + z * slope_y, z]
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament::scene::{Interpolation, Local, Mesh, MeshId, Node, Part, Track, Trs, Values};

    fn scene(points: Vec<Vec3>) -> Scene {
        let mut scene = Scene::default();
        let part = Part { positions: points, ..Part::default() };
        scene.meshes.push(Mesh { parts: vec![part], ..Mesh::default() });
        scene.add_node(Node { mesh: Some(MeshId(0)), local: Local::Trs(Trs::IDENTITY), ..Node::default() });
        scene
    }

    fn pixels(stage: &Stage, camera: &Camera, aspect: f64, points: &[Vec3]) -> Vec<[f32; 2]> {
        let view = camera.view(&stage.space, aspect, stage.depths(camera));
        let size = [aspect as f32 * 100.0, 100.0];
        points
            .iter()
            .map(|p| view.pixel(stage.space.place(p.as_dvec3()), size).expect("before the camera"))
            .collect()
    }

    #[test]
    fn everything_is_in_the_picture_and_touches_its_margin() {
        let shapes = [
            vec![Vec3::new(-1.0, 0.0, -3.0), Vec3::new(2.0, 5.0, 0.5), Vec3::new(0.0, 1.0, 4.0)],
            vec![Vec3::new(1e6, 0.0, 0.0), Vec3::new(-1e6, 3e5, 1e5), Vec3::new(0.0, -1e6, 2e6)],
            vec![Vec3::ZERO, Vec3::new(1e-6, 2e-6, 0.0), Vec3::new(0.0, 5e-7, 1e-6)],
        ];
        for points in shapes {
            let scene = scene(points.clone());
            for side in [Side::Front, Side::Side, Side::Back, Side::Top, Side::ThreeQuarter] {
                for aspect in [0.5, 1.0, 2.0] {
                    let stage = Stage::new(&scene, poses_of(&scene, None), side, aspect, Seen::default());
                    let seen = pixels(&stage, &stage.camera, aspect, &points);
                    let (mut least, mut most) = ([f32::MAX; 2], [f32::MIN; 2]);
                    for p in &seen {
                        for i in 0..2 {
                            least[i] = least[i].min(p[i]);
                            most[i] = most[i].max(p[i]);
                        }
                    }
                    let size = [aspect as f32 * 100.0, 100.0];
                    let free = |i: usize| least[i].min(size[i] - most[i]) / size[i];
                    assert!(free(0) > 0.03 && free(1) > 0.03, "{side:?} {aspect} {seen:?}");
                    assert!(free(0).min(free(1)) < 0.06, "{side:?} {aspect} {seen:?}");
                }
            }
        }
    }

    #[test]
    fn a_clip_is_framed_over_all_its_keys() {
        let points = vec![Vec3::ZERO, Vec3::ONE];
        let mut moving = scene(points);
        moving.clips.push(Clip {
            duration: 1.0,
            tracks: vec![Track {
                node: NodeId(0),
                interpolation: Interpolation::Linear,
                times: [0.0, 0.5, 1.0].into(),
                values: Values::Translation(vec![Vec3::ZERO, Vec3::X * 10.0, Vec3::ZERO]),
            }],
            ..Clip::default()
        });
        let clip = &moving.clips[0];
        let stage = Stage::new(&moving, poses_of(&moving, Some(clip)), Side::Front, 1.0, Seen::default());
        for p in pixels(&stage, &stage.camera, 1.0, &[Vec3::ZERO, Vec3::new(11.0, 1.0, 1.0)]) {
            assert!(p.iter().all(|v| (3.0..97.0).contains(v)), "{p:?}");
        }
    }

    #[test]
    fn a_turntable_holds_the_model_at_every_angle() {
        let points = vec![Vec3::new(-2.0, 0.0, 0.0), Vec3::new(1.0, 1.0, 0.2), Vec3::new(0.0, 3.0, -0.5)];
        let scene = scene(points.clone());
        for turn in 0..12 {
            let side = Side::Angles { around: f64::from(turn) * 30.0, above: 20.0 };
            let seen = Seen { all_around: true, ..Seen::default() };
            let stage = Stage::new(&scene, poses_of(&scene, None), side, 1.0, seen);
            for p in pixels(&stage, &stage.camera, 1.0, &points) {
                assert!(p.iter().all(|v| (3.0..97.0).contains(v)), "{turn}: {p:?}");
            }
        }
    }

    #[test]
    fn nothing_and_a_point_have_a_camera_too() {
        for points in
            [vec![], vec![Vec3::splat(5.0)], vec![Vec3::splat(f32::NAN)], vec![Vec3::splat(f32::MAX); 2]]
        {
            let scene = scene(points);
            let stage = Stage::new(&scene, poses_of(&scene, None), Side::ThreeQuarter, 1.0, Seen::default());
            let view = stage.camera.view(&stage.space, 1.0, stage.depths(&stage.camera));
            assert!(view.matrix.is_finite() && view.eye.is_finite());
        }
    }
}
