//! Primitives of KHR_draco_mesh_compression: their accessors describe what a stream decodes to.

use super::super::accessor::Checked;
use super::super::draco::Geometry;
use super::super::views::View;
use super::super::{DRACO, buffers, codes, json};
use super::Import;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

/// What the current primitive's stream decoded to.
#[derive(Default)]
pub(in super::super) struct Decoded {
    /// The accessors whose data come from the stream.
    pub accessors: BTreeMap<u32, Checked>,
    /// The corners of the triangles, if the stream has any.
    pub corners: Option<Vec<u32>>,
    /// The last stream, which several primitives may share, by its view.
    last: Option<(u32, Rc<Geometry>)>,
}

impl Import<'_, '_, '_> {
    /// Decodes the stream of a compressed primitive, so that its accessors are read from it.
    pub(super) fn decode_draco(
        &mut self,
        primitive: &json::Primitive,
        path: fmt::Arguments<'_>,
    ) -> Option<()> {
        self.decoded.accessors.clear();
        self.decoded.corners = None;
        let inside = format!("{path}.extensions.{DRACO}");
        let source = match json::typed_extension::<json::Draco>(&primitive.extensions, DRACO) {
            Ok(None) => return Some(()),
            Ok(Some(source)) => source,
            Err(error) => return self.fault(&codes::JSON, inside, error.to_string()),
        };
        if self.has_plain_data(primitive, &source) {
            return Some(());
        }
        let geometry = self.geometry(&source, &inside)?;
        for (name, &id) in &source.attributes {
            let path = format!("{inside}.attributes.{name}");
            match primitive.attributes.get(name) {
                Some(&accessor) => self.decode_attribute(&geometry, id, accessor, &path)?,
                None => {
                    let message =
                        format!("the primitive has no attribute {name}; the compressed one is ignored");
                    self.warning(&codes::DECODED, &path, message);
                }
            }
        }
        self.decode_corners(&geometry, primitive, &inside)
    }

    /// Whether the data is also there without compression, for programs that cannot decode it.
    fn has_plain_data(&self, primitive: &json::Primitive, source: &json::Draco) -> bool {
        let root = self.root;
        let is_plain =
            |accessor: u32| root.accessors.get(accessor as usize).is_some_and(|a| a.buffer_view.is_some());
        let mut compressed = source.attributes.keys().filter_map(|name| primitive.attributes.get(name));
        !self.required.contains(DRACO)
            && primitive.indices.is_some_and(is_plain)
            && compressed.all(|&accessor| is_plain(accessor))
    }

    fn geometry(&mut self, source: &json::Draco, path: &str) -> Option<Rc<Geometry>> {
        let Some(view) = source.buffer_view else {
            return self.fault(&codes::COMPRESSED, path, "bufferView is missing");
        };
        if let Some((_, known)) = self.decoded.last.as_ref().filter(|last| last.0 == view) {
            return Some(Rc::clone(known));
        }
        let path = format!("{path}.bufferView");
        let View { store, start, length, .. } = self.view(view, &path)?;
        let bytes = match store.range(self.buffers, start, length) {
            Ok(bytes) => bytes,
            Err(error) => {
                buffers::failed_read(self.places.of(&path), &error, self.report);
                return None;
            }
        };
        match Geometry::decode(&bytes, self.most_decoded()) {
            Ok(geometry) => {
                self.spend_decoded(geometry.size(), &path)?;
                let geometry = Rc::new(geometry);
                self.decoded.last = Some((view, Rc::clone(&geometry)));
                Some(geometry)
            }
            Err(why) => self.fault(&codes::COMPRESSED, &path, why),
        }
    }

    fn decode_attribute(&mut self, geometry: &Geometry, id: u32, accessor: u32, path: &str) -> Option<()> {
        let stated = self.accessor(accessor, path)?;
        let values = match geometry.values(id, stated.component) {
            None => {
                let message = format!("the Draco stream has no attribute with the id {id}");
                return self.fault(&codes::COMPRESSED, path, message);
            }
            Some(Err(why)) => return self.fault(&codes::COMPRESSED, path, why),
            Some(Ok(values)) => values,
        };
        let same_type = values.component == stated.component && values.components == stated.components;
        if !same_type || geometry.points() != stated.count {
            let message = format!(
                "the Draco stream has {} values of {} {}, but accessors[{accessor}] says {} of {} {}",
                geometry.points(),
                values.components,
                values.component.name(),
                stated.count,
                stated.components,
                stated.component.name(),
            );
            self.warning(&codes::DECODED, path, message);
        }
        self.spend(values.bytes.len() as u64, path)?;
        let mut decoded = stated.decoded(values.component, values.components, values.bytes);
        if values.component != stated.component {
            decoded.normalized = values.is_normalized;
        }
        self.decoded.accessors.insert(accessor, decoded);
        Some(())
    }

    fn decode_corners(&mut self, geometry: &Geometry, primitive: &json::Primitive, path: &str) -> Option<()> {
        let corners = geometry.corners();
        match (primitive.mode.unwrap_or(4), corners.is_empty()) {
            (0, true) => return Some(()),
            (4 | 5, false) => {}
            (mode, is_empty) => {
                let held = if is_empty { "no triangles" } else { "triangles" };
                let message = format!("the Draco stream has {held}, but the primitive's mode is {mode}");
                return self.fault(&codes::COMPRESSED, path, message);
            }
        }
        if let Some(index) = primitive.indices {
            let stated = self.accessor(index, format_args!("{path}.indices"))?;
            if stated.count != corners.len() && primitive.mode != Some(5) {
                let message = format!(
                    "the Draco stream has {} indices, but accessors[{index}] says {}",
                    corners.len(),
                    stated.count,
                );
                self.warning(&codes::DECODED, path, message);
            }
        }
        self.spend(corners.len() as u64 * 4, path)?;
        self.decoded.corners = Some(corners);
        Some(())
    }

    /// Reports what is compressed in the file and not in the scene.
    pub(super) fn lose_compression(&mut self) {
        let root = self.root;
        let primitives = root.meshes.iter().flat_map(|m| &m.primitives).map(|p| &p.extensions);
        let views = root.buffer_views.iter().map(|v| &v.extensions);
        let count = |name: &str| {
            primitives.clone().chain(views.clone()).filter(|e| json::extension(e, name).is_some()).count()
        };
        for name in super::super::MESHOPT.iter().chain([&DRACO]) {
            let message = format!("geometry that is compressed with {name} is written uncompressed");
            self.report.loss(crate::report::Loss::kept(&codes::UNCOMPRESSED, "", count(name), message));
        }
    }
}
