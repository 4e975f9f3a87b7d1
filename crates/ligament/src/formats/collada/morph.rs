//! `<morph>`: other geometries that a mesh blends with.
//!
//! NORMALIZED blends towards a target, `base · (1 − Σ w) + Σ w · target`; RELATIVE adds it, `base + Σ w · target`. Both
//! are `base + Σ w · delta`, where the delta is `target − base` or the target itself.

use super::codes;
use super::geometry::BuiltPart;
use super::import::Import;
use super::source::Floats;
use super::xml::{Xml, child, label, name, path, tag};
use crate::scene::{Morph, MorphDeltas};
use glam::Vec3;

/// A morph target and its deltas for each part.
pub(super) struct Target {
    pub morph: Morph,
    pub deltas: Vec<MorphDeltas>,
}

impl<'d> Import<'d, '_> {
    /// The targets of a morph controller for a mesh built from `base`. One that does not match the mesh adds nothing.
    pub(super) fn morphs(&mut self, morph: Xml<'d>, base: Xml<'d>, parts: &[BuiltPart<'d>]) -> Vec<Target> {
        let relative = morph.attribute("method") == Some("RELATIVE");
        let Some(list) = child(morph, "targets") else { return Vec::new() };
        let source = self.input_source(list, "MORPH_TARGET");
        let (ids, _) = source.and_then(|source| self.words_of(source)).unwrap_or_default();
        let source = self.input_source(list, "MORPH_WEIGHT");
        let weights = source.and_then(|source| self.floats_of(source, 1));
        let base_positions = self.positions(base);
        let mut targets = Vec::new();
        for (index, id) in ids.iter().enumerate() {
            let weight =
                weights.as_ref().map_or(0.0, |w| if index < w.count { w.get(index, 0) } else { 0.0 });
            let geometry = self.follow(list, id);
            self.used.extend(geometry.map(|g| g.id()));
            let deltas = geometry.and_then(|g| self.deltas(g, base_positions.as_ref(), parts, relative));
            let title = geometry.map_or(id.as_str(), |g| name(g));
            if deltas.is_none() {
                let message = "morph targets that do not match the mesh have no effect";
                self.lose(&codes::MORPH, label(base), 1, message);
            }
            targets.push(Target {
                morph: Morph { name: title.to_owned(), weight },
                deltas: deltas.unwrap_or_else(|| vec![MorphDeltas::default(); parts.len()]),
            });
        }
        targets
    }

    /// The positions that a geometry's vertices refer to.
    fn positions(&mut self, geometry: Xml<'d>) -> Option<Floats> {
        let vertices = path(geometry, &["mesh", "vertices"])?;
        let source = self.input_source(vertices, "POSITION")?;
        self.floats_of(source, 3)
    }

    fn deltas(
        &mut self,
        target: Xml<'d>,
        base: Option<&Floats>,
        parts: &[BuiltPart<'d>],
        relative: bool,
    ) -> Option<Vec<MorphDeltas>> {
        let positions = self.positions(target)?;
        let base = base?;
        if tag(target) != "geometry" || positions.count != base.count {
            let (found, expected) = (positions.count, base.count);
            let message = format!("{} has {found} positions, but the mesh has {expected}", label(target));
            self.warning(&codes::MORPH, target, message);
            return None;
        }
        let normals = if relative { None } else { self.target_normals(target, parts) };
        if normals.is_none() && parts.iter().any(|p| !p.part.normals.is_empty()) {
            self.lose(&codes::MORPH_NORMALS, label(target), 1, "normals of morph targets are dropped");
        }
        let unit = self.unit;
        let mut all = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            self.spend(part.position_of.len().saturating_mul(24), part.element)?;
            let delta = |&position: &u32| {
                let to = positions.row::<3>(position as usize).map(f64::from);
                let from = if relative { [0.0; 3] } else { base.row::<3>(position as usize).map(f64::from) };
                let difference = std::array::from_fn(|i| ((to[i] - from[i]) * unit) as f32);
                let difference = Vec3::from_array(difference);
                if difference.is_finite() { difference } else { Vec3::ZERO }
            };
            all.push(MorphDeltas {
                positions: part.position_of.iter().map(delta).collect(),
                normals: normals.as_ref().map_or_else(Vec::new, |n| n[index].clone()),
                tangents: Vec::new(),
            });
        }
        Some(all)
    }

    /// A target's normal deltas, if its corners are those of the mesh.
    fn target_normals(&mut self, target: Xml<'d>, parts: &[BuiltPart<'d>]) -> Option<Vec<Vec<Vec3>>> {
        let others = self.geometry(target).filter(|others| others.len() == parts.len())?;
        let difference = |(a, b): (&BuiltPart<'d>, &BuiltPart<'d>)| {
            let (to, from) = (&a.part.normals, &b.part.normals);
            let fits = a.position_of == b.position_of && to.len() == from.len();
            fits.then(|| to.iter().zip(from).map(|(to, from)| *to - *from).collect())
        };
        others.iter().zip(parts).map(difference).collect()
    }
}
