//! Reads a file into a document.
//!
//! | file | what it does |
//! |---|---|
//! | `sniff.rs` | detects the dialect |
//! | `usual.rs` | reads the common lines at full speed if they have their usual layout |
//! | `line.rs` | reads any line of the dialects with a keyword on every line, and reports its errors |
//! | `keys.rs`, `shapes.rs` | read the lines of clips and keys; of hooks, boxes and collision shapes |
//! | `counted.rs`, `poses.rs` | read the counted dialect; its clips |
//! | `field.rs` | reads the values of a line |
//! | `places.rs` | notes the places of things that can only be judged at the end of the file |
//! | `bases.rs` | detects whether indices count from 0 or from 1 |
//! | `check.rs`, `odd.rs` | report invalid references; things that are readable but odd |

mod bases;
mod check;
mod counted;
mod field;
mod keys;
mod line;
mod odd;
mod places;
mod poses;
mod shapes;
mod sniff;
mod usual;

use super::document::{Bases, Dialect, Document, JointPose};
use super::{BIND, BindPose, codes, container};
use crate::formats::ReadOptions;
use crate::io::{Folder, Source};
use crate::report::{Failure, Place, Report, Severity};
use crate::text::{NumberCodes, TextReader};
use places::{Places, Trail};
use sniff::Clues;
pub(super) use sniff::{MARK, is_amo};
use std::collections::HashMap;
use usual::{Built, UsualLines};

static NUMBERS: NumberCodes = NumberCodes {
    malformed: &codes::BAD_NUMBER,
    not_finite: &codes::NOT_FINITE,
    too_large: &codes::TOO_LARGE,
};

struct Reader<'a, 'r> {
    text: TextReader<'a, 'r>,
    options: &'r ReadOptions,
    /// The folder in which textures are looked up; without one they are not.
    folder: Option<&'r dyn Folder>,
    /// The dialect of the lines. `Document` also stands for `OneBased` until all indices are known.
    dialect: Dialect,
    /// The dialect that the file's first line names.
    marked: Option<Dialect>,
    /// Clues to the dialect, as long as it is not known.
    clues: Option<Clues>,
    bases: Bases,
    /// Whether indices of joints and weights contradict each other, so that checking them further is pointless.
    contradicting: bool,
    built: Built,
    /// The index at which each joint was last found in a group of keys.
    pose_index: HashMap<i32, usize>,
    /// A reusable buffer for a group of keys.
    pose: Vec<JointPose>,
}

