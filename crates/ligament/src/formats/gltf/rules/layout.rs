//! Accessors and buffer views: whether they fit, are aligned, and are used for one thing only.

use super::contents::Check;
use super::view::{List, index, integer};
use super::{Rules, at, codes, deeper};
use crate::formats::gltf::accessor::{Component, components};
use crate::formats::gltf::locate::Step;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// A buffer view whose fields are present.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    pub buffer: usize,
    pub offset: u64,
    pub length: u64,
    pub stride: Option<u64>,
}

/// An accessor whose fields are present.
#[derive(Debug, Clone)]
pub(super) struct Array<'v> {
    pub kind: &'v str,
    pub width: usize,
    pub component: Component,
    pub normalized: bool,
    pub count: u64,
    pub has_bounds: bool,
    /// Its own buffer view, if it exists, and the offset in it.
    pub view: Option<usize>,
    pub offset: u64,
    /// Whether some elements are replaced: by what, if that is present.
    pub is_sparse: bool,
    pub sparse: Option<Sparse>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Sparse {
    pub count: u64,
    pub indices: (usize, u64, Component),
    pub values: (usize, u64),
}

/// What an accessor or a view is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Vertices,
    Indices,
    InverseBinds,
    Times,
    Values,
    Image,
    Other,
}

impl Use {
    fn name(self) -> &'static str {
        match self {
            Use::Vertices => "vertex attributes",
            Use::Indices => "indices",
            Use::InverseBinds => "inverse bind matrices",
            Use::Times => "key times",
            Use::Values => "key values",
            Use::Image => "an image",
            Use::Other => "other data",
        }
    }

    /// What the view of an accessor is used for.
    fn of_view(self) -> Self {
        if matches!(self, Use::Times | Use::Values) { Use::Other } else { self }
    }
}

/// All accessors and views, what they are used for, and what is to be checked about their contents.
pub(super) struct Arrays<'v> {
    pub accessors: Vec<Option<Array<'v>>>,
    pub views: Vec<Option<View>>,
    uses: Vec<Option<Use>>,
    view_uses: Vec<Option<Use>>,
    /// The accessor that first used a view without stride for vertices.
    sharers: HashMap<usize, usize>,
    pub checks: Vec<Check<'v>>,
    known_checks: HashSet<(usize, &'static str)>,
}

impl<'v> Array<'v> {
    fn new(accessor: &'v Value, views: &[Option<View>]) -> Option<Self> {
        let kind = accessor["type"].as_str()?;
        let width = components(kind)?;
        let component = component(&accessor["componentType"])?;
        let view = index(accessor, "bufferView");
        let offset = integer(&accessor["byteOffset"]).unwrap_or(0);
        let sparse = &accessor["sparse"];
        let part = |name: &str| {
            let view =
                index(&sparse[name], "bufferView").filter(|v| matches!(views.get(*v), Some(Some(_))))?;
            Some((view, integer(&sparse[name]["byteOffset"]).unwrap_or(0)))
        };
        let sparse = || {
            let (view, offset) = part("indices")?;
            let component = component_of_indices(&sparse["indices"]["componentType"])?;
            let (indices, values) = ((view, offset, component), part("values")?);
            Some(Sparse { count: integer(&sparse["count"])?, indices, values })
        };
        Some(Self {
            kind,
            width,
            component,
            normalized: accessor["normalized"] == Value::Bool(true),
            count: integer(&accessor["count"]).filter(|count| *count > 0)?,
            has_bounds: accessor["min"].is_array() && accessor["max"].is_array(),
            view,
            offset,
            is_sparse: accessor.get("sparse").is_some(),
            sparse: sparse(),
        })
    }

    /// Bytes of an element. Columns of matrices of small numbers are padded to four bytes.
    pub fn element(&self) -> u64 {
        match (self.kind, self.component.size()) {
            ("MAT2", 1) => 6,
            ("MAT3", 1) => 11,
            ("MAT3", 2) => 22,
            (_, size) => size * self.width as u64,
        }
    }

    /// Whether columns are padded.
    pub fn has_gaps(&self) -> bool {
        self.element() != self.component.size() * self.width as u64
    }

    /// Bytes from one element to the next.
    pub fn stride(&self, view: &View) -> u64 {
        view.stride.unwrap_or_else(|| {
            if self.has_gaps() { self.element().next_multiple_of(4) } else { self.element() }
        })
    }

