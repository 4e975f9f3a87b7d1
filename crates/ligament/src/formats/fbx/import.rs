//! The order in which a scene is made, and what it has no place for.

use super::numbers::Finite;
use super::read::Loaded;
use super::{AXES, AxesConversion, KEY, clips, codes, materials, meshes, nodes, placed};
use crate::formats::{self, ReadOptions};
use crate::io::Source;
use crate::limits::Budget;
use crate::report::{Code, Failure, Loss, Place, Report};
use crate::scene::{Extras, Scene};
use serde_json::{Value, json};

/// What arrays may take that the file does not have, however small it is.
const LEAST_BUDGET: u64 = 256 << 10;

/// What all steps share.
pub(super) struct Import<'f, 's, 'r> {
    pub(super) fbx: &'f ufbx::SceneRoot,
    pub(super) source: &'f Source<'s>,
    pub(super) report: &'r mut Report,
    pub(super) scene: Scene,
    /// Numbers that were not finite.
    pub(super) finite: Finite,
    /// Bytes that arrays may take which a file can ask for without having them.
    pub(super) budget: Budget,
    /// Scene units in one of the file's where `ufbx` leaves lengths alone.
    pub(super) length_scale: f64,
}

/// Turns a parsed file into a scene.
pub(super) fn import(
    loaded: &Loaded,
    source: &Source<'_>,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<Scene, Failure> {
    let fbx = &loaded.scene;
    let length_scale =
        if options.own.get(&AXES) == AxesConversion::Root { fbx.metadata.root_scale } else { 1.0 };
    let mut import = Import {
        fbx,
        source,
        report,
        scene: Scene { name: formats::stem(&source.name), ..Scene::default() },
        finite: Finite::default(),
        budget: Budget::new(loaded.weight, 16, LEAST_BUDGET),
        length_scale,
    };
    materials::import(&mut import);
    placed::import(&mut import);
    let tree = nodes::import(&mut import)?;
    let morphing = meshes::import(&mut import, &tree)?;
    clips::import(&mut import, &tree, &morphing)?;
    import.settings();
    import.without_a_place();
    import.not_finite();
    Ok(import.scene)
}

impl Import<'_, '_, '_> {
    pub(super) fn dropped(&mut self, code: &'static Code, object: &str, count: usize, message: &str) {
        if count > 0 {
            self.report.loss(Loss::dropped(code, object, count, message));
        }
    }

    /// Takes bytes from the budget; an error where there are not enough left.
    pub(super) fn spend(&mut self, bytes: u64, what: &str) -> Result<(), Failure> {
        self.budget.spend(bytes).map_err(|_| {
            let message = format!("{what} would take many times the memory that the file does");
            self.report.invalid(&codes::MEMORY, Place::field(what), message)
        })
    }

    /// What the file says about the whole scene.
    fn settings(&mut self) {
        let ambient = self.fbx.settings.ambient_color;
        let color = self.finite.vec3(ambient);
        if color != glam::Vec3::ZERO {
            self.scene.ambient = Some([color.x, color.y, color.z, 1.0]);
        }
        let creator = &self.fbx.metadata.creator;
        if !creator.is_empty() {
            self.scene.extras.insert(KEY.to_owned(), json!({ "creator": &**creator }));
        }
    }

    /// Things that the scene cannot hold, each kind with its number.
    fn without_a_place(&mut self) {
        let fbx = self.fbx;
        let surfaces = fbx.nurbs_surfaces.len() + fbx.nurbs_trim_surfaces.len();
        let kinds: [(usize, &'static str); 11] = [
            (fbx.nurbs_curves.len(), "NURBS curves are not drawn"),
            (surfaces, "NURBS surfaces are not drawn; turn them into polygons before exporting"),
            (fbx.line_curves.len(), "lines are not read"),
            (fbx.procedural_geometries.len(), "procedural geometry is not drawn"),
            (
                fbx.lod_groups.len(),
                "levels of detail are all kept as ordinary nodes; which one is shown when is lost",
            ),
            (fbx.constraints.len(), "constraints are not evaluated; bake them before exporting"),
            (fbx.characters.len(), "character definitions are not read"),
            (fbx.cache_deformers.len(), "vertex caches are not read; the mesh stands as it is without them"),
            (
                fbx.stereo_cameras.len() + fbx.camera_switchers.len(),
                "stereo cameras and camera switchers are not read",
            ),
            (fbx.audio_clips.len(), "sound is not read"),
            (fbx.markers.len(), "markers are kept as plain nodes"),
        ];
        for (count, message) in kinds {
            self.dropped(&codes::UNSUPPORTED, "", count, message);
        }
    }

    fn not_finite(&mut self) {
        let count = self.finite.replaced;
        if count > 0 {
            let message = format!(
                "values that are no finite numbers in 32 bits: {count}; they became 0 (1 for scales)"
            );
            self.report.warning(&codes::NOT_FINITE, Place::WHOLE, message);
        }
    }
}

/// The properties that a person gave to an object.
pub(super) fn user_properties(props: &ufbx::Props) -> Extras {
    let own = props.props.iter().filter(|p| p.flags.has_any(ufbx::PropFlags::USER_DEFINED));
    own.filter_map(|prop| Some((prop.name.to_string(), value(prop)?))).collect()
}

/// Numbers that JSON cannot hold have no value.
fn value(prop: &ufbx::Prop) -> Option<Value> {
    use ufbx::PropType;
    let v = &prop.value_vec4;
    let numbers = |numbers: &[f64]| numbers.iter().all(|n| n.is_finite()).then(|| json!(numbers));
    match prop.type_ {
        PropType::Boolean => Some(json!(prop.value_int != 0)),
        PropType::Integer => Some(json!(prop.value_int)),
        PropType::Number | PropType::Distance => v.x.is_finite().then(|| json!(v.x)),
        PropType::Vector
        | PropType::Color
        | PropType::Translation
        | PropType::Rotation
        | PropType::Scaling => numbers(&[v.x, v.y, v.z]),
        PropType::ColorWithAlpha => numbers(&[v.x, v.y, v.z, v.w]),
        PropType::String | PropType::DateTime => Some(json!(&*prop.value_str)),
        _ => None,
    }
}