/// Reads a source, and looks for its textures in `folder` if there is one.
pub(super) fn read(
    source: &Source<'_>,
    folder: Option<&dyn Folder>,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<Document, Failure> {
    let mut told: Option<(Dialect, String)> = None;
    loop {
        let before = report.clone();
        let text = TextReader::new(&source.content, &options.limits, report)?;
        let places = Places::new(text.here(), false);
        let mut reader = Reader {
            text,
            options,
            folder,
            dialect: told.as_ref().map_or(Dialect::Document, |(dialect, _)| *dialect),
            marked: None,
            clues: told.is_none().then(Clues::default),
            bases: Bases::default(),
            contradicting: false,
            built: Built::new(places),
            pose_index: HashMap::new(),
            pose: Vec::new(),
        };
        let reason = told.map(|(_, reason)| reason).unwrap_or_default();
        let document = reader.document(crate::formats::stem(&source.name), &reason);
        told = reader.clues.and_then(|clues| clues.told);
        if told.is_none() {
            return document;
        }
        *report = before;
    }
}

impl Reader<'_, '_> {
    /// Reads the whole file. `reason` says why this dialect was chosen.
    fn document(&mut self, name: String, reason: &str) -> Result<Document, Failure> {
        let mut document = Document { name, ..Document::default() };
        let mark = self.text.skip_mark()?;
        self.built.places.model = self.text.here();
        if let Some(spot) = mark {
            let message = || "the file begins with a byte order mark".to_owned();
            self.text.tally(Severity::Note, &codes::BYTE_ORDER_MARK, "", spot, message);
        }
        self.first_line(&mut document, mark.is_some())?;
        while let Some(line) = self.text.peek()? {
            if !line.trimmed().text().starts_with(b"#") {
                // After a byte order mark, the mark would be part of the word.
                if mark.is_none() {
                    container::refuse(&mut self.text, line.trimmed())?;
                }
                break;
            }
            self.text.pass(&line);
            self.built.aside(line.trimmed().text());
        }
        let ended = match self.dialect {
            Dialect::Counted => self.counted(&mut document),
            _ => self.lines(&mut document),
        };
        self.text.flush_tallies();
        ended?;
        if self.marked.is_none() {
            self.say_dialect(&document, reason);
        }
        self.text.report.check().map(|()| document)
    }

    /// Reads the dialects with a keyword on every line.
    fn lines(&mut self, document: &mut Document) -> Result<(), Failure> {
        let ended = self.all_lines();
        if ended.is_err() {
            // A later line may still show that the dialect is another one, which would explain the errors.
            while let Some(clues) = &mut self.clues
                && clues.told.is_none()
                && let Some(line) = self.text.line()?
            {
                clues.look_at(line.trimmed(), false);
            }
            return ended;
        }
        self.built.take_corners();
        self.finish_keyed_clips();
        self.find_bases(document);
        self.check_model();
        if !self.text.report.has_errors() {
            self.look_for_oddities(document.editamo);
        }
        self.built.model.asides.sort();
        document.models = vec![std::mem::take(&mut self.built.model)];
        Ok(())
    }

    fn all_lines(&mut self) -> Result<(), Failure> {
        loop {
            let trail = Trail::new(self.text.here());
            self.text.run(&mut UsualLines { built: &mut self.built, trail })?;
            let Some(line) = self.text.line()? else { return Ok(()) };
            let has_lists = !self.built.model.positions.is_empty() || !self.built.model.faces.is_empty();
            if self.clues.as_mut().is_some_and(|clues| clues.look_at(line.trimmed(), has_lists)) {
                return Err(Failure::Invalid);
            }
            self.line(&line);
            self.text.give_up_after_too_many()?;
        }
    }

    /// Reads at most `most` records of the usual layout, up to the first that is different. Returns their number.
    #[inline(always)]
    fn run(
        &mut self,
        most: usize,
        mut usual: impl FnMut(&mut Built, &[u8], usize) -> Option<usize>,
    ) -> Result<usize, Failure> {
        let Self { text, built, .. } = self;
        let (mut trail, mut count) = (Trail::new(text.here()), 0);
        text.run(&mut |bytes: &[u8], at: usize| {
            let next = if count == most { None } else { usual(built, bytes, at) }?;
            trail.follow(built, bytes, at..next);
            count += 1;
            Some(next)
        })
    }

    /// Whether the dialect is the one with rest matrices, a keyword on every line, and keys in groups.
    fn is_keyed(&self) -> bool {
        self.dialect == Dialect::Keyed
    }

    /// Reports what was detected or assumed about a file that does not name its dialect.
    fn say_dialect(&mut self, document: &Document, reason: &str) {
        if document.dialect.has_rest() {
            let message = format!("read as the {:?} dialect: {reason}", document.dialect.id());
            self.text.note(&codes::DIALECT, Place::WHOLE, message);
        } else if document.models.iter().any(|model| !model.joints.is_empty()) {
            let message = match self.options.own.get(&BIND) {
                BindPose::Identity => {
                    "the file does not say how joints are bound; they are taken to be at the origin"
                }
                BindPose::FirstKey => {
                    "the file does not say how joints are bound; they are taken to be where the first keys put them"
                }
            };
            self.text.note(&codes::BIND, Place::WHOLE, message);
        }
    }
}
