//! `ligament render`: its outputs and its errors.

use super::*;
use std::collections::BTreeMap;
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
    assert_eq!((&json(&output)["worst"], &json(&output)["identical"]), (&0.0.into(), &true.into()));
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
    // What the file itself lacks is the subject of `validate`, and of the JSON.
    assert!(!stdout(&output).contains("PF409"), "{}", stdout(&output));
    let output = ligament(&folder, "render bend_tube.pfobj -o out.png --size 16x16 --json");
    assert!(stdout(&output).contains("PF409") && stdout(&output).contains("RD101"), "{}", stdout(&output));
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
    nothing("render bend_tube.pfobj -o out.png --show bonse", 2, &["skeleton"]);
    nothing("render bend_tube.pfobj -o out.png --show skeleton names", 2, &["--show skeleton,names"]);
    nothing("render bend_tube.pfobj -o out.png --pitch 91", 2, &["-90 to 90"]);
    nothing("render bend_tube.pfobj -o out.png --scale-max 1%", 2, &["--diff"]);
    nothing("render bend_tube.pfobj -o out.png --texture none.png", 4, &["IO001", "none.png"]);
    nothing("render bend_tube.pfobj -o out.png --diff", 2, &["--diff takes two models"]);
    nothing("render bend_tube.pfobj multi_mat_cube.pfobj -o out.png", 2, &["--batch"]);
    nothing("render bend_tube.pfobj -o - --frames", 2, &["--gif or --apng"]);
    nothing("render bend_tube.pfobj -o out.png --gif --apng", 2, &["cannot be used with"]);
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

/// Without --at, the pose in which the models differ most is drawn: the one that `compare` finds.
#[test]
fn a_difference_is_drawn_where_it_is_largest() {
    if !can_draw("a_difference_is_drawn_where_it_is_largest") {
        return;
    }
    let folder = folder();
    let creature = corpus::workspace().join("examples/creature.glb");
    let convert = ["convert", &creature.display().to_string(), "creature.apg", "--quiet"];
    assert_eq!(run(&folder, convert).status.code(), Some(0));
    let compared = run(&folder, ["compare", &creature.display().to_string(), "creature.apg", "--json"]);
    let expected = json(&compared)["comparison"]["worst"].clone();
    let draw = |more: &[&str]| {
        let mut words =
            vec!["render", "--diff", "creature.apg", "-o", "diff.png", "--size", "64x32", "--json"];
        let source = creature.display().to_string();
        words.insert(2, &source);
        words.extend(more);
        let output = run(&folder, words);
        expect(&output, 0);
        (json(&output), pixels(&folder, "diff.png").2)
    };
    let (found, free) = draw(&[]);
    assert_eq!(found["clip"], expected["clip"]);
    let near =
        |a: &Value, b: &Value| (a.as_f64().expect("a number") - b.as_f64().expect("a number")).abs() < 1e-5;
    assert!(near(&found["time"], &expected["time"]), "{found} {expected}");
    assert!(near(&found["worst"], &expected["distance"]), "{found} {expected}");
    assert_eq!(found["identical"], false);
    // The scale's end changes the colours, not the measurement; and one clip has a worst pose of its own.
    let (scaled, other) = draw(&["--scale-max", "50%"]);
    assert!(near(&scaled["worst"], &found["worst"]) && other != free);
    let (idle, _) = draw(&["--clip", "idle"]);
    assert_eq!(idle["clip"], "idle");
    assert!(idle["time"].as_f64() > Some(0.0) && idle["worst"].as_f64() < found["worst"].as_f64(), "{idle}");
}

