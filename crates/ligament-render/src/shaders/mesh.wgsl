// Triangles of a model. `frame.wgsl` is prepended.

struct Slot {
    // First row of the texture coordinates' matrix; w: the set.
    u: vec4<f32>,
    // Second row; w: strength.
    v: vec4<f32>,
}

struct Material {
    base: vec4<f32>,
    // w: the alpha below which nothing is drawn.
    emissive: vec4<f32>,
    // What a dielectric reflects if seen head-on; w: at grazing angles.
    specular: vec4<f32>,
    // Metallic, roughness, clearcoat, roughness of the clearcoat.
    params: vec4<f32>,
    // Colour of the sheen; w: its roughness.
    sheen: vec4<f32>,
    // Tint of light that passes through; w: how much passes.
    glass: vec4<f32>,
    flags: vec4<u32>,
    slots: array<Slot, 11>,
}

const UNLIT: u32 = 2u;
const MASK: u32 = 4u;
const BLEND: u32 = 8u;
const NORMAL_MAP: u32 = 16u;
const HEIGHT_MAP: u32 = 32u;
const SPECULAR_MAP: u32 = 64u;

const LOOK_UV: u32 = 1u;
const LOOK_FLAT: u32 = 2u;
const LOOK_COLORS: u32 = 3u;

const FADED: u32 = 4u;

// Whether the material has what few have: clearcoat, sheen, transmission, textures of its highlight. The pipeline of all
// others does without.
override RICH: bool = false;

@group(1) @binding(0) var<uniform> material: Material;
@group(1) @binding(1) var base_map: texture_2d<f32>;
@group(1) @binding(2) var surface_map: texture_2d<f32>;
@group(1) @binding(3) var normal_map: texture_2d<f32>;
@group(1) @binding(4) var emissive_map: texture_2d<f32>;
@group(1) @binding(5) var occlusion_map: texture_2d<f32>;
@group(1) @binding(6) var opacity_map: texture_2d<f32>;
@group(1) @binding(7) var specular_map: texture_2d<f32>;
@group(1) @binding(8) var specular_color_map: texture_2d<f32>;
@group(1) @binding(9) var transmission_map: texture_2d<f32>;
@group(1) @binding(10) var coat_map: texture_2d<f32>;
@group(1) @binding(11) var sheen_map: texture_2d<f32>;
@group(1) @binding(12) var base_sampler: sampler;
@group(1) @binding(13) var surface_sampler: sampler;
@group(1) @binding(14) var normal_sampler: sampler;
@group(1) @binding(15) var emissive_sampler: sampler;
@group(1) @binding(16) var occlusion_sampler: sampler;
@group(1) @binding(17) var opacity_sampler: sampler;
@group(1) @binding(18) var specular_sampler: sampler;
@group(1) @binding(19) var specular_color_sampler: sampler;
@group(1) @binding(20) var transmission_sampler: sampler;
@group(1) @binding(21) var coat_sampler: sampler;
@group(1) @binding(22) var sheen_sampler: sampler;

struct Vertex {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) uv: vec4<f32>,
    @location(4) color: vec4<f32>,
    @location(5) paint: vec4<f32>,
}

struct Varying {
    @builtin(position) clip: vec4<f32>,
    @location(0) place: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) uv: vec4<f32>,
    @location(4) color: vec4<f32>,
    @location(5) paint: vec4<f32>,
    // Bit 0: the placement is mirrored, so that its front faces are clockwise. Bit 1: the part is highlighted.
    @location(6) @interpolate(flat) bits: u32,
}

@vertex
fn vertex(in: Vertex, @builtin(instance_index) bits: u32) -> Varying {
    var out: Varying;
    out.clip = frame.view_projection * vec4<f32>(in.position, 1.0);
    out.place = in.position;
    out.normal = in.normal;
    out.tangent = in.tangent;
    out.uv = in.uv;
    out.color = in.color;
    out.paint = in.paint;
    out.bits = bits;
    return out;
}

fn uv_of(slot: Slot, uv: vec4<f32>) -> vec2<f32> {
    let own = vec3<f32>(select(uv.xy, uv.zw, slot.u.w > 0.5), 1.0);
    return vec2<f32>(dot(slot.u.xyz, own), dot(slot.v.xyz, own));
}

