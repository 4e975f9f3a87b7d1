//! Reading and writing files: nothing half written, nothing outside the folder.

mod support;

use ligament::formats::ReadOptions;
use ligament::io::{DirFolder, FileOutput, Folder, Output, Source};
use ligament::report::Report;
use ligament::{ConvertOptions, Failure, Limits, Scene};
use std::error::Error;
use std::fs;
use std::io::{self, ErrorKind};

fn names(folder: &std::path::Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn an_output_appears_complete_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("model.txt");
    fs::write(&target, "old").unwrap();

    let mut abandoned = FileOutput::create(&target).unwrap();
    abandoned.main().write_all(b"half").unwrap();
    abandoned.side_file("picture.png", &mut |w| w.write_all(b"half")).unwrap();
    drop(abandoned);
    assert_eq!(names(folder.path()), ["model.txt"]);
    assert_eq!(fs::read(&target).unwrap(), b"old");

    let mut kept = FileOutput::create(&target).unwrap();
    kept.main().write_all(b"new").unwrap();
    kept.side_file("textures/picture.png", &mut |w| w.write_all(b"png")).unwrap();
    let pending = kept.source().unwrap();
    assert_eq!(&*pending.content.range(0, 3).unwrap(), b"new");
    assert_eq!(pending.folder.read("textures/picture.png", 100).unwrap(), b"png");
    drop(pending);
    kept.commit().unwrap();
    assert_eq!(names(folder.path()), ["model.txt", "textures"]);
    assert_eq!(fs::read(&target).unwrap(), b"new");
    assert_eq!(fs::read(folder.path().join("textures/picture.png")).unwrap(), b"png");
}

#[test]
fn a_side_file_that_fails_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let mut output = FileOutput::create(&folder.path().join("model.txt")).unwrap();
    let failed = output.side_file("a.bin", &mut |_| Err(ErrorKind::StorageFull.into()));
    assert_eq!(failed.unwrap_err().kind(), ErrorKind::StorageFull);
    drop(output);
    assert!(names(folder.path()).is_empty());
}

#[cfg(unix)]
#[test]
fn links_out_of_the_folder_are_not_followed() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret"), "secret").unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(outside.path().join("secret"), folder.path().join("link.png")).unwrap();
    fs::write(folder.path().join("own.png"), "own").unwrap();
    let folder = DirFolder::new(folder.path());
    assert!(!folder.contains("link.png"));
    assert_eq!(folder.read("link.png", 100).unwrap_err().kind(), ErrorKind::PermissionDenied);
    assert_eq!(folder.read("own.png", 100).unwrap(), b"own");
    assert_eq!(folder.read("own.png", 2).unwrap_err().kind(), ErrorKind::FileTooLarge);
}

#[test]
fn files_that_are_missing_folders_or_too_large_are_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large.pfobj");
    fs::write(&file, "version 1.0\n").unwrap();
    let small = Limits { max_file_bytes: 5, ..Limits::default() };
    for (path, limits, code) in [
        (folder.path().join("missing.pfobj"), Limits::default(), "IO001"),
        (folder.path().to_owned(), Limits::default(), "IO001"),
        (file, small, "IO003"),
    ] {
        let mut report = Report::default();
        let failure = Source::open(&path, &limits, &mut report).err();
        assert_eq!(failure, Some(Failure::Io), "{}", path.display());
        assert_eq!(report.diagnostics()[0].code.id, code);
    }
}

#[test]
fn errors_keep_the_error_of_the_system() {
    let folder = tempfile::tempdir().unwrap();
    let missing = ligament::read(folder.path().join("no.glb"), &ReadOptions::default()).unwrap_err();
    let nowhere = folder.path().join("no/folder/out.glb");
    let unplaced = ligament::write(Scene::default(), nowhere, &ConvertOptions::default()).unwrap_err();
    for error in [missing, unplaced] {
        assert_eq!(error.failure, Failure::Io);
        let source = error.source().and_then(|source| source.downcast_ref::<io::Error>());
        assert_eq!(source.map(io::Error::kind), Some(ErrorKind::NotFound), "{error}");
    }
}

#[test]
fn a_file_of_no_known_format_is_refused_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.xyz");
    fs::write(&file, "just some words\n").unwrap();
    let error = ligament::read(&file, &ReadOptions::default()).unwrap_err();
    assert_eq!(error.failure, Failure::Invalid);
    assert!(error.source().is_none());
    assert_eq!(error.report.diagnostics()[0].code.id, "IO006");
    assert!(error.report.diagnostics()[0].help.as_deref().unwrap().contains("ligament formats"));
}

