// Rectangles in pixels over the finished picture: glyphs of text, and plain colours. `frame.wgsl` is prepended.

@group(1) @binding(0) var glyphs: texture_2d<f32>;
@group(1) @binding(1) var glyph_sampler: sampler;

struct Quad {
    // Left, top, right and bottom in pixels.
    @location(0) rectangle: vec4<f32>,
    // The same in the texture.
    @location(1) uv: vec4<f32>,
    @location(2) color: vec4<f32>,
}

struct Varying {
    @builtin(position) clip: vec4<f32>,
    @location(0) uv: vec2<f32>,
    @location(1) @interpolate(flat) color: vec4<f32>,
}

@vertex
fn vertex(in: Quad, @builtin(vertex_index) index: u32) -> Varying {
    let corner = array<vec2<f32>, 6>(
        vec2<f32>(0.0, 0.0), vec2<f32>(0.0, 1.0), vec2<f32>(1.0, 1.0),
        vec2<f32>(0.0, 0.0), vec2<f32>(1.0, 1.0), vec2<f32>(1.0, 0.0),
    )[index];
    let px = mix(in.rectangle.xy, in.rectangle.zw, corner);
    let place = px / frame.viewport.xy * 2.0 - 1.0;
    var out: Varying;
    out.clip = vec4<f32>(place.x, -place.y, 0.0, 1.0);
    out.uv = mix(in.uv.xy, in.uv.zw, corner);
    out.color = in.color;
    return out;
}

@fragment
fn fragment(in: Varying) -> @location(0) vec4<f32> {
    // In linear light, dark strokes on a light background would look too thin.
    let cover = pow(textureSample(glyphs, glyph_sampler, in.uv).r, 0.65);
    return output(from_srgb(in.color.rgb), in.color.a * cover);
}
