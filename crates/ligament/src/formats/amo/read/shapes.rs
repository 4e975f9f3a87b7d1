//! Reads hooks, boxes and collision shapes of the keyed and counted dialects.

use super::Reader;
use super::field::Parts;
use crate::formats::amo::document::{Hook, JointBox, Section};
use crate::text::FieldsOf;

const IDENTITY: [f32; 16] = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

impl Reader<'_, '_> {
    pub(super) fn shape_numbers<const N: usize>(&mut self, line: &Parts<'_>, what: &'static str) -> [f32; N] {
        self.shape_line();
        self.numbers(line.rest.fields(), what)
    }

    fn shape_line(&mut self) {
        self.built.shape_lines += 1;
        self.built.last = Section::Shapes;
    }

    /// Reads a triangle of the collision mesh, whose indices count from `base`.
    pub(super) fn collision_triangle(&mut self, line: &Parts<'_>, base: i32) {
        self.shape_line();
        let mut fields = line.rest.fields();
        let mut triangle = [0; 3];
        for index in &mut triangle {
            match self.required_integer(&mut fields, "a corner of a collision triangle") {
                Some(number) => *index = number,
                None => break,
            }
        }
        self.nothing_more(fields, "a collision triangle");
        self.built.model.shapes.collision_triangles.push(triangle.map(|index| index.saturating_sub(base)));
    }

    pub(super) fn joint_box(&mut self, line: &Parts<'_>, base: i32) {
        self.shape_line();
        let mut fields = line.rest.fields();
        let Some(joint) = self.required_integer(&mut fields, "the joint of a box") else { return };
        let joint = joint.saturating_sub(base).max(-1);
        let values: [f32; 22] = self.numbers(fields, "a box (position, scale and matrix)");
        let (position, scale, matrix) = (pick(&values, 0), pick(&values, 3), pick(&values, 6));
        self.built.model.shapes.boxes.push(JointBox { joint, position, scale, matrix });
    }

    /// Reads `hh INDEX JOINT X Y Z` of the keyed dialect.
    pub(super) fn old_hook(&mut self, line: &Parts<'_>) {
        let mut fields = line.rest.fields();
        let Some((index, joint)) = self.hook_joint(&mut fields, 1) else { return };
        let position = self.numbers(fields, "the position of a hook");
        let hook = Hook { index, joint, position, direction: [0.0; 3], matrix: IDENTITY };
        self.built.model.shapes.hooks.push(hook);
    }

    /// Reads a hook of the counted dialect.
    pub(super) fn hook(&mut self, line: &Parts<'_>) {
        let mut fields = line.rest.fields();
        let Some((index, joint)) = self.hook_joint(&mut fields, 0) else { return };
        let values: [f32; 22] = self.numbers(fields, "a hook (position, direction and matrix)");
        let (position, direction, matrix) = (pick(&values, 0), pick(&values, 3), pick(&values, 6));
        self.built.model.shapes.hooks.push(Hook { index, joint, position, direction, matrix });
    }

    /// Reads the number of a hook and its joint, which counts from `base`.
    fn hook_joint(&mut self, fields: &mut FieldsOf<'_>, base: i32) -> Option<(i32, i32)> {
        self.shape_line();
        let index = self.required_integer(fields, "the number of a hook")?;
        let joint = self.required_integer(fields, "the joint of a hook")?;
        Some((index, joint.saturating_sub(base).max(-1)))
    }
}

/// The `N` values from index `at` on.
fn pick<const N: usize>(values: &[f32], at: usize) -> [f32; N] {
    std::array::from_fn(|i| values.get(at + i).copied().unwrap_or_default())
}
