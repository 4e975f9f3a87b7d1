//! Every file of the corpus is read, or refused for the right reason.

use super::{scene, support, test_models};
use ligament::formats::{FORMATS, HEAD_BYTES, Match, ReadOptions, detect};

#[test]
fn every_test_model_is_read_or_refused_for_the_right_reason() {
    let Some(files) = test_models("every_test_model_is_read_or_refused_for_the_right_reason") else { return };
    let (mut read, mut refused) = (0, 0);
    for path in &files {
        let name = path.file_name().unwrap().to_str().unwrap();
        let bytes = std::fs::read(path).unwrap();
        let head = &bytes[..bytes.len().min(HEAD_BYTES)];
        assert_eq!(detect(head, None).map(|f| f.id), Some("fbx"), "{name}");
        let others = FORMATS.iter().filter(|f| f.sniff(head) == Match::Yes).count();
        assert_eq!(others, 1, "{name}");
        let (scene, report) = scene(&bytes, &ReadOptions::default());
        match scene {
            Some(scene) => {
                support::check_promise(&scene);
                let faces: usize = scene.meshes.iter().flat_map(|m| &m.parts).map(|p| p.faces.count()).sum();
                println!("{name}: {:?}, {} faces, {} clips", scene.counts(), faces, scene.clips.len());
                for line in report.losses() {
                    println!(
                        "    {} {}: {} ({}) {:?}",
                        line.code.id, line.object, line.message, line.count, line.kind
                    );
                }
                for line in report.diagnostics() {
                    println!("    {line}");
                }
                assert!(faces > 0, "{name} has nothing to draw");
                read += 1;
            }
            None => {
                // Its zero bytes became spaces before it was packaged.
                assert_eq!(name, "transparentTest.fbx", "{:?}", report.diagnostics());
                assert_eq!(report.diagnostics()[0].code.id, "FB102");
                refused += 1;
            }
        }
    }
    assert_eq!((read, refused), (18, 1));
}
