//! Several pictures: image sequences, animations, turntables.

use super::choose::{Wish, animated, is_gif, is_solid};
use super::encode::Animation;
use super::output::{Target, cannot_write, numbered};
use super::{Done, Job, still};
use crate::args::RenderArgs;
use crate::console::Console;
use ligament::report::{Place, drawing};
use ligament::{Failure, Report, Scene};
use ligament_render::{Picture, Stage};
use std::io;
use std::path::{Path, PathBuf};

/// Default pictures per second: each lasts a whole number of hundredths of a second, which is GIF's unit.
const RATE: f32 = 25.0;
/// Maximum number of pictures in a sequence.
const MOST: u32 = 20_000;

/// The times and camera angles of a sequence.
struct Plan {
    count: u32,
    rate: f32,
    turn: bool,
    at: f32,
    /// Whether the clip plays from its start; otherwise every picture shows the time `at`.
    plays: bool,
}

impl Plan {
    fn of(args: &RenderArgs, wish: &Wish, scene: &Scene, report: &mut Report) -> Result<Self, Failure> {
        let rate = args.rate.unwrap_or(RATE);
        let plan = |count, turn, plays| Self { count, rate, turn, at: wish.at, plays };
        let Some(clip) = wish.clip_of(scene).filter(|_| args.at.is_none()) else {
            return Ok(plan(args.turntable.unwrap_or(1), args.turntable.is_some(), false));
        };
        if clip.duration <= 0.0 {
            report.warning(&drawing::MODEL, Place::WHOLE, "the clip has no duration; a single pose is drawn");
        }
        let frames = (f64::from(clip.duration) * f64::from(rate)).round().max(1.0);
        if frames > f64::from(MOST) {
            let message = format!("the clip would take {frames} pictures; the limit is {MOST}");
            report.error(&drawing::TOO_LARGE, Place::WHOLE, message);
            return Err(Failure::Usage);
        }
        Ok(plan(args.turntable.unwrap_or(frames as u32), args.turntable.is_some(), true))
    }

    fn seconds(&self, number: u32) -> f32 {
        if self.plays { (f64::from(number) / f64::from(self.rate)) as f32 } else { self.at }
    }
}

pub fn run(job: Job<'_>, report: &mut Report, console: &mut Console) -> Result<Done, Failure> {
    let Job { args, studio, mut model, wish, path } = job;
    let plan = Plan::of(args, &wish, model.scene(), report)?;
    let size = still::size(args);
    let clip = wish.clip_of(model.scene()).map(|clip| clip.name.clone());
    let still = wish.stage(&model, plan.turn, size);
    let duration = wish.clip_of(model.scene()).map_or(0.0, |clip| clip.duration);
    let mut draw = |number: u32, report: &mut Report| {
        let turned = plan.turn.then(|| {
            let degrees = 360.0 * f64::from(number) / f64::from(plan.count);
            turned(&still, degrees)
        });
        // A turntable that lasts longer than the clip repeats it.
        let seconds = plan.seconds(number);
        let seconds = if plan.turn && duration > 0.0 && plan.plays { seconds % duration } else { seconds };
        still::draw(studio, &mut model, &wish, turned.as_ref().unwrap_or(&still), seconds, size, report)
    };
    let files = if animated(args) {
        animation(path, &plan, size, &wish, is_gif(args), &mut draw, report, console)?
    } else {
        series(path, &plan, &mut draw, report, console)?
    };
    Ok(Done { files, pictures: plan.count, size, clip, more: None })
}

/// The stage, with the camera rotated about the vertical axis through its centre.
fn turned(stage: &Stage, degrees: f64) -> Stage {
    let turn = ligament::math::DMat3::from_rotation_y(degrees.to_radians());
    let mut stage = stage.clone();
    let middle = stage.space.center();
    stage.camera.eye = middle + turn * (stage.camera.eye - middle);
    stage.camera.axes = turn * stage.camera.axes;
    stage
}

/// Why an animation could not be made.
enum Fault {
    Drawing(Failure),
    Writing(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Fault::Writing(error)
    }
}

#[allow(clippy::too_many_arguments)]
fn animation(
    path: &Path,
    plan: &Plan,
    size: [u32; 2],
    wish: &Wish,
    gif: bool,
    draw: &mut dyn FnMut(u32, &mut Report) -> Result<Picture, Failure>,
    report: &mut Report,
    console: &mut Console,
) -> Result<Vec<PathBuf>, Failure> {
    if gif && size.iter().any(|&side| side > u32::from(u16::MAX)) {
        report.error(&drawing::TOO_LARGE, Place::WHOLE, "a GIF can be at most 65535 pixels wide and high");
        return Err(Failure::Usage);
    }
    let target = Target::open(path, report, console)?;
    let solid = is_solid(&wish.look, &draw(0, report)?);
    let mut draw = |number: u32| draw(number, report).map_err(Fault::Drawing);
    let pictures = Animation { size, count: plan.count, rate: plan.rate, draw: &mut draw };
    let bytes = if gif { pictures.gif() } else { pictures.apng(solid) };
    let bytes = bytes.map_err(|fault| match fault {
        Fault::Drawing(failure) => failure,
        Fault::Writing(error) => cannot_write(path, error, report),
    })?;
    Ok(target.write(&bytes, report, console)?.into_iter().collect())
}

/// Writes `walk-0000.png`, `walk-0001.png`...
fn series(
    path: &Path,
    plan: &Plan,
    draw: &mut dyn FnMut(u32, &mut Report) -> Result<Picture, Failure>,
    report: &mut Report,
    console: &mut Console,
) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for number in 0..plan.count {
        let own = numbered(path, number);
        let target = Target::open(&own, report, console)?;
        let picture = draw(number, report)?;
        files.extend(target.write_picture(&picture, report, console)?);
    }
    Ok(files)
}
