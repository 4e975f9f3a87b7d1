//! What commands do to the file system: links, pipes, permissions, names, and what killed processes leave.

use super::*;

/// A model with one triangle and images, written by hand. Each image is a member of a JSON list.
fn model(images: &str) -> String {
    let texture = if images.is_empty() { "" } else { r#","textures":[{"source":0}]"# };
    let material = if images.is_empty() {
        ""
    } else {
        r#","materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}]"#
    };
    let part = if images.is_empty() { "" } else { r#","material":0"# };
    format!(
        r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"uri":"{BUFFER}","byteLength":36}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}{part}}}]}}],"nodes":[{{"mesh":0}}],
        "scenes":[{{"nodes":[0]}}],"scene":0,"images":[{images}]{texture}{material}}}"#
    )
    .replace(r#","images":[]"#, "")
}

/// The corners of the triangle.
const BUFFER: &str = "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";

/// A white pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC";

#[test]
fn long_image_names_are_cut_at_a_character() {
    let folder = folder();
    let name = "🦴".repeat(64);
    let image = format!(r#"{{"name":"{name}","uri":"data:image/png;base64,{PNG}"}}"#);
    write(&folder, "in.gltf", model(&image));
    fs::create_dir(folder.path().join("out")).expect("created");
    for target in ["out/m.pfobj", "out/m.obj", "out/m.gltf"] {
        let output = run(&folder, ["convert", "in.gltf", target, "--textures", "copy"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    let images: Vec<_> =
        names(&folder.path().join("out")).into_iter().filter(|n| n.ends_with(".png")).collect();
    assert_eq!(images, [format!("{}.png", "🦴".repeat(62))]);
}

#[test]
fn a_pair_of_files_is_never_mixed() {
    let folder = folder();
    fs::create_dir(folder.path().join("out")).expect("created");
    expect(&ligament(&folder, "convert bend_tube.pfobj out/m.gltf -q --textures none"), 0);
    let read =
        || ["m.gltf", "m.bin"].map(|name| fs::read(folder.path().join("out").join(name)).expect("read"));
    let before = (names(&folder.path().join("out")), read());
    // The second buffer of this model cannot be placed.
    let second = r#""byteLength":36},{"uri":"b.bin","byteLength":36}],"#;
    write(
        &folder,
        "two.gltf",
        model("").replacen(r#""byteLength":36}],"#, second, 1).replace(BUFFER, "b.bin"),
    );
    write(&folder, "b.bin", [0; 36]);
    fs::create_dir(folder.path().join("out/m_1.bin")).expect("created");
    expect_error(&ligament(&folder, "convert two.gltf out/m.gltf"), 4, &["IO002", "m_1.bin"]);
    fs::remove_dir(folder.path().join("out/m_1.bin")).expect("removed");
    assert_eq!((names(&folder.path().join("out")), read()), before);
    expect(&ligament(&folder, "validate out/m.gltf"), 0);
}

#[test]
fn names_of_240_to_255_bytes_are_written() {
    let folder = folder();
    for length in [240, 255] {
        let stem = "n".repeat(length - 5);
        for name in [format!("{stem}.gltf"), format!("{stem}n.obj")] {
            expect(&run(&folder, ["convert", "bend_tube.pfobj", &name, "-q", "--textures", "none"]), 0);
            expect(&run(&folder, ["validate", &name]), 0);
        }
    }
}

#[test]
fn damaged_base64_is_a_fault_of_the_input() {
    let folder = folder();
    write(&folder, "bad.gltf", model("").replace("AAAAAAAAAAAAAAAAAACAPw", "AAAAAAAAA*AAAAAAAACAPw"));
    for line in ["convert bad.gltf o.glb", "convert bad.gltf o.glb --reencode", "convert bad.gltf o.obj"] {
        expect_error(&ligament(&folder, line), 3, &["GL101", "base64"]);
    }
    assert!(!folder.path().join("o.glb").exists());
}

#[test]
fn reports_and_depfiles_do_not_replace_models() {
    let folder = folder();
    expect(&ligament(&folder, "convert bend_tube.pfobj old.glb -q"), 0);
    write(
        &folder,
        "ligament.toml",
        "[[rule]]\nglob = \"*.pfobj\"\nto = \"glb\"\noutput = \"{stem}.{ext}\"\n",
    );
    let before = |name: &str| fs::read(folder.path().join(name)).ok();
    let files = names(folder.path());
    let contents: Vec<_> = files.iter().map(|name| before(name)).collect();
    for (line, piece) in [
        ("convert bend_tube.pfobj o.glb --report bend_tube.pfobj", "would replace the input bend_tube.pfobj"),
        ("convert bend_tube.pfobj o.glb --depfile ./bend_tube.pfobj", "would replace the input"),
        ("convert bend_tube.pfobj o.glb --report o.glb", "would replace the output o.glb"),
        ("convert bend_tube.pfobj old.glb --depfile ./old.glb", "would replace the output"),
        ("convert bend_tube.pfobj o.glb --depfile x --report x", "are the same file"),
        ("pose bend_tube.pfobj o.glb --report bend_tube.pfobj", "would replace the input"),
        ("convert bend_tube.pfobj --to glb --out-dir . --report bend_tube.pfobj", "would replace the input"),
        ("build --report multi_mat_cube.pfobj", "would replace the input"),
        ("build --depfile ligament.toml", "would replace the rules"),
        ("build --depfile bend_tube.glb", "would replace the output"),
        ("render bend_tube.pfobj -o bend_tube.pfobj", "would replace the model"),
    ] {
        expect_error(&ligament(&folder, line), 2, &[piece]);
        assert_eq!(names(folder.path()), files, "{line}");
    }
    assert_eq!(files.iter().map(|name| before(name)).collect::<Vec<_>>(), contents);
}

#[test]
fn rules_stay_in_their_folder_unless_they_are_allowed_to_leave() {
    let folder = folder();
    fs::create_dir_all(folder.path().join("p")).expect("created");
    fs::rename(folder.path().join("bend_tube.pfobj"), folder.path().join("p/tube.pfobj")).expect("moved");
    let precious = write(&folder, "precious", "mine");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("..", folder.path().join("p/up")).expect("linked");
        std::os::unix::fs::symlink("../precious", folder.path().join("p/link")).expect("linked");
    }
    let absolute = precious.display().to_string().replace('\\', "/");
    let outputs = ["../precious", &absolute, "new/../../precious", "up/precious", "link"];
    for output in outputs.into_iter().take(if cfg!(unix) { 5 } else { 3 }) {
        write(
            &folder,
            "p/ligament.toml",
            format!("[[rule]]\nglob = \"*.pfobj\"\nto = \"obj\"\noutput = \"{output}\"\n"),
        );
        let failed = ligament(&folder, "build --config p/ligament.toml");
        expect_error(&failed, 2, &["BD006", "--allow-outside", "ligament.toml:4:10"]);
        assert_eq!(fs::read(&precious).expect("there"), b"mine", "{output}");
        let output = ligament(&folder, "build --config p/ligament.toml --allow-outside");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_ne!(fs::read(&precious).expect("there"), b"mine");
        write(&folder, "precious", "mine");
    }
}

#[test]
fn only_images_are_copied_and_others_keep_their_files() {
    let folder = folder();
    fs::create_dir_all(folder.path().join("out")).expect("created");
    let png = fs::read(folder.path().join("tube.png")).expect("read");
    write(&folder, ".envrc", "export A=1\n");
    write(&folder, "m.mtl", &png);
    write(&folder, "a.mtl", "newmtl a\nmap_Kd .envrc\nnewmtl b\nmap_Kd m.mtl\n");
    write(
        &folder,
        "a.obj",
        "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\n",
    );
    let output = ligament(&folder, "convert a.obj out/m.obj --reencode --json");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = json(&output);
    let codes: Vec<_> =
        found["diagnostics"].as_array().expect("a list").iter().map(|d| d["code"].clone()).collect();
    assert!(codes.contains(&"PS021".into()) && codes.contains(&"PS007".into()), "{codes:?}");
    assert!(found["losses"].as_array().expect("a list").iter().any(|l| l["code"] == "LS032"), "{found}");
    assert_eq!(names(&folder.path().join("out")), ["m-1.mtl", "m.mtl", "m.obj"]);
    assert_eq!(fs::read(folder.path().join("out/m-1.mtl")).expect("read"), png);
    expect_error(&ligament(&folder, "convert a.obj out/n.obj --reencode --strict"), 1, &["LS032"]);

    // The white image of PFOBJ does not replace another of that name.
    let white = write(&folder, "out/ligament-white.png", "mine");
    write(&folder, "plain.gltf", model(""));
    let output = ligament(&folder, "convert plain.gltf out/p.pfobj");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(fs::read(white).expect("there"), b"mine");
    let text = fs::read_to_string(folder.path().join("out/p.pfobj")).expect("text");
    assert!(text.contains("texture ligament-white-1.png"), "{text}");
    assert!(fs::read(folder.path().join("out/ligament-white-1.png")).expect("there").starts_with(b"\x89PNG"));
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    fn pipe(folder: &TempDir, name: &str) -> PathBuf {
        let path = folder.path().join(name);
        assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo runs").success());
        path
    }

    /// Runs a command that writes into a pipe, and returns what came out of it.
    fn through(folder: &TempDir, pipe: &Path, line: &str) -> Vec<u8> {
        let reader = {
            let pipe = pipe.to_owned();
            std::thread::spawn(move || fs::read(pipe).expect("readable"))
        };
        let output = ligament(folder, line);
        assert_eq!(output.status.code(), Some(0), "{line}: {}", stderr(&output));
        assert!(pipe.symlink_metadata().expect("there").file_type().is_fifo(), "{line}");
        reader.join().expect("read")
    }

    #[test]
    fn pipes_and_links_stay_what_they_are() {
        let folder = folder();
        let pipe = pipe(&folder, "pipe");
        symlink("pipe", folder.path().join("link")).expect("linked");
        expect(&ligament(&folder, "convert bend_tube.pfobj plain.glb -q"), 0);
        let plain = fs::read(folder.path().join("plain.glb")).expect("read");
        for target in ["pipe", "link"] {
            let line = format!("convert bend_tube.pfobj {target} --to glb -q");
            assert_eq!(through(&folder, &pipe, &line), plain);
        }
        // There is no folder for the buffer beside a pipe.
        let gltf = through(&folder, &pipe, "convert bend_tube.pfobj pipe --to gltf -q");
        assert!(String::from_utf8(gltf).expect("text").contains("data:application/octet-stream;base64,"));
        let posed = through(&folder, &pipe, "pose bend_tube.pfobj pipe --clip Bend --at 0.3 --to glb -q");
        assert!(posed.starts_with(b"glTF") && posed.len() < plain.len());
        let report = through(&folder, &pipe, "convert bend_tube.pfobj o.glb -q --report pipe");
        assert_eq!(serde_json::from_slice::<Value>(&report).expect("JSON")["exit"], "done");
        let rule = through(&folder, &pipe, "convert bend_tube.pfobj o.glb -q --depfile pipe");
        assert!(rule.starts_with(b"o.glb:"));
        assert!(!names(folder.path()).iter().any(|name| name.ends_with(".tmp")));

        symlink("/dev/null", folder.path().join("null")).expect("linked");
        for line in [
            "convert bend_tube.pfobj null --to pfobj",
            "pose bend_tube.pfobj null --clip Bend --at 0.3 --to glb",
            "convert bend_tube.pfobj o.glb --depfile null --report null",
        ] {
            expect(&ligament(&folder, line), 0);
            assert!(folder.path().join("null").is_symlink(), "{line}");
            assert!(Path::new("/dev/null").metadata().expect("there").file_type().is_char_device());
        }
        fs::write(folder.path().join("real.glb"), "old").expect("written");
        symlink("real.glb", folder.path().join("to.glb")).expect("linked");
        expect(&ligament(&folder, "convert bend_tube.pfobj to.glb"), 0);
        assert!(folder.path().join("to.glb").is_symlink());
        assert_eq!(fs::read(folder.path().join("real.glb")).expect("read"), plain);
    }

    #[test]
    fn standard_output_by_its_path_is_written_into() {
        let folder = folder();
        if !Path::new("/dev/stdout").exists() {
            eprintln!("skipped: there is no /dev/stdout");
            return;
        }
        let output = ligament(&folder, "convert bend_tube.pfobj /dev/stdout --to glb -q");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(output.stdout.starts_with(b"glTF"));
        let file = fs::File::create(folder.path().join("redirected")).expect("created");
        let mut command = command(folder.path());
        command.args(["convert", "bend_tube.pfobj", "/dev/stdout", "--to", "glb", "-q"]).stdout(file);
        assert!(command.status().expect("runs").success());
        assert_eq!(fs::read(folder.path().join("redirected")).expect("read"), output.stdout);
    }

    #[test]
    fn private_files_stay_private() {
        let folder = folder();
        for (line, name) in [
            ("convert bend_tube.pfobj out.glb", "out.glb"),
            ("convert bend_tube.pfobj o.glb --report r.json", "r.json"),
            ("convert bend_tube.pfobj o.glb --depfile d", "d"),
        ] {
            let path = write(&folder, name, "old");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("set");
            expect(&ligament(&folder, line), 0);
            assert_ne!(fs::read(&path).expect("read"), b"old");
            assert_eq!(path.metadata().expect("there").permissions().mode() & 0o777, 0o600, "{line}");
        }
    }

    #[test]
    fn side_files_that_are_pipes_are_refused_at_once() {
        let folder = folder();
        pipe(&folder, "pipe.mtl");
        pipe(&folder, "pipe.bin");
        pipe(&folder, "pipe.png");
        write(&folder, "a.obj", "mtllib pipe.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
        write(&folder, "b.gltf", model("").replace(BUFFER, "pipe.bin"));
        write(&folder, "c.gltf", model(r#"{"uri":"pipe.png"}"#));
        fs::create_dir(folder.path().join("out")).expect("created");
        let why = "not a regular file";
        let output = ligament(&folder, "convert a.obj out/a.glb");
        assert!(
            output.status.code() == Some(0) && stdout(&output).contains("pipe.mtl"),
            "{}",
            stdout(&output)
        );
        expect_error(&ligament(&folder, "convert b.gltf out/b.glb"), 3, &["GL101", why]);
        for target in ["out/c.glb", "out/c.pfobj", "out/c.gltf"] {
            let output = run(&folder, ["convert", "c.gltf", target, "-q"]);
            assert_eq!(output.status.code(), Some(0), "{target}: {}", stderr(&output));
        }
        expect(&ligament(&folder, "validate a.obj"), 0);
    }

    #[test]
    fn a_write_that_the_system_refuses_keeps_the_old_file() {
        let folder = folder();
        let old = write(&folder, "out.pfobj", "old");
        let before = names(folder.path());
        // Files of at most 512 bytes, like a disk that is full.
        let line = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"";
        for args in [
            &["convert", "bend_tube.pfobj", "out.pfobj"][..],
            &["pose", "bend_tube.pfobj", "out.pfobj", "--clip", "Bend", "--at", "0.3"],
        ] {
            let mut shell = Command::new("sh");
            shell.current_dir(folder.path()).args(["-c", line, env!("CARGO_BIN_EXE_ligament")]).args(args);
            let output = shell.output().expect("sh runs");
            expect_error(&output, 4, &["IO002", "too large"]);
            assert_eq!(fs::read(&old).expect("there"), b"old");
            assert_eq!(names(folder.path()), before);
        }
        // The cache does not fit either.
        fs::create_dir(folder.path().join("in")).expect("created");
        for number in 0..8 {
            write(&folder, &format!("in/{number}.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
        }
        let mut shell = Command::new("sh");
        shell.current_dir(folder.path()).args(["-c", line, env!("CARGO_BIN_EXE_ligament")]);
        let output =
            shell.args(["convert", "in", "--to", "obj", "--out-dir", "o"]).output().expect("sh runs");
        expect_error(&output, 4, &["cannot write the cache"]);
        let left = names(&folder.path().join("o"));
        assert!(left.len() >= 8 && !left.iter().any(|name| name.ends_with(".tmp")), "{left:?}");
    }

    #[test]
    fn a_cache_that_is_a_link_is_not_written() {
        let folder = folder();
        let precious = write(&folder, "precious", "mine");
        fs::create_dir(folder.path().join("out")).expect("created");
        symlink(&precious, folder.path().join("out/.ligament-cache")).expect("linked");
        let output = ligament(&folder, "convert bend_tube.pfobj --to glb --out-dir out");
        expect_error(&output, 4, &["is a link"]);
        assert_eq!(fs::read(&precious).expect("there"), b"mine");
    }

    #[test]
    fn what_cannot_be_searched_does_not_stop_the_others() {
        let folder = folder();
        // Two chains of folders, each short enough, one moved to the end of the other.
        let name = "d".repeat(250);
        let chain = |first: &str| (0..9).fold(folder.path().join(first), |path, _| path.join(&name));
        for first in ["art", "other"] {
            fs::create_dir_all(chain(first)).expect("created");
        }
        fs::copy(folder.path().join("bend_tube.pfobj"), chain("other").join("deep.pfobj")).expect("copied");
        fs::copy(folder.path().join("bend_tube.pfobj"), folder.path().join("art/tube.pfobj"))
            .expect("copied");
        fs::rename(folder.path().join("other"), chain("art").join("other")).expect("moved");
        write(
            &folder,
            "ligament.toml",
            "[[rule]]\nglob = \"art/**/*.pfobj\"\nto = \"glb\"\noutput = \"o/{stem}.{ext}\"\n",
        );
        for line in ["convert art --to glb --out-dir out", "build"] {
            let output = ligament(&folder, line);
            expect_error(&output, 4, &["cannot search", "too long"]);
            assert!(stdout(&output).contains("1 file: 1 done"), "{line}: {}", stdout(&output));
        }
        assert!(folder.path().join("out/tube.glb").is_file() && folder.path().join("o/tube.glb").is_file());
    }

    #[test]
    fn names_that_are_not_text_are_different_files() {
        let folder = folder();
        fs::create_dir(folder.path().join("in")).expect("created");
        for byte in [b'\xfe', b'\xff'] {
            let name = [b'a', byte, b'.', b'o', b'b', b'j'];
            let path = folder.path().join("in").join(OsStr::from_bytes(&name));
            if fs::write(path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").is_err() {
                eprintln!("skipped: the file system takes only names that are text");
                return;
            }
        }
        write(
            &folder,
            "ligament.toml",
            "[[rule]]\nglob = \"in/*\"\nto = \"glb\"\noutput = \"built/{stem}.{ext}\"\n",
        );
        for (line, out) in [("convert in --to glb --out-dir out", "out"), ("build", "built")] {
            expect(&ligament(&folder, line), 0);
            let models = fs::read_dir(folder.path().join(out)).expect("a folder").flatten();
            let models = models.filter(|e| e.file_name().as_bytes().ends_with(b".glb"));
            assert_eq!(models.count(), 2, "{line}");
        }
    }
}
