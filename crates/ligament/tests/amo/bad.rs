//! Faults are reported at their places.

use crate::*;

fn edited(from: &str, to: &str) -> String {
    assert!(SMALL.contains(from), "{from:?} is in the file");
    SMALL.replacen(from, to, 1)
}

#[test]
fn contradicting_bases_are_errors_with_their_place() {
    // In two `vj` lines, an index of 0 means counting from 0, and an index of 2 from 1.
    assert_eq!(errors(&edited("3/1/1/0/0", "3/1/1/2/0")), ["error AM204 11:23"]);
    assert_eq!(errors(&edited("3/1/1/0/0", "3/1/1/0/2")), ["error AM204 11:23"]);
    // Out of range when counting from 0 and from 1.
    assert_eq!(errors(&edited("3/1/1/0/0", "3/1/1/9/0")), ["error AM204 11:23"]);
    // Joints in `vj`, as parents and in keys.
    assert_eq!(errors(&edited("vj 0 1 -1 -1", "vj 0 2 -1 -1")), ["error AM204 8:1"]);
    assert_eq!(errors(&edited("j tip 0", "j tip 5")), ["error AM204 13:1"]);
    assert_eq!(errors(&edited("ap 1 1 0 2 0", "ap 1 2 0 2 0")), ["error AM204 16:6"]);
    // A file that states how it counts must keep to it.
    let marked = format!("# amo dialect: document\n{}", edited("ap 1 1 0 2 0", "ap 1 2 0 2 0"));
    assert_eq!(errors(&marked), ["error AM306 17:6"]);
    let marked = format!("# amo dialect: document\n{}", edited("3/1/1/0/0", "3/1/1/2/0"));
    assert_eq!(errors(&marked), ["error AM303 12:23"]);
}

#[test]
fn a_container_is_told_from_a_model() {
    let text = format!("# made by hand\nhnd axe\nphk 0\nhok 0 0 0 0\nend\n{SMALL}");
    assert_eq!(errors(&text), ["error AM208 2:1"]);
    let (_, report) = parse(text.as_bytes());
    let help = report.diagnostics()[0].help.as_deref().unwrap_or_default();
    assert!(help.contains("line 6"), "{help}");
    let found = ligament::formats::detect(text.as_bytes(), None).map(|format| format.id);
    assert_eq!(found, Some("amo"), "so that someone says what it is");
}

#[test]
fn bad_values_are_told_and_reading_goes_on() {
    for (from, to, expected) in [
        ("v 1 0 0", "v 1 0,5 0", "error AM101 3:5"),
        ("v 1 0 0", "v nan 0 0", "error AM102 3:3"),
        ("v 1 0 0", "v 1e99 0 0", "error AM103 3:3"),
        ("v 1 0 0", "v 1 0", "error AM105 3:6"),
        ("vj 0 1", "vj 0 1.5", "error AM104 8:6"),
        ("2/1/1/1/1", "2/1/1/1/1/1", "error AM111 11:13"),
        ("2/1/1/1/1", "/1/1/1/1", "error AM111 11:13"),
        ("2/1/1/1/1", "2/x/1/1/1", "error AM111 11:13"),
        ("2/1/1/1/1", "0/1/1/1/1", "error AM301 11:13"),
        ("2/1/1/1/1", "-9/1/1/1/1", "error AM301 11:13"),
        ("2/1/1/1/1", "7/1/1/1/1", "error AM301 11:13"),
        ("ap 0 1 0 0 0", "ap -1 1 0 0 0", "error AM117 15:4"),
        ("ap 0 1 0 0 0", "ap 0", "error AM105 15:5"),
        ("ar 0 0 0 0 0 1", "ar 0 0 0 0 0 0", "error AM401 17:4"),
        ("j tip 0", "j 0", "error AM105 13:3"),
        ("ao leaf", "ao leaf\nt ../secret.png", "error AM308 2:3"),
    ] {
        assert_eq!(errors(&edited(from, to)), [expected], "{to}");
    }
    let two = edited("v 1 0 0", "v 1 x 0").replace("vw 1 0 0 0", "vw inf 0 0 0");
    assert_eq!(errors(&two), ["error AM101 3:5", "error AM102 9:4"]);
}

#[test]
fn what_can_be_read_is_read_with_a_warning() {
    for (from, to, expected) in [
        ("2/1/1/1/1", "2/9/1/1/1", "warning AM302 11:13"),
        ("2/1/1/1/1", "2/1/-7/1/1", "warning AM302 11:13"),
        ("a wave\n", "", "warning AM110 14:1"),
        ("ao leaf", "ao leaf\nwobble 3", "warning AM108 2:1"),
        ("vw 0.5 0.5 0 0", "vw 0.5 0.6 0 0", "warning AM405 10:1"),
        ("ar 0 0 0 0 0 1", "ar 0 0 0 0 0 2", "warning AM402 17:4"),
        ("j root -1", "j tip -1", "warning AM411 13:1"),
        ("ap 0 1 0 0 0\nap 1 1 0 2 0\nar 0", "ap 0.5 1 0 0 0\nap 1 1 0 2 0\nar 0.5", "warning AM407 15:1"),
    ] {
        let (document, report) = parse(edited(from, to).as_bytes());
        let found = places(&report);
        assert!(document.is_some() && found.contains(&expected.to_owned()), "{to}: {found:?}");
    }
}

