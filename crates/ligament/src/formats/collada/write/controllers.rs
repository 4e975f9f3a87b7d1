//! `<library_controllers>`: skins and morphs.

use super::super::codes;
use super::super::export::{Exported, Morphed, Skinned};
use super::geometries::target_id;
use super::xml::{Attr, Numbers, Writer, rows};
use crate::report::{Loss, Report};
use crate::scene::{Influence, Part};
use std::collections::HashMap;

/// How far a sum of weights may be from one before they are divided by it.
const TOLERANCE: f32 = 1e-6;

impl Exported {
    pub(super) fn write_controllers(&self, w: &mut Writer<'_>, report: &mut Report) {
        if self.morphed.is_empty() && self.skinned.is_empty() {
            return;
        }
        w.open("<library_controllers>");
        self.morphed.iter().for_each(|morphed| self.morph(w, morphed));
        let mut divided = 0;
        for skinned in &self.skinned {
            divided += self.skin(w, skinned);
        }
        w.close("library_controllers");
        let message = "weights that do not sum to one are divided by their sum, as they are in posing";
        report.loss(Loss::kept(&codes::WEIGHTS, "", divided, message));
    }

    fn morph(&self, w: &mut Writer<'_>, morphed: &Morphed) {
        let (id, mesh) = (&morphed.id, &self.ids.meshes[morphed.mesh].id);
        w.open(("<controller", Attr("id", id), ">"));
        w.open(("<morph", Attr("source", &format!("#{mesh}")), " method=\"NORMALIZED\">"));
        let targets: Vec<String> = (0..morphed.weights.len()).map(|i| target_id(mesh, i)).collect();
        let (names, weights) = (format!("{id}-targets"), format!("{id}-weights"));
        w.words(&names, "IDREF_array", "MORPH_TARGET", targets.len(), targets.iter().map(|t| &**t));
        w.floats(&weights, ["MORPH_WEIGHT"], targets.len(), morphed.weights.iter().map(|weight| [*weight]));
        w.open("<targets>");
        w.input("MORPH_TARGET", &names, None, None);
        w.input("MORPH_WEIGHT", &weights, None, None);
        w.close("targets");
        w.close("morph");
        w.close("controller");
    }

    /// Writes a skin. Returns how many vertices have weights that did not sum to one.
    fn skin(&self, w: &mut Writer<'_>, skinned: &Skinned) -> usize {
        let skin = &self.scene.skins[skinned.skin];
        let mesh = &self.scene.meshes[skinned.mesh];
        let source = match skinned.morph {
            Some(morph) => &self.morphed[morph].id,
            None => &self.ids.meshes[skinned.mesh].id,
        };
        let id = &skinned.id;
        let name = (!skin.name.is_empty()).then_some(Attr("name", &skin.name));
        w.open(("<controller", Attr("id", id), name, ">"));
        w.open(("<skin", Attr("source", &format!("#{source}")), ">"));
        w.leaf(("<bind_shape_matrix>", Numbers(rows(&skinned.shape)), "</bind_shape_matrix>"));
        let [joints, binds, weights] = ["joints", "binds", "weights"].map(|what| format!("{id}-{what}"));
        let count = skin.joints.len();
        w.words(&joints, "Name_array", "JOINT", count, skin.joints.iter().map(|j| self.ids.node(*j)));
        let is_plain = skinned.shape == glam::DMat4::IDENTITY;
        let from_shape = skinned.shape.inverse();
        let bind = |bind| if is_plain { bind } else { bind * from_shape };
        w.matrices(&binds, count, skin.binds().map(|(_, own)| rows(&bind(own))));
        let mut table = Weights::default();
        let mut divided = 0;
        for part in &mesh.parts {
            each_vertex(part, &mut |pairs, was_divided| {
                divided += usize::from(was_divided);
                table.add(pairs);
            });
        }
        w.floats(&weights, ["WEIGHT"], table.values.len(), table.values.iter().map(|weight| [*weight]));
        w.open("<joints>");
        w.input("JOINT", &joints, None, None);
        w.input("INV_BIND_MATRIX", &binds, None, None);
        w.close("joints");
        w.open(("<vertex_weights count=\"", table.counts.len(), "\">"));
        w.input("JOINT", &joints, Some(0), None);
        w.input("WEIGHT", &weights, Some(1), None);
        w.leaf(("<vcount>", Numbers(table.counts.iter().copied()), "</vcount>"));
        w.leaf(("<v>", Numbers(table.pairs.iter().map(|(j, weight)| (*j, " ", *weight))), "</v>"));
        w.close("vertex_weights");
        w.close("skin");
        w.close("controller");
        divided
    }
}

/// The weights of a skin: every value once, and the joint and value of each influence.
#[derive(Default)]
struct Weights {
    values: Vec<f32>,
    known: HashMap<u32, u32>,
    counts: Vec<u32>,
    pairs: Vec<(u32, u32)>,
}

impl Weights {
    fn add(&mut self, of_vertex: &[Influence]) {
        self.counts.push(of_vertex.len() as u32);
        for pair in of_vertex {
            let values = &mut self.values;
            let index = *self.known.entry(pair.weight.to_bits()).or_insert_with(|| {
                values.push(pair.weight);
                values.len() as u32 - 1
            });
            self.pairs.push((pair.joint, index));
        }
    }
}

/// Calls `each` with the influences of every vertex, none if nothing moves it, and whether they had to be divided.
fn each_vertex(part: &Part, each: &mut impl FnMut(&[Influence], bool)) {
    let mut pairs: Vec<Influence> = Vec::new();
    for vertex in 0..part.positions.len() {
        let stored = part.influences.of(vertex);
        let sum: f64 = stored.iter().map(|pair| f64::from(pair.weight)).sum();
        if sum <= 0.0 || !sum.is_finite() {
            each(&[], false);
        } else if (sum - 1.0).abs() <= f64::from(TOLERANCE) * stored.len() as f64 {
            each(stored, false);
        } else {
            pairs.clear();
            let divided = |pair: &Influence| (f64::from(pair.weight) / sum) as f32;
            pairs.extend(stored.iter().map(|pair| Influence { joint: pair.joint, weight: divided(pair) }));
            each(&pairs, true);
        }
    }
}
