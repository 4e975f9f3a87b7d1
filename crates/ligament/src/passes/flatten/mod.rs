//! Brings a scene with a tree of nodes into the shape of formats that have none: one mesh in model space, one skin whose
//! bind pose is its rest pose, and nothing else.
//!
//! | what | becomes |
//! |---|---|
//! | a mesh on a node that never moves | vertices in model space; faces turned around where the node mirrors |
//! | a mesh on or below a node that moves | vertices with full weight on the nearest moving node, which becomes a joint |
//! | a skinned mesh | itself, moved into the space in which its joints rest |
//! | a static node above joints | folded into them, keys included, where that is exact; else a joint |
//! | a moving node above joints | a joint |
//! | nodes with cameras and lights | roots, placed as they rest |
//! | other nodes | dropped |
//!
//! Where the rest pose differs from the bind pose, joints rest as they were bound: the skin needs that. Clips then get
//! constant tracks for joints that they do not move, so that they pose as before, and the loss says how far the pose
//! without a clip has moved. Without any clip it is the other way round: vertices are moved to where the rest pose shows
//! them. A joint that two skins bind differently is copied.
//!
//! There is no way back: joints keep their parents through formats without a tree, so their hierarchy needs no rebuilding,
//! and where one object ended and the next began is not recorded anywhere.
//!
//! Limits: a joint whose transform holds shear is only approximated, with a loss; so are bind matrices with shear.

mod bake;
mod plan;
mod similarity;
mod skeleton;
mod tracks;

use super::codes;
use super::deviation::UNIT;
use super::limit_clips::limit_clips;
use super::morphs::bake_morphs;
use super::transform::forget_bounds;
use crate::formats::Count;
use crate::pose::{Pose, bounds};
use crate::report::{Loss, Report};
use crate::scene::{Influences, Local, MeshId, Node, NodeId, Scene, Skin, SkinId};
use glam::DMat4;
use plan::{Follows, Plan};
use skeleton::{Skeleton, SkinMove, invert};

/// How far a scene is flattened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlattenOptions {
    /// Whether joints and clips stay. Without them, the rest pose is baked into the vertices.
    pub skeleton: bool,
}

impl Default for FlattenOptions {
    fn default() -> Self {
        Self { skeleton: true }
    }
}

/// Flattens the scene as the [module](self) says. A scene that has that shape already is not touched; the arrays of a
/// mesh that is placed once are moved, not copied.
///
/// ```
/// use ligament::passes::flatten::{FlattenOptions, flatten};
/// use ligament::scene::{Local, Mesh, MeshId, Node, Part, Scene, Trs};
/// use ligament::math::Vec3;
///
/// let part = Part { positions: vec![Vec3::X], ..Part::default() };
/// let local = Local::Trs(Trs { translation: Vec3::Y, ..Trs::IDENTITY });
/// let node = Node { mesh: Some(MeshId(0)), local, ..Node::default() };
/// let mesh = Mesh { parts: vec![part], ..Mesh::default() };
/// let mut scene = Scene { nodes: vec![node.clone(), node], meshes: vec![mesh], ..Scene::default() };
/// flatten(&mut scene, &FlattenOptions::default(), &mut Default::default());
/// assert_eq!((scene.nodes.len(), scene.meshes[0].parts.len()), (1, 2));
/// assert_eq!(scene.meshes[0].parts[0].positions, [Vec3::new(1.0, 1.0, 0.0)]);
/// ```
pub fn flatten(scene: &mut Scene, options: &FlattenOptions, report: &mut Report) {
    if !options.skeleton {
        limit_clips(scene, Count::None, report);
    }
    if is_flat(scene) && (options.skeleton || scene.skins.is_empty()) {
        return;
    }
    if scene.nodes.iter().filter(|n| n.mesh.is_some()).count() > 1 {
        // Joined meshes have no list of targets in common.
        bake_morphs(scene, report);
    }
    let plan = Plan::new(scene);
    let mut skeleton = Skeleton::new(scene, &plan, report);
    if !options.skeleton {
        skeleton.moves.iter_mut().for_each(|m| *m = SkinMove::Deform);
    }
    let size =
        skeleton.rests_elsewhere().then(|| bounds(scene, &Pose::rest(scene)).map_or(0.0, |b| b.diagonal()));
    let moves_vertices = plan.placements.len() != 1 || skeleton.rests_elsewhere() || !stays(&plan, &skeleton);
    let (joints, order) = joint_order(&skeleton);
    let (mut mesh, moved) = bake::join_meshes(scene, &plan, &skeleton, &order);
    report_losses(scene, &plan, &skeleton, report);
    if let Some(size) = size.filter(|_| options.skeleton && !scene.clips.is_empty()) {
        report_rest_pose(&skeleton, if size > 0.0 { moved / size } else { 0.0 }, report);
    }

    let mut nodes = Vec::with_capacity(1 + skeleton.bones.len());
    scene.meshes.clear();
    if let Some(first) = plan.placements.first() {
        let Node { name, extras, morph_weights, .. } = std::mem::take(&mut scene.nodes[first.node]);
        nodes.push(Node { name, extras, morph_weights, mesh: Some(MeshId(0)), ..Node::default() });
        if !options.skeleton {
            mesh.parts.iter_mut().for_each(|part| part.influences = Influences::new());
        }
        scene.meshes.push(mesh);
    }
    let first_bone = nodes.len();
    let others = camera_and_light_nodes(scene);
    if options.skeleton && !skeleton.bones.is_empty() {
        let dropped = tracks::flatten_tracks(scene, &plan, &skeleton, first_bone);
        if dropped > 0 {
            let message = "tracks of nodes that move nothing drawn are dropped";
            report.loss(Loss::dropped(&codes::NODES, "", dropped, message));
        }
        add_bones(scene, &skeleton, &joints, &mut nodes);
    } else {
        scene.clips.iter_mut().for_each(|c| c.tracks.retain(|t| t.node.index() == 0 && is_weights(t)));
        scene.skins.clear();
    }
    nodes.extend(others);
    scene.nodes = nodes;
    if moves_vertices {
        forget_bounds(scene);
    }
}