/// Width, height and the red, green and blue of all pixels.
fn pixels(folder: &TempDir, name: &str) -> (usize, usize, Vec<u8>) {
    let file = fs::File::open(folder.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    assert_eq!(info.color_type, png::ColorType::Rgb, "{name}");
    (info.width as usize, info.height as usize, pixels)
}

/// The mean difference of a colour channel of two pictures, over all pixels and in the tile of 12 x 12 pixels where it is
/// largest, in steps of 255.
fn difference(folder: &TempDir, [a, b]: [&str; 2]) -> (f64, f64) {
    const TILE: usize = 12;
    let ((width, height, a), (.., b)) = (pixels(folder, a), pixels(folder, b));
    assert_eq!(a.len(), b.len());
    let mut tiles: BTreeMap<(usize, usize), (f64, f64)> = BTreeMap::new();
    for (i, (p, q)) in a.iter().zip(&b).enumerate() {
        let (x, y) = (i / 3 % width, i / 3 / width);
        let tile = tiles.entry((x / TILE, y / TILE)).or_default();
        *tile = (tile.0 + f64::from(p.abs_diff(*q)), tile.1 + 1.0);
    }
    let sum: f64 = tiles.values().map(|tile| tile.0).sum();
    (sum / (width * height * 3) as f64, tiles.values().map(|tile| tile.0 / tile.1).fold(0.0, f64::max))
}

/// A model and its copy as glTF look alike: what a person compares to judge a conversion. Models of other people, with
/// materials of the old kind.
#[test]
fn a_model_and_its_converted_copy_look_alike() {
    const MEAN: f64 = 0.5;
    const WORST_TILE: f64 = 4.0;
    if !can_draw("a_model_and_its_converted_copy_look_alike") {
        return;
    }
    let folder = folder();
    let mut models: Vec<PathBuf> =
        ["mage", "barrel", "crate_1"].map(|name| corpus::corpus(&format!("real/pfobj/{name}.pfobj"))).into();
    let more = [
        "OBJ/spider.obj",
        "OBJ/WusonOBJ.obj",
        "OBJ/cube_usemtl.obj",
        "Collada/duck.dae",
        "Collada/sphere.dae",
        "Collada/teapot_instancenodes.DAE",
        "FBX/phong_cube.fbx",
        "FBX/spider.fbx",
        "FBX/huesitos.fbx",
    ];
    let assimp = Path::new("/usr/share/assimp/models");
    let known = more.iter().map(|name| assimp.join(name)).filter(|path| path.exists());
    models.extend(known);
    let expected = if assimp.is_dir() { 12 } else { 3 };
    assert_eq!(models.len(), expected, "{models:?}");
    for model in &models {
        let name = model.display().to_string();
        assert_eq!(run(&folder, ["convert", &name, "copy.glb", "--quiet"]).status.code(), Some(0), "{name}");
        for (model, picture) in [(name.as_str(), "source.png"), ("copy.glb", "copy.png")] {
            let output = run(&folder, ["render", model, "-o", picture, "--size", "192x192"]);
            assert_eq!(output.status.code(), Some(0), "{model}: {}", stderr(&output));
        }
        let (mean, worst) = difference(&folder, ["source.png", "copy.png"]);
        assert!(mean <= MEAN && worst <= WORST_TILE, "{name}: {mean} {worst}");
        // Something is seen in the picture.
        let (.., seen) = pixels(&folder, "source.png");
        assert!(seen.as_chunks::<3>().0.iter().filter(|p| **p != seen[..3]).count() > 1000, "{name}");
    }
}

#[test]
fn a_picture_is_of_the_type_that_its_name_says() {
    if !can_draw("a_picture_is_of_the_type_that_its_name_says") {
        return;
    }
    let folder = folder();
    let start = |name: &str| fs::read(folder.path().join(name)).expect("written")[..16].to_vec();
    for (name, bytes) in [
        ("a.png", &b"\x89PNG"[..]),
        ("a.jpg", b"\xff\xd8\xff"),
        ("a.JPEG", b"\xff\xd8\xff"),
        ("a.webp", b"RIFF"),
        ("a.gif", b"GIF89a"),
    ] {
        let line = format!("render bend_tube.pfobj -o {name} --size 16x16 --clip Bend --rate 4");
        expect(&ligament(&folder, &line), 0);
        assert!(start(name).starts_with(bytes), "{name}: {:?}", start(name));
    }
    assert_eq!(start("a.webp")[8..12], *b"WEBP");
    expect(
        &ligament(&folder, "render bend_tube.pfobj -o s.jpg --frames --clip Bend --rate 4 --size 16x16"),
        0,
    );
    assert!(start("s-0000.jpg").starts_with(b"\xff\xd8\xff"));
    for (line, piece) in [
        ("-o b.bmp", ".webp"),
        ("-o b", ".webp"),
        ("-o b.png.txt", ".webp"),
        ("-o b.png --gif --clip Bend", ".gif"),
        ("-o b.jpg --apng --clip Bend", ".apng"),
        ("-o b.gif --contact-sheet", "animation"),
        ("-o b.jpg --background transparent", "transparency"),
    ] {
        expect_error(&ligament(&folder, &format!("render bend_tube.pfobj --size 16x16 {line}")), 2, &[piece]);
    }
    assert!(names(folder.path()).iter().all(|name| !name.starts_with("b.") && name != "b"));
}

/// Beside a model there often is a texture of its name, which must survive.
#[test]
fn without_a_name_the_picture_is_named_after_the_model() {
    if !can_draw("without_a_name_the_picture_is_named_after_the_model") {
        return;
    }
    let folder = folder();
    fs::create_dir(folder.path().join("art")).expect("a folder");
    fs::rename(folder.path().join("multi_mat_cube.pfobj"), folder.path().join("art/tube.pfobj"))
        .expect("moved");
    let before = fs::read(folder.path().join("tube.png")).expect("the texture");
    expect_error(
        &ligament(&folder, "render art/tube.pfobj --size 16x16"),
        2,
        &["tube.png already exists", "-o"],
    );
    assert_eq!(fs::read(folder.path().join("tube.png")).expect("the texture"), before);
    expect(&ligament(&folder, "render bend_tube.pfobj --size 16x16"), 0);
    assert_eq!(facts(&folder, "bend_tube.png"), (16, 16, 1, false));
    expect(&ligament(&folder, "render bend_tube.pfobj --size 16x16 --gif --clip Bend --rate 4"), 0);
    assert!(folder.path().join("bend_tube.gif").exists());
    // A folder of models.
    expect(&ligament(&folder, "render --batch art bend_tube.pfobj --out-dir small --size 16x16"), 0);
    assert_eq!(names(&folder.path().join("small")), ["bend_tube.pfobj.png", "tube.pfobj.png"]);
}

#[test]
fn a_model_is_seen_from_any_side() {
    if !can_draw("a_model_is_seen_from_any_side") {
        return;
    }
    let folder = folder();
    let creature = corpus::workspace().join("examples/creature.glb").display().to_string();
    let seen = |name: &str, more: &[&str]| {
        let mut words = vec!["render", &creature, "-o", name, "--size", "48x48", "--no-shadow"];
        words.extend(more);
        expect(&run(&folder, words), 0);
        pixels(&folder, name).2
    };
    let right = seen("r.png", &["--camera", "right"]);
    assert_eq!(right, seen("s.png", &["--camera", "side"]));
    assert_eq!(right, seen("y.png", &["--yaw", "90", "--pitch", "0"]));
    assert_eq!(right, seen("z.png", &["--camera", "front", "--yaw", "90"]));
    let left = seen("l.png", &["--camera", "left"]);
    assert_eq!(left, seen("m.png", &["--yaw", "-90", "--pitch", "0"]));
    let below = seen("b.png", &["--camera", "below"]);
    assert_eq!(below, seen("p.png", &["--camera", "front", "--pitch", "-90"]));
    let behind = seen("h.png", &["--camera", "behind"]);
    assert!(left != right && below != seen("t.png", &["--camera", "top"]) && behind != seen("f.png", &[]));
    // From below, the ground is not in the way: there is as much to see as without it.
    let with_ground = run(
        &folder,
        ["render", &creature, "-o", "g.png", "--size", "48x48", "--camera", "below", "--show", "grid"],
    );
    expect(&with_ground, 0);
    assert_eq!(pixels(&folder, "g.png").2, below);
}

/// APG files have no materials.
#[test]
fn a_texture_is_given_to_models_without() {
    if !can_draw("a_texture_is_given_to_models_without") {
        return;
    }
    let folder = folder();
    let own = corpus::corpus("real/apg");
    let [model, texture] = ["amphora.apg", "amphora.png"].map(|name| own.join(name).display().to_string());
    let colors = |more: &[&str]| {
        let mut words = vec!["render", &model, "-o", "a.png", "--size", "64x64", "--no-shadow"];
        words.extend(more);
        let output = run(&folder, words);
        expect(&output, 0);
        let (.., all) = pixels(&folder, "a.png");
        let orange = all.as_chunks::<3>().0.iter().filter(|[r, g, b]| *r > 150 && *g > 70 && *b < 60);
        (orange.count(), stdout(&output))
    };
    let (bare, _) = colors(&[]);
    let (painted, said) = colors(&["--texture", &texture]);
    assert!(bare == 0 && painted > 300 && !said.contains("RD101"), "{bare} {painted} {said}");
    // A model with textures keeps them, and says so.
    let words = ["render", "bend_tube.pfobj", "-o", "b.png", "--size", "16x16", "--texture", &texture];
    assert!(stdout(&run(&folder, words)).contains("not used"));
}

/// FBX files by Mixamo begin with a clip that moves nothing.
#[test]
fn clips_without_keys_are_not_chosen() {
    if !can_draw("clips_without_keys_are_not_chosen") {
        return;
    }
    let folder = folder();
    let source = fs::read_to_string(corpus::corpus("real/gltf/SimpleSkin.gltf")).expect("text");
    let mut model: Value = serde_json::from_str(&source).expect("JSON");
    let empty = serde_json::json!({ "name": "Take 001", "channels": [], "samplers": [] });
    model["animations"].as_array_mut().expect("a list").insert(0, empty);
    write(&folder, "model.gltf", model.to_string());
    let info = json(&ligament(&folder, "info model.gltf --json"));
    assert_eq!(info["clips"].as_array().map(Vec::len), Some(2), "{info}");
    expect(&ligament(&folder, "render model.gltf -o a.gif --size 16x16 --rate 2"), 0);
    let output = ligament(&folder, "render model.gltf -o a.png --size 16x16 --at 1 --json");
    expect(&output, 0);
    assert_ne!(json(&output)["clip"], "Take 001");
    let output = ligament(&folder, "render model.gltf -o sheet.png --size 16x16 --contact-sheet");
    assert_eq!(facts(&folder, "sheet.png"), (16 * 6, 16, 1, false));
    assert!(stdout(&output).contains("1 clip without keys"), "{}", stdout(&output));
}