fn has(flag: u32) -> bool {
    return (material.flags.x & flag) != 0u;
}

// Colours up to 0.8 are unchanged, brighter ones are eased towards white (Khronos PBR Neutral).
fn tone(color: vec3<f32>) -> vec3<f32> {
    let least = min(color.r, min(color.g, color.b));
    let offset = select(0.04, least - 6.25 * least * least, least < 0.08);
    let shifted = color - offset;
    let peak = max(shifted.r, max(shifted.g, shifted.b));
    let start = 0.8 - 0.04;
    if peak < start {
        return shifted;
    }
    let d = 1.0 - start;
    let new_peak = 1.0 - d * d / (peak + d - start);
    let grey = 1.0 - 1.0 / (0.15 * (peak - new_peak) + 1.0);
    return mix(shifted * (new_peak / peak), vec3<f32>(new_peak), grey);
}

struct Surface {
    normal: vec3<f32>,
    to_eye: vec3<f32>,
    diffuse: vec3<f32>,
    // What is reflected head-on, and at grazing angles.
    specular: vec3<f32>,
    grazing: vec3<f32>,
    roughness: f32,
    coat: f32,
    coat_roughness: f32,
    sheen: vec3<f32>,
    sheen_roughness: f32,
}

fn fifth(v: f32) -> f32 {
    let squared = v * v;
    return squared * squared * v;
}

// GGX times the cosine of the light, without its 1/pi.
fn highlight(n_l: f32, n_v: f32, n_h: f32, roughness: f32) -> f32 {
    let a = roughness * roughness;
    let a2 = a * a;
    let d = n_h * n_h * (a2 - 1.0) + 1.0;
    let shadowing = 0.5 / (n_l * sqrt(n_v * n_v * (1.0 - a2) + a2) + n_v * sqrt(n_l * n_l * (1.0 - a2) + a2) + 1e-4);
    return a2 / (d * d) * shadowing * n_l;
}

// The share of light that a clearcoat reflects.
fn coated(s: Surface, cosine: f32) -> f32 {
    return s.coat * (0.04 + 0.96 * fifth(1.0 - cosine));
}

// What sheen leaves to the layers below.
fn below_sheen(s: Surface) -> f32 {
    return 1.0 - 0.3 * max(s.sheen.r, max(s.sheen.g, s.sheen.b));
}

// Reflected light of one source: Lambert and GGX, with sheen (Charlie) and a clearcoat over them.
fn reflected(s: Surface, to_light: vec3<f32>) -> vec3<f32> {
    let n_l = max(dot(s.normal, to_light), 0.0);
    let half_way = normalize(to_light + s.to_eye + vec3<f32>(1e-6));
    let n_h = max(dot(s.normal, half_way), 0.0);
    let n_v = max(dot(s.normal, s.to_eye), 1e-3);
    let v_h = max(dot(s.to_eye, half_way), 0.0);
    let fresnel = mix(s.specular, s.grazing, fifth(1.0 - v_h));
    var sum = s.diffuse * (1.0 - fresnel) * n_l + fresnel * highlight(n_l, n_v, n_h, s.roughness);
    if RICH {
        let inverse = 1.0 / max(s.sheen_roughness * s.sheen_roughness, 0.01);
        let sine = max(1.0 - n_h * n_h, 1e-4);
        let velvet = (1.0 + 0.5 * inverse) * pow(sine, 0.5 * inverse) * 0.25 / max(n_l + n_v - n_l * n_v, 0.05);
        sum = sum * below_sheen(s) + s.sheen * velvet * n_l;
        let coat = coated(s, v_h);
        sum = sum * (1.0 - coat) + coat * highlight(n_l, n_v, n_h, s.coat_roughness);
    }
    return sum;
}

// Light from all around, as matt surfaces gather it.
fn surroundings(direction: vec3<f32>) -> vec3<f32> {
    return mix(frame.earth.rgb, frame.sky.rgb, smoothstep(-0.7, 0.7, direction.y));
}

