use super::*;
use std::collections::BTreeSet;

/// A value that is not the default.
fn other(setting: &Setting) -> Value {
    match setting.kind {
        Kind::Flag => json!(setting.default_value() != json!(true)),
        Kind::Word(words) => {
            let word = words.iter().find(|(word, _)| setting.default_value() != *word);
            json!(word.expect("a word alone would be no choice").0)
        }
        Kind::Above(_) => json!(2.5),
        Kind::Fraction => json!(0.25),
        Kind::Integer(_) | Kind::Memory => json!(3),
        Kind::Text => json!("Walk"),
        Kind::Texts => json!(["Walk"]),
    }
}

#[test]
fn every_setting_changes_the_options_and_its_default_does_not() {
    let plain = format!("{:?}", ConvertOptions::default());
    for setting in settings() {
        let mut options = ConvertOptions::default();
        setting.set(&mut options, &other(setting)).expect("a value of its kind");
        assert_ne!(format!("{options:?}"), plain, "{}", setting.name);
        assert_eq!(setting.get(&options), other(setting), "{}", setting.name);
        let mut options = ConvertOptions::default();
        setting.set(&mut options, &setting.default_value()).expect("its own default");
        assert_eq!(format!("{options:?}"), plain, "{}", setting.name);
    }
}

#[test]
fn wrong_values_and_names_are_told() {
    let mut options = ConvertOptions::default();
    let mut told = |name: &str, value: Value| options.set(name, value).expect_err("wrong");
    assert_eq!(told("up", json!("x")), r#"up: expected one of: "y", "z", not "x""#);
    assert_eq!(told("scale", json!(0)), "scale: expected a number above 0, not 0");
    assert_eq!(told("scale", json!(1e300)), "scale: expected a number above 0, not 1e+300");
    assert_eq!(
        told("max_error", json!(-1)),
        "max_error: expected a number from 0 to 1, a fraction of the model's size, not -1"
    );
    assert_eq!(told("influences", json!(0)), "influences: expected an integer of at least 1, not 0");
    let size = r#"max_memory: expected a size such as "4GiB" or "500MiB", or a number of MiB, not "a lot""#;
    assert_eq!(told("max_memory", json!("a lot")), size);
    assert_eq!(told("strict", json!("yes")), r#"strict: expected true or false, not "yes""#);
    assert_eq!(told("clips", json!("Walk")), r#"clips: expected a list of texts, not "Walk""#);
    assert_eq!(told("max_eror", json!(1)), "there is no option max_eror; did you mean max_error?");
}

#[test]
fn texts_are_read_as_people_type_them() {
    let fraction = |text| Kind::Fraction.parse(text).ok();
    assert_eq!(fraction("1%"), Some(json!(0.01)));
    assert_eq!(fraction("0.5 %"), Some(json!(0.005)));
    assert_eq!(fraction("0.0001"), Some(json!(0.0001)));
    assert_eq!(fraction("0"), Some(json!(0.0)));
    for wrong in ["", "%", "-1%", "inf", "NaN", "1mm", "1,5%", "5", "1.01", "101%"] {
        assert_eq!(fraction(wrong), None, "{wrong:?}");
    }
    let meant = "5 is 5 times the model's size; did you mean 5%?";
    assert_eq!(Kind::Fraction.parse("5"), Err(meant.to_owned()));
    assert_eq!(Kind::Above(0.0).parse("nan"), Err("expected a number above 0".to_owned()));
    assert_eq!(Kind::Integer(1).parse("4"), Ok(json!(4)));
    assert_eq!(Kind::Memory.parse("4GiB"), Ok(json!(4096)));
    assert_eq!(Kind::Memory.parse("64"), Ok(json!(64)));
    let expected = "expected a size such as 4GiB or 500MiB, or a number of MiB";
    assert_eq!(Kind::Memory.parse("lots"), Err(expected.to_owned()));
}

#[test]
fn every_row_has_its_name_and_its_help() {
    let mut names = BTreeSet::new();
    for setting in settings() {
        assert!(!setting.name.is_empty() && names.insert(setting.long()), "{}", setting.name);
        assert!(!setting.help.is_empty() && !setting.help.ends_with('.'), "{}", setting.name);
        assert_eq!(setting.value_name.is_empty(), setting.kind == Kind::Flag, "{}", setting.name);
    }
    // Two formats may list the same row, but no two rows have the same name.
    for listed in FORMATS.iter().flat_map(|format| format.settings) {
        assert!(find(listed.name).is_some_and(|row| std::ptr::eq(row, *listed)), "{}", listed.name);
        assert!(listed.reads == Scope::Listed || listed.writes == Scope::Listed, "{}", listed.name);
    }
}

#[test]
fn what_a_file_leaves_open_is_read_back_as_it_was_written() {
    let mut options = ConvertOptions::default();
    for (name, value) in [("fps", json!(12)), ("posing", json!("engine")), ("lenient", json!(true))] {
        options.set(name, value).expect("a value of its kind");
    }
    let back = options.read_back();
    assert_eq!(back.fps, Some(12.0));
    assert_eq!(back.own.get(&POSING), Posing::Engine);
    assert!(!back.lenient, "what we write contradicts nothing");
    options.write.own.set(&POSING, Posing::Author);
    assert_eq!(options.read_back().own.get(&POSING), Posing::Author);
    assert!(POSING.row.demands_scene(&options), "it is read in one way and written in another");
}
