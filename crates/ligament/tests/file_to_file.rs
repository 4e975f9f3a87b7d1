//! The promise from file to file: a conversion is judged by how its source moves by its own rules, and what the result
//! deviates from that is announced.

use ligament::passes::axes::{AxesOptions, Up};
use ligament::{Conversion, ConvertOptions, convert};
use std::path::{Path, PathBuf};

/// What the proof may find without a loss that says so, as a fraction of the model's size.
const UNSAID: f64 = 1.1e-5;

fn relative(done: &Conversion) -> f64 {
    let worst = done.comparison.as_ref().and_then(|found| found.worst.as_ref());
    worst.map_or(0.0, |worst| worst.relative)
}

/// A square that a Bézier curve turns by 300 degrees between two keys, about an axis that is not its own.
fn wheel(folder: &Path) -> PathBuf {
    let source = |id: &str, count: usize, stride: usize, kind: &str, values: &str| {
        let params: String = (0..stride).map(|_| format!("<param type=\"{kind}\"/>")).collect();
        let array = if kind == "name" { "Name_array" } else { "float_array" };
        format!(
            "<source id=\"{id}\"><{array} id=\"{id}-a\" count=\"{}\">{values}</{array}><technique_common>\
             <accessor source=\"#{id}-a\" count=\"{count}\" stride=\"{stride}\">{params}</accessor>\
             </technique_common></source>",
            count * stride
        )
    };
    let text = format!(
        "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">\
         <asset><up_axis>Y_UP</up_axis></asset>\
         <library_geometries><geometry id=\"g\"><mesh>{}<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/>\
         </vertices><polylist count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><vcount>4</vcount>\
         <p>0 1 2 3</p></polylist></mesh></geometry></library_geometries>\
         <library_animations><animation id=\"a\">{}{}{}{}{}<sampler id=\"s\"><input semantic=\"INPUT\" source=\"#i\"/>\
         <input semantic=\"OUTPUT\" source=\"#o\"/><input semantic=\"INTERPOLATION\" source=\"#n\"/>\
         <input semantic=\"IN_TANGENT\" source=\"#ti\"/><input semantic=\"OUT_TANGENT\" source=\"#to\"/></sampler>\
         <channel source=\"#s\" target=\"w/r.ANGLE\"/></animation></library_animations>\
         <library_visual_scenes><visual_scene id=\"vs\"><node id=\"w\"><translate>1 2 3</translate>\
         <rotate sid=\"r\">1 2 3 0</rotate><rotate>1 0 0 40</rotate><instance_geometry url=\"#g\"/></node>\
         </visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#vs\"/></scene></COLLADA>",
        source("p", 4, 3, "float", "0 0 0 1 0 0 1 1 0 0 1 0"),
        source("i", 2, 1, "float", "0 1.7"),
        source("o", 2, 1, "float", "0 300"),
        source("n", 2, 1, "name", "BEZIER BEZIER"),
        source("ti", 2, 2, "float", "-1 0 1.2 300"),
        source("to", 2, 2, "float", "0.9 0 2 300"),
    );
    let path = folder.join("wheel.dae");
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn axes_and_selected_clips_change_the_files_own_motion_with_the_scene() {
    let folder = tempfile::tempdir().unwrap();
    let source = wheel(folder.path());
    let all = [
        AxesOptions::default(),
        AxesOptions { up: Up::Z, scale: 100.0, ..AxesOptions::default() },
        AxesOptions { mirror_x: true, ..AxesOptions::default() },
        AxesOptions { up: Up::Z, scale: 0.01, mirror_x: true },
    ];
    for axes in all {
        for clips in [vec![], vec!["animation".to_owned()]] {
            let target = folder.path().join("wheel.glb");
            let options = ConvertOptions { axes, clips, ..ConvertOptions::default() };
            let (done, _) = convert(&source, &target, &options).unwrap();
            // The keys follow the curve, but not exactly: the proof has seen the curve itself.
            assert!((1e-7..UNSAID).contains(&relative(&done)), "{axes:?}: {}", relative(&done));
        }
    }
}
