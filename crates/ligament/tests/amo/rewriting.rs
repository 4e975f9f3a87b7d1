//! Files are written again as they were read.

use crate::*;
use ligament::formats::WriteOptions;
use ligament::io::MemoryOutput;
use std::fs;

/// Comments at the end of lines carry no data, but somebody wrote them.
#[test]
fn comments_at_the_end_of_lines_stay() {
    for (text, written) in [
        (
            "# amo dialect: document\nao a # an object\nv 0 0 0\nv 1 0 0 # right\nv 0 1 0\nf 1 2 3 # all\n",
            "# amo dialect: document\nao a\n# an object\nv 0 0 0\nv 1 0 0\n# right\nv 0 1 0\nf 1 2 3\n# all\n",
        ),
        (
            "# amo dialect: counted\nao a 1\nv 3 # three\n0 0 0 # one\n1 0 0\n0 1 0\nf 1\n0 -1 -1 1 -1 -1 2 -1 -1\nend\n",
            "# amo dialect: counted\nao a 1\n# three\nv 3\n0 0 0\n# one\n1 0 0\n0 1 0\nf 1\n0 -1 -1 1 -1 -1 2 -1 -1\nend\n",
        ),
    ] {
        let (document, _) = parse(text.as_bytes());
        let document = document.expect("a good file");
        let mut again = Vec::new();
        document.write_text(document.dialect, &mut again).expect("memory takes everything");
        assert_eq!(String::from_utf8_lossy(&again), written);
    }
}

/// A file of ours in the counted dialect, with everything it can hold, twice.
const COUNTED: &str = "\
# amo dialect: counted
ao arm 15375
v 3
0 0 0
1 0 0.5
0 1 -0.25
vt 1
0.5 0.25
vn 1
0 0 1
vj 2
0 -1 -1 -1
0 1 -1 -1
vw 2
1 0 0 0
0.75 0.25 0 0
f 1
0 0 0 0 0 1 0 0 1 1 2 0 0 0 0
j 2
lower -1 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1
upper 0 1 0 0 0 0 1 0 0 0 0 1 0 0 1 0 1
a 1
an bend 1000 2
k 0 1
1 0 0 0 1 0 0 0
k 1 1
1 0 0.125 0 0 1 0 0
hk 1
0 1 0 0 1 0 1 0 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1
bb 0 0 0 1 1 1
ne 0 0 0.5 0.5 0.5 1
cv 3
0 0 0
1 0 0
0 1 0
ci 1
0 1 2
rb 1
0 0 0 0 1 2 3 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1
end
ao stone 1
v 3
0 0 0
1 0 0
0 1 0
f 1
0 -1 -1 1 -1 -1 2 -1 -1
end
";

#[test]
fn files_of_our_layout_come_back_byte_for_byte() {
    let document = text(&valid(SMALL.as_bytes()), Dialect::Document);
    assert_eq!(document, format!("# amo dialect: document\n{SMALL}"));
    let one_based = text(&valid(SMALL.as_bytes()), Dialect::OneBased);
    assert!(
        one_based.contains("\nvj 1 0 0 0\n") && one_based.contains("\nf 1/1/1/1/1 2/1/1/2/2 3/1/1/1/1\n")
    );
    assert!(one_based.contains("\nj tip 1\n") && one_based.contains("\nap 1 2 0 2 0\n"));
    for (file, dialect) in
        [(document.as_str(), Dialect::Document), (&one_based, Dialect::OneBased), (COUNTED, Dialect::Counted)]
    {
        let (read, report) = parse(file.as_bytes());
        let read = read.unwrap_or_else(|| panic!("{:?}", report.diagnostics()));
        assert_eq!((read.dialect, text(&read, dialect).as_str()), (dialect, file));
        // A file that states how to read it leaves nothing to detect.
        assert!(!places(&report).iter().any(|p| p.contains("AM20")), "{:?}", report.diagnostics());
    }
}

#[test]
fn values_of_every_file_survive_a_rewrite() {
    let own = own();
    let mut count = 0;
    for path in support::files_below(&own).iter().filter(|p| p.extension().is_some_and(|e| e == "amo")) {
        let before = valid(&fs::read(path).expect("readable"));
        let after = valid(text(&before, before.dialect).as_bytes());
        assert_eq!(after.dialect, before.dialect.written(), "{}", path.display());
        let (mut a, mut b) = (before.models, after.models);
        if before.dialect == Dialect::Keyed {
            // A mask has another meaning there.
            a[0].objects[0].mask = b[0].objects[0].mask;
        }
        for model in a.iter_mut().chain(&mut b) {
            model.asides = Default::default();
        }
        // The counted dialect computes these if they are missing.
        assert_eq!(a, b, "{}", path.display());
        count += 1;
    }
    assert_eq!(count, 6);
}

