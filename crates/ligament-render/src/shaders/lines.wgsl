// Segments of a given width in pixels with round ends; one without length is a dot. `frame.wgsl` is prepended.

struct Segment {
    @location(0) from_place: vec3<f32>,
    @location(1) to_place: vec3<f32>,
    @location(2) color: vec4<f32>,
    // x: width in pixels, y: depth offset towards the camera.
    @location(3) style: vec2<f32>,
}

struct Varying {
    @builtin(position) clip: vec4<f32>,
    // Pixels along the segment and across it.
    @location(0) @interpolate(linear) place: vec2<f32>,
    @location(1) @interpolate(flat) color: vec4<f32>,
    // Length and half the width in pixels.
    @location(2) @interpolate(flat) extent: vec2<f32>,
}

fn in_front(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    // The part of the segment behind the camera is cut off.
    let near = 1e-4;
    if a.w >= near || b.w <= near {
        return a;
    }
    return mix(a, b, (near - a.w) / (b.w - a.w));
}

@vertex
fn vertex(in: Segment, @builtin(vertex_index) index: u32) -> Varying {
    let ends = array<vec4<f32>, 2>(
        frame.view_projection * vec4<f32>(in.from_place, 1.0),
        frame.view_projection * vec4<f32>(in.to_place, 1.0),
    );
    let a = in_front(ends[0], ends[1]);
    let b = in_front(ends[1], ends[0]);
    let size = frame.viewport.xy * 0.5;
    let from_px = a.xy / max(a.w, 1e-4) * size;
    let to_px = b.xy / max(b.w, 1e-4) * size;
    let offset = to_px - from_px;
    let length = length(offset);
    let along = select(vec2<f32>(1.0, 0.0), offset / max(length, 1e-6), length > 1e-4);
    let across = vec2<f32>(-along.y, along.x);

    let corner = array<vec2<f32>, 6>(
        vec2<f32>(0.0, -1.0), vec2<f32>(1.0, -1.0), vec2<f32>(1.0, 1.0),
        vec2<f32>(0.0, -1.0), vec2<f32>(1.0, 1.0), vec2<f32>(0.0, 1.0),
    )[index];
    let radius = in.style.x * 0.5;
    let reach = radius + 1.0;
    let way = corner.x * (length + 2.0 * reach) - reach;
    let px = from_px + along * way + across * corner.y * reach;
    var clip = select(a, b, corner.x > 0.5);
    clip = vec4<f32>(px / size * clip.w, clip.z - nearer(in.style.y, clip.w), clip.w);

    var out: Varying;
    out.clip = clip;
    out.place = vec2<f32>(way, corner.y * reach);
    out.color = in.color;
    out.extent = vec2<f32>(length, radius);
    if a.w < 1e-4 && b.w < 1e-4 {
        out.clip = vec4<f32>(0.0, 0.0, -1.0, 1.0);
    }
    return out;
}

@fragment
fn fragment(in: Varying) -> @location(0) vec4<f32> {
    let past = in.place.x - clamp(in.place.x, 0.0, in.extent.x);
    let distance = length(vec2<f32>(past, in.place.y));
    let cover = clamp(in.extent.y + 0.5 - distance, 0.0, 1.0);
    if cover <= 0.0 {
        discard;
    }
    return output(from_srgb(in.color.rgb), in.color.a * cover);
}
