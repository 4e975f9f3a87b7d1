//! The sum over a file's numbers, as in the baselines: two readers with the same sum have read the same numbers.

use ligament::formats::ReadOptions;
use ligament::formats::{amo, apg, qmsh_tmp};
use ligament::report::Report;
use std::path::Path;

pub fn of(path: &Path) -> f64 {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (options, mut report) = (ReadOptions::default(), Report::default());
    let sum = match path.extension().and_then(|e| e.to_str()) {
        Some("apg") => apg::Document::parse(&bytes, &options, &mut report).map(|d| self::apg(&d)),
        Some("amo") => amo::Document::parse(&bytes, &options, &mut report).map(|d| self::amo(&d)),
        _ => qmsh_tmp::Document::parse(&bytes, &options, &mut report).map(|d| self::qmsh_tmp(&d)),
    };
    sum.unwrap_or_else(|failure| panic!("{failure:?}: {:?}", report.diagnostics().first()))
}

fn add<'v>(values: impl IntoIterator<Item = &'v f32>) -> f64 {
    values.into_iter().map(|&value| f64::from(value)).sum()
}

fn apg(document: &apg::Document) -> f64 {
    let vertices = &document.vertices;
    let vectors = vertices.positions.iter().chain(&vertices.normals).chain(&vertices.colors);
    let channels = document.animations.iter().flat_map(|animation| &animation.channels);
    let keys = channels.map(|channel| {
        let values: f64 = match &channel.values {
            apg::Values::Translation(v) | apg::Values::Scale(v) => v.iter().map(|v| add(v.as_ref())).sum(),
            apg::Values::Rotation(v) => v.iter().map(|v| add(&v.to_array())).sum(),
        };
        values + add(channel.times.iter())
    });
    vectors.map(|v| add(v.as_ref())).sum::<f64>()
        + vertices.uvs.iter().map(|v| add(v.as_ref())).sum::<f64>()
        + vertices.tangents.iter().map(|v| add(v.as_ref())).sum::<f64>()
        + vertices.bones.iter().map(|&bone| f64::from(bone)).sum::<f64>()
        + add(&vertices.weights)
        + add(document.root_transform.iter().flatten())
        + add(document.offsets.iter().flatten())
        + keys.sum::<f64>()
}

fn qmsh_tmp(document: &qmsh_tmp::Document) -> f64 {
    let meshes = document.objects.iter().filter_map(|object| match object {
        qmsh_tmp::Object::Mesh(mesh) => Some(mesh),
        _ => None,
    });
    let meshes = meshes.map(|mesh| {
        let corner = |c: &qmsh_tmp::Corner| f64::from(c.vertex) + add(c.uv.as_ref());
        let weights = mesh.groups.iter().flat_map(|group| &group.weights);
        mesh.vertices.iter().map(|v| add(v.as_ref())).sum::<f64>()
            + mesh.faces.corners.iter().map(corner).sum::<f64>()
            + weights.map(|&(vertex, weight)| f64::from(vertex) + f64::from(weight)).sum::<f64>()
    });
    let channels = document.actions.iter().flat_map(|action| &action.channels);
    let keys = channels.flat_map(|channel| &channel.curves).flat_map(|curve| &curve.keys);
    meshes.sum::<f64>() + add(keys.flatten())
}

/// With corners as stored in the file: except in the counted dialect, the first three indices count from 1.
fn amo(document: &amo::Document) -> f64 {
    let ones = if document.dialect == amo::Dialect::Counted { 0.0 } else { 3.0 };
    let models = document.models.iter().map(|model| {
        let corner = |c: &amo::Corner| [c.position, c.uv, c.normal, c.joints, c.weights].map(i64::from);
        let corners = model.faces.corners.iter().map(|&v| corner(&model.vertices[v as usize]));
        let keys = model.clips.iter().map(|clip| match &clip.keys {
            amo::Keys::Single(keys) => keys.iter().map(single_key).sum::<f64>(),
            amo::Keys::Poses(poses) => poses.iter().flat_map(|pose| &pose.joints).map(joint_pose).sum(),
        });
        add(model.positions.iter().chain(&model.normals).flatten())
            + add(model.uvs.iter().flatten())
            + model.joint_sets.iter().flatten().map(|&j| f64::from(j)).sum::<f64>()
            + add(model.weight_sets.iter().flatten())
            + corners.map(|c| c.iter().sum::<i64>() as f64 + ones).sum::<f64>()
            + keys.sum::<f64>()
    });
    models.sum()
}

fn single_key(key: &amo::Key) -> f64 {
    let value = match &key.value {
        amo::KeyValue::Position(v) => add(v),
        amo::KeyValue::Rotation(v) => add(v),
    };
    f64::from(key.time) + f64::from(key.joint) + value
}

fn joint_pose(pose: &amo::JointPose) -> f64 {
    f64::from(pose.joint) + add(&pose.position) + add(&pose.rotation)
}
