//! A node's transform over time.

use super::animation::Drive;
use super::curves::{Curve, Way, segment};
use super::transforms::{Kind, Pose, Stack, matrix};
use crate::motion::Side;
use crate::scene::Local;
use glam::DMat4;
use std::collections::HashMap;

/// A node's transform elements with the curves that move them.
pub(super) struct Moving {
    stack: Stack,
    /// Each drive with the index of the element that it moves.
    drives: Vec<(usize, Drive)>,
}

impl Moving {
    pub(super) fn new(stack: Stack, drives: &[&Drive]) -> Self {
        let steps: HashMap<_, usize> = stack.steps.iter().enumerate().map(|(i, s)| (s.element, i)).collect();
        let drives = drives.iter().filter_map(|&d| Some((*steps.get(&d.element)?, d.clone()))).collect();
        Self { stack, drives }
    }

    /// Whether any moving element affects a property. In a plain stack, each element affects only its own.
    pub(super) fn moves(&self, kind: Kind) -> bool {
        !self.stack.is_plain() || self.drives.iter().any(|(step, _)| self.stack.steps[*step].kind == kind)
    }

    /// The numbers of all elements; [`pose`](Self::pose) overwrites those that move.
    pub(super) fn values(&self) -> Vec<Vec<f64>> {
        self.stack.steps.iter().map(|s| s.values.clone()).collect()
    }

    pub(super) fn pose(&self, time: f64, side: Side, values: &mut [Vec<f64>]) -> Pose {
        self.set(time, side, values);
        self.stack.pose(|i| &values[i])
    }

    /// The exact transform, shear included.
    pub(super) fn local(&self, time: f64) -> Local {
        let mut values = self.values();
        self.set(time, Side::After, &mut values);
        self.stack.local(|i| &values[i])
    }

    fn set(&self, time: f64, side: Side, values: &mut [Vec<f64>]) {
        for (step, drive) in &self.drives {
            if drive.count == 16 && self.stack.steps[*step].kind == Kind::Matrix {
                values[*step] = whole_matrix(&drive.curves, time, side);
                continue;
            }
            drive.apply(&mut values[*step], time, side);
        }
    }
}

/// Interpolates a matrix between two keys by translation, rotation and scale, as modelling programs do. Interpolating
/// its elements would shrink rotating objects.
fn whole_matrix(curves: &[Curve], time: f64, side: Side) -> Vec<f64> {
    let Some(first) = curves.first() else { return Vec::new() };
    let key = |i: usize| curves.iter().map(|c| c.values.get(i).copied().unwrap_or(0.0)).collect::<Vec<f64>>();
    let (from, u) = segment(&first.times, time, side);
    if u == 0.0 || first.ways.get(from) == Some(&Way::Step) {
        return key(from);
    }
    if u == 1.0 {
        return key(from + 1);
    }
    let (a, b) =
        (Pose::of(&matrix(Kind::Matrix, &key(from))), Pose::of(&matrix(Kind::Matrix, &key(from + 1))));
    let between = DMat4::from_scale_rotation_translation(
        a.scale.lerp(b.scale, u),
        a.rotation.slerp(b.rotation, u),
        a.translation.lerp(b.translation, u),
    );
    between.transpose().to_cols_array().to_vec()
}
