//! What materials look like: each value is seen, and those of Phong like those that a conversion derives.

use super::compare::{difference, reference};
use super::{Subject, renderer, scenes};
use ligament::Scene;
use ligament::math::Vec3;
use ligament::scene::{AlphaMode, Material, Pbr, Phong, pbr_from_phong};
use ligament_render::{Look, Picture, Renderer, Side};
use serde_json::json;

fn of(materials: Vec<Material>) -> Scene {
    let parts = (0..materials.len()).map(|i| scenes::ball(i as u32, Vec3::X * 2.2 * i as f32)).collect();
    scenes::of_parts(parts, materials)
}

fn draw(scene: Scene, renderer: &mut Renderer) -> Picture {
    let look = Look { shadow: false, ..Look::default() };
    let (picture, notes) = Subject { side: Side::Front, look, ..Subject::new(scene) }.draw(renderer);
    assert!(notes.is_empty(), "{notes:?}");
    picture
}

fn phong(diffuse: [f32; 3], specular: f32, shininess: f32) -> Material {
    let phong = Phong {
        ambient: [0.0; 3],
        diffuse,
        specular: [specular; 3],
        shininess: Some(shininess),
        ..Phong::default()
    };
    Material { phong: Some(phong), ..Material::default() }
}

fn plain(color: [f32; 4], metallic: f32, roughness: f32) -> Material {
    Material {
        pbr: Some(Pbr { base_color: color, metallic, roughness, ..Pbr::default() }),
        ..Material::default()
    }
}

fn extended(mut material: Material, extensions: serde_json::Value) -> Material {
    material.extras.insert("gltf".into(), json!({ "extensions": extensions }));
    material
}

/// A model and its converted copy are the same picture.
#[test]
fn phong_looks_like_what_a_conversion_makes_of_it() {
    let Some(mut renderer) = renderer("phong_looks_like_what_a_conversion_makes_of_it") else { return };
    let source = vec![phong([0.1, 0.4, 0.5], 0.2, 2.0), phong([0.8, 0.7, 0.1], 0.9, 80.0)];
    let derived = source.iter().cloned().map(|material| Material {
        pbr: material.phong.as_ref().map(pbr_from_phong),
        phong: None,
        ..material
    });
    let derived = draw(of(derived.collect()), &mut renderer);
    assert_eq!(draw(of(source), &mut renderer), derived);
}

/// Light from all around reaches materials without an ambient colour, and low shininess is no white film.
#[test]
fn phong_has_its_own_colour_everywhere() {
    let Some(mut renderer) = renderer("phong_has_its_own_colour_everywhere") else { return };
    for shininess in [2.0, 20.0] {
        let picture = draw(of(vec![phong([0.02, 0.4, 0.5], 0.5, shininess)]), &mut renderer);
        let background = Look::default().background;
        let ball: Vec<[u8; 4]> =
            picture.rgba.as_chunks::<4>().0.iter().copied().filter(|pixel| *pixel != background).collect();
        assert!(ball.len() > 10_000);
        let of_its_colour = ball.iter().filter(|[r, g, b, _]| b > g && i32::from(*g) > i32::from(*r) + 30);
        let dark = ball.iter().filter(|[_, g, b, _]| *g < 40 && *b < 40).count();
        let share = of_its_colour.count() as f64 / ball.len() as f64;
        assert!(share > 0.9 && dark < ball.len() / 50, "{shininess}: {share}, {dark} of {}", ball.len());
    }
}

