//! Exit codes of failures, which leave nothing behind.

use super::*;

#[test]
fn wrong_usage_ends_with_2_and_writes_nothing() {
    let folder = folder();
    let before = names(folder.path());
    for (line, piece) in [
        ("convert bend_tube.pfobj", "required"),
        ("transmogrify bend_tube.pfobj", "transmogrify"),
        ("convert bend_tube.pfobj out.glb --max-error 1mm", "0.01%"),
        ("convert bend_tube.pfobj out.glb --max-error 1% --no-verify", "cannot be used with"),
        ("convert bend_tube.pfobj out.glb --fps 0", "above 0"),
        ("convert bend_tube.pfobj out.glb --fps 1e308", "a number above 0; 32 bits cannot hold 1e308"),
        ("convert bend_tube.pfobj out.glb --scale nan", "above 0"),
        ("convert bend_tube.pfobj out.glb --from stl3", "possible values"),
        ("convert bend_tube.pfobj out.glb --dialect latin", "latin"),
        ("convert bend_tube.pfobj out.xyz", "--to"),
        ("convert bend_tube.pfobj -", "--to"),
        ("convert bend_tube.pfobj - --to glb --json", "--report"),
        ("convert bend_tube.pfobj out.glb --clip Bent", "\"Bend\""),
        ("pose bend_tube.pfobj --clip Bent --at 0 out.glb", "\"Bend\""),
        ("pose bend_tube.pfobj --at 0 out.glb", "\"TwistStretch\""),
        ("pose bend_tube.pfobj --clip Bend --at=-1 out.glb", "0 or more"),
        ("compare - -", "only one"),
        ("explain IO01", "IO001"),
        ("info multi_mat_cube.pfobj --from gtlf", "gltf"),
    ] {
        let output = ligament(&folder, line);
        expect_error(&output, 2, &[piece]);
        assert_eq!(stdout(&output), "", "{line}");
    }
    assert_eq!(names(folder.path()), before);
}

#[test]
fn invalid_input_ends_with_3_and_names_the_place() {
    let folder = folder();
    let text = fs::read_to_string(folder.path().join("multi_mat_cube.pfobj")).expect("text");
    write(&folder, "broken.pfobj", text.replacen("0.952840 3.304041", "0.952840 oops", 1));
    write(&folder, "short.pfobj", &text[..text.len() / 2]);
    write(&folder, "noise.pfobj", [0u8, 159, 146, 150]);
    write(&folder, "noise.bin", [0u8, 159, 146, 150]);
    let before = names(folder.path());
    for name in ["broken.pfobj", "short.pfobj", "noise.pfobj", "noise.bin"] {
        for line in [
            format!("convert {name} out.glb"),
            format!("info {name}"),
            format!("compare multi_mat_cube.pfobj {name}"),
            format!("pose {name} out.glb"),
        ] {
            let output = ligament(&folder, &line);
            expect_error(&output, 3, &["error[", name, "ligament explain"]);
            assert_eq!(stdout(&output), "", "{line}");
        }
        let output = ligament(&folder, &format!("validate {name}"));
        expect(&output, 3);
        assert!(stdout(&output).contains("invalid"), "{}", stdout(&output));
    }
    assert_eq!(names(folder.path()), before, "nothing is left behind");

    let output = ligament(&folder, "convert broken.pfobj out.glb");
    expect_error(&output, 3, &["broken.pfobj:13:12", "v 0.952840 oops -3.159300", "^^^^"]);
}

#[test]
fn unsupported_input_ends_with_5_but_can_be_rewritten() {
    let folder = folder();
    let required = r#"{"asset": {"version": "2.0"}, "extensionsUsed": ["ACME_bend"], "extensionsRequired": ["ACME_bend"],
        "images": [{"uri": "skin.png"}]}"#;
    write(&folder, "bent.gltf", required);
    write(&folder, "later.gltf", r#"{"asset": {"version": "3.0"}}"#);
    fs::copy(folder.path().join("tube.png"), folder.path().join("skin.png")).expect("copied");
    // A file that is broken as well is invalid.
    write(&folder, "both.gltf", required.replace("2.0\"}", "2.0\"}, \"nodes\": 5"));
    for (name, word) in [("bent.gltf", "ACME_bend"), ("later.gltf", "glTF 3.0")] {
        let output = ligament(&folder, &format!("convert {name} out.obj"));
        expect_error(&output, 5, &[word, "unsupported", "may well be valid"]);
        let output = ligament(&folder, &format!("validate {name}"));
        expect(&output, 5);
        assert!(stdout(&output).contains("unsupported"), "{}", stdout(&output));
        let output = ligament(&folder, &format!("convert {name} out.obj --json"));
        expect(&output, 5);
        assert_eq!(json(&output)["exit"], "unsupported");
    }
    expect_error(&ligament(&folder, "convert both.gltf out.obj"), 3, &["error["]);
    // A rewrite needs to understand nothing.
    fs::create_dir(folder.path().join("copy")).expect("a folder");
    let output = ligament(&folder, "convert bent.gltf copy/bent.gltf");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(folder.path().join("copy/bent.gltf")).expect("written"), required);
    assert!(folder.path().join("copy/skin.png").is_file());
    let output = ligament(&folder, "convert bent.gltf bent.glb --json");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(json(&output)["diagnostics"][0]["code"], "CV008");
    assert_eq!((&json(&output)["comparison"], &json(&output)["counts"]), (&Value::Null, &Value::Null));
}

