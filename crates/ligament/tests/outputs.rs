//! What writing does to the file system: all files of an output or none, links and devices stay, and nothing is left over.

use ligament::io::{FileOutput, Output, write_file};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Every path below a folder with its content; folders have none.
fn tree(folder: &Path) -> Vec<(PathBuf, Option<Vec<u8>>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
            let is_folder = path.symlink_metadata().unwrap().is_dir();
            found.push((path.clone(), (!is_folder).then(|| fs::read(&path).unwrap())));
            folders.extend(is_folder.then_some(path));
        }
    }
    found.sort();
    found
}

/// A model with a buffer that exists, and an image in a folder that does not.
fn begun(folder: &Path) -> FileOutput {
    let mut output = FileOutput::create(&folder.join("m.gltf")).unwrap();
    output.main().write_all(b"new model").unwrap();
    output.side_file("m.bin", &mut |file| file.write_all(b"new buffer")).unwrap();
    output.side_file("a/b/skin.png", &mut |file| file.write_all(b"new image")).unwrap();
    output
}

#[test]
fn a_set_of_files_is_placed_together_or_not_at_all() {
    // What happens to the folder between the begin and the end of a conversion.
    type Mishap = fn(&Path);
    let mishaps: [(&str, Mishap); 4] = [
        ("the model's place becomes a folder", |folder| fs::create_dir(folder.join("m.gltf")).unwrap()),
        ("the buffer's place becomes a folder", |folder| {
            fs::remove_file(folder.join("m.bin")).unwrap();
            fs::create_dir(folder.join("m.bin")).unwrap();
        }),
        ("the image's folder becomes a file", |folder| fs::write(folder.join("a"), "mine").unwrap()),
        // Only found after the side files are in place.
        ("the model's temporary file is removed", |folder| {
            let temporaries = tree(folder).into_iter().map(|(path, _)| path);
            let mut temporaries: Vec<_> =
                temporaries.filter(|p| p.extension().is_some_and(|e| e == "tmp")).collect();
            temporaries.sort();
            fs::remove_file(&temporaries[0]).unwrap();
        }),
    ];
    for (what, mishap) in mishaps {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("m.bin"), "old buffer").unwrap();
        let output = begun(folder.path());
        mishap(folder.path());
        let before = tree(folder.path());
        assert!(output.commit().is_err(), "{what}");
        let kept = |path: &Path| path.extension().is_none_or(|extension| extension != "tmp");
        let before: Vec<_> = before.into_iter().filter(|(path, _)| kept(path)).collect();
        assert_eq!(tree(folder.path()), before, "{what}");
    }

    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.bin"), "old buffer").unwrap();
    begun(folder.path()).commit().unwrap();
    let files: Vec<_> = tree(folder.path()).into_iter().filter_map(|(_, content)| content).collect();
    assert_eq!(files, [&b"new image"[..], b"new buffer", b"new model"]);
}

#[test]
fn an_error_of_a_side_file_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let output = begun(folder.path());
    fs::create_dir(folder.path().join("m.bin")).unwrap();
    let error = output.commit().unwrap_err();
    assert!(error.kind() == ErrorKind::IsADirectory && error.to_string().contains("m.bin"), "{error}");
}

#[test]
fn a_disk_that_is_full_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.bin"), "old buffer").unwrap();
    let before = tree(folder.path());
    let mut output = begun(folder.path());
    let full = output.side_file("n.png", &mut |file| {
        file.write_all(&[0; 1 << 20])?;
        Err(ErrorKind::StorageFull.into())
    });
    assert_eq!(full.unwrap_err().kind(), ErrorKind::StorageFull);
    drop(output);
    assert_eq!(tree(folder.path()), before);
}

#[test]
fn sets_of_files_that_are_placed_at_once_are_not_mixed() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..20 {
        std::thread::scope(|scope| {
            for word in [b"one", b"two"] {
                let path = folder.path().join("m.gltf");
                scope.spawn(move || {
                    let mut output = FileOutput::create(&path).unwrap();
                    output.main().write_all(word).unwrap();
                    output.side_file("m.bin", &mut |file| file.write_all(word)).unwrap();
                    output.commit().unwrap();
                });
            }
        });
        let [model, buffer] = ["m.gltf", "m.bin"].map(|name| fs::read(folder.path().join(name)).unwrap());
        assert_eq!(model, buffer);
    }
}

#[test]
fn folders_are_made_only_for_what_succeeds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a/b/m.txt");
    assert_eq!(FileOutput::create(&path).err().map(|error| error.kind()), Some(ErrorKind::NotFound));
    drop(FileOutput::create_with_folders(&path).unwrap());
    assert!(tree(folder.path()).is_empty());
    let mut output = FileOutput::create_with_folders(&path).unwrap();
    output.side_file("c/d.png", &mut |file| file.write_all(b"d")).unwrap();
    output.commit().unwrap();
    assert_eq!(fs::read(folder.path().join("a/b/c/d.png")).unwrap(), b"d");
    assert_eq!(tree(folder.path()).len(), 5);
}

#[test]
fn two_side_files_do_not_replace_each_other_or_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let mut output = begun(folder.path());
    let mut add = |name: &str, content: &[u8]| {
        output.side_file(name, &mut |file| file.write_all(content)).map_err(|error: io::Error| error.kind())
    };
    assert_eq!(add("m.bin", b"new buffer"), Ok(()));
    assert_eq!(add("m.bin", b"other"), Err(ErrorKind::AlreadyExists));
    assert_eq!(add("m.gltf", b"other"), Err(ErrorKind::AlreadyExists));
    assert!(!output.has_room_for("m.bin") && !output.has_room_for("m.gltf") && output.has_room_for("n.bin"));
}

