//! Clips from other files, as Mixamo delivers them: one model, and a file for each of its motions.

use super::carry::{Carried, Carrier};
use super::clips::Clips;
use super::codes;
use super::files::{Asked, all};
use super::gauge::{EXACT, Gauge, percent};
use super::joints::{matched, some_names};
use super::other::read_other;
use super::retarget::Retarget;
use super::rig_codes;
use crate::compare::Model;
use crate::formats::ReadOptions;
use crate::passes::deviation::UNIT;
use crate::pose::OwnClip;
use crate::progress::Progress;
use crate::report::{Failure, Loss, Place, Report};
use crate::scene::{Clip, NodeId, Scene};
use crate::text::UniqueNames;
use std::path::Path;

/// A joint that points elsewhere by less than this is where it should be, in degrees.
const SAME_DIRECTION: f64 = 0.01;
/// How many joints a message names.
const MOST_NAMED: usize = 8;

/// How files are read, and which are not read although a pattern matches them.
pub(crate) struct Around<'a> {
    pub(crate) read: &'a ReadOptions,
    pub(crate) progress: &'a Progress,
    /// The conversion's input and output.
    pub(crate) others: &'a [&'a Path],
}

/// Adds the clips of another scene, whose joints are found by name. If `file` is where it is from, clips whose names say
/// nothing are called after it. Each clip is posed on both rigs, and the report says how far apart they are. If nothing
/// matches, that is an error ([`Failure::Usage`]), and nothing is added.
///
/// ```no_run
/// use ligament::compare::Model;
/// use ligament::passes::operations::merge_clips;
///
/// let (mut model, mut report) = ligament::read("hero.fbx", &Default::default())?;
/// let (walk, _) = ligament::read("walk.fbx", &Default::default())?;
/// merge_clips(&mut model, Model::from(&walk), Some("walk.fbx".as_ref()), &mut report).expect("the same joints");
/// # Ok::<(), ligament::Error>(())
/// ```
pub fn merge_clips(
    scene: &mut Scene,
    from: Model<'_>,
    file: Option<&Path>,
    report: &mut Report,
) -> Result<(), Failure> {
    let (gauge, mut names) = (Gauge::of(scene), names_of(scene));
    let from = Motions { model: from, file, is_named: true, map: None };
    Clips { scene, own: &mut None, report, fps: None }.add_scene(&from, &gauge, &mut names)
}

fn names_of(scene: &Scene) -> UniqueNames<String> {
    let mut names = UniqueNames::default();
    for clip in &scene.clips {
        names.insert(clip.name.clone());
    }
    names
}

/// Where clips are taken from.
struct Motions<'a> {
    model: Model<'a>,
    file: Option<&'a Path>,
    /// Whether it was named itself, and not found by a pattern.
    is_named: bool,
    /// Which joints belong together, if not those of one name.
    map: Option<&'a Retarget>,
}

impl Clips<'_> {
    /// Adds the clips of other files.
    pub(super) fn add_from(
        &mut self,
        words: &[String],
        map: Option<&str>,
        around: &Around<'_>,
    ) -> Result<(), Failure> {
        let files = all(words, around.others).map_err(|message| {
            self.report.error(&codes::BAD_OPERATION, Place::WHOLE, message);
            Failure::Usage
        })?;
        let file = self.report.file().to_owned();
        let mut names = names_of(self.scene);
        let limits = &around.read.limits;
        let map = map.map(|map| Retarget::read(map, self.scene, limits, self.report)).transpose()?;
        let gauge = Gauge::of(self.scene);
        for asked in &files {
            around.progress.check(self.report)?;
            let added = self.add_file(asked, map.as_ref(), around, &gauge, &mut names);
            self.report.set_file(&file);
            added?;
        }
        Ok(())
    }

    fn add_file(
        &mut self,
        asked: &Asked,
        map: Option<&Retarget>,
        around: &Around<'_>,
        gauge: &Gauge,
        names: &mut UniqueNames<String>,
    ) -> Result<(), Failure> {
        let read = read_other(&asked.path, around, self.report)?;
        self.report.set_file(&asked.path.display().to_string());
        let from = Motions { model: read.model(), file: Some(&asked.path), is_named: asked.is_named, map };
        self.add_scene(&from, gauge, names)
    }

    fn add_scene(
        &mut self,
        from: &Motions<'_>,
        gauge: &Gauge,
        names: &mut UniqueNames<String>,
    ) -> Result<(), Failure> {
        let Model { scene: others, own } = from.model;
        let pairs = match from.map {
            Some(map) => map.of(others, self.report)?,
            None => matched(others, self.scene),
        };
        let carrier = Carrier::new(others, self.scene, &pairs);
        let chosen = with_motion(others);
        if chosen.is_empty() || !chosen.iter().any(|&clip| carrier.carries(&others.clips[clip])) {
            let message = match chosen.is_empty() {
                true => "the file has no clips to take".to_owned(),
                false => nothing_matches(others, self.scene),
            };
            if from.is_named {
                self.report.error(&codes::NO_COUNTERPART, Place::WHOLE, message);
                return Err(Failure::Usage);
            }
            self.report.warning(&codes::NO_COUNTERPART, Place::WHOLE, message + "; it is left out");
            return Ok(());
        }
        let shown = from.file.map_or("the other model".to_owned(), |file| file.display().to_string());
        let stem = from.file.and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
        for &clip in &chosen {
            let mut carried = carrier.carry(clip, own, self.scene, gauge);
            carried.clip.name = name(&others.clips[clip], stem.as_deref(), names);
            match from.map {
                Some(_) => self.tell_measured(&carried, &shown),
                None => self.tell(&carried, others, &shown),
            }
            if let Some(own) = self.own.as_mut() {
                own.push(OwnClip::of_tracks());
            }
            self.scene.clips.push(carried.clip);
        }
        Ok(())
    }

    fn tell(&mut self, carried: &Carried, from: &Scene, file: &str) {
        let object = carried.clip.label(self.scene.clips.len());
        let joints = crate::report::counted(carried.joints, "joint", "joints");
        let (angle, apart) = (carried.degrees, carried.apart);
        let message = format!(
            "from {file}, carried by {joints}; posed on both, they point within {} of each other and are within {} of the model's size",
            angle_text(angle),
            percent(apart)
        );
        self.report.loss(match apart <= EXACT && angle <= SAME_DIRECTION {
            true => Loss::kept(&codes::CLIPS_FROM, object.as_str(), 1, message),
            false => Loss::approximated(&codes::CLIPS_FROM, object.as_str(), 1, apart, UNIT, message),
        });
        if !carried.unmatched.is_empty() {
            let names = some_names(from, &carried.unmatched, MOST_NAMED);
            let message = format!("the model has no joints called {names}, which move in {file}");
            self.report.loss(Loss::dropped(&codes::UNMATCHED, object, carried.unmatched.len(), message));
        }
    }
}