#[test]
fn validate_shows_every_problem() {
    let folder = folder();
    let text = fs::read_to_string(folder.path().join("multi_mat_cube.pfobj")).expect("text");
    let text = text.replacen("0.952840 3.304041", "0.952840 oops", 1).replacen("0.525668", "nonsense", 1);
    write(&folder, "broken.pfobj", text);
    let output = ligament(&folder, "validate broken.pfobj");
    expect(&output, 3);
    for piece in ["oops", "nonsense", "2 errors"] {
        assert!(stdout(&output).contains(piece), "{}", stdout(&output));
    }

    let output = ligament(&folder, "validate bend_tube.pfobj broken.pfobj no-such-file.pfobj --json");
    expect(&output, 4);
    let found = json(&output);
    let exits: Vec<_> = found.as_array().expect("an array").iter().map(|f| f["exit"].as_str()).collect();
    assert_eq!(exits, [Some("done"), Some("invalid"), Some("io")]);
    assert_eq!(found[1]["errors"], 2);
    assert_eq!(found[1]["diagnostics"][0]["line"], 13);

    // The cube's textures were not copied.
    expect(&ligament(&folder, "validate multi_mat_cube.pfobj"), 0);
    let output = ligament(&folder, "validate multi_mat_cube.pfobj --deny warnings");
    expect(&output, 1);
    assert!(
        stdout(&output).contains("denied") && stdout(&output).contains("3 warnings"),
        "{}",
        stdout(&output)
    );
    expect(&ligament(&folder, "validate bend_tube.pfobj --deny warnings"), 0);
    expect(&ligament(&folder, "validate multi_mat_cube.pfobj --deny notes"), 1);
    expect(&ligament(&folder, "validate bend_tube.pfobj --deny notes"), 0);

    let output = ligament(&folder, "validate bend_tube.pfobj broken.pfobj");
    expect(&output, 3);
    assert!(stdout(&output).ends_with("2 files: 1 valid, 1 not\n"), "{}", stdout(&output));
}

#[test]
fn files_that_cannot_be_read_or_written_end_with_4() {
    let folder = folder();
    let before = names(folder.path());
    for line in [
        "convert no-such-file.pfobj out.glb",
        "convert bend_tube.pfobj tube.png/folder/out.glb",
        "convert bend_tube.pfobj out.glb --report no/such/folder/report.json",
        "convert bend_tube.pfobj .glb/",
        "info no-such-file.pfobj",
        "info .",
        "validate no-such-file.pfobj",
        "compare bend_tube.pfobj no-such-file.pfobj",
        "pose no-such-file.pfobj out.glb",
        "man bend_tube.pfobj",
    ] {
        let output = ligament(&folder, line);
        expect_error(&output, 4, &["error"]);
        assert_eq!(stdout(&output), "", "{line}");
    }
    assert_eq!(names(folder.path()), before);
}

#[test]
fn checks_that_are_not_met_end_with_1_and_write_nothing() {
    let folder = folder();
    expect(&ligament(&folder, "pose bend_tube.pfobj --clip Bend --at 0.3 bent.pfobj"), 0);
    expect(&ligament(&folder, "compare bend_tube.pfobj bend_tube.pfobj --max-error 0"), 0);
    let output = ligament(&folder, "compare bend_tube.pfobj bent.pfobj --max-error 0.01%");
    expect_error(&output, 1, &["--max-error allows 0.01 %"]);
    assert!(stdout(&output).contains("differs"), "{}", stdout(&output));
    // Without a limit, a difference is a result like any other.
    expect(&ligament(&folder, "compare bend_tube.pfobj bent.pfobj"), 0);

    // Seven frames per second hit few of the twenty-four.
    expect(&ligament(&folder, "convert bend_tube.pfobj tube.glb -q"), 0);
    let before = names(folder.path());
    for (check, code) in [("--strict", "error[CV004]"), ("--max-error 0.01%", "error[CV005]")] {
        let output = ligament(&folder, &format!("convert tube.glb out.pfobj --fps 7 {check}"));
        expect_error(&output, 1, &[code, "  approximated  clip "]);
        assert_eq!(stdout(&output), "");
        assert_eq!(names(folder.path()), before);
    }
    let output = ligament(&folder, "convert tube.glb out.pfobj --fps 7");
    expect(&output, 0);
    assert!(stdout(&output).contains("\n  approximated  clip "), "{}", stdout(&output));
}

