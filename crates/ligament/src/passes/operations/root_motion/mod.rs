//! Root motion: the way that a character goes over the ground, out of its joint into a node above, or back.
//!
//! Motion is measured in the scene, from where the joint is at rest. What is taken from one node is put on another, so that the two
//! together are the source; each clip is posed beside it.
//!
//! | file | what |
//! |---|---|
//! | `spec.rs` | the text in which it is asked for |
//! | `place.rs` | which joint carries the motion, and which node can |
//! | `moved.rs` | the part of a motion that counts |
//! | `chain.rs` | a node with everything above it |
//! | `tracks.rs` | the tracks |

mod chain;
mod moved;
mod place;
mod spec;
mod tracks;

use super::clips::Clips;
use super::codes;
use super::gauge::{EXACT, Gauge, percent};
use super::nodes::insert_above;
use crate::motion::Side;
use crate::passes::deviation::{UNIT, moments, thin};
use crate::pose::{OwnClip, Player, Pose};
use crate::report::{Failure, Loss, Place, Remedy, shown};
use crate::scene::{Clip, NodeId, Scene};
use crate::text::UniqueNames;
use chain::Chain;
use glam::DMat4;
use moved::Moved;
use place::Company;
use spec::{RootMotion, Way};
use tracks::Shift;

/// A clip whose joint moves by less than this, as a fraction of the model's size or in radians, has no root motion.
const STILL: f64 = 1e-6;

/// The nodes between which motion goes.
#[derive(Clone, Copy)]
struct Ends {
    /// The joint.
    joint: NodeId,
    /// The node above it; `None` if the motion is removed.
    holder: Option<NodeId>,
    /// The one whose motion it is.
    source: NodeId,
}

/// What became of a clip.
struct Done {
    clip: Clip,
    /// How far any vertex is off, and at how many times that was measured.
    off: f64,
    times: usize,
    /// The longest way and the largest turn, in radians.
    far: f64,
    turned: f64,
}

