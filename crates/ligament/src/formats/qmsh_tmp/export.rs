//! Scene to document, in version 10.
//!
//! | file | what becomes what |
//! |---|---|
//! | `rig.rs` | the joints of the skin: an armature |
//! | `objects.rs` | nodes that draw something: mesh objects, free, deformed or carried by one bone |
//! | `angle.rs` | normals: the smoothing angle that comes nearest |
//! | `clips.rs` | clips: actions |
//! | `names.rs` | names: Windows-1250, each used once |
//!
//! The format has objects without a tree, one armature at rest as it was bound, and curves of bones. A scene that is of
//! that shape is taken as it is; any other is [flattened](crate::passes::flatten) first.

mod angle;
mod clips;
mod names;
mod objects;
mod rig;

use super::codes;
use super::document::{Document, Object, Param, ParamKind};
use super::version::Version;
use crate::formats::WriteOptions;
use crate::passes::codes::NODES;
use crate::passes::flatten::{FlattenOptions, flatten};
use crate::report::{Failure, Loss, Place, Report};
use crate::scene::Scene;
use names::Names;
use rig::Rig;

pub(super) fn export(
    mut scene: Scene,
    options: &WriteOptions,
    report: &mut Report,
) -> Result<Document, Failure> {
    if let Some(asked) = options.dialect.as_deref().filter(|d| *d != Version::DOCUMENT.id()) {
        let message = format!("the changed scene is written in version 10, not {asked}");
        report.warning(&codes::WRITTEN_AS_10, Place::WHOLE, message);
    }
    if !rig::has_shape(&scene) {
        flatten(&mut scene, &FlattenOptions::default(), report);
    }
    report_materials(&scene, report);
    let mut names = Names::default();
    let rig = Rig::of(&scene, &mut names, report);
    report_nodes(&scene, &rig, report);
    let fps = clips::fps(&scene);
    let actions = clips::export(&mut scene, &rig, f64::from(fps), &mut names, report)?;
    let mut objects = Vec::new();
    objects.extend(rig.armature().map(Object::Armature));
    objects::export(&mut scene, &rig, &mut names, &mut objects, report)?;
    names.report(report);
    Ok(Document {
        name: scene.name,
        version: Version::DOCUMENT,
        byte_order_mark: false,
        objects,
        actions,
        params: vec![Param { kind: ParamKind::Fps, value: fps }],
    })
}

/// Of materials only the names stay.
fn report_materials(scene: &Scene, report: &mut Report) {
    let plain = crate::scene::Material::default();
    let says_more = |m: &&crate::scene::Material| {
        let name_only = crate::scene::Material { name: m.name.clone(), ..plain.clone() };
        **m != name_only
    };
    let count = scene.materials.iter().filter(says_more).count();
    if count > 0 {
        let message = "the format holds the names of materials and nothing else of them";
        report.loss(Loss::dropped(&codes::MATERIAL_VALUES, "", count, message));
    }
}

/// Nodes that neither draw nor are bones, and what hangs below another object, lose their place in the tree.
fn report_nodes(scene: &Scene, rig: &Rig, report: &mut Report) {
    let loses = |(i, node): &(usize, &crate::scene::Node)| {
        let is_bone = rig.bone_of(*i).is_some();
        let is_armature = rig.armature_node == Some(*i);
        let below = node.parent.is_some_and(|p| rig.bone_of(p.index()).is_none());
        !is_bone && !is_armature && (node.mesh.is_none() || below)
    };
    let count = scene.nodes.iter().enumerate().filter(loses).count();
    if count > 0 {
        let message =
            "the format has no tree of nodes; objects stand where they stood, other nodes are dropped";
        report.loss(Loss::dropped(&NODES, "", count, message));
    }
}
