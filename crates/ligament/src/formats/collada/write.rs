//! Writes an exported scene as COLLADA 1.4.1.
//!
//! | file | what it writes |
//! |---|---|
//! | `xml.rs` | elements, attributes, sources |
//! | `effects.rs` | images, materials, effects |
//! | `geometries.rs` | meshes and morph targets |
//! | `controllers.rs` | skins and morphs |
//! | `nodes.rs` | the visual scene |
//! | `animations.rs` | animations and clips |
//! | `placed.rs` | cameras and lights |

mod animations;
mod controllers;
mod effects;
mod geometries;
mod nodes;
mod placed;
mod xml;

use super::export::Exported;
use crate::report::Report;
use crate::text::TextWriter;
use std::io;
use xml::Writer;

/// The file has to state when it was made. The same scene gives the same bytes, so this is a fixed time.
const CREATED: &str = "1970-01-01T00:00:00Z";

impl Exported {
    /// Writes the file, and reports what it cannot hold.
    pub(super) fn write(&self, sink: &mut dyn io::Write, report: &mut Report) -> io::Result<()> {
        let mut writer = Writer::new(TextWriter::new(sink));
        let w = &mut writer;
        w.leaf("<?xml version=\"1.0\" encoding=\"utf-8\"?>");
        w.open("<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">");
        w.open("<asset>");
        w.open("<contributor>");
        w.leaf(concat!("<authoring_tool>ligament ", env!("CARGO_PKG_VERSION"), "</authoring_tool>"));
        w.close("contributor");
        w.leaf(("<created>", CREATED, "</created>"));
        w.leaf(("<modified>", CREATED, "</modified>"));
        w.leaf("<unit name=\"meter\" meter=\"1\"/>");
        w.leaf("<up_axis>Y_UP</up_axis>");
        w.close("asset");
        self.images(w);
        self.effects(w, report);
        self.geometries(w);
        self.write_controllers(w, report);
        self.cameras(w, report);
        self.lights(w, report);
        self.animations(w, report);
        self.visual_scene(w);
        w.open("<scene>");
        w.leaf("<instance_visual_scene url=\"#scene-root\"/>");
        w.close("scene");
        w.close("COLLADA");
        writer.finish()
    }
}
