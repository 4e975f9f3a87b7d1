// The package as a user gets it: packed, installed into an empty project, imported and type-checked there.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./support.mjs";

const folder = mkdtempSync(join(tmpdir(), "ligament-package-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const quiet = { stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" };

const packed = join(root, "target/web");
const [{ filename, size, files }] = JSON.parse(
  execFileSync("npm", ["pack", "--json", "--pack-destination", packed], { ...quiet, cwd: join(packed, "package") }),
);
assert.deepEqual(files.map((file) => file.path).sort(), [
  "LICENSE-APACHE",
  "LICENSE-MIT",
  "README.md",
  "core/ligament.js",
  "core/ligament_bg.wasm",
  "index.d.ts",
  "index.js",
  "package.json",
]);

writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
execFileSync("npm", ["install", "--no-audit", "--no-fund", "--offline", join(packed, filename)], { ...quiet, cwd: folder });
const program = `
import { readFileSync } from "node:fs";
import { LigamentError, compare, convert, explain, formats, init, load, validate } from "@ligament/wasm";

const files: Record<string, Uint8Array> = { "creature.pfobj": readFileSync(process.argv[2] as string) };
await init();
const stages: string[] = [];
const { report, files: made } = convert(files, "creature.pfobj", "out/creature.glb", { influences: 4, onStage: (stage) => void stages.push(stage) });
const first = load(files, "creature.pfobj");
const second = load(made, "out/creature.glb");
const worst: number | undefined = compare(first, second).worst?.relative;
const pose = first.pose("walk", 0.25);
let refused = "";
try {
  load({ "no.glb": new Uint8Array([1, 2, 3]) }, "no.glb");
} catch (error) {
  refused = error instanceof LigamentError ? error.exit : String(error);
}
let stopped = "";
try {
  convert(files, "creature.pfobj", "creature.glb", { onStage: (stage) => stage !== "export" });
} catch (error) {
  stopped = error instanceof LigamentError ? error.exit : String(error);
}
console.log(JSON.stringify({
  stages, worst, refused, stopped,
  side: report.side_files,
  vertices: pose.parts.reduce((sum, part) => sum + part.positions.length / 3, 0),
  moved: pose.parts[0]?.positions[0] !== first.pose().parts[0]?.positions[0],
  nodes: pose.nodes.length / 16,
  triangles: first.parts.reduce((sum, _, part) => sum + first.triangles(part).length / 3, 0),
  valid: validate(files, "creature.pfobj").ok,
  formats: formats().length,
  code: explain("PF101")?.code,
}));
first.free();
second.free();
`;
// Types first, with just enough of Node's own.
writeFileSync(join(folder, "node.d.ts"), `declare module "node:fs" { export function readFileSync(path: string): Uint8Array; }\ndeclare const process: { argv: string[] };\n`);
writeFileSync(join(folder, "program.ts"), program);
const tsc = ["--strict", "--target", "es2022", "--module", "es2022", "--moduleResolution", "bundler", "--lib", "es2022,dom", "--types", ""];
execFileSync(join(root, "web/node_modules/.bin/tsc"), [...tsc, "program.ts", "node.d.ts"], { ...quiet, cwd: folder });
const told = execFileSync("node", ["program.js", join(root, "examples/creature.pfobj")], { ...quiet, cwd: folder });
const found = JSON.parse(told);
assert.deepEqual(found.stages, ["read", "import", "prepare", "export", "write", "verify"]);
assert.ok(found.worst < 1e-4, `compared: ${found.worst}`);
delete found.worst;
assert.deepEqual(found, {
  stages: found.stages,
  refused: "invalid",
  stopped: "interrupted",
  side: [],
  vertices: 16503,
  moved: true,
  nodes: 27,
  triangles: 5501,
  valid: true,
  formats: 10,
  code: "PF101",
});
console.log(`${filename}: ${(size / 1e6).toFixed(1)} MB, installed, imported and type-checked`);
assert.ok(readFileSync(join(packed, filename)).length > 1e6);
