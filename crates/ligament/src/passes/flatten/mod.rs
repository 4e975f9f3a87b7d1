//! Flattens a scene with a node hierarchy for formats that have none: objects in model space, one skin whose bind pose
//! is its rest pose, and nothing else. Objects stay separate or are joined into one mesh.
//!
//! | what | becomes |
//! |---|---|
//! | a mesh on a node that never moves | vertices in model space; faces are flipped if the node mirrors |
//! | a mesh on or below a node that moves | vertices with full weight on the nearest moving node, which becomes a joint |
//! | a skinned mesh | the same mesh, moved into the space in which its joints rest |
//! | a static node above joints | baked into them and their keys if that is exact; otherwise a joint |
//! | a moving node above joints | a joint |
//! | nodes with cameras and lights | roots, placed as at rest |
//! | other nodes | dropped |
//!
//! If the rest pose differs from the bind pose, joints rest as they were bound, because the skin needs that. Clips then
//! get constant tracks for joints that they do not move, so that they pose as before, and the loss says how far the
//! pose without a clip has moved. In a scene without clips, vertices are moved to where the rest pose shows them
//! instead. A joint that two skins bind differently is copied.
//!
//! There is no inverse pass: joints keep their parents in formats without nodes, so their hierarchy needs no
//! rebuilding, and the boundaries between joined objects are not recorded anywhere.
//!
//! Limits: a joint whose transform holds shear is only approximated, with a loss; so are bind matrices with shear.

mod bake;
mod plan;
mod shape;
mod skeleton;
mod tracks;

use super::codes;
use super::deviation::UNIT;
use super::morphs::bake_morphs;
use super::transform::forget_bounds;
use crate::compare::{CompareOptions, Deviation, compare};
use crate::pose::{Pose, bounds};
use crate::report::{Loss, Report};
use crate::scene::{Local, MeshId, Node, NodeId, Part, Scene, Skin, SkinId};
use glam::DMat4;
use plan::{Follows, Plan};
use skeleton::{Skeleton, invert};

/// How a scene is flattened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FlattenOptions {
    /// What to do with objects.
    pub objects: Objects,
}

/// What to do with the nodes that draw meshes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Objects {
    /// Joins them into one mesh in model space.
    #[default]
    Joined,
    /// Keeps them separate, each in model space.
    Apart,
    /// Keeps them where the hierarchy places them if only the joints of one skin move, and these rest as they are
    /// bound; otherwise like `Apart`.
    Placed,
}

/// Flattens the scene as described in the [module](self). A scene that already has that shape is not touched. The
/// arrays of a mesh that is placed once are moved, not copied.
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
    if shape::is_flat(scene, options.objects) {
        return;
    }
    let joined = options.objects == Objects::Joined;
    if joined && scene.nodes.iter().filter(|n| n.mesh.is_some()).count() > 1 {
        // Joined meshes do not share a list of targets.
        bake_morphs(scene, report);
    }
    let plan = Plan::new(scene);
    let skeleton = Skeleton::new(scene, &plan, report);
    let before = (skeleton.sheared > 0).then(|| scene.clone());
    let size =
        skeleton.rests_elsewhere().then(|| bounds(scene, &Pose::rest(scene)).map_or(0.0, |b| b.diagonal()));
    let joins = joined && plan.placements.len() != 1;
    let moves_vertices = joins || skeleton.rests_elsewhere() || !stays(&plan, &skeleton);
    let (joints, order) = joint_order(&skeleton);
    let (mut meshes, moved) = bake::bake_meshes(scene, &plan, &skeleton, &order);
    report_losses(scene, &plan, &skeleton, joined, report);
    if let Some(size) = size.filter(|_| !scene.clips.is_empty()) {
        report_rest_pose(&skeleton, if size > 0.0 { moved / size } else { 0.0 }, report);
    }

    if joined && meshes.len() > 1 {
        let others: Vec<Part> = meshes.drain(1..).flat_map(|mesh| mesh.parts).collect();
        meshes[0].parts.extend(others);
    }
    let mut nodes: Vec<Node> = Vec::with_capacity(meshes.len() + skeleton.bones.len());
    for (index, placement) in plan.placements.iter().enumerate().take(meshes.len()) {
        let Node { name, extras, morph_weights, .. } = scene.nodes[placement.node].clone();
        let moves = joined || !matches!(placement.follows, Follows::Nothing(_));
        let skin = (moves && !skeleton.bones.is_empty()).then_some(SkinId(0));
        let mesh = Some(MeshId::new(index));
        nodes.push(Node { name, extras, morph_weights, mesh, skin, ..Node::default() });
    }
    scene.meshes = meshes;
    let others = camera_and_light_nodes(scene);
    let dropped = tracks::flatten_tracks(scene, &plan, &skeleton, nodes.len());
    if dropped > 0 && !skeleton.bones.is_empty() {
        let message = "tracks of nodes that move no mesh are dropped";
        report.loss(Loss::dropped(&codes::NODES, "", dropped, message));
    }
    add_bones(scene, &skeleton, &joints, &mut nodes);
    nodes.extend(others);
    scene.nodes = nodes;
    if moves_vertices {
        forget_bounds(scene);
    }
    if let Some(before) = before {
        report_shear(&before, scene, &skeleton, report);
    }
}