#[test]
fn keys_of_joints_that_are_not_there_are_told_where_they_stand() {
    let counted = "# amo dialect: counted\nao a 6\nj 1\nb -1 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\na 2\n\
                   an x 10 1\nk 0 1\n0 0 0 0 1 0 0 0\nan y 10 2\nk 0 1\n# here\n0 0 0 0 1 0 0 0\n\
                   k 1 2\n0 0 0 0 1 0 0 0\n 7 0 0 0 1 0 0 0\nend\n";
    assert_eq!(errors(counted), ["error AM306 15:2"]);
    let keyed = "# amo dialect: keyed\nao a\nj b -1 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\na x\nk 0\nap 1 0 0 0\n\
                 k 1\nap 1 0 0 0\nar 1 1 0 0 0\nar 9 1 0 0 0\nap 9 1 0 0\n";
    assert_eq!(errors(keyed), ["error AM306 10:4"]);
}

#[test]
fn loops_are_cut_and_deep_chains_refused() {
    let text = "v 0 0 0\nj a 1\nj b 2\nj c 0\nj d -1\n";
    let (document, report) = parse(text.as_bytes());
    assert!(places(&report).contains(&"warning AM307 4:1".to_owned()), "{:?}", report.diagnostics());
    let scene = import(document.expect("valid"));
    support::check_promise(&scene);
    assert_eq!(scene.nodes.iter().filter(|n| n.name != "armature").count(), 4);
    let chain: String = (0..2000).map(|i| format!("j j{i} {}\n", i - 1)).collect();
    assert_eq!(errors(&chain), ["error AM310 1026:1"]);
}

const COUNTED: &str = "ao c 7\nv 3\n0 0 0\n1 0 0\n0 1 0\nvj 1\n0 -1 -1 -1\nvw 1\n1 0 0 0\n\
    f 1\n0 -1 -1 0 0 1 -1 -1 0 0 2 -1 -1 0 0\nj 1\nroot -1 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n\
    a 1\nan hop 1000 1\nk 0 1\n0 0 0 8 1 0 0 0\nend\n";

#[test]
fn counts_that_lie_are_told() {
    assert_eq!(errors(COUNTED), [""; 0]);
    for (from, to, expected) in [
        ("v 3\n", "v 4\n", "error AM113 6:1"),
        ("v 3\n", "v 2\n", "error AM114 5:1"),
        ("v 3\n", "v -3\n", "error AM104 2:3"),
        ("f 1\n", "f 2\n", "error AM113 12:1"),
        ("k 0 1\n", "k 0 3\n", "error AM113 18:1"),
        ("an hop 1000 1", "an hop 1000 2", "error AM113 18:1"),
        ("a 1\n", "a 2\n", "error AM113 18:1"),
        ("0 0 0 8 1 0 0 0", "7 0 0 8 1 0 0 0", "error AM306"),
        ("0 -1 -1 0 0 1 -1", "0 -1 -1 0 0 9 -1", "error AM301"),
        ("0 -1 -1 0 0 1 -1", "0 -1 -1 4 0 1 -1", "error AM303 11:1"),
        ("vj 1\n0 ", "vj 1\n3 ", "error AM304 7:1"),
        ("root -1", "root 4", "error AM305 13:1"),
    ] {
        assert!(COUNTED.contains(from));
        let found = errors(&COUNTED.replacen(from, to, 1));
        assert!(found.iter().any(|e| e.starts_with(expected)), "{to}: {found:?}");
    }
}

#[test]
fn huge_counts_cost_nothing() {
    for count in ["2147483647", "99999999"] {
        for keyword in ["v", "vt", "vn", "vj", "vw", "f", "j", "a", "hk", "cv", "ci", "rb"] {
            let text = format!("ao c 7\nv 1\n0 0 0\n{keyword} {count}\n");
            assert_eq!(errors(&text).len(), 1, "{keyword}");
        }
        let keys = COUNTED.replace("an hop 1000 1", &format!("an hop 1000 {count}"));
        assert!(!errors(&keys).is_empty());
        let joints = COUNTED.replace("k 0 1\n", &format!("k 0 {count}\n"));
        assert!(!errors(&joints).is_empty());
    }
    assert_eq!(errors("ao c 7\nv 99999999999\n"), ["error AM104 2:3"]);
}

#[test]
fn a_file_cut_off_between_lists_is_read_with_a_warning() {
    let text = COUNTED.replace("end\n", "");
    let (document, report) = parse(text.as_bytes());
    assert!(document.is_some() && places(&report).contains(&"warning AM115 18:1".to_owned()));
}

#[test]
fn odd_lines_have_their_places_although_their_text_has_passed_by() {
    let example = own().join("../../../examples/creature.amo");
    for (path, odd, lines) in
        [(example, "vn 0 0 2\nzz top\n", 0), (own().join("bend_addonHEAD.amo"), "# none\n0 0 2\n", 1)]
    {
        let text = std::fs::read_to_string(path).expect("readable");
        let keyword = text.find("\nvn ").expect("has normals") + 1;
        let line_end = |at: usize| at + text[at..].find('\n').expect("a line") + 1;
        // In place of the first normal, which in a list stands below its keyword.
        let at = if lines == 1 { line_end(keyword) } else { keyword };
        let (_, report) = parse(format!("{}{odd}{}", &text[..at], &text[line_end(at)..]).as_bytes());
        let expected = format!(" AM403 {}:1", text[..at].lines().count() + 1 + lines);
        assert!(places(&report).iter().any(|place| place.ends_with(&expected)), "{:?}", places(&report));
    }
}
