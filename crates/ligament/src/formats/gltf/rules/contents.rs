//! The numbers in accessors: finite, within the stated bounds, and fit for what the accessor is used for.

use super::elements::{BLOCK, Elements, scale};
use super::layout::{Array, Arrays};
use super::local::QUATERNION_TOLERANCE;
use super::view::List;
use super::{Rules, at, codes, influences};
use crate::formats::gltf::accessor::Component;
use crate::formats::gltf::buffers::Buffers;
use crate::formats::gltf::locate::Step;
use crate::limits::Budget;
use crate::report::Code;
use serde_json::Value;
use std::collections::HashMap;

/// The limit that unit vectors keep to: what rounding to bytes costs.
const VECTOR_TOLERANCE: f64 = 0.00674;

/// Bytes that are looked at: this many times those of the file...
const FACTOR: u64 = 16;
/// ...plus this many.
const FLOOR: u64 = 16 << 20;

/// A rule for the contents of an accessor, and the path of what uses it.
pub(super) struct Check<'v> {
    pub accessor: usize,
    pub rule: Rule,
    pub path: Vec<Step<'v>>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Rule {
    UnitVectors,
    Tangents,
    Colors,
    InverseBinds,
    Times,
    Rotations {
        is_cubic: bool,
    },
    /// Below this number of vertices.
    Indices {
        vertices: u64,
    },
}

impl Rule {
    pub fn name(self) -> &'static str {
        match self {
            Rule::UnitVectors => "unit vectors",
            Rule::Tangents => "tangents",
            Rule::Colors => "colors",
            Rule::InverseBinds => "inverse binds",
            Rule::Times => "times",
            Rule::Rotations { .. } => "rotations",
            Rule::Indices { .. } => "indices",
        }
    }

    fn code(self) -> &'static Code {
        match self {
            Rule::UnitVectors | Rule::Tangents | Rule::Rotations { .. } => &codes::UNIT,
            Rule::Colors => &codes::ATTRIBUTE,
            Rule::InverseBinds => &codes::BIND_MATRIX,
            Rule::Times => &codes::CHANNEL,
            Rule::Indices { .. } => &codes::INDICES,
        }
    }

    /// What is wrong with an element; `last` is the element before it.
    fn fault(self, array: &Array<'_>, number: u64, element: &[f64], last: f64) -> Option<String> {
        let value = |v: &f64| (v * scale(array)).max(if array.normalized { -1.0 } else { f64::NEG_INFINITY });
        let length = |part: &[f64]| part.iter().map(value).map(|v| v * v).sum::<f64>().sqrt();
        let first = *element.first()?;
        match self {
            Rule::UnitVectors | Rule::Tangents => {
                let length = length(element.get(..3)?);
                if (length - 1.0).abs() > VECTOR_TOLERANCE {
                    return Some(format!("has length {length}, not 1"));
                }
                let sign = element.get(3).map(value)?;
                (matches!(self, Rule::Tangents) && sign.abs() != 1.0)
                    .then(|| format!("has the sign {sign}; expected 1 or -1"))
            }
            Rule::Colors => {
                let bad = element.iter().find(|v| !(0.0..=1.0).contains(*v))?;
                Some(format!("holds {bad}, which is not between 0 and 1"))
            }
            Rule::InverseBinds => {
                let row = [element.get(3)?, element.get(7)?, element.get(11)?, element.get(15)?].map(|v| *v);
                (row != [0.0, 0.0, 0.0, 1.0]).then(|| {
                    format!("has the last row {} {} {} {}, not 0 0 0 1", row[0], row[1], row[2], row[3])
                })
            }
            Rule::Times if first < 0.0 => Some(format!("is {first} s, before the animation starts")),
            Rule::Times => (number > 0 && first <= last)
                .then(|| format!("is {first} s, which does not come after {last} s")),
            // Of a cubic key's three values, the middle one is the rotation.
            Rule::Rotations { is_cubic } if is_cubic && number % 3 != 1 => None,
            Rule::Rotations { .. } => {
                let length = length(element);
                ((length - 1.0).abs() > QUATERNION_TOLERANCE).then(|| format!("has length {length}, not 1"))
            }
            Rule::Indices { vertices } => {
                let restart = match array.component {
                    Component::U8 => 255.0,
                    Component::U16 => 65535.0,
                    _ => f64::from(u32::MAX),
                };
                if first == restart {
                    return Some(format!(
                        "is {first}, which would restart the primitive; glTF has no restarts"
                    ));
                }
                (first >= vertices as f64).then(|| format!("is {first}, but there are {vertices} vertices"))
            }
        }
    }
}

/// The first offender and how many there are.
#[derive(Default, Clone)]
pub(super) struct Offenders {
    first: Option<String>,
    count: u64,
}

impl Offenders {
    pub fn add(&mut self, message: impl FnOnce() -> String) {
        self.first.get_or_insert_with(message);
        self.count += 1;
    }

    pub fn message(self) -> Option<String> {
        let more =
            if self.count > 1 { format!(" (and {} more like it)", self.count - 1) } else { String::new() };
        Some(self.first? + &more)
    }
}

/// Limits how much is read: hostile files may refer to the same bytes over and over.
pub(super) struct Looks<'b, 's, 'a> {
    pub buffers: &'b Buffers<'s, 'a>,
    budget: Budget,
}

impl Looks<'_, '_, '_> {
    /// Whether an accessor may be read; the first that may not is reported.
    pub fn afford(
        &mut self,
        rules: &mut Rules<'_, '_, '_, '_>,
        array: &Array<'_>,
        path: &[Step<'_>],
    ) -> bool {
        let Err(exceeded) = self.budget.spend(array.count.saturating_mul(array.element())) else {
            return true;
        };
        if exceeded.is_first {
            let message = "the accessors refer to the same bytes very often; not all of them were looked at";
            rules.warning(&codes::NOT_LOOKED_AT, path, message);
        }
        false
    }
}

