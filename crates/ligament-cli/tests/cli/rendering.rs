//! `ligament render`: its outputs and its errors.

use super::*;
use std::sync::OnceLock;

/// Whether there is a driver. Without one, tests are skipped by name, or fail where nothing may be skipped.
fn can_draw(test: &str) -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    let found = *FOUND.get_or_init(|| {
        let folder = folder();
        ligament(&folder, "render bend_tube.pfobj -o probe.png --size 8x8").status.code() != Some(4)
    });
    if !found {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "no graphics driver under CI=true");
        println!("skipped: {test}: no graphics driver");
    }
    found
}

/// Width, height, number of pictures and whether there is alpha, as stated in the PNG.
fn facts(folder: &TempDir, name: &str) -> (u32, u32, u32, bool) {
    let file = fs::File::open(folder.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("a PNG");
    let pictures = reader.info().animation_control().map_or(1, |control| control.num_frames);
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let mut info = reader.next_frame(&mut pixels).expect("pixels");
    for _ in 1..pictures {
        info = reader.next_frame(&mut pixels).expect("more pixels");
    }
    (info.width, info.height, pictures, info.color_type == png::ColorType::Rgba)
}

#[test]
fn a_picture_is_written() {
    if !can_draw("a_picture_is_written") {
        return;
    }
    let folder = folder();
    expect(&ligament(&folder, "render bend_tube.pfobj -o tube.png --size 60x40"), 0);
    assert_eq!(facts(&folder, "tube.png"), (60, 40, 1, false));
    let line = "render bend_tube.pfobj -o tube.png --size 60x40 --background transparent --clip Bend --at 0.2 \
        --show skeleton,names,axes,wire,normals,tangents,bounds,uv,grid --camera front --json";
    let output = ligament(&folder, line);
    expect(&output, 0);
    assert_eq!(facts(&folder, "tube.png"), (60, 40, 1, true));
    let value = json(&output);
    assert_eq!(value["ok"], true);
    assert_eq!(
        (&value["clip"], &value["width"], &value["outputs"][0]),
        (&"Bend".into(), &60.into(), &"tube.png".into())
    );
    assert!(names(folder.path()).iter().all(|name| !name.ends_with(".tmp")));
    // To a pipe, too.
    let output = ligament(&folder, "render bend_tube.pfobj -o - --size 16x16");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.starts_with(b"\x89PNG"));
}

#[test]
fn sequences_and_animations_have_all_their_pictures() {
    if !can_draw("sequences_and_animations_have_all_their_pictures") {
        return;
    }
    let folder = folder();
    let seconds = json(&ligament(&folder, "info bend_tube.pfobj --json"))["clips"][0]["seconds"]
        .as_f64()
        .expect("a number");
    let expected = (seconds * 10.0).round() as u32;
    assert!(expected > 2, "{expected}");
    let output = ligament(
        &folder,
        "render bend_tube.pfobj -o bend.png --frames --clip Bend --rate 10 --size 24x24 --json",
    );
    expect(&output, 0);
    assert_eq!(json(&output)["pictures"], expected);
    assert_eq!(facts(&folder, &format!("bend-{:04}.png", expected - 1)), (24, 24, 1, false));
    assert!(!folder.path().join(format!("bend-{expected:04}.png")).exists());

    expect(&ligament(&folder, "render bend_tube.pfobj -o bend.apng --clip Bend --rate 10 --size 24x24"), 0);
    assert_eq!(facts(&folder, "bend.apng"), (24, 24, expected, false));

    expect(&ligament(&folder, "render bend_tube.pfobj -o bend.gif --clip Bend --rate 10 --size 24x24"), 0);
    let mut decoder =
        gif::Decoder::new(fs::File::open(folder.path().join("bend.gif")).expect("a file")).expect("a GIF");
    let (mut frames, mut hundredths) = (0, 0);
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        assert_eq!((frame.width, frame.height), (24, 24));
        frames += 1;
        hundredths += u32::from(frame.delay);
    }
    assert_eq!((frames, hundredths), (expected, expected * 10));

    expect(&ligament(&folder, "render bend_tube.pfobj -o turn.png --turntable 3 --size 24x24"), 0);
    let turned: Vec<_> =
        (0..3).map(|i| fs::read(folder.path().join(format!("turn-000{i}.png"))).expect("written")).collect();
    assert!(turned[0] != turned[1] && turned[1] != turned[2]);
}