/// Reports how far the shear that joints lose moves any vertex.
fn report_shear(before: &Scene, scene: &Scene, skeleton: &Skeleton, report: &mut Report) {
    let found = compare(before, scene, &CompareOptions::default());
    // Joints that rest where they were bound are another loss, which concerns the pose without a clip only.
    let counts = |pose: &&Deviation| pose.clip.is_some() || !skeleton.rests_elsewhere();
    let moved = found.by_clip.iter().filter(counts).map(|pose| pose.relative).fold(0.0, f64::max);
    let message = "transforms of joints contain shear; the nearest transforms without shear are used";
    report.loss(Loss::approximated(&codes::SHEAR, "", skeleton.sheared, moved, UNIT, message));
}

/// Whether all vertices are already in the right space.
fn stays(plan: &Plan, skeleton: &Skeleton) -> bool {
    plan.placements.iter().all(|placement| match &placement.follows {
        Follows::Nothing(matrix) => *matrix == DMat4::IDENTITY,
        Follows::Joint(..) => false,
        Follows::Skin(skin) => skeleton.moves[skin.index()].is_identity(),
    })
}

/// The bones in the order of joints, and the joint number of each bone: first the joints of the first skin in their
/// order, then those that only other skins have, then the rest.
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
    if joints.is_empty() {
        scene.skins.clear();
        return;
    }
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

fn report_losses(scene: &Scene, plan: &Plan, skeleton: &Skeleton, joined: bool, report: &mut Report) {
    let (objects, skins) = (plan.placements.len(), scene.skins.len());
    if joined && objects > 1 {
        let message = "objects are joined into one mesh; their vertices stay where they are";
        report.loss(Loss::dropped(&codes::OBJECTS, "", objects, message));
    } else if skins > 1 {
        let message = "the joints of all skins became the bones of one skeleton";
        report.loss(Loss::kept(&codes::SKELETONS, "", skins, message));
    }
    let mut drawn = vec![false; scene.nodes.len()];
    plan.placements.iter().for_each(|placement| drawn[placement.node] = true);
    let is_drawn = |n: usize| drawn[n];
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
    let message = "transforms of static nodes are baked into everything below them";
    report.loss(Loss::kept(&codes::NODES, "", folded.len(), message));
    let message = "nodes that carry no mesh are dropped";
    report.loss(Loss::dropped(&codes::NODES, "", empty.len(), message));
    let message = "joints that two skins bind differently are copied";
    report.loss(Loss::kept(&codes::BIND, "", skeleton.copies, message));
}

fn report_rest_pose(skeleton: &Skeleton, moved: f64, report: &mut Report) {
    if moved > 1e-6 {
        let count = skeleton.bones.iter().filter(|b| b.rest != b.was).count();
        let message =
            "joints now rest in the bind pose; clips pose as before, but the pose without a clip changes";
        report.loss(Loss::approximated(&codes::REST_POSE, "", count, moved, UNIT, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{self, apart, same_clips, same_places, size_of};
    use crate::report::LossKind;

    fn run(scene: &Scene) -> (Scene, Report) {
        let (mut flat, mut report) = (scene.clone(), Report::default());
        flatten(&mut flat, &FlattenOptions::default(), &mut report);
        (flat, report)
    }

    /// The part of a skin that the target keeps: joints at rest, no bind matrices.
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
        let (announced, moved) = (size_of(loss).expect("measured"), apart(&before, &after, None, &[0.0]));
        assert!((moved - announced).abs() < 1e-5, "{announced} announced, {moved} seen");
    }

    #[test]
    fn objects_that_stay_apart_keep_names_and_places() {
        let apart = FlattenOptions { objects: Objects::Apart };
        for (name, before) in testing::scenes() {
            let (mut flat, mut report) = (before.clone(), Report::default());
            flatten(&mut flat, &apart, &mut report);
            let drawn = |s: &Scene| {
                s.nodes.iter().filter(|n| n.mesh.is_some()).map(|n| n.name.clone()).collect::<Vec<_>>()
            };
            assert_eq!(drawn(&before), drawn(&flat), "{name}");
            assert_eq!(flat.meshes.len(), drawn(&flat).len(), "{name}");
            assert!(report.losses().iter().all(|l| l.code.id != "LS018"), "{name}");
            same_clips(&name, &before, &rebound(&flat), |v| v, 2e-6);
            let (mut again, mut report) = (flat.clone(), Report::default());
            flatten(&mut again, &apart, &mut report);
            assert_eq!(flat, again, "{name}");
            assert!(report.losses().is_empty(), "{name}: {:?}", report.losses());
        }
    }

    #[test]
    fn placed_objects_stay_while_only_joints_of_one_skin_move() {
        let placed = FlattenOptions { objects: Objects::Placed };
        let mut stay = Vec::new();
        // A skin that rests in its bind pose, and an object beside it.
        let (mut bound, _) = run(&testing::bend());
        bound = rebound(&bound);
        let local = testing::tree().nodes.into_iter().map(|n| n.local).find(|l| *l != Local::default());
        bound.meshes.extend(testing::tree().meshes.into_iter().take(1));
        bound.add_node(Node { local: local.unwrap(), mesh: Some(MeshId(1)), ..Node::default() });
        for (name, before) in testing::scenes().into_iter().chain([("bound".to_owned(), bound)]) {
            let mut flat = before.clone();
            flatten(&mut flat, &placed, &mut Report::default());
            if flat == before {
                stay.push(name);
            } else {
                let mut apart = before.clone();
                flatten(&mut apart, &FlattenOptions { objects: Objects::Apart }, &mut Report::default());
                assert_eq!(flat, apart, "{name}");
            }
        }
        assert_eq!(stay, ["objects in a tree", "morph targets", "bound"]);
    }
}