/// The comparison with the reference must detect each of these, or it proves nothing.
#[test]
fn wrong_materials_break_the_comparison() {
    let Some(mut renderer) = renderer("wrong_materials_break_the_comparison") else { return };
    type Fault = fn(&mut Vec<Material>);
    let faults: [(&str, Fault); 6] = [
        ("a smooth surface that is rough", |all| all[1].pbr.as_mut().expect("PBR").roughness = 1.0),
        ("a metal that is none", |all| all[2].pbr.as_mut().expect("PBR").metallic = 0.0),
        ("Phong in another colour", |all| all[3].phong.as_mut().expect("Phong").diffuse = [0.2, 0.4, 0.6]),
        ("Phong without shine", |all| all[3].phong.as_mut().expect("Phong").specular = [0.0; 3]),
        ("no glow", |all| all[4].emissive = [0.0; 3]),
        ("nothing to see through", |all| all[5].alpha = AlphaMode::Opaque),
    ];
    let mut draw = |scene: Scene| {
        Subject { side: Side::Front, size: [216, 144], ..Subject::new(scene) }.draw(&mut renderer).0
    };
    let known = reference("materials", &draw(scenes::materials()));
    for (fault, make) in faults {
        let mut scene = scenes::materials();
        make(&mut scene.materials);
        let found = difference(&known, &draw(scene));
        assert!(!found.is_small(), "{fault} is not noticed: {found:?}");
    }
}

/// A smooth metal mirrors a studio: bright and dark places in its own colour.
#[test]
fn metals_mirror_their_surroundings() {
    let Some(mut renderer) = renderer("metals_mirror_their_surroundings") else { return };
    let picture = draw(of(vec![plain([1.0, 0.75, 0.3, 1.0], 1.0, 0.1)]), &mut renderer);
    let inside: Vec<[u8; 4]> = (60..132)
        .flat_map(|y| (60..132).map(move |x| (x, y)))
        .filter_map(|(x, y)| picture.pixel(x, y))
        .collect();
    let mut reds: Vec<u8> = inside.iter().map(|pixel| pixel[0]).collect();
    reds.sort_unstable();
    let (dark, bright) = (reds[reds.len() / 10], reds[reds.len() * 9 / 10]);
    assert!(bright > 215 && bright - dark > 40, "{dark} to {bright}");
    assert!(inside.iter().all(|[r, g, b, _]| r >= g && g >= b), "gold stays golden");
}

#[test]
fn extensions_of_gltf_are_seen() {
    let Some(mut renderer) = renderer("extensions_of_gltf_are_seen") else { return };
    let base = plain([0.5, 0.05, 0.05, 1.0], 0.0, 0.9);
    let bare = draw(of(vec![base.clone()]), &mut renderer);
    let mut with = |extensions| draw(of(vec![extended(base.clone(), extensions)]), &mut renderer);
    let coat = with(json!({ "KHR_materials_clearcoat": { "clearcoatFactor": 1.0 } }));
    let brightest =
        |picture: &Picture| picture.rgba.as_chunks::<4>().0.iter().map(|p| p[1]).filter(|g| *g < 236).max();
    assert!(!difference(&bare, &coat).is_small() && brightest(&coat) > brightest(&bare));
    let sheen = with(
        json!({ "KHR_materials_sheen": { "sheenColorFactor": [0.2, 0.4, 1.0], "sheenRoughnessFactor": 0.5 } }),
    );
    assert!(!difference(&bare, &sheen).is_small());
    let blue = |picture: &Picture| picture.pixel(96, 180).map_or(0, |pixel| pixel[2]);
    assert!(blue(&sheen) > blue(&bare) + 10, "{} {}", blue(&sheen), blue(&bare));
    // What is behind red glass is seen through it, in red.
    let glass = with(json!({ "KHR_materials_transmission": { "transmissionFactor": 1.0 } }));
    let [r, g, b, _] = glass.pixel(110, 110).expect("inside");
    let [r0, ..] = bare.pixel(110, 110).expect("inside");
    assert!(r > r0 && g < 120 && b < 120, "{r} {g} {b} instead of {r0}");
    // A weaker index of refraction has a weaker highlight.
    let shiny = |ior: f32| {
        let smooth = plain([0.0, 0.0, 0.0, 1.0], 0.0, 0.2);
        extended(smooth, json!({ "KHR_materials_ior": { "ior": ior } }))
    };
    let [weak, strong] = [1.1, 2.2].map(|ior| draw(of(vec![shiny(ior)]), &mut renderer));
    assert!(!difference(&weak, &strong).is_small());
}

