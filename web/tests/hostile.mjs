// Damaged files: refused with a report, never with a trap, and the next file is read as if nothing had happened. Many loads
// take no more memory than one.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LigamentError, convert, formats, init, load, validate } from "../../target/web/package/index.js";
import * as core from "../../target/web/package/core/ligament.js";
import { around, models, root } from "./support.mjs";

await init();

/** Numbers that are the same on each run. */
let seed = 1;
function random(below) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
}

/** A file cut short, or with a few bytes replaced by those that counts and offsets go wrong with. */
function damage(bytes, round) {
  if (round % 3 === 0) return bytes.slice(0, random(bytes.length));
  const copy = Uint8Array.from(bytes);
  for (let count = 0; count < 1 + (round % 5); count += 1) {
    const at = random(copy.length);
    copy[at] = [0xff, 0x7f, 0x80, 0, random(256), 0x39][random(6)];
    if (round % 2 === 0) copy.fill(0xff, at, at + 4);
  }
  return copy;
}

const totals = { refused: 0, read: 0 };
for (const path of models(formats())) {
  const bytes = readFileSync(join(root, path));
  if (bytes.length > 200_000) continue;
  const files = around(path);
  for (let round = 0; round < (bytes.length < 20_000 ? 24 : 4); round += 1) {
    files[path] = damage(bytes, round);
    const found = validate(files, path);
    assert.notEqual(found.exit, "internal", `${path}, round ${round}`);
    try {
      convert(files, path, "out.glb");
      totals.read += 1;
    } catch (error) {
      assert.ok(error instanceof LigamentError, `${path}, round ${round}: ${error}`);
      assert.notEqual(error.exit, "internal", `${path}, round ${round}: ${error.message}`);
      assert.ok(error.report.diagnostics.length > 0, `${path}, round ${round}: no reason`);
      totals.refused += 1;
    }
  }
}
console.log(`${totals.refused} damaged files refused with a reason, ${totals.read} read all the same`);
assert.ok(totals.refused > 300 && totals.read > 100);

// Deep nesting uses up the stack of a careless reader.
for (const [name, text] of [
  ["deep.gltf", `{"asset":{"version":"2.0"},"extras":${"[".repeat(500_000)}${"]".repeat(500_000)}}`],
  ["deep.dae", `<COLLADA>${"<a>".repeat(500_000)}`],
]) {
  const found = validate({ [name]: new TextEncoder().encode(text) }, name);
  assert.equal(found.ok, false, name);
  assert.notEqual(found.exit, "internal", name);
}

// A wrong option is a sentence.
assert.throws(() => convert({ "a.obj": new Uint8Array() }, "a.obj", "a.glb", { influenzes: 4 }), /did you mean influences/);
assert.throws(() => load({}, "missing.glb"), /there is no such file/);

const path = "corpus/own/bogle/skin2.bgl";
const files = around(path);

// When the memory is used up, the call fails, what was loaded says so, and the next call works.
class Huge extends Uint8Array {
  get length() {
    return 2 ** 32 - 64;
  }
}
const model = load(files, path);
model.pose();
const isCrash = (error) => error instanceof LigamentError && error.exit === "internal" && /memory was used up/.test(error.message);
assert.throws(() => validate({ "huge.obj": new Huge() }, "huge.obj"), isCrash);
assert.throws(() => model.pose(), /load it again/);
model.free();
assert.equal(validate(files, path).ok, true);
console.log("used up memory: refused, and the next call works");

const { memory } = core.initSync({});
load(files, path).free();
const before = memory.buffer.byteLength;
for (let count = 0; count < 1000; count += 1) load(files, path).free();
const after = memory.buffer.byteLength;
assert.ok(after - before <= 1 << 20, `a thousand loads took ${after - before} bytes`);
console.log(`1000 loads: memory ${before} bytes before, ${after} after`);
