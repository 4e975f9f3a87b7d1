//! The order in which a scene is built, and reports of what it cannot hold.

use super::numbers::Finite;
use super::read::Loaded;
use super::{AXES, AxesConversion, KEY, clips, codes, dual, materials, meshes, nodes, placed};
use crate::formats::{self, ReadOptions, owns_extras};
use crate::io::Source;
use crate::known::Known;
use crate::limits::Budget;
use crate::pose::OwnMotion;
use crate::report::{Code, Failure, Loss, Place, Report};
use crate::scene::{Extras, Scene};
use serde_json::{Value, json};
use std::sync::Arc;

/// Minimum memory for arrays that the file does not contain, however small the file is.
const LEAST_BUDGET: u64 = 256 << 10;

/// State shared by all steps.
pub(super) struct Import<'f, 's, 'r> {
    pub(super) fbx: &'f ufbx::SceneRoot,
    pub(super) source: &'f Source<'s>,
    pub(super) report: &'r mut Report,
    pub(super) scene: Scene,
    /// The skins of the scene.
    pub(super) known_skins: Known,
    /// The same file as `fbx`, for functions that outlive the import.
    pub(super) shared: &'f Arc<ufbx::SceneRoot>,
    /// The motion that the scene's clips follow.
    pub(super) own: OwnMotion,
    /// Converts numbers and counts those that were not finite.
    pub(super) finite: Finite,
    /// Memory for arrays that a file can request without containing them.
    pub(super) budget: Budget,
    /// Scene units per file unit, where `ufbx` does not convert lengths.
    pub(super) length_scale: f64,
}

/// Converts a parsed file to a scene.
pub(super) fn import(
    loaded: &Loaded,
    source: &Source<'_>,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<(Scene, OwnMotion), Failure> {
    let fbx = &*loaded.scene;
    let length_scale =
        if options.own.get(&AXES) == AxesConversion::Root { fbx.metadata.root_scale } else { 1.0 };
    let mut import = Import {
        fbx,
        source,
        report,
        scene: Scene { name: formats::stem(&source.name), ..Scene::default() },
        known_skins: Known::default(),
        shared: &loaded.scene,
        own: OwnMotion::default(),
        finite: Finite::default(),
        budget: Budget::within(&options.limits, loaded.weight, 16, LEAST_BUDGET),
        length_scale,
    };
    materials::import(&mut import);
    placed::import(&mut import);
    let tree = nodes::import(&mut import)?;
    let morphing = meshes::import(&mut import, &tree)?;
    clips::import(&mut import, &tree, &morphing)?;
    dual::losses(&mut import);
    import.moving_clips_first();
    import.settings();
    import.without_a_place();
    import.not_finite();
    Ok((import.scene, import.own))
}

impl Import<'_, '_, '_> {
    pub(super) fn kept(&mut self, code: &'static Code, count: usize, message: &str) {
        self.report.loss(Loss::kept(code, "", count, message));
    }

    pub(super) fn dropped(&mut self, code: &'static Code, object: &str, count: usize, message: &str) {
        self.report.loss(Loss::dropped(code, object, count, message));
    }

    /// Takes bytes from the budget; fails if there are not enough left.
    pub(super) fn spend(&mut self, bytes: u64, what: &str) -> Result<(), Failure> {
        self.budget.spend(bytes).map_err(|exceeded| {
            self.report.push(exceeded.error(&codes::MEMORY, Place::field(what), what));
            self.report.refusal()
        })
    }

    /// Some programs write a take without motion before all others, and many targets take the first clip.
    fn moving_clips_first(&mut self) {
        let clips = &mut self.scene.clips;
        let mut order: Vec<usize> = (0..clips.len()).collect();
        order.sort_by_key(|&clip| clips[clip].tracks.is_empty());
        self.own.select(&order);
        clips.sort_by_key(|clip| clip.tracks.is_empty());
    }

    /// Reads the file's information about the whole scene.
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

    /// Reports content that a scene cannot hold, with counts per kind.
    fn without_a_place(&mut self) {
        let fbx = self.fbx;
        let surfaces = fbx.nurbs_surfaces.len() + fbx.nurbs_trim_surfaces.len();
        let kinds: [(usize, &'static str); 11] = [
            (fbx.nurbs_curves.len(), "NURBS curves are not read"),
            (surfaces, "NURBS surfaces are not read; convert them to polygons before exporting"),
            (fbx.line_curves.len(), "lines are not read"),
            (fbx.procedural_geometries.len(), "procedural geometry is not read"),
            (
                fbx.lod_groups.len(),
                "all levels of detail are kept as ordinary nodes; the rule that selects one is lost",
            ),
            (fbx.constraints.len(), "constraints are not evaluated; bake them before exporting"),
            (fbx.characters.len(), "character definitions are not read"),
            (fbx.cache_deformers.len(), "vertex caches are not read; the mesh keeps its uncached shape"),
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
            let message = format!("{count} values are not finite in 32 bits; they became 0 (1 for scales)");
            self.report.warning(&codes::NOT_FINITE, Place::WHOLE, message);
        }
    }
}

/// The custom properties that a user added to an object.
pub(super) fn user_properties(props: &ufbx::Props) -> Extras {
    let own = props.props.iter().filter(|p| p.flags.has_any(ufbx::PropFlags::USER_DEFINED));
    let mut extras: Extras = own.filter_map(|prop| Some((prop.name.to_string(), value(prop)?))).collect();
    // What a format keeps for itself was written as text.
    for (_, value) in extras.iter_mut().filter(|(name, _)| owns_extras(name)) {
        if let Some(object) = value.as_str().and_then(|text| serde_json::from_str::<Extras>(text).ok()) {
            *value = Value::Object(object);
        }
    }
    extras
}

/// Numbers that JSON cannot hold are left out.
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