// How much of a lamp behind a rectangle of frosted glass is seen in a direction, both as the camera sees them.
fn lamp(direction: vec3<f32>, lamp: vec3<f32>, size: vec2<f32>, blur: f32) -> f32 {
    let towards = normalize(lamp);
    let right = normalize(cross(vec3<f32>(0.0, 1.0, 0.0), towards));
    let depth = dot(direction, towards);
    let place = abs(vec2<f32>(dot(direction, right), dot(direction, cross(towards, right)))) / max(depth, 1e-3);
    let inside = 1.0 - smoothstep(size - blur, size + blur, place);
    return select(0.0, inside.x * inside.y, depth > 0.0);
}

// What surfaces mirror: the sky and the ground of a studio with a soft horizon, darker where the camera stands, and lamps
// where the lights are. Rough surfaces see all of it blurred; their highlights are those of the lights.
fn environment(direction: vec3<f32>, roughness: f32) -> vec3<f32> {
    let blur = mix(0.1, 0.7, roughness);
    let clear = 1.0 - smoothstep(0.1, 0.8, roughness);
    let own = vec3<f32>(dot(direction, frame.right.xyz), dot(direction, frame.up.xyz), -dot(direction, frame.forward.xyz));
    var color = mix(frame.earth.rgb, frame.sky.rgb, smoothstep(-blur, blur, direction.y)) * 2.0;
    color *= 1.0 - 0.5 * clear * smoothstep(-0.3, 0.95, own.z);
    var lamps = 3.2 * lamp(own, vec3<f32>(-0.55, 0.75, 0.8), vec2<f32>(0.42, 0.32), blur);
    lamps += 1.3 * lamp(own, vec3<f32>(0.95, 0.12, 0.3), vec2<f32>(0.14, 0.75), blur);
    lamps += 2.0 * lamp(own, vec3<f32>(0.35, 0.6, -0.9), vec2<f32>(0.8, 0.25), blur);
    return color + lamps * clear * frame.right.w;
}

// Reflected light from all around: diffuse from the hemisphere, highlights by Karis' fit of the integral.
fn ambient(s: Surface, occlusion: f32) -> vec3<f32> {
    let n_v = max(dot(s.normal, s.to_eye), 1e-3);
    let c0 = vec4<f32>(-1.0, -0.0275, -0.572, 0.022);
    let c1 = vec4<f32>(1.0, 0.0425, 1.04, -0.04);
    let r = s.roughness * c0 + c1;
    let a = min(r.x * r.x, exp2(-9.28 * n_v)) * r.x + r.y;
    let fit = vec2<f32>(-1.04, 1.04) * a + r.zw;
    let mirrored = reflect(-s.to_eye, s.normal);
    let gathered = surroundings(s.normal);
    let bright = environment(normalize(mix(mirrored, s.normal, s.roughness * s.roughness)), s.roughness);
    var sum = gathered * s.diffuse + bright * (s.specular * fit.x + s.grazing * fit.y);
    if RICH {
        let rim = 1.0 - n_v;
        sum = sum * below_sheen(s) + s.sheen * gathered * mix(rim * rim * rim, 0.5 * rim, s.sheen_roughness);
        let coat = coated(s, n_v);
        sum = sum * (1.0 - coat) + coat * environment(mirrored, s.coat_roughness);
    }
    return sum * occlusion;
}

fn light(s: Surface, place: vec3<f32>) -> vec3<f32> {
    var sum = vec3<f32>(0.0);
    for (var i = 0u; i < frame.counts.x; i++) {
        let source = frame.lights[i];
        var to_light = -source.direction.xyz;
        var strength = 1.0;
        if source.place.w > 0.5 {
            let offset = source.place.xyz - place;
            let squared = max(dot(offset, offset), 1e-6);
            to_light = offset * inverseSqrt(squared);
            strength = 1.0 / squared;
            if source.direction.w > 0.0 {
                let part = squared / (source.direction.w * source.direction.w);
                strength *= clamp(1.0 - part * part, 0.0, 1.0);
            }
            if source.place.w > 1.5 {
                let cosine = dot(-to_light, source.direction.xyz);
                strength *= smoothstep(source.color.w, max(source.cone.x, source.color.w + 1e-4), cosine);
            }
        }
        sum += reflected(s, to_light) * source.color.rgb * strength;
    }
    // Lambert's and GGX's 1/pi.
    return sum * 0.318309886;
}

fn facing(in: Varying, is_front: bool) -> f32 {
    return select(-1.0, 1.0, is_front != ((in.bits & 1u) == 1u));
}

