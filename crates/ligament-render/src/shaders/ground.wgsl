// The ground under the model: a grid and a soft shadow. `frame.wgsl` is prepended.

const GRID: u32 = 1u;
const SHADOW: u32 = 2u;
const REACH: f32 = 12.0;

struct Varying {
    @builtin(position) clip: vec4<f32>,
    @location(0) place: vec3<f32>,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Varying {
    let corner = array<vec2<f32>, 6>(
        vec2<f32>(-1.0, -1.0), vec2<f32>(1.0, -1.0), vec2<f32>(1.0, 1.0),
        vec2<f32>(-1.0, -1.0), vec2<f32>(1.0, 1.0), vec2<f32>(-1.0, 1.0),
    )[index] * REACH;
    var out: Varying;
    out.place = vec3<f32>(corner.x, frame.forward.w, corner.y);
    out.clip = frame.view_projection * vec4<f32>(out.place, 1.0);
    return out;
}

fn lines(place: vec2<f32>, step: f32, width: f32) -> f32 {
    let scaled = place / step;
    let size = max(fwidth(scaled), vec2<f32>(1e-6));
    let away = abs(fract(scaled - 0.5) - 0.5) / size;
    let cover = 1.0 - clamp(min(away.x, away.y) - width * 0.5 + 0.5, 0.0, 1.0);
    // Lines closer than a few pixels would only be grey.
    return cover * (1.0 - smoothstep(0.12, 0.35, max(size.x, size.y)));
}

// The mean within a radius, of taps arranged like the seeds of a sunflower.
fn blurred(uv: vec2<f32>, radius: f32, taps: u32) -> f32 {
    var sum = 0.0;
    for (var i = 0u; i < taps; i++) {
        let away = radius * sqrt((f32(i) + 0.5) / f32(taps));
        let angle = f32(i) * 2.39996323;
        sum += textureSampleLevel(shadow_map, shadow_sampler, uv + away * vec2<f32>(cos(angle), sin(angle)), 0.0).r;
    }
    return sum / f32(taps);
}

fn shade(place: vec3<f32>) -> f32 {
    let uv = (frame.shadow * vec4<f32>(place, 1.0)).xy;
    let inside = step(0.0, uv.x) * step(uv.x, 1.0) * step(0.0, uv.y) * step(uv.y, 1.0);
    // Dark where something stands, and softly around it.
    return (0.5 * blurred(uv, 0.014, 12u) + 0.5 * blurred(uv, 0.07, 28u)) * inside;
}

@fragment
fn fragment(in: Varying) -> @location(0) vec4<f32> {
    let fade = 1.0 - smoothstep(0.9, 3.5, length(in.place.xz));
    var alpha = 0.0;
    var color = vec3<f32>(0.0);
    if (frame.counts.w & SHADOW) != 0u {
        alpha = shade(in.place) * 0.75;
    }
    if (frame.counts.w & GRID) != 0u {
        let step = frame.viewport.w;
        let middle = vec2<f32>(frame.sky.w, frame.earth.w);
        let fine = lines(in.place.xz - middle, step, 1.0) * 0.25;
        let coarse = lines(in.place.xz - middle, step * 10.0, 1.4) * 0.5;
        let cover = max(fine, coarse) * fade;
        // Over the shadow.
        color = mix(color, vec3<f32>(0.12, 0.14, 0.18), cover);
        alpha = alpha + cover * (1.0 - alpha);
    }
    return output(color, alpha);
}
