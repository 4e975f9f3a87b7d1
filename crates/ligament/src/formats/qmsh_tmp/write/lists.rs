//! The source of a document's long lists.

use crate::formats::qmsh_tmp::document::{Corner, Curve, Document, FaceHead, Mesh, Object};
use crate::text::RawText;
use glam::Vec3;

/// The vertices of a group, with their weights.
pub(in super::super) type Weights<'a> = dyn Iterator<Item = (u32, f32)> + 'a;

/// The long lists of a file: a document's own, or made from a scene.
pub(in super::super) trait Lists {
    /// The number of vertices and faces of a mesh object.
    fn counts(&self, object: usize) -> [usize; 2];
    /// Its vertices.
    fn vertices(&self, object: usize, each: &mut dyn FnMut(Vec3));
    /// Its faces.
    fn faces(&self, object: usize, each: &mut dyn FnMut(FaceHead, &[Corner]));
    /// Its vertex groups: names, and vertices with their weights.
    fn groups(&self, object: usize, each: &mut dyn FnMut(&RawText, &mut Weights<'_>));
    /// The bones that an action moves, and their curves.
    fn channels(&self, action: usize, each: &mut dyn FnMut(&RawText, &[Curve]));
}

impl Document {
    fn mesh(&self, object: usize) -> Option<&Mesh> {
        if let Some(Object::Mesh(mesh)) = self.objects.get(object) { Some(mesh) } else { None }
    }
}

impl Lists for Document {
    fn counts(&self, object: usize) -> [usize; 2] {
        self.mesh(object).map_or([0; 2], |mesh| [mesh.vertices.len(), mesh.faces.heads.len()])
    }

    fn vertices(&self, object: usize, each: &mut dyn FnMut(Vec3)) {
        self.mesh(object).into_iter().flat_map(|mesh| &mesh.vertices).for_each(|&vertex| each(vertex));
    }

    fn faces(&self, object: usize, each: &mut dyn FnMut(FaceHead, &[Corner])) {
        self.mesh(object).into_iter().flat_map(|mesh| mesh.faces.iter()).for_each(|(h, c)| each(h, c));
    }

    fn groups(&self, object: usize, each: &mut dyn FnMut(&RawText, &mut Weights<'_>)) {
        for group in self.mesh(object).into_iter().flat_map(|mesh| &mesh.groups) {
            each(&group.name, &mut group.weights.iter().copied());
        }
    }

    fn channels(&self, action: usize, each: &mut dyn FnMut(&RawText, &[Curve])) {
        self.actions[action].channels.iter().for_each(|channel| each(&channel.name, &channel.curves));
    }
}
