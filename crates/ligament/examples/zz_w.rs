use std::time::Instant;
fn main() {
    let a: Vec<_> = std::env::args().collect();
    let b = std::fs::read(&a[1]).unwrap();
    let mut r = ligament::Report::default();
    let doc = ligament::pfobj::Document::parse(&b, &Default::default(), &mut r).unwrap();
    let mut best = f64::MAX;
    for _ in 0..20 {
        let t = Instant::now();
        doc.write_text(&mut std::io::sink()).unwrap();
        best = best.min(t.elapsed().as_secs_f64());
    }
    println!("sink {best:.6}");
    let mut d2 = doc.clone();
    d2.vertices.influences = Default::default();
    let mut best = f64::MAX;
    for _ in 0..20 {
        let t = Instant::now();
        d2.write_text(&mut std::io::sink()).unwrap();
        best = best.min(t.elapsed().as_secs_f64());
    }
    println!("sink static {best:.6}");
    let mut d3 = d2.clone();
    for p in d3.vertices.positions.iter_mut().chain(d3.vertices.normals.iter_mut()) {
        *p = p.abs();
    }
    let mut best = f64::MAX;
    for _ in 0..20 {
        let t = Instant::now();
        d3.write_text(&mut std::io::sink()).unwrap();
        best = best.min(t.elapsed().as_secs_f64());
    }
    println!("sink static positive {best:.6}");
    for p in d3.vertices.positions.iter_mut().chain(d3.vertices.normals.iter_mut()) {
        *p = p.min(ligament::math::Vec3::splat(9.0));
    }
    let mut best = f64::MAX;
    for _ in 0..20 {
        let t = Instant::now();
        d3.write_text(&mut std::io::sink()).unwrap();
        best = best.min(t.elapsed().as_secs_f64());
    }
    println!("sink static positive <10 {best:.6}");
}