#[test]
fn no_clobber_keeps_what_is_there() {
    let folder = folder();
    let there = write(&folder, "out.glb", "precious");
    let output = ligament(&folder, "convert bend_tube.pfobj out.glb --no-clobber");
    expect_error(&output, 4, &["IO004", "out.glb"]);
    assert_eq!(fs::read(&there).expect("still there"), b"precious");
    expect(&ligament(&folder, "convert bend_tube.pfobj new.glb --no-clobber"), 0);

    // Side files too, unless they are the same already.
    fs::create_dir(folder.path().join("sub")).expect("created");
    let into_two = "convert bend_tube.pfobj sub/out.gltf --no-clobber";
    expect(&ligament(&folder, into_two), 0);
    let files = names(&folder.path().join("sub"));
    assert!(files.contains(&"out.bin".to_owned()), "{files:?}");
    fs::remove_file(folder.path().join("sub/out.gltf")).expect("removed");
    expect(&ligament(&folder, into_two), 0);
    fs::remove_file(folder.path().join("sub/out.gltf")).expect("removed");
    let there = write(&folder, "sub/out.bin", "precious");
    expect_error(&ligament(&folder, into_two), 4, &["IO004", "out.bin"]);
    assert_eq!(fs::read(&there).expect("still there"), b"precious");
    assert!(!folder.path().join("sub/out.gltf").exists());
}

/// A system that refuses threads.
#[cfg(unix)]
#[test]
fn without_threads_everything_is_done_by_one() {
    let folder = folder();
    let without = |line: &str| {
        let mut command = command(folder.path());
        // No system has room for such stacks.
        command.env("RUST_MIN_STACK", (1_u64 << 60).to_string()).args(line.split_whitespace());
        command.output().expect("the binary runs")
    };
    for line in [
        "convert bend_tube.pfobj one.glb",
        "convert bend_tube.pfobj multi_mat_cube.pfobj --to glb --out-dir out --jobs 4",
        "validate bend_tube.pfobj",
        "compare bend_tube.pfobj out/bend_tube.glb",
    ] {
        let output = without(line);
        assert_eq!(output.status.code(), Some(0), "{line}: {}", stderr(&output));
    }
    assert_eq!(names(&folder.path().join("out")).len(), 3, "two models and the record");
    expect(&ligament(&folder, "convert bend_tube.pfobj other.glb"), 0);
    let read = |name: &str| fs::read(folder.path().join(name)).expect("written");
    assert!(read("one.glb") == read("other.glb"), "the result does not depend on threads");
}

/// A pose in which numbers overflow.
#[test]
fn a_pose_that_is_nowhere_is_said_so() {
    let folder = folder();
    let scaled = r#""scale":[1e14,1e14,1e14]"#;
    let buffer = "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"children":[1],{scaled}}},{{"children":[2],{scaled}}},{{"mesh":0,{scaled}}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}}],"buffers":[{{"byteLength":36,"uri":"{buffer}"}}]}}"#
    );
    write(&folder, "huge.gltf", text);
    let output = ligament(&folder, "pose huge.gltf out.glb");
    expect_error(&output, 3, &["PO004", "2 vertices have no finite position"]);
    assert!(!folder.path().join("out.glb").exists());
}

/// Errors in packed and in re-encoded text quote the text, not the bytes of the file.
#[test]
fn errors_quote_the_text_that_they_are_about() {
    let folder = folder();
    let text = "<COLLADA version=\"1.4.1\">\n  <oops>\n</COLLADA>\n";
    write(&folder, "bom.dae", format!("\u{feff}{text}"));
    let utf16: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    write(&folder, "wide.dae", utf16);
    let check = text.bytes().fold(!0_u32, |crc, byte| {
        (0..8).fold(
            crc ^ u32::from(byte),
            |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 },
        )
    });
    let sizes = [!check, text.len() as u32, text.len() as u32].map(u32::to_le_bytes).concat();
    let common = [&[20, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &sizes, &[5, 0, 0, 0]].concat();
    let entry = [b"PK\x01\x02\x14\0" as &[u8], &common, &[0; 14], b"a.dae"].concat();
    let list = [b"PK\x03\x04" as &[u8], &common, b"a.dae", text.as_bytes()].concat();
    let end = [entry.len() as u32, list.len() as u32].map(u32::to_le_bytes).concat();
    write(
        &folder,
        "packed.zae",
        [&list[..], &entry, b"PK\x05\x06\0\0\0\0\x01\0\x01\0", &end, &[0, 0]].concat(),
    );
    for name in ["bom.dae", "wide.dae", "packed.zae"] {
        let output = ligament(&folder, &format!("info {name}"));
        expect_error(&output, 3, &["DA", &format!("{name}:3:"), "3 | </COLLADA>"]);
    }
}
