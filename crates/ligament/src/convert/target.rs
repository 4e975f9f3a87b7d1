use super::{ConvertOptions, codes};
use crate::formats::{self, Count, Format};
use crate::report::most_similar;
use crate::report::similar::typing_errors;
use crate::report::{Diagnostic, Failure, Place, Remedy, Report, Severity};
use std::collections::BTreeSet;
use std::path::Path;

/// A format to write, and the dialect if one was chosen.
#[derive(Clone, Copy)]
pub struct Target {
    /// The format.
    pub format: &'static Format,
    /// The dialect given by an option, by the output's extension or by the word after `--to`; `None` if none was
    /// chosen.
    pub dialect: Option<&'static str>,
}

/// The format to write: the one given by an option, otherwise by the output's extension. An extension that is also a
/// dialect's id (`glb`) chooses that dialect.
pub fn target(output: &Path, options: &ConvertOptions, report: &mut Report) -> Result<Target, Failure> {
    report.set_file(&output.display().to_string());
    let format = match &options.to {
        Some(id) => format_by_id(id, report)?,
        None => formats::by_extension(output).ok_or_else(|| {
            unknown_output(output, report);
            Failure::Usage
        })?,
    };
    let known = format.dialects;
    let named = |word: &str| known.iter().map(|d| d.id).find(|d| d.eq_ignore_ascii_case(word));
    let dialect = match &options.dialect {
        Some(word) => Some(named(word).ok_or_else(|| {
            let known: Vec<_> = known.iter().map(|d| d.id).collect();
            let known = if known.is_empty() {
                "it has no dialects".into()
            } else {
                format!("its dialects are {}", known.join(", "))
            };
            let message = format!("{} has no dialect {word:?}; {known}", format.name);
            report.error(&codes::UNKNOWN_DIALECT, Place::WHOLE, message);
            Failure::Usage
        })?),
        None => {
            let extension = output.extension().map(|e| e.to_string_lossy());
            options.to.as_deref().and_then(named).or_else(|| extension.and_then(|e| named(&e)))
        }
    };
    Ok(Target { format, dialect })
}

impl Target {
    /// Whether this is the format to write.
    pub(super) fn is_format(self, format: &'static Format) -> bool {
        self.format.id == format.id
    }

    /// Refuses a target that is read-only. A document that is kept as it is needs no such check.
    pub(super) fn check_written(self, report: &mut Report) -> Result<(), Failure> {
        match self.format.writes(self.dialect) {
            true => Ok(()),
            false => Err(self.format.not_written(self.dialect, report)),
        }
    }

    /// Refuses more influences per vertex than the target can hold.
    pub(super) fn check_influences(
        self,
        options: &ConvertOptions,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let can = self.format.capabilities(self.dialect);
        let Some((asked, most)) = options.write.influences.zip(can.max_influences) else { return Ok(()) };
        // A format without skins has no use for the setting, which may be meant for others of the same run.
        if asked <= most || can.skins == Count::None {
            return Ok(());
        }
        let message =
            format!("{asked} influences per vertex were asked for; {} can hold {most}", self.format.name);
        let error = Diagnostic::new(Severity::Error, &codes::TOO_MANY_INFLUENCES, Place::WHOLE, message);
        report.push(error.remedy(Remedy::new("influences", most, "keeps as many as possible")));
        Err(Failure::Usage)
    }

    /// Notes which dialect was written if the user did not choose it and there are others.
    pub(super) fn note_dialect(self, written: &'static str, report: &mut Report) {
        let is_other = |d: &&str| *d != written && self.format.writes(Some(d));
        let others: Vec<_> = self.format.dialects.iter().map(|d| d.id).filter(is_other).collect();
        if !others.is_empty() {
            let message =
                format!("wrote dialect {written:?} (also available: --dialect {})", others.join(", "));
            report.note(&codes::DIALECT, Place::WHOLE, message);
        }
    }
}

