//! Takes made at random, with everything that curves can have: steps of both kinds, lines, cubics with weighted
//! tangents, repetitions before and after, layers, pivots, in-between shapes. Posed like `ufbx` poses them.

use super::support::Random;
use super::sweep::{TOLERANCE, stated, sweep};
use ligament::report::Loss;
use std::fmt::Write as _;

/// Ticks of FBX per second.
const SECOND: i64 = 46_186_158_000;

/// A file with two cubes, one the other's parent, and a take of random curves.
struct Made {
    random: Random,
    objects: String,
    connections: String,
    next: u32,
}

impl Made {
    fn part(&mut self) -> f64 {
        self.random.below(1 << 20) as f64 / f64::from(1 << 20)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.part()
    }

    fn id(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    /// Adds a curve with keys between these values, and returns its id.
    fn curve(&mut self, low: f64, high: f64) -> u32 {
        let count = 2 + self.random.below(5);
        // Keys a tick apart are how some programs write a step. Tangents over a tick would be without measure.
        let has_twins = self.random.below(3) == 0;
        let (mut times, mut time) = (Vec::new(), self.random.below(20) as i64 * SECOND / 24);
        for _ in 0..count {
            times.push(time);
            time += match self.random.below(4) {
                0 if has_twins => 1,
                1 => SECOND / 100 + self.random.below(1 << 36) as i64,
                _ => (1 + self.random.below(24) as i64) * SECOND / 24,
            };
        }
        let mut lists: [Vec<String>; 4] = Default::default();
        for time in times {
            let value = self.between(low, high);
            let flags = match self.random.below(if has_twins { 3 } else { 6 }) {
                0 => 0x2,
                1 => 0x102,
                2 => 0x4,
                3 => 0x108,
                4 => 0x408,
                _ => 0x300_0C08_u32,
            };
            let slope = (high - low) as f32 * 2.0;
            let slopes = [self.part(), self.part()].map(|part| (part as f32 - 0.5) * slope);
            let weights = [0; 2].map(|_| 100 + self.random.below(9800) as u32);
            let packed = weights[0] | weights[1] << 16;
            lists[0].push(time.to_string());
            lists[1].push(value.to_string());
            lists[2].push(flags.to_string());
            let data = [slopes[0].to_bits() as i32, slopes[1].to_bits() as i32, packed as i32, 0];
            lists[3].extend(data.map(|number| number.to_string()));
        }
        let id = self.id();
        let _ = write!(self.objects, "AnimationCurve: {id}, \"AnimCurve::\", \"\" {{\nKeyVer: 4009\n");
        let names = ["KeyTime", "KeyValueFloat", "KeyAttrFlags", "KeyAttrDataFloat"];
        for (name, list) in names.iter().zip(&lists) {
            let _ = write!(self.objects, "{name}: *{} {{\na: {}\n}}\n", list.len(), list.join(","));
        }
        let ones = vec!["1"; count].join(",");
        let _ = write!(self.objects, "KeyAttrRefCount: *{count} {{\na: {ones}\n}}\n");
        for side in ["Pre", "Post"] {
            let kind = if has_twins { "C" } else { ["A", "C", "K", "M", "R", "C"][self.random.below(6)] };
            let times = self.random.below(5) as i32 - 1;
            let _ = write!(self.objects, "{side}-Extrapolation: {{\nType: {kind}\nRepetition: {times}\n}}\n");
        }
        self.objects += "}\n";
        id
    }

    /// Animates some of a property's numbers in a layer.
    fn animate(&mut self, layer: u32, object: u32, property: &str, parts: &[&str], range: (f64, f64)) {
        let id = self.id();
        let _ = writeln!(
            self.objects,
            "AnimationCurveNode: {id}, \"AnimCurveNode::\", \"\" {{\nProperties70: {{"
        );
        for part in parts {
            // The value of a number that has no curve.
            let value = self.between(range.0, range.1);
            let _ = writeln!(self.objects, "P: \"d|{part}\", \"Number\", \"\", \"A\",{value}");
        }
        self.objects += "}\n}\n";
        let _ = write!(self.connections, "C: \"OO\",{id},{layer}\nC: \"OP\",{id},{object}, \"{property}\"\n");
        for part in parts {
            if self.random.below(4) > 0 {
                let curve = self.curve(range.0, range.1);
                let _ = writeln!(self.connections, "C: \"OP\",{curve},{id}, \"d|{part}\"");
            }
        }
    }

    fn file(seed: u64) -> String {
        let random = Random::new(seed + 1);
        let mut made = Self { random, objects: String::new(), connections: String::new(), next: 1000 };
        for (model, geometry, parent) in [(1, 11, 0), (2, 12, 1)] {
            let _ = write!(
                made.objects,
                "Geometry: {geometry}, \"Geometry::g\", \"Mesh\" {{\nVertices: *12 {{\na: 0,0,0,10,0,0,0,10,0,0,0,10\n}}\n\
                 PolygonVertexIndex: *12 {{\na: 0,1,-3,0,2,-4,0,3,-2,1,3,-3\n}}\n}}\n\
                 Model: {model}, \"Model::m{model}\", \"Mesh\" {{\nVersion: 232\nProperties70: {{\n"
            );
            let (order, is_pivoted) = (made.random.below(6), made.random.below(2) == 0);
            let _ = write!(
                made.objects,
                "P: \"RotationActive\", \"bool\", \"\", \"\",1\nP: \"RotationOrder\", \"enum\", \"\", \"\",{order}\n\
                 P: \"PreRotation\", \"Vector3D\", \"Vector\", \"\",{},20,-30\n\
                 P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",{},0,0\n",
                10 * order,
                8 * (model - 1)
            );
            if is_pivoted {
                made.objects += "P: \"RotationPivot\", \"Vector3D\", \"Vector\", \"\",1,2,3\n";
            }
            made.objects += "}\n}\n";
            let _ = write!(made.connections, "C: \"OO\",{model},{parent}\nC: \"OO\",{geometry},{model}\n");
        }
        made.objects += "Deformer: 20, \"Deformer::d\", \"BlendShape\" {\nVersion: 100\n}\n\
             Deformer: 21, \"SubDeformer::c\", \"BlendShapeChannel\" {\nDeformPercent: -20\nFullWeights: *2 {\na: 40,100\n}\n}\n\
             Geometry: 22, \"Geometry::s\", \"Shape\" {\nIndexes: *1 {\na: 3\n}\nVertices: *3 {\na: 4,0,0\n}\n}\n\
             Geometry: 23, \"Geometry::t\", \"Shape\" {\nIndexes: *2 {\na: 1,3\n}\nVertices: *6 {\na: 0,3,0,0,0,6\n}\n}\n";
        made.connections += "C: \"OO\",20,12\nC: \"OO\",21,20\nC: \"OO\",22,21\nC: \"OO\",23,21\n";
        let stop = 3 * SECOND + made.random.below(1 << 37) as i64;
        let start = made.random.below(2) as i64 * SECOND / 3;
        let _ = write!(
            made.objects,
            "AnimationStack: 30, \"AnimStack::take\", \"\" {{\nProperties70: {{\n\
             P: \"LocalStart\", \"KTime\", \"Time\", \"\",{start}\nP: \"LocalStop\", \"KTime\", \"Time\", \"\",{stop}\n}}\n}}\n"
        );
        for layer in [31, 32].into_iter().take(1 + made.random.below(2)) {
            let weight = if layer == 31 { 100 } else { 60 };
            let _ = write!(
                made.objects,
                "AnimationLayer: {layer}, \"AnimLayer::l\", \"\" {{\nProperties70: {{\n\
                 P: \"Weight\", \"Number\", \"\", \"A\",{weight}\nP: \"BlendMode\", \"enum\", \"\", \"\",0\n}}\n}}\n"
            );
            let _ = writeln!(made.connections, "C: \"OO\",{layer},30");
            let xyz = ["X", "Y", "Z"];
            for model in [1, 2] {
                made.animate(layer, model, "Lcl Translation", &xyz, (-10.0, 10.0));
                made.animate(layer, model, "Lcl Rotation", &xyz, (-150.0, 150.0));
                made.animate(layer, model, "Lcl Scaling", &xyz, (0.5, 1.5));
            }
            made.animate(layer, 21, "DeformPercent", &["DeformPercent"], (-80.0, 150.0));
        }
        format!(
            "; FBX 7.7.0 project file\nFBXHeaderExtension: {{\nFBXVersion: 7700\n}}\nObjects: {{\n{}}}\nConnections: {{\n{}}}\n",
            made.objects, made.connections
        )
    }
}

#[test]
fn takes_made_at_random_are_posed_as_ufbx_poses_them() {
    let (mut off, mut cut) = (Vec::new(), 0);
    let takes = std::env::var("LIGAMENT_TAKES").map_or(120, |takes| takes.parse().unwrap());
    for seed in 0..takes {
        let text = Made::file(seed);
        let (found, report) =
            sweep(text.as_bytes()).unwrap_or_else(|| panic!("take {seed} is not read:\n{text}"));
        assert_eq!(found.corners, 24, "{seed}");
        let stops = |loss: &Loss| loss.code.id == "FB511" && loss.message.contains("limit of added keys");
        let stops = report.losses().iter().any(stops);
        cut += u64::from(stops);
        // Curves that spin for ever take more keys than may be added. Then the loss says how far they are off.
        let allowed = if stops { stated(&report, "FB511").unwrap_or(0.0) } else { 0.0 };
        off.extend((found.worst() > TOLERANCE.max(allowed)).then_some((seed, found, allowed)));
    }
    assert!(off.is_empty(), "{off:#?}");
    assert!(cut * 20 < takes, "{cut} of {takes} takes were not followed to the end");
}