#[test]
fn a_contact_sheet_has_a_row_for_each_clip() {
    if !can_draw("a_contact_sheet_has_a_row_for_each_clip") {
        return;
    }
    let folder = folder();
    expect(&ligament(&folder, "render bend_tube.pfobj -o sheet.png --contact-sheet --size 32x24"), 0);
    assert_eq!(facts(&folder, "sheet.png"), (32 * 6, 24 * 2, 1, false));
    // Without clips: six sides.
    let output = ligament(&folder, "render multi_mat_cube.pfobj -o sheet.png --contact-sheet --size 32x24");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(facts(&folder, "sheet.png"), (32 * 6, 24, 1, false));
}

/// All five clips of a model from a game, each with its name and its motion.
#[test]
fn the_contact_sheet_of_the_mage_shows_all_five_clips() {
    let test = "the_contact_sheet_of_the_mage_shows_all_five_clips";
    let mage = corpus::corpus("real/pfobj/mage.pfobj");
    if !can_draw(test) {
        return;
    }
    const CELL: usize = 96;
    let folder = folder();
    let words =
        ["render", &mage.display().to_string(), "-o", "sheet.png", "--contact-sheet", "--size", "96x96"];
    let output = run(&folder, words);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let file = fs::File::open(folder.path().join("sheet.png")).expect("written");
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    assert_eq!(
        (info.width as usize, info.height as usize),
        (CELL * 6, CELL * 5),
        "six moments of five clips"
    );
    let pixel = pixels.len() / (CELL * 6 * CELL * 5);
    let background = pixels[..pixel].to_vec();
    let cell = |row: usize, column: usize, top: usize, bottom: usize| -> Vec<&[u8]> {
        let lines = (row * CELL + top..row * CELL + bottom).map(|y| (y * CELL * 6 + column * CELL) * pixel);
        lines.flat_map(|start| pixels[start..start + CELL * pixel].chunks(pixel)).collect()
    };
    for row in 0..5 {
        for column in 0..6 {
            let model = cell(row, column, 20, CELL).into_iter().filter(|p| *p != background).count();
            assert!(model > 400, "clip {row}, moment {column}: {model} pixels");
        }
        let moved = (1..6).filter(|&column| cell(row, column, 20, CELL) != cell(row, 0, 20, CELL)).count();
        assert!(moved >= 4, "clip {row} moves in {moved} of 5 moments");
        // The label names the clip: no two rows have the same.
        for other in 0..row {
            assert_ne!(cell(row, 0, 0, 16), cell(other, 0, 0, 16), "the labels of {row} and {other}");
        }
    }
}

#[test]
fn a_difference_is_measured_as_compare_does() {
    if !can_draw("a_difference_is_measured_as_compare_does") {
        return;
    }
    let folder = folder();
    expect(&ligament(&folder, "convert bend_tube.pfobj large.pfobj --scale 1.1 --reencode"), 0);
    let output = ligament(
        &folder,
        "render --diff bend_tube.pfobj large.pfobj -o diff.png --size 64x32 --clip Bend --at 0 --json",
    );
    expect(&output, 0);
    assert_eq!(facts(&folder, "diff.png"), (64, 32, 1, false));
    let compared = json(&ligament(&folder, "compare bend_tube.pfobj large.pfobj --json"));
    let (size, worst) =
        (json(&output)["model_size"].clone(), json(&output)["worst"].as_f64().expect("a number"));
    assert_eq!(size, compared["comparison"]["size"]);
    // The worst of one pose is at most the worst of all, and near it when every length grows by a tenth.
    let most = compared["comparison"]["worst"]["distance"].as_f64().expect("a number");
    assert!(worst <= most * 1.000_001 && worst > most * 0.5, "{worst} of {most}");
    let output =
        ligament(&folder, "render --diff bend_tube.pfobj bend_tube.pfobj -o diff.png --size 64x32 --json");
    assert_eq!(json(&output)["worst"], 0.0);
}

