/** Files by path, with `/` between folders: a model, and the textures and buffers around it. */
export type Files = Record<string, Uint8Array | ArrayBuffer> | Map<string, Uint8Array | ArrayBuffer>;

/** Stages of the work, in their order. */
export type Stage = "read" | "import" | "prepare" | "export" | "write" | "verify";

/** The settings of `ligament` by name, as `formats()` lists them: `{ influences: 4, strict: true }`. */
export interface Options {
  /** The format of the input, if it cannot be detected. */
  from?: string;
  /** Called at each stage; `false` stops the work. */
  onStage?: (stage: Stage) => boolean | void;
  [setting: string]: unknown;
}

/** Options of a conversion. */
export interface ConvertOptions extends Options {
  /** The format of the output, if its extension does not name it. */
  to?: string;
  /** The dialect of that format. */
  dialect?: string;
}

/** Something that was found in a file. */
export interface Diagnostic {
  severity: "error" | "warning" | "note";
  /** A stable code, which `explain` explains. */
  code: string;
  message: string;
  file: string;
  line?: number;
  column?: number;
  /** The bytes from `offset` up to `end`. */
  offset?: number;
  end?: number;
  field?: string;
  help?: string;
  remedy?: unknown;
}

/** Something that a conversion kept in another form, approximated or dropped. */
export interface Loss {
  code: string;
  feature: string;
  object: string;
  kind: "kept" | "approximated" | "dropped" | string;
  count: number;
  message: string;
  /** How large an approximation is; `null` if it has no limit. */
  size?: number | null;
  unit?: string;
  remedy?: unknown;
}

/** What every result has. */
export interface Report {
  ok: boolean;
  /** `done`, or why the work failed. */
  exit: "done" | "check" | "usage" | "invalid" | "io" | "unsupported" | "internal" | "interrupted";
  diagnostics: Diagnostic[];
  /** Diagnostics beyond the limit. */
  omitted: number;
  losses: Loss[];
}

/** Where two models are farthest apart. */
export interface Deviation {
  distance: number;
  /** As a part of the model's size. */
  relative: number;
  [member: string]: unknown;
}

/** Two models posed side by side. */
export interface Comparison {
  size: number;
  worst: Deviation | null;
  [member: string]: unknown;
}

/** The report of `ligament convert --json`. */
export interface Conversion extends Report {
  input: string;
  output: string;
  from: string;
  to: string;
  dialect: string;
  side_files: string[];
  comparison?: Comparison | null;
  [member: string]: unknown;
}

/** The result of `ligament validate --json`. */
export interface Validation extends Report {
  file: string;
  format?: string;
  dialect?: string;
  errors: number;
  warnings: number;
  notes: number;
  [member: string]: unknown;
}

/** What is in a file: the result of `ligament info --tree --json`. */
export interface Facts extends Report {
  file: string;
  format: string;
  dialect: string;
  bytes: number;
  name: string;
  counts: { vertices: number; triangles: number; joints: number; clips: number; nodes: number };
  bounds: { min: number[]; max: number[]; size: number[] } | null;
  clips: { name: string; seconds: number; fps: number | null; [member: string]: unknown }[];
  nodes: { name: string; parent: number | null; joint: boolean; mesh: number | null; [member: string]: unknown }[];
  images: { name: string; file?: string; type?: string; width?: number; height?: number }[];
  [member: string]: unknown;
}

/** Part of a mesh, where a node draws it. */
export interface DrawnPart {
  node: number;
  mesh: number;
  part: number;
  skin: number | null;
  material: number | null;
}

/** What a plain renderer needs of a material; colours are linear. */
export interface Material {
  name: string;
  color: [number, number, number, number];
  metallic: number;
  roughness: number;
  /** The index of the base colour's image. */
  image: number | null;
  double_sided: boolean;
  unlit: boolean;
}

/** A model at one time. */
export interface Pose {
  /** Three numbers per vertex, part by part in the order of `Model.parts`. Normals are empty if a part has none. */
  parts: { positions: Float32Array; normals: Float32Array }[];
  /** 16 numbers per node, column by column: the matrix from the node's space to the scene's. */
  nodes: Float64Array;
}

/** A file that was read. It takes memory until it is freed. */
export class Model {
  private constructor();
  readonly facts: Facts;
  readonly parts: DrawnPart[];
  readonly materials: Material[];
  /** The joints of each skin, as indices of nodes. */
  readonly skins: number[][];
  /** Three indices of vertices per triangle. */
  triangles(part: number): Uint32Array;
  /** Two numbers per vertex, V down; empty if the part has no such set. */
  uvs(part: number, set?: number): Float32Array;
  /** How much a joint of the part's skin moves each vertex, from 0 to 1; empty if the part has no skin. */
  weights(part: number, joint: number): Float32Array;
  /** The bytes of an image, as a file. */
  image(index: number): Uint8Array | ArrayBuffer | undefined;
  /** The morph targets of all nodes, with their weights at rest. */
  readonly morphs: { node: number; name: string; weight: number }[];
  /** The model at a time of a clip (by index or name), or at rest. Weights in the order of `morphs` replace the clip's, except where they are NaN. */
  pose(clip?: number | string | null, seconds?: number, morphs?: ArrayLike<number>): Pose;
  free(): void;
}

/** Work that failed; the message has the first errors. */
export class LigamentError extends Error {
  exit: Report["exit"];
  report: Report;
}

/** Compiles the WebAssembly, from the package's own file unless another source is given. */
export function init(
  source?: string | URL | Response | BufferSource | WebAssembly.Module,
): Promise<void>;

/** Reads a file of any format. */
export function load(files: Files, path: string, options?: Options): Model;

/** Converts a file. `output` names the result, and its extension the format unless `to` does. */
export function convert(
  files: Files,
  path: string,
  output: string,
  options?: ConvertOptions,
): { report: Conversion; files: Record<string, Uint8Array> };

/** Everything that breaks a rule, or is worth a look. An invalid file is a result, not an exception. */
export function validate(files: Files, path: string, options?: Options): Validation;

/** How far two models are from each other, in all poses of their clips. */
export function compare(first: Model, second: Model): Comparison;

/**
 * The vertices of two models that belong together: a vertex of the first, then one of the second, and so on. Vertices are numbered
 * through all parts of `Model.parts`.
 */
export function pairs(first: Model, second: Model): Uint32Array;

/** The table of formats: what each can hold, and its settings. */
export function formats(): Record<string, unknown>[];

/** What a code means; `null` if there is none of this name. */
export function explain(
  code: string,
): { code: string; title: string; explanation: string; example: string; fix: string } | null;

export function version(): string;
