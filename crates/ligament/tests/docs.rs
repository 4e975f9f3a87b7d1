//! The documents are true as far as a program can check.

mod support;

use ligament::formats::FORMATS;
use std::fs;

/// Tests run in a clone with nothing beside it. Only one file per language knows that there may be more models.
#[test]
fn only_one_file_in_each_language_looks_beside_the_clone() {
    const KNOW: [&str; 2] =
        ["crates/ligament-py/tests/support.py", "crates/ligament/tests/support/corpus.rs"];
    // Split, so that this file does not contain them.
    let words = [concat!("../sha", "red"), concat!("sha", "red/corpus"), concat!("\"sha", "red\"")];
    let root = support::workspace();
    let folders = ["benches", "blender", "crates", "fuzz", "tools", "xtask"].map(|folder| root.join(folder));
    let (mut knowing, mut files) = (Vec::new(), 0);
    for path in folders.iter().flat_map(|folder| support::files_below(folder)) {
        let is_code =
            path.extension().is_some_and(|e| ["rs", "py", "js", "mjs", "toml", "c"].iter().any(|x| e == *x));
        let is_ours =
            !path.components().any(|c| ["target", "node_modules"].iter().any(|x| c.as_os_str() == *x));
        let Some(text) = (is_code && is_ours).then(|| fs::read_to_string(&path).ok()).flatten() else {
            continue;
        };
        files += 1;
        if words.iter().any(|word| text.contains(word)) {
            knowing.push(path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/"));
        }
    }
    knowing.sort();
    assert_eq!(knowing, KNOW);
    assert!(files > 500, "only {files} files were looked at");
}

#[test]
fn every_format_has_its_page_its_row_and_its_fuzz_target() {
    let root = support::workspace();
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let changes = fs::read_to_string(root.join("CHANGELOG.md")).unwrap();
    for info in FORMATS {
        let page = format!("docs/formats/{}.md", info.id);
        assert!(root.join(&page).is_file(), "{page} is missing");
        let row = readme.lines().find(|l| l.starts_with(&format!("| [{}]({page})", info.name)));
        let row = row.unwrap_or_else(|| panic!("README.md has no row for {}", info.name));
        for extension in info.extensions {
            assert!(row.contains(&format!("`.{extension}`")), "README.md does not say .{extension}");
        }
        assert!(changes.contains(info.name), "CHANGELOG.md does not mention {}", info.name);
        let target = format!("fuzz/fuzz_targets/{}.rs", info.id);
        assert!(root.join(&target).is_file(), "{target} is missing");
    }
}

/// Every fuzz target is a format's, or that of a kind of stream that `cargo xtask fuzz` knows; and cargo knows all of them.
#[test]
fn every_fuzz_target_is_known() {
    let root = support::workspace();
    let manifest = fs::read_to_string(root.join("fuzz/Cargo.toml")).unwrap();
    let command = fs::read_to_string(root.join("xtask/src/fuzz/targets.rs")).unwrap();
    let mut targets = 0;
    for entry in fs::read_dir(root.join("fuzz/fuzz_targets")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let name = name.strip_suffix(".rs").expect("a Rust file").to_owned();
        let is_stream = command.contains(&format!("Stream {{ name: {name:?},"));
        let is_format = FORMATS.iter().any(|format| format.id == name);
        assert!(is_format != is_stream, "nobody starts the fuzz target {name}");
        assert!(manifest.contains(&format!("name = {name:?}\n")), "fuzz/Cargo.toml does not name {name}");
        targets += 1;
    }
    assert!(targets >= FORMATS.len() + 3);
}

/// Every format's module begins with a table of its files: the same ones first, and each of them once.
#[test]
fn every_formats_folder_has_a_table_of_contents() {
    let folder = support::workspace().join("crates/ligament/src/formats");
    let mut folders = 0;
    for entry in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
        let Ok(module) = fs::read_to_string(entry.join("mod.rs")) else { continue };
        if !module.contains("pub static FORMAT: Format") {
            continue;
        }
        folders += 1;
        let name = entry.display();
        let table = module.lines().skip(2).take_while(|line| line.starts_with("//! |"));
        let named: Vec<&str> =
            table.flat_map(|row| row.split('|').nth(1)).flat_map(|c| c.split('`')).collect();
        let named: Vec<&str> = named.into_iter().filter(|n| n.ends_with(".rs") || n.ends_with('/')).collect();
        let first = ["document.rs", "read.rs", "import.rs", "export.rs", "write.rs"];
        let shape: Vec<&str> = named.iter().copied().filter(|name| first.contains(name)).collect();
        let there: Vec<&str> = first.into_iter().filter(|name| entry.join(name).is_file()).collect();
        assert_eq!(shape, there, "{name}: the table's order");
        assert_eq!(named.last(), Some(&"codes.rs"), "{name}");
        assert!(named.iter().all(|file| entry.join(file).exists()), "{name}: {named:?}");
        for file in fs::read_dir(&entry).unwrap().map(|file| file.unwrap().file_name()) {
            let file = file.into_string().unwrap();
            let (folder, of_file) = (format!("{file}/"), format!("{file}.rs"));
            let is_named = |file: &str| named.iter().filter(|name| **name == file).count() == 1;
            let known = [&file, &folder, &of_file].into_iter().any(|file| is_named(file));
            assert!(known || file == "mod.rs", "{name}: the table does not name {file} once");
        }
    }
    assert_eq!(folders, FORMATS.len() + usize::from(cfg!(not(feature = "fbx"))));
}
