// ligament in JavaScript. The types and what each function does are in index.d.ts; core/ is made from crates/ligament-web.

import * as core from "./core/ligament.js";

let module;
let loading;

/** Compiles the WebAssembly. Every other function needs this first. */
export function init(source) {
  loading ??= compile(source).then(
    async (compiled) => {
      // Not at once: browsers refuse that on a page's main thread.
      await core.default({ module_or_path: compiled });
      module = compiled;
    },
    (error) => {
      // The next call tries again.
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

async function compile(source) {
  source ??= new URL("core/ligament_bg.wasm", import.meta.url);
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  if (source instanceof URL && source.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(source));
  }
  const response = source instanceof Response ? source : await fetch(source);
  if (!response.ok) throw new Error(`cannot load ${response.url}: ${response.status} ${response.statusText}`);
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Work that failed. */
export class LigamentError extends Error {
  constructor(report) {
    const errors = report.diagnostics.filter((found) => found.severity === "error");
    const told = (errors.length > 0 ? errors : report.diagnostics).map(
      (found) => `${found.file}${found.line ? `:${found.line}:${found.column}` : ""}: ${found.message} [${found.code}]`,
    );
    super(told.slice(0, 10).join("\n") || report.exit);
    this.name = "LigamentError";
    this.exit = report.exit;
    this.report = report;
  }
}

/** Throws the memory away. On its main thread, a page may not make a new one at once. */
function startAnew() {
  age += 1;
  try {
    core.__wbg_reset_state();
  } catch {
    isOver = true;
  }
}

let isOver = false;

// Models whose memory went away with a crash are of an earlier age.
let age = 0;

/** Calls the WebAssembly. After a crash its memory is in doubt, so it starts anew. */
function call(work) {
  if (module === undefined) throw new Error("call `await init()` first");
  if (isOver) throw new Error("ligament crashed; load the page again, or call it in a worker, where it starts anew");
  try {
    return work();
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
      startAnew();
      const message =
        error instanceof WebAssembly.RuntimeError && /unreachable|memory/.test(error.message)
          ? "the memory was used up, or ligament has a fault; please report the file"
          : `ligament has a fault (${error.message}); please report the file`;
      const found = { severity: "error", code: "internal", message, file: "" };
      throw new LigamentError({ ok: false, exit: "internal", diagnostics: [found], omitted: 0, losses: [] });
    }
    throw error;
  }
}

/** Runs work on files in the WebAssembly's memory, and frees them whatever happens. */
function withFiles(files, work) {
  return call(() => {
    const there = new core.Files();
    const begun = age;
    try {
      for (const [path, bytes] of files instanceof Map ? files : Object.entries(files)) {
        there.add(clean(path), bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes));
      }
      return work(there);
    } finally {
      if (begun === age) free(there);
    }
  });
}

// After a trap, freeing may trap too; what is left goes away with the memory.
function free(object) {
  try {
    object.free();
  } catch {
    // As above.
  }
}

function clean(path) {
  return path.replaceAll("\\", "/").replace(/^(\.\/)+/, "");
}

function split(options = {}) {
  const { onStage, ...settings } = options;
  return [JSON.stringify(settings), onStage];
}

function checked(report) {
  if (!report.ok) throw new LigamentError(report);
  return report;
}

export function load(files, path, options) {
  return withFiles(files, (there) => {
    const loaded = core.load(there, clean(path), ...split(options));
    try {
      const facts = checked(JSON.parse(loaded.json()));
      return new Model(loaded.take(), facts, files);
    } finally {
      free(loaded);
    }
  });
}

export function convert(files, path, output, options) {
  return withFiles(files, (there) => {
    const converted = core.convert(there, clean(path), clean(output), ...split(options));
    try {
      const report = checked(JSON.parse(converted.json()));
      const made = {};
      for (const name of converted.paths()) made[name] = converted.take(name);
      return { report, files: made };
    } finally {
      free(converted);
    }
  });
}

export function validate(files, path, options) {
  return withFiles(files, (there) => JSON.parse(core.validate(there, clean(path), ...split(options))));
}

export function compare(first, second) {
  return call(() => JSON.parse(core.compare(first._there(), second._there())));
}

export function pairs(first, second) {
  return call(() => core.pairs(first._there(), second._there()));
}

export function formats() {
  return call(() => JSON.parse(core.formats()));
}

export function explain(code) {
  return call(() => JSON.parse(core.explain(code)));
}

export function version() {
  return call(() => core.version());
}

export class Model {
  #model;
  #age = age;
  #files;
  #surfaces;

  constructor(model, facts, files) {
    this.#model = model;
    this.#files = files;
    this.facts = facts;
  }

  /** @internal */
  _there() {
    if (this.#model === undefined) throw new Error("the model was freed");
    if (this.#age !== age) throw new Error("the model went away when ligament started anew; load it again");
    return this.#model;
  }

  #surface() {
    this.#surfaces ??= call(() => JSON.parse(this._there().surfaces()));
    return this.#surfaces;
  }

  get parts() {
    return this.#surface().parts;
  }

  get materials() {
    return this.#surface().materials;
  }

  get morphs() {
    return this.#surface().morphs;
  }

  get skins() {
    return this.#surface().skins;
  }

  triangles(part) {
    return call(() => this._there().triangles(part));
  }

  uvs(part, set = 0) {
    return call(() => this._there().uvs(part, set));
  }

  weights(part, joint) {
    return call(() => this._there().weights(part, joint));
  }

  image(index) {
    const image = this.facts.images[index];
    if (image === undefined) return undefined;
    if (image.file === undefined) return call(() => this._there().image(index));
    const file = this.facts.file;
    const path = file.slice(0, file.lastIndexOf("/") + 1) + image.file;
    const all = this.#files instanceof Map ? this.#files : new Map(Object.entries(this.#files));
    for (const [name, bytes] of all) if (clean(name) === path) return bytes;
    return undefined;
  }

  pose(clip, seconds = 0, morphs = undefined) {
    const index = typeof clip === "string" ? this.facts.clips.findIndex((known) => known.name === clip) : clip;
    if (index === -1) throw new Error(`there is no clip ${JSON.stringify(clip)}`);
    return call(() => {
      const posed = this._there().pose(index ?? undefined, seconds, morphs && Float32Array.from(morphs));
      try {
        const part = (_, at) => ({ positions: posed.positions(at), normals: posed.normals(at) });
        return { parts: this.parts.map(part), nodes: posed.nodes() };
      } finally {
        free(posed);
      }
    });
  }

  free() {
    if (this.#model !== undefined && this.#age === age) free(this.#model);
    this.#model = undefined;
  }
}
