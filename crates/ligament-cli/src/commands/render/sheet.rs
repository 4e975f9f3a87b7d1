//! Every clip at several times, labelled, in one picture.

use super::choose::{BEHIND, Wish, moves};
use super::output::Target;
use super::{Done, Job, Studio, refused};
use crate::console::Console;
use crate::render::style;
use ligament::pose::Pose;
use ligament::report::{Place, drawing};
use ligament::scene::Clip;
use ligament::{Failure, Report};
use ligament_render::{Anchor, Label, Model, Picture, Shot, Side, Stage, poses_of};

/// Default size of a cell in pixels.
const CELL: [u32; 2] = [256, 256];
/// Poses per clip.
const COLUMNS: u32 = 6;
/// Further clips are skipped, with a warning.
const MOST_ROWS: usize = 60;
/// Maximum number of pixels of a sheet: a quarter of a gigabyte.
const MOST_PIXELS: u64 = 1 << 26;
const INK: [u8; 4] = [24, 28, 40, 255];

/// A row of cells: a clip, or the model at rest from several sides.
enum Row {
    Clip(usize),
    Rest,
}

pub fn run(job: Job<'_>, report: &mut Report, console: &mut Console) -> Result<Done, Failure> {
    let Job { args, studio, mut model, wish, path } = job;
    let target = Target::open(path, report, console)?;
    let rows = rows(&model, &wish, report);
    let cell = args.size.unwrap_or(CELL);
    let size = [cell[0].saturating_mul(COLUMNS), cell[1].saturating_mul(rows.len() as u32)];
    if u64::from(size[0]) * u64::from(size[1]) > MOST_PIXELS {
        let message = format!("a contact sheet of {}×{} pixels is too large", size[0], size[1]);
        report.error(&drawing::TOO_LARGE, Place::WHOLE, message);
        return Err(Failure::Usage);
    }
    let mut sheet = Picture::filled(size[0], size[1], wish.look.background);
    for (y, row) in rows.iter().enumerate() {
        let mut stage = stage(&model, &wish, row, 0, cell);
        for x in 0..COLUMNS {
            if matches!(row, Row::Rest) {
                stage = self::stage(&model, &wish, row, x, cell);
            }
            let picture = draw(studio, &mut model, &wish, row, x, &stage, cell, report)?;
            sheet.paste(&picture, x * cell[0], y as u32 * cell[1]);
        }
    }
    let file = target.write_picture(&sheet, report, console)?;
    let pictures = COLUMNS * rows.len() as u32;
    Ok(Done { files: file.into_iter().collect(), pictures, size, clip: None, more: None })
}

fn rows(model: &Model, wish: &Wish, report: &mut Report) -> Vec<Row> {
    if let Some(clip) = wish.clip {
        return vec![Row::Clip(clip)];
    }
    let scene = model.scene();
    let moving: Vec<usize> = (0..scene.clips.len()).filter(|&clip| moves(&scene.clips[clip])).collect();
    let clips = moving.len();
    if clips < scene.clips.len() {
        let still = style::counted(scene.clips.len() - clips, "clip", "clips");
        report.note(&drawing::MODEL, Place::WHOLE, format!("{still} without keys left out"));
    }
    if clips > MOST_ROWS {
        report.warning(
            &drawing::MODEL,
            Place::WHOLE,
            format!("only the first {MOST_ROWS} of {clips} clips are drawn"),
        );
    }
    match clips {
        0 => vec![Row::Rest],
        _ => moving.into_iter().take(MOST_ROWS).map(Row::Clip).collect(),
    }
}

/// The sides from which a model without clips is shown.
const SIDES: [(&str, Side); COLUMNS as usize] = [
    ("three-quarter", Side::ThreeQuarter),
    ("front", Side::Front),
    ("side", Side::Side),
    ("back", Side::Back),
    ("top", Side::Top),
    ("behind", BEHIND),
];

/// The stage of a cell; all cells of a clip have the same.
fn stage(model: &Model, wish: &Wish, row: &Row, column: u32, cell: [u32; 2]) -> Stage {
    let scene = model.scene();
    let aspect = f64::from(cell[0]) / f64::from(cell[1]);
    let (clip, side) = match row {
        Row::Clip(number) => (Some(&scene.clips[*number]), wish.side),
        Row::Rest => (None, SIDES[column as usize].1),
    };
    Stage::new(scene, poses_of(scene, clip), side, aspect, (&wish.look).into())
}

#[allow(clippy::too_many_arguments)]
fn draw(
    studio: &mut Studio,
    model: &mut Model,
    wish: &Wish,
    row: &Row,
    column: u32,
    stage: &Stage,
    cell: [u32; 2],
    report: &mut Report,
) -> Result<Picture, Failure> {
    let scene = model.scene();
    let (pose, [left, right]) = match row {
        Row::Clip(number) => {
            let clip = &scene.clips[*number];
            // The end of a loop looks like its start, so the end is left out and the times are evenly spaced.
            let seconds = clip.duration * column as f32 / COLUMNS as f32;
            (Pose::at(scene, clip, seconds), [label_of(clip, *number, column), format!("{seconds:.2} s")])
        }
        Row::Rest => (Pose::rest(scene), [SIDES[column as usize].0.to_owned(), String::new()]),
    };
    let text = (cell[1] as f32 / 18.0).clamp(9.0, 28.0);
    let camera = wish.view(model, stage, &pose);
    let at = cell[1] as f32 - text * 1.3;
    let label = |text_of: String, x: f32, anchor| Label {
        text: text_of,
        at: [x, at],
        size: text,
        color: INK,
        rim: Some([255, 255, 255, 200]),
        anchor,
    };
    let labels =
        [label(left, text * 0.5, Anchor::Left), label(right, cell[0] as f32 - text * 0.5, Anchor::Right)];
    let shot = Shot { camera: &camera, labels: &labels, ..Shot::new(&pose, stage, &wish.look) };
    let (picture, notes) =
        studio.renderer.picture(model, &shot, cell).map_err(|error| refused(&error, report))?;
    notes.tell(report);
    Ok(picture)
}

/// The clip's name in the first cell of its row; the other cells only show the time.
fn label_of(clip: &Clip, number: usize, column: u32) -> String {
    match column {
        0 if clip.name.is_empty() => format!("clip {number}"),
        0 => style::safe(&clip.name),
        _ => String::new(),
    }
}
