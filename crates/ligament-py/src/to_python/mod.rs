//! Makes objects of the package's classes from a scene. Arrays are moved, not copied.

mod clips;
mod materials;
mod meshes;

use crate::arrays;
use crate::values::object_to_python;
use ligament::Scene;
use ligament::scene::{Camera, Extras, Light, LightKind, Local, Node, Projection, Skin};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyTuple};
use std::f64::consts::FRAC_PI_4;
use std::path::Path;

type Object<'py> = Bound<'py, PyAny>;

/// The package's classes for the objects of a scene.
pub struct Classes {
    influences: Py<PyAny>,
    faces: Py<PyAny>,
    morph_deltas: Py<PyAny>,
    part: Py<PyAny>,
    morph: Py<PyAny>,
    mesh: Py<PyAny>,
    node: Py<PyAny>,
    skin: Py<PyAny>,
    track: Py<PyAny>,
    frames: Py<PyAny>,
    clip: Py<PyAny>,
    uv_transform: Py<PyAny>,
    texture_ref: Py<PyAny>,
    phong: Py<PyAny>,
    specular: Py<PyAny>,
    pbr: Py<PyAny>,
    material: Py<PyAny>,
    texture: Py<PyAny>,
    image: Py<PyAny>,
    perspective: Py<PyAny>,
    orthographic: Py<PyAny>,
    camera: Py<PyAny>,
    light: Py<PyAny>,
    pub posed_part: Py<PyAny>,
    pub pose: Py<PyAny>,
}

impl Classes {
    /// The classes, looked up once.
    pub fn get(py: Python<'_>) -> PyResult<&'static Self> {
        static CLASSES: PyOnceLock<Classes> = PyOnceLock::new();
        CLASSES.get_or_try_init(py, || {
            let module = py.import("ligament")?;
            let class = |name: &str| -> PyResult<Py<PyAny>> { Ok(module.getattr(name)?.unbind()) };
            Ok(Self {
                influences: class("Influences")?,
                faces: class("Faces")?,
                morph_deltas: class("MorphDeltas")?,
                part: class("Part")?,
                morph: class("Morph")?,
                mesh: class("Mesh")?,
                node: class("Node")?,
                skin: class("Skin")?,
                track: class("Track")?,
                frames: class("Frames")?,
                clip: class("Clip")?,
                uv_transform: class("UvTransform")?,
                texture_ref: class("TextureRef")?,
                phong: class("Phong")?,
                specular: class("Specular")?,
                pbr: class("Pbr")?,
                material: class("Material")?,
                texture: class("Texture")?,
                image: class("Image")?,
                perspective: class("Perspective")?,
                orthographic: class("Orthographic")?,
                camera: class("Camera")?,
                light: class("Light")?,
                posed_part: class("PosedPart")?,
                pose: class("Pose")?,
            })
        })
    }
}

/// Makes objects. Fields are passed in the order of the classes' fields.
pub struct Giver<'py> {
    py: Python<'py>,
    classes: &'static Classes,
}

/// The package's `Pbr`.
pub fn pbr(py: Python<'_>, pbr: ligament::scene::Pbr) -> PyResult<Object<'_>> {
    Giver { py, classes: Classes::get(py)? }.pbr(pbr)
}

/// The number of fields of the package's `Scene`.
pub const SCENE_FIELDS: usize = 14;

/// The fields of the package's `Scene`.
pub fn scene<'py>(
    py: Python<'py>,
    scene: Scene,
    folder: Option<&Path>,
    report: Bound<'py, PyAny>,
) -> PyResult<[Object<'py>; SCENE_FIELDS]> {
    let giver = Giver { py, classes: Classes::get(py)? };
    Ok([
        giver.text(&scene.name)?,
        giver.list(scene.nodes, Giver::node)?,
        giver.list(scene.meshes, Giver::mesh)?,
        giver.list(scene.skins, Giver::skin)?,
        giver.list(scene.clips, Giver::clip)?,
        giver.list(scene.materials, Giver::material)?,
        giver.list(scene.textures, Giver::texture)?,
        giver.list(scene.images, Giver::image)?,
        giver.list(scene.cameras, Giver::camera)?,
        giver.list(scene.lights, Giver::light)?,
        giver.any(scene.ambient.map(tuple4))?,
        giver.extras(&scene.extras)?,
        giver.any(folder)?,
        report,
    ])
}

