use super::object::Object;
use ligament::scene::{Faces, Influence, Influences, MaterialId, Mesh, Morph, MorphDeltas, Part};
use pyo3::prelude::*;

pub(super) fn mesh(mesh: &Object<'_, '_>) -> PyResult<Mesh> {
    Ok(Mesh {
        name: mesh.text("name")?,
        parts: mesh.list("parts", "Part", part)?,
        morphs: mesh.list("morphs", "Morph", |morph| {
            Ok(Morph { name: morph.text("name")?, weight: morph.number("weight")? })
        })?,
        extras: mesh.extras()?,
    })
}

fn part(part: &Object<'_, '_>) -> PyResult<Part> {
    Ok(Part {
        material: part.index("material")?.map(MaterialId),
        positions: part.rows("positions", 3)?,
        normals: part.rows_or_none("normals", 3)?,
        tangents: part.rows_or_none("tangents", 4)?,
        uvs: part.sets("uvs", 2)?,
        colors: part.sets("colors", 4)?,
        influences: part.maybe("influences", "Influences", influences)?.unwrap_or_default(),
        faces: faces(&part.child("faces", "Faces")?)?,
        morphs: part.list("morphs", "MorphDeltas", |deltas| {
            Ok(MorphDeltas {
                positions: deltas.rows_or_none("positions", 3)?,
                normals: deltas.rows_or_none("normals", 3)?,
                tangents: deltas.rows_or_none("tangents", 3)?,
            })
        })?,
        extras: part.extras()?,
    })
}

fn faces(faces: &Object<'_, '_>) -> PyResult<Faces> {
    let kind = faces.word("kind", &["points", "lines", "triangles", "polygons"])?;
    Ok(match kind {
        "points" => Faces::Points(faces.grouped_indices("corners", 1)?),
        "lines" => Faces::Lines(faces.grouped_indices("corners", 2)?),
        "triangles" => Faces::Triangles(faces.grouped_indices("corners", 3)?),
        _ => Faces::Polygons { starts: faces.indices("starts")?, corners: faces.indices("corners")? },
    })
}

fn influences(influences: &Object<'_, '_>) -> PyResult<Influences> {
    let starts = influences.indices("starts")?;
    let joints = influences.indices("joints")?;
    let weights = influences.floats("weights")?;
    if joints.len() != weights.len() {
        let message = format!("there are {} joints and {} weights", joints.len(), weights.len());
        return Err(influences.wrong("weights", message));
    }
    let pairs: Vec<_> =
        joints.into_iter().zip(weights).map(|(joint, weight)| Influence { joint, weight }).collect();
    let end = pairs.len();
    Influences::from_raw(starts, pairs).ok_or_else(|| {
        influences.wrong(
            "starts",
            format!("starts must begin with 0, never decrease, and end with {end}, the number of pairs"),
        )
    })
}
