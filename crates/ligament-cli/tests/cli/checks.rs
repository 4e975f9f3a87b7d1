//! Results for other programs: code scanning, workflows, pull requests and git.

use super::*;

/// A file with an error, at a place after a character of two bytes.
fn broken() -> TempDir {
    let folder = folder();
    let text = fs::read_to_string(folder.path().join("bend_tube.pfobj")).expect("text");
    let line = text.lines().position(|line| line.starts_with("v ")).expect("a vertex");
    let broken: Vec<String> = text
        .lines()
        .enumerate()
        .map(|(number, text)| if number == line { "v é 0 0".to_owned() } else { text.to_owned() })
        .collect();
    write(&folder, "bro ken.pfobj", broken.join("\n"));
    folder
}

#[test]
fn sarif_has_rules_results_and_places() {
    let folder = broken();
    let output = run(&folder, ["validate", "--sarif", "bro ken.pfobj", "bend_tube.pfobj"]);
    assert_eq!(output.status.code(), Some(3));
    let log = json(&output);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(
        (&run["tool"]["driver"]["name"], &run["columnKind"]),
        (&"ligament".into(), &"unicodeCodePoints".into())
    );
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let results = run["results"].as_array().expect("results");
    assert!(!results.is_empty());
    for result in results {
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().expect("a level")));
        assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()));
        let place = &result["locations"][0]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().expect("a URI");
        assert!(["bro%20ken.pfobj", "bend_tube.pfobj"].contains(&uri), "{uri}");
    }
    let error = results.iter().find(|result| result["level"] == "error").expect("an error");
    let region = &error["locations"][0]["physicalLocation"]["region"];
    let text = fs::read_to_string(folder.path().join("bro ken.pfobj")).expect("text");
    let line = text.lines().position(|line| line == "v é 0 0").expect("there") + 1;
    assert_eq!((&region["startLine"], &region["startColumn"]), (&line.into(), &3.into()), "{error}");
    // The schema counts from 1, and knows these words only.
    for word in ["$schema", "version", "runs"] {
        assert!(log.get(word).is_some(), "{word}");
    }
    expect(&ligament(&folder, "validate --sarif --json bend_tube.pfobj"), 2);
}

/// By the public schema.
#[test]
fn sarif_is_valid() {
    let tool = corpus::workspace().join("tools/sarif");
    if !tool.join("node_modules/ajv").is_dir() {
        let is_required = cfg!(target_os = "linux") && std::env::var("CI").as_deref() == Ok("true");
        assert!(!is_required, "run `npm ci` in tools/sarif first");
        println!("skipped: sarif_is_valid: the validator is not installed in tools/sarif");
        return;
    }
    let folder = broken();
    fs::copy(corpus::workspace().join("examples/creature.amo"), folder.path().join("m.amo")).expect("copied");
    write(&folder, "none.glb", "nonsense");
    let files = ["bro ken.pfobj", "bend_tube.pfobj", "m.amo", "none.glb"];
    let output = run(&folder, ["validate", "--sarif"].into_iter().chain(files));
    let log = json(&output);
    assert!(log["runs"][0]["results"].as_array().is_some_and(|results| results.len() > 2), "{log}");
    let check = |name: &str| {
        let mut node = Command::new("node");
        let said =
            node.arg(tool.join("validate.js")).arg(folder.path().join(name)).output().expect("node runs");
        (said.status.code(), stdout(&said))
    };
    write(&folder, "good.sarif", &output.stdout);
    assert_eq!(check("good.sarif"), (Some(0), String::new()));
    // The test can fail.
    let mut wrong = log;
    wrong["runs"][0]["results"][0]["level"] = "grave".into();
    write(&folder, "wrong.sarif", wrong.to_string());
    let (code, said) = check("wrong.sarif");
    assert!(code == Some(1) && said.contains("/runs/0/results/0/level"), "{said}");
}

