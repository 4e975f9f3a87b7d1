//! Bytes to document: the call to `ufbx`, memory limits, and its errors and warnings.

use super::{AXES, AxesConversion, codes, scan};
use crate::formats::{Match, ReadOptions};
use crate::limits::{exceeded, no_room};
use crate::report::{Code, Diagnostic, Failure, Place, Report, Severity, counted};
use crate::{Limits, Memory};
use std::sync::Arc;
use ufbx::{ErrorType, WarningType};

/// Memory that `ufbx` may use per byte of the file and its unpacked arrays, once for the scene and once for temporary
/// data. Real files need up to six.
const MEMORY_PER_BYTE: u64 = 12;
/// Minimum memory limit, however small the file is.
const LEAST_MEMORY: u64 = 256 << 10;
/// The arrays of a file may unpack to this many times its size, plus a constant. DEFLATE could pack them to a
/// thousandth, but real models are packed to half of it, and a grid that a program made to a twentieth.
const MOST_UNPACKED: u64 = 64;
const LEAST_UNPACKED: u64 = 1 << 20;
/// Memory that a byte of an unpacked array takes until it is in a scene.
const MEMORY_PER_UNPACKED: u64 = 4;

/// A parsed file.
pub(super) struct Loaded {
    pub(super) scene: Arc<ufbx::SceneRoot>,
    /// Bytes of the file and its unpacked arrays: the measure for the scene's size.
    pub(super) weight: u64,
}

/// Parses a file.
pub(super) fn read(bytes: &[u8], options: &ReadOptions, report: &mut Report) -> Result<Loaded, Failure> {
    let scan = scan::scan(bytes);
    if let Some(fault) = scan.fault.as_ref().filter(|fault| fault.is_fatal) {
        let place = Place::binary(fault.offset, fault.field);
        return Err(report.invalid(&codes::BOMB, place, fault.message.clone()));
    }
    check_unpacked(bytes.len() as u64, scan.unpacked, &options.limits, report)?;
    let weight = bytes.len() as u64 + scan.unpacked;
    let usual = LEAST_MEMORY.saturating_add(weight.saturating_mul(MEMORY_PER_BYTE));
    let memory = options.limits.max_memory.map_or(usual, Memory::bytes);
    match ufbx::load_memory(bytes, load_options(options, memory)) {
        Ok(scene) => {
            warnings(&scene, report);
            suspicions(&scene, bytes, &scan, report);
            Ok(Loaded { scene: Arc::new(scene), weight })
        }
        Err(error) => Err(refuse(&error, bytes, &scan, options, report)),
    }
}

/// Refuses a file whose arrays would unpack to an absurd size.
fn check_unpacked(file: u64, unpacked: u64, limits: &Limits, report: &mut Report) -> Result<(), Failure> {
    let most = file.saturating_mul(MOST_UNPACKED).saturating_add(LEAST_UNPACKED);
    let limit = limits.max_memory.map_or(most.saturating_mul(MEMORY_PER_UNPACKED), Memory::bytes);
    let needed = unpacked.saturating_mul(MEMORY_PER_UNPACKED);
    if needed <= limit {
        return Ok(());
    }
    let what = format!("unpacking the arrays of this file of {}", Memory::new(file));
    report.push(exceeded(&codes::MEMORY, Place::WHOLE, &what, needed, limit));
    Err(report.refusal())
}

fn load_options(options: &ReadOptions, memory: u64) -> ufbx::LoadOpts<'static> {
    let memory_limit = usize::try_from(memory).unwrap_or(usize::MAX);
    let allocator = || ufbx::AllocatorOpts { memory_limit, ..ufbx::AllocatorOpts::default() };
    let axes = ufbx::axes_right_handed_y_up();
    let mut opts = ufbx::LoadOpts {
        temp_allocator: allocator(),
        result_allocator: allocator(),
        // Nothing but these bytes is ever opened.
        load_external_files: false,
        node_depth_limit: u32::try_from(options.limits.max_depth).unwrap_or(u32::MAX).max(1),
        file_format: ufbx::FileFormat::Fbx,
        // Blender writes metalness and roughness as reflection and shininess, in a way that can be reversed.
        use_blender_pbr_material: true,
        // Applied to the vertices if a mesh is drawn once; otherwise a helper node is added.
        geometry_transform_handling: ufbx::GeometryTransformHandling::ModifyGeometry,
        // Applied to the transforms if the scale is uniform and constant; otherwise a helper node is added.
        inherit_mode_handling: ufbx::InheritModeHandling::Compensate,
        pivot_handling: ufbx::PivotHandling::Retain,
        geometry_transform_helper_name: "geometry".into(),
        scale_helper_name: "scale".into(),
        target_camera_axes: axes,
        target_light_axes: axes,
        ..ufbx::LoadOpts::default()
    };
    let conversion = options.own.get(&AXES);
    if conversion != AxesConversion::None {
        opts.target_axes = axes;
        opts.target_unit_meters = 1.0;
        opts.space_conversion = match conversion {
            AxesConversion::Root => ufbx::SpaceConversion::TransformRoot,
            _ => ufbx::SpaceConversion::ModifyGeometry,
        };
    }
    opts
}

