//! Decides where a model's images go: into the file, beside it, left where they are, or nowhere.

use super::codes;
use super::side_names::{is_reserved, numbered, safe_name};
use super::uv_sets::colour_first;
use crate::Limits;
use crate::formats::{Capabilities, ImageTypes};
use crate::images;
use crate::io::{Content, Folder, Output, git_lfs, is_elsewhere, is_image, not_an_image};
use crate::report::{Code, Failure, Loss, Place, Remedy, Report};
use crate::scene::{Image, ImageData, Scene, media_type};
use crate::text::UniqueNames;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Where images go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextureMode {
    /// Into the file if the format can hold them, otherwise beside it.
    #[default]
    Auto,
    /// Into the file.
    Embed,
    /// Beside the file, as files of their own.
    Copy,
    /// Left where they are; the file refers to them.
    Reference,
    /// Nowhere: materials lose their textures.
    None,
}

/// Embeds, copies, keeps or removes the scene's images. Copies are written through `output`.
///
/// - A missing image file gives a warning, and its reference is kept.
/// - Only images are copied. A file that is none gives a warning and a loss, and its reference is kept.
/// - An image that is not PNG, JPEG, WebP, KTX2 or AVIF cannot be embedded: it is copied, with a warning.
/// - Copies of types that [the format's programs do not show](ImageTypes) are converted to PNG. Images that cannot be
///   decoded are copied as they are, with a warning.
/// - A copy keeps its path, unless a different file is already there, or the model's own files have that name: then it gets
///   a number. No file is copied onto itself.
/// - A mode that the format does not support is a [`Failure::Usage`]; only [`TextureMode::Auto`] looks for another way.
///
/// ```no_run
/// use ligament::formats::FORMATS;
/// use ligament::io::{MemoryOutput, NoFolder};
/// use ligament::passes::textures::{TextureMode, textures};
/// use ligament::scene::{Image, ImageData, Scene};
///
/// let png = ImageData::Embedded { mime: "image/png".into(), bytes: b"\x89PNG\r\n\x1a\n"[..].into() };
/// let image = Image { name: "skin".into(), data: png, extras: Default::default() };
/// let mut scene = Scene { images: vec![image], ..Scene::default() };
/// let mut output = MemoryOutput::new("mage");
/// let target = FORMATS[0].capabilities(None);
/// textures(&mut scene, TextureMode::Copy, &target, &NoFolder, &mut output, &mut Default::default()).unwrap();
/// assert!(output.side_files.contains_key("skin.png"));
/// ```
pub fn textures(
    scene: &mut Scene,
    mode: TextureMode,
    target: &Capabilities,
    from: &dyn Folder,
    output: &mut dyn Output,
    report: &mut Report,
) -> Result<(), Failure> {
    if scene.images.is_empty() {
        return Ok(());
    }
    let impossible = |code: &'static Code, message: &str, report: &mut Report| {
        report.error(code, Place::field("images"), message);
        Err(Failure::Usage)
    };
    let (inside, beside) = (target.embedded_textures, target.texture_files);
    let mode = match mode {
        TextureMode::Embed if !inside && !target.embeds_on_request => {
            let message = "the format cannot hold images inside the file";
            return impossible(&codes::CANNOT_EMBED, message, report);
        }
        TextureMode::Copy | TextureMode::Reference if !beside => {
            let message = "the format cannot refer to image files";
            return impossible(&codes::CANNOT_REFER, message, report);
        }
        TextureMode::Copy if !output.takes_side_files() => {
            let message = "images cannot be copied beside an output that is a stream";
            return impossible(&crate::io::codes::NO_FOLDER, message, report);
        }
        TextureMode::Auto if inside => TextureMode::Embed,
        TextureMode::Auto if beside && output.takes_side_files() => TextureMode::Copy,
        TextureMode::Auto if beside => TextureMode::Reference,
        TextureMode::Auto => TextureMode::None,
        asked => asked,
    };
    if mode == TextureMode::None {
        drop_textures(scene, target, report);
        return Ok(());
    }
    let mut mover = Mover::new(target, from, output);
    let used = used_images(scene, target);
    for (index, image) in scene.images.iter_mut().enumerate().filter(|(index, _)| used[*index]) {
        mover.place(image, &format!("images[{index}]"), mode, report)?;
    }
    if mode == TextureMode::Reference && mover.elsewhere {
        let images = scene.images.iter().zip(&used).filter(|(_, used)| **used);
        let count = images.filter(|(image, _)| matches!(image.data, ImageData::File(_))).count();
        if count > 0 {
            let message = format!(
                "the output refers to {count} images, but it is in another folder, where they will not be found"
            );
            report.warning(&codes::REFERENCE_ELSEWHERE, Place::field("images"), message);
        }
    }
    Ok(())
}

