//! A report as text for people: one line per entry.

use super::shown::{counted, percent, safe, short};
use super::{Code, Diagnostic, Loss, LossKind, Remedy, Report, Severity};
use crate::known::Known;
use std::cmp::Reverse;
use std::collections::HashSet;

/// Diagnostics that a listing shows before it only counts the rest.
const SHORT: usize = 20;

/// Objects that a loss names before it only counts the rest.
const OBJECTS: usize = 3;

/// The longest first word of a line.
const WIDEST: &str = "approximated";

/// How words are highlighted. By default they are not.
pub trait Paint {
    /// The subject of a text.
    fn heading(&self, text: &str) -> String {
        text.to_owned()
    }

    /// Less important text.
    fn aside(&self, text: &str) -> String {
        text.to_owned()
    }

    /// Text in the style of a severity.
    fn severity(&self, _severity: Severity, text: &str) -> String {
        text.to_owned()
    }

    /// Text in the style of a kind of loss.
    fn kind(&self, _kind: &LossKind, text: &str) -> String {
        text.to_owned()
    }

    /// A deviation in the style of its size, a fraction of the model's.
    fn size(&self, _fraction: f64, text: &str) -> String {
        text.to_owned()
    }

    /// How the user sets what avoids a loss. By default as in Python, without a command line's options.
    fn remedy(&self, remedy: &Remedy) -> String {
        remedy.keyword()
    }
}

/// Plain text.
pub struct Plain;

impl Paint for Plain {}

impl Report {
    /// `2 errors, 1 warning, 3 dropped`; empty if there is nothing.
    pub fn tally(&self) -> String {
        self.tally_without(|_| false)
    }

    /// Like [`tally`](Self::tally), without notes that hardly ever matter.
    pub fn major_tally(&self) -> String {
        self.tally_without(|diagnostic| diagnostic.code.is_minor)
    }

    fn tally_without(&self, skips: fn(&Diagnostic) -> bool) -> String {
        let mut words = Vec::new();
        for (severity, one, many) in [
            (Severity::Error, "error", "errors"),
            (Severity::Warning, "warning", "warnings"),
            (Severity::Note, "note", "notes"),
        ] {
            let skipped = self.diagnostics().iter().filter(|d| d.severity == severity && skips(d)).count();
            let n = self.count(severity) - skipped;
            if n > 0 {
                words.push(counted(n, one, many));
            }
        }
        if self.omitted() > 0 {
            words.push(format!("{} not shown", self.omitted()));
        }
        let groups = self.groups();
        for kind in ["kept", "approximated", "dropped"] {
            let n = groups.iter().filter(|group| group.kind().name() == kind).count();
            if n > 0 {
                words.push(format!("{n} {kind}"));
            }
        }
        words.join(", ")
    }

    /// One indented line per loss and diagnostic, the most important ones first.
    pub fn lines(&self, paint: &dyn Paint) -> String {
        let (major, minor): (Vec<_>, Vec<_>) = self.groups().into_iter().partition(|group| !group.is_minor());
        let of = |is_minor| self.diagnostics().iter().filter(move |d| d.code.is_minor == is_minor);
        let losses = |groups: &[Group]| groups.iter().map(|group| group.line(paint)).collect::<String>();
        losses(&major)
            + &listing(of(false), self.omitted(), paint)
            + &losses(&minor)
            + &listing(of(true), 0, paint)
    }

    /// Like [`lines`](Self::lines), but everything that hardly ever matters shares a last line, which ends with `hint`: how
    /// to see all.
    pub fn digest(&self, hint: &str, paint: &dyn Paint) -> String {
        let (major, minor): (Vec<_>, Vec<_>) = self.groups().into_iter().partition(|group| !group.is_minor());
        let mut out: String = major.iter().map(|group| group.line(paint)).collect();
        // Errors are shown in full elsewhere.
        let major = self.diagnostics().iter().filter(|d| !d.code.is_minor && d.severity < Severity::Error);
        out += &listing(major, self.omitted(), paint);
        let mut titles: Vec<String> = Vec::new();
        let mut seen = HashSet::new();
        for code in minor.iter().map(|group| group.losses[0].code).filter(|code| seen.insert(code.id)) {
            titles.push(format!("{} {}", code.title, paint.aside(&format!("[{}]", code.id))));
        }
        if !titles.is_empty() {
            let word = "minor";
            let room = " ".repeat(WIDEST.len() - word.len());
            out += &format!("  {}{room}  {}{}\n", paint.aside(word), titles.join(", "), paint.aside(hint));
        }
        out
    }