/// Reports why a file was refused: with the place of the error if known, otherwise in the words of `ufbx`.
fn refuse(
    error: &ufbx::Error,
    bytes: &[u8],
    scan: &scan::Scan,
    options: &ReadOptions,
    report: &mut Report,
) -> Failure {
    if bytes.starts_with(scan::MAGIC_LETTERS) && !bytes.starts_with(scan::MAGIC) {
        let message = "this is a binary FBX file whose zero bytes were replaced";
        let place = Place::binary(scan::MAGIC_LETTERS.len() as u64, "header");
        let help = "a program that copied the file treated it as text; get the file again";
        report.push(Diagnostic::new(Severity::Error, &codes::DAMAGED, place, message).help(help));
        return Failure::Invalid;
    }
    if super::sniff(bytes) == Match::No {
        return report.invalid(&codes::NOT_FBX, Place::WHOLE, "this is neither binary nor text FBX");
    }
    let place = scan.fault.as_ref().map_or(Place::WHOLE, |f| Place::binary(f.offset, f.field));
    let (code, message): (&Code, String) = match error.type_ {
        ErrorType::UnsupportedVersion => {
            let version = scan::version(bytes).map_or(String::new(), |v| format!(" {v}"));
            (&codes::VERSION, format!("version{version} cannot be read"))
        }
        ErrorType::OutOfMemory => {
            report.push(no_room(place, "reading this file", bytes.len() as u64));
            return report.refusal();
        }
        ErrorType::MemoryLimit | ErrorType::AllocationLimit => {
            let limit = options.limits.max_memory.map_or("many times its size".to_owned(), |m| m.to_string());
            let size = Memory::new(bytes.len() as u64);
            (
                &codes::MEMORY,
                format!(
                    "reading this file of {size} takes more memory than the limit, {limit}; raise it with `--max-memory`"
                ),
            )
        }
        ErrorType::NodeDepthLimit => {
            (&codes::DEPTH, format!("nodes are nested deeper than {}", options.limits.max_depth))
        }
        ErrorType::TruncatedFile => (&codes::ENDS, fault_or(scan, "the file ends too early")),
        _ => (&codes::BROKEN, fault_or(scan, &description(error))),
    };
    report.invalid(code, place, message)
}

fn fault_or(scan: &scan::Scan, otherwise: &str) -> String {
    scan.fault.as_ref().map_or_else(|| otherwise.to_owned(), |fault| fault.message.clone())
}

/// The error message of `ufbx`. It has no place, and for most errors no description.
fn description(error: &ufbx::Error) -> String {
    match &*error.description {
        "" | "Failed to load" => {
            "the file's objects contradict each other, so no scene can be built".to_owned()
        }
        other => format!("the file cannot be read: {other}"),
    }
}

/// Reports what `ufbx` skips without a word: records with wrong lengths, and a file without objects.
fn suspicions(scene: &ufbx::Scene, bytes: &[u8], scan: &scan::Scan, report: &mut Report) {
    if let Some(fault) = &scan.fault {
        let message = format!("{}; what comes after it may be missing", fault.message);
        report.warning(&codes::SKIPPED, Place::binary(fault.offset, fault.field), message);
    } else if scene.nodes.as_ref().len() <= 1 && memchr::memmem::find(bytes, b"Objects").is_none() {
        let size = Memory::new(bytes.len() as u64);
        let message = format!("the file of {size} has no record `Objects`, so nothing in it can be read");
        report.warning(&codes::SKIPPED, Place::WHOLE, message);
    }
}

/// Reports what `ufbx` tolerated.
fn warnings(scene: &ufbx::Scene, report: &mut Report) {
    for warning in &scene.metadata.warnings {
        let code = match warning.type_ {
            WarningType::TruncatedArray | WarningType::MissingGeometryData => &codes::SHORT_ARRAY,
            WarningType::IndexClamped | WarningType::MissingPolygonMapping => &codes::INDEX,
            WarningType::BadUnicode => &codes::UNICODE,
            WarningType::BadBase64Content => &codes::EMBEDDED,
            _ => &codes::FORGIVEN,
        };
        let place = match scene.elements.get(warning.element_id as usize) {
            Some(element) => Place::field(format!("{:?} {:?}", element.type_, &*element.name)),
            None => Place::WHOLE,
        };
        let times = if warning.count > 1 {
            format!(" ({})", counted(warning.count as u64, "time", "times"))
        } else {
            String::new()
        };
        report.warning(code, place, format!("{}{times}", &*warning.description));
    }
}
