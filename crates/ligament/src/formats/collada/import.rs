//! XML to scene: what all modules share, and the order in which the file is read.

use super::animation::Driven;
use super::codes;
use super::ids::{Ids, Sids};
use super::image::Pictures;
use super::material::Surfaces;
use super::mesh::MeshKey;
use super::outline::Outline;
use super::xml::{Xml, child, children, tag, word};
use crate::Limits;
use crate::limits::Budget;
use crate::pose::OwnMotion;
use crate::report::{Code, Failure, Loss, Place, Report, Severity};
use crate::scene::{MeshId, NodeId, Scene};
use crate::text::Lines;
use glam::{DMat3, DQuat, DVec3};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Copies of geometry and baked keys may make the scene this many times as large as the file, plus a constant.
const EXPANSION: u64 = 20;
const EXPANSION_FLOOR: u64 = 32 << 20;

/// The state of an import.
pub(super) struct Import<'d, 'r> {
    pub root: Xml<'d>,
    pub ids: Ids<'d>,
    /// Empty without animations.
    pub sids: Sids<'d>,
    /// The text, and the lists that were removed from the XML tree.
    pub outline: &'d Outline<'d>,
    lines: Lines<'d>,
    pub report: &'r mut Report,
    pub scene: Scene,
    /// The motion that the scene's clips follow.
    pub own: OwnMotion,
    pub limits: Limits,
    /// Metres per unit.
    pub unit: f64,
    /// Rotates the file's axes to the scene's.
    pub upright: DMat3,
    /// Float arrays that have been read.
    pub arrays: HashMap<roxmltree::NodeId, Rc<Vec<f32>>>,
    /// The nodes created from an element: several if it is instanced.
    pub placed: HashMap<roxmltree::NodeId, Vec<NodeId>>,
    pub meshes: HashMap<MeshKey, MeshId>,
    pub surfaces: Surfaces<'d>,
    pub pictures: Pictures<'r>,
    pub driven: Driven,
    /// Bytes that copies and baked keys may still take.
    budget: Budget,
    /// Elements whose broken references have been reported.
    pub warned: HashSet<roxmltree::NodeId>,
    /// Library elements that something uses.
    pub used: HashSet<roxmltree::NodeId>,
    /// Whether decimal commas have been reported.
    pub has_commas: bool,
}

/// Converts a parsed file to a scene.
pub(super) fn import<'d>(
    document: &'d roxmltree::Document<'d>,
    outline: &'d Outline<'d>,
    name: String,
    pictures: Pictures<'_>,
    limits: Limits,
    report: &mut Report,
) -> Result<(Scene, OwnMotion), Failure> {
    let root = document.root_element();
    let text = outline.whole;
    let mut import = Import {
        root,
        ids: Ids::default(),
        sids: Sids::default(),
        outline,
        lines: Lines::new(text.as_bytes()),
        report,
        scene: Scene { name, ..Scene::default() },
        own: OwnMotion::default(),
        limits,
        unit: 1.0,
        upright: DMat3::IDENTITY,
        arrays: HashMap::new(),
        placed: HashMap::new(),
        meshes: HashMap::new(),
        surfaces: Surfaces::default(),
        pictures,
        driven: Driven::default(),
        budget: Budget::within(&limits, text.len() as u64, EXPANSION, EXPANSION_FLOOR),
        warned: HashSet::new(),
        used: HashSet::new(),
        has_commas: false,
    };
    import.collect_ids();
    import.asset();
    import.everything()
}

