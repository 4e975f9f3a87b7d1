// Every example and every model of the corpus, converted to every format: the package writes the same bytes as the command
// line, and reports the same.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { LigamentError, compare, convert, formats, init, load } from "../../target/web/package/index.js";
import { around, filesBelow, made, models, root, run } from "./support.mjs";

/** Larger models are converted without the proof, which the command line's unoptimised build takes long for. */
const PROVEN = 20_000;
/** Only these formats for the largest, which all have the same content. */
const LARGE = 1_000_000;

await init();
const begun = Date.now();
const folder = mkdtempSync(join(tmpdir(), "ligament-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const name of ["examples", "corpus"]) symlinkSync(join(root, name), join(folder, name));

const targets = formats().flatMap((format) => {
  const written = format.dialects.filter((dialect) => dialect.write);
  const ways = written.length > 0 ? written.map((dialect) => dialect.id) : format.write ? [undefined] : [];
  return ways.map((dialect, index) => ({ format, dialect, usual: index === 0 }));
});
const isFbx = (path) => path.endsWith(".fbx");
const inputs = models(formats()).filter((path) => !isFbx(path));
const work = inputs.flatMap((path) => {
  const bytes = statSync(join(root, path)).size;
  const isSmall = bytes < PROVEN;
  // All dialects for the small ones.
  const wanted = targets.filter((target) => target.usual || isSmall);
  const some = bytes < LARGE ? wanted : wanted.filter((_, index) => index % 3 === 0);
  return some.map((target) => ({ path, isSmall, ...target }));
});

const totals = { converted: 0, alike: 0, refused: 0, bytes: 0 };
const different = [];

async function check({ path, isSmall, format, dialect }, index) {
  const stem = basename(path).replace(/\.[^.]*$/, "");
  const output = `out${index}/${stem}.${format.extensions[0]}`;
  mkdirSync(join(folder, `out${index}`));
  const words = [path, output, "--json", "--to", format.id];
  if (dialect !== undefined) words.push("--dialect", dialect);
  if (!isSmall) words.push("--no-verify");
  const native = await run(["convert", ...words], folder);
  const expected = JSON.parse(native.stdout);
  const name = `${path} to ${dialect ?? format.id}`;
  let report;
  let files = {};
  try {
    ({ report, files } = convert(around(path), path, output, { to: format.id, dialect, verify: isSmall }));
  } catch (error) {
    if (!(error instanceof LigamentError)) throw error;
    report = error.report;
  }
  const there = made(join(folder, `out${index}`));
  const ours = Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path.slice(`out${index}/`.length), bytes]));
  try {
    assert.deepEqual(Object.keys(ours).sort(), Object.keys(there).sort());
    if (format.id === "fbx") {
      // FBX stores angles as doubles, and in their last bit the arc tangents of the systems differ.
      assert.deepEqual(rounded(report), rounded(expected));
      if (report.ok) assertAlike(ours, there, `${stem}.fbx`);
      totals.alike += 1;
    } else {
      for (const [path, bytes] of Object.entries(there)) {
        assert.ok(Buffer.compare(bytes, ours[path]) === 0, `other bytes in ${path}`);
        totals.bytes += bytes.length;
      }
      assert.deepEqual(report, expected);
    }
  } catch (error) {
    different.push(`${name}: ${error.message}`);
    if (process.env.VERBOSE) console.log(name, JSON.stringify(diff(report, expected)).slice(0, 400));
  }
  if (report.ok) totals.converted += 1;
  else totals.refused += 1;
  rmSync(join(folder, `out${index}`), { recursive: true });
}

/** A report with sizes to six digits; the worst place may be any of several that are equally far. */
function rounded(report) {
  const copy = JSON.parse(JSON.stringify(report, (_, value) => (typeof value === "number" ? Number(value.toPrecision(6)) : value)));
  delete copy.comparison;
  return copy;
}

/** Fails unless two files are the same model in all poses. */
function assertAlike(ours, theirs, name) {
  const [first, second] = [load(ours, name), load(theirs, name)];
  const found = compare(first, second);
  [first, second].forEach((model) => model.free());
  assert.ok((found.worst?.relative ?? 0) < 1e-6 && found.differences.length === 0, `${name}: ${JSON.stringify(found.worst)}`);
}

function diff(a, b, at = "") {
  if (Object.is(a, b)) return [];
  if (a && b && typeof a === "object" && typeof b === "object") {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    return keys.flatMap((key) => diff(a[key], b[key], `${at}/${key}`));
  }
  return [[at, a, b]];
}

// While the command line works on one conversion, the package works on another.
let next = 0;
const workers = Array.from({ length: Math.min(4, cpus().length) }, async () => {
  for (let index = next++; index < work.length; index = next++) await check(work[index], index);
});
await Promise.all(workers);

// FBX is evaluated by ufbx, a C library, whose sines are the system's: the last bit of a few numbers may differ.
let fbx = 0;
for (const path of [...filesBelow("crates/ligament/tests/fixtures/fbx"), ...models(formats())].filter(isFbx)) {
  const native = await run(["convert", join(root, path), "fbx.glb", "--no-verify", "--textures", "none"], folder);
  const files = { "model.fbx": readFileSync(join(root, path)) };
  try {
    const { files: ours } = convert(files, "model.fbx", "fbx.glb", { verify: false, textures: "none" });
    assert.equal(native.code, 0, path);
    const theirs = readFileSync(join(folder, "fbx.glb"));
    assertAlike(ours, { "fbx.glb": theirs }, "fbx.glb");
    fbx += 1;
  } catch (error) {
    if (!(error instanceof LigamentError)) throw error;
    assert.notEqual(native.code, 0, `${path}: only the package refuses it: ${error.message}`);
  }
}
console.log(`${fbx} FBX files converted alike`);
assert.ok(fbx > 0);

console.log(
  `${totals.converted - totals.alike} conversions with the same bytes and reports as the command line's, ${totals.alike} to FBX alike, ` +
    `${totals.refused} refused alike, ` +
    `${inputs.length} models, ${targets.length} formats and dialects, ${(totals.bytes / 1e6).toFixed(1)} MB, ` +
    `${((Date.now() - begun) / 1000).toFixed(0)} s`,
);
assert.equal(different.length, 0, `${different.length} of ${work.length} differ:\n${different.slice(0, 20).join("\n")}`);
assert.ok(totals.converted > 300 && inputs.length >= 80, "most of the models are missing");
