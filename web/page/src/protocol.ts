// What the page and its workers say to each other.

import type { Comparison, Conversion, DrawnPart, Facts, Material, Pose, Report, Validation, explain } from "@ligament/wasm";

export interface Surfaces {
  index: number;
  facts: Facts;
  parts: DrawnPart[];
  materials: Material[];
  skins: number[][];
  morphs: { node: number; name: string; weight: number }[];
}

/** A format, as `formats()` describes it. */
export interface Format {
  id: string;
  name: string;
  extensions: string[];
  write: boolean;
  dialects: { id: string; summary: string; write: boolean; default: boolean }[];
  read_options: Setting[];
  write_options: Setting[];
}

/** A setting, as the library describes its row. */
export interface Setting {
  name: string;
  kind: "flag" | "word" | "number" | "integer" | "texts";
  default: unknown;
  choices: { id: string; help: string }[];
  minimum: number | null;
  help: string;
  general: boolean;
}

/** Every call: its arguments and its result. */
export interface Call {
  open: { args: { given: Map<string, Uint8Array> }; result: { models: string[]; formats: Record<string, unknown>[] } };
  add: { args: { given: Map<string, Uint8Array> }; result: void };
  validate: { args: { path: string }; result: Validation };
  load: { args: { path: string }; result: Surfaces };
  free: { args: { index: number }; result: void };
  convert: {
    args: { path: string; output: string; options: Record<string, unknown> };
    result: { report: Conversion; files: Record<string, Uint8Array> };
  };
  compare: { args: { first: number; second: number }; result: Comparison };
  pairs: { args: { first: number; second: number }; result: Uint32Array };
  geometry: { args: { index: number; part: number }; result: { triangles: Uint32Array; uvs: Float32Array } };
  image: { args: { index: number; image: number }; result: Uint8Array | undefined };
  weights: { args: { index: number; part: number; joint: number }; result: Float32Array };
  pose: { args: { index: number; clip: number | null; seconds: number; morphs: number[] | undefined }; result: Pose };
  explain: { args: { code: string }; result: ReturnType<typeof explain> };
}

export type Request =
  | { kind: "module"; module: WebAssembly.Module }
  | { [K in keyof Call]: { id: number; kind: K; args: Call[K]["args"] } }[keyof Call];

export type Answer =
  | { id: number; stage: string }
  | { id: number; result: unknown }
  | { id: number; error: string; report: Report | undefined };
