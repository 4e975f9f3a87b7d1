//! Detects whether indices count from 0 or from 1, separately for each kind of index, because files mix both.
//!
//! In a list of `N` entries, an index of 0 means that they count from 0, and an index of `N` that they count from 1.
//! Both at once are a contradiction. Kinds with neither follow the majority of the others. If no kind is decided,
//! indices count from 0, as in the published specification.

use super::Reader;
use crate::formats::amo::document::{Bases, Dialect, Document, Key, Keys};
use crate::formats::amo::{INDEX_BASE, IndexBase, codes};
use crate::report::{Diagnostic, Place, Severity};
use crate::text::Spot;

crate::words! {
    /// The kinds of index, in the order in which they are reported.
    enum Kind(what) {
        JointSets = "`vj` lines in faces",
        WeightSets = "`vw` lines in faces",
        Joints = "joints in `vj` lines",
        Parents = "parents",
        Keys = "joints in keys",
    }
}

use Kind::*;

/// The conclusion from all numbers of a kind.
#[derive(Debug, Clone, PartialEq)]
enum Verdict {
    /// There are no numbers.
    Nothing,
    /// They fit either base.
    Open,
    /// The base, and the reason for it.
    Base(i32, String),
    /// They fit neither base: a message, and the id and value of a number that shows it.
    Contradiction(String, (usize, i32)),
}

/// The telling numbers: the first that is 0, the first that equals the list's length, and the first beyond it.
#[derive(Debug, Default)]
struct Evidence {
    any: bool,
    zero: Option<usize>,
    top: Option<usize>,
    beyond: Option<(usize, i32)>,
}

impl Evidence {
    /// Collects evidence from numbers, each with an id by which it is found again. Negative ones are ignored.
    fn of(numbers: impl Iterator<Item = (usize, i32)>, count: usize) -> Self {
        let mut evidence = Evidence::default();
        for (id, number) in numbers.filter(|&(_, number)| number >= 0) {
            evidence.any = true;
            if number == 0 {
                evidence.zero.get_or_insert(id);
            }
            if number as usize == count {
                evidence.top.get_or_insert(id);
            } else if number as usize > count {
                evidence.beyond.get_or_insert((id, number));
            }
        }
        evidence
    }

    fn verdict(&self, what: &str, count: usize) -> Verdict {
        match (self.zero, self.top) {
            _ if !self.any => Verdict::Nothing,
            _ if self.beyond.is_some() => {
                let (id, number) = self.beyond.unwrap_or_default();
                let message =
                    format!("{what}: {number} is out of range; there are {count}, counted from 0 or from 1");
                Verdict::Contradiction(message, (id, number))
            }
            (Some(_), Some(id)) => {
                let message = format!(
                    "{what}: 0 occurs, which means counting from 0, but so does {count}, which means counting from 1"
                );
                Verdict::Contradiction(message, (id, count as i32))
            }
            (Some(_), None) => Verdict::Base(0, "0 occurs".to_owned()),
            (None, Some(_)) => Verdict::Base(1, format!("{count} occurs, which is their number")),
            (None, None) => Verdict::Open,
        }
    }
}

impl Reader<'_, '_> {
    /// Detects the bases unless they are given, and makes every index of the model count from 0.
    pub(super) fn find_bases(&mut self, document: &mut Document) {
        let given = self.options.own.get(&INDEX_BASE).filter(|_| self.dialect == Dialect::Document);
        let bases = match (given, self.marked, self.dialect) {
            (Some(base), ..) => {
                self.dialect = if base == IndexBase::One { Dialect::OneBased } else { Dialect::Document };
                Bases::of(self.dialect)
            }
            (None, Some(dialect), _) => Bases::of(dialect),
            (None, None, Dialect::Document) => self.detect_bases(),
            (None, None, dialect) => Bases::of(dialect),
        };
        if let (None, Some(marked)) = (given, self.marked) {
            self.dialect = marked;
        }
        document.dialect = self.dialect;
        (document.bases, self.bases) = (bases, bases);
        self.apply_bases(bases);
    }

