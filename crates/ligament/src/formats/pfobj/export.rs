//! Scene to document.
//!
//! The scene has been brought within the format's [capabilities](super::Pfobj): one mesh in model space, one skeleton
//! whose rest pose is its bind pose, clips on a grid of frames. Shared vertices stay shared; the writer repeats them.
//!
//! Boxes are computed from the posed vertices. Those that a file stated travel in `extras` under `pfobj` (`bounds`: least
//! and greatest x, y, z of the model, or of each frame of a clip) and are written as they were if they still fit.

use super::codes;
use super::document::{
    Bounds, Clip, Dialect, Document, Joint, Layout, Material, Transform, Transforms, Vertices,
};
use super::import::{flip_v, nearest_trs};
use super::{WHITE_TEXTURE, rotation};
use crate::formats::EulerOrder;
use crate::pose::{self, Pose};
use crate::report::{Failure, Loss, Place, Report, counted};
use crate::scene::{
    self, Extras, Faces, Frames, ImageData, Influences, Local, NodeId, Part, Phong, Scene, Trs,
};
use crate::text::RawText;
use glam::{Vec2, Vec3};

/// How rotations are written.
#[derive(Clone, Copy)]
pub(super) struct Angles {
    pub dialect: Dialect,
    pub order: EulerOrder,
}

impl Document {
    /// Makes a document from a scene within the format's [capabilities](super::Pfobj).
    pub(super) fn from_scene(mut scene: Scene, angles: Angles, report: &mut Report) -> Result<Self, Failure> {
        let mut names = Names::default();
        let skeleton = Skeleton::of(&scene);
        let mut boxes = Boxes::default();
        let bounds = boxes.of(&scene, &Pose::rest(&scene), declared(&scene.extras, 0));
        let mut shear = Shear::default();
        let joints = skeleton.joints(&scene, angles, &mut names, &mut shear, report);
        let clips = (0..scene.clips.len())
            .map(|i| skeleton.clip(&scene, i, angles, &mut boxes, &mut names, &mut shear, report))
            .collect();
        let mut materials: Vec<_> =
            (0..scene.materials.len()).map(|i| export_material(&scene, i, &mut names, report)).collect();
        let parts = take_parts(&mut scene);
        if materials.is_empty() || parts.iter().any(|p| p.material.is_none()) {
            materials.push(default_material());
        }
        let vertices = join(parts, &skeleton, materials.len() - 1, report)?;
        names.report(report);
        boxes.report(report);
        shear.report(report);
        Ok(Self {
            name: scene.name,
            dialect: angles.dialect,
            layout: Layout { singular_materials: angles.dialect == Dialect::Document, ..Layout::default() },
            version: "1.0".into(),
            has_collision: Some(bounds.is_some()),
            needs_white_texture: materials.iter().any(|m| m.texture.as_bytes() == WHITE_TEXTURE.as_bytes()),
            vertices,
            materials,
            joints,
            clips,
            bounds,
        })
    }
}

/// The joints in the file's order: the skin's, unless a parent comes after its child there.
struct Skeleton {
    nodes: Vec<NodeId>,
    /// For each node of the scene, the number of its joint in the file, counted from 1; 0 for other nodes.
    numbers: Vec<u32>,
    /// For each joint of the skin, its index in the file; only if the order changed.
    renumbered: Option<Vec<u32>>,
}

impl Skeleton {
    fn of(scene: &Scene) -> Self {
        let mut skeleton = Self { nodes: Vec::new(), numbers: vec![0; scene.nodes.len()], renumbered: None };
        let Some(skin) = scene.skins.first() else { return skeleton };
        skeleton.set_order(skin.joints.clone());
        let late = |(i, &joint): (usize, &NodeId)| skeleton.parent(scene, joint) as usize > i;
        if skin.joints.iter().enumerate().any(late) {
            // A scene's nodes stand parents first.
            let mut order = skin.joints.clone();
            order.sort();
            skeleton.set_order(order);
            let index = |joint: &NodeId| skeleton.numbers[joint.index()].saturating_sub(1);
            skeleton.renumbered = Some(skin.joints.iter().map(index).collect());
        }
        skeleton
    }