impl<'d> Import<'d, '_> {
    fn everything(mut self) -> Result<(Scene, OwnMotion), Failure> {
        self.unread();
        self.find_channels();
        let instances = self.visual_scene();
        self.instances(instances);
        self.unused();
        self.clips();
        self.report.check().map(|()| (self.scene, self.own))
    }

    fn collect_ids(&mut self) {
        let (mut twice, mut first) = (0, None);
        // Outermost ones, outside effects.
        let (mut extras, mut inside) = (Vec::new(), 0);
        for node in self.root.descendants().filter(|n| n.is_element()) {
            if let Some(id) = node.attribute("id").filter(|id| !id.is_empty())
                && !self.ids.add(id, node)
            {
                twice += 1;
                first = first.or(Some(node));
            }
            if matches!(tag(node), "extra" | "effect") {
                let range = node.range();
                if tag(node) == "extra" && range.start >= inside {
                    extras.push(node);
                }
                inside = inside.max(range.end);
            }
        }
        if let Some(node) = first {
            let id = node.attribute("id").unwrap_or("");
            let message = match twice {
                1 => format!(
                    "the id {id:?} is used twice; references refer to the first element of their kind"
                ),
                _ => format!(
                    "{twice} ids are used more than once, the first of them {id:?}; references refer to the first element of their kind"
                ),
            };
            self.warning(&codes::DUPLICATE_ID, node, message);
        }
        self.count_extras(&extras);
    }

    /// Reads the unit and up axis of the whole file.
    fn asset(&mut self) {
        let Some(asset) = child(self.root, "asset") else { return };
        if let Some(unit) = child(asset, "unit") {
            let stated = unit.attribute("meter").map(str::trim);
            match stated.map(attribute_number) {
                None => {}
                Some(Some(meter)) if meter > 0.0 && (meter as f32).is_normal() => self.unit = meter,
                Some(_) => {
                    let message =
                        format!("a unit of {:?} metres is not valid; 1 is used", stated.unwrap_or(""));
                    self.warning(&codes::UNIT, unit, message);
                }
            }
        }
        let Some(up) = child(asset, "up_axis") else { return };
        self.upright = match word(up).as_str() {
            "Y_UP" | "" => DMat3::IDENTITY,
            "Z_UP" => DMat3::from_cols(DVec3::X, DVec3::NEG_Z, DVec3::Y),
            "X_UP" => DMat3::from_cols(DVec3::Y, DVec3::NEG_X, DVec3::Z),
            other => {
                let message = format!("{other:?} is not an up axis; Y_UP is used");
                self.warning(&codes::UNIT, up, message);
                DMat3::IDENTITY
            }
        };
        let own = self.root.descendants().filter(|n| {
            n.is_element()
                && tag(*n) == "asset"
                && *n != asset
                && (child(*n, "unit").is_some() || child(*n, "up_axis").is_some())
        });
        if let Some(first) = own.into_iter().next() {
            let message =
                "units and axes of individual elements are ignored; those of the whole file are used";
            self.report.note(&codes::UNIT, self.place(first), message);
        }
    }

    /// Reports kinds of content that a scene cannot hold.
    fn unread(&mut self) {
        for (library, item, what) in [
            ("library_physics_scenes", "physics_scene", "physics scenes"),
            ("library_physics_models", "physics_model", "physics models"),
            ("library_physics_materials", "physics_material", "physics materials"),
            ("library_force_fields", "force_field", "force fields"),
            ("library_kinematics_models", "kinematics_model", "kinematics"),
            ("library_kinematics_scenes", "kinematics_scene", "kinematics scenes"),
            ("library_articulated_systems", "articulated_system", "articulated systems"),
            ("library_joints", "joint", "kinematic joints"),
            ("library_formulas", "formula", "formulas"),
        ] {
            let count = self.library(library, item).count();
            self.lose(&codes::UNREAD, "", count, format!("{what} are not read"));
        }
    }

    /// The elements of one kind, over all libraries of that kind.
    pub fn library(
        &self,
        library: &'static str,
        item: &'static str,
    ) -> impl Iterator<Item = Xml<'d>> + use<'d> {
        children(self.root, library).flat_map(move |l| children(l, item))
    }

    /// The rotation from the file's axes to the scene's.
    pub fn upright_rotation(&self) -> DQuat {
        DQuat::from_mat3(&self.upright).normalize()
    }

    /// Whether anything is still kept that has a place.
    fn keeps_places(&self) -> bool {
        Severity::ALL.iter().any(|&severity| self.report.keeps(severity))
    }

    /// The place where an element starts.
    pub fn place(&self, node: Xml<'d>) -> Place {
        if !self.keeps_places() {
            return Place::WHOLE;
        }
        let start = self.outline.whole_offset(node.range().start);
        self.lines.place(start..start + 1 + tag(node).len())
    }

    /// The place of a byte in an element's text.
    pub fn place_in(&self, node: Xml<'d>, offset: usize) -> Place {
        let inner = node.children().find(|n| n.is_text()).map(|n| n.range());
        match inner.filter(|_| self.keeps_places()) {
            Some(range) => {
                let [start, end] = [range.start, range.end].map(|at| self.outline.whole_offset(at));
                let at = (start + offset).min(end);
                self.lines.place(at..at)
            }
            None => self.place(node),
        }
    }

    pub fn error(&mut self, code: &'static Code, node: Xml<'d>, message: impl Into<String>) {
        let place = self.place(node);
        self.report.error(code, place, message);
    }

    pub fn warning(&mut self, code: &'static Code, node: Xml<'d>, message: impl Into<String>) {
        let place = self.place(node);
        self.report.warning(code, place, message);
    }

    /// Reports a loss, if anything is lost.
    pub fn lose(
        &mut self,
        code: &'static Code,
        object: impl Into<String>,
        count: usize,
        message: impl Into<String>,
    ) {
        self.report.loss(Loss::dropped(code, object, count, message));
    }

    /// Takes bytes from the budget for data that is in the file once and in the scene several times.
    pub fn spend(&mut self, bytes: usize, node: Xml<'d>) -> Option<()> {
        let Err(exceeded) = self.budget.spend(bytes as u64) else { return Some(()) };
        if exceeded.is_first {
            let what = "copies of what is instanced, and baked keys";
            self.report.push(exceeded.error(&codes::TOO_BIG, self.place(node), what));
        }
        None
    }
}

/// Parses a number in an attribute.
pub(super) fn attribute_number(text: &str) -> Option<f64> {
    let text = text.trim().replace(',', ".");
    crate::text::parse_f64(text.as_bytes()).ok()
}