    fn detect_bases(&mut self) -> Bases {
        let mut verdicts = Kind::ALL.map(|_| Verdict::Nothing);
        for kind in [JointSets, WeightSets, Parents, Keys] {
            verdicts[kind as usize] = self.verdict(kind);
        }
        // Only joints with a weight are considered, and the faces pair joints with weights.
        let majority = majority(&verdicts);
        let sets = [JointSets, WeightSets].map(|kind| base_or(&verdicts[kind as usize], majority));
        verdicts[Joints as usize] = self.joints_verdict(sets);
        let majority = self::majority(&verdicts);
        let base = |kind: Kind| base_or(&verdicts[kind as usize], majority);
        let bases = Bases {
            joint_sets: base(JointSets),
            weight_sets: base(WeightSets),
            joints: base(Joints),
            parents: base(Parents),
            keys: base(Keys),
        };
        let ones = Kind::ALL.iter().filter(|&&k| matches!(verdicts[k as usize], Verdict::Base(1, _))).count();
        let zeros =
            Kind::ALL.iter().filter(|&&k| matches!(verdicts[k as usize], Verdict::Base(0, _))).count();
        self.dialect = if ones > zeros { Dialect::OneBased } else { Dialect::Document };
        self.say_bases(&verdicts, majority, ones + zeros > 0);
        bases
    }

    fn verdict(&self, kind: Kind) -> Verdict {
        let model = &self.built.model;
        let joints = model.joints.len();
        let corners = model.vertices.iter();
        match kind {
            JointSets => {
                let count = model.joint_sets.len();
                Evidence::of(corners.map(|c| (0, c.joints)), count).verdict(kind.what(), count)
            }
            WeightSets => {
                let count = model.weight_sets.len();
                Evidence::of(corners.map(|c| (0, c.weights)), count).verdict(kind.what(), count)
            }
            Parents => self.parents_verdict(),
            Keys => {
                let numbers = self.single_keys().map(|key| (0, key.joint));
                Evidence::of(numbers, joints).verdict(kind.what(), joints)
            }
            Joints => Verdict::Nothing,
        }
    }

    /// All keys of a single joint.
    fn single_keys(&self) -> impl Iterator<Item = &Key> {
        self.built.model.clips.iter().flat_map(|clip| match &clip.keys {
            Keys::Single(keys) => &keys[..],
            Keys::Poses(_) => &[],
        })
    }

    /// Considers only joints with a weight: unused slots hold 0, 1 or −1.
    fn joints_verdict(&self, [joint_base, weight_base]: [i32; 2]) -> Verdict {
        let model = &self.built.model;
        let live = model.vertices.iter().flat_map(|corner| {
            let set = pick(&model.joint_sets, corner.joints, joint_base);
            let weights = pick(&model.weight_sets, corner.weights, weight_base);
            let pairs = set.zip(weights).map(|((id, joints), (_, weights))| {
                let slots = joints.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
                slots.map(move |(joint, _)| (id, *joint))
            });
            pairs.into_iter().flatten()
        });
        let count = model.joints.len();
        Evidence::of(live, count).verdict(Joints.what(), count)
    }

    /// The number of joints hardly ever occurs as a parent. Therefore also checks which base makes a valid tree.
    fn parents_verdict(&self) -> Verdict {
        let joints = &self.built.model.joints;
        let count = joints.len();
        let parents = || joints.iter().map(|j| j.parent).enumerate();
        let has_none = parents().any(|(_, p)| p < 0);
        let evidence = Evidence::of(parents(), count);
        match (evidence.zero, evidence.top) {
            _ if !evidence.any => return Verdict::Nothing,
            _ if evidence.beyond.is_some() => return evidence.verdict(Parents.what(), count),
            (Some(_), Some(_)) if has_none => return evidence.verdict(Parents.what(), count),
            (Some(_), _) if has_none => return Verdict::Base(0, "0 and -1 occur".to_owned()),
            (Some(_), _) => {
                return Verdict::Base(1, "0 occurs and means no parent, since -1 does not occur".to_owned());
            }
            (None, Some(_)) => return evidence.verdict(Parents.what(), count),
            (None, None) => {}
        }
        let is_own = |base: i32| parents().any(|(i, p)| p >= 0 && (p - base) as usize == i);
        match (is_own(0), is_own(1)) {
            (true, false) => Verdict::Base(1, "from 0 a joint would be its own parent".to_owned()),
            (false, true) => Verdict::Base(0, "from 1 a joint would be its own parent".to_owned()),
            _ if joints.first().is_some_and(|j| j.parent < 0) => {
                Verdict::Base(1, "the first joint is a root, and from 0 it would have no children".to_owned())
            }
            _ => Verdict::Open,
        }
    }