fn bumped(in: Varying, side: f32) -> vec3<f32> {
    let across = dpdx(in.place);
    let down = dpdy(in.place);
    var normal = in.normal;
    if dot(normal, normal) < 1e-6 {
        normal = cross(down, across);
    }
    normal = normalize(normal + vec3<f32>(0.0, 1e-12, 0.0)) * side;
    let uv = uv_of(material.slots[2], in.uv);
    let texel = textureSample(normal_map, normal_sampler, uv);
    let strength = material.slots[2].v.w;
    if has(NORMAL_MAP) {
        let tangent = in.tangent.xyz - normal * dot(normal, in.tangent.xyz);
        if dot(tangent, tangent) > 1e-8 {
            let t = normalize(tangent);
            let b = cross(normal, t) * in.tangent.w * side;
            var n = texel.xyz * 2.0 - 1.0;
            n = vec3<f32>(n.xy * strength, n.z);
            normal = normalize(t * n.x * side + b * n.y + normal * max(n.z, 1e-3));
        }
    } else if has(HEIGHT_MAP) {
        // Mikkelsen, "Bump mapping unparametrized surfaces on the GPU".
        let height = texel.r * strength * 0.01;
        let r1 = cross(down, normal);
        let r2 = cross(normal, across);
        let det = dot(across, r1);
        let gradient = sign(det) * (dpdx(height) * r1 + dpdy(height) * r2);
        normal = normalize(abs(det) * normal - gradient + vec3<f32>(0.0, 1e-12, 0.0));
    }
    return normal;
}

fn checker(uv: vec2<f32>) -> vec3<f32> {
    let cell = floor(uv * 8.0);
    let part = fract(uv);
    let odd = (i32(cell.x) + i32(cell.y)) % 2 != 0;
    // Red grows with U, green with V, so that flips and rotations are visible.
    let tint = vec3<f32>(0.25 + 0.7 * part.x, 0.25 + 0.7 * part.y, 0.35);
    let line = fract(uv * 8.0);
    let edge = min(min(line.x, line.y), min(1.0 - line.x, 1.0 - line.y));
    return from_srgb(select(tint, mix(tint, vec3<f32>(1.0), 0.6), odd) * select(1.0, 0.75, edge < 0.03));
}

// Mixes the colour of a highlighted part with orange, so that its shape and texture stay visible.
fn marked(in: Varying, color: vec3<f32>) -> vec3<f32> {
    let orange = vec3<f32>(1.0, 0.195, 0.01);
    return mix(color, orange, select(0.0, 0.32, (in.bits & 2u) != 0u));
}

// Under a wireframe, dark surfaces are lighter, so that its dark lines are seen.
fn faded(color: vec3<f32>) -> vec3<f32> {
    return mix(color, vec3<f32>(0.85), select(0.0, 0.22, (frame.counts.w & FADED) != 0u));
}

// What the textures of a rich material say.
struct Rich {
    strength: f32,
    tint: vec3<f32>,
    through: f32,
    coat: f32,
    sheen: vec3<f32>,
}

struct Shaded {
    // Multiplied by alpha.
    color: vec4<f32>,
    // The share of the pixel that a cut-out covers.
    cover: f32,
}

// The share of a pixel that is at or above the cut-off: the edge is where alpha crosses it.
fn cut(alpha: f32, uv: vec2<f32>) -> f32 {
    let limit = material.emissive.w;
    // Smaller levels are blurred and lose thin leaves; more alpha keeps them.
    let size = vec2<f32>(textureDimensions(base_map));
    let across = dpdx(uv) * size;
    let down = dpdy(uv) * size;
    let level = max(0.5 * log2(max(max(dot(across, across), dot(down, down)), 1.0)), 0.0);
    let kept = alpha * (1.0 + 0.25 * level);
    let change = fwidth(kept);
    let soft = (kept - limit) / max(change, 1e-3) + 0.5;
    return clamp(select(soft, select(0.0, 1.0, alpha >= limit), change < 1e-3 || limit <= 0.0), 0.0, 1.0);
}