/// Whether the vertices of the only placement are in the right space already.
fn stays(plan: &Plan, skeleton: &Skeleton) -> bool {
    plan.placements.iter().all(|placement| match &placement.follows {
        Follows::Nothing(matrix) => *matrix == DMat4::IDENTITY,
        Follows::Joint(..) => false,
        Follows::Skin(skin) => skeleton.moves[skin.index()].is_identity(),
    })
}

fn is_weights(track: &crate::scene::Track) -> bool {
    matches!(track.values, crate::scene::Values::MorphWeights { .. })
}

/// Whether the scene has the shape that this pass would give it.
fn is_flat(scene: &Scene) -> bool {
    let is_animated = plan::animated(scene);
    let drawn: Vec<usize> = (0..scene.nodes.len()).filter(|&n| scene.nodes[n].mesh.is_some()).collect();
    let meshes_fit = match drawn[..] {
        [] => scene.meshes.is_empty(),
        [n] => {
            let node = &scene.nodes[n];
            let stays = node.parent.is_none() && node.local == Local::default() && !is_animated[n];
            // Influences mean nothing on a node without a skin, but would in the target.
            let unskinned = || scene.meshes[0].parts.iter().all(|p| p.influences.is_empty());
            scene.meshes.len() == 1 && stays && (node.skin.is_some() || unskinned())
        }
        _ => false,
    };
    if !meshes_fit || scene.skins.len() > 1 {
        return false;
    }
    let mut is_joint = vec![false; scene.nodes.len()];
    for joint in scene.skins.iter().flat_map(|s| &s.joints) {
        is_joint[joint.index()] = true;
    }
    let nodes_fit = scene.nodes.iter().enumerate().all(|(n, node)| {
        let is_root = node.parent.is_none();
        let is_other = node.camera.is_some() || node.light.is_some();
        match is_joint[n] {
            true => {
                node.mesh.is_none()
                    && node.parent.is_none_or(|p| is_joint[p.index()])
                    && node.local.trs().is_some()
            }
            false => is_root && (node.mesh.is_some() || is_other) && !is_animated[n],
        }
    });
    nodes_fit && {
        let plan = Plan::new(scene);
        let skeleton = Skeleton::new(scene, &plan, &mut Report::default());
        skeleton.moves.iter().all(SkinMove::is_identity)
            && !skeleton.rests_elsewhere()
            && skeleton.copies == 0
    }
}

/// Bones in the order of joints, and the number of each bone in it: the joints of the first skin as they are, then those
/// that only other skins have, then the rest.
fn joint_order(skeleton: &Skeleton) -> (Vec<usize>, Vec<u32>) {
    let mut joints = Vec::with_capacity(skeleton.bones.len());
    let mut order = vec![u32::MAX; skeleton.bones.len()];
    for bone in skeleton.of_skin.iter().flatten().copied().chain(0..skeleton.bones.len()) {
        if order[bone] == u32::MAX {
            order[bone] = joints.len() as u32;
            joints.push(bone);
        }
    }
    (joints, order)
}