/// A list of the package's `Clip`s.
pub fn clips(py: Python<'_>, clips: Vec<ligament::scene::Clip>) -> PyResult<Object<'_>> {
    let giver = Giver { py, classes: Classes::get(py)? };
    giver.list(clips, Giver::clip)
}

impl<'py> Giver<'py> {
    fn make<const N: usize>(&self, class: &Py<PyAny>, fields: [Object<'py>; N]) -> PyResult<Object<'py>> {
        class.bind(self.py).call1(PyTuple::new(self.py, fields)?)
    }

    fn list<T>(
        &self,
        items: Vec<T>,
        give: impl Fn(&Self, T) -> PyResult<Object<'py>>,
    ) -> PyResult<Object<'py>> {
        let items = items.into_iter().map(|item| give(self, item)).collect::<PyResult<Vec<_>>>()?;
        Ok(PyList::new(self.py, items)?.into_any())
    }

    /// Any value with a Python type; `None` for a missing one.
    fn any<T: IntoPyObject<'py>>(&self, value: T) -> PyResult<Object<'py>> {
        value.into_bound_py_any(self.py)
    }

    fn text(&self, text: &str) -> PyResult<Object<'py>> {
        self.any(text)
    }

    fn extras(&self, extras: &Extras) -> PyResult<Object<'py>> {
        Ok(object_to_python(self.py, extras)?.into_any())
    }

    fn node(&self, node: Node) -> PyResult<Object<'py>> {
        let trs = node.local.trs().copied().unwrap_or_default();
        let matrix = match node.local {
            Local::Trs(_) => self.any(None::<()>)?,
            Local::Matrix(matrix) => arrays::adopt_matrices::<f32, _>(self.py, vec![matrix])?.get_item(0)?,
        };
        let fields = [
            self.text(&node.name)?,
            self.any(node.parent.map(|id| id.0))?,
            self.any(tuple3(trs.translation.into()))?,
            self.any(tuple4(trs.rotation.into()))?,
            self.any(tuple3(trs.scale.into()))?,
            matrix,
            self.any(node.mesh.map(|id| id.0))?,
            self.any(node.skin.map(|id| id.0))?,
            self.any(node.morph_weights)?,
            self.any(node.camera.map(|id| id.0))?,
            self.any(node.light.map(|id| id.0))?,
            self.any(node.tip.map(tuple3))?,
            self.extras(&node.extras)?,
        ];
        self.make(&self.classes.node, fields)
    }

    fn skin(&self, skin: Skin) -> PyResult<Object<'py>> {
        let joints: Vec<u32> = skin.joints.iter().map(|id| id.0).collect();
        let shape = [joints.len()];
        let fields = [
            arrays::adopt::<u32, _>(self.py, joints, &shape)?,
            arrays::adopt_matrices::<f32, _>(self.py, skin.inverse_binds)?,
            self.text(&skin.name)?,
            self.extras(&skin.extras)?,
        ];
        self.make(&self.classes.skin, fields)
    }

    fn camera(&self, camera: Camera) -> PyResult<Object<'py>> {
        let projection = match camera.projection {
            Projection::Perspective { fov_y, aspect } => {
                self.make(&self.classes.perspective, [self.any(fov_y)?, self.any(aspect)?])?
            }
            Projection::Orthographic { half_width, half_height } => {
                self.make(&self.classes.orthographic, [self.any(half_width)?, self.any(half_height)?])?
            }
        };
        let fields = [
            projection,
            self.any(camera.near)?,
            self.any(camera.far)?,
            self.text(&camera.name)?,
            self.extras(&camera.extras)?,
        ];
        self.make(&self.classes.camera, fields)
    }

    fn light(&self, light: Light) -> PyResult<Object<'py>> {
        // Other lights keep the class's default angles.
        let (kind, inner, outer) = match light.kind {
            LightKind::Directional => ("directional", 0.0, FRAC_PI_4),
            LightKind::Point => ("point", 0.0, FRAC_PI_4),
            LightKind::Spot { inner_angle, outer_angle } => ("spot", inner_angle.into(), outer_angle.into()),
        };
        let fields = [
            self.any(kind)?,
            self.any(tuple3(light.color))?,
            self.any(light.intensity)?,
            self.any(light.range)?,
            self.any(inner)?,
            self.any(outer)?,
            self.text(&light.name)?,
            self.extras(&light.extras)?,
        ];
        self.make(&self.classes.light, fields)
    }
}

fn tuple2([x, y]: [f32; 2]) -> (f32, f32) {
    (x, y)
}

fn tuple3([x, y, z]: [f32; 3]) -> (f32, f32, f32) {
    (x, y, z)
}

fn tuple4([x, y, z, w]: [f32; 4]) -> (f32, f32, f32, f32) {
    (x, y, z, w)
}