    /// One indented line per warning and per loss that was approximated or dropped: the part of the report that matters
    /// when many files are converted.
    pub fn worries(&self, paint: &dyn Paint) -> String {
        let warnings = self.diagnostics().iter().filter(|d| d.severity > Severity::Note);
        let groups = self.groups();
        let losses = groups.iter().filter(|group| !group.is_minor()).map(|group| group.line(paint));
        losses.collect::<String>() + &listing(warnings, self.omitted(), paint)
    }

    /// One indented line per loss, the most important ones first.
    pub fn loss_lines(&self, paint: &dyn Paint) -> String {
        self.groups().iter().map(|group| group.line(paint)).collect()
    }

    /// The losses in the parts of which a line is made, the most important ones first.
    pub fn loss_entries(&self) -> Vec<LossEntry<'_>> {
        self.groups().iter().map(Group::entry).collect()
    }

    /// The losses that say the same about different objects together, the most important ones first.
    fn groups(&self) -> Vec<Group<'_>> {
        let (mut groups, mut known) = (Vec::<Group>::new(), Known::default());
        for loss in self.losses() {
            let key = (loss.code.id, &loss.message, loss.kind.name());
            let same = known.find(key, groups.len(), |group| {
                let first = groups[group].losses[0];
                (first.code.id, &first.message, first.kind.name()) == key && first.remedy == loss.remedy
            });
            match same {
                Some(group) => groups[group].losses.push(loss),
                None => groups.push(Group { losses: vec![loss], model_size: self.model_size }),
            }
        }
        groups.sort_by_cached_key(Group::rank);
        groups
    }
}

/// Losses that say the same about different objects, in the parts of which a line of a report is made.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LossEntry<'r> {
    /// Kept, approximated or dropped.
    pub kind: &'r LossKind,
    /// The feature.
    pub code: &'static Code,
    /// The objects, or what was lost of the whole scene.
    pub subject: String,
    /// How many things are affected, unless the subject says so: `25 keys`.
    pub counted: Option<String>,
    /// The largest size, as a fraction of the model's if they can be compared, and as text: `up to 1.2 % of the size`.
    pub size: Option<(Option<f64>, String)>,
    /// What happened and why, in one sentence without a full stop.
    pub message: String,
    /// The setting that avoids it, if there is one.
    pub remedy: Option<&'r Remedy>,
    /// Whether it hardly ever matters.
    pub is_minor: bool,
}

/// Losses that say the same about different objects.
struct Group<'r> {
    losses: Vec<&'r Loss>,
    model_size: Option<f64>,
}

/// Sizes below this fraction matter less than what is dropped.
const VISIBLE: f64 = 1e-4;

/// Losses in a unit that cannot be compared with the model's size count like this fraction of it.
const UNRELATED: f64 = 1e-3;

/// A fraction that orders sizes.
const STEPS: f64 = 1e9;

