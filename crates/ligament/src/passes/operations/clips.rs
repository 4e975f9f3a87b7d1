//! The operations on the time and the names of clips: split, trim, join, reverse, speed, loop, rename.

use super::gauge::{EXACT, Gauge, percent};
use super::montage::{Piece, measure, montage, own_montage};
use super::spec::{Moment, Stretch, factor, pair, rate, repeats};
use super::{Operations, codes};
use crate::passes::deviation::UNIT;
use crate::pose::{OwnClip, OwnMotion};
use crate::report::{Code, Diagnostic, Failure, Loss, Place, Report, Severity, most_similar};
use crate::scene::{Clip, Scene};
use std::collections::HashSet;

/// The clips of a scene while operations change them.
pub(super) struct Clips<'a> {
    pub(super) scene: &'a mut Scene,
    pub(super) own: &'a mut Option<OwnMotion>,
    pub(super) report: &'a mut Report,
    /// The frame rate that was asked for.
    pub(super) fps: Option<f32>,
}

/// What becomes of the list of clips.
enum Entry {
    /// A clip stays as it is.
    Stays(usize),
    /// A clip is made of pieces. The text says of which.
    Made { name: String, pieces: Vec<Piece>, what: String },
}

/// Part of a frame by which a stretch may exceed the clip: files round the duration.
const BEYOND: f64 = 0.01;

