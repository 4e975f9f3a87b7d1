//! `<source>`: an array and the accessor that describes its layout.

use super::codes;
use super::ids::expected;
use super::import::Import;
use super::xml::{Xml, child, children, elements, label, path, tag, text, whole};
use std::rc::Rc;

/// A source's numbers, row by row.
#[derive(Debug, Clone)]
pub(super) struct Floats {
    values: Rc<Vec<f32>>,
    offset: usize,
    stride: usize,
    /// The number of rows.
    pub count: usize,
    /// The columns of a row that hold values; params without a name are skipped.
    columns: Vec<usize>,
}

impl Floats {
    /// Values per row.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// One value; 0 if the row is shorter.
    pub fn get(&self, row: usize, column: usize) -> f32 {
        let Some(column) = self.columns.get(column) else { return 0.0 };
        self.values.get(self.offset + row * self.stride + column).copied().unwrap_or(0.0)
    }

    /// The first values of a row; 0 if it is shorter.
    pub fn row<const N: usize>(&self, row: usize) -> [f32; N] {
        let start = self.offset + row * self.stride;
        // The usual layout, without looking up each column.
        if self.columns.len() >= N
            && self.columns[N - 1] == N - 1
            && let Some(values) = self.values.get(start..).and_then(|rest| rest.first_chunk::<N>())
        {
            return *values;
        }
        std::array::from_fn(|column| self.get(row, column))
    }
}

impl<'d> Import<'d, '_> {
    /// The element that a local reference (`#id`) names. Any other reference is reported as broken.
    pub(super) fn target(&mut self, node: Xml<'d>, attribute: &str) -> Option<Xml<'d>> {
        let Some(url) = node.attribute(attribute) else {
            self.warning(&codes::REFERENCE, node, format!("<{}> has no {attribute}", tag(node)));
            return None;
        };
        self.follow(node, url)
    }

    /// The element that `url` names; `node` contains the reference.
    pub(super) fn follow(&mut self, node: Xml<'d>, url: &str) -> Option<Xml<'d>> {
        let url = url.trim();
        let id = url.strip_prefix('#').unwrap_or(url);
        if let Some(found) = self.ids.get(id, expected(tag(node))) {
            return Some(found);
        }
        // An element that is instanced many times is reported once.
        if !self.warned.insert(node.id()) {
            return None;
        }
        let message = match url.starts_with('#') {
            true => format!("there is no element with the id {id:?}"),
            false => format!("{url:?} is in another file, which is not read"),
        };
        self.warning(&codes::REFERENCE, node, message);
        None
    }

    /// Reads the numbers of a `<source>` of floats. `width` is the row's length if there is no accessor.
    pub(super) fn floats_of(&mut self, source: Xml<'d>, width: usize) -> Option<Floats> {
        let accessor = path(source, &["technique_common", "accessor"]);
        let array = self.array(source, accessor, &["float_array", "int_array", "bool_array"])?;
        let values = match self.arrays.get(&array.id()) {
            Some(known) => Rc::clone(known),
            None => {
                let values = Rc::new(self.floats(array));
                self.check_count(array, values.len());
                self.arrays.insert(array.id(), Rc::clone(&values));
                values
            }
        };
        let Some(accessor) = accessor else {
            let columns = (0..width).collect();
            return Some(Floats { offset: 0, stride: width, count: values.len() / width, values, columns });
        };
        let number = |name| whole::<usize>(accessor, name);
        let params: Vec<_> = children(accessor, "param").collect();
        let stride = number("stride").unwrap_or(params.len().max(1)).max(1);
        let offset = number("offset").unwrap_or(0);
        let mut columns: Vec<usize> = Vec::new();
        let mut at: usize = 0;
        let named = |p: &Xml<'_>| p.attribute("name").is_some_and(|name| !name.is_empty());
        let any_named = params.iter().any(named);
        for param in &params {
            let size = match param.attribute("type") {
                Some("float4x4") => 16,
                Some("float3x3") => 9,
                _ => 1,
            };
            if named(param) || !any_named {
                columns.extend((at..at + size).take_while(|&c| c < stride));
            }
            at += size;
        }
        if columns.is_empty() {
            columns = (0..stride.min(width.max(1))).collect();
        }
        let reach = columns.iter().max().map_or(0, |c| c + 1);
        let there = values.len().saturating_sub(offset);
        // The last row need not be padded to the stride.
        let most = if there < reach { 0 } else { (there - reach) / stride + 1 };
        let count = number("count").unwrap_or(most);
        if count > most {
            let message = format!("the accessor says {count} elements, but the array has {most}");
            self.warning(&codes::COUNT, accessor, message);
        }
        Some(Floats { values, offset, stride, count: count.min(most), columns })
    }

    /// Reads the words of a `<source>` of names or references.
    pub(super) fn words_of(&mut self, source: Xml<'d>) -> Option<(Vec<String>, bool)> {
        let accessor = path(source, &["technique_common", "accessor"]);
        let array = self.array(source, accessor, &["Name_array", "IDREF_array", "SIDREF_array"])?;
        let words: Vec<String> = text(array).split_ascii_whitespace().map(str::to_owned).collect();
        self.check_count(array, words.len());
        Some((words, tag(array) == "IDREF_array"))
    }

    /// The array of a source: the one that the accessor names, or the only one in it.
    fn array(&mut self, source: Xml<'d>, accessor: Option<Xml<'d>>, kinds: &[&str]) -> Option<Xml<'d>> {
        let named = accessor
            .and_then(|a| a.attribute("source"))
            .and_then(|url| self.ids.get(url.trim().trim_start_matches('#'), kinds));
        let fits = |n: &Xml<'d>| kinds.contains(&tag(*n));
        let found = named.filter(fits).or_else(|| elements(source).find(fits));
        if found.is_none() {
            let message = format!("{} holds no {}", label(source), kinds[0]);
            self.warning(&codes::REFERENCE, source, message);
        }
        found
    }

    /// Compares an element's `count` with the number of things found in it.
    pub(super) fn check_count(&mut self, element: Xml<'d>, found: usize) {
        if let Some(stated) = whole::<usize>(element, "count").filter(|&stated| stated != found) {
            let message = format!("count says {stated}, but there are {found}");
            self.warning(&codes::COUNT, element, message);
        }
    }

    /// The `<input>` with this semantic.
    pub(super) fn input(&self, node: Xml<'d>, semantic: &str) -> Option<Xml<'d>> {
        children(node, "input").find(|input| input.attribute("semantic") == Some(semantic))
    }

    /// The source of the `<input>` with this semantic.
    pub(super) fn input_source(&mut self, node: Xml<'d>, semantic: &str) -> Option<Xml<'d>> {
        let input = self.input(node, semantic)?;
        self.target(input, "source").filter(|found| child(*found, "input").is_none())
    }
}
