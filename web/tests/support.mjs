// What the tests share: the project's models, and the command line that they are compared with.

import { execFile } from "node:child_process";
import { lstatSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const cli = process.env.LIGAMENT ?? join(root, "target/debug/ligament");

/** All files below a folder, sorted, relative to the project. */
export function filesBelow(folder) {
  const all = readdirSync(join(root, folder), { withFileTypes: true, recursive: true });
  const files = all.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  return files.map((path) => relative(root, path).replaceAll("\\", "/")).sort();
}

/** A file with all others of its folder, as a visitor would drop them. */
export function around(path) {
  const files = {};
  for (const file of filesBelow(dirname(path))) files[file] = readFileSync(join(root, file));
  return files;
}

/** The models of the project, by the extensions of a table of formats. */
export function models(formats) {
  const extensions = formats.flatMap((format) => format.extensions);
  const isModel = (path) => extensions.some((extension) => path.endsWith(`.${extension}`)) && !path.endsWith(".json");
  return [...filesBelow("examples"), ...filesBelow("corpus")].filter(isModel);
}

/** Runs the command line; returns its exit code and what it prints. */
export function run(args, cwd) {
  return new Promise((done) => {
    execFile(cli, args, { cwd, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== "number") throw error;
      done({ code: error?.code ?? 0, stdout, stderr });
    });
  });
}

/** The files below a folder with their bytes, by path relative to it. */
export function made(folder) {
  const files = {};
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (lstatSync(path).isFile()) files[relative(folder, path).replaceAll("\\", "/")] = readFileSync(path);
  }
  return files;
}