    fn set_order(&mut self, nodes: Vec<NodeId>) {
        for (node, number) in nodes.iter().zip(1..) {
            self.numbers[node.index()] = number;
        }
        self.nodes = nodes;
    }

    /// The number of the nearest ancestor that is a joint; 0 without one.
    fn parent(&self, scene: &Scene, node: NodeId) -> u32 {
        let mut next = scene.nodes[node.index()].parent;
        while let Some(node) = next.filter(|n| self.numbers[n.index()] == 0) {
            next = scene.nodes[node.index()].parent;
        }
        next.map_or(0, |node| self.numbers[node.index()])
    }

    fn joints(
        &self,
        scene: &Scene,
        angles: Angles,
        names: &mut Names,
        shear: &mut Shear,
        report: &mut Report,
    ) -> Vec<Joint> {
        let mut first_child = vec![None; self.nodes.len()];
        for &node in self.nodes.iter().rev() {
            if let Some(parent) = (self.parent(scene, node) as usize).checked_sub(1) {
                first_child[parent] = Some(node);
            }
        }
        let mut joints = Vec::with_capacity(self.nodes.len());
        for (i, &node) in self.nodes.iter().enumerate() {
            let source = &scene.nodes[node.index()];
            joints.push(Joint {
                parent: self.parent(scene, node),
                name: names.word(&source.name, "joint", i, report),
                bind: transform(&source.local, angles, shear),
                tip: tip(scene, node, first_child[i]),
            });
        }
        joints
    }

    #[expect(clippy::too_many_arguments, reason = "the collectors of what is to be said belong together")]
    fn clip(
        &self,
        scene: &Scene,
        index: usize,
        angles: Angles,
        boxes: &mut Boxes,
        names: &mut Names,
        shear: &mut Shear,
        report: &mut Report,
    ) -> Clip {
        let clip = &scene.clips[index];
        let frames = clip.frames.unwrap_or(Frames { rate: 24.0, count: 1 });
        let count = frames.count as usize;
        let mut exported = Clip {
            name: names.word(&clip.name, "clip", index, report),
            frames: frames.count,
            transforms: Transforms::with_capacity(angles.dialect, count.saturating_mul(self.nodes.len())),
            bounds: Vec::new(),
        };
        for frame in 0..frames.count {
            let time = frames.time(frame);
            if !self.nodes.is_empty() {
                let locals = pose::locals_at(scene, clip, time);
                for node in &self.nodes {
                    exported.transforms.push(transform(&locals[node.index()], angles, shear));
                }
            }
            let stated = declared(&clip.extras, frame as usize);
            exported.bounds.extend(boxes.of(scene, &Pose::at(scene, clip, time), stated));
        }
        exported
    }
}

/// Where the bone ends, for drawing: as the source says, else at the first child, else as far as from its parent.
fn tip(scene: &Scene, node: NodeId, first_child: Option<NodeId>) -> Vec3 {
    let offset = |id: NodeId| nearest_trs(&scene.nodes[id.index()].local).0.translation;
    match (scene.nodes[node.index()].tip, first_child) {
        (Some(tip), _) => Vec3::from_array(tip),
        (None, Some(child)) => offset(child),
        (None, None) => Vec3::Y * offset(node).length(),
    }
}

fn transform(local: &Local, angles: Angles, shear: &mut Shear) -> Transform {
    let (Trs { translation, rotation, scale }, error) = nearest_trs(local);
    shear.see(error);
    let rotation = rotation::from_scene(angles.dialect, angles.order, rotation);
    Transform { scale, rotation, translation }
}

/// Transforms that do not come apart into scale, rotation and translation.
#[derive(Default)]
struct Shear {
    count: usize,
    worst: f64,
}

