//! The HTML reports of `compare` and `convert`: what is in them, and that a browser shows them.

use super::*;

fn example(folder: &TempDir) {
    let example = corpus::workspace().join("examples/creature.glb");
    fs::copy(example, folder.path().join("creature.glb")).expect("copied");
}

fn page(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).expect("a page")
}

/// Checks what holds for every page: no scripts, nothing from elsewhere, and every code that is linked is explained.
fn check_page(html: &str) {
    for forbidden in
        ["<script", "http-equiv=\"refresh", "@import", "url(", "src=\"http", "href=\"http", "<iframe"]
    {
        assert!(!html.contains(forbidden), "{forbidden} in {html}");
    }
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"), "{html}");
    for link in html.split("href=\"#").skip(1) {
        let code = link.split('"').next().expect("a code");
        assert!(html.contains(&format!("<dt id=\"{code}\">")), "{code} is not explained");
    }
    for mark in ["section", "table", "ul", "figure", "div", "p", "b", "details", "header", "dl"] {
        let opened = html.matches(&format!("<{mark}>")).count() + html.matches(&format!("<{mark} ")).count();
        assert_eq!(opened, html.matches(&format!("</{mark}>")).count(), "{mark}");
    }
    // Pictures may contain any letters.
    let words: String = html
        .split("base64,")
        .enumerate()
        .map(|(i, part)| if i > 0 { &part[part.find('"').unwrap_or(0)..] } else { part })
        .collect();
    assert!(!words.contains("NaN"), "{words}");
}

#[test]
fn a_conversion_is_a_page() {
    let folder = folder();
    example(&folder);
    expect(&ligament(&folder, "convert creature.glb a.apg --html report.html -q"), 0);
    let html = page(&folder, "report.html");
    check_page(&html);
    for piece in [
        "<h1>creature.glb → a.apg</h1>",
        "<code>--influences 4</code> keeps more",
        "<a href=\"#LS010\">LS010</a>",
        "<polyline class=\"line\"",
        "<th>format</th><td>glTF 2.0</td><td>APG, dialect text</td>",
    ] {
        assert!(html.contains(piece), "{piece} is not in {html}");
    }
    // What matters most comes first.
    let found = |code: &str| html.find(&format!("#{code}\"")).unwrap_or_else(|| panic!("{code}"));
    assert!(found("LS010") < found("AP501"));
    let drawn = html.matches("src=\"data:image/jpeg;base64,").count();
    assert!(drawn == 3 || html.contains("There are no pictures: "), "{drawn}");
    assert_eq!(names(folder.path()).iter().filter(|name| name.contains("report")).count(), 1);
}

#[test]
fn a_conversion_that_fails_a_check_is_a_page_too() {
    let folder = folder();
    example(&folder);
    let output = ligament(&folder, "convert creature.glb a.apg --max-error 0.01% --html report.html");
    expect(&output, 1);
    let html = page(&folder, "report.html");
    check_page(&html);
    assert!(html.contains("Nothing was written: ") && html.contains("<polyline"), "{html}");
    write(&folder, "broken.pfobj", "nonsense");
    expect(&ligament(&folder, "convert broken.pfobj b.glb --html broken.html"), 3);
    let html = page(&folder, "broken.html");
    check_page(&html);
    assert!(html.contains("Nothing was written: ") && !html.contains("<polyline"), "{html}");
}

#[test]
fn a_comparison_is_a_page() {
    let folder = folder();
    example(&folder);
    expect(&ligament(&folder, "convert creature.glb a.apg -q"), 0);
    let absolute = folder.path().join("creature.glb");
    let output = run(
        &folder,
        ["compare", &absolute.to_string_lossy(), "a.apg", "--html", "report.html", "--max-error", "0.01%"],
    );
    expect(&output, 1);
    assert!(stdout(&output).contains("worst"), "the text is printed as well");
    let html = page(&folder, "report.html");
    check_page(&html);
    assert!(!html.contains(&*folder.path().to_string_lossy()), "where the files are is not shared");
    for piece in ["Comparison", "--max-error allows 0.01 %", "<polyline", "In the worst pose", "differs"] {
        assert!(html.contains(piece), "{piece} is not in {html}");
    }
    // Equal models have nothing to plot.
    expect(&ligament(&folder, "compare creature.glb creature.glb --html same.html"), 0);
    let html = page(&folder, "same.html");
    check_page(&html);
    assert!(html.contains("the models are the same in every pose") && !html.contains("<polyline"), "{html}");
}

