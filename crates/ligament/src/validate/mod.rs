//! The promise of [`Scene`](crate::scene#the-promise), rule by rule.
//!
//! Readers keep the promise themselves; code that builds a scene by hand calls [`validate`] once. It accepts any scene,
//! however broken, and never panics. An array with many offending elements is reported once: the first of them, and how
//! many more there are. [`advise`] adds what is not wrong, but worth a look.
//!
//! ```
//! use ligament::{Report, Scene, scene::{MeshId, Node}, validate::validate};
//! let mut scene = Scene::default();
//! scene.nodes.push(Node { mesh: Some(MeshId(7)), ..Node::default() });
//! let mut report = Report::default();
//! validate(&scene, &mut report);
//! assert_eq!(
//!     report.diagnostics()[0].to_string(),
//!     "error[SC001]: nodes[0].mesh: there is no mesh 7; the scene has 0"
//! );
//! ```

mod advice;
mod clips;
pub mod codes;
mod faces;
mod materials;
mod meshes;
mod nodes;
mod skins;

pub use advice::{advise, codes as advice_codes};

use crate::report::{Code, Diagnostic, Place, Report, Severity};
use crate::scene::Scene;
use std::fmt::Display;

/// Checks every rule and reports every violation.
pub fn validate(scene: &Scene, report: &mut Report) {
    let mut rules = Rules { report };
    nodes::check(scene, &mut rules);
    meshes::check(scene, &mut rules);
    skins::check(scene, &mut rules);
    clips::check(scene, &mut rules);
    materials::check(scene, &mut rules);
}

/// Collects violations.
struct Rules<'a> {
    report: &'a mut Report,
}

impl Rules<'_> {
    fn error(&mut self, code: &'static Code, field: impl Into<String>, message: impl Into<String>) {
        self.report.error(code, Place::field(field), message);
    }

    fn warning(&mut self, code: &'static Code, field: impl Into<String>, message: impl Into<String>) {
        self.report.warning(code, Place::field(field), message);
    }

    /// Checks that something exists: `kind` number `index` of `count`.
    fn index(&mut self, kind: &str, index: usize, count: usize, field: impl FnOnce() -> String) {
        if index >= count {
            self.error(&codes::INDEX, field(), format!("there is no {kind} {index}; the scene has {count}"));
        }
    }

    /// Checks that a number is finite.
    fn finite(&mut self, value: f32, field: impl FnOnce() -> String) {
        if !value.is_finite() {
            self.error(&codes::NOT_FINITE, field(), format!("{value} is not finite"));
        }
    }

    /// Checks that a few numbers are finite; reports them as one.
    fn all_finite(&mut self, values: &[f32], field: impl FnOnce() -> String) {
        if let Some(bad) = values.iter().find(|v| !v.is_finite()) {
            self.error(&codes::NOT_FINITE, field(), format!("contains {bad}, which is not finite"));
        }
    }

    /// Reports the elements of an array that break a rule: names the first and counts the rest.
    fn array<T>(
        &mut self,
        (severity, code): (Severity, &'static Code),
        field: &str,
        array: &[T],
        breaks: impl Fn(&T) -> bool,
        message: impl FnOnce(&T) -> String,
    ) {
        let Some(first) = array.iter().position(&breaks) else { return };
        let more = array[first + 1..].iter().filter(|v| breaks(v)).count();
        self.offender((severity, code), format!("{field}[{first}]"), message(&array[first]), more);
    }

    /// Reports one offender that represents `more` like it.
    fn offender(
        &mut self,
        (severity, code): (Severity, &'static Code),
        field: String,
        mut message: String,
        more: usize,
    ) {
        if more > 0 {
            message.push_str(&format!(" (and {more} more like it)"));
        }
        self.report.push(Diagnostic::new(severity, code, Place::field(field), message));
    }

    /// Checks that the elements of an array are finite.
    fn finite_array<T: Display>(&mut self, field: &str, array: &[T], is_finite: impl Fn(&T) -> bool) {
        self.array(
            (Severity::Error, &codes::NOT_FINITE),
            field,
            array,
            |v| !is_finite(v),
            |v| format!("{v} is not finite"),
        );
    }

    /// Checks that a matrix is finite and that its last row is 0 0 0 1.
    fn affine(&mut self, matrix: &[f32; 16], field: impl Fn() -> String) {
        self.all_finite(matrix, &field);
        let row = [matrix[3], matrix[7], matrix[11], matrix[15]];
        let off = row.iter().zip([0.0, 0.0, 0.0, 1.0]).any(|(v, e)| v.is_finite() && (v - e).abs() > 1e-5);
        if off {
            let [a, b, c, d] = row;
            self.error(&codes::NOT_AFFINE, field(), format!("the last row is {a} {b} {c} {d}, not 0 0 0 1"));
        }
    }
}

/// Whether a quaternion has the length of a rotation. Numbers that are not finite are left to another rule.
fn is_unit(q: &glam::Quat) -> bool {
    !q.is_finite() || (q.length() - 1.0).abs() <= 1e-3
}