/// Whether the target will refer to each image.
fn used_images(scene: &Scene, target: &Capabilities) -> Vec<bool> {
    let Some(slots) = target.texture_slots else { return vec![true; scene.images.len()] };
    let mut used = vec![false; scene.images.len()];
    let written = scene.materials.iter().flat_map(|material| material.textures());
    for (_, reference) in written.filter(|(slot, _)| slots.contains(slot)) {
        if let Some(texture) = scene.textures.get(reference.texture.index()) {
            used[texture.image.index()] = true;
        }
    }
    used
}

fn drop_textures(scene: &mut Scene, target: &Capabilities, report: &mut Report) {
    // After this, the set that they used is not known any more.
    colour_first(scene, target.uv_sets);
    let mut count = 0;
    for slot in scene.materials.iter_mut().flat_map(|m| m.textures_mut()) {
        count += usize::from(slot.take().is_some());
    }
    scene.textures.clear();
    scene.images.clear();
    let remedy = match (target.embedded_textures, target.texture_files) {
        (true, _) => Some(Remedy::new("textures", "embed", "keeps them")),
        (false, true) => Some(Remedy::new("textures", "copy", "keeps them")),
        (false, false) => None,
    };
    let loss = Loss::dropped(&codes::TEXTURES, "", count, "materials lose their textures");
    report.loss(loss.remedy(remedy));
}

/// Moves images from the source's folder to where they go.
struct Mover<'a> {
    target: &'a Capabilities,
    from: &'a dyn Folder,
    output: &'a mut dyn Output,
    /// Whether the output is in a different folder than the source.
    elsewhere: bool,
    /// Paths of the files written so far, in lower case, since some file systems ignore case.
    taken: UniqueNames<String>,
    /// For a path, a number before which all names are taken or belong to other files in the output's folder.
    unoccupied: BTreeMap<String, u64>,
    /// Where the source's files went, since two images may be the same file.
    copied: BTreeMap<String, String>,
}

impl<'a> Mover<'a> {
    fn new(target: &'a Capabilities, from: &'a dyn Folder, output: &'a mut dyn Output) -> Self {
        let elsewhere = is_elsewhere(from, output);
        Self {
            target,
            from,
            output,
            elsewhere,
            taken: UniqueNames::default(),
            unoccupied: BTreeMap::new(),
            copied: BTreeMap::new(),
        }
    }

    fn place(
        &mut self,
        image: &mut Image,
        field: &str,
        mode: TextureMode,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let embedded = matches!(image.data, ImageData::Embedded { .. });
        match mode {
            TextureMode::Embed => self.embed(image, field, report),
            TextureMode::Reference if !embedded || self.target.embedded_textures => {
                if let ImageData::File(path) = &image.data {
                    self.check(path, field, report);
                }
                Ok(())
            }
            _ if embedded && !self.output.takes_side_files() => {
                let message =
                    format!("{:?} is embedded, and the output has no folder to put it in", image.name);
                report.error(&crate::io::codes::NO_FOLDER, Place::field(field), message);
                Err(Failure::Usage)
            }
            _ if self.target.image_types != ImageTypes::Any && self.output.takes_side_files() => {
                if !self.copy_as_png(image, field, report)? {
                    self.copy(image, field, report)?;
                }
                Ok(())
            }
            _ => self.copy(image, field, report),
        }
    }

    /// Whether the format's programs show images of a type, by its media type.
    fn is_shown(&self, mime: Option<&str>) -> bool {
        match self.target.image_types {
            ImageTypes::Any => true,
            ImageTypes::Common => !matches!(mime, Some("image/ktx2" | "image/avif")),
            ImageTypes::Png => mime == Some(PNG),
        }
    }