fn shade(in: Varying, is_front: bool) -> Shaded {
    let side = facing(in, is_front);
    let base_uv = uv_of(material.slots[0], in.uv);
    let texel = textureSample(base_map, base_sampler, base_uv);
    let surface = textureSample(surface_map, surface_sampler, uv_of(material.slots[1], in.uv));
    let emissive = textureSample(emissive_map, emissive_sampler, uv_of(material.slots[3], in.uv)).rgb;
    let occluded = textureSample(occlusion_map, occlusion_sampler, uv_of(material.slots[4], in.uv)).r;
    let opacity = textureSample(opacity_map, opacity_sampler, uv_of(material.slots[5], in.uv)).r;
    var rich: Rich;
    if RICH {
        rich.strength = textureSample(specular_map, specular_sampler, uv_of(material.slots[6], in.uv)).a;
        rich.tint = textureSample(specular_color_map, specular_color_sampler, uv_of(material.slots[7], in.uv)).rgb;
        rich.tint *= rich.strength;
        rich.through = textureSample(transmission_map, transmission_sampler, uv_of(material.slots[8], in.uv)).r;
        rich.coat = textureSample(coat_map, coat_sampler, uv_of(material.slots[9], in.uv)).r;
        rich.sheen = textureSample(sheen_map, sheen_sampler, uv_of(material.slots[10], in.uv)).rgb;
    }
    let normal = bumped(in, side);
    var to_eye = -frame.forward.xyz;
    if frame.eye.w > 0.5 {
        to_eye = normalize(frame.eye.xyz - in.place);
    }

    let base = material.base * texel * in.color;
    var alpha = base.a * opacity;
    var out: Shaded;
    out.cover = 1.0;
    if has(MASK) {
        out.cover = cut(alpha, base_uv);
    }
    if !has(BLEND) {
        alpha = 1.0;
    }

    let head_on = 0.35 + 0.65 * abs(dot(normal, to_eye));
    if frame.counts.y == LOOK_UV {
        out.color = output(faded(marked(in, checker(in.uv.xy) * head_on)), 1.0);
        return out;
    }
    if frame.counts.y == LOOK_FLAT {
        out.color = output(faded(marked(in, material.base.rgb * head_on)), 1.0);
        return out;
    }
    if frame.counts.y == LOOK_COLORS {
        out.color = output(faded(marked(in, in.color.rgb * head_on)), 1.0);
        return out;
    }
    if in.paint.a > 0.0 {
        // Colours that encode a number are unchanged.
        out.color = output(from_srgb(in.paint.rgb) * head_on, 1.0);
        return out;
    }
    let glow = material.emissive.rgb * emissive;
    if has(UNLIT) {
        out.color = output(faded(marked(in, base.rgb + glow)), alpha);
        return out;
    }

    var s: Surface;
    s.normal = normal;
    s.to_eye = to_eye;
    // The same texture slot holds Phong's colour of the highlight, or metalness and roughness.
    let is_tinted = has(SPECULAR_MAP);
    let metallic = select(material.params.x * surface.b, material.params.x, is_tinted);
    s.roughness = clamp(select(material.params.y * surface.g, material.params.y, is_tinted), 0.06, 1.0);
    var dielectric = select(material.specular.rgb, material.specular.rgb * surface.rgb, is_tinted);
    var grazing = material.specular.w;
    var passes = 0.0;
    if RICH {
        dielectric *= rich.tint;
        grazing *= rich.strength;
        s.coat = material.params.z * rich.coat;
        s.coat_roughness = clamp(material.params.w, 0.06, 1.0);
        s.sheen = material.sheen.rgb * rich.sheen;
        s.sheen_roughness = clamp(material.sheen.w, 0.1, 1.0);
        // Frosted glass lets less of what is behind it be seen.
        passes = material.glass.w * rich.through * (1.0 - metallic) * (1.0 - 0.5 * s.roughness);
    }
    s.diffuse = base.rgb * (1.0 - metallic) * (1.0 - passes);
    s.specular = mix(dielectric, base.rgb, metallic);
    s.grazing = vec3<f32>(mix(grazing, 1.0, metallic));
    let occlusion = mix(1.0, occluded, clamp(material.slots[4].v.w, 0.0, 1.0));
    let color = light(s, in.place) + ambient(s, occlusion) + glow;
    let shown = faded(marked(in, tone(min(color, vec3<f32>(1e4)))));
    if RICH && passes > 0.0 {
        // What is behind is dimmed by the least of the tint's colours; the others are added as if the background were there.
        let facing_it = fifth(1.0 - max(dot(normal, to_eye), 0.0));
        let seen = passes * (1.0 - mix(0.04, 1.0, facing_it));
        let tint = clamp(base.rgb * material.glass.rgb, vec3<f32>(0.0), vec3<f32>(1.0));
        let least = min(tint.r, min(tint.g, tint.b));
        out.color = output(shown + seen * (tint - least) * frame.backdrop.rgb, 1.0);
        out.color = vec4<f32>(out.color.rgb * alpha, alpha * (1.0 - seen * least));
        return out;
    }
    out.color = output(shown, alpha);
    return out;
}