impl Clips<'_> {
    /// Runs everything that was asked for, in this order.
    pub(super) fn run(&mut self, asked: &Operations) -> Result<(), Failure> {
        type Run<C> = fn(&mut C, &[String]) -> Result<Vec<Entry>, Failure>;
        let runs: [(&[String], Run<Self>, &'static Code); 6] = [
            (&asked.trim, Self::trim, &codes::TRIMMED),
            (&asked.split, Self::split, &codes::SPLIT),
            (&asked.reverse_clips, Self::reverse, &codes::REVERSED),
            (&asked.speed, Self::speed, &codes::SPEED),
            (&asked.loop_clips, Self::repeat, &codes::LOOPED),
            (&asked.join, Self::join, &codes::JOINED),
        ];
        for (texts, run, code) in runs {
            if !texts.is_empty() {
                let entries = run(self, texts)?;
                self.replace(entries, code);
            }
        }
        if asked.rename_clips.is_empty() { Ok(()) } else { self.rename(&asked.rename_clips) }
    }

    pub(super) fn wrong(&mut self, message: String) -> Failure {
        self.report.error(&codes::BAD_OPERATION, Place::WHOLE, message);
        Failure::Usage
    }

    /// The index of a clip by its name. An unknown or ambiguous one is an error.
    fn find(&mut self, name: &str) -> Result<usize, Failure> {
        let mut named = (0..self.scene.clips.len()).filter(|&i| self.scene.clips[i].name == name);
        if let Some(index) = named.next() {
            let is_only = named.next().is_none();
            drop(named);
            return if is_only {
                Ok(index)
            } else {
                Err(self.wrong(format!("several clips are called {name:?}")))
            };
        }
        drop(named);
        let names: Vec<_> = self.scene.clips.iter().take(20).map(|clip| format!("{:?}", clip.name)).collect();
        let message = match names.is_empty() {
            true => format!("there is no clip {name:?}: the file has no clips"),
            false => format!("there is no clip {name:?}; the clips are {}", names.join(", ")),
        };
        let found = most_similar(name, self.scene.clips.iter().map(|clip| clip.name.as_str()));
        let help = found.map(|meant| format!("did you mean {meant:?}?"));
        let mut error =
            Diagnostic::new(Severity::Error, &crate::passes::codes::UNKNOWN_CLIP, Place::WHOLE, message);
        error.help = help;
        self.report.push(error);
        Err(Failure::Usage)
    }

    /// The clip of a stretch: the one that it names, or the only one.
    pub(super) fn clip_of(&mut self, named: Option<&str>) -> Result<usize, Failure> {
        match (named, self.scene.clips.len()) {
            (Some(name), _) => self.find(name),
            (None, 1) => Ok(0),
            (None, count) => {
                Err(self.wrong(format!("the file has {count} clips; name one, as in walk@0-30")))
            }
        }
    }

    /// The clips that a list names; `*` stands for all.
    pub(super) fn named(&mut self, names: &str) -> Result<Vec<usize>, Failure> {
        if names.trim() == "*" {
            return Ok((0..self.scene.clips.len()).collect());
        }
        // A name may contain a comma.
        if self.scene.clips.iter().any(|clip| clip.name == names) {
            return self.find(names).map(|index| vec![index]);
        }
        names.split(',').map(|name| self.find(name.trim())).collect()
    }

    /// The piece that a stretch is, and what it is called in reports.
    fn piece(&mut self, stretch: &Stretch, clip: usize) -> Result<(Piece, String), Failure> {
        let of = &self.scene.clips[clip];
        let (rate, lasts, name) = (rate(of, self.fps), f64::from(of.duration), of.name.clone());
        let seconds = |moment: Option<Moment>, open: f64| moment.map_or(open, |moment| moment.seconds(rate));
        let (from, to) = (seconds(stretch.from, 0.0), seconds(stretch.to, lasts));
        let range = format!("{} to {}", shown(stretch.from, "the start"), shown(stretch.to, "the end"));
        let frames = [stretch.from, stretch.to].iter().flatten().any(|m| matches!(m, Moment::Frame(_)));
        let at_rate = if frames { format!(" at {rate} frames per second") } else { String::new() };
        if to > lasts + BEYOND / rate || from > lasts {
            let round = |number: f64| (number * 1000.0).round() / 1000.0;
            let end = format!("{} s, which is frame {}", round(lasts), round(lasts * rate));
            return Err(self.wrong(format!("{range}{at_rate} leaves clip {name:?}, which ends at {end}")));
        }
        if from >= to {
            return Err(self.wrong(format!("{range}{at_rate} of clip {name:?} has no length")));
        }
        let piece = Piece { clip, from, to: to.min(lasts), speed: 1.0, reversed: false };
        Ok((piece, format!("{range} of clip {name:?}{at_rate}")))
    }

    fn stretches(&mut self, texts: &[String]) -> Result<Vec<(usize, Stretch)>, Failure> {
        let mut all = Vec::new();
        for text in texts {
            let parsed =
                Stretch::parse_all(text).map_err(|message| self.wrong(format!("{text:?}: {message}")))?;
            for stretch in parsed {
                all.push((self.clip_of(stretch.clip.as_deref())?, stretch));
            }
        }
        Ok(all)
    }

    /// Stretches that keep their clip's name.
    fn trim(&mut self, texts: &[String]) -> Result<Vec<Entry>, Failure> {
        let mut entries = self.all();
        let mut done = HashSet::new();
        for (clip, stretch) in self.stretches(texts)? {
            let name = self.scene.clips[clip].name.clone();
            if !done.insert(clip) {
                return Err(self.wrong(format!("clip {name:?} is trimmed twice")));
            }
            if !stretch.name.is_empty() {
                return Err(
                    self.wrong(format!("a trimmed clip keeps its name; {:?} needs a split", stretch.name))
                );
            }
            let (piece, what) = self.piece(&stretch, clip)?;
            entries[clip] = Entry::Made { name, pieces: vec![piece], what };
        }
        Ok(entries)
    }

    /// Stretches in place of their clips.
    fn split(&mut self, texts: &[String]) -> Result<Vec<Entry>, Failure> {
        let mut made: Vec<Vec<(Piece, String, String)>> = Vec::new();
        made.resize_with(self.scene.clips.len(), Vec::new);
        for (clip, stretch) in self.stretches(texts)? {
            if stretch.name.is_empty() {
                return Err(self.wrong("a piece of a split needs a name, as in all@0-30=walk".to_owned()));
            }
            let (piece, what) = self.piece(&stretch, clip)?;
            made[clip].push((piece, stretch.name, what));
        }
        for pieces in &mut made {
            let mut order: Vec<usize> = (0..pieces.len()).collect();
            order.sort_by(|&a, &b| pieces[a].0.from.total_cmp(&pieces[b].0.from));
            for pair in order.windows(2) {
                let (one, next) = (&pieces[pair[0]], &pieces[pair[1]]);
                if next.0.from < one.0.to - 1e-9 {
                    let message = format!("{:?} ({}) and {:?} ({}) overlap", one.1, one.2, next.1, next.2);
                    return Err(self.wrong(message));
                }
            }
        }
        let mut entries = Vec::new();
        for (clip, pieces) in made.into_iter().enumerate() {
            match pieces.is_empty() {
                true => entries.push(Entry::Stays(clip)),
                false => entries.extend(pieces.into_iter().map(|(piece, name, what)| Entry::Made {
                    name,
                    pieces: vec![piece],
                    what,
                })),
            }
        }
        self.check_names(&entries)?;
        Ok(entries)
    }

    fn reverse(&mut self, texts: &[String]) -> Result<Vec<Entry>, Failure> {
        let mut entries = self.all();
        for text in texts {
            for clip in self.named(text)? {
                let of = &self.scene.clips[clip];
                let pieces = vec![Piece { reversed: true, ..Piece::whole(clip, of) }];
                entries[clip] = Entry::Made {
                    name: of.name.clone(),
                    pieces,
                    what: format!("clip {:?} backwards", of.name),
                };
            }
        }
        Ok(entries)
    }

    fn speed(&mut self, texts: &[String]) -> Result<Vec<Entry>, Failure> {
        let mut entries = self.all();
        for text in texts {
            let (names, number) = text.rsplit_once('=').unwrap_or(("*", text));
            let speed = factor(number).map_err(|message| self.wrong(format!("{text:?}: {message}")))?;
            for clip in self.named(names)? {
                let of = &self.scene.clips[clip];
                let pieces = vec![Piece { speed, ..Piece::whole(clip, of) }];
                let what = format!("clip {:?} at {speed} times its speed", of.name);
                entries[clip] = Entry::Made { name: of.name.clone(), pieces, what };
            }
        }
        Ok(entries)
    }

    fn repeat(&mut self, texts: &[String]) -> Result<Vec<Entry>, Failure> {
        let mut entries = self.all();
        for text in texts {
            let (names, amount) = text.rsplit_once('=').unwrap_or(("*", text));
            for clip in self.named(names)? {
                let of = &self.scene.clips[clip];
                let times = repeats(amount, of);
                let times = times.map_err(|message| self.wrong(format!("{text:?}: {message}")))?;
                let of = &self.scene.clips[clip];
                let whole = Piece::whole(clip, of);
                let mut pieces = vec![whole; times as usize];
                let rest = times.fract();
                if rest > 1e-6 {
                    pieces.push(Piece { to: whole.to * rest, ..whole });
                }
                let keys: usize = of.tracks.iter().map(|track| track.times.len()).sum();
                if keys.saturating_mul(pieces.len()) > MOST_KEYS {
                    let message = format!("{text:?} would make more than {MOST_KEYS} keys");
                    return Err(self.wrong(message));
                }
                let of = &self.scene.clips[clip];
                let what = format!("clip {:?} {times} times", of.name);
                entries[clip] = Entry::Made { name: of.name.clone(), pieces, what };
            }
        }
        Ok(entries)
    }

    /// Clips one after the other, in place of the first of them.
    fn join(&mut self, texts: &[String]) -> Result<Vec<Entry>, Failure> {
        let mut entries: Vec<Option<Entry>> = self.all().into_iter().map(Some).collect();
        let mut used = HashSet::new();
        for text in texts {
            let (names, name) = pair(text).map_err(|message| self.wrong(message))?;
            let clips = self.named(names)?;
            if let Some(&twice) = clips.iter().find(|&&clip| !used.insert(clip)) {
                let twice = self.scene.clips[twice].name.clone();
                return Err(self.wrong(format!("clip {twice:?} is joined twice; --loop repeats a clip")));
            }
            let Some(&first) = clips.first().filter(|_| clips.len() > 1) else {
                return Err(self.wrong(format!("{text:?} joins fewer than two clips; expected A,B=NAME")));
            };
            let pieces = clips.iter().map(|&clip| Piece::whole(clip, &self.scene.clips[clip])).collect();
            let parts: Vec<_> =
                clips.iter().map(|&clip| format!("{:?}", self.scene.clips[clip].name)).collect();
            clips.iter().for_each(|&clip| entries[clip] = None);
            let what = format!("clips {} one after the other", parts.join(", "));
            entries[first] = Some(Entry::Made { name: name.to_owned(), pieces, what });
        }
        let entries: Vec<_> = entries.into_iter().flatten().collect();
        self.check_names(&entries)?;
        Ok(entries)
    }

    fn all(&self) -> Vec<Entry> {
        (0..self.scene.clips.len()).map(Entry::Stays).collect()
    }

    /// Refuses made clips that have the name of another.
    fn check_names(&mut self, entries: &[Entry]) -> Result<(), Failure> {
        let mut known: HashSet<&str> = HashSet::new();
        let stay = entries.iter().filter_map(|entry| match entry {
            Entry::Stays(clip) => Some(self.scene.clips[*clip].name.as_str()),
            Entry::Made { .. } => None,
        });
        known.extend(stay);
        let made = entries.iter().filter_map(|entry| match entry {
            Entry::Made { name, .. } => Some(name.as_str()),
            Entry::Stays(_) => None,
        });
        let Some(twice) = made.into_iter().find(|name| !known.insert(name)) else { return Ok(()) };
        let message = format!("two clips would be called {twice:?}");
        Err(self.wrong(message))
    }

    /// Makes the clips, and measures each beside the stretches that it is made of.
    fn replace(&mut self, entries: Vec<Entry>, code: &'static Code) {
        let gauge = Gauge::of(self.scene);
        let mut clips = Vec::new();
        let mut own_clips = Vec::new();
        for entry in &entries {
            let Entry::Made { name, pieces, what } = entry else { continue };
            let clip = montage(self.scene, name.clone(), pieces);
            let (off, times) = measure(self.scene, self.own.as_ref(), &gauge, pieces, &clip);
            let object = clip.label(clips.len());
            let proof = format!("posed beside it at {times} times, at most {} off", percent(off));
            self.report.loss(match off <= EXACT {
                true => Loss::kept(code, object, 1, format!("{what}; {proof}")),
                false => Loss::approximated(code, object, 1, off, UNIT, format!("{what}; {proof}")),
            });
            own_clips.push(self.own.as_ref().map(|own| own_montage(own, self.scene, pieces)));
            clips.push(clip);
        }
        let mut old: Vec<Option<Clip>> =
            std::mem::take(&mut self.scene.clips).into_iter().map(Some).collect();
        let old_own = self.own.as_mut().map(OwnMotion::take_clips).unwrap_or_default();
        let mut old_own: Vec<Option<OwnClip>> = old_own.into_iter().map(Some).collect();
        old_own.resize_with(old.len(), || None);
        let (mut made, mut made_own) = (clips.into_iter(), own_clips.into_iter());
        let mut all_own = Vec::new();
        for entry in entries {
            let (clip, own) = match entry {
                Entry::Stays(index) => (old[index].take(), old_own[index].take()),
                Entry::Made { .. } => (made.next(), made_own.next().flatten()),
            };
            self.scene.clips.extend(clip);
            all_own.push(own.unwrap_or_default());
        }
        if let Some(own) = self.own.as_mut() {
            own.set_clips(all_own);
        }
    }

    fn rename(&mut self, texts: &[String]) -> Result<(), Failure> {
        let mut names: Vec<String> = self.scene.clips.iter().map(|clip| clip.name.clone()).collect();
        let mut renamed = HashSet::new();
        for text in texts {
            let (old, new) = pair(text).map_err(|message| self.wrong(message))?;
            let clip = self.find(old)?;
            if !renamed.insert(clip) {
                return Err(self.wrong(format!("clip {old:?} is renamed twice")));
            }
            new.clone_into(&mut names[clip]);
        }
        // Files may have several clips of one name already.
        let stay = names.iter().enumerate().filter(|(index, _)| !renamed.contains(index));
        let mut known: HashSet<&str> = stay.map(|(_, name)| name.as_str()).collect();
        let mut new = renamed.iter().map(|&index| names[index].as_str());
        if let Some(twice) = new.find(|name| !known.insert(name)) {
            let message = format!("two clips would be called {twice:?}");
            return Err(self.wrong(message));
        }
        for ((index, clip), name) in self.scene.clips.iter_mut().enumerate().zip(names) {
            if renamed.contains(&index) {
                let message = format!("called {name:?} from now on");
                self.report.loss(Loss::kept(&codes::RENAMED, clip.label(index), 1, message));
                clip.name = name;
            }
        }
        Ok(())
    }
}

/// Limit of the keys of a looped clip.
const MOST_KEYS: usize = 1 << 24;

fn shown(moment: Option<Moment>, open: &str) -> String {
    match moment {
        Some(Moment::Frame(frame)) => format!("frame {frame}"),
        Some(Moment::Seconds(seconds)) => format!("{seconds} s"),
        None => open.to_owned(),
    }
}