    /// Bytes from the first element's start to the last element's end.
    pub fn length(&self, view: &View) -> u64 {
        self.stride(view).saturating_mul(self.count - 1).saturating_add(self.element())
    }

    /// The format as it is called in messages and tables.
    pub fn format(&self) -> (&'v str, Component, bool) {
        (self.kind, self.component, self.normalized)
    }

    pub fn shown(&self) -> String {
        format!("{}{} {}", if self.normalized { "normalized " } else { "" }, self.component.name(), self.kind)
    }
}

fn component(value: &Value) -> Option<Component> {
    Component::from_gl(integer(value)?.try_into().ok()?)
}

fn component_of_indices(value: &Value) -> Option<Component> {
    component(value).filter(|c| matches!(c, Component::U8 | Component::U16 | Component::U32))
}

/// Checks views and accessors by themselves.
pub(super) fn check<'v>(rules: &mut Rules<'_, '_, '_, 'v>) -> Arrays<'v> {
    let root = rules.root;
    let views = List::BufferViews.of(root);
    let mut arrays = Arrays {
        accessors: Vec::new(),
        views: views.iter().map(view).collect(),
        uses: Vec::new(),
        view_uses: views.iter().map(declared_use).collect(),
        sharers: HashMap::new(),
        checks: Vec::new(),
        known_checks: HashSet::new(),
    };
    arrays.accessors = List::Accessors.of(root).iter().map(|a| Array::new(a, &arrays.views)).collect();
    arrays.uses = vec![None; arrays.accessors.len()];
    for (i, view) in arrays.views.iter().enumerate() {
        view.inspect(|view| fits_buffer(rules, i, view));
    }
    for i in 0..arrays.accessors.len() {
        arrays.accessor(rules, i);
    }
    arrays
}

fn view(view: &Value) -> Option<View> {
    Some(View {
        buffer: index(view, "buffer")?,
        offset: integer(&view["byteOffset"]).unwrap_or(0),
        length: integer(&view["byteLength"])?,
        stride: view.get("byteStride").and_then(integer).filter(|stride| *stride > 0),
    })
}

fn declared_use(view: &Value) -> Option<Use> {
    match integer(&view["target"])? {
        34962 => Some(Use::Vertices),
        34963 => Some(Use::Indices),
        _ => None,
    }
}

fn fits_buffer(rules: &mut Rules<'_, '_, '_, '_>, i: usize, view: &View) {
    let buffer = List::Buffers.of(rules.root).get(view.buffer);
    let Some(length) = buffer.and_then(|b| integer(&b["byteLength"])) else { return };
    if view.offset.checked_add(view.length).is_none_or(|end| end > length) {
        let message = format!(
            "{} bytes from {} reach past the {length} bytes of buffer {}",
            view.length, view.offset, view.buffer
        );
        rules.error(&codes::ACCESSOR, at!["bufferViews", i], message);
    }
}

