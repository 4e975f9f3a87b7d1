//! One of the files that are shown.

use crate::clock::{Clock, Score};
use crate::open::{Broken, Opened};
use crate::outline::{Hidden, Outline};
use crate::pictures::Pictures;
use crate::trial::Trial;
use ligament::Scene;
use ligament::internal::shown;
use ligament::pose::Pose;
use ligament::scene::{Clip, MaterialId, NodeId};
use ligament_render::{Notes, Picture, Seen, Selected, Side, Stage, shared_prefix};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Vertices posed to find the box around a clip, few enough to be instant.
const MOST_VERTICES: usize = 3_000_000;

/// A file, its last good model, and the error of the last attempt to read it.
#[derive(Default)]
pub struct Slot {
    /// Its path.
    pub path: PathBuf,
    /// The number of the job that reads it.
    pub loading: Option<u64>,
    /// The last model that loaded.
    pub opened: Option<Box<Opened>>,
    /// The path of that model's file.
    pub opened_path: PathBuf,
    /// Notes about its last picture.
    pub notes: Notes,
    /// Why the last attempt to read it failed.
    pub broken: Option<Box<Broken>>,
    /// The number of times that it has been read.
    pub times_read: u64,
    /// What comes before the own part of most joints' names, such as `mixamorig:`.
    pub prefix: String,
    /// Its tree.
    pub outline: Outline,
    /// The folded rows of the tree.
    pub folded: HashSet<usize>,
    /// The hidden objects.
    pub hidden: Hidden,
    /// For each node, whether it is hidden.
    pub hidden_nodes: Vec<bool>,
    /// For each material, whether it is hidden.
    pub hidden_materials: Vec<bool>,
    /// The facts of its clips.
    pub scores: Vec<Arc<Score>>,
    /// Its stage.
    pub stage: Option<Stage>,
    /// What was changed by hand.
    pub trial: Trial,
    /// Its images, once they are asked for.
    pub pictures: Pictures,
    /// The layout of texture coordinates that was drawn last, and for which texture.
    pub layout: Option<((MaterialId, usize), Arc<Picture>)>,
}

impl Slot {
    /// A file that has not been read yet.
    pub fn new(path: PathBuf) -> Self {
        Self { path, ..Self::default() }
    }

    /// Switches to another file; the old model stays until the new one has loaded.
    pub fn in_place_of(old: Option<Self>, path: PathBuf) -> Self {
        let old = old.unwrap_or_default();
        Self { path, loading: None, broken: None, times_read: 0, ..old }
    }

    /// The file's name, safe to show.
    pub fn name(&self) -> String {
        name_of(&self.path)
    }

    /// The name of the file that is still shown, if the current one has not loaded.
    pub fn seen_instead(&self) -> Option<String> {
        let is_other = self.opened.is_some() && self.opened_path != self.path;
        is_other.then(|| name_of(&self.opened_path))
    }

    /// The scene as drawn.
    pub fn scene(&self) -> Option<&Scene> {
        self.opened.as_ref().map(|opened| opened.model.scene())
    }

    /// Takes a new model. Hidden objects stay hidden if the outline is the same.
    pub fn take(&mut self, opened: Box<Opened>) {
        let same = self.scene().is_some_and(|old| same_things(old, opened.model.scene()));
        let scene = opened.model.scene();
        self.outline = Outline::of(scene);
        let names: Vec<&str> = scene
            .skins
            .iter()
            .flat_map(|skin| &skin.joints)
            .map(|id| scene.nodes[id.index()].name.as_str())
            .collect();
        self.prefix = shared_prefix(&names).to_owned();
        self.scores = scene.clips.iter().map(|clip| Arc::new(Score::of(clip))).collect();
        if !same {
            self.hidden.clear();
            self.folded.clear();
            self.trial = Trial::default();
        }
        (self.pictures, self.layout) = (Pictures::default(), None);
        self.opened = Some(opened);
        self.opened_path = self.path.clone();
        self.broken = None;
        self.times_read += 1;
        self.after_hiding();
    }

    /// Updates the hidden nodes and materials.
    pub fn after_hiding(&mut self) {
        if let Some(opened) = &self.opened {
            self.hidden_nodes = self.hidden.nodes(opened.model.scene());
            self.hidden_materials = self.hidden.materials(opened.model.scene());
        }
    }