pub(super) fn check(rules: &mut Rules<'_, '_, '_, '_>, arrays: &Arrays<'_>, buffers: &Buffers<'_, '_>) {
    let mut looks = Looks { buffers, budget: Budget::new(buffers.present, FACTOR, FLOOR) };
    let mut wanted: HashMap<usize, Vec<&Check<'_>>> = HashMap::new();
    for check in &arrays.checks {
        wanted.entry(check.accessor).or_default().push(check);
    }
    for (i, array) in arrays.accessors.iter().enumerate() {
        let Some(array) = array else { continue };
        let checks = wanted.remove(&i).unwrap_or_default();
        accessor(rules, i, array, &checks, arrays, &mut looks);
    }
    influences::check(rules, arrays, &mut looks);
}

/// One stated bound of an accessor, and what was found.
struct Bound {
    name: &'static str,
    stated: Vec<f64>,
    found: Vec<f64>,
    beyond: Vec<u64>,
}

impl Bound {
    fn new(accessor: &Value, array: &Array<'_>, name: &'static str) -> Option<Self> {
        let stated: Option<Vec<f64>> = accessor[name].as_array()?.iter().map(Value::as_f64).collect();
        let mut stated = stated.filter(|stated| stated.len() == array.width)?;
        if array.component == Component::F32 {
            stated.iter_mut().for_each(|v| *v = f64::from(*v as f32));
        }
        let (found, beyond) = (vec![f64::NAN; array.width], vec![0; array.width]);
        Some(Self { name, stated, found, beyond })
    }

    fn add(&mut self, element: &[f64]) {
        let sign = if self.name == "min" { 1.0 } else { -1.0 };
        for (c, value) in element.iter().enumerate() {
            if self.found[c].is_nan() || value * sign < self.found[c] * sign {
                self.found[c] = *value;
            }
            self.beyond[c] += u64::from(value * sign < self.stated[c] * sign);
        }
    }

    fn report(&self, rules: &mut Rules<'_, '_, '_, '_>, accessor: usize) {
        let word = if self.name == "min" { "smallest" } else { "largest" };
        for (c, (stated, found)) in self.stated.iter().zip(&self.found).enumerate() {
            if stated != found && found.is_finite() {
                let beyond = match self.beyond[c] {
                    0 => String::new(),
                    1 => "; 1 element is beyond it".to_owned(),
                    count => format!("; {count} elements are beyond it"),
                };
                let message = format!("{} is {stated}, but the {word} value is {found}{beyond}", self.name);
                rules.error(&codes::BOUNDS, at!["accessors", accessor, self.name, c], message);
            }
        }
    }
}

fn accessor(
    rules: &mut Rules<'_, '_, '_, '_>,
    i: usize,
    array: &Array<'_>,
    checks: &[&Check<'_>],
    arrays: &Arrays<'_>,
    looks: &mut Looks<'_, '_, '_>,
) {
    let source = &List::Accessors.of(rules.root)[i];
    let mut bounds: Vec<_> =
        ["min", "max"].iter().filter_map(|name| Bound::new(source, array, name)).collect();
    let is_float = array.component == Component::F32;
    if !is_float && bounds.is_empty() && checks.is_empty() && array.sparse.is_none() {
        return;
    }
    let path = at!["accessors", i];
    let Some(elements) = Elements::open(array, arrays, looks.buffers) else { return };
    if !looks.afford(rules, array, path) || !replaced_in_order(rules, i, array, &elements) {
        return;
    }
    let (mut not_finite, mut offenders) = (Offenders::default(), vec![Offenders::default(); checks.len()]);
    let (mut block, mut last, mut first) = (Vec::new(), 0.0, 0);
    while first < array.count {
        let count = BLOCK.min(array.count - first);
        if elements.block(looks.buffers, first, count, &mut block).is_none() {
            return;
        }
        for (number, element) in (first..).zip(block.chunks_exact(array.width)) {
            if is_float && let Some(bad) = element.iter().find(|v| !v.is_finite()) {
                not_finite.add(|| format!("element {number} holds {bad}, which is not finite"));
            }
            bounds.iter_mut().for_each(|bound| bound.add(element));
            for (check, offenders) in checks.iter().zip(&mut offenders) {
                if let Some(fault) = check.rule.fault(array, number, element, last) {
                    offenders.add(|| format!("element {number} {fault}"));
                }
            }
            last = element.first().copied().unwrap_or(0.0);
        }
        first += count;
    }
    match not_finite.message() {
        Some(message) => rules.error(&codes::NOT_FINITE, path, message),
        None => bounds.iter().for_each(|bound| bound.report(rules, i)),
    }
    for (check, offenders) in checks.iter().zip(offenders) {
        if let Some(message) = offenders.message() {
            rules.error(check.rule.code(), &check.path, message);
        }
    }
}

/// Replaced elements must be listed in order, and must exist.
fn replaced_in_order(
    rules: &mut Rules<'_, '_, '_, '_>,
    i: usize,
    array: &Array<'_>,
    elements: &Elements<'_>,
) -> bool {
    let path = at!["accessors", i, "sparse", "indices"];
    let mut is_fine = true;
    if !elements.is_ordered() {
        rules.error(&codes::ACCESSOR, path, "the indices of replaced elements are not in ascending order");
        is_fine = false;
    }
    if let Some(index) = elements.replaced.iter().find(|index| **index >= array.count) {
        let message = format!("element {index} is replaced, but the accessor has {}", array.count);
        rules.error(&codes::ACCESSOR, path, message);
        is_fine = false;
    }
    is_fine
}