#[test]
fn names_may_be_as_long_as_the_file_system_allows() {
    let folder = tempfile::tempdir().unwrap();
    for length in [240, 254, 255] {
        let name = format!("{}.txt", "n".repeat(length - 4));
        write_file(&folder.path().join(&name), b"text").unwrap();
        let mut output = FileOutput::create(&folder.path().join(&name)).unwrap();
        output.side_file(&name.replace('n', "m"), &mut |file| file.write_all(b"side")).unwrap();
        output.commit().unwrap();
    }
    assert_eq!(tree(folder.path()).len(), 6);
    assert!(write_file(&folder.path().join("n".repeat(256)), b"").is_err());
    assert_eq!(tree(folder.path()).len(), 6);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, chown, symlink};

    fn is_link(path: &Path) -> bool {
        path.symlink_metadata().unwrap().is_symlink()
    }

    #[test]
    fn links_stay_and_what_they_lead_to_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("real")).unwrap();
        fs::write(path("real/there.txt"), "old").unwrap();
        symlink("real/there.txt", path("first")).unwrap();
        symlink(path("first"), path("second")).unwrap();
        symlink("real/new.txt", path("dangling")).unwrap();
        symlink("circle", path("circle")).unwrap();
        write_file(&path("second"), b"new").unwrap();
        write_file(&path("dangling"), b"new").unwrap();
        assert!(["first", "second", "dangling"].iter().all(|name| is_link(&path(name))));
        assert_eq!(fs::read(path("real/there.txt")).unwrap(), b"new");
        assert_eq!(fs::read(path("real/new.txt")).unwrap(), b"new");
        assert!(write_file(&path("circle"), b"").is_err());
        assert_eq!(fs::read_dir(path("real")).unwrap().count(), 2);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 5);
    }

    #[test]
    fn a_pipe_is_written_into() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo runs").success());
        symlink("pipe", folder.path().join("link")).unwrap();
        for name in ["pipe", "link"] {
            let reader = {
                let pipe = pipe.clone();
                std::thread::spawn(move || fs::read(pipe).unwrap())
            };
            let mut output = FileOutput::create(&folder.path().join(name)).unwrap();
            assert!(!output.takes_side_files());
            assert!(output.side_file("a.bin", &mut |file| file.write_all(b"x")).is_err());
            output.main().write_all(&[7; 100_000]).unwrap();
            assert_eq!(output.source().unwrap().content.len(), 100_000);
            output.commit().unwrap();
            assert_eq!(reader.join().unwrap(), [7; 100_000]);
            assert!(pipe.symlink_metadata().unwrap().file_type().is_fifo());
        }
        assert!(is_link(&folder.path().join("link")));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_link_to_a_device_stays_and_so_does_the_device() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("null");
        symlink("/dev/null", &link).unwrap();
        let before = Path::new("/dev/null").metadata().unwrap();
        write_file(&link, b"nothing").unwrap();
        let after = Path::new("/dev/null").metadata().unwrap();
        assert!(is_link(&link) && after.file_type().is_char_device());
        assert_eq!((before.ino(), before.mode()), (after.ino(), after.mode()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_socket_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
        assert!(write_file(&path, b"x").is_err());
        assert!(path.symlink_metadata().unwrap().file_type().is_socket());
    }

    #[test]
    fn a_file_that_is_replaced_keeps_its_mode_and_owner() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.txt");
        for mode in [0o600, 0o640, 0o664, 0o755, 0o444] {
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            // Only root may give files away.
            let has_owner = chown(&path, Some(65534), Some(65534)).is_ok();
            let mut output = FileOutput::create(&path).unwrap();
            let open =
                fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().metadata().unwrap().mode() & 0o77);
            assert!(open.max() <= Some(mode & 0o77), "nobody else can read the temporary file");
            output.main().write_all(b"new").unwrap();
            output.commit().unwrap();
            let after = path.metadata().unwrap();
            assert_eq!(after.mode() & 0o7777, mode);
            assert_eq!(fs::read(&path).unwrap(), b"new");
            assert!(!has_owner || (after.uid(), after.gid()) == (65534, 65534));
            fs::remove_file(&path).unwrap();
        }
    }

    #[test]
    fn side_files_do_not_go_through_links_out_of_the_folder() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("n.png"), "precious").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        symlink(outside.path(), path("sub")).unwrap();
        symlink(outside.path().join("n.png"), path("n.png")).unwrap();
        fs::create_dir(path("own")).unwrap();
        symlink("own", path("inside")).unwrap();
        let mut output = FileOutput::create(&path("m.gltf")).unwrap();
        for name in ["sub/n.png", "sub/new/n.png", "n.png"] {
            assert!(!output.has_room_for(name), "{name}");
            let error = output.side_file(name, &mut |file| file.write_all(b"x")).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{name}");
        }
        output.side_file("inside/n.png", &mut |file| file.write_all(b"x")).unwrap();
        output.commit().unwrap();
        assert_eq!(fs::read(path("own/n.png")).unwrap(), b"x");
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
        assert_eq!(fs::read(outside.path().join("n.png")).unwrap(), b"precious");
    }

    #[test]
    fn other_hard_links_keep_the_old_content() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        fs::write(&one, "old").unwrap();
        fs::hard_link(&one, &other).unwrap();
        write_file(&one, b"new").unwrap();
        assert_eq!((fs::read(&one).unwrap(), fs::read(&other).unwrap()), (b"new".to_vec(), b"old".to_vec()));
    }
}