impl Shear {
    fn see(&mut self, error: f64) {
        if error > 1e-6 {
            self.count += 1;
            self.worst = self.worst.max(error);
        }
    }

    fn report(&self, report: &mut Report) {
        if self.count > 0 {
            let message = "joints with shear got the nearest scale, rotation and translation";
            report.loss(Loss::approximated(
                &codes::SHEAR,
                "",
                self.count,
                self.worst,
                "of the matrix",
                message,
            ));
        }
    }
}

/// Decides about boxes, and counts those that the source stated but that no longer fit.
#[derive(Default)]
struct Boxes {
    outdated: usize,
}

impl Boxes {
    /// The stated box if it fits the pose, else the tight one; none without vertices.
    fn of(&mut self, scene: &Scene, pose: &Pose, stated: Option<Bounds>) -> Option<Bounds> {
        let tight = pose::bounds(scene, pose)?;
        let tight: Bounds = std::array::from_fn(|axis| [tight.min[axis], tight.max[axis]]);
        match stated {
            Some(stated) if fits(&stated, &tight) => Some(stated),
            Some(_) => {
                self.outdated += 1;
                Some(tight)
            }
            None => Some(tight),
        }
    }

    fn report(&self, report: &mut Report) {
        if self.outdated > 0 {
            let boxes = counted(self.outdated, "box", "boxes");
            let were = if self.outdated == 1 { "fits and was" } else { "fit and were" };
            let message = format!("{boxes} of the source no longer {were} computed anew");
            report.note(&codes::BOUNDS_COMPUTED, Place::WHOLE, message);
        }
    }
}

/// Whether a stated box holds the tight one (to six decimals and the rounding of skinning) and is not much larger.
/// Exporters state boxes with some slack.
fn fits(stated: &Bounds, tight: &Bounds) -> bool {
    stated.iter().zip(tight).all(|(&[least, greatest], &[tight_least, tight_greatest])| {
        let extent = tight_greatest - tight_least;
        least <= tight_least + 1e-4
            && greatest >= tight_greatest - 1e-4
            && greatest - least <= 2.0 * extent + 1e-3 + 4e-3 * extent
    })
}

/// The box number `index` that extras state.
fn declared(extras: &Extras, index: usize) -> Option<Bounds> {
    let numbers = extras.get("pfobj")?.get("bounds")?.as_array()?;
    let numbers = numbers.get(index.checked_mul(6)?..)?.first_chunk::<6>()?;
    let mut values = [0.0; 6];
    for (value, number) in values.iter_mut().zip(numbers) {
        *value = number.as_f64()? as f32;
    }
    let [a, b, c, d, e, f] = values;
    values.iter().all(|v| v.is_finite()).then_some([[a, b], [c, d], [e, f]])
}

/// Makes names fit the format, and remembers what was done to them.
#[derive(Default)]
struct Names {
    made_up: usize,
}

impl Names {
    /// A name without blanks.
    fn word(&mut self, name: &str, what: &str, index: usize, report: &mut Report) -> RawText {
        self.clean(name, what, index, |c| c.is_whitespace() || c.is_control(), report)
    }

    /// A name that may hold spaces, but not around it.
    fn line(&mut self, name: &str, what: &str, index: usize, report: &mut Report) -> RawText {
        self.clean(name.trim(), what, index, char::is_control, report)
    }

    fn clean(
        &mut self,
        name: &str,
        what: &str,
        index: usize,
        bad: impl Fn(char) -> bool,
        report: &mut Report,
    ) -> RawText {
        if name.is_empty() {
            self.made_up += 1;
            return format!("{what}{index}").into();
        }
        let clean: String = name.chars().map(|c| if bad(c) { '_' } else { c }).collect();
        if clean != name {
            let message = format!("{what} {} is called {clean:?} in the file", RawText::from(name));
            report.warning(&codes::NAME_CHANGED, Place::WHOLE, message);
        }
        clean.into()
    }