/// Reports that the output's format is unknown.
fn unknown_output(output: &Path, report: &mut Report) {
    let help = "name the format with --to; `ligament formats` lists them";
    let Some(extension) = output.extension().map(|e| e.to_string_lossy().to_lowercase()) else {
        return unknown("the output has no extension that names a format", help.to_owned(), report);
    };
    let message = format!(".{extension} is not the extension of a format that ligament writes");
    if PICTURES.contains(&&*extension) {
        return unknown(&message, "`ligament render` draws pictures of models".to_owned(), report);
    }
    let known: BTreeSet<&str> =
        formats::FORMATS.iter().filter(|f| f.writes(None)).flat_map(|f| f.extensions).copied().collect();
    let near = |known: &&str| typing_errors(&extension, known) <= 1;
    let mut near: Vec<_> = known.iter().copied().filter(near).map(|known| format!(".{known}")).collect();
    if near.is_empty() {
        near.extend(most_similar(&extension, known.iter().copied()).map(|known| format!(".{known}")));
    }
    match near.is_empty() {
        true => {
            let known: Vec<_> = known.iter().map(|known| format!(".{known}")).collect();
            unknown(&message, format!("expected one of: {}; or {help}", known.join(" ")), report);
        }
        false => unknown(&message, format!("did you mean {}? Otherwise {help}", near.join(" or ")), report),
    }
}

/// Extensions of pictures, which people ask of a converter too.
const PICTURES: [&str; 9] = ["png", "jpg", "jpeg", "gif", "webp", "bmp", "tga", "dds", "ktx2"];

/// Formats of models that people have and ligament does not read.
const UNSUPPORTED: &[(&str, &str)] = &[
    ("3ds", "3DS"),
    ("3mf", "3MF"),
    ("abc", "Alembic"),
    ("blend", "Blender's own format"),
    ("c4d", "Cinema 4D's own format"),
    ("lwo", "LightWave's own format"),
    ("ma", "Maya's own format"),
    ("max", "3ds Max's own format"),
    ("mb", "Maya's own format"),
    ("md2", "MD2"),
    ("md3", "MD3"),
    ("md5anim", "MD5"),
    ("md5mesh", "MD5"),
    ("mdl", "MDL"),
    ("ms3d", "MilkShape 3D's own format"),
    ("ply", "PLY"),
    ("smd", "SMD"),
    ("stl", "STL"),
    ("usd", "USD"),
    ("usda", "USD"),
    ("usdc", "USD"),
    ("usdz", "USD"),
    ("x", "DirectX .x"),
];

/// Reports that the input's format is unknown, or known and not supported.
pub(super) fn unknown_input(path: Option<&Path>, report: &mut Report) -> Failure {
    let extension = path.and_then(Path::extension).map(|e| e.to_string_lossy().to_lowercase());
    let unsupported = UNSUPPORTED.iter().find(|(known, _)| extension.as_deref() == Some(*known));
    if let Some((_, name)) = unsupported {
        let read: Vec<_> = formats::FORMATS.iter().map(|format| format.name).collect();
        let message = format!("{name} is not supported");
        unknown(&message, format!("export the model as one of: {}", read.join(", ")), report);
        return Failure::Unsupported;
    }
    if let Some(extension) = extension.filter(|extension| PICTURES.contains(&extension.as_str())) {
        let message = format!(".{extension} is a picture, not a model");
        unknown(&message, "name the model that uses it".to_owned(), report);
        return Failure::Invalid;
    }
    let message = "neither the content nor the extension is that of a known format";
    unknown(message, "name the format with --from; `ligament formats` lists them".to_owned(), report);
    Failure::Invalid
}

fn unknown(message: &str, help: String, report: &mut Report) {
    let code = &crate::io::codes::UNKNOWN_FORMAT;
    report.push(Diagnostic::new(Severity::Error, code, Place::WHOLE, message).help(help));
}

/// The format with this id.
pub(super) fn format_by_id(id: &str, report: &mut Report) -> Result<&'static Format, Failure> {
    formats::by_id(id).ok_or_else(|| {
        let known: Vec<_> = formats::FORMATS.iter().map(|f| f.id).collect();
        let message = format!("there is no format {id:?}; the formats are {}", known.join(", "));
        report.error(&crate::io::codes::UNKNOWN_FORMAT, Place::WHOLE, message);
        Failure::Usage
    })
}