fn add_bones(scene: &mut Scene, skeleton: &Skeleton, joints: &[usize], nodes: &mut Vec<Node>) {
    let first = nodes.len();
    let mut seen = vec![false; scene.nodes.len()];
    for bone in &skeleton.bones {
        let source = &scene.nodes[bone.node];
        // A copy draws nothing and needs a name of its own.
        let is_copy = std::mem::replace(&mut seen[bone.node], true);
        let name = if is_copy { format!("{}.copy", source.name) } else { source.name.clone() };
        nodes.push(Node {
            name,
            parent: bone.parent.map(|p| NodeId::new(first + p)),
            local: Local::Trs(bone.rest),
            tip: source.tip,
            extras: source.extras.clone(),
            ..Node::default()
        });
    }
    let inverse = |&bone: &usize| {
        let inverse = invert(&skeleton.bones[bone].global).unwrap_or(DMat4::IDENTITY);
        inverse.to_cols_array().map(|v| v as f32)
    };
    let Skin { name, extras, .. } = scene.skins.drain(..).next().unwrap_or_default();
    scene.skins.push(Skin {
        name,
        extras,
        joints: joints.iter().map(|&bone| NodeId::new(first + bone)).collect(),
        inverse_binds: joints.iter().map(inverse).collect(),
    });
    if first > 0 {
        nodes[0].skin = Some(SkinId(0));
    }
}

/// Nodes that place cameras and lights, as roots.
fn camera_and_light_nodes(scene: &Scene) -> Vec<Node> {
    let rest = Pose::rest(scene);
    let place = |(node, global): (&Node, &DMat4)| Node {
        name: node.name.clone(),
        local: Local::from_matrix(global),
        camera: node.camera,
        light: node.light,
        extras: node.extras.clone(),
        ..Node::default()
    };
    let all = scene.nodes.iter().zip(&rest.globals);
    all.filter(|(n, _)| n.camera.is_some() || n.light.is_some()).map(place).collect()
}

fn report_losses(scene: &Scene, plan: &Plan, skeleton: &Skeleton, report: &mut Report) {
    let objects = plan.placements.len();
    if objects > 1 {
        let message = "objects are joined into one mesh; their vertices keep their places";
        report.loss(Loss::dropped(&codes::OBJECTS, "", objects, message));
    }
    let is_drawn = |n: usize| plan.placements.iter().any(|p| p.node == n);
    let kept =
        |n: usize| plan.is_joint[n] || scene.nodes[n].camera.is_some() || scene.nodes[n].light.is_some();
    let mut has_joint_below = vec![false; scene.nodes.len()];
    for n in (0..scene.nodes.len()).rev() {
        if let Some(parent) = scene.nodes[n].parent.filter(|_| has_joint_below[n] || kept(n) || is_drawn(n)) {
            has_joint_below[parent.index()] = true;
        }
    }
    let gone = |n: &usize| !kept(*n) && !is_drawn(*n);
    let (folded, empty): (Vec<usize>, _) =
        (0..scene.nodes.len()).filter(gone).partition(|&n| has_joint_below[n]);
    if !folded.is_empty() {
        let message = "static nodes are folded into what stands below them";
        report.loss(Loss::kept(&codes::NODES, "", folded.len(), message));
    }
    if !empty.is_empty() {
        let message = "nodes that carry nothing drawn are dropped";
        report.loss(Loss::dropped(&codes::NODES, "", empty.len(), message));
    }
    if skeleton.copies > 0 {
        let message = "joints that two skins bind differently are copied";
        report.loss(Loss::kept(&codes::BIND, "", skeleton.copies, message));
    }
}

