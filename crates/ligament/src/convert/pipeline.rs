//! The pipeline itself: read, import, passes, export, write, and the proof.

use super::proof::{check, verify};
use super::read::{read_document, source_format};
use super::remedies::name_dialects;
use super::route::{Origin, Route, may_stay};
use super::{Conversion, ConvertOptions, Proven, Reopen, Target, codes};
use crate::compare::{Comparison, Model};
use crate::formats::{Document, Encoded};
use crate::io::{Folder, Output, Source, carry_images};
use crate::limits::scene_bytes;
use crate::passes::axes::{axes, axes_of_motion};
use crate::passes::bake_pose::bake_pose;
use crate::passes::operations::Around;
use crate::passes::select_clips::select_clips;
use crate::passes::textures::textures;
use crate::passes::{PrepareOptions, allow_copies, prepare};
use crate::pose::OwnMotion;
use crate::progress::{Stage, WatchedOutput};
use crate::report::{Failure, Report};
use crate::scene::{Counts, ImageData, Scene};
use crate::validate::validate;
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

/// The input of a conversion.
#[expect(clippy::large_enum_variant, reason = "there is one per conversion")]
#[non_exhaustive]
pub enum Input<'a> {
    /// A file, stream or memory. The path helps to find its format.
    Source(Source<'a>, Option<&'a Path>),
    /// A scene that is not from a file, and the folder of the images that it refers to.
    Scene(Scene, Arc<dyn Folder + Send + Sync + 'a>),
}

/// The pipeline: converts any input to any output. The result is proven, but not yet in place.
pub fn convert_to<O: Reopen>(
    input: Input<'_>,
    target: Target,
    output: O,
    options: &ConvertOptions,
    report: &mut Report,
) -> Result<Proven<O>, Failure> {
    let (name, folder) = match &input {
        Input::Source(source, _) => (Some(source.name.clone()), Arc::clone(&source.folder)),
        Input::Scene(_, folder) => (None, Arc::clone(folder)),
    };
    target.check_influences(options, report)?;
    let target_name = report.file().to_owned();
    let mut run = Run { name, target_name, folder: &*folder, target, output, options, report };
    let (from, route) = run.read(input)?;
    let rewritten = !matches!(route, Route::ThroughScene(..));
    let (dialect, before) = match route {
        Route::Copy(document) => run.keep(document, None)?,
        Route::Rewrite(document, dialect) => run.keep(document, Some(dialect))?,
        Route::ThroughScene(origin, dialect) => {
            run.check_written()?;
            let (mut scene, own) = run.import(origin)?;
            let before = run.asked_for(&mut scene, own, dialect)?;
            run.prepare(&mut scene, dialect)?;
            let encoded = run.export(scene, dialect)?;
            (run.write(encoded, dialect)?, before)
        }
    };
    let comparison = run.prove(&before)?;
    let (to, counts) = (target.format.id, before.counts);
    let conversion = Conversion { from, to, dialect, rewritten, counts, comparison };
    run.check(&conversion)?;
    Ok(Proven { conversion, output: run.output, keep_existing: options.keep_existing })
}

/// The state that the result is compared with.
struct Before {
    counts: Option<Counts>,
    /// `None` if there is no proof: then the scene's arrays move into the result instead of being copied.
    scene: Option<Scene>,
    /// How the file moves by its own rules, where the scene only approximates it.
    own: Option<OwnMotion>,
}

impl Before {
    fn of(scene: Cow<'_, Scene>, own: Option<OwnMotion>, options: &ConvertOptions) -> Self {
        Self { counts: Some(scene.counts()), scene: options.verify.then(|| scene.into_owned()), own }
    }
}

/// Makes the scene and, for the proof, the file's own motion.
fn import(
    document: Box<dyn Document + '_>,
    options: &ConvertOptions,
    report: &mut Report,
) -> Result<(Scene, Option<OwnMotion>), Failure> {
    if options.verify {
        return document.import_with_motion(&options.read, report);
    }
    Ok((document.import(&options.read, report)?, None))
}