#[test]
fn workflows_get_annotations() {
    let folder = broken();
    let mut inside = command(folder.path());
    let output =
        inside.env("GITHUB_ACTIONS", "true").args(["validate", "bro ken.pfobj"]).output().expect("runs");
    let text = stdout(&output);
    let line = text.lines().find(|line| line.starts_with("::error ")).expect("an annotation");
    assert!(line.starts_with("::error file=bro ken.pfobj,line=") && line.contains("title=PF"), "{line}");
    let outside = run(&folder, ["validate", "bro ken.pfobj"]);
    assert!(!stdout(&outside).contains("::error"));
}

#[test]
fn markdown_is_for_pull_requests() {
    let folder = folder();
    let example = corpus::workspace().join("examples/creature.glb");
    fs::copy(example, folder.path().join("a_creature.glb")).expect("copied");
    let output = ligament(&folder, "convert a_creature.glb a_creature.apg --markdown");
    expect(&output, 0);
    let text = stdout(&output);
    assert!(text.starts_with("**a\\_creature.glb → a\\_creature.apg** 2874 vertices"), "{text}");
    assert!(
        text.lines().any(|line| line.starts_with("- **approximated** ")
            && line.ends_with("`--influences 4` keeps more `LS010`")),
        "{text}"
    );
    let output = ligament(&folder, "compare a_creature.glb a_creature.apg --markdown");
    expect(&output, 0);
    let text = stdout(&output);
    assert!(text.contains("| | deviation | where |\n|---|---|---|\n| worst | "), "{text}");
    let output = ligament(&folder, "convert a_creature.glb --to apg,obj --out-dir out --markdown");
    assert_eq!(stdout(&output).matches("**a\\_creature.glb → ").count(), 2, "{}", stdout(&output));
}

#[cfg(unix)]
#[test]
fn git_shows_what_is_in_models() {
    let folder = tempfile::tempdir().expect("a folder");
    let programs = Path::new(env!("CARGO_BIN_EXE_ligament")).parent().expect("a folder");
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let git = |args: &[&str]| {
        let mut git = Command::new("git");
        git.current_dir(folder.path()).args(args).env("PATH", &path).env("GIT_CONFIG_GLOBAL", "/dev/null");
        git.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_PAGER", "cat").stdin(Stdio::null());
        git.output()
    };
    let Ok(made) = git(&["init", "-q"]) else {
        eprintln!("skipped: git is not installed");
        return;
    };
    assert!(made.status.success(), "{}", stderr(&made));
    let succeed = |args: &[&str]| {
        let output = git(args).expect("git runs");
        assert!(output.status.success(), "{args:?}: {}", stderr(&output));
        stdout(&output)
    };
    write(&folder, ".gitattributes", "*.glb diff=mine");
    let text = stdout(&ligament(&folder, "diff-driver"));
    assert!(
        text.contains("git config diff.ligament.textconv") && text.contains("*.bgl diff=ligament"),
        "{text}"
    );
    for _ in 0..2 {
        expect(&ligament(&folder, "diff-driver --install"), 0);
    }
    let attributes = fs::read_to_string(folder.path().join(".gitattributes")).expect("text");
    assert!(attributes.starts_with("*.glb diff=mine\n*.amo diff=ligament\n"), "{attributes}");
    assert_eq!(attributes.matches("*.bgl ").count(), 1, "{attributes}");

    let example = |name: &str| corpus::workspace().join("examples").join(name);
    fs::copy(example("creature.bgl"), folder.path().join("m.bgl")).expect("copied");
    succeed(&["add", "."]);
    succeed(&["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "one"]);
    expect(&ligament(&folder, "convert m.bgl m.bgl --clip walk --reencode -q"), 0);
    let diff = succeed(&["diff"]);
    assert!(diff.contains("\n-") && diff.contains("1 clip") && !diff.contains("Binary files"), "{diff}");
    assert_eq!(diff, succeed(&["diff"]), "the same every time");
    let moved = succeed(&["difftool", "--no-prompt", "-t", "ligament", "HEAD"]);
    assert!(moved.contains("worst"), "{moved}");
    // A file that cannot be read is shown as its error, and the diff goes on.
    write(&folder, "m.bgl", "nonsense");
    assert!(succeed(&["diff"]).contains("+cannot be read"));
}