#[test]
fn a_batch_goes_on_after_a_file_that_cannot_be_read() {
    if !can_draw("a_batch_goes_on_after_a_file_that_cannot_be_read") {
        return;
    }
    let folder = folder();
    write(&folder, "broken.pfobj", "version 1.0\nnum_verts x\n");
    let output = run(
        &folder,
        ["render", "--batch", "*.pfobj", "--out-dir", "thumbnails/new", "--size", "20x20", "--json"],
    );
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("broken.pfobj"));
    let value = json(&output);
    assert_eq!(value.as_array().map(Vec::len), Some(3), "{value}");
    assert_eq!(
        names(&folder.path().join("thumbnails/new")),
        ["bend_tube.pfobj.png", "multi_mat_cube.pfobj.png"]
    );
    assert_eq!(facts(&folder, "thumbnails/new/bend_tube.pfobj.png"), (20, 20, 1, false));
}

#[test]
fn what_is_missing_is_a_warning_beside_the_picture() {
    if !can_draw("what_is_missing_is_a_warning_beside_the_picture") {
        return;
    }
    let folder = folder();
    fs::remove_file(folder.path().join("tube.png")).expect("removed");
    let output = ligament(&folder, "render bend_tube.pfobj -o out.png --size 16x16");
    expect(&output, 0);
    assert!(
        stdout(&output).contains("tube.png") && stdout(&output).contains("[RD101]"),
        "{}",
        stdout(&output)
    );
    let output = ligament(&folder, "render bend_tube.pfobj -o out.png --size 16x16 --clip Bend --at 99");
    assert!(stdout(&output).contains("[PO003]"), "{}", stdout(&output));
}

#[test]
fn wrong_requests_are_told_before_anything_is_drawn() {
    let folder = folder();
    let nothing = |line: &str, code, pieces: &[&str]| {
        expect_error(&ligament(&folder, line), code, pieces);
        assert!(!folder.path().join("out.png").exists(), "{line}");
    };
    nothing("render bend_tube.pfobj -o out.png --clip Bent", 2, &["did you mean \"Bend\"", "PS001"]);
    nothing(
        "render bend_tube.pfobj -o out.png --camera frnt",
        2,
        &["RD201", "did you mean \"front\"", "three-quarter"],
    );
    nothing("render bend_tube.pfobj -o out.png --weights elbow", 2, &["RD202", "elbow"]);
    nothing("render bend_tube.pfobj -o out.png --size 5", 2, &["640x480"]);
    nothing("render bend_tube.pfobj -o out.png --background bluish", 2, &["#rrggbb"]);
    nothing("render bend_tube.pfobj -o out.png --show bones", 2, &["skeleton"]);
    nothing("render bend_tube.pfobj -o out.png --diff", 2, &["--diff takes two models"]);
    nothing("render bend_tube.pfobj multi_mat_cube.pfobj -o out.png", 2, &["--batch"]);
    nothing("render bend_tube.pfobj -o - --frames", 2, &["--gif or --apng"]);
    nothing("render bend_tube.pfobj -o out.png --gif --apng", 2, &["cannot be used with"]);
    nothing("render bend_tube.pfobj", 2, &["--output"]);
    nothing("render none.pfobj -o out.png", 4, &["IO001"]);
}

#[test]
fn a_picture_that_cannot_be_written_or_drawn_is_an_error() {
    if !can_draw("a_picture_that_cannot_be_written_or_drawn_is_an_error") {
        return;
    }
    let folder = folder();
    expect_error(&ligament(&folder, "render bend_tube.pfobj -o none/out.png"), 4, &["IO002"]);
    expect_error(&ligament(&folder, "render bend_tube.pfobj -o out.png --size 900000x10"), 2, &["RD003"]);
    assert!(!names(folder.path()).iter().any(|name| name.starts_with("out") || name.ends_with(".tmp")));
}

/// A machine without drivers, simulated by requesting a driver that does not exist.
#[test]
fn without_a_driver_it_says_what_to_install() {
    let folder = folder();
    let mut command = command(folder.path());
    for name in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
        command.env(name, "/none/none.json");
    }
    let output =
        command.args(["render", "bend_tube.pfobj", "-o", "out.png"]).output().expect("the binary runs");
    if cfg!(target_os = "linux") {
        expect_error(&output, 4, &["RD001", "mesa-vulkan-drivers"]);
        assert!(!names(folder.path()).iter().any(|name| name.starts_with("out") || name.ends_with(".tmp")));
    }
}