impl Clips<'_> {
    /// Moves root motion as these texts say, one after the other.
    pub(super) fn root_motion(&mut self, texts: &[String]) -> Result<(), Failure> {
        for text in texts {
            let wanted =
                RootMotion::parse(text).map_err(|message| self.wrong(format!("{text:?}: {message}")))?;
            if self.scene.clips.is_empty() {
                return Err(
                    self.wrong(format!("{text:?}: the file has no clips, so nothing has root motion"))
                );
            }
            let Some(ends) = self.ends(&wanted)? else {
                for index in 0..self.scene.clips.len() {
                    self.note_still(index, &wanted, None);
                }
                continue;
            };
            self.move_motion(&wanted, ends);
        }
        Ok(())
    }

    /// Finds the nodes; `None` if nothing moves.
    fn ends(&mut self, wanted: &RootMotion) -> Result<Option<Ends>, Failure> {
        let rest = Pose::rest(self.scene);
        let size = Gauge::of(self.scene).size();
        let named = wanted.joint.as_deref().map(|name| place::named(self.scene, name)).transpose();
        let named = named.map_err(|message| self.wrong(message))?;
        let found = || place::carrier(self.scene, &rest, wanted, size);
        if wanted.way == Way::Bake {
            let ends = match named {
                // The topmost node above it that moves.
                Some(joint) => {
                    let moves = place::own_moves(self.scene, &rest, wanted);
                    let above = self.scene.ancestors(joint).filter(|id| {
                        let (far, turned) = moves[id.index()];
                        far > STILL * size || turned > STILL
                    });
                    above.last().map(|source| (source, joint))
                }
                None => found().and_then(|source| Some((source, place::receiver(self.scene, source)?))),
            };
            let Some((source, joint)) = ends else { return Ok(None) };
            let company = Company::of(self.scene, joint).below(source);
            if let Some(first) = company.iter().find(|id| **id != source).or(company.first()) {
                let [source, joint, first] = [source, joint, *first].map(|id| self.scene.node_label(id));
                let message = format!(
                    "the motion of {source:?} cannot be that of {joint:?} alone: it moves {first:?} too; name another joint, as in bake@JOINT"
                );
                return Err(self.wrong(message));
            }
            return Ok(Some(Ends { joint, holder: Some(source), source }));
        }
        let Some(joint) = named.or_else(found) else { return Ok(None) };
        if self.scene.nodes[joint.index()].local.trs().is_none() {
            return Ok(None);
        }
        if wanted.way == Way::Remove {
            return Ok(Some(Ends { joint, holder: None, source: joint }));
        }
        if let Some(holder) = Company::of(self.scene, joint).holder() {
            return Ok(Some(Ends { joint, holder: Some(holder), source: joint }));
        }
        // A clip without root motion needs no new node.
        let moves = place::own_moves(self.scene, &rest, wanted)[joint.index()];
        if moves.0 <= STILL * size && moves.1 <= STILL && Company::of(self.scene, joint).is_still_above() {
            return Ok(None);
        }
        let mut names = UniqueNames::default();
        for node in &self.scene.nodes {
            names.insert(node.name.clone());
        }
        let numbered = |n: u64| if n == 0 { "motion".to_owned() } else { format!("motion {}", n + 1) };
        let name = numbered(names.take(numbered));
        let (holder, joint) = insert_above(self.scene, self.own, joint, name);
        Ok(Some(Ends { joint, holder: Some(holder), source: joint }))
    }

    fn move_motion(&mut self, wanted: &RootMotion, ends: Ends) {
        let gauge = Gauge::of(self.scene);
        for index in 0..self.scene.clips.len() {
            let Some(done) = self.clip_without(index, wanted, ends, &gauge) else {
                self.note_still(index, wanted, Some(ends.source));
                continue;
            };
            self.report_motion(index, wanted, ends, &done, gauge.size());
            self.scene.clips[index] = done.clip;
            if let Some(own) = self.own.as_mut() {
                own.replace(index, OwnClip::of_tracks());
            }
        }
    }

    /// Makes the clip; `None` if there is no motion to move.
    fn clip_without(&self, index: usize, wanted: &RootMotion, ends: Ends, gauge: &Gauge) -> Option<Done> {
        let (scene, clip) = (&*self.scene, &self.scene.clips[index]);
        let rest = Pose::rest(scene);
        let moved = Moved::from_rest(wanted, &rest.globals[ends.source.index()]);
        let source = Chain::of(scene, &clip.tracks, ends.source);
        let (mut far, mut turned) = (0.0_f64, 0.0_f64);
        for time in source.keys() {
            let global = source.global(time, Side::After);
            far = far.max(moved.shift(&global).length());
            let turn = moved.turn(&global);
            turned = turned.max(2.0 * turn.y.abs().atan2(turn.w.abs()));
        }
        if far <= STILL * gauge.size() && turned <= STILL {
            return None;
        }
        let shift = Shift {
            scene,
            clip,
            moved: &moved,
            turns: wanted.turn,
            weight: 1.0 / gauge.size().max(f64::MIN_POSITIVE),
        };
        let tracks = shift.tracks(ends);
        let mut made = Clip { tracks, ..clip.clone() };
        made.duration = made.duration.max(made.last_key());
        let (off, times) = self.measure(index, &made, ends, &moved, gauge);
        Some(Done { clip: made, off, times, far, turned })
    }

    /// Poses the clip beside its source. Motion that was removed is put back for that.
    fn measure(
        &self,
        index: usize,
        made: &Clip,
        ends: Ends,
        moved: &Moved<'_>,
        gauge: &Gauge,
    ) -> (f64, usize) {
        let clip = &self.scene.clips[index];
        let mut times = moments(clip.tracks.iter());
        thin(&mut times, gauge.affordable(self.scene));
        let (mut source, mut result) =
            (Player::new(self.scene, self.own.as_ref()), Player::of_clip(self.scene, made));
        let way = Chain::of(self.scene, &clip.tracks, ends.source);
        let below = ends.holder.is_none().then(|| below(self.scene, ends.joint));
        let mut worst = 0.0_f64;
        for &time in &times {
            let wanted = source.pose(index, time);
            let off = match &below {
                None => gauge.apart(wanted, result.at(time)),
                Some(below) => {
                    let mut pose = result.at(time).clone();
                    let back: DMat4 = moved.matrix(&way.global(f64::from(time), Side::After));
                    below.iter().for_each(|id| pose.globals[id.index()] = back * pose.globals[id.index()]);
                    gauge.apart(wanted, &pose)
                }
            };
            worst = worst.max(off);
        }
        (worst, times.len())
    }

    fn report_motion(&mut self, index: usize, wanted: &RootMotion, ends: Ends, done: &Done, size: f64) {
        let object = self.scene.clips[index].label(index);
        let [joint, source] = [ends.joint, ends.source].map(|id| self.scene.node_label(id));
        let holder = ends.holder.map(|id| self.scene.node_label(id)).unwrap_or_default();
        let mut way = format!(
            "up to {} units ({} of the model's size) from its place at rest",
            shown::short(done.far),
            percent(done.far / size)
        );
        if wanted.turn {
            way += &format!(" and {}° about the vertical axis", shown::short(done.turned.to_degrees()));
        }
        let proof =
            format!("posed beside the source at {} times, at most {} off", done.times, percent(done.off));
        let (code, message) = match wanted.way {
            Way::Extract => {
                (&codes::EXTRACTED, format!("the motion of {joint:?}, {way}, is that of {holder:?}; {proof}"))
            }
            Way::Bake => {
                (&codes::BAKED, format!("the motion of {source:?}, {way}, is that of {joint:?}; {proof}"))
            }
            Way::Remove => {
                let message = format!("the motion of {joint:?}, {way}, is gone; put back, and {proof}");
                let remedy = Remedy::new("root_motion", vec!["extract"], "keeps it as a track of its own");
                self.report.loss(Loss::dropped(&codes::REMOVED, object, 1, message).remedy(remedy));
                return;
            }
        };
        self.report.loss(match done.off <= EXACT {
            true => Loss::kept(code, object, 1, message),
            false => Loss::approximated(code, object, 1, done.off, UNIT, message),
        });
    }

    fn note_still(&mut self, index: usize, wanted: &RootMotion, node: Option<NodeId>) {
        let clip = self.scene.clips[index].label(index);
        let what =
            node.map_or_else(|| "no joint".to_owned(), |id| format!("{:?}", self.scene.node_label(id)));
        let verb = if node.is_some() { "does not move" } else { "moves" };
        let message =
            format!("{clip} has no root motion: {what} {verb} {}; it is left as it is", wanted.shown());
        self.report.note(&codes::NO_ROOT_MOTION, Place::WHOLE, message);
    }
}