fn report_rest_pose(skeleton: &Skeleton, moved: f64, report: &mut Report) {
    if moved > 1e-6 {
        let count = skeleton.bones.iter().filter(|b| b.rest != b.was).count();
        let message = "joints rest as they are bound; clips pose as before, the pose without a clip changes";
        report.loss(Loss::approximated(&codes::REST_POSE, "", count, moved, UNIT, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{self, same_clips, same_places};
    use crate::report::LossKind;

    fn run(scene: &Scene) -> (Scene, Report) {
        let (mut flat, mut report) = (scene.clone(), Report::default());
        flatten(&mut flat, &FlattenOptions::default(), &mut report);
        (flat, report)
    }

    /// What the target keeps of a skin: joints at rest, no bind matrices.
    fn rebound(scene: &Scene) -> Scene {
        let mut again = scene.clone();
        let rest = Pose::rest(&again);
        for skin in &mut again.skins {
            for (joint, bind) in skin.joints.iter().zip(&mut skin.inverse_binds) {
                *bind = rest.globals[joint.index()].inverse().to_cols_array().map(|v| v as f32);
            }
        }
        again
    }

    #[test]
    fn every_posed_vertex_keeps_its_place() {
        let mut without_rest = Vec::new();
        for (name, mut before) in testing::scenes() {
            bake_morphs(&mut before, &mut Report::default());
            let (flat, report) = run(&before);
            let after = rebound(&flat);
            assert!(flat.meshes.len() == 1 && flat.skins.len() <= 1, "{name}");
            assert!(
                report
                    .losses()
                    .iter()
                    .all(|l| l.code.id != "LS020" && l.code.id != "LS021" || l.kind == LossKind::Kept),
                "{name}: {:?}",
                report.losses()
            );
            if report.losses().iter().any(|l| l.code.id == "LS017") {
                same_clips(&name, &before, &after, |v| v, 2e-6);
                without_rest.push(name);
            } else {
                same_places(&name, &before, &after, |v| v, 2e-6);
            }
        }
        assert_eq!(
            without_rest,
            ["rest differs from bind", "two skins on the same joints", "hidden at rest"]
        );
    }

    #[test]
    fn joints_that_two_skins_bind_differently_are_copied() {
        let before = testing::two_skins();
        let (after, report) = run(&before);
        let copied = report.losses().iter().find(|l| l.code.id == "LS021").expect("announced");
        assert_eq!(copied.kind, LossKind::Kept);
        assert_eq!(after.joint_count() as u64, before.joint_count() as u64 + copied.count);
    }

    #[test]
    fn what_is_flat_is_not_touched() {
        for (name, before) in testing::scenes() {
            let (flat, _) = run(&before);
            let (again, report) = run(&flat);
            assert_eq!(flat, again, "{name}");
            assert!(report.losses().is_empty(), "{name}: {:?}", report.losses());
        }
    }

    #[test]
    fn the_order_of_joints_is_kept() {
        let before = testing::bend();
        let (after, _) = run(&before);
        let names = |s: &Scene| s.skins[0].joints.iter().map(|j| s.node_label(*j)).collect::<Vec<_>>();
        assert_eq!(names(&before), names(&after));
        assert_eq!(names(&after), ["Foot", "Hip", "Knee"]);
    }

    #[test]
    fn arrays_of_a_mesh_that_is_placed_once_are_moved() {
        let mut scene = testing::bend();
        let before = scene.meshes[0].parts[0].positions.as_ptr();
        flatten(&mut scene, &FlattenOptions::default(), &mut Report::default());
        assert_eq!(before, scene.meshes[0].parts[0].positions.as_ptr());
    }

    #[test]
    fn mirrored_nodes_have_their_faces_turned() {
        let before = testing::tree();
        let (after, _) = run(&before);
        let parts = &after.meshes[0].parts;
        assert_eq!(parts[0].faces, before.meshes[0].parts[0].faces);
        assert_eq!(parts[1].faces.corners()[..3], [0, 2, 1]);
        assert_eq!(parts[1].tangents[0].w, -1.0);
    }

    #[test]
    fn the_loss_says_how_far_the_rest_pose_moves() {
        let before = testing::rest_differs();
        let (after, report) = run(&before);
        let loss = report.losses().iter().find(|l| l.code.id == "LS017").expect("announced");
        let LossKind::Approximated { size: Some(announced), .. } = loss.kind else { panic!("measured") };
        let ((a, _), (b, _)) = (testing::places(&before, None, 0.0), testing::places(&after, None, 0.0));
        let moved = a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        let size = bounds(&before, &Pose::rest(&before)).unwrap().diagonal();
        assert!(
            (f64::from(moved) / size - announced).abs() < 1e-5,
            "{announced} announced, {moved} of {size}"
        );
    }

    #[test]
    fn without_a_skeleton_the_rest_pose_is_baked() {
        for (name, mut before) in testing::scenes() {
            bake_morphs(&mut before, &mut Report::default());
            let (mut after, mut report) = (before.clone(), Report::default());
            flatten(&mut after, &FlattenOptions { skeleton: false }, &mut report);
            assert!(after.skins.is_empty() && after.nodes.len() == 1, "{name}");
            before.clips.clear();
            same_places(&name, &before, &after, |v| v, 1e-6);
        }
    }
}