impl<'v> Arrays<'v> {
    pub fn get(&self, accessor: usize) -> Option<&Array<'v>> {
        self.accessors.get(accessor)?.as_ref()
    }

    /// The view of an accessor.
    pub fn view_of(&self, array: &Array<'_>) -> Option<&View> {
        self.views.get(array.view?)?.as_ref()
    }

    fn accessor(&mut self, rules: &mut Rules<'_, '_, '_, 'v>, i: usize) {
        let Some(array) = self.accessors[i].clone() else { return };
        let path = at!["accessors", i];
        if let Some(view) = self.view_of(&array) {
            if view.stride.is_some_and(|stride| stride < array.element()) {
                let stride = view.stride.unwrap_or(0);
                let message =
                    format!("a stride of {stride} is less than the {} bytes of an element", array.element());
                rules.error(&codes::ACCESSOR, path, message);
            }
            let size = array.component.size();
            aligned(rules, array.offset, size, array.length(view), view, &deeper(path, at!["byteOffset"]));
        }
        let Some(sparse) = array.sparse else { return };
        if sparse.count > array.count {
            let message =
                format!("{} elements are replaced, but the accessor has {}", sparse.count, array.count);
            rules.error(&codes::ACCESSOR, at!["accessors", i, "sparse", "count"], message);
        }
        let size = array.component.size();
        let (indices, values) = (sparse.indices, sparse.values);
        for (name, (at, offset), size, each) in [
            ("indices", (indices.0, indices.1), indices.2.size(), indices.2.size()),
            ("values", values, size, size * array.width as u64),
        ] {
            let path = at!["accessors", i, "sparse", name, "bufferView"];
            self.use_view(rules, at, Use::Other, path);
            let Some(Some(view)) = self.views.get(at) else { continue };
            if view.stride.is_some() {
                rules.error(&codes::LAYOUT, path, "the data of a sparse accessor has no stride");
            }
            let length = each.saturating_mul(sparse.count);
            aligned(rules, offset, size, length, view, at!["accessors", i, "sparse", name, "byteOffset"]);
        }
    }

    /// Notes what a view is used for; a second use of another kind is an error.
    pub fn use_view(&mut self, rules: &mut Rules<'_, '_, '_, '_>, view: usize, now: Use, path: &[Step<'_>]) {
        let Some(known) = self.view_uses.get_mut(view) else { return };
        let before = *known.get_or_insert(now);
        if before != now {
            let message =
                format!("buffer view {view} is for {}, but is used for {} here", before.name(), now.name());
            rules.error(&codes::TWO_USES, path, message);
        }
    }

    /// Notes what an accessor is used for, and returns it.
    pub fn use_accessor(
        &mut self,
        rules: &mut Rules<'_, '_, '_, '_>,
        accessor: usize,
        now: Use,
        path: &[Step<'_>],
    ) -> Option<Array<'v>> {
        let array = self.get(accessor)?.clone();
        let before = *self.uses.get_mut(accessor)?.get_or_insert(now);
        if before != now {
            let message =
                format!("accessor {accessor} holds {}, but is used for {} here", before.name(), now.name());
            rules.error(&codes::TWO_USES, path, message);
        }
        if let Some(view) = array.view {
            self.use_view(rules, view, now.of_view(), path);
            let stride = self.view_of(&array).and_then(|view| view.stride);
            if let Some(stride) = stride.filter(|_| now != Use::Vertices) {
                let message =
                    format!("buffer view {view} has a stride of {stride}; {} have none", now.name());
                rules.error(&codes::LAYOUT, path, message);
            }
        }
        Some(array)
    }

    /// Rules of vertex attributes: elements start at multiples of four, and a view that several share has a stride.
    pub fn vertex_layout(&mut self, rules: &mut Rules<'_, '_, '_, '_>, accessor: usize, path: &[Step<'_>]) {
        let Some(array) = self.get(accessor) else { return };
        let view = self.view_of(array);
        let is_tight = view.is_some_and(|view| view.stride.is_none());
        if !array.offset.is_multiple_of(4) || (is_tight && !array.element().is_multiple_of(4)) {
            let message = format!(
                "elements of {} bytes from {} on are not at multiples of 4; set the buffer view's byteStride",
                array.element(),
                array.offset
            );
            rules.error(&codes::LAYOUT, path, message);
        }
        let Some(view) = array.view.filter(|_| is_tight) else { return };
        if *self.sharers.entry(view).or_insert(accessor) != accessor {
            let message = format!("several attributes share buffer view {view}, so it needs a byteStride");
            rules.error(&codes::LAYOUT, path, message);
        }
    }

    /// Requests a look at an accessor's contents, unless it was requested before.
    pub fn look(&mut self, check: Check<'v>) {
        if self.known_checks.insert((check.accessor, check.rule.name())) {
            self.checks.push(check);
        }
    }
}

/// Checks that data starts at a multiple of its components' size, and ends within its view.
fn aligned(
    rules: &mut Rules<'_, '_, '_, '_>,
    offset: u64,
    size: u64,
    length: u64,
    view: &View,
    path: &[Step<'_>],
) {
    if !offset.is_multiple_of(size) || !view.offset.saturating_add(offset).is_multiple_of(size) {
        let message = format!(
            "byte {} of the buffer is not a multiple of {size}, the size of a component",
            view.offset.saturating_add(offset)
        );
        rules.error(&codes::LAYOUT, path, message);
    }
    if offset.checked_add(length).is_none_or(|end| end > view.length) {
        let message =
            format!("{length} bytes from {offset} reach past the {} bytes of the view", view.length);
        rules.error(&codes::ACCESSOR, path, message);
    }
}
