//! `<library_geometries>`: meshes, and their morph targets as meshes of their own.
//!
//! All parts of a mesh share one list of positions, because skins and morph targets refer to it. Every part has its own
//! lists of the other attributes, because not all parts have the same.

use super::super::export::Exported;
use super::xml::{Attr, Numbers, Writer};
use crate::scene::{Faces, Mesh, MorphDeltas, Part};
use glam::Vec3;

impl Exported {
    pub(super) fn geometries(&self, w: &mut Writer<'_>) {
        let drawn = || self.scene.meshes.iter().zip(&self.ids.meshes).filter(|(m, _)| !m.parts.is_empty());
        if drawn().next().is_none() {
            return;
        }
        w.open("<library_geometries>");
        for (mesh, named) in drawn() {
            geometry(w, &named.id, &named.name, mesh, None);
            for (index, morph) in mesh.morphs.iter().enumerate() {
                geometry(w, &target_id(&named.id, index), &morph.name, mesh, Some(index));
            }
        }
        w.close("library_geometries");
    }
}

/// The id of the geometry of a morph target.
pub(super) fn target_id(mesh: &str, index: usize) -> String {
    format!("{mesh}-target{index}")
}

/// Writes a mesh, or what a morph target makes of it at weight one.
fn geometry(w: &mut Writer<'_>, id: &str, name: &str, mesh: &Mesh, target: Option<usize>) {
    // Targets only need faces where corners have normals of their own.
    let morphs = || mesh.parts.iter().filter_map(move |part| part.morphs.get(target?));
    let has_faces = target.is_none() || morphs().any(|deltas| !deltas.normals.is_empty());
    w.open(("<geometry", Attr("id", id), (!name.is_empty()).then_some(Attr("name", name)), ">"));
    w.open("<mesh>");
    let positions = format!("{id}-positions");
    let places = mesh.parts.iter().flat_map(|part| {
        let deltas = target.and_then(|t| part.morphs.get(t)).map_or(&[][..], |d| &d.positions[..]);
        moved(&part.positions, deltas)
    });
    w.floats(&positions, ["X", "Y", "Z"], mesh.vertex_count(), places);
    if has_faces {
        for (index, part) in mesh.parts.iter().enumerate() {
            attributes(w, &format!("{id}-{index}"), part, target);
        }
    }
    let vertices = format!("{id}-vertices");
    w.open(("<vertices", Attr("id", &vertices), ">"));
    w.input("POSITION", &positions, None, None);
    w.close("vertices");
    if has_faces {
        let mut first = 0;
        for (index, part) in mesh.parts.iter().enumerate() {
            primitive(w, &vertices, &format!("{id}-{index}"), part, first, target.is_some());
            first += part.positions.len();
        }
    }
    w.close("mesh");
    w.close("geometry");
}

/// Vectors with their deltas, of which there may be none.
fn moved<'p>(vectors: &'p [Vec3], deltas: &'p [Vec3]) -> impl Iterator<Item = [f32; 3]> + 'p {
    let delta = |index: usize| deltas.get(index).copied().unwrap_or(Vec3::ZERO);
    vectors.iter().enumerate().map(move |(index, v)| (*v + delta(index)).to_array())
}

/// The sets that have values, with their numbers.
fn present<T>(sets: &[Vec<T>]) -> impl Iterator<Item = (usize, &Vec<T>)> {
    sets.iter().enumerate().filter(|(_, set)| !set.is_empty())
}

/// Whether a part's tangents are written: the file states their side by binormals, which need normals.
fn has_tangents(part: &Part) -> bool {
    !part.tangents.is_empty() && !part.normals.is_empty()
}

/// Writes what a part's vertices have besides positions.
fn attributes(w: &mut Writer<'_>, id: &str, part: &Part, target: Option<usize>) {
    let count = part.positions.len();
    let xyz = ["X", "Y", "Z"];
    if !part.normals.is_empty() {
        let deltas: Option<&MorphDeltas> = target.and_then(|t| part.morphs.get(t));
        let deltas = deltas.map_or(&[][..], |deltas| &deltas.normals[..]);
        w.floats(&format!("{id}-normals"), xyz, count, moved(&part.normals, deltas));
    }
    if target.is_some() {
        return;
    }
    for (set, uvs) in present(&part.uvs) {
        // V points up in the file.
        let up = uvs.iter().map(|uv| [uv.x, 1.0 - uv.y]);
        w.floats(&format!("{id}-uv{set}"), ["S", "T"], count, up);
    }
    for (set, colors) in present(&part.colors) {
        let rgba = colors.iter().map(|color| color.to_array());
        w.floats(&format!("{id}-color{set}"), ["R", "G", "B", "A"], count, rgba);
    }
    if has_tangents(part) {
        let tangents = part.tangents.iter().map(|t| t.truncate().to_array());
        w.floats(&format!("{id}-tangents"), xyz, count, tangents);
        let side = part.normals.iter().zip(&part.tangents);
        let binormals = side.map(|(n, t)| (n.cross(t.truncate()) * t.w).to_array());
        w.floats(&format!("{id}-binormals"), xyz, count, binormals);
    }
}

/// Writes a part's faces or lines. Its vertices begin at `first` among the positions.
fn primitive(w: &mut Writer<'_>, vertices: &str, id: &str, part: &Part, first: usize, is_target: bool) {
    let tag = match part.faces {
        Faces::Points(_) => return,
        Faces::Lines(_) => "lines",
        Faces::Triangles(_) => "triangles",
        Faces::Polygons { .. } => "polylist",
    };
    let symbol = part.material.map(|material| format!("material{}", material.index()));
    let material = symbol.as_deref().filter(|_| !is_target).map(|symbol| Attr("material", symbol));
    w.open(("<", tag, material, " count=\"", part.faces.count(), "\">"));
    w.input("VERTEX", vertices, Some(0), None);
    let (uvs, colors) = (present(&part.uvs).count(), present(&part.colors).count());
    let is_plain = part.normals.is_empty() && (is_target || uvs + colors == 0);
    // Of the first part, all lists have the same indices.
    let own = usize::from(first > 0 && !is_plain);
    if !part.normals.is_empty() {
        w.input("NORMAL", &format!("{id}-normals"), Some(own), None);
    }
    for (set, _) in present(&part.uvs).filter(|_| !is_target) {
        w.input("TEXCOORD", &format!("{id}-uv{set}"), Some(own), Some(set));
    }
    for (set, _) in present(&part.colors).filter(|_| !is_target) {
        w.input("COLOR", &format!("{id}-color{set}"), Some(own), Some(set));
    }
    if has_tangents(part) && !is_target {
        w.input("TEXTANGENT", &format!("{id}-tangents"), Some(own), Some(0));
        w.input("TEXBINORMAL", &format!("{id}-binormals"), Some(own), Some(0));
    }
    if let Faces::Polygons { starts, .. } = &part.faces {
        let counts = Numbers(starts.windows(2).map(|pair| pair[1] - pair[0]));
        w.leaf(("<vcount>", counts, "</vcount>"));
    }
    let corners = part.faces.corners().iter();
    let corner = |&c: &u32| (c + first as u32, (own > 0).then_some((" ", c)));
    w.leaf(("<p>", Numbers(corners.map(corner)), "</p>"));
    w.close(tag);
}
