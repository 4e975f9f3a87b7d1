fn main() {
    let a: Vec<_> = std::env::args().collect();
    let b = std::fs::read(&a[1]).unwrap();
    let mut r = ligament::Report::default();
    let d = ligament::pfobj::Document::parse(&b, &Default::default(), &mut r);
    for x in r.diagnostics() {
        eprintln!("{x}");
    }
    let mut o = Vec::new();
    d.unwrap().write_text(&mut o).unwrap();
    std::fs::write(&a[2], o).unwrap();
}
