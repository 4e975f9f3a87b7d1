//! Couples the movers of both scenes, so that a distance is a sum of small differences instead of the difference of two
//! large sums.
//!
//! A vertex `p` of the first scene is at `Σ aᵢ·Aᵢ·p`, its counterpart `q` of the second at `Σ bⱼ·Bⱼ·q`, and both lots of
//! shares sum to one. Numbers `cᵢⱼ ≥ 0` whose sums over `j` are the `aᵢ`, and over `i` the `bⱼ`, couple the two:
//!
//! ```text
//! Σ aᵢ·Aᵢ·p − Σ bⱼ·Bⱼ·q = Σ cᵢⱼ·(Aᵢ·p − Bⱼ·q) = Σ cᵢⱼ·((Aᵢ − Bⱼ·R)·p + Bⱼ·(R·p − q))
//! ```
//!
//! In the last term, `B` without its translation moves a direction. `R` takes rest positions of the first scene to those
//! of the second, and is nothing if they are the same, as usual. Then joints that move alike have a difference of zero,
//! and so have all the vertices that they move. The sum is what is measured. All of its terms have bounds over a whole
//! region of vertices, and no term is larger than it has to be, so that rounding hides nothing: a relative slack covers
//! it.

use super::movers::{Body, Movers, Share};
use super::pairing::Pairs;
use super::region::{Morphing, Region, residual};
use super::surface::Surface;
use crate::pose::Pose;
use crate::scene::{NodeId, SkinId};
use glam::{DAffine3, DVec3};
use std::collections::HashMap;

/// Shares that differ by less are equal: their sums are rounded.
const SAME_SHARE: f64 = 1e-15;

/// A mover of the first scene with one of the second.
pub(super) struct Couple {
    pub(super) first: u32,
    pub(super) second: u32,
    /// `R`, unless it is nothing.
    pub(super) rest: Option<DAffine3>,
    /// The number of the [`Morphing`] of its vertices, if they have morph targets.
    pub(super) morphing: Option<u32>,
    /// The vertices that it moves.
    pub(super) region: Region,
    /// Its largest share of any of them.
    pub(super) most: f64,
}

/// A couple's share of a pair of vertices.
pub(super) struct Pull {
    pub(super) couple: u32,
    pub(super) share: f64,
}

/// A pair of vertices that has no bounds: with negative weights, for example.
pub(super) struct Single {
    pub(super) pair: u32,
    pub(super) morphing: Option<u32>,
    pub(super) first: Vec<Share>,
    pub(super) second: Vec<Share>,
}

/// What moves all pairs of vertices.
pub(super) struct Coupling<'a> {
    pub(super) first: Movers<'a>,
    pub(super) second: Movers<'a>,
    pub(super) couples: Vec<Couple>,
    pub(super) morphings: Vec<Morphing<'a>>,
    /// Where the pulls of each pair start, and the end.
    starts: Vec<u32>,
    pulls: Vec<Pull>,
    pub(super) singles: Vec<Single>,
    /// Pairs that a file deforms by dual quaternions, so that no sum of matrices moves them.
    pub(super) bent: Vec<u32>,
}

impl<'a> Coupling<'a> {
    pub(super) fn of(first: &Surface<'a>, second: &Surface<'a>, pairs: &Pairs) -> Self {
        let mut all = Self {
            first: Movers::new(first.scene),
            second: Movers::new(second.scene),
            couples: Vec::new(),
            morphings: Vec::new(),
            starts: vec![0],
            pulls: Vec::new(),
            singles: Vec::new(),
            bent: Vec::new(),
        };
        let mut builder = Builder::new(first, second);
        for (pair, &(i, j)) in pairs.list.iter().enumerate() {
            builder.add(&mut all, pair as u32, i, j);
            all.starts.push(all.pulls.len() as u32);
        }
        all
    }

    /// The couples that move a pair, the one with the heaviest joint first; none for a pair without bounds.
    pub(super) fn pulls(&self, pair: u32) -> &[Pull] {
        &self.pulls[self.starts[pair as usize] as usize..self.starts[pair as usize + 1] as usize]
    }
}

