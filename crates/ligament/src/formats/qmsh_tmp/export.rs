//! Scene to document, in version 10.
//!
//! | file | converts |
//! |---|---|
//! | `rig.rs` | the joints of the skin to an armature |
//! | `objects.rs` | nodes with meshes to mesh objects: free, deformed or carried by one bone |
//! | `shape.rs` | their parts to vertices, faces and vertex groups |
//! | `surface.rs` | faces to triangles and quads |
//! | `angle.rs` | normals to the nearest smoothing angle |
//! | `clips.rs` | clips to actions |
//! | `names.rs` | names to unique ones in Windows-1250 |
//!
//! The format has objects without a hierarchy, one armature whose rest pose is its bind pose, and curves of bones. The
//! scene has been brought within these [capabilities](super::FORMAT).
//!
//! Long lists are made from the scene's arrays while they are written; see [`Exported`].

mod angle;
mod clips;
mod names;
mod objects;
mod rig;
mod shape;
mod surface;

use super::codes;
use super::document::{Corner, Curve, Document, FaceHead, Object, Param, ParamKind};
use super::version::Version;
use super::write::{Lists, Weights};
use crate::formats::{Encoded, WriteOptions};
use crate::passes::codes::NODES;
use crate::report::{Failure, Loss, Place, Report};
use crate::scene::Scene;
use crate::settings::PRECISION;
use crate::text::RawText;
use clips::Moves;
use glam::Vec3;
use names::Names;
use rig::Rig;
use shape::Shape;

/// Makes a file from a scene within the format's [capabilities](super::FORMAT).
pub(super) fn export(
    scene: Scene,
    dialect: Option<&str>,
    options: &WriteOptions,
    report: &mut Report,
) -> Result<Encoded, Failure> {
    if let Some(asked) = dialect.filter(|d| *d != Version::DOCUMENT.id()) {
        let message = format!("the changed scene is written in version 10, not {asked}");
        report.warning(&codes::WRITTEN_AS_10, Place::WHOLE, message);
    }
    let (made, precision) = (Exported::from_scene(scene, report)?, options.own.get(&PRECISION));
    Ok(Encoded::new(Version::DOCUMENT.id(), move |output, report| {
        made.document.write_with(&made, precision, output, report)
    }))
}

/// A document whose vertices, faces, vertex groups and curves are still the scene's, which take less memory.
struct Exported {
    /// Everything but the long lists.
    document: Document,
    scene: Scene,
    rig: Rig,
    /// For each object, the source of its lists if it is a mesh.
    shapes: Vec<Option<Shape>>,
    /// For each clip, the content of its action.
    moves: Vec<Moves>,
}

impl Exported {
    fn from_scene(scene: Scene, report: &mut Report) -> Result<Self, Failure> {
        report_materials(&scene, report);
        let mut names = Names::default();
        let rig = Rig::of(&scene, &mut names, report);
        report_nodes(&scene, &rig, report);
        let fps = clips::fps(&scene);
        let (actions, moves) = clips::export(&scene, &rig, f64::from(fps), &mut names, report);
        let mut objects = Vec::new();
        objects.extend(rig.armature().map(Object::Armature));
        let shapes = objects::export(&scene, &rig, &mut names, &mut objects, report)?;
        names.report(report);
        let document = Document {
            name: scene.name.clone(),
            version: Version::DOCUMENT,
            byte_order_mark: false,
            objects,
            actions,
            params: vec![Param { kind: ParamKind::Fps, value: fps }],
        };
        Ok(Self { document, scene, rig, shapes, moves })
    }

    fn shape(&self, object: usize) -> Option<&Shape> {
        self.shapes.get(object)?.as_ref()
    }
}

impl Lists for Exported {
    fn counts(&self, object: usize) -> [usize; 2] {
        self.shape(object).map_or([0; 2], |shape| [shape.vertices.count(), shape.vertices.faces])
    }

    fn vertices(&self, object: usize, each: &mut dyn FnMut(Vec3)) {
        self.shape(object).into_iter().flat_map(|shape| shape.vertices(&self.scene)).for_each(each);
    }

    fn faces(&self, object: usize, each: &mut dyn FnMut(FaceHead, &[Corner])) {
        self.shape(object).into_iter().for_each(|shape| shape.faces(&self.scene, each));
    }

    fn groups(&self, object: usize, each: &mut dyn FnMut(&RawText, &mut Weights<'_>)) {
        let Some(shape) = self.shape(object) else { return };
        shape.groups(&self.scene, &self.rig, &mut |bone, weights| each(&self.rig.bones[bone].name, weights));
    }

    fn channels(&self, action: usize, each: &mut dyn FnMut(&RawText, &[Curve])) {
        self.moves[action].channels(&self.scene.clips[action], &self.rig, each);
    }
}

/// Reports that only the names of materials are kept.
fn report_materials(scene: &Scene, report: &mut Report) {
    let plain = crate::scene::Material::default();
    let says_more = |m: &&crate::scene::Material| {
        let name_only = crate::scene::Material { name: m.name.clone(), ..plain.clone() };
        **m != name_only
    };
    let count = scene.materials.iter().filter(says_more).count();
    let message = "only the names of materials were kept";
    report.loss(Loss::dropped(&codes::MATERIAL_VALUES, "", count, message));
}

/// Reports nodes that lose their place in the tree: children of objects, and those without mesh or bone.
fn report_nodes(scene: &Scene, rig: &Rig, report: &mut Report) {
    let loses = |(i, node): &(usize, &crate::scene::Node)| {
        let is_bone = rig.bone_of(*i).is_some();
        let is_armature = rig.armature_node == Some(*i);
        let below = node.parent.is_some_and(|p| rig.bone_of(p.index()).is_none());
        !is_bone && !is_armature && (node.mesh.is_none() || below)
    };
    let count = scene.nodes.iter().enumerate().filter(loses).count();
    let message = "the format has no node hierarchy; objects keep their positions, other nodes were dropped";
    report.loss(Loss::dropped(&NODES, "", count, message));
}