#[test]
fn a_keyed_file_is_rewritten_as_counted_with_a_note() {
    let own = own();
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("new.amo");
    let input = own.join("bend_addon_kdialect_88115c9.amo");
    let (done, report) = ligament::convert(&input, &output, &Default::default()).expect("converts");
    assert_eq!((done.rewritten, done.dialect), (true, "counted"));
    assert!(report.diagnostics().iter().any(|d| d.code.id == "AM205"));
    assert!(done.comparison.expect("verified").worst.is_none_or(|w| w.distance < 1e-6));
    let options = ligament::ConvertOptions { dialect: Some("keyed".to_owned()), ..Default::default() };
    let error = ligament::convert(&input, &output, &options).expect_err("is read only");
    assert!(error.to_string().contains("\"keyed\" dialect of AMO is read but not written"), "{error}");
}

#[test]
fn names_are_bytes() {
    let mut bytes = SMALL.replace("j tip 0", "j t p 0").into_bytes();
    let at = bytes.windows(3).position(|w| w == b"t p").expect("there") + 1;
    bytes[at] = 0xff;
    let (document, report) = parse(&bytes);
    let document = document.expect("valid");
    assert!(places(&report).iter().any(|p| p.starts_with("warning AM418 13:")));
    let mut again = Vec::new();
    document.write_text(Dialect::Document, &mut again).expect("memory takes everything");
    assert!(again.windows(3).any(|w| w == b"t\xffp"));
    // Spaces in names: the parent is the last word.
    let spaced = valid(SMALL.replace("j tip 0", "j the tip 0").as_bytes());
    assert_eq!(spaced.models[0].joints[1].name.to_text(), "the tip");
}

#[test]
fn shapes_travel_through_a_scene() {
    let document = valid(COUNTED.as_bytes());
    let shapes = document.models[0].shapes.clone();
    let (mut report, options) = (Report::default(), ReadOptions::default());
    let document: Box<dyn formats::Document> = Box::new(document);
    let mut scene = document.import(&options, &mut report).expect("imports");
    assert!(report.losses().iter().any(|l| l.code.id == "AM507" && l.count == 5));
    // The second model is another mesh.
    assert_eq!((scene.meshes.len(), scene.skins.len()), (2, 1));
    let format = formats::by_id("amo").expect("known");
    let capabilities = format.capabilities(Some("counted"));
    ligament::passes::prepare(&mut scene, &capabilities, &Default::default(), &mut report).expect("fits");
    let exported =
        format.export(scene, Some("counted"), &WriteOptions::default(), &mut report).expect("exports");
    let mut output = MemoryOutput::new("again");
    exported.write(&mut output, &mut report).expect("writes");
    assert_eq!(valid(&output.main).models[0].shapes, shapes);
}

#[test]
fn lines_kept_aside_never_come_to_stand_in_a_list() {
    // Two lists of positions become one, and OBJ lines of a keyed file might have a meaning in the counted dialect.
    let counted =
        "ao c 1\nv 2\n0 0 0\n1 0 0\nwobble 3\nv 1\n0 1 0\nf 1\n0 -1 -1 1 -1 -1 2 -1 -1\nend\n# the end\n";
    let keyed = "ao c 1\nv 0 0 0\nhk 3\nv 1 0 0\nv 0 1 0\nend\nf 1 2 3\nj a -1\na w\nk 0\nap 1 0 0 0\n";
    for (file, kept) in [(counted, "wobble 3"), (counted, "# the end"), (keyed, "# hk 3"), (keyed, "# end")] {
        let document = valid(file.as_bytes());
        let again = text(&document, document.dialect);
        assert!(again.lines().any(|line| line == kept), "{kept} is gone: {again}");
        let read = valid(again.as_bytes());
        let (first, second) = (&document.models[0], &read.models[0]);
        assert_eq!((&second.vertices, &second.faces), (&first.vertices, &first.faces));
        assert_eq!(text(&read, Dialect::Counted), again);
    }
}