/// A pointer as Git LFS writes it.
const POINTER: &str = "version https://git-lfs.github.com/spec/v1\n\
    oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";

#[test]
fn git_lfs_pointers_are_recognised_before_any_format() {
    let folder = tempfile::tempdir().unwrap();
    let extensions: Vec<_> = ligament::formats::FORMATS.iter().flat_map(|f| f.extensions).collect();
    assert!(extensions.len() >= 9);
    for extension in extensions {
        let file = folder.path().join(format!("model.{extension}"));
        fs::write(&file, POINTER).unwrap();
        for format in [None, Some("obj".to_owned())] {
            let error = ligament::read(&file, &ReadOptions { format, ..ReadOptions::default() }).unwrap_err();
            let [only] = error.report.diagnostics() else { panic!("{:?}", error.report) };
            assert_eq!((error.failure, only.code.id), (Failure::Invalid, "IO007"), "{extension}");
            assert!(only.message.contains("git lfs pull"));
        }
    }
}

#[test]
fn side_files_that_are_git_lfs_pointers_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    for name in ["data.bin", "skin.png", "skin.mtl"] {
        write(name, POINTER);
    }
    let gltf = write(
        "buffer.gltf",
        r#"{"asset":{"version":"2.0"},"buffers":[{"uri":"data.bin","byteLength":12345}]}"#,
    );
    let error = ligament::read(&gltf, &ReadOptions::default()).unwrap_err();
    let codes: Vec<_> = error.report.diagnostics().iter().map(|d| d.code.id).collect();
    assert_eq!(codes, ["IO007"]);
    let of = |report: &Report| -> Vec<String> {
        let found = report.diagnostics().iter().filter(|d| d.code.id == "IO007");
        found.map(|d| d.message.clone()).collect()
    };
    let obj = write("library.obj", "mtllib skin.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let (_, report) = ligament::read(&obj, &ReadOptions::default()).unwrap();
    assert!(of(&report)[0].contains("skin.mtl") && of(&report)[0].contains("git lfs pull"));
    write("real.mtl", "newmtl a\nmap_Kd skin.png\n");
    let text = "mtllib real.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n";
    let obj = write("texture.obj", text);
    let out = tempfile::tempdir().unwrap();
    // Embedded, copied, converted, and carried along.
    for name in ["a.glb", "a.pfobj", "a.bgl", "a.obj"] {
        let done = ligament::convert(&obj, out.path().join(name), &ConvertOptions::default());
        let report = done.unwrap().1;
        assert!(of(&report).iter().any(|m| m.contains("skin.png")), "{name}: {:?}", report.diagnostics());
    }
}

/// ZBrush ends its OBJ files with a zero byte; others pad theirs.
#[test]
fn zero_bytes_at_the_end_of_a_text_are_ignored_with_a_warning() {
    let mut read = std::collections::BTreeMap::new();
    for format in ligament::formats::FORMATS {
        for seed in support::seeds::files(format) {
            // FBX is parsed by ufbx, which ignores them; glTF's reader reports them as extra data.
            let is_text = !seed.bytes.contains(&0) && !["fbx", "gltf"].contains(&format.id);
            if !is_text || seed.bytes.len() > 20_000 || support::seeds::refused_with(&seed.path).is_some() {
                continue;
            }
            let folder = seed.path.parent().unwrap();
            let mut plain = Report::default();
            let Some(expected) = support::import(format, &seed.bytes, folder, &mut plain) else {
                panic!("{}: {:?}", seed.path.display(), plain.diagnostics())
            };
            for count in [1, 5000] {
                let padded = [&seed.bytes[..], &vec![0; count]].concat();
                let mut report = Report::default();
                let scene = support::import(format, &padded, folder, &mut report);
                assert_eq!(scene.as_ref(), Some(&expected), "{}: {report:?}", seed.path.display());
                let found = report.diagnostics().iter().filter(|d| d.code.id == "IO008").count();
                assert_eq!(found, 1, "{}", seed.path.display());
                assert_eq!(report.diagnostics().len(), plain.diagnostics().len() + 1);
            }
            *read.entry(format.id).or_insert(0) += 1;
        }
    }
    for id in ["pfobj", "apg", "amo", "qmsh-tmp", "obj"] {
        assert!(read.get(id).is_some_and(|&count| count > 0), "{id} is not in {read:?}");
    }
}