/// A conversion in progress.
struct Run<'r, O> {
    /// The input's name, if it is a file.
    name: Option<String>,
    /// The output's name.
    target_name: String,
    folder: &'r dyn Folder,
    target: Target,
    output: O,
    options: &'r ConvertOptions,
    report: &'r mut Report,
}

impl<O: Reopen> Run<'_, O> {
    fn enter(&mut self, stage: Stage) -> Result<(), Failure> {
        self.options.progress.enter(stage, self.report)
    }

    /// Refuses a target that is only read, whatever the input.
    fn check_written(&mut self) -> Result<(), Failure> {
        let Some(name) = &self.name else { return self.target.check_written(self.report) };
        self.report.set_file(&self.target_name);
        let checked = self.target.check_written(self.report);
        self.report.set_file(name);
        checked
    }

    /// Reads the input, unless it is a scene; returns its format and its route.
    fn read<'s>(&mut self, input: Input<'s>) -> Result<(&'static str, Route<'s>), Failure> {
        let (source, path) = match input {
            Input::Source(source, path) => (source, path),
            Input::Scene(scene, _) => {
                return Ok(("", Route::ThroughScene(Origin::Scene(Box::new(scene)), self.target.dialect)));
            }
        };
        let format = source_format(&source, path, &self.options.read, self.report)?;
        // An unwritable target is refused before a large file is read for nothing.
        if !may_stay(format, self.target, self.options) {
            self.check_written()?;
        }
        self.enter(Stage::Read)?;
        let document = read_document(format, source, &self.options.read, self.report)?;
        Ok((format.id, Route::of(format, document, self.target, self.options)))
    }

    /// Writes a document as it is, or in another dialect of its format, with its images beside it.
    fn keep(
        &mut self,
        document: Box<dyn Document + '_>,
        other: Option<&'static str>,
    ) -> Result<(&'static str, Before), Failure> {
        let dialect = other.unwrap_or(document.dialect());
        let options = &self.options.write;
        self.watched(|output, report| document.write(dialect, options, output, report))?;
        // The scene is only looked at, so what it cannot hold is not lost. Faults of the file still count.
        self.enter(Stage::Import)?;
        let name = self.name.as_deref().unwrap_or_default();
        let mut aside = Report::new(name, self.options.read.limits.max_diagnostics);
        // A dialect that embeds images has already done so.
        let embeds = |dialect| self.target.format.capabilities(Some(dialect)).embedded_textures;
        let carries = !other.is_some_and(embeds);
        let images = document.image_files();
        let imported = import(document, self.options, &mut aside);
        if matches!(imported, Err(Failure::Unsupported)) {
            // The document is written all the same: that needs no understanding of it.
            let images = images.iter().map(String::as_str).filter(|_| carries);
            carry_images(images, self.folder, &mut self.output, self.report)?;
            self.unproven(&aside);
            return Ok((dialect, Before { counts: None, scene: None, own: None }));
        }
        if let Ok((scene, _)) = &imported {
            // What `validate` refuses is not rewritten either.
            validate(scene, &mut aside);
        }
        let sound = aside.check();
        self.report.append_diagnostics(aside);
        let (scene, own) = imported?;
        sound?;
        if carries {
            let files = scene.images.iter().filter_map(|image| match &image.data {
                ImageData::File(path) => Some(path.as_str()),
                ImageData::Embedded { .. } => None,
            });
            carry_images(files, self.folder, &mut self.output, self.report)?;
        }
        Ok((dialect, Before::of(Cow::Owned(scene), own, self.options)))
    }

    /// Says that a document was written without being read as a scene, and why.
    fn unproven(&mut self, aside: &Report) {
        for found in aside.diagnostics() {
            let message = format!("written as it is, without posing it: {}", found.message);
            self.report.warning(&codes::UNPROVEN, found.place.clone(), message);
        }
    }

    fn import(&mut self, origin: Origin<'_>) -> Result<(Scene, Option<OwnMotion>), Failure> {
        match origin {
            Origin::Scene(scene) => Ok((*scene, None)),
            Origin::Document(document) => {
                self.enter(Stage::Import)?;
                import(document, self.options, self.report)
            }
        }
    }

    /// Runs the passes that were asked for: first those that change the model, then those that must not change how it
    /// looks. The result is compared with the scene as it is between the two.
    fn asked_for(
        &mut self,
        scene: &mut Scene,
        mut own: Option<OwnMotion>,
        dialect: Option<&str>,
    ) -> Result<Before, Failure> {
        self.enter(Stage::Prepare)?;
        let Self { name, target_name, target, folder, output, options, report } = self;
        let fps = options.write.fps.or(options.read.fps);
        let others = [name.as_deref(), Some(target_name.as_str())];
        let others: Vec<&Path> = others.into_iter().flatten().map(Path::new).collect();
        let around = Around { read: &options.read, progress: &options.progress, others: &others };
        options.operations.run_before(scene, &mut own, fps, &around, report)?;
        if let Some(names) = &options.clips {
            let kept = select_clips(scene, names, report)?;
            own.iter_mut().for_each(|own| own.select(&kept));
        }
        if let Some(pose) = &options.pose {
            let limits = &options.read.limits;
            allow_copies(scene, scene_bytes(scene), limits, options.verify, report)?;
            bake_pose(scene, pose, report)?;
            // No clips are left.
            own = None;
        }
        own.iter_mut().for_each(|own| axes_of_motion(own, scene, &options.axes));
        axes(scene, &options.axes);
        let before = Before::of(Cow::Borrowed(scene), own, options);
        options.operations.run_after(scene, &around, report)?;
        textures(scene, options.textures, &target.format.capabilities(dialect), *folder, output, report)?;
        options.asked.run(scene, report);
        Ok(before)
    }

    /// Brings the scene within the target's capabilities.
    fn prepare(&mut self, scene: &mut Scene, dialect: Option<&str>) -> Result<(), Failure> {
        let wanted = PrepareOptions {
            fps: self.options.write.fps,
            interpolation: self.options.write.interpolation,
            influences: self.options.write.influences,
            limits: self.options.read.limits,
            is_proven: self.options.verify,
        };
        let prepared = prepare(scene, &self.target.format.capabilities(dialect), &wanted, self.report);
        name_dialects(self.target, dialect, self.report.losses_mut());
        prepared
    }

    fn export(&mut self, scene: Scene, dialect: Option<&str>) -> Result<Encoded, Failure> {
        self.enter(Stage::Export)?;
        self.target.format.export(scene, dialect, &self.options.write, self.report)
    }

    /// Writes the export, and returns its dialect.
    fn write(&mut self, encoded: Encoded, asked: Option<&str>) -> Result<&'static str, Failure> {
        let dialect = encoded.dialect;
        self.watched(|output, report| encoded.write(output, report))?;
        if asked.is_none() {
            self.target.note_dialect(dialect, self.report);
        }
        Ok(dialect)
    }

    /// Writes until it is done or stopped.
    fn watched(
        &mut self,
        write: impl FnOnce(&mut dyn Output, &mut Report) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.enter(Stage::Write)?;
        let progress = &self.options.progress;
        let written = write(&mut WatchedOutput { output: &mut self.output, progress }, self.report);
        progress.outcome(written, self.report)
    }

    /// Makes the proof, if there is a scene to compare with.
    fn prove(&mut self, before: &Before) -> Result<Option<Comparison>, Failure> {
        let Some(scene) = &before.scene else { return Ok(None) };
        self.enter(Stage::Verify)?;
        let source = Model { scene, own: before.own.as_ref() };
        let proof = verify(source, self.folder, self.target, &mut self.output, self.options, self.report)?;
        self.options.progress.check(self.report)?;
        self.report.set_model_size(proof.size);
        Ok(Some(proof))
    }

    /// Makes the checks that were asked for. This is the last chance to stop before the result is in place.
    fn check(&mut self, conversion: &Conversion) -> Result<(), Failure> {
        if let Some(name) = &self.name {
            self.report.set_file(name);
        }
        check(conversion, self.options, self.report)?;
        self.options.progress.check(self.report)
    }
}