/// The example in a machine without a graphics driver.
#[test]
fn without_a_driver_a_page_says_why_it_has_no_pictures() {
    let folder = folder();
    let mut command = command(folder.path());
    for name in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
        command.env(name, "/none/none.json");
    }
    let output = command
        .args(["convert", "bend_tube.pfobj", "b.glb", "-q", "--html", "report.html"])
        .output()
        .expect("the binary runs");
    expect(&output, 0);
    let html = page(&folder, "report.html");
    check_page(&html);
    if cfg!(target_os = "linux") {
        assert!(html.contains("There are no pictures: ") && html.contains("mesa-vulkan-drivers"), "{html}");
    }
}

/// A triangle without a material, whose names are markup, with a clip of one key that moves it along x.
fn markup(folder: &TempDir, name: &str, x: f32) {
    let name_of = |what: &str| format!("<script>alert('{what}')</script>&\"</p><img src=x onerror=alert(1)>");
    let floats = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, x, 0.0, 0.0];
    let bytes: Vec<u8> = floats.iter().flat_map(|v: &f32| v.to_le_bytes()).collect();
    write(folder, &format!("{x}.bin"), bytes);
    let gltf = serde_json::json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "name": name_of("scene"), "nodes": [0] }],
        "nodes": [{ "name": name_of("node"), "mesh": 0 }],
        "meshes": [{ "name": name_of("mesh"), "primitives": [{ "attributes": { "POSITION": 0 } }] }],
        "animations": [{
            "name": name_of("clip"),
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }],
            "samplers": [{ "input": 1, "output": 2 }],
        }],
        "buffers": [{ "uri": format!("{x}.bin"), "byteLength": 52 }],
        "bufferViews": [
            { "buffer": 0, "byteLength": 36 },
            { "buffer": 0, "byteOffset": 36, "byteLength": 4 },
            { "buffer": 0, "byteOffset": 40, "byteLength": 12 },
        ],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0] },
            { "bufferView": 1, "componentType": 5126, "count": 1, "type": "SCALAR", "min": [0], "max": [0] },
            { "bufferView": 2, "componentType": 5126, "count": 1, "type": "VEC3" },
        ],
    });
    write(folder, name, gltf.to_string());
}

#[test]
fn names_of_a_file_are_no_markup() {
    let folder = folder();
    markup(&folder, "<b>a&.gltf", 0.0);
    markup(&folder, "<b>b&.gltf", 0.5);
    let compared = run(&folder, ["compare", "<b>a&.gltf", "<b>b&.gltf", "--html", "report.html"]);
    expect(&compared, 0);
    let converted = run(&folder, ["convert", "<b>a&.gltf", "c.pfobj", "-q", "--html", "converted.html"]);
    expect(&converted, 0);
    for name in ["report.html", "converted.html"] {
        let html = page(&folder, name);
        check_page(&html);
        assert!(!html.contains("<img src=x") && !html.contains("<b>a&"), "{html}");
        assert!(html.contains("&lt;script&gt;") && html.contains("&lt;b&gt;a&amp;.gltf"), "{html}");
    }
    // A clip of one key is one point.
    assert!(
        page(&folder, "report.html").contains("<polyline class=\"line\" points=\"300.0,9.6 300.0,9.6\"/>")
    );
}