    fn report(&self, report: &mut Report) {
        if self.made_up > 0 {
            let things = counted(self.made_up, "joint, clip or material", "joints, clips or materials");
            let message = format!("{things} without a name got a made-up one");
            report.note(&codes::NAME_CHANGED, Place::WHOLE, message);
        }
    }
}

fn default_material() -> Material {
    Material {
        name: "default".into(),
        ambient: 1.0,
        diffuse: [1.0; 3],
        specular: [0.0; 3],
        texture: WHITE_TEXTURE.into(),
    }
}

fn export_material(scene: &Scene, index: usize, names: &mut Names, report: &mut Report) -> Material {
    let material = &scene.materials[index];
    let default = Phong::default();
    let phong = material.phong.as_ref().unwrap_or(&default);
    let name = names.line(&material.name, "material", index, report);
    let [r, g, b] = phong.ambient;
    if r != g || g != b {
        let mean = (r + g + b) / 3.0;
        let size = [r, g, b].iter().fold(0.0_f32, |m, v| m.max((v - mean).abs()));
        let message = "the coloured ambient became the mean of its parts";
        let object = format!("material {name}");
        report.loss(Loss::approximated(
            &codes::AMBIENT,
            object,
            1,
            f64::from(size),
            "of full light",
            message,
        ));
    }
    report_features(material, phong, &name, report);
    Material {
        ambient: if r == g && g == b { r } else { (r + g + b) / 3.0 },
        diffuse: phong.diffuse,
        specular: phong.specular,
        texture: texture(scene, phong, &name, report),
        name,
    }
}

/// What the material has and the format's does not.
fn report_features(material: &scene::Material, phong: &Phong, name: &RawText, report: &mut Report) {
    let moved = phong.diffuse_texture.as_ref().is_some_and(|t| t.transform.is_some());
    let features = [
        (material.emissive != [0.0; 3] || material.emissive_texture.is_some(), "emitted light"),
        (phong.shininess.is_some(), "shininess"),
        (phong.opacity != 1.0, "opacity"),
        (phong.ambient_texture.is_some(), "ambient texture"),
        (phong.specular_texture.is_some(), "specular texture"),
        (phong.shininess_texture.is_some(), "shininess texture"),
        (phong.bump_texture.is_some(), "bump texture"),
        (phong.opacity_texture.is_some(), "opacity texture"),
        (moved, "moved texture coordinates"),
    ];
    let lost: Vec<_> = features.into_iter().filter(|(there, _)| *there).map(|(_, what)| what).collect();
    if !lost.is_empty() {
        let message = format!("the format has no place for: {}", lost.join(", "));
        report.loss(Loss::dropped(&codes::FEATURES, format!("material {name}"), lost.len(), message));
    }
}

fn texture(scene: &Scene, phong: &Phong, name: &RawText, report: &mut Report) -> RawText {
    let Some(reference) = &phong.diffuse_texture else { return WHITE_TEXTURE.into() };
    let texture = scene.textures.get(reference.texture.index());
    match texture.and_then(|t| scene.images.get(t.image.index())).map(|image| &image.data) {
        Some(ImageData::File(path)) => path.as_str().into(),
        _ => {
            let message = "the picture is inside the source and has no file to name";
            report.loss(Loss::dropped(&codes::TEXTURE_LEFT_OUT, format!("material {name}"), 1, message));
            WHITE_TEXTURE.into()
        }
    }
}

/// The parts of the mesh that the scene shows.
fn take_parts(scene: &mut Scene) -> Vec<Part> {
    let mesh = scene.nodes.iter().find_map(|n| n.mesh);
    let mesh = mesh.and_then(|id| scene.meshes.get_mut(id.index()));
    mesh.map(|mesh| std::mem::take(&mut mesh.parts)).unwrap_or_default()
}

