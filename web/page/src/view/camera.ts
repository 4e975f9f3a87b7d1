// A camera that orbits a point, and its matrices, column by column.

export type Matrix = Float32Array;
export type Point = [number, number, number];

export function multiply(a: Matrix, b: Matrix): Matrix {
  const out = new Float32Array(16);
  for (let column = 0; column < 4; column += 1) {
    for (let row = 0; row < 4; row += 1) {
      let sum = 0;
      for (let k = 0; k < 4; k += 1) sum += (a[k * 4 + row] ?? 0) * (b[column * 4 + k] ?? 0);
      out[column * 4 + row] = sum;
    }
  }
  return out;
}

const FIELD = Math.PI / 5;

export class Camera {
  turn = Math.PI / 5;
  tilt = 0.3;
  distance = 1;
  centre: Point = [0, 0, 0];
  #radius = 1;

  /** Shows all of a box. */
  frame(min: number[], max: number[]): void {
    const at = (i: number) => ((min[i] ?? 0) + (max[i] ?? 0)) / 2;
    this.centre = [at(0), at(1), at(2)];
    const side = (i: number) => (max[i] ?? 0) - (min[i] ?? 0);
    this.#radius = Math.hypot(side(0), side(1), side(2)) / 2 || 1;
    this.distance = (this.#radius / Math.sin(FIELD / 2)) * 1.05;
  }

  orbit(x: number, y: number): void {
    this.turn -= x;
    this.tilt = Math.max(-1.5, Math.min(1.5, this.tilt + y));
  }

  zoom(factor: number): void {
    const far = this.#radius * 100;
    this.distance = Math.max(this.#radius / 1000, Math.min(far, this.distance * factor));
  }

  #axes(): { right: Point; up: Point; back: Point } {
    const [sin, cos] = [Math.sin(this.turn), Math.cos(this.turn)];
    const [high, flat] = [Math.sin(this.tilt), Math.cos(this.tilt)];
    return { right: [cos, 0, -sin], up: [-sin * high, flat, -cos * high], back: [sin * flat, high, cos * flat] };
  }

  /** Moves the centre by parts of the picture's height. */
  pan(x: number, y: number): void {
    const { right, up } = this.#axes();
    const scale = 2 * this.distance * Math.tan(FIELD / 2);
    this.centre = this.centre.map((v, i) => v + scale * (-x * (right[i] ?? 0) + y * (up[i] ?? 0))) as Point;
  }

  /** The direction towards the viewer. */
  get back(): Point {
    return this.#axes().back;
  }

  /** From the scene to the picture. */
  matrix(aspect: number): Matrix {
    const { right, up, back } = this.#axes();
    const eye = this.centre.map((v, i) => v + this.distance * (back[i] ?? 0)) as Point;
    const dot = (a: Point, b: Point) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const view = new Float32Array([
      right[0], up[0], back[0], 0,
      right[1], up[1], back[1], 0,
      right[2], up[2], back[2], 0,
      -dot(right, eye), -dot(up, eye), -dot(back, eye), 1,
    ]);
    const near = Math.max(this.distance - this.#radius * 2, this.distance / 100);
    const far = this.distance + this.#radius * 4;
    // A narrow picture shows as much as a wide one.
    const f = (1 / Math.tan(FIELD / 2)) * Math.min(1, aspect);
    const projection = new Float32Array([
      f / aspect, 0, 0, 0,
      0, f, 0, 0,
      0, 0, (near + far) / (near - far), -1,
      0, 0, (2 * near * far) / (near - far), 0,
    ]);
    return multiply(projection, view);
  }
}