#[test]
fn a_page_replaces_no_model_and_is_about_one_conversion() {
    let folder = folder();
    example(&folder);
    let before = fs::read(folder.path().join("creature.glb")).expect("there");
    for line in [
        "convert creature.glb a.apg --html creature.glb",
        "convert creature.glb a.apg --html a.apg",
        "convert creature.glb a.apg --html a.json --report a.json",
        "compare creature.glb bend_tube.pfobj --html creature.glb",
    ] {
        expect_error(&ligament(&folder, line), 2, &["--html"]);
    }
    expect_error(
        &ligament(&folder, "convert creature.glb --to apg,obj --html a.html"),
        2,
        &["one conversion"],
    );
    expect(&ligament(&folder, "convert creature.glb --to apg --out-dir out --html a.html"), 2);
    expect_error(&ligament(&folder, "convert creature.glb a.apg --html none/a.html"), 4, &["IO002"]);
    assert_eq!(fs::read(folder.path().join("creature.glb")).expect("there"), before);
    assert!(!names(folder.path()).iter().any(|name| name.starts_with("a.")), "{:?}", names(folder.path()));
}

/// Chromium without a window: the errors of its console, and what the page's own size is.
fn browse(folder: &TempDir, name: &str, width: u32) -> Option<String> {
    let mut browser = Command::new("chromium");
    browser.current_dir(folder.path()).stdin(Stdio::null()).args([
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--no-first-run",
        "--enable-logging=stderr",
        "--virtual-time-budget=2000",
        &format!("--user-data-dir={}", folder.path().join("profile").display()),
        &format!("--screenshot={}", folder.path().join(format!("{name}-{width}.png")).display()),
        &format!("--window-size={width},1600"),
        &format!("file://{}", folder.path().join(name).display()),
    ]);
    let output = browser.output().ok()?;
    assert!(output.status.success(), "{}", stderr(&output));
    // Messages of the page are separated from what Chromium logs about this machine.
    Some(
        stderr(&output)
            .lines()
            .filter(|line| line.contains("CONSOLE"))
            .map(|line| format!("{line}\n"))
            .collect(),
    )
}

#[test]
fn a_browser_shows_a_page_at_any_width() {
    let folder = folder();
    example(&folder);
    expect(&ligament(&folder, "convert creature.glb a.apg --html report.html -q"), 0);
    let page = page(&folder, "report.html");
    // The page allows no scripts. A copy that does measures itself.
    let policy = page.find("<meta http-equiv=\"Content-Security-Policy\"").expect("a policy");
    let end = policy + page[policy..].find('>').expect("an end") + 1;
    let script =
        "<script>console.log('wide', document.documentElement.scrollWidth, 'of', innerWidth)</script>";
    let measured =
        format!("{}{}", &page[..policy], &page[end..]).replace("</body>", &format!("{script}</body>"));
    write(&folder, "measured.html", measured);
    write(&folder, "blocked.html", page.replace("</body>", &format!("{script}</body>")));
    for width in [1280, 500] {
        let Some(said) = browse(&folder, "report.html", width) else {
            assert!(std::env::var("CI").as_deref() != Ok("true"), "chromium is missing under CI=true");
            println!("skipped: a_browser_shows_a_page_at_any_width: chromium is missing");
            return;
        };
        assert_eq!(said, "", "the console is silent");
        let picture = facts_of_png(&folder, &format!("report.html-{width}.png"));
        assert_eq!(picture[0], width);
        let said = browse(&folder, "measured.html", width).expect("it worked before");
        assert!(said.contains(&format!("wide {width} of {width}")), "nothing sticks out: {said}");
    }
    let said = browse(&folder, "blocked.html", 500).expect("it worked before");
    assert!(said.contains("Content Security Policy"), "scripts are refused: {said}");
}

/// Width and height, as a PNG states them.
fn facts_of_png(folder: &TempDir, name: &str) -> [u32; 2] {
    let bytes = fs::read(folder.path().join(name)).expect("a picture");
    [16, 20].map(|at| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes")))
}