    /// Writes an image of a type that is not shown as a PNG file. Returns `false` if the type is shown, or the image
    /// cannot be decoded.
    fn copy_as_png(&mut self, image: &mut Image, field: &str, report: &mut Report) -> Result<bool, Failure> {
        let (bytes, name) = match &mut image.data {
            ImageData::File(path) => {
                if let Some(copy) = self.copied.get(path) {
                    *path = copy.clone();
                    return Ok(true);
                }
                let Some(file) = self.open(path, field, report) else { return Ok(true) };
                if self.elsewhere && !is_image(&file, path) {
                    not_an_image(path, Place::field(field), report);
                    return Ok(true);
                }
                let is_shown = file.head(LONGEST_MAGIC).map(|head| self.is_shown(media_type(&head)));
                let is_named = self.target.image_types != ImageTypes::Png || path.ends_with(".png");
                match is_shown.and_then(|is_shown| {
                    let fits = is_shown && is_named;
                    if fits { Ok(None) } else { file.range(0, file.len()).map(Some) }
                }) {
                    Ok(Some(bytes)) => (bytes.into_owned(), path.clone()),
                    Ok(None) => return Ok(false),
                    Err(error) => {
                        unreadable(path, &error, field, report);
                        return Ok(true);
                    }
                }
            }
            ImageData::Embedded { mime, bytes } if self.is_shown(media_type(bytes)) => {
                if let Some(seen) = media_type(bytes) {
                    seen.clone_into(mime);
                }
                return Ok(false);
            }
            ImageData::Embedded { bytes, .. } => (bytes.to_vec(), safe_name(&image.file_name())),
        };
        let png = match media_type(&bytes) {
            Some(PNG) => Ok(bytes),
            _ => images::to_png(&bytes, &name),
        };
        let png = match png {
            Ok(png) => png,
            Err(reason) => {
                let message =
                    format!("{name:?} cannot be converted to PNG ({reason}); it is copied as it is");
                report.warning(&codes::NOT_CONVERTED, Place::field(field), message);
                return Ok(false);
            }
        };
        let stem = name.rsplit_once('.').map_or(&*name, |(stem, _)| stem);
        let content = Content::Memory(Cow::Owned(png));
        let copy = self.write(&format!("{stem}.png"), &content, true, field, report)?;
        let types = match self.target.image_types {
            ImageTypes::Png => "the format takes only PNG images",
            _ => "programs for the format do not show KTX2 images",
        };
        let message = format!("{types}; the same pixels are written as {copy:?}");
        report.loss(Loss::kept(&codes::IMAGE_TYPE, format!("image {name:?}"), 1, message));
        if let ImageData::File(path) = &image.data {
            self.copied.insert(path.clone(), copy.clone());
        }
        image.data = ImageData::File(copy);
        Ok(true)
    }

    fn embed(&mut self, image: &mut Image, field: &str, report: &mut Report) -> Result<(), Failure> {
        let ImageData::File(path) = &image.data else { return Ok(()) };
        let Some(file) = self.open(path, field, report) else { return Ok(()) };
        let read = file.head(LONGEST_MAGIC).and_then(|head| {
            let Some(mime) = media_type(&head) else { return Ok(None) };
            Ok(Some((mime, file.range(0, file.len())?)))
        });
        let known = match read {
            Ok(known) => known,
            Err(error) => {
                unreadable(path, &error, field, report);
                return Ok(());
            }
        };
        if let Some((mime, bytes)) = known {
            if image.name.is_empty() {
                image.name = image.file_name();
            }
            image.data = ImageData::Embedded { mime: mime.to_owned(), bytes: Arc::from(bytes) };
            return Ok(());
        }
        if self.elsewhere && !is_image(&file, path) {
            not_an_image(path, Place::field(field), report);
            return Ok(());
        }
        let types = "PNG, JPEG, WebP, KTX2 or AVIF";
        let message = format!("{path:?} is not {types}, so it cannot be embedded; it stays a file");
        report.warning(&codes::UNKNOWN_IMAGE, Place::field(field), message);
        if self.elsewhere && self.output.takes_side_files() && self.target.texture_files {
            let copy = self.write_once(&path.clone(), &file, field, report)?;
            image.data = ImageData::File(copy);
        }
        Ok(())
    }

