// The model in motion: what is drawn, the clip that plays, and the controls.

import { make } from "../dom.js";
import { download } from "../files.js";
import type { Pose } from "@ligament/wasm";
import type { Surfaces } from "../protocol.js";
import { Cancelled, type Session } from "../session.js";
import { Camera } from "./camera.js";
import { Drawing, type Surface } from "./gl.js";

/** More labels or sliders would hide each other, and take long to lay out. */
const MOST_NAMES = 300;
const MOST_MORPHS = 200;
/** A GIF: pictures per second, their number and width. */
const RATE = 20;
const MOST_PICTURES = 200;
const GIF_WIDTH = 480;

/** One number per vertex of each part, from 0 to 1, for a pose of a clip. */
export type Colour = (pose: Pose, clip: string | null, seconds: number) => Promise<Float32Array[]>;

/** What is shown, for those who show it. */
export interface Shown {
  /** Colours the vertices of each pose, or shows the materials. */
  colour: (by: Colour | undefined) => void;
  /** Ends the drawing. */
  end: () => void;
  /** Shows a moment of a clip by name, or the rest pose. */
  at: (clip: string | null, seconds: number) => void;
}

const NOTHING: Shown = { end: () => {}, at: () => {}, colour: () => {} };

/** Fills the section. The prefix keeps the ids of two views apart. */
export async function showView(section: HTMLElement, model: Surfaces, session: Session, prefix = ""): Promise<Shown> {
  const title = make(prefix ? "h3" : "h2", { id: `${prefix}view-title` }, prefix ? model.facts.file.replace(/^.*\//, "") : "View");
  const canvas = make("canvas", { tabindex: 0, role: "img", id: `${prefix}canvas` });
  canvas.setAttribute("aria-label", `${model.facts.file}, drawn. Arrow keys turn it, plus and minus zoom, Home shows all.`);
  const gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
  if (!gl) {
    section.replaceChildren(title, make("p", {}, "This browser has no WebGL2, so nothing is drawn. Everything else works."));
    return NOTHING;
  }
  if (model.parts.length === 0) {
    section.replaceChildren(title, make("p", {}, "There is nothing to draw."));
    return NOTHING;
  }
  const surfaces = await Promise.all(model.parts.map((_, part) => surface(model, session, part)));
  const view = new View(canvas, gl, model, session, surfaces, prefix);
  section.replaceChildren(title, view.picture(), view.controls());
  view.start();
  return { end: () => view.end(), colour: (by) => view.colour(by), at: (clip, seconds) => view.at(clip, seconds) };
}

async function surface(model: Surfaces, session: Session, part: number): Promise<Surface> {
  const { triangles, uvs } = await session.call("geometry", { index: model.index, part });
  const material = model.materials[model.parts[part]?.material ?? -1];
  const bytes = material && material.image !== null ? await session.call("image", { index: model.index, image: material.image }) : undefined;
  // Images that the browser does not know (TGA, DDS, KTX2) leave the plain colour.
  const image = bytes ? await createImageBitmap(new Blob([bytes as BlobPart]), { colorSpaceConversion: "none" }).catch(() => undefined) : undefined;
  const color: [number, number, number, number] = [...(material?.color ?? [0.7, 0.7, 0.7, 1])];
  return { triangles, uvs, color, unlit: material?.unlit ?? false, image };
}

class View {
  readonly #canvas: HTMLCanvasElement;
  readonly #gl: WebGL2RenderingContext;
  readonly #model: Surfaces;
  readonly #session: Session;
  readonly #surfaces: Surface[];
  readonly #camera = new Camera();
  readonly #sizes: ResizeObserver;
  #drawing: Drawing;
  #clip: number | null;
  #seconds = 0;
  #isPlaying: boolean;
  #before = 0;
  #isPosing = false;
  #wants = false;
  /** Weights of morph targets; NaN leaves that of the clip. */
  readonly #morphs: number[];
  #nodes: Float64Array = new Float64Array();
  #showsSkeleton = false;
  #showsNames = false;
  readonly #names = make("div", { class: "names", "aria-hidden": "true" });
  #joint = -1;
  #colour: Colour | undefined;
  #frame = 0;
  #isLost = false;
  #ended = false;
  readonly #prefix: string;
  readonly #scrub: HTMLInputElement;
  readonly #play: HTMLButtonElement;
  readonly #time: HTMLOutputElement;
  readonly #clips: HTMLSelectElement;
  readonly #message = make("p", { role: "status" });

  constructor(canvas: HTMLCanvasElement, gl: WebGL2RenderingContext, model: Surfaces, session: Session, surfaces: Surface[], prefix: string) {
    this.#prefix = prefix;
    this.#scrub = make("input", { type: "range", id: `${prefix}time`, min: 0, max: 1, step: "any", value: 0, "aria-label": "time" });
    this.#play = make("button", { type: "button", id: `${prefix}play` });
    this.#time = make("output", { for: `${prefix}time` });
    this.#clips = make("select", { id: `${prefix}clip` });
    this.#canvas = canvas;
    this.#gl = gl;
    this.#model = model;
    this.#session = session;
    this.#surfaces = surfaces;
    this.#morphs = model.morphs.map(() => Number.NaN);
    this.#drawing = new Drawing(gl, surfaces);
    const { bounds, clips } = model.facts;
    if (bounds) this.#camera.frame(bounds.min, bounds.max);
    this.#clip = clips.length > 0 ? 0 : null;
    // Whoever asked for less motion starts it themselves.
    this.#isPlaying = this.#clip !== null && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#sizes = new ResizeObserver(() => this.#redraw());
    this.#listen();
  }

  start(): void {
    this.#sizes.observe(this.#canvas);
    this.#ask();
    this.#label();
    if (this.#isPlaying) this.#redraw();
  }

  at(clip: string | null, seconds: number): void {
    const index = this.#model.facts.clips.findIndex((known) => known.name === clip);
    this.#clip = index >= 0 ? index : null;
    this.#clips.value = index >= 0 ? String(index) : "";
    this.#seconds = seconds;
    this.#isPlaying = false;
    this.#label();
    this.#ask();
  }

  colour(by: Colour | undefined): void {
    this.#colour = by;
    if (!by) this.#model.parts.forEach((_, index) => this.#drawing.values(index, undefined));
    this.#ask();
  }

  end(): void {
    this.#ended = true;
    this.#sizes.disconnect();
    cancelAnimationFrame(this.#frame);
    this.#gl.getExtension("WEBGL_lose_context")?.loseContext();
  }

  get #length(): number {
    return this.#clip === null ? 0 : (this.#model.facts.clips[this.#clip]?.seconds ?? 0);
  }

  /** Asks for the pose that is wanted now; while one is computed, only the last wish counts. */
  #ask(): void {
    if (this.#isPosing) {
      this.#wants = true;
      return;
    }
    const morphs = this.#morphs.some((weight) => !Number.isNaN(weight)) ? this.#morphs : undefined;
    const wish = { clip: this.#clip, seconds: this.#seconds, morphs };
    this.#isPosing = true;
    this.#session
      .call("pose", { index: this.#model.index, ...wish })
      .then(async (pose) => {
        const by = this.#colour;
        const name = wish.clip === null ? null : (this.#model.facts.clips[wish.clip]?.name ?? null);
        const values = await by?.(pose, name, wish.seconds);
        this.#isPosing = false;
        if (this.#ended) return;
        this.#nodes = pose.nodes;
        if (!this.#isLost) this.#drawing.pose(pose.parts);
        if (!this.#isLost && by === this.#colour) values?.forEach((part, index) => this.#drawing.values(index, part));
        this.#redraw();
        if (this.#wants) {
          this.#wants = false;
          this.#ask();
        }
      })
      .catch((error: unknown) => {
        this.#isPosing = false;
        if (!(error instanceof Cancelled) && !this.#ended) this.#message.textContent = String((error as Error).message);
      });
  }

  #redraw(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame((now) => this.#draw(now));
  }

  #draw(now: number): void {
    if (this.#ended) return;
    if (this.#isPlaying && this.#length > 0) {
      const passed = this.#before > 0 ? Math.min((now - this.#before) / 1000, 0.1) : 0;
      this.#before = now;
      this.#seconds = (this.#seconds + passed) % this.#length;
      this.#label();
      this.#ask();
      this.#redraw();
    }
    if (!this.#isLost) this.#paint();
  }

  #paint(): void {
    const scale = Math.min(devicePixelRatio, 2);
    const [width, height] = [Math.max(1, Math.round(this.#canvas.clientWidth * scale)), Math.max(1, Math.round(this.#canvas.clientHeight * scale))];
    if (this.#canvas.width !== width || this.#canvas.height !== height) {
      this.#canvas.width = width;
      this.#canvas.height = height;
    }
    const matrix = this.#camera.matrix(width / height);
    this.#drawing.draw(matrix, this.#camera.back, this.#joint >= 0 || this.#colour !== undefined);
    if (this.#showsSkeleton || this.#joint >= 0) this.#bones(matrix);
    this.#label3d(matrix);
    this.#canvas.dataset["drawn"] = String(Number(this.#canvas.dataset["drawn"] ?? 0) + 1);
  }

  #place(node: number): number[] {
    return [...this.#nodes.subarray(node * 16 + 12, node * 16 + 15)];
  }

  #bones(matrix: Float32Array): void {
    const { nodes } = this.#model.facts;
    const lines: number[] = [];
    const points: number[] = [];
    for (const [index, node] of nodes.entries()) {
      if (!node.joint) continue;
      points.push(...this.#place(index));
      if (node.parent !== null && nodes[node.parent]?.joint) lines.push(...this.#place(node.parent), ...this.#place(index));
    }
    if (this.#showsSkeleton) {
      this.#drawing.over(matrix, new Float32Array(lines), [0.1, 0.75, 1, 1]);
      this.#drawing.over(matrix, new Float32Array(points), [1, 0.85, 0.2, 1], true);
    }
    if (this.#joint >= 0) this.#drawing.over(matrix, new Float32Array(this.#place(this.#joint)), [1, 0.2, 0.4, 1], true);
  }

  /** Where a node is in the picture, in parts of its width and height; `undefined` behind the viewer. */
  #seen(matrix: Float32Array, node: number): [number, number] | undefined {
    const place = [...this.#place(node), 1];
    const [x = 0, y = 0, w = 0] = [0, 1, 3].map((row) => place.reduce((sum, v, k) => sum + v * (matrix[k * 4 + row] ?? 0), 0));
    return w > 0 ? [(x / w + 1) / 2, (1 - y / w) / 2] : undefined;
  }

  #label3d(matrix: Float32Array): void {
    if (!this.#showsNames) {
      this.#names.replaceChildren();
      return;
    }
    const joints = [...this.#model.facts.nodes.entries()].filter(([, node]) => node.joint).slice(0, MOST_NAMES);
    while (this.#names.childElementCount < joints.length) this.#names.append(make("span", {}));
    for (const [at, [index, node]] of joints.entries()) {
      const label = this.#names.children[at] as HTMLElement;
      const place = this.#seen(matrix, index);
      label.textContent = node.name;
      label.hidden = !place;
      if (place) label.style.translate = `${place[0] * this.#canvas.clientWidth}px ${place[1] * this.#canvas.clientHeight}px`;
    }
  }

  #label(): void {
    this.#play.textContent = this.#isPlaying ? "Pause" : "Play";
    this.#scrub.max = String(this.#length || 1);
    this.#scrub.value = String(this.#seconds);
    const text = `${this.#seconds.toFixed(2)} s`;
    this.#scrub.setAttribute("aria-valuetext", text);
    this.#time.textContent = `${text} of ${this.#length.toFixed(2)} s`;
  }

  /** Colours all vertices by how much a joint moves them. */
  async #weigh(node: number): Promise<void> {
    this.#joint = node;
    for (const [index, part] of this.#model.parts.entries()) {
      const joint = part.skin === null ? -1 : (this.#model.skins[part.skin]?.indexOf(node) ?? -1);
      const values = node >= 0 && joint >= 0 ? await this.#session.call("weights", { index: this.#model.index, part: index, joint }) : undefined;
      if (this.#joint !== node || this.#ended) return;
      this.#drawing.values(index, values);
    }
    this.#redraw();
  }

  controls(): HTMLElement {
    const { clips, nodes, file } = this.#model.facts;
    const options = clips.map((clip, index) => make("option", { value: index }, clip.name || `(no name, ${index})`));
    const clip = this.#clips;
    clip.append(...options, make("option", { value: "" }, "at rest"));
    const id = (name: string) => this.#prefix + name;
    clip.value = this.#clip === null ? "" : String(this.#clip);
    clip.addEventListener("change", () => {
      this.#clip = clip.value === "" ? null : Number(clip.value);
      this.#seconds = 0;
      if (this.#clip === null) this.#isPlaying = false;
      this.#label();
      this.#ask();
    });
    this.#play.addEventListener("click", () => {
      this.#isPlaying = !this.#isPlaying && this.#length > 0;
      this.#before = 0;
      this.#label();
      this.#redraw();
    });
    this.#scrub.addEventListener("input", () => {
      this.#isPlaying = false;
      this.#seconds = Number(this.#scrub.value);
      this.#label();
      this.#ask();
    });
    const skeleton = make("input", { type: "checkbox", id: id("skeleton") });
    skeleton.addEventListener("change", () => {
      this.#showsSkeleton = skeleton.checked;
      this.#redraw();
    });
    const names = make("input", { type: "checkbox", id: id("names") });
    names.addEventListener("change", () => {
      this.#showsNames = names.checked;
      this.#redraw();
    });
    const joints = [...nodes.entries()].filter(([, node]) => node.joint);
    const items = joints.map(([index, node]) => make("option", { value: index }, node.name || `(no name, ${index})`));
    const joint = make("select", { id: id("joint") }, make("option", { value: -1 }, "none"), ...items);
    joint.addEventListener("change", () => void this.#weigh(Number(joint.value)));
    this.#canvas.addEventListener("pick", ((event: CustomEvent<number>) => {
      joint.value = String(event.detail);
      void this.#weigh(event.detail);
    }) as EventListener);
    const picture = make("button", { type: "button", id: id("picture") }, "Download the picture");
    picture.addEventListener("click", () => {
      const name = file.slice(file.lastIndexOf("/") + 1);
      this.#canvas.toBlob((blob) => blob && download(`${name}.png`, blob));
    });
    const animation = make("button", { type: "button", id: id("gif"), hidden: clips.length === 0 }, "Download a GIF of the clip");
    animation.addEventListener("click", () => {
      animation.disabled = true;
      this.#record()
        .then((blob) => {
          const name = file.slice(file.lastIndexOf("/") + 1);
          if (blob) download(`${name}.gif`, blob);
        })
        .catch((error: unknown) => {
          if (!this.#ended) this.#message.textContent = String((error as Error).message);
        })
        .finally(() => {
          animation.disabled = false;
        });
    });
    return make(
      "div",
      {},
      make(
        "div",
        { class: "controls", hidden: clips.length === 0 },
        make("label", { for: id("clip") }, "Clip"),
        clip,
        this.#play,
        make("div", { class: "grow" }, this.#scrub),
        this.#time,
      ),
      make(
        "div",
        { class: "controls" },
        ...(joints.length > 0 ? [make("label", {}, skeleton, " Skeleton"), make("label", {}, names, " Names"), make("label", { for: id("joint") }, "Weights of"), joint] : []),
        picture,
        animation,
      ),
      this.#model.morphs.length > 0 ? this.#sliders() : null,
      this.#message,
    );
  }

  /** The clip as the camera sees it, in 20 pictures per second. */
  async #record(): Promise<Blob | undefined> {
    if (this.#clip === null || this.#length === 0) return undefined;
    const clip = this.#clip;
    const count = Math.max(1, Math.min(MOST_PICTURES, Math.round(this.#length * RATE)));
    const seconds = this.#length / count;
    this.#isPlaying = false;
    this.#label();
    const copy = document.createElement("canvas");
    const scale = Math.min(1, GIF_WIDTH / this.#canvas.width);
    [copy.width, copy.height] = [Math.max(1, Math.round(this.#canvas.width * scale)), Math.max(1, Math.round(this.#canvas.height * scale))];
    const context = copy.getContext("2d", { willReadFrequently: true });
    if (!context) return undefined;
    const frames: Uint8ClampedArray[] = [];
    for (let index = 0; index < count; index += 1) {
      const { parts, nodes } = await this.#session.call("pose", { index: this.#model.index, clip, seconds: index * seconds, morphs: undefined });
      if (this.#ended || this.#isLost) return undefined;
      this.#nodes = nodes;
      this.#drawing.pose(parts);
      this.#paint();
      context.fillStyle = getComputedStyle(this.#canvas).backgroundColor;
      context.fillRect(0, 0, copy.width, copy.height);
      context.drawImage(this.#canvas, 0, 0, copy.width, copy.height);
      frames.push(context.getImageData(0, 0, copy.width, copy.height).data);
      this.#message.textContent = `picture ${index + 1} of ${count}`;
    }
    this.#message.textContent = "";
    this.#ask();
    const { gif } = await import("./gif.js");
    return gif({ width: copy.width, height: copy.height, frames, seconds });
  }

  /** One slider per morph target, which then no longer follows the clip. */
  #sliders(): HTMLElement {
    const rows = this.#model.morphs.slice(0, MOST_MORPHS).map(({ name, weight }, index) => {
      const id = `${this.#prefix}morph-${index}`;
      const slider = make("input", { type: "range", id, min: 0, max: 1, step: 0.01, value: weight });
      slider.addEventListener("input", () => {
        this.#morphs[index] = Number(slider.value);
        this.#ask();
      });
      return make("div", { class: "option" }, make("label", { for: id }, name || `(no name, ${index})`), slider);
    });
    const summary = make("summary", {}, `Morph targets (${this.#model.morphs.length})`);
    return make("details", {}, summary, make("div", { class: "options" }, ...rows));
  }

  /** What the canvas is shown in, with the names over it. */
  picture(): HTMLElement {
    return make("div", { class: "picture" }, this.#canvas, this.#names);
  }

  #listen(): void {
    const canvas = this.#canvas;
    const fingers = new Map<number, { x: number; y: number }>();
    let moved = 0;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      moved = 0;
    });
    const up = (event: PointerEvent) => {
      if (fingers.delete(event.pointerId) && moved < 4 && event.type === "pointerup") this.#pick(event);
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("pointermove", (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const [x, y] = [event.clientX - before.x, event.clientY - before.y];
      moved += Math.abs(x) + Math.abs(y);
      const others = [...fingers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
      const other = others[0];
      if (other) {
        // Two fingers: their distance zooms, and together they move the model.
        const far = (place: { x: number; y: number }) => Math.hypot(place.x - other.x, place.y - other.y) || 1;
        this.#camera.zoom(far(before) / far({ x: event.clientX, y: event.clientY }));
        this.#camera.pan(x / 2 / canvas.clientHeight, y / 2 / canvas.clientHeight);
      } else if (event.buttons & 6 || event.shiftKey) {
        this.#camera.pan(x / canvas.clientHeight, y / canvas.clientHeight);
      } else {
        this.#camera.orbit(x / 150, y / 150);
      }
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      this.#redraw();
    });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.#camera.zoom(Math.exp(event.deltaY / 600));
        this.#redraw();
      },
      { passive: false },
    );
    canvas.addEventListener("keydown", (event) => {
      const { bounds } = this.#model.facts;
      const keys: Record<string, () => void> = {
        ArrowLeft: () => this.#camera.orbit(0.15, 0),
        ArrowRight: () => this.#camera.orbit(-0.15, 0),
        ArrowUp: () => this.#camera.orbit(0, 0.1),
        ArrowDown: () => this.#camera.orbit(0, -0.1),
        "+": () => this.#camera.zoom(0.9),
        "-": () => this.#camera.zoom(1.1),
        Home: () => bounds && this.#camera.frame(bounds.min, bounds.max),
        " ": () => this.#play.click(),
      };
      const act = keys[event.key];
      if (!act) return;
      event.preventDefault();
      act();
      this.#redraw();
    });
    canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.#isLost = true;
      if (!this.#ended) this.#message.textContent = "The graphics context was lost. The picture comes back when the browser restores it.";
    });
    canvas.addEventListener("webglcontextrestored", () => {
      this.#isLost = false;
      this.#message.textContent = "";
      this.#drawing = new Drawing(this.#gl, this.#surfaces);
      this.#ask();
    });
  }

  /** Chooses the joint nearest to a click on the skeleton. */
  #pick(event: PointerEvent): void {
    if (!this.#showsSkeleton) return;
    const box = this.#canvas.getBoundingClientRect();
    const matrix = this.#camera.matrix(box.width / box.height);
    let nearest = -1;
    let least = 20;
    for (const [index, node] of this.#model.facts.nodes.entries()) {
      if (!node.joint) continue;
      const place = this.#seen(matrix, index);
      if (!place) continue;
      const far = Math.hypot(box.left + place[0] * box.width - event.clientX, box.top + place[1] * box.height - event.clientY);
      if (far < least) [nearest, least] = [index, far];
    }
    this.#canvas.dispatchEvent(new CustomEvent("pick", { detail: nearest }));
  }
}
