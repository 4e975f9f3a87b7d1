// Draws posed vertices with WebGL2: surfaces with their texture and a light at the camera, and lines.

import type { Matrix, Point } from "./camera.js";

const SURFACE = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in float value;
uniform mat4 toPicture;
out vec3 vNormal;
out vec3 vPosition;
out vec2 vUv;
out float vValue;
void main() {
  vNormal = normal;
  vPosition = position;
  vUv = uv;
  vValue = value;
  gl_Position = toPicture * vec4(position, 1.0);
}`;

const SHADE = `#version 300 es
precision highp float;
in vec3 vNormal;
in vec3 vPosition;
in vec2 vUv;
in float vValue;
uniform vec4 color;
uniform vec3 light;
uniform sampler2D image;
uniform bool hasImage;
uniform bool hasNormals;
uniform bool unlit;
uniform bool showsValue;
out vec4 pixel;
vec3 heat(float x) {
  return clamp(vec3(1.8 * x - 0.3, 1.0 - abs(2.2 * x - 1.1), 1.0 - 2.2 * x), 0.0, 1.0);
}
void main() {
  vec4 base = color;
  if (hasImage) {
    vec4 texel = texture(image, vUv);
    base *= vec4(pow(texel.rgb, vec3(2.2)), texel.a);
  }
  if (base.a < 0.1) discard;
  if (showsValue) base = vec4(mix(vec3(0.03, 0.03, 0.12), heat(vValue), min(1.0, 4.0 * vValue)), 1.0);
  vec3 n = hasNormals ? normalize(vNormal) : normalize(cross(dFdx(vPosition), dFdy(vPosition)));
  float facing = abs(dot(n, light));
  float side = 0.5 + 0.5 * n.y;
  float lit = unlit ? 1.0 : 0.12 + 0.2 * side + 0.75 * facing;
  pixel = vec4(pow(min(base.rgb * lit, 1.0), vec3(1.0 / 2.2)), 1.0);
}`;

const LINE = `#version 300 es
layout(location = 0) in vec3 position;
uniform mat4 toPicture;
void main() {
  gl_Position = toPicture * vec4(position, 1.0);
  gl_PointSize = 7.0;
}`;

const INK = `#version 300 es
precision mediump float;
uniform vec4 color;
out vec4 pixel;
void main() { pixel = color; }`;

export interface Surface {
  triangles: Uint32Array;
  uvs: Float32Array;
  color: [number, number, number, number];
  unlit: boolean;
  image: ImageBitmap | undefined;
}

interface Uploaded {
  surface: Surface;
  array: WebGLVertexArrayObject;
  buffers: Record<"positions" | "normals" | "values", WebGLBuffer>;
  hasNormals: boolean;
  hasValues: boolean;
  texture: WebGLTexture | null;
}

function program(gl: WebGL2RenderingContext, vertex: string, fragment: string): WebGLProgram {
  const made = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as const) {
    const shader = gl.createShader(kind);
    if (!shader) throw new Error("the graphics context was lost");
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(gl.getProgramInfoLog(made) ?? "the shaders cannot be linked");
  }
  return made;
}

export class Drawing {
  readonly #gl: WebGL2RenderingContext;
  readonly #surface: WebGLProgram;
  readonly #line: WebGLProgram;
  readonly #parts: Uploaded[];
  readonly #lines: { array: WebGLVertexArrayObject; buffer: WebGLBuffer };

  constructor(gl: WebGL2RenderingContext, surfaces: Surface[]) {
    this.#gl = gl;
    this.#surface = program(gl, SURFACE, SHADE);
    this.#line = program(gl, LINE, INK);
    this.#parts = surfaces.map((surface) => this.#upload(surface));
    const array = gl.createVertexArray();
    const buffer = gl.createBuffer();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    this.#lines = { array, buffer };
  }

  #upload(surface: Surface): Uploaded {
    const gl = this.#gl;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const attribute = (location: number, size: number, data?: Float32Array) => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      if (data) gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
      gl.vertexAttribPointer(location, size, gl.FLOAT, false, 0, 0);
      return buffer;
    };
    const positions = attribute(0, 3);
    const normals = attribute(1, 3);
    if (surface.uvs.length > 0) {
      attribute(2, 2, surface.uvs);
      gl.enableVertexAttribArray(2);
    }
    const values = attribute(3, 1);
    gl.enableVertexAttribArray(0);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, surface.triangles, gl.STATIC_DRAW);
    const buffers = { positions, normals, values };
    return { surface, array, buffers, hasNormals: false, hasValues: false, texture: this.#texture(surface.image) };
  }

  #texture(image: ImageBitmap | undefined): WebGLTexture | null {
    if (!image) return null;
    const gl = this.#gl;
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image);
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    return texture;
  }

  /** Moves the vertices of all parts. */
  pose(parts: { positions: Float32Array; normals: Float32Array }[]): void {
    const gl = this.#gl;
    for (const [index, { positions, normals }] of parts.entries()) {
      const part = this.#parts[index];
      if (!part) continue;
      gl.bindBuffer(gl.ARRAY_BUFFER, part.buffers.positions);
      gl.bufferData(gl.ARRAY_BUFFER, positions, gl.DYNAMIC_DRAW);
      part.hasNormals = normals.length > 0;
      if (part.hasNormals) {
        gl.bindBuffer(gl.ARRAY_BUFFER, part.buffers.normals);
        gl.bufferData(gl.ARRAY_BUFFER, normals, gl.DYNAMIC_DRAW);
      }
      this.#enable(part, 1, part.hasNormals);
    }
  }

  /** Colours a part by one number per vertex, or as it is. */
  values(index: number, values: Float32Array | undefined): void {
    const part = this.#parts[index];
    if (!part) return;
    part.hasValues = values !== undefined && values.length > 0;
    if (part.hasValues && values) {
      this.#gl.bindBuffer(this.#gl.ARRAY_BUFFER, part.buffers.values);
      this.#gl.bufferData(this.#gl.ARRAY_BUFFER, values, this.#gl.STATIC_DRAW);
    }
    this.#enable(part, 3, part.hasValues);
  }

  #enable(part: Uploaded, location: number, on: boolean): void {
    this.#gl.bindVertexArray(part.array);
    if (on) this.#gl.enableVertexAttribArray(location);
    else this.#gl.disableVertexAttribArray(location);
  }

  draw(toPicture: Matrix, light: Point, isValued: boolean): void {
    const gl = this.#gl;
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.useProgram(this.#surface);
    const at = (name: string) => gl.getUniformLocation(this.#surface, name);
    gl.uniformMatrix4fv(at("toPicture"), false, toPicture);
    gl.uniform3fv(at("light"), light);
    for (const { surface, array, hasNormals, texture, hasValues } of this.#parts) {
      gl.uniform4fv(at("color"), surface.color);
      gl.uniform1i(at("hasNormals"), Number(hasNormals));
      gl.uniform1i(at("unlit"), Number(surface.unlit));
      gl.uniform1i(at("hasImage"), Number(texture !== null && surface.uvs.length > 0));
      gl.uniform1i(at("showsValue"), Number(isValued));
      if (!hasValues) gl.vertexAttrib1f(3, 0);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.bindVertexArray(array);
      gl.drawElements(gl.TRIANGLES, surface.triangles.length, gl.UNSIGNED_INT, 0);
    }
  }

  /** Draws lines or points over everything. */
  over(toPicture: Matrix, points: Float32Array, color: [number, number, number, number], isPoints = false): void {
    const gl = this.#gl;
    gl.disable(gl.DEPTH_TEST);
    gl.useProgram(this.#line);
    gl.uniformMatrix4fv(gl.getUniformLocation(this.#line, "toPicture"), false, toPicture);
    gl.uniform4fv(gl.getUniformLocation(this.#line, "color"), color);
    gl.bindVertexArray(this.#lines.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#lines.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, points, gl.DYNAMIC_DRAW);
    gl.drawArrays(isPoints ? gl.POINTS : gl.LINES, 0, points.length / 3);
  }
}