impl Clips<'_> {
    /// What was measured of a clip for a rig that is not its own.
    fn tell_measured(&mut self, carried: &Carried, file: &str) {
        let object = carried.clip.label(self.scene.clips.len());
        let joints = crate::report::counted(carried.joints, "joint points", "joints point");
        let ends = some_names(self.scene, &carried.ends, MOST_NAMED);
        let message = format!(
            "from {file}, by the map; measured, not proven: {joints} within {} of the source's, and the ends ({ends}) are within {} of the model's size from where the source has them, in proportion to the rigs' sizes",
            angle_text(carried.degrees),
            percent(carried.ends_apart)
        );
        let size = carried.ends_apart;
        self.report.loss(Loss::approximated(&rig_codes::RETARGETED, object, 1, size, UNIT, message));
    }
}

/// The clips that move anything; all, if none does.
fn with_motion(scene: &Scene) -> Vec<usize> {
    let moves = |clip: &Clip| clip.tracks.iter().any(|track| track.times.len() > 1);
    let moving: Vec<usize> = (0..scene.clips.len()).filter(|&i| moves(&scene.clips[i])).collect();
    let any: Vec<usize> = (0..scene.clips.len()).filter(|&i| !scene.clips[i].tracks.is_empty()).collect();
    if moving.is_empty() { any } else { moving }
}

fn nothing_matches(from: &Scene, to: &Scene) -> String {
    let ids: Vec<NodeId> = from.clips.iter().flat_map(|clip| &clip.tracks).map(|track| track.node).collect();
    let mut ids = ids;
    ids.sort_unstable();
    ids.dedup();
    let joints: Vec<NodeId> = to.skins.first().map(|skin| skin.joints.clone()).unwrap_or_default();
    let has = match joints.is_empty() {
        true => "the model has no joints".to_owned(),
        false => format!("the model's joints are {}", some_names(to, &joints, MOST_NAMED)),
    };
    format!("no joint of its clips ({}) is one of the model's; {has}", some_names(from, &ids, MOST_NAMED))
}

fn angle_text(degrees: f64) -> String {
    if degrees < 0.001 { "0.001°".to_owned() } else { format!("{}°", crate::report::shown::short(degrees)) }
}

/// Names that programs give to every clip.
const GENERIC: [&str; 10] = [
    "mixamo.com",
    "take 001",
    "take001",
    "unreal take",
    "animation",
    "anim",
    "scene",
    "default",
    "base layer",
    "clip",
];

fn is_generic(name: &str) -> bool {
    let lower = name.to_lowercase();
    let last = lower.rsplit('|').next().unwrap_or(&lower);
    let last = last.trim_end_matches(|c: char| c.is_ascii_digit() || "._ ".contains(c));
    name.is_empty()
        || lower.split('|').any(|part| part == "mixamo.com")
        || GENERIC.iter().any(|generic| lower == *generic || last == *generic)
        || lower.split('|').next_back() == Some("take 001")
}

/// The clip's name, or its file's where the clip's says nothing; with a number if it is taken.
fn name(clip: &Clip, stem: Option<&str>, names: &mut UniqueNames<String>) -> String {
    let wanted = match stem.filter(|stem| !stem.is_empty() && is_generic(&clip.name)) {
        Some(stem) => stem,
        None => &clip.name,
    };
    let numbered =
        |number: u64| if number == 0 { wanted.to_owned() } else { format!("{wanted} {}", number + 1) };
    let number = names.take(numbered);
    numbered(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_say_nothing_are_replaced_by_the_files() {
        let mut names = UniqueNames::default();
        names.insert("walk".to_owned());
        let mut named = |clip: &str| {
            let clip = Clip { name: clip.into(), ..Clip::default() };
            name(&clip, Some("walk"), &mut names)
        };
        assert_eq!(named("mixamo.com"), "walk 2");
        assert_eq!(named("Armature|mixamo.com|Layer0"), "walk 3");
        assert_eq!(named("Take 001"), "walk 4");
        assert_eq!(named("Animation0"), "walk 5");
        assert_eq!(named("Run"), "Run");
        assert_eq!(named("Run"), "Run 2");
    }
}