/// The texture of an extension is found by the scene's index.
#[test]
fn glass_has_a_mask() {
    let Some(mut renderer) = renderer("glass_has_a_mask") else { return };
    // Left half of glass, right half opaque.
    let pixels: Vec<u8> = (0..64).flat_map(|i| if i % 8 < 4 { [255; 4] } else { [0, 0, 0, 255] }).collect();
    let mut scene = scenes::picture(scenes::png(8, 8, &pixels));
    let glass = json!({ "transmissionFactor": 1.0, "transmissionTexture": { "index": 0 } });
    scene.materials[0] =
        extended(plain([1.0, 1.0, 1.0, 1.0], 0.0, 0.1), json!({ "KHR_materials_transmission": glass }));
    let look = Look { background: [0, 0, 255, 255], shadow: false, ..Look::default() };
    let (picture, _) = Subject { side: Side::Front, look, ..Subject::new(scene) }.draw(&mut renderer);
    let red = |x: u32| picture.pixel(x, 96).map_or(0, |pixel| pixel[0]);
    assert!(red(40) < 120 && red(150) > 180, "{} {}", red(40), red(150));
}

/// The edge of a cut-out is as smooth as that of a face.
#[test]
fn cut_outs_have_smooth_edges() {
    let Some(mut renderer) = renderer("cut_outs_have_smooth_edges") else { return };
    // A disc: alpha falls from its middle.
    let pixels: Vec<u8> = (0..64 * 64)
        .flat_map(|i| {
            let (x, y) = ((i % 64) as f32 - 31.5, (i / 64) as f32 - 31.5);
            [200, 30, 30, (255.0 - x.hypot(y) * 6.0).max(0.0) as u8]
        })
        .collect();
    let mut scene = scenes::picture(scenes::png(64, 64, &pixels));
    scene.materials[0].alpha = AlphaMode::Mask(0.5);
    let picture = draw(scene, &mut renderer);
    let background = Look::default().background;
    let between = |pixel: &&[u8; 4]| pixel[1] > 40 && pixel[1] < background[1] - 10;
    let soft = picture.rgba.as_chunks::<4>().0.iter().filter(between).count();
    assert!(soft > 150, "only {soft} pixels between the disc and the background");
    // Three quarters of them lie at the rim: inside it is solid.
    assert_eq!(picture.pixel(96, 96).map(|p| p[3]), Some(255));
    assert!(picture.pixel(96, 96).is_some_and(|p| p[0] > 190 && p[1] < 60));
}

/// A sheet with a hole casts a shadow with a hole.
#[test]
fn shadows_have_the_holes_of_what_casts_them() {
    let Some(mut renderer) = renderer("shadows_have_the_holes_of_what_casts_them") else { return };
    // A sheet just above the ground, seen from above: what it does not cover shows its own shadow.
    let hole = |alpha: u8| {
        let pixels: Vec<u8> = (0..64).flat_map(|_| [255, 255, 255, alpha]).collect();
        let mut scene = scenes::picture(scenes::png(8, 8, &pixels));
        scene.materials[0].alpha = AlphaMode::Mask(0.5);
        let sheet = &mut scene.meshes[0].parts[0];
        sheet.positions.iter_mut().for_each(|p| *p = Vec3::new(p.x, 0.02, -p.y));
        Subject { side: Side::Angles { around: 20.0, above: 40.0 }, ..Subject::new(scene) }
            .draw(&mut renderer)
            .0
    };
    let mut hole = hole;
    let background = Look::default().background;
    let shaded =
        |picture: Picture| picture.rgba.as_chunks::<4>().0.iter().filter(|p| **p != background).count();
    let (solid, open) = (shaded(hole(255)), shaded(hole(0)));
    assert!(solid > 5000 && open == 0, "{solid} {open}");
}
