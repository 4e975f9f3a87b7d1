//! A scene that is posed many times.

use crate::arrays;
use crate::errors;
use crate::from_python;
use crate::to_python::Classes;
use bytemuck::Pod;
use ligament::Scene;
use ligament::pose::{Pose, PosedPart, deform, joint_matrices};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;

/// A checked snapshot of a scene.
#[pyclass(frozen)]
pub struct Snapshot(Scene);

#[pymethods]
impl Snapshot {
    #[new]
    fn new(scene: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self(from_python::checked(scene)?.0))
    }

    /// Poses the scene at a time of a clip, or at rest.
    fn pose<'py>(
        &self,
        py: Python<'py>,
        clip: Option<&Bound<'py, PyAny>>,
        time: f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        if !time.is_finite() {
            return Err(PyValueError::new_err(format!("time must be finite, not {time}")));
        }
        let clip = clip.map(|clip| self.clip(clip)).transpose()?;
        let scene = &self.0;
        let (pose, posed) = py.detach(|| {
            let pose = match clip {
                Some(clip) => Pose::at(scene, &scene.clips[clip], time as f32),
                None => Pose::rest(scene),
            };
            let posed: Vec<_> = scene.node_ids().map(|node| deform(scene, &pose, node)).collect();
            (pose, posed)
        });
        give(py, scene, pose, posed)
    }
}

impl Snapshot {
    /// A clip's index, from its index or name.
    fn clip(&self, clip: &Bound<'_, PyAny>) -> PyResult<usize> {
        let clips = &self.0.clips;
        let py = clip.py();
        if let Ok(name) = clip.extract::<String>() {
            return clips.iter().position(|clip| clip.name == name).ok_or_else(|| {
                let names = clips.iter().map(|clip| clip.name.clone()).collect();
                errors::unknown_name(py, "clip", "clips", &name, names)
            });
        }
        let number: isize = clip.extract()?;
        let counted = if number < 0 { number + clips.len() as isize } else { number };
        usize::try_from(counted).ok().filter(|index| *index < clips.len()).ok_or_else(|| {
            PyIndexError::new_err(format!("there is no clip {number}; the scene has {}", clips.len()))
        })
    }
}

fn give<'py>(
    py: Python<'py>,
    scene: &Scene,
    pose: Pose,
    posed: Vec<Vec<PosedPart>>,
) -> PyResult<Bound<'py, PyAny>> {
    let classes = Classes::get(py)?;
    let parts = PyList::empty(py);
    for (node, posed) in posed.into_iter().enumerate() {
        for (part, posed) in posed.into_iter().enumerate() {
            let fields = (
                node,
                part,
                rows(py, posed.positions, 3)?,
                rows_or_none(py, posed.normals, 3)?,
                rows_or_none(py, posed.tangents, 4)?,
            );
            parts.append(classes.posed_part.bind(py).call1(fields)?)?;
        }
    }
    let joints = PyList::empty(py);
    for skin in &scene.skins {
        joints.append(arrays::adopt_matrices::<f32, _>(py, joint_matrices(skin, &pose))?)?;
    }
    let weights = PyList::empty(py);
    for node in pose.morph_weights {
        let shape = [node.len()];
        weights.append(arrays::adopt::<f32, _>(py, node, &shape)?)?;
    }
    let nodes = arrays::adopt_matrices::<f64, _>(py, pose.globals)?;
    classes.pose.bind(py).call1((parts, nodes, joints, weights))
}

fn rows<'py, T: Pod + Send + Sync>(
    py: Python<'py>,
    data: Vec<T>,
    columns: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let shape = [data.len(), columns];
    arrays::adopt::<f32, _>(py, data, &shape)
}

fn rows_or_none<'py, T: Pod + Send + Sync>(
    py: Python<'py>,
    data: Vec<T>,
    columns: usize,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    if data.is_empty() { Ok(None) } else { rows(py, data, columns).map(Some) }
}
