// Calls the WebAssembly away from the page, which never waits for it. One worker has one set of files, and ends with them.

import * as ligament from "@ligament/wasm";
import type { Answer, Call, Request } from "./protocol.js";

let files: Map<string, Uint8Array> = new Map();
const models: ligament.Model[] = [];

function model(index: number): ligament.Model {
  const found = models[index];
  if (!found) throw new Error("the model is not loaded");
  return found;
}

const extensions = () => ligament.formats().flatMap((format) => format["extensions"] as string[]);

const calls: { [K in keyof Call]: (args: Call[K]["args"], onStage: (stage: string) => void) => Call[K]["result"] } = {
  open: ({ given }) => {
    files = given;
    const known = extensions();
    const isModel = (path: string) => known.some((extension) => path.toLowerCase().endsWith(`.${extension}`));
    const all = [...files.keys()];
    const named = all.filter(isModel);
    return { models: named.length > 0 ? named : all, formats: ligament.formats() };
  },
  validate: ({ path }, onStage) => ligament.validate(files, path, { onStage }),
  load: ({ path }, onStage) => {
    const loaded = ligament.load(files, path, { onStage });
    models.push(loaded);
    const { facts, parts, materials, skins, morphs } = loaded;
    return { index: models.length - 1, facts, parts, materials, skins, morphs };
  },
  free: ({ index }) => {
    models[index]?.free();
    delete models[index];
  },
  add: ({ given }) => {
    for (const [path, bytes] of given) files.set(path, bytes);
  },
  convert: ({ path, output, options }, onStage) => {
    const { report, files: made } = ligament.convert(files, path, output, { ...options, onStage });
    return { report, files: made };
  },
  compare: ({ first, second }) => ligament.compare(model(first), model(second)),
  pairs: ({ first, second }) => ligament.pairs(model(first), model(second)),
  geometry: ({ index, part }) => ({ triangles: model(index).triangles(part), uvs: model(index).uvs(part) }),
  image: ({ index, image }) => model(index).image(image) as Uint8Array | undefined,
  weights: ({ index, part, joint }) => model(index).weights(part, joint),
  pose: ({ index, clip, seconds, morphs }) => model(index).pose(clip, seconds, morphs),
  explain: ({ code }) => ligament.explain(code),
};

/** The buffers of a pose, which move to the page instead of being copied. */
function moved(kind: keyof Call, result: unknown): Transferable[] {
  if (kind !== "pose") return [];
  const pose = result as ligament.Pose;
  return [pose.nodes.buffer, ...pose.parts.flatMap((part) => [part.positions.buffer, part.normals.buffer])] as Transferable[];
}

let ready: Promise<void> | undefined;

self.addEventListener("message", async ({ data }: MessageEvent<Request>) => {
  const answer = (message: Answer, transfer: Transferable[] = []) => self.postMessage(message, { transfer });
  if (data.kind === "module") {
    ready = ligament.init(data.module);
    return;
  }
  const { id, kind, args } = data;
  try {
    await ready;
    const call = calls[kind] as (args: unknown, onStage: (stage: string) => void) => unknown;
    const result = call(args, (stage) => answer({ id, stage }));
    answer({ id, result }, moved(kind, result));
  } catch (error) {
    const report = error instanceof ligament.LigamentError ? error.report : undefined;
    answer({ id, error: error instanceof Error ? error.message : String(error), report });
  }
});