@fragment
fn fragment(in: Varying, @builtin(front_facing) is_front: bool) -> @location(0) vec4<f32> {
    return shade(in, is_front).color;
}

struct Cut {
    @location(0) color: vec4<f32>,
    @builtin(sample_mask) samples: u32,
}

// As many of a pixel's four samples as a cut-out covers; which ones depends on the pixel, so that leaves one behind the
// other do not all cover the same.
@fragment
fn cut_fragment(in: Varying, @builtin(front_facing) is_front: bool) -> Cut {
    let shaded = shade(in, is_front);
    let count = u32(shaded.cover * 4.0 + 0.5);
    let turn = (u32(in.clip.x) + 2u * u32(in.clip.y)) & 3u;
    let all = (1u << count) - 1u;
    var out: Cut;
    out.color = shaded.color;
    out.samples = ((all << turn) | (all >> (4u - turn))) & 15u;
    if out.samples == 0u {
        discard;
    }
    return out;
}

// Edges of faces, drawn slightly nearer than the faces.
@vertex
fn edge_vertex(@location(0) position: vec3<f32>) -> @builtin(position) vec4<f32> {
    var clip = frame.view_projection * vec4<f32>(position, 1.0);
    clip.z -= nearer(8e-4, clip.w);
    return clip;
}

@fragment
fn edge_fragment() -> @location(0) vec4<f32> {
    return output(vec3<f32>(0.01, 0.012, 0.02), 0.75);
}

// The model from above, for the shadow on the ground: darker the nearer it is to the ground.
struct Fallen {
    @builtin(position) clip: vec4<f32>,
    @location(0) height: f32,
}

fn fallen(position: vec3<f32>) -> Fallen {
    var out: Fallen;
    let place = (frame.shadow * vec4<f32>(position, 1.0)).xyz;
    out.clip = vec4<f32>(place.x * 2.0 - 1.0, 1.0 - place.y * 2.0, 0.5, 1.0);
    out.height = place.z;
    return out;
}

@vertex
fn shadow_vertex(@location(0) position: vec3<f32>) -> Fallen {
    return fallen(position);
}

@fragment
fn shadow_fragment(in: Fallen) -> @location(0) vec4<f32> {
    let dark = clamp(1.0 - in.height, 0.0, 1.0);
    return vec4<f32>(dark * dark);
}

// The same for parts with holes or of glass.
struct FallenPiece {
    @builtin(position) clip: vec4<f32>,
    @location(0) height: f32,
    @location(1) uv: vec4<f32>,
    @location(2) alpha: f32,
}

@vertex
fn piece_vertex(
    @location(0) position: vec3<f32>,
    @location(3) uv: vec4<f32>,
    @location(4) color: vec4<f32>,
) -> FallenPiece {
    let all = fallen(position);
    return FallenPiece(all.clip, all.height, uv, color.a);
}

@fragment
fn piece_fragment(in: FallenPiece) -> @location(0) vec4<f32> {
    let texel = textureSample(base_map, base_sampler, uv_of(material.slots[0], in.uv)).a;
    let opacity = textureSample(opacity_map, opacity_sampler, uv_of(material.slots[5], in.uv)).r;
    let alpha = material.base.a * texel * opacity * in.alpha;
    if has(MASK) && alpha < material.emissive.w {
        discard;
    }
    let dark = clamp(1.0 - in.height, 0.0, 1.0);
    let solid = select(alpha, 1.0, has(MASK)) * (1.0 - 0.7 * material.glass.w);
    return vec4<f32>(dark * dark * clamp(solid, 0.0, 1.0));
}
