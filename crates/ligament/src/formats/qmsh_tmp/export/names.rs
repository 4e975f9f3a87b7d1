//! Names in Windows-1250, unique within their kind.

use super::super::codes;
use crate::report::{Loss, Report};
use crate::scene::{MaterialId, Scene};
use crate::text::{RawText, UniqueNames, name_in_cp1250};
use std::collections::HashMap;

/// Kinds of things that are identified by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Object,
    Bone,
    Material,
}

/// The names given so far, and the number of those that differ from the scene's.
#[derive(Default)]
pub(super) struct Names {
    used: UniqueNames<(Kind, RawText)>,
    materials: HashMap<MaterialId, RawText>,
    changed: usize,
}

impl Names {
    /// Makes a name that nothing else of its kind has. An empty one becomes `made_up`.
    pub(super) fn unique(&mut self, kind: Kind, name: &str, made_up: &str) -> RawText {
        let (mut bytes, mut changed) = name_in_cp1250(name);
        if bytes.is_empty() {
            (bytes, changed) = (made_up.as_bytes().to_vec(), true);
        }
        let numbered = |number| match number {
            0 => RawText::from(&bytes[..]),
            _ => RawText::from(&[&bytes[..], format!(".{number:03}").as_bytes()].concat()[..]),
        };
        let number = self.used.take(|number| (kind, numbered(number)));
        self.changed += usize::from(changed || number > 0);
        numbered(number)
    }

    /// The name of a material, which is the same in all objects.
    pub(super) fn material(&mut self, id: MaterialId, scene: &Scene) -> RawText {
        if let Some(known) = self.materials.get(&id) {
            return known.clone();
        }
        let (name, made_up) = (&scene.materials[id.index()].name, format!("material{}", id.index()));
        let unique = self.unique(Kind::Material, name, &made_up);
        self.materials.insert(id, unique.clone());
        unique
    }

    /// Converts a name that need not be unique.
    pub(super) fn any(&mut self, name: &str) -> RawText {
        let (bytes, changed) = name_in_cp1250(name);
        self.changed += usize::from(changed);
        RawText::from(&bytes[..])
    }

    pub(super) fn report(&self, report: &mut Report) {
        let message = "names that were empty, duplicate or not in Windows-1250 were changed";
        report.loss(Loss::approximated(&codes::NAMES, "", self.changed, None, "names", message));
    }
}
