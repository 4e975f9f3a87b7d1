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
    // Phong: the ambient reflectance; otherwise unused.
    ambient: vec4<f32>,
    // Colour of the highlight; w: its strength.
    specular: vec4<f32>,
    // Metallic, roughness, shininess.
    params: vec4<f32>,
    flags: vec4<u32>,
    slots: array<Slot, 6>,
}

const PHONG: u32 = 1u;
const UNLIT: u32 = 2u;
const MASK: u32 = 4u;
const BLEND: u32 = 8u;
const NORMAL_MAP: u32 = 16u;
const HEIGHT_MAP: u32 = 32u;

const LOOK_UV: u32 = 1u;
const LOOK_FLAT: u32 = 2u;

@group(1) @binding(0) var<uniform> material: Material;
@group(1) @binding(1) var base_map: texture_2d<f32>;
@group(1) @binding(2) var surface_map: texture_2d<f32>;
@group(1) @binding(3) var normal_map: texture_2d<f32>;
@group(1) @binding(4) var emissive_map: texture_2d<f32>;
@group(1) @binding(5) var occlusion_map: texture_2d<f32>;
@group(1) @binding(6) var opacity_map: texture_2d<f32>;
@group(1) @binding(7) var base_sampler: sampler;
@group(1) @binding(8) var surface_sampler: sampler;
@group(1) @binding(9) var normal_sampler: sampler;
@group(1) @binding(10) var emissive_sampler: sampler;
@group(1) @binding(11) var occlusion_sampler: sampler;
@group(1) @binding(12) var opacity_sampler: sampler;

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
    specular: vec3<f32>,
    roughness: f32,
    shininess: f32,
}

// Reflected light of one source: Lambert and GGX, or Lambert and Blinn.
fn reflected(s: Surface, to_light: vec3<f32>) -> vec3<f32> {
    let n_l = max(dot(s.normal, to_light), 0.0);
    let half_way = normalize(to_light + s.to_eye + vec3<f32>(1e-6));
    let n_h = max(dot(s.normal, half_way), 0.0);
    if has(PHONG) {
        return (s.diffuse + s.specular * pow(max(n_h, 1e-4), s.shininess)) * n_l;
    }
    let n_v = max(dot(s.normal, s.to_eye), 1e-3);
    let v_h = max(dot(s.to_eye, half_way), 0.0);
    let a = s.roughness * s.roughness;
    let a2 = a * a;
    let d = n_h * n_h * (a2 - 1.0) + 1.0;
    let distribution = a2 / (d * d);
    let shadowing = 0.5 / (n_l * sqrt(n_v * n_v * (1.0 - a2) + a2) + n_v * sqrt(n_l * n_l * (1.0 - a2) + a2) + 1e-4);
    let fresnel = s.specular + (1.0 - s.specular) * pow(1.0 - v_h, 5.0);
    return (s.diffuse * (1.0 - fresnel) + fresnel * distribution * shadowing) * n_l;
}

fn surroundings(direction: vec3<f32>) -> vec3<f32> {
    return mix(frame.earth.rgb, frame.sky.rgb, smoothstep(-0.7, 0.7, direction.y));
}

// Reflected light from all around: diffuse from the hemisphere, highlights by Karis' fit of the integral.
fn ambient(s: Surface, occlusion: f32) -> vec3<f32> {
    let diffuse = surroundings(s.normal) * s.diffuse;
    if has(PHONG) {
        return diffuse * material.ambient.rgb * occlusion;
    }
    let n_v = max(dot(s.normal, s.to_eye), 1e-3);
    let c0 = vec4<f32>(-1.0, -0.0275, -0.572, 0.022);
    let c1 = vec4<f32>(1.0, 0.0425, 1.04, -0.04);
    let r = s.roughness * c0 + c1;
    let a = min(r.x * r.x, exp2(-9.28 * n_v)) * r.x + r.y;
    let fit = vec2<f32>(-1.04, 1.04) * a + r.zw;
    let mirrored = reflect(-s.to_eye, s.normal);
    let bright = surroundings(normalize(mix(mirrored, s.normal, s.roughness * s.roughness)));
    return (diffuse + bright * (s.specular * fit.x + fit.y)) * occlusion;
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

@fragment
fn fragment(in: Varying, @builtin(front_facing) is_front: bool) -> @location(0) vec4<f32> {
    let side = facing(in, is_front);
    let texel = textureSample(base_map, base_sampler, uv_of(material.slots[0], in.uv));
    let surface = textureSample(surface_map, surface_sampler, uv_of(material.slots[1], in.uv));
    let emissive = textureSample(emissive_map, emissive_sampler, uv_of(material.slots[3], in.uv)).rgb;
    let occluded = textureSample(occlusion_map, occlusion_sampler, uv_of(material.slots[4], in.uv)).r;
    let opacity = textureSample(opacity_map, opacity_sampler, uv_of(material.slots[5], in.uv)).r;
    let normal = bumped(in, side);
    var to_eye = -frame.forward.xyz;
    if frame.eye.w > 0.5 {
        to_eye = normalize(frame.eye.xyz - in.place);
    }

    let base = material.base * texel * in.color;
    var alpha = base.a * opacity;
    if has(MASK) && alpha < material.emissive.w {
        discard;
    }
    if !has(BLEND) {
        alpha = 1.0;
    }

    let head_on = 0.35 + 0.65 * abs(dot(normal, to_eye));
    if frame.counts.y == LOOK_UV {
        return output(marked(in, checker(in.uv.xy) * head_on), 1.0);
    }
    if frame.counts.y == LOOK_FLAT {
        return output(marked(in, material.base.rgb * head_on), 1.0);
    }
    if in.paint.a > 0.0 {
        // Colours that encode a number are unchanged.
        return output(from_srgb(in.paint.rgb) * head_on, 1.0);
    }
    let glow = material.emissive.rgb * emissive;
    if has(UNLIT) {
        return output(marked(in, base.rgb + glow), alpha);
    }

    var s: Surface;
    s.normal = normal;
    s.to_eye = to_eye;
    if has(PHONG) {
        s.diffuse = base.rgb;
        s.specular = material.specular.rgb * surface.rgb;
        s.shininess = max(material.params.z, 1.0);
    } else {
        let metallic = material.params.x * surface.b;
        s.roughness = clamp(material.params.y * surface.g, 0.06, 1.0);
        s.diffuse = base.rgb * (1.0 - metallic);
        let dielectric = min(material.specular.rgb * 0.04, vec3<f32>(1.0)) * material.specular.w;
        s.specular = mix(dielectric, base.rgb, metallic);
    }
    let occlusion = mix(1.0, occluded, clamp(material.slots[4].v.w, 0.0, 1.0));
    let color = light(s, in.place) + ambient(s, occlusion) + glow;
    return output(marked(in, tone(min(color, vec3<f32>(1e4)))), alpha);
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

@vertex
fn shadow_vertex(@location(0) position: vec3<f32>) -> Fallen {
    var out: Fallen;
    let place = (frame.shadow * vec4<f32>(position, 1.0)).xyz;
    out.clip = vec4<f32>(place.x * 2.0 - 1.0, 1.0 - place.y * 2.0, 0.5, 1.0);
    out.height = place.z;
    return out;
}

@fragment
fn shadow_fragment(in: Fallen) -> @location(0) vec4<f32> {
    let dark = clamp(1.0 - in.height, 0.0, 1.0);
    return vec4<f32>(dark * dark);
}