/// What identifies a couple: its movers, the morph targets, and whether rest positions differ.
type Key = (u32, u32, Option<u32>, bool);

struct Builder<'s, 'a> {
    surfaces: (&'s Surface<'a>, &'s Surface<'a>),
    rest: (Pose, Pose),
    /// The part that the last vertex was in, on each side, and what moves it.
    parts: (usize, usize),
    bodies: Option<(Body, Body)>,
    morphing: Option<u32>,
    morphings: HashMap<(usize, usize), Option<u32>>,
    is_bent: bool,
    numbers: HashMap<Key, u32>,
    /// The couple that a mover of the first scene was last in.
    recent: Vec<Option<(Key, u32)>>,
    /// The movers of the second scene that belong to those of the first, for each two skins.
    partners: HashMap<(SkinId, SkinId), HashMap<u32, u32>>,
    skins: Option<(SkinId, SkinId)>,
    rests: HashMap<(u32, u32), Option<DAffine3>>,
    shares: (Vec<Share>, Vec<Share>),
    coupled: Vec<(u32, u32, f64)>,
}

impl<'s, 'a> Builder<'s, 'a> {
    fn new(first: &'s Surface<'a>, second: &'s Surface<'a>) -> Self {
        Self {
            surfaces: (first, second),
            rest: (Pose::rest(first.scene), Pose::rest(second.scene)),
            parts: (0, 0),
            bodies: None,
            morphing: None,
            morphings: HashMap::new(),
            is_bent: false,
            numbers: HashMap::new(),
            recent: Vec::new(),
            partners: HashMap::new(),
            skins: None,
            rests: HashMap::new(),
            shares: Default::default(),
            coupled: Vec::new(),
        }
    }

    fn add(&mut self, all: &mut Coupling<'a>, pair: u32, i: u32, j: u32) {
        let parts = (self.surfaces.0.part_near(self.parts.0, i), self.surfaces.1.part_near(self.parts.1, j));
        if parts != self.parts || self.bodies.is_none() {
            self.enter(all, parts);
        }
        if self.is_bent {
            return all.bent.push(pair);
        }
        let (a, b) = (&self.surfaces.0.placed[parts.0], &self.surfaces.1.placed[parts.1]);
        let (i, j) = (i as usize - a.start, j as usize - b.start);
        let Some(bodies) = &self.bodies else { return };
        let shares = &mut self.shares;
        if !(bodies.0.shares(a, i, &mut shares.0) & bodies.1.shares(b, j, &mut shares.1)) {
            let (first, second) = (shares.0.clone(), shares.1.clone());
            return all.singles.push(Single { pair, morphing: self.morphing, first, second });
        }
        let mut none = HashMap::new();
        let partners = self.skins.and_then(|skins| self.partners.get_mut(&skins)).unwrap_or(&mut none);
        couple(shares, partners, &mut self.coupled);
        let (p, q) = (a.part.positions[i].as_dvec3(), b.part.positions[j].as_dvec3());
        let rests = p != q && self.rests(all, p, q);
        for n in 0..self.coupled.len() {
            let (first, second, share) = self.coupled[n];
            let number = self.number(all, (first, second, self.morphing, rests));
            let couple = &mut all.couples[number as usize];
            couple.most = couple.most.max(share);
            couple.region.add(p, q, couple.rest.as_ref());
            if let Some(morphing) = self.morphing {
                all.morphings[morphing as usize].add(i, j, couple.rest.as_ref());
            }
            all.pulls.push(Pull { couple: number, share });
        }
    }