impl<'r> Group<'r> {
    fn kind(&self) -> &'r LossKind {
        &self.losses[0].kind
    }

    /// Whether nothing of it matters to someone who looks at the model.
    fn is_minor(&self) -> bool {
        let is_kept = *self.kind() == LossKind::Kept;
        is_kept || self.losses[0].code.is_minor && self.size().is_none_or(|size| size.fraction < VISIBLE)
    }

    /// Visible deviations first, then what is dropped, then what is approximated by an unknown amount or too little to see,
    /// then everything minor.
    fn rank(&self) -> (bool, usize, Reverse<u64>) {
        let fraction = self.size().map_or(0.0, |size| size.fraction);
        let place = match self.kind() {
            LossKind::Approximated { .. } if fraction >= VISIBLE => 0,
            LossKind::Dropped => 1,
            LossKind::Approximated { .. } => 2,
            LossKind::Kept => 3,
        };
        (self.is_minor(), place, Reverse((fraction * STEPS) as u64))
    }

    /// The largest size.
    fn size(&self) -> Option<Size> {
        let sizes = self.losses.iter().filter_map(|loss| match loss.kind {
            LossKind::Approximated { size, unit } => Some((size?, unit)),
            _ => None,
        });
        let (size, unit) = sizes.max_by(|a, b| a.0.total_cmp(&b.0))?;
        let fraction = match unit {
            "of the model's size" => Some(size),
            "units" => self.model_size.map(|model| size / model),
            _ => None,
        };
        let text = match fraction {
            Some(fraction) => format!("up to {} of the size", percent(fraction)),
            None => format!("up to {} {unit}", short(size)).trim_end().to_owned(),
        };
        Some(Size { fraction: fraction.unwrap_or(UNRELATED), text, is_related: fraction.is_some() })
    }

    fn entry(&self) -> LossEntry<'r> {
        let loss = self.losses[0];
        let mut objects: Vec<_> =
            self.losses.iter().map(|l| l.object.as_str()).filter(|o| !o.is_empty()).collect();
        let count: u64 = self.losses.iter().map(|l| l.count).sum();
        let number = loss.code.counts.map_or(count.to_string(), |[one, many]| counted(count, one, many));
        let mut affected = None;
        let subject = if objects.is_empty() {
            let title = loss.code.title;
            // `3 cameras`, but `tangents (1098 vertices)`.
            if loss.code.counts.is_some_and(|[_, many]| many == title) {
                number
            } else {
                if count > 1 {
                    affected = Some(number);
                }
                title.to_owned()
            }
        } else {
            if count > 0 && count != objects.len() as u64 {
                affected = Some(number);
            }
            let hidden = objects.len().saturating_sub(OBJECTS);
            objects.truncate(OBJECTS);
            let more = if hidden > 0 { format!(" and {hidden} more") } else { String::new() };
            safe(&objects.join(", ")) + &more
        };
        LossEntry {
            kind: self.kind(),
            code: loss.code,
            subject,
            counted: affected,
            size: self.size().map(|size| (size.is_related.then_some(size.fraction), size.text)),
            message: safe(&loss.message),
            remedy: loss.remedy.as_ref(),
            is_minor: self.is_minor(),
        }
    }

    fn line(&self, paint: &dyn Paint) -> String {
        let LossEntry { kind, code, mut subject, counted, size, message, remedy, .. } = self.entry();
        let painted = |(fraction, text): (Option<f64>, String)| match fraction {
            Some(fraction) => paint.size(fraction, &text),
            None => text,
        };
        let sizes: Vec<_> = counted.into_iter().chain(size.map(painted)).collect();
        if !sizes.is_empty() {
            subject += &format!(" ({})", sizes.join(", "));
        }
        let mut text = format!("{subject}: {message}");
        if let Some(remedy) = remedy {
            text += &format!(" → {} {}", paint.remedy(remedy), safe(&remedy.effect));
        }
        entry(paint.kind(kind, kind.name()), kind.name(), &text, code.id, paint)
    }
}

/// A size for people, and as a fraction of the model's size.
struct Size {
    fraction: f64,
    text: String,
    /// Whether the fraction is the size itself, and not only a stand-in.
    is_related: bool,
}

/// The first diagnostics, and how many more there are.
fn listing<'a>(
    diagnostics: impl Iterator<Item = &'a Diagnostic> + Clone,
    omitted: u64,
    paint: &dyn Paint,
) -> String {
    let mut out: String = diagnostics.clone().take(SHORT).map(|d| diagnostic_line(d, paint)).collect();
    let hidden = diagnostics.count().saturating_sub(SHORT) as u64 + omitted;
    if hidden > 0 {
        out += &format!("  ... and {hidden} more\n");
    }
    out
}

/// An entry with its kind, padded so that the texts line up.
fn entry(painted: String, word: &str, text: &str, code: &str, paint: &dyn Paint) -> String {
    let room = " ".repeat(WIDEST.len().saturating_sub(word.len()));
    format!("  {painted}{room}  {text} {}\n", paint.aside(&format!("[{code}]")))
}

fn diagnostic_line(diagnostic: &Diagnostic, paint: &dyn Paint) -> String {
    let word = diagnostic.severity.name();
    let mut text = String::new();
    // Without a place, the line above has already named the file.
    if let Some((line, column)) = diagnostic.place.line_column {
        text += &format!("{}:{line}:{column}: ", safe(&diagnostic.file));
    } else if let Some(span) = &diagnostic.place.span {
        text += &format!("{}, byte {}: ", safe(&diagnostic.file), span.start);
    }
    if let Some(field) = &diagnostic.place.field {
        text += &format!("{}: ", safe(field));
    }
    text += &safe(&diagnostic.message);
    if let Some(remedy) = &diagnostic.remedy {
        text += &format!(" → {} {}", paint.remedy(remedy), safe(&remedy.effect));
    }
    entry(paint.severity(diagnostic.severity, word), word, &text, diagnostic.code.id, paint)
}
