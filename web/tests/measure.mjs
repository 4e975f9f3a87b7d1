// For `cargo xtask bench`: `parse FILE` prints the seconds in which the package reads a file, `sizes` the compressed bytes of what a
// visitor loads, and `picture` the seconds until the browser shows the example.

import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "./support.mjs";

const page_folder = join(root, "target/web/page");

async function parse(path) {
  const { init, load } = await import("../../target/web/package/index.js");
  await init();
  const name = basename(path);
  const files = { [name]: readFileSync(path) };
  let best = Infinity;
  for (let round = 0; round < 5; round += 1) {
    const begun = performance.now();
    load(files, name).free();
    best = Math.min(best, (performance.now() - begun) / 1000);
  }
  console.log(`seconds ${best}`);
}

function sizes() {
  const size = (name) => gzipSync(readFileSync(join(page_folder, name)), { level: 9 }).length;
  const names = readdirSync(page_folder).filter((name) => /\.(html|css|js)$/.test(name));
  const isLater = (name) => /^(view|worker|gif)/.test(name);
  console.log(`page ${names.filter((name) => !isLater(name)).reduce((sum, name) => sum + size(name), 0)}`);
  console.log(`wasm ${size("ligament_bg.wasm")}`);
}

async function picture() {
  const { chromium } = await import("playwright-core");
  const { serve } = await import("../serve.mjs");
  const { server, address } = await serve(page_folder);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--headless=new", "--no-sandbox"] });
  const context = await browser.newContext();
  let best = Infinity;
  for (let round = 0; round < 4; round += 1) {
    const page = await context.newPage();
    const begun = performance.now();
    await page.goto(address);
    await page.setInputFiles("#files", join(root, "examples/creature.glb"));
    await page.waitForFunction(() => Number(document.getElementById("canvas")?.dataset.drawn) > 0);
    // The first fills the cache.
    if (round > 0) best = Math.min(best, (performance.now() - begun) / 1000);
    await page.close();
  }
  await browser.close();
  server.close();
  console.log(`seconds ${best}`);
}

const [mode, path] = process.argv.slice(2);
await { parse, sizes, picture }[mode](path);