    fn copy(&mut self, image: &mut Image, field: &str, report: &mut Report) -> Result<(), Failure> {
        let path = match &image.data {
            ImageData::File(path) if !self.elsewhere => {
                self.check(path, field, report);
                return Ok(());
            }
            ImageData::File(path) => {
                let Some(file) = self.open(path, field, report) else { return Ok(()) };
                if !is_image(&file, path) {
                    not_an_image(path, Place::field(field), report);
                    return Ok(());
                }
                self.write_once(path, &file, field, report)?
            }
            ImageData::Embedded { bytes, .. } => {
                let bytes = Arc::clone(bytes);
                let is_unnamed = image.name.is_empty();
                if is_unnamed {
                    // Named after the model if it has no name of its own; adding a number is then not worth a note.
                    image.name = self.output.stem().to_owned();
                }
                let name = safe_name(&image.file_name());
                if is_unnamed {
                    image.name.clear();
                }
                let content = Content::Memory(Cow::Borrowed(&bytes));
                if !is_image(&content, &name) {
                    not_an_image(&name, Place::field(field), report);
                    image.data = ImageData::File(name);
                    return Ok(());
                }
                self.write(&name, &content, !is_unnamed, field, report)?
            }
        };
        image.data = ImageData::File(path);
        Ok(())
    }

    /// Warns if a file is missing.
    fn check(&self, path: &str, field: &str, report: &mut Report) -> bool {
        let found = self.from.contains(path);
        if !found {
            let message = format!("the image file {path:?} does not exist; the reference is kept");
            report.warning(&codes::TEXTURE_MISSING, Place::field(field), message);
        }
        found
    }

    fn open(&self, path: &str, field: &str, report: &mut Report) -> Option<Content<'static>> {
        if !self.check(path, field, report) {
            return None;
        }
        let file = self.from.open(path, Limits::default().max_file_bytes);
        file.map_err(|error| unreadable(path, &error, field, report)).ok()
    }

    /// Writes a file of the source, unless an earlier image was the same file.
    fn write_once(
        &mut self,
        path: &str,
        file: &Content<'_>,
        field: &str,
        report: &mut Report,
    ) -> Result<String, Failure> {
        if let Some(copy) = self.copied.get(path) {
            return Ok(copy.clone());
        }
        let copy = self.write(path, file, true, field, report)?;
        self.copied.insert(path.to_owned(), copy.clone());
        Ok(copy)
    }

    /// Writes a side file at `path`, or beside it with a number if a different file is there; that is noted if the name
    /// came from the source. Returns the path written.
    fn write(
        &mut self,
        path: &str,
        content: &Content<'_>,
        is_named: bool,
        field: &str,
        report: &mut Report,
    ) -> Result<String, Failure> {
        let there = self.output.beside();
        // A folder may be a file there, a link out of the output's folder, or one of the model's own. Then the copy goes
        // beside the model.
        let mut wanted = path;
        let first = numbered(path, 0);
        if !self.output.has_room_for(&first) || is_reserved(&first, self.output.stem()) {
            wanted = path.rsplit('/').next().unwrap_or(path);
        }
        let mut number = self.taken.first_free(|number| numbered(wanted, number).to_lowercase());
        let compared_until = number + MOST_COMPARED;
        let place = loop {
            if number == compared_until {
                number = number.max(self.unoccupied.get(wanted).copied().unwrap_or(0));
            }
            let place = numbered(wanted, number);
            let taken = self.taken.contains(&place.to_lowercase()) || is_reserved(&place, self.output.stem());
            // If there is never room, writing says why.
            let is_free = !taken && (self.output.has_room_for(&place) || number > MOST_TRIED);
            let other = there.as_ref().filter(|folder| folder.contains(&place));
            let is_same = |folder: &(dyn Folder + '_)| {
                let there = folder.open(&place, content.len());
                there.and_then(|there| there.equals(content)).unwrap_or(false)
            };
            let same = other.map(|folder| is_same(&**folder));
            match (is_free, same) {
                // The existing file has the same content.
                (true, Some(true)) => {
                    self.taken.insert(place.to_lowercase());
                    return Ok(place);
                }
                (true, None) => break place,
                _ => number += 1,
            }
        };
        if number > compared_until {
            self.unoccupied.insert(wanted.to_owned(), number + 1);
        }
        drop(there);
        self.taken.insert(place.to_lowercase());
        if is_named && place != path {
            let message = format!("{path:?} is copied as {place:?}, because a different file has that name");
            report.note(&codes::TEXTURE_RENAMED, Place::field(field), message);
        }
        self.output.side_file(&place, &mut |file| content.copy_to(file)).map_err(|error| {
            let what = format!("cannot write {place:?}");
            report.system(&crate::io::codes::CANNOT_WRITE, Place::field(field), &what, error)
        })?;
        Ok(place)
    }
}

/// Warns that an image file cannot be read.
fn unreadable(path: &str, error: &std::io::Error, field: &str, report: &mut Report) {
    let message = format!("{path:?} cannot be read ({error}); the reference is kept");
    report.warning(git_lfs::code_of(error, &codes::TEXTURE_UNREADABLE), Place::field(field), message);
}

