//! Standard streams, terminals and odd names.

use super::*;

#[test]
fn streams_carry_the_same_bytes_as_files() {
    let folder = folder();
    expect(&ligament(&folder, "convert bend_tube.pfobj file.glb"), 0);
    let file = fs::read(folder.path().join("file.glb")).expect("written");
    let output = ligament(&folder, "convert bend_tube.pfobj - --to glb");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(output.stdout == file, "the stream differs from the file");
    assert!(stderr(&output).starts_with("bend_tube.pfobj → <stdout>"), "{}", stderr(&output));

    let through = |args: &[&str], bytes: &[u8]| {
        let mut child = command(folder.path())
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("runs");
        child.stdin.take().expect("piped").write_all(bytes).expect("taken");
        child.wait_with_output().expect("ends")
    };
    let back = through(&["convert", "-", "-", "--to", "pfobj", "--quiet"], &file);
    expect_error(&back, 2, &["IO005", "tube.png"]);
    let back = through(&["convert", "-", "-", "--to", "pfobj", "--textures", "none", "--quiet"], &file);
    expect(&back, 0);
    assert!(back.stdout.starts_with(b"version"), "no model");
    expect(&through(&["info", "-"], &file), 0);
    expect(&through(&["validate", "-"], &back.stdout), 0);
    let broken =
        through(&["convert", "-", "-", "--from", "pfobj", "--to", "glb"], b"version 1.0\nnum_verts x\n");
    expect_error(&broken, 3, &["<stdin>:2:", "num_verts x"]);
    assert!(broken.stdout.is_empty());
}

#[test]
fn colours_are_for_terminals_only() {
    let folder = folder();
    write(&folder, "broken.pfobj", "version 1.0\nnum_verts x\n");
    let escapes = |output: &Output| stdout(output).contains('\u{1b}') || stderr(output).contains('\u{1b}');
    for line in ["formats", "validate broken.pfobj", "info broken.pfobj"] {
        assert!(!escapes(&ligament(&folder, line)), "{line}");
        let forced = command(folder.path()).args(line.split(' ')).env("CLICOLOR_FORCE", "1").output();
        assert!(escapes(&forced.expect("runs")), "{line}");
        let without = command(folder.path()).args(line.split(' ')).env("NO_COLOR", "1").output();
        assert!(!escapes(&without.expect("runs")), "{line}");
    }
}

#[test]
fn a_closed_pipe_is_no_crash() {
    let folder = folder();
    for line in [
        "formats",
        "formats --json",
        "explain --list",
        "completions bash",
        "info bend_tube.pfobj",
        "convert bend_tube.pfobj - --to pfobj -q",
        "--help",
    ] {
        let mut child = command(folder.path())
            .args(line.split(' '))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("runs");
        drop(child.stdout.take());
        expect(&child.wait_with_output().expect("ends"), 0);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_standard_output_is_told() {
    let folder = folder();
    for line in ["formats", "info bend_tube.pfobj", "convert bend_tube.pfobj - --to pfobj -q"] {
        let full = fs::File::options().write(true).open("/dev/full").expect("Linux has it");
        let output = command(folder.path()).args(line.split(' ')).stdout(full).output().expect("runs");
        expect_error(&output, 4, &["cannot write to standard output"]);
    }
}

#[test]
fn names_from_files_cannot_drive_the_terminal() {
    let folder = folder();
    let text = fs::read_to_string(folder.path().join("bend_tube.pfobj")).expect("text");
    write(&folder, "hostile.pfobj", text.replace("Bend", "\u{1b}]0;owned\u{7}"));
    for line in [
        "info hostile.pfobj",
        "info hostile.pfobj --json",
        "validate hostile.pfobj",
        "convert hostile.pfobj out.glb",
        "convert hostile.pfobj out.glb --clip Bend",
        "compare hostile.pfobj bend_tube.pfobj",
    ] {
        let output = ligament(&folder, line);
        for text in [stdout(&output), stderr(&output)] {
            assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{line}: {text:?}");
        }
    }
}

#[test]
fn paths_may_be_odd() {
    let folder = folder();
    fs::copy(folder.path().join("bend_tube.pfobj"), folder.path().join("with space.pfobj")).expect("copied");
    expect(&run(&folder, ["convert", "with space.pfobj", "also with space.glb"]), 0);
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let odd = OsStr::from_bytes(b"f\xff.pfobj");
        fs::copy(folder.path().join("bend_tube.pfobj"), folder.path().join(odd)).expect("copied");
        expect(&run(&folder, [OsStr::new("info"), odd]), 0);
        expect(&run(&folder, [OsStr::new("convert"), odd, OsStr::from_bytes(b"\xff.glb")]), 0);
        assert!(folder.path().join(OsStr::from_bytes(b"\xff.glb")).exists());
    }
}