/// Joins the parts' arrays, one property after the other, so that little is in memory twice.
fn join(
    mut parts: Vec<Part>,
    skeleton: &Skeleton,
    last_material: usize,
    report: &mut Report,
) -> Result<Vertices, Failure> {
    let counts: Vec<usize> = parts.iter().map(|p| p.positions.len()).collect();
    let total: usize = counts.iter().sum();
    let corner_count: usize = parts.iter().map(|p| p.faces.corners().len()).sum();
    if u32::try_from(total.max(corner_count)).is_err() {
        let message = format!("{corner_count} corners are more than the format can count");
        return Err(report.invalid(&codes::TOO_LARGE_TO_WRITE, Place::WHOLE, message));
    }
    let material = |part: &Part| part.material.map_or(last_material as u32, |m| m.0);
    let used: Vec<u32> = parts.iter().map(material).collect();
    let materials = if used.iter().all(|&m| m == 0) {
        Vec::new()
    } else {
        used.iter().zip(&counts).flat_map(|(&m, &count)| std::iter::repeat_n(m, count)).collect()
    };
    let corners = join_corners(&mut parts, &counts, corner_count);
    let positions = concat(parts.iter_mut().map(|p| std::mem::take(&mut p.positions)), total);
    let normals = concat(
        parts.iter_mut().zip(&counts).map(|(p, &n)| or_fill(std::mem::take(&mut p.normals), n, Vec3::Y)),
        total,
    );
    let first_uvs = |part: &mut Part| std::mem::take(&mut part.uvs).into_iter().next().unwrap_or_default();
    // The fill becomes 0, 0 when V is flipped.
    let mut uvs =
        concat(parts.iter_mut().zip(&counts).map(|(p, &n)| or_fill(first_uvs(p), n, Vec2::Y)), total);
    flip_v(&mut uvs);
    let influences = join_influences(parts, &counts, total, skeleton);
    Ok(Vertices { positions, uvs, normals, influences, materials, corners })
}

/// The corners of all triangles; empty if they are the vertices in order.
fn join_corners(parts: &mut [Part], counts: &[usize], corner_count: usize) -> Vec<u32> {
    let mut first = 0;
    let mut corners = Vec::new();
    for (part, &count) in parts.iter_mut().zip(counts) {
        let Faces::Triangles(mut faces) = std::mem::take(&mut part.faces) else { continue };
        faces.iter_mut().for_each(|corner| *corner += first);
        if corners.is_empty() {
            corners = faces;
            corners.reserve_exact(corner_count - corners.len());
        } else {
            corners.append(&mut faces);
        }
        first += count as u32;
    }
    let in_order =
        corners.len() == first as usize && corners.iter().enumerate().all(|(i, &c)| i == c as usize);
    if in_order { Vec::new() } else { corners }
}

fn concat<T>(mut arrays: impl Iterator<Item = Vec<T>>, total: usize) -> Vec<T> {
    let mut all = arrays.next().unwrap_or_default();
    all.reserve_exact(total - all.len());
    arrays.for_each(|mut array| all.append(&mut array));
    all
}

fn or_fill<T: Clone>(array: Vec<T>, length: usize, fill: T) -> Vec<T> {
    if array.len() == length { array } else { vec![fill; length] }
}

fn join_influences(parts: Vec<Part>, counts: &[usize], total: usize, skeleton: &Skeleton) -> Influences {
    let pairs: usize = parts.iter().map(|p| p.influences.pairs().len()).sum();
    if pairs == 0 || skeleton.nodes.is_empty() {
        return Influences::new();
    }
    let mut joined = match <[Part; 1]>::try_from(parts) {
        Ok([only]) => only.influences,
        Err(parts) => {
            let mut joined = Influences::with_capacity(total, pairs);
            for (part, &count) in parts.iter().zip(counts) {
                for vertex in 0..count {
                    let influences: &[_] =
                        if part.influences.is_empty() { &[] } else { part.influences.of(vertex) };
                    joined.push(influences.iter().copied());
                }
            }
            joined
        }
    };
    if let Some(numbers) = &skeleton.renumbered {
        for pair in joined.pairs_mut() {
            pair.joint = numbers.get(pair.joint as usize).copied().unwrap_or(0);
        }
    }
    joined
}