    fn say_bases(&mut self, verdicts: &[Verdict; 5], majority: i32, any_decided: bool) {
        let mut told: [Vec<String>; 2] = [Vec::new(), Vec::new()];
        let mut open = Vec::new();
        for kind in Kind::ALL {
            match &verdicts[kind as usize] {
                Verdict::Nothing => {}
                Verdict::Open if any_decided => {
                    told[majority as usize].push(format!("{} (like the others)", kind.what()));
                }
                Verdict::Open => open.push(kind.what()),
                Verdict::Base(base, why) => told[*base as usize].push(format!("{} ({why})", kind.what())),
                Verdict::Contradiction(message, number) => {
                    let place = self.evidence_at(kind, *number).into();
                    self.text.errors += 1;
                    self.contradicting = true;
                    let error =
                        Diagnostic::new(Severity::Error, &codes::BASE_CONFLICT, place, message.clone());
                    self.text
                        .report
                        .push(error.help("if most of the file is right, --index-base says how to count"));
                }
            }
        }
        let [zero, one] = told.map(|kinds| kinds.join(", "));
        let counted = match (zero.is_empty(), one.is_empty()) {
            (true, true) => String::new(),
            (false, true) => format!("counting from 0: {zero}"),
            (true, false) => format!("counting from 1: {one}"),
            (false, false) => format!("counting from 0: {zero}; from 1: {one}"),
        };
        if !counted.is_empty() {
            let message = format!("read as the {:?} dialect, {counted}", self.dialect.id());
            self.text.note(&codes::BASE, Place::WHOLE, message);
        }
        if !open.is_empty() {
            let message = format!(
                "nothing shows whether these count from 0 or from 1: {}; the specification says 0",
                open.join(", ")
            );
            let warning = Diagnostic::new(Severity::Warning, &codes::BASE_GUESSED, Place::WHOLE, message);
            self.text.report.push(warning.help("--index-base 1 reads the file the other way"));
        }
    }

    fn evidence_at(&self, kind: Kind, (id, number): (usize, i32)) -> Spot {
        let places = &self.built.places;
        let found = match kind {
            JointSets => places.corner(3, number),
            WeightSets => places.corner(4, number),
            // Bases are only detected if the file does not name its dialect.
            Joints => places.unmarked.as_ref().and_then(|unmarked| unmarked.lists[3].get(id).copied()),
            Parents => Some(places.joint(id)),
            Keys => places.keys.first(|joint| joint == number),
        };
        found.unwrap_or(places.model)
    }

    /// Makes every index count from 0, with −1 for none. Invalid ones remain invalid, to be reported later.
    fn apply_bases(&mut self, bases: Bases) {
        let shift = |index: i32, base: i32| if index < 0 { -1 } else { (index - base).max(-1) };
        let model = &mut self.built.model;
        for corner in &mut model.vertices {
            corner.joints = shift(corner.joints, bases.joint_sets);
            corner.weights = shift(corner.weights, bases.weight_sets);
        }
        for joint in model.joint_sets.iter_mut().flatten() {
            *joint = shift(*joint, bases.joints);
        }
        for joint in &mut model.joints {
            joint.parent = shift(joint.parent, bases.parents);
        }
        for clip in &mut model.clips {
            match &mut clip.keys {
                Keys::Single(keys) => {
                    keys.iter_mut().for_each(|key| key.joint = shift(key.joint, bases.keys));
                }
                Keys::Poses(poses) => {
                    let joints = poses.iter_mut().flat_map(|pose| &mut pose.joints);
                    joints.for_each(|pose| pose.joint = shift(pose.joint, bases.keys));
                }
            }
        }
    }
}

/// The element that a number refers to, with its index.
fn pick<T>(list: &[T], number: i32, base: i32) -> Option<(usize, &T)> {
    let index = usize::try_from(number.checked_sub(base)?).ok().filter(|_| number >= 0)?;
    Some((index, list.get(index)?))
}

fn base_or(verdict: &Verdict, majority: i32) -> i32 {
    if let Verdict::Base(base, _) = verdict { *base } else { majority }
}

/// The base of most of the decided kinds; 0 if both are equally common.
fn majority(verdicts: &[Verdict; 5]) -> i32 {
    let of = |base: i32| verdicts.iter().filter(|v| matches!(v, Verdict::Base(b, _) if *b == base)).count();
    i32::from(of(1) > of(0))
}
