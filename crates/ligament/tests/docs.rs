//! The documents are true as far as a program can tell.

mod support;

use ligament::formats::FORMATS;
use std::fs;

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
