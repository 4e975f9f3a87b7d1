// Shared by all shaders of a frame. All positions are in the model's own units: its centre is the origin, its size about one.

struct Light {
    // Position; w: 0 directional, 1 point, 2 spot.
    place: vec4<f32>,
    // Direction; w: its range, 0 for none.
    direction: vec4<f32>,
    // Colour times intensity; w: the cosine of a spot's outer angle.
    color: vec4<f32>,
    // x: the cosine of a spot's inner angle.
    cone: vec4<f32>,
}

struct Frame {
    view_projection: mat4x4<f32>,
    // From the model's units to the shadow's texture.
    shadow: mat4x4<f32>,
    // w: 1 for a perspective camera.
    eye: vec4<f32>,
    // The camera's viewing direction; w: the ground's height.
    forward: vec4<f32>,
    // Width and height in pixels; z: the change of depth per step towards the camera; w: the grid's step.
    viewport: vec4<f32>,
    // Light from above and below; w: x and z of a crossing of the grid's lines.
    sky: vec4<f32>,
    earth: vec4<f32>,
    // The camera's right; w: how bright the studio's lamps are in reflections.
    right: vec4<f32>,
    up: vec4<f32>,
    // The background's colour.
    backdrop: vec4<f32>,
    // x: number of lights, y: how surfaces are coloured, z: whether to encode sRGB here, w: bits of what the ground shows.
    counts: vec4<u32>,
    lights: array<Light, 16>,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var shadow_map: texture_2d<f32>;
@group(0) @binding(2) var shadow_sampler: sampler;

fn to_srgb(linear: vec3<f32>) -> vec3<f32> {
    let v = clamp(linear, vec3<f32>(0.0), vec3<f32>(1.0));
    return select(1.055 * pow(v, vec3<f32>(1.0 / 2.4)) - 0.055, v * 12.92, v <= vec3<f32>(0.0031308));
}

fn from_srgb(v: vec3<f32>) -> vec3<f32> {
    return select(pow((v + 0.055) / 1.055, vec3<f32>(2.4)), v / 12.92, v <= vec3<f32>(0.04045));
}

// The offset of a clip position's depth that brings it nearer by a length in the model's units.
fn nearer(by: f32, w: f32) -> f32 {
    return by * frame.viewport.z / max(w, 1e-4);
}

// The stored colour: multiplied by alpha, and encoded here if the target does not encode it.
fn output(linear: vec3<f32>, alpha: f32) -> vec4<f32> {
    var color = clamp(linear, vec3<f32>(0.0), vec3<f32>(1.0));
    if frame.counts.z == 1u {
        color = to_srgb(color);
    }
    return vec4<f32>(color * alpha, alpha);
}
