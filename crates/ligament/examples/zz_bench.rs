use std::hint::black_box;
use std::time::Instant;
fn main() {
    let a: Vec<_> = std::env::args().collect();
    let b = std::fs::read(&a[1]).unwrap();
    let runs: usize = a[2].parse().unwrap();
    let par: Option<usize> = if a[3] == "seq" { Some(usize::MAX) } else { Some(0) };
    let mut best = f64::MAX;
    let mut doc = None;
    for _ in 0..runs {
        let mut r = ligament::Report::default();
        drop(doc.take());
        let t = Instant::now();
        doc = Some(
            ligament::pfobj::Document::parse_with(black_box(&b), &Default::default(), par, &mut r).unwrap(),
        );
        best = best.min(t.elapsed().as_secs_f64());
    }
    println!("read {best:.6}s {:.1} MB/s", b.len() as f64 / best / 1e6);
    let doc = doc.unwrap();
    if a.len() > 4 {
        let mut best = f64::MAX;
        let mut out = Vec::with_capacity(b.len() + 1000);
        out.resize(b.len() + 1000, 1u8);
        for _ in 0..runs {
            out.clear();
            let t = Instant::now();
            doc.write_text(&mut out).unwrap();
            best = best.min(t.elapsed().as_secs_f64());
        }
        println!("write {best:.6}s {:.1} MB/s same {}", out.len() as f64 / best / 1e6, out == b);
        let mut o = Vec::new();
        let v = &doc.vertices;
        for i in 0..v.positions.len() {
            for x in v.positions[i]
                .to_array()
                .into_iter()
                .chain(v.uvs[i].to_array())
                .chain(v.normals[i].to_array())
            {
                o.extend_from_slice(&x.to_le_bytes());
            }
        }
        std::fs::write("/tmp/pf_floats.bin", o).unwrap();
    }
}
