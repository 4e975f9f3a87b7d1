// The page's side of a worker.

import type { Report } from "@ligament/wasm";
import type { Answer, Call } from "./protocol.js";

/** A call that failed; `report` is there if the file is why. */
export class Failed extends Error {
  constructor(
    message: string,
    readonly report?: Report,
  ) {
    super(message);
  }
}

/** A call that the visitor cancelled. */
export class Cancelled extends Error {}

let module: Promise<WebAssembly.Module> | undefined;

/** The WebAssembly, which is loaded when the first file is opened, and compiled once for all workers. */
function compiled(): Promise<WebAssembly.Module> {
  module ??= fetch("ligament_bg.wasm")
    .then(async (response) => {
      if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
      const isTyped = response.headers.get("content-type")?.startsWith("application/wasm");
      return isTyped ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
    })
    .catch((error: unknown) => {
      module = undefined;
      throw new Failed(`The converter cannot be loaded (${error instanceof Error ? error.message : error}).`);
    });
  return module;
}

interface Waiting {
  done: (result: never) => void;
  failed: (error: Error) => void;
  onStage: ((stage: string) => void) | undefined;
}

/** A worker with its files. */
export class Session {
  readonly #worker = new Worker("worker.js", { type: "module" });
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;
  #ended: Error | undefined;

  constructor() {
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => this.#answered(data));
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#end(new Failed(`The worker stopped: ${event.message || "its memory was used up"}.`));
    });
  }

  /** A worker that knows the files. */
  static async with(given: Map<string, Uint8Array>): Promise<{ session: Session; opened: Call["open"]["result"] }> {
    const module = await compiled();
    const session = new Session();
    session.#worker.postMessage({ kind: "module", module });
    return { session, opened: await session.call("open", { given }) };
  }

  call<K extends keyof Call>(kind: K, args: Call[K]["args"], onStage?: (stage: string) => void): Promise<Call[K]["result"]> {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = this.#next++;
    return new Promise((done, failed) => {
      this.#waiting.set(id, { done, failed, onStage });
      this.#worker.postMessage({ id, kind, args });
    });
  }

  /** Ends the worker at once, whatever it does. */
  end(): void {
    this.#end(new Cancelled("cancelled"));
  }

  #end(why: Error): void {
    this.#ended ??= why;
    this.#worker.terminate();
    for (const { failed } of this.#waiting.values()) failed(this.#ended);
    this.#waiting.clear();
  }

  #answered(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    if (!waiting) return;
    if ("stage" in answer) {
      waiting.onStage?.(answer.stage);
      return;
    }
    this.#waiting.delete(answer.id);
    if ("error" in answer) waiting.failed(new Failed(answer.error, answer.report));
    else waiting.done(answer.result as never);
  }
}
