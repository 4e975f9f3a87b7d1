//! Hooks, boxes and collision shapes of the keyed dialect, and what the counted one shares with it.

use super::Reader;
use super::field::Line;
use crate::formats::amo::document::{Hook, JointBox, Section};
use std::ops::Range;

const IDENTITY: [f32; 16] = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

impl Reader<'_, '_> {
    pub(super) fn shape_numbers<const N: usize>(&mut self, line: &Line, what: &'static str) -> [f32; N] {
        self.shape_line();
        self.numbers(&mut self.fields(&line.rest), what)
    }

    pub(super) fn shape_line(&mut self) {
        self.shape_lines += 1;
        self.last = Section::Shapes;
    }

    pub(super) fn collision_triangle(&mut self, line: &Line, base: i32) {
        self.shape_line();
        let triangle = self.triangle(line.rest.clone()).map(|index| index.saturating_sub(base));
        self.model.shapes.collision_triangles.push(triangle);
    }

    pub(super) fn triangle(&mut self, rest: Range<usize>) -> [i32; 3] {
        let mut fields = self.fields(&rest);
        let mut triangle = [0; 3];
        for index in &mut triangle {
            let Some(field) = self.required(&mut fields, "a corner of a collision triangle") else { break };
            *index = self.whole(field, "a corner of a collision triangle");
        }
        self.nothing_more(&fields, "a collision triangle");
        triangle
    }

    pub(super) fn joint_box(&mut self, rest: Range<usize>, base: i32) {
        self.shape_line();
        let mut fields = self.fields(&rest);
        let Some(joint) = self.required(&mut fields, "the joint of a box") else { return };
        let joint = self.whole(joint, "the joint of a box").saturating_sub(base).max(-1);
        let values: [f32; 22] = self.numbers(&mut fields, "a box (position, scale and matrix)");
        let (position, scale, matrix) = (pick(&values, 0), pick(&values, 3), pick(&values, 6));
        self.model.shapes.boxes.push(JointBox { joint, position, scale, matrix });
    }

    /// `hh INDEX JOINT X Y Z`.
    pub(super) fn old_hook(&mut self, line: &Line) {
        self.shape_line();
        let mut fields = self.fields(&line.rest);
        let Some(index) = self.required(&mut fields, "the number of a hook") else { return };
        let index = self.whole(index, "the number of a hook");
        let Some(joint) = self.required(&mut fields, "the joint of a hook") else { return };
        let joint = self.whole(joint, "the joint of a hook").saturating_sub(1).max(-1);
        let position = self.numbers(&mut fields, "the place of a hook");
        let hook = Hook { index, joint, position, direction: [0.0; 3], matrix: IDENTITY };
        self.model.shapes.hooks.push(hook);
    }
}

/// `N` of a line's numbers, from `at` on.
pub(super) fn pick<const N: usize>(values: &[f32], at: usize) -> [f32; N] {
    std::array::from_fn(|i| values.get(at + i).copied().unwrap_or_default())
}
