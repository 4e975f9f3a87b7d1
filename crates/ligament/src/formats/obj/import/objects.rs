//! Assigns elements to parts and meshes.

use crate::formats::obj::document::Model;
use std::collections::HashMap;
use std::ops::Range;

/// A mesh: the elements of an `o` line, or those of a set of groups in a file without `o` lines.
#[derive(Debug, Default)]
pub(super) struct Object {
    /// Index into [`Model::objects`], or into [`Model::groups`] in a file without objects.
    number: Option<u32>,
    pub(super) parts: Vec<PartRuns>,
}

impl Object {
    /// The ranges of its faces, each with its smoothing group.
    pub(super) fn faces(&self) -> impl Iterator<Item = &(Range<usize>, u32)> {
        self.parts.iter().filter(|part| part.kind == Kind::Faces).flat_map(|part| &part.ranges)
    }

    /// Its name; elements outside any object or group are named after the file.
    pub(super) fn name(&self, model: &Model) -> String {
        let names = if model.objects.is_empty() { &model.groups } else { &model.objects };
        let name = self.number.and_then(|number| names.get(number as usize)).map(|name| name.to_text());
        name.unwrap_or_else(|| model.name.clone())
    }
}

/// A part of a mesh: elements of one kind with the same material and, in a file with `o` lines, the same groups.
#[derive(Debug)]
pub(super) struct PartRuns {
    pub(super) kind: Kind,
    pub(super) material: Option<u32>,
    pub(super) group: Option<u32>,
    /// Ranges of elements, each with its smoothing group.
    pub(super) ranges: Vec<(Range<usize>, u32)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Faces,
    Lines,
    Points,
}

/// All objects that have elements, in order of their first element.
pub(super) fn objects(model: &Model) -> Vec<Object> {
    let by_object = !model.objects.is_empty();
    let ends = [model.faces.len(), model.lines.len() / 2, model.points.len()];
    let mut objects: Vec<Object> = Vec::new();
    let (mut known, mut known_parts) = (HashMap::new(), HashMap::new());
    for (i, run) in model.runs.iter().enumerate() {
        let next = model.runs.get(i + 1);
        let ends =
            next.map_or(ends, |run| [run.first_face, run.first_line, run.first_point].map(|n| n as usize));
        let ranges = [
            (Kind::Faces, run.first_face as usize..ends[0]),
            (Kind::Lines, run.first_line as usize..ends[1]),
            (Kind::Points, run.first_point as usize..ends[2]),
        ];
        let (number, group) = if by_object { (run.object, run.group) } else { (run.group, None) };
        for (kind, range) in ranges.into_iter().filter(|(_, range)| !range.is_empty()) {
            let index = *known.entry(number).or_insert_with(|| {
                objects.push(Object { number, parts: Vec::new() });
                objects.len() - 1
            });
            let object = &mut objects[index];
            let part = *known_parts.entry((index, kind, run.material, group)).or_insert_with(|| {
                object.parts.push(PartRuns { kind, material: run.material, group, ranges: Vec::new() });
                object.parts.len() - 1
            });
            object.parts[part].ranges.push((range, run.smoothing));
        }
    }
    objects
}
