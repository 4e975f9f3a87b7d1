//! Depfiles, as make itself reads them.

use super::*;
use std::time::{Duration, SystemTime};

fn set_age(path: &Path, seconds: u64) {
    let file =
        fs::File::options().append(true).open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).expect("set");
}

/// Runs make with a depfile and a recipe that makes the outputs again.
fn make(folder: &TempDir, depfile: &str) -> Option<String> {
    let text = fs::read_to_string(folder.path().join(depfile)).expect("a depfile");
    write(folder, "Makefile", text.replacen("\n\n", "\n\t@echo AGAIN\n\n", 1));
    let output = match Command::new("make").current_dir(folder.path()).output() {
        Ok(output) => output,
        Err(_) => {
            assert!(std::env::var_os("CI").is_none(), "there is no make");
            eprintln!("skipped: there is no make");
            return None;
        }
    };
    assert!(output.status.success(), "{}\n{text}", stderr(&output));
    Some(stdout(&output))
}

#[test]
fn make_reads_what_a_conversion_read_and_wrote() {
    let folder = folder();
    let odd = "a b/$x #1:2 50%.pfobj";
    fs::create_dir(folder.path().join("a b")).expect("created");
    fs::copy(folder.path().join("bend_tube.pfobj"), folder.path().join(odd)).expect("copied");
    fs::copy(folder.path().join("tube.png"), folder.path().join("a b/tube.png")).expect("copied");
    fs::create_dir(folder.path().join("out $")).expect("created");
    let target = "out $/y :#.gltf";
    expect(&run(&folder, ["convert", odd, target, "--depfile", "one.d", "--textures", "copy"]), 0);
    let text = fs::read_to_string(folder.path().join("one.d")).expect("written");
    let first = text.lines().next().unwrap_or_default();
    for piece in ["out\\ $$/y\\ \\:\\#.gltf", "out\\ $$/y\\ \\:\\#.bin", "out\\ $$/tube.png"] {
        assert!(first.contains(piece), "{piece}: {text}");
    }
    assert!(text.contains("a\\ b/tube.png"), "{text}");

    for path in [odd, "a b/tube.png"] {
        set_age(&folder.path().join(path), 100);
    }
    for path in [target, "out $/y :#.bin", "out $/tube.png"] {
        set_age(&folder.path().join(path), 50);
    }
    let Some(said) = make(&folder, "one.d") else { return };
    assert!(!said.contains("AGAIN"), "{said}");
    for path in ["a b/tube.png", odd] {
        set_age(&folder.path().join(path), 10);
        assert!(make(&folder, "one.d").is_some_and(|said| said.contains("AGAIN")), "{path}");
        set_age(&folder.path().join(path), 100);
    }
    // A missing input is a reason to run again, not to stop.
    fs::remove_file(folder.path().join("a b/tube.png")).expect("removed");
    assert!(make(&folder, "one.d").is_some_and(|said| said.contains("AGAIN")));
}

#[test]
fn a_build_lists_its_rules_and_all_files() {
    let folder = folder();
    let rules = "[[rule]]\nglob = \"*.pfobj\"\nto = \"glb\"\noutput = \"out/{stem}.{ext}\"\n";
    write(&folder, "ligament.toml", rules);
    for _ in 0..2 {
        expect(&ligament(&folder, "build --depfile all.d"), 0);
        let text = fs::read_to_string(folder.path().join("all.d")).expect("written");
        let rule = text.split("\n\n").next().unwrap_or_default();
        for piece in
            ["out/bend_tube.glb", "out/multi_mat_cube.glb", "ligament.toml", "tube.png", "bend_tube.pfobj"]
        {
            assert!(rule.contains(piece), "{piece}: {text}");
        }
        // Missing textures cannot be dependencies.
        assert!(!rule.contains("stone_a.png"), "{text}");
        fs::remove_file(folder.path().join("all.d")).expect("removed");
    }
    expect_error(&ligament(&folder, "build --depfile no/such/folder.d"), 4, &["no/such/folder.d"]);
}