    /// Computes the box around a clip, or around the rest pose.
    pub fn set_stage(&mut self, clip: Option<usize>) {
        let Some(opened) = &self.opened else { return };
        let scene = opened.model.scene();
        let clip = clip.and_then(|clip| scene.clips.get(clip));
        let seen = Seen { joints: true, ..Seen::default() };
        self.stage = Some(Stage::new(scene, poses(scene, clip), Side::Front, 1.0, seen));
    }

    /// The pose at a time of a clip.
    pub fn pose(&self, clip: Option<usize>, time: f64) -> Option<Pose> {
        let scene = self.scene()?;
        let clip = clip.and_then(|clip| scene.clips.get(clip));
        let mut pose = match clip {
            Some(clip) => Pose::at(scene, clip, time as f32),
            None => Pose::rest(scene),
        };
        self.trial.apply(scene, clip, time as f32, &mut pose);
        Some(pose)
    }

    /// The index of the clip with a name.
    pub fn clip_named(&self, name: &str) -> Option<usize> {
        self.scores.iter().position(|score| score.name == name)
    }

    /// Plays one of its clips.
    pub fn choose(&self, clip: Option<usize>, clock: &mut Clock) {
        let score = clip.and_then(|clip| Some((clip, Arc::clone(self.scores.get(clip)?))));
        clock.choose(score);
    }

    /// Whether a changed file is one of those it was read from.
    pub fn depends_on(&self, changed: &Path) -> bool {
        let beside = self.opened.as_ref().map(|opened| &opened.beside);
        same_file(&self.path, changed)
            || beside.is_some_and(|beside| beside.iter().any(|path| same_file(path, changed)))
    }

    /// The joint with the largest total weight, shown when no joint is selected.
    pub fn main_joint(&self) -> Option<NodeId> {
        let scene = self.scene()?;
        let mut pulls = vec![0.0_f64; scene.nodes.len()];
        for node in &scene.nodes {
            let skin = node.skin.and_then(|skin| scene.skins.get(skin.index()));
            let mesh = node.mesh.and_then(|mesh| scene.meshes.get(mesh.index()));
            let (Some(skin), Some(mesh)) = (skin, mesh) else { continue };
            for pair in mesh.parts.iter().flat_map(|part| part.influences.pairs()) {
                let joint = skin.joints.get(pair.joint as usize);
                if let Some(pull) = joint.and_then(|joint| pulls.get_mut(joint.index())) {
                    *pull += f64::from(pair.weight);
                }
            }
        }
        let most = pulls.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        most.filter(|(_, pull)| **pull > 0.0).map(|(node, _)| NodeId::new(node))
    }

    /// An object's display name.
    pub fn label(&self, what: Selected) -> Option<String> {
        let row = self.outline.row(self.outline.find(what)?)?;
        Some(row.label.clone())
    }
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    shown::safe(&name.to_string_lossy())
}

/// A few poses of a clip, or the rest pose.
fn poses<'a>(scene: &'a Scene, clip: Option<&'a Clip>) -> Box<dyn Iterator<Item = Pose> + 'a> {
    let rest = std::iter::once_with(|| Pose::rest(scene));
    let Some(clip) = clip else { return Box::new(rest) };
    let count = (MOST_VERTICES / scene.vertex_count().max(1)).clamp(3, 24);
    let at = move |i: usize| clip.duration * i as f32 / (count - 1) as f32;
    Box::new((0..count).map(move |i| Pose::at(scene, clip, at(i))))
}

/// Whether the nodes, meshes and materials of two scenes have the same names.
fn same_things(a: &Scene, b: &Scene) -> bool {
    a.nodes.len() == b.nodes.len()
        && a.nodes.iter().zip(&b.nodes).all(|(a, b)| a.name == b.name && a.parent == b.parent)
        && a.meshes.iter().map(|mesh| &mesh.name).eq(b.meshes.iter().map(|mesh| &mesh.name))
        && a.materials.iter().map(|m| &m.name).eq(b.materials.iter().map(|m| &m.name))
}

/// Whether two paths lead to the same file, even if it does not exist at the moment.
fn same_file(a: &Path, b: &Path) -> bool {
    let folder = |path: &Path| {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        folder.canonicalize().ok()
    };
    a.file_name() == b.file_name() && (a == b || folder(a).is_some_and(|own| folder(b) == Some(own)))
}
