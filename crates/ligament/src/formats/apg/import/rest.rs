//! The rest pose of nodes.

use super::super::document::{Document, Values};
use super::Matrices;
use crate::limits::FARTHEST;
use crate::scene::{Trs, decompose};
use glam::{DMat4, Quat, Vec3};

/// Tolerated deviation of a transform from translation, rotation and scale, relative to its largest number.
const SHEAR: f64 = 1e-5;

/// Differences below this come from inverting a matrix, so the key is the more accurate number.
const NEAR: f32 = 2e-6;

/// The rest transform of each node. A bone rests where `root · global · offset` is the identity; if that has no
/// solution, and for other nodes, the first keys are used.
pub(super) fn rest(document: &Document, order: &[usize], matrices: &Matrices) -> Vec<Trs> {
    let mut rest = first_keys(document);
    let mut globals = vec![DMat4::IDENTITY; rest.len()];
    let movers = document.movers();
    let back = invert(&matrices.root);
    for &number in order {
        let node = document.nodes[number];
        let parent = usize::try_from(node.parent).ok().and_then(|p| globals.get(p)).copied();
        let parent = parent.unwrap_or(DMat4::IDENTITY);
        let bone = usize::try_from(node.bone).ok().filter(|&b| movers.get(b) == Some(&Some(number)));
        let bound = bone.and_then(|bone| {
            let global = back? * invert(&matrices.offsets[bone])?;
            let (trs, error) = decompose(&(invert(&parent)? * global))?;
            (error <= SHEAR && trs.translation.is_finite() && trs.scale.is_finite()).then_some(trs)
        });
        if let Some(bound) = bound {
            rest[number] = nearest(&bound, &rest[number]);
        }
        globals[number] = parent * rest[number].to_matrix();
    }
    rest
}

/// The transform of each node at the start of the first animation.
fn first_keys(document: &Document) -> Vec<Trs> {
    let mut rest = vec![Trs::IDENTITY; document.nodes.len()];
    for channel in document.animations.first().iter().flat_map(|a| &a.channels) {
        let Some(trs) = rest.get_mut(channel.node as usize) else { continue };
        // Keys may be unsorted.
        let first = channel.times.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(i, _)| i);
        match &channel.values {
            Values::Translation(v) => trs.translation = v.get(first).copied().unwrap_or(Vec3::ZERO),
            Values::Scale(v) => trs.scale = v.get(first).copied().unwrap_or(Vec3::ONE),
            Values::Rotation(v) => {
                trs.rotation = super::clips::unit(v.get(first).copied().unwrap_or_default())
            }
        }
    }
    rest
}

/// The bound transform, with the keys' numbers where they are equivalent.
fn nearest(bound: &Trs, keys: &Trs) -> Trs {
    let vector = |bound: Vec3, key: Vec3| {
        if (bound - key).length() <= NEAR * (1.0 + key.length()) { key } else { bound }
    };
    let turned = |a: Quat, b: Quat| (a - b).length().min((a + b).length());
    let same_turn = turned(bound.rotation, keys.rotation) <= NEAR;
    Trs {
        translation: vector(bound.translation, keys.translation),
        rotation: if same_turn { keys.rotation } else { bound.rotation },
        scale: vector(bound.scale, keys.scale),
    }
}

fn invert(matrix: &DMat4) -> Option<DMat4> {
    let inverse = matrix.inverse();
    let usable = inverse.to_cols_array().iter().all(|v| v.abs() < f64::from(FARTHEST));
    (usable && matrix.determinant() != 0.0).then_some(inverse)
}