    /// Goes to other parts.
    fn enter(&mut self, all: &mut Coupling<'a>, parts: (usize, usize)) {
        self.parts = parts;
        let (first, second) = self.surfaces;
        let (a, b) = (&first.placed[parts.0], &second.placed[parts.1]);
        let is_bent = |surface: &Surface, node: NodeId| {
            surface.model.own.is_some_and(|own| own.dual_skin(node).is_some())
        };
        self.is_bent = is_bent(first, a.node) || is_bent(second, b.node);
        let bodies = (all.first.body(a.node), all.second.body(b.node));
        self.skins = None;
        if let (Body::Skin(one, own), Body::Skin(two, other)) = &bodies {
            self.skins = Some((*one, *two));
            let name = |mover: &u32| all.second.name(*mover);
            self.partners.entry((*one, *two)).or_insert_with(|| {
                let named: HashMap<&str, u32> = other.iter().rev().map(|m| (name(m), *m)).collect();
                let partner = |own: &u32| {
                    let name = Some(all.first.name(*own)).filter(|name| !name.is_empty())?;
                    Some((*own, *named.get(name)?))
                };
                own.iter().filter_map(partner).collect()
            });
        }
        self.bodies = Some(bodies);
        self.morphing = *self.morphings.entry(parts).or_insert_with(|| {
            let start = all.morphings.last().map_or(0, Morphing::end);
            let morphing = Morphing::of(a, b, start)?;
            all.morphings.push(morphing);
            Some(all.morphings.len() as u32 - 1)
        });
    }

    /// Whether the movers' rest matrices explain that a pair is not at the same place in its meshes.
    fn rests(&mut self, all: &Coupling, p: DVec3, q: DVec3) -> bool {
        let Some(&(first, second, _)) = self.coupled.first() else { return false };
        let rest = self.rest_of(all, first, second);
        rest.is_some_and(|rest| residual(p, q, Some(&rest)).length() < 0.5 * p.distance(q))
    }

    /// From the rest positions of the first mover's vertices to those of the second's, if they are together at rest.
    fn rest_of(&mut self, all: &Coupling, first: u32, second: u32) -> Option<DAffine3> {
        *self.rests.entry((first, second)).or_insert_with(|| {
            let (a, b) = (all.first.matrix(first, &self.rest.0), all.second.matrix(second, &self.rest.1));
            let rest = b.inverse() * a;
            (b.matrix3.determinant() != 0.0 && rest.is_finite()).then_some(rest)
        })
    }

    fn number(&mut self, all: &mut Coupling, key: Key) -> u32 {
        let (first, second, morphing, rests) = key;
        if let Some(Some((known, number))) = self.recent.get(first as usize)
            && *known == key
        {
            return *number;
        }
        let rest = if rests { self.rest_of(all, first, second) } else { None };
        let number = *self.numbers.entry(key).or_insert_with(|| {
            let region = Region::default();
            all.couples.push(Couple { first, second, rest, morphing, region, most: 0.0 });
            all.couples.len() as u32 - 1
        });
        if self.recent.len() <= first as usize {
            self.recent.resize(first as usize + 1, None);
        }
        self.recent[first as usize] = Some((key, number));
        number
    }
}

/// Couples the shares of a pair: first those of movers that belong together, then the rest in order. A mover without a
/// partner gets the one of about the same weight.
fn couple(
    (own, other): &mut (Vec<Share>, Vec<Share>),
    partners: &mut HashMap<u32, u32>,
    coupled: &mut Vec<(u32, u32, f64)>,
) {
    coupled.clear();
    if let ([one], [two]) = (&own[..], &other[..]) {
        return coupled.push((one.0, two.0, 1.0));
    }
    for (place, (mover, share)) in own.iter_mut().enumerate() {
        let likely = other.get(place).map(|likely| likely.0);
        let partner = match partners.get(mover) {
            Some(known) => *known,
            None => match likely {
                Some(likely) => *partners.entry(*mover).or_insert(likely),
                None => continue,
            },
        };
        if let Some((_, left)) = other.iter_mut().find(|(other, _)| *other == partner) {
            let common = if (*share - *left).abs() < SAME_SHARE { *share } else { share.min(*left) };
            if common > 0.0 {
                coupled.push((*mover, partner, common));
            }
            (*share, *left) = (*share - common, (*left - common).max(0.0));
        }
    }
    let (mut i, mut j) = (0, 0);
    while let (Some(own), Some(other)) = (own.get_mut(i), other.get_mut(j)) {
        let common = own.1.min(other.1);
        if common > SAME_SHARE {
            coupled.push((own.0, other.0, common));
        }
        (own.1, other.1) = (own.1 - common, other.1 - common);
        if own.1 <= SAME_SHARE {
            i += 1;
        } else {
            j += 1;
        }
    }
}