/// A node and everything below it.
fn below(scene: &Scene, top: NodeId) -> Vec<NodeId> {
    let mut is_below = vec![false; scene.nodes.len()];
    for id in scene.node_ids() {
        let parent = scene.nodes[id.index()].parent;
        is_below[id.index()] = id == top || parent.is_some_and(|parent| is_below[parent.index()]);
    }
    scene.node_ids().filter(|id| is_below[id.index()]).collect()
}

impl Shift<'_> {
    fn tracks(&self, ends: Ends) -> Vec<crate::scene::Track> {
        let masked = |v| self.moved.masked(v);
        match ends.holder {
            Some(holder) if ends.source == holder => {
                // The node keeps what does not count, and the joint makes up for the rest.
                let (tracks, _) = match self.exact(holder, None, &masked) {
                    Some(tracks) => (tracks, Default::default()),
                    None => self.stilled(holder),
                };
                self.settle(ends.joint, tracks)
            }
            holder => {
                if let Some(tracks) = self.exact(ends.joint, holder, &masked) {
                    return tracks;
                }
                match holder {
                    Some(holder) => self.settle(ends.joint, self.lifted(ends.joint, holder).0),
                    None => self.stilled(ends.joint).0,
                }
            }
        }
    }

    /// Lets the joint make up for what other tracks do above it.
    fn settle(&self, joint: NodeId, tracks: Vec<crate::scene::Track>) -> Vec<crate::scene::Track> {
        let mut keys = Chain::of(self.scene, &self.clip.tracks, joint).keys();
        let chain = Chain::of(self.scene, &tracks, joint);
        keys.extend(chain.keys());
        keys.sort_unstable_by(f64::total_cmp);
        keys.dedup();
        let above = |time: f64, side: Side| chain.above(time, side);
        self.settled(joint, &keys, above, tracks.clone()).0
    }
}