/// PNG's media type.
const PNG: &str = "image/png";

/// Bytes needed to recognise the media types.
const LONGEST_MAGIC: usize = 16;

/// Names that are tried where something is in the way.
const MOST_TRIED: u64 = 1 << 20;

/// Files in the output's folder that an image is compared with. After them, it takes a name that no file has.
const MOST_COMPARED: u64 = 64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::{DirFolder, FileOutput, MemoryOutput, NoFolder};
    use crate::passes::testing::everything;
    use crate::scene::{Extras, ImageId, Material, Texture, TextureId, TextureRef};

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\nrest";
    const THIRD: &[u8] = b"\x89PNG\r\n\x1a\nthird";
    const TGA: &[u8] = b"\0\0\x02\0\0\0\0\0\0\0\0\0\x01\0\x01\0\x18\0rgb";

    fn file(path: &str) -> Image {
        Image { name: String::new(), data: ImageData::File(path.into()), extras: Extras::new() }
    }

    fn embedded(name: &str, bytes: &[u8]) -> Image {
        let data = ImageData::Embedded { mime: "image/png".into(), bytes: bytes.into() };
        Image { name: name.into(), data, extras: Extras::new() }
    }

    #[test]
    fn the_slots_of_every_format_are_those_of_materials() {
        let texture = Some(TextureRef::new(TextureId(0)));
        let mut material = Material {
            pbr: Some(Default::default()),
            phong: Some(Default::default()),
            ..Material::default()
        };
        material.textures_mut().into_iter().for_each(|slot| *slot = texture.clone());
        let known: Vec<_> = material.textures().into_iter().map(|(slot, _)| slot).collect();
        for format in crate::formats::FORMATS {
            for slot in format.capabilities(None).texture_slots.unwrap_or_default() {
                assert!(known.contains(slot), "{}: {slot}", format.id);
            }
        }
    }

    #[test]
    fn images_of_slots_that_are_not_written_stay_where_they_are() {
        let (_source, from) = folder(&[("color.png", PNG), ("bumps.png", THIRD)]);
        let mut model = scene(vec![file("color.png"), file("bumps.png")]);
        let texture = |image| Texture::new(ImageId(image));
        model.textures = vec![texture(0), texture(1)];
        let refers = |id| Some(TextureRef::new(TextureId(id)));
        let pbr = Some(crate::scene::Pbr { base_color_texture: refers(0), ..Default::default() });
        model.materials = vec![Material { pbr, normal_texture: refers(1), ..Material::default() }];
        let slots: &[_] = &["base colour"];
        let target = Capabilities { embedded_textures: false, texture_slots: Some(slots), ..everything() };
        let mut output = MemoryOutput::new("m");
        textures(&mut model, TextureMode::Copy, &target, &from, &mut output, &mut Report::default()).unwrap();
        assert_eq!(output.side_files.keys().collect::<Vec<_>>(), ["color.png"]);
    }

    fn scene(images: Vec<Image>) -> Scene {
        Scene { images, ..Scene::default() }
    }

    fn folder(files: &[(&str, &[u8])]) -> (tempfile::TempDir, DirFolder) {
        let directory = tempfile::tempdir().unwrap();
        for (path, bytes) in files {
            let path = directory.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        let folder = DirFolder::new(directory.path());
        (directory, folder)
    }

    fn paths(scene: &Scene) -> Vec<&str> {
        scene
            .images
            .iter()
            .map(|i| if let ImageData::File(path) = &i.data { path } else { "(embedded)" })
            .collect()
    }

    fn warned(report: &Report) -> Vec<&str> {
        report.diagnostics().iter().map(|d| d.code.id).collect()
    }

    #[test]
    fn files_are_embedded_with_the_type_their_bytes_say() {
        let (_keep, from) = folder(&[("a.jpg", PNG), ("b.tga", TGA), ("sub/c.png", b"\xff\xd8\xff")]);
        let mut scene = scene(vec![file("a.jpg"), file("b.tga"), file("sub/c.png"), file("gone.png")]);
        let (mut output, mut report) = (MemoryOutput::new("m"), Report::default());
        textures(&mut scene, TextureMode::Auto, &everything(), &from, &mut output, &mut report).unwrap();
        let png = ImageData::Embedded { mime: "image/png".into(), bytes: PNG.into() };
        assert_eq!(scene.images[0].data, png);
        assert!(matches!(&scene.images[2].data, ImageData::Embedded { mime, .. } if mime == "image/jpeg"));
        assert_eq!(paths(&scene), ["(embedded)", "b.tga", "(embedded)", "gone.png"]);
        assert_eq!(output.side_files.keys().collect::<Vec<_>>(), ["b.tga"]);
        assert_eq!(warned(&report), ["PS005", "PS002"]);
    }

    #[test]
    fn copies_get_names_of_their_own() {
        let (_keep, from) = folder(&[("skin.png", PNG)]);
        let (there, _) = folder(&[("skin.png", b"another"), ("hair.png", PNG)]);
        let images = vec![
            file("skin.png"),
            file("skin.png"),
            embedded("skin", THIRD),
            embedded("../Hair", PNG),
            embedded("hair", PNG),
            embedded("", PNG),
        ];
        let mut scene = scene(images);
        let mut output = FileOutput::create(&there.path().join("m.pfobj")).unwrap();
        let mut report = Report::default();
        textures(&mut scene, TextureMode::Copy, &everything(), &from, &mut output, &mut report).unwrap();
        let expected = ["skin-1.png", "skin-1.png", "skin-2.png", "_Hair.png", "hair.png", "m.png"];
        assert_eq!(paths(&scene), expected);
        output.commit().unwrap();
        let read = |name: &str| std::fs::read(there.path().join(name)).unwrap();
        assert_eq!((read("skin.png"), read("skin-1.png")), (b"another".to_vec(), PNG.to_vec()));
        assert_eq!((read("skin-2.png"), read("_Hair.png")), (THIRD.to_vec(), PNG.to_vec()));
        assert_eq!(warned(&report), ["PS007", "PS007"]);
    }

    #[test]
    fn only_images_are_copied() {
        let script = b"#!/bin/sh\n";
        let (_keep, from) = folder(&[(".git/hooks/pre-commit", script), ("x.png", script), ("y.png", PNG)]);
        let target = everything();
        let no_inside =
            Capabilities { embedded_textures: false, image_types: ImageTypes::Png, ..everything() };
        for (mode, target) in
            [(TextureMode::Copy, &target), (TextureMode::Embed, &target), (TextureMode::Auto, &no_inside)]
        {
            let images = vec![file(".git/hooks/pre-commit"), file("x.png"), file("y.png")];
            let (mut scene, mut report) = (scene(images), Report::default());
            let mut output = MemoryOutput::new("m");
            textures(&mut scene, mode, target, &from, &mut output, &mut report).unwrap();
            assert_eq!(warned(&report), ["PS021", "PS021"], "{mode:?}");
            let lost: Vec<_> = report.losses().iter().map(|loss| (loss.code.id, loss.count)).collect();
            assert_eq!(lost, [("LS032", 1), ("LS032", 1)], "{mode:?}");
            assert_eq!(paths(&scene)[..2], [".git/hooks/pre-commit", "x.png"]);
            assert!(output.side_files.keys().all(|name| name == "y.png"), "{:?}", output.side_files.keys());
        }
        let (mut scene, mut report) = (scene(vec![embedded("run.sh", script)]), Report::default());
        let mut output = MemoryOutput::new("m");
        textures(&mut scene, TextureMode::Copy, &everything(), &NoFolder, &mut output, &mut report).unwrap();
        assert!(output.side_files.is_empty());
        assert_eq!((warned(&report), paths(&scene)), (vec!["PS021"], vec!["run.sh.png"]));
    }

    #[test]
    fn copies_do_not_take_the_names_of_the_models_own_files() {
        let names = ["m.bin", "m.mtl", "m.gltf", "geometries/mesh.bgg", "ligament-white.png"];
        let files: Vec<_> = names.iter().map(|name| (*name, PNG)).collect();
        let (_keep, from) = folder(&files);
        let (mut scene, mut report) = (scene(names.map(file).to_vec()), Report::default());
        let mut output = MemoryOutput::new("m");
        textures(&mut scene, TextureMode::Copy, &everything(), &from, &mut output, &mut report).unwrap();
        let expected = ["m-1.bin", "m-1.mtl", "m-1.gltf", "mesh.bgg", "ligament-white-1.png"];
        assert_eq!(paths(&scene), expected);
        assert!(names.iter().all(|name| !output.side_files.contains_key(*name)));
        assert_eq!(warned(&report), ["PS007"; 5]);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_other_things_in_the_way_are_not_followed_or_replaced() {
        let outside = tempfile::tempdir().unwrap();
        let (_keep, from) =
            folder(&[("sub/n.png", PNG), ("file/n.png", PNG), ("d.png", PNG), ("l.png", PNG)]);
        let (there, _) = folder(&[("file", b"mine"), ("d.png/x", b"mine")]);
        std::os::unix::fs::symlink(outside.path(), there.path().join("sub")).unwrap();
        std::os::unix::fs::symlink(outside.path().join("l.png"), there.path().join("l.png")).unwrap();
        let images = ["sub/n.png", "file/n.png", "d.png", "l.png"].map(file).to_vec();
        let (mut scene, mut report) = (scene(images), Report::default());
        let mut output = FileOutput::create(&there.path().join("m.pfobj")).unwrap();
        textures(&mut scene, TextureMode::Copy, &everything(), &from, &mut output, &mut report).unwrap();
        output.commit().unwrap();
        assert_eq!(paths(&scene), ["n.png", "n-1.png", "d-1.png", "l-1.png"]);
        assert!(paths(&scene).iter().all(|name| std::fs::read(there.path().join(name)).unwrap() == PNG));
        assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
        assert_eq!(std::fs::read(there.path().join("file")).unwrap(), b"mine");
    }

    #[test]
    fn nothing_is_copied_onto_itself() {
        let (here, from) = folder(&[("skin.png", PNG)]);
        let mut output = FileOutput::create(&here.path().join("m.pfobj")).unwrap();
        let (mut scene, mut report) = (scene(vec![file("skin.png")]), Report::default());
        textures(&mut scene, TextureMode::Copy, &everything(), &from, &mut output, &mut report).unwrap();
        output.commit().unwrap();
        assert_eq!(paths(&scene), ["skin.png"]);
        assert_eq!(std::fs::read_dir(here.path()).unwrap().count(), 2);
    }

    #[test]
    fn other_types_become_png_where_the_format_asks_for_it() {
        let picture = image::DynamicImage::new_rgb8(4, 2);
        let mut jpeg = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut jpeg, image::ImageFormat::Jpeg).unwrap();
        let jpeg = jpeg.into_inner();
        let target = Capabilities { embedded_textures: false, image_types: ImageTypes::Png, ..everything() };
        // In the source's own folder, too.
        let (here, from) = folder(&[
            ("a.jpg", &jpeg),
            ("b.PNG", PNG),
            ("c.png", PNG),
            ("bad.jpg", b"\xff\xd8\xff"),
            ("d.png", &jpeg),
        ]);
        let images = ["a.jpg", "a.jpg", "b.PNG", "c.png", "bad.jpg", "gone.jpg", "d.png"].map(file);
        let mut scene = scene(images.into_iter().chain([embedded("e", &jpeg), embedded("f", PNG)]).collect());
        let mut output = FileOutput::create(&here.path().join("m.bgl")).unwrap();
        let mut report = Report::default();
        textures(&mut scene, TextureMode::Auto, &target, &from, &mut output, &mut report).unwrap();
        output.commit().unwrap();
        let expected =
            ["a.png", "a.png", "b.png", "c.png", "bad.jpg", "gone.jpg", "d-1.png", "e.png", "f.png"];
        assert_eq!(paths(&scene), expected);
        for name in ["a.png", "d-1.png", "e.png"] {
            let bytes = std::fs::read(here.path().join(name)).unwrap();
            assert_eq!(media_type(&bytes), Some("image/png"));
            assert_eq!(crate::images::decode(&bytes, "").unwrap(), crate::images::decode(&jpeg, "").unwrap());
        }
        assert_eq!(std::fs::read(here.path().join("d.png")).unwrap(), jpeg);
        let objects: Vec<_> = report.losses().iter().map(|l| (l.code.id, l.object.as_str())).collect();
        let expected = [r#"image "a.jpg""#, r#"image "b.PNG""#, r#"image "d.png""#, r#"image "e.png""#];
        assert_eq!(objects, expected.map(|object| ("LS031", object)));
        assert_eq!(warned(&report), ["PS010", "PS002", "PS007"]);
    }

    #[test]
    fn ktx2_becomes_png_for_all_but_gltf() {
        let ktx2 = include_bytes!("../../tests/fixtures/ktx2/uastc.ktx2");
        let target =
            Capabilities { embedded_textures: false, image_types: ImageTypes::Common, ..everything() };
        const AVIF: &[u8] = b"\0\0\0\x20ftypavif\0\0\0\0avif";
        let (_keep, from) = folder(&[
            ("a.ktx2", ktx2),
            ("b.tga", TGA),
            ("c.jpg", b"\xff\xd8\xff"),
            ("bad.ktx2", &ktx2[..150]),
            ("d.avif", AVIF),
        ]);
        let images = || {
            let files = ["a.ktx2", "b.tga", "c.jpg", "bad.ktx2", "d.avif", "a.ktx2"].map(file);
            scene(files.into_iter().chain([embedded("e", ktx2), embedded("f", PNG)]).collect())
        };
        let (mut scene, mut output, mut report) = (images(), MemoryOutput::new("m"), Report::default());
        textures(&mut scene, TextureMode::Auto, &target, &from, &mut output, &mut report).unwrap();
        let expected = ["a.png", "b.tga", "c.jpg", "bad.ktx2", "d.avif", "a.png", "e.png", "f.png"];
        assert_eq!(paths(&scene), expected);
        let written: Vec<_> = output.side_files.keys().map(String::as_str).collect();
        assert_eq!(written, ["a.png", "b.tga", "bad.ktx2", "c.jpg", "d.avif", "e.png", "f.png"]);
        // `images/ktx2.rs` compares the pixels with those of another decoder.
        let pixels = crate::images::decode(ktx2, "").unwrap();
        for name in ["a.png", "e.png"] {
            assert_eq!(media_type(&output.side_files[name]), Some("image/png"));
            assert_eq!(crate::images::decode(&output.side_files[name], "").unwrap(), pixels);
        }
        assert_eq!(output.side_files["bad.ktx2"], &ktx2[..150]);
        let objects: Vec<_> = report.losses().iter().map(|l| (l.code.id, l.object.as_str())).collect();
        assert_eq!(objects, [("LS031", r#"image "a.ktx2""#), ("LS031", r#"image "e.png""#)]);
        assert_eq!(warned(&report), ["PS010", "PS010"]);
        assert!(report.diagnostics()[1].message.contains("AVIF"), "{:?}", report.diagnostics());

        let (mut scene, mut output, mut report) = (images(), MemoryOutput::new("m"), Report::default());
        textures(&mut scene, TextureMode::Copy, &everything(), &from, &mut output, &mut report).unwrap();
        assert_eq!(output.side_files["a.ktx2"], ktx2);
        assert!(report.losses().is_empty() && report.diagnostics().is_empty(), "{report:?}");
    }

    #[test]
    fn references_from_elsewhere_are_warned_about() {
        let (_keep, from) = folder(&[("skin.png", PNG)]);
        let mut output = MemoryOutput::new("m");
        let (mut scene, mut report) = (scene(vec![file("skin.png"), embedded("a", PNG)]), Report::default());
        textures(&mut scene, TextureMode::Reference, &everything(), &from, &mut output, &mut report).unwrap();
        assert_eq!(paths(&scene), ["skin.png", "(embedded)"]);
        assert_eq!(warned(&report), ["PS006"]);
    }

    #[test]
    fn what_the_format_cannot_do_is_wrong_usage() {
        let target = Capabilities { embedded_textures: false, ..everything() };
        let (mut output, mut report) = (MemoryOutput::new("m"), Report::default());
        let mut scene = scene(vec![embedded("a", PNG)]);
        let done = textures(&mut scene, TextureMode::Embed, &target, &NoFolder, &mut output, &mut report);
        assert_eq!(done, Err(Failure::Usage));
        assert_eq!(warned(&report), ["PS003"]);
        textures(&mut scene, TextureMode::Auto, &target, &NoFolder, &mut output, &mut report).unwrap();
        assert_eq!(output.side_files["a.png"], PNG);
    }

    #[test]
    fn none_takes_textures_from_materials_and_counts_them() {
        let texture = || Some(TextureRef::new(TextureId(0)));
        let material =
            Material { normal_texture: texture(), emissive_texture: texture(), ..Material::default() };
        let mut scene = scene(vec![file("skin.png")]);
        scene.textures = vec![Texture::new(ImageId(0))];
        scene.materials = vec![material];
        let (mut output, mut report) = (MemoryOutput::new("m"), Report::default());
        textures(&mut scene, TextureMode::None, &everything(), &NoFolder, &mut output, &mut report).unwrap();
        assert!(scene.images.is_empty() && scene.textures.is_empty());
        assert!(scene.materials[0].textures().is_empty());
        assert_eq!(report.losses()[0].count, 2);
    }
}
