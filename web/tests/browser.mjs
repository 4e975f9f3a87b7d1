// The page in a real browser: opens models as a visitor does, looks at what is shown, converts, and compares the downloads with
// the command line's files. Nothing is asked of any other server, and little of this one.

import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { isDeepStrictEqual } from "node:util";
import { chromium } from "playwright-core";
import { serve } from "../serve.mjs";
import { made, root, run } from "./support.mjs";

const pictures = join(root, "target/web/pictures");
mkdirSync(pictures, { recursive: true });
const page_folder = join(root, "target/web/page");
const asked = [];
const { server, address } = await serve(page_folder, 0, (path) => asked.push(path));
const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const browser = await chromium.launch({ executablePath, args: ["--headless=new", "--no-sandbox"] });
const folder = mkdtempSync(join(tmpdir(), "ligament-web-"));
const begun = Date.now();

const axe = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

/** A page of a visitor; every request that it makes and every error is remembered. */
async function visit(options = {}, path = "") {
  const context = await browser.newContext({ acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.requests = [];
  page.faults = [];
  page.on("request", (request) => page.requests.push(request.url()));
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") page.faults.push(message.text());
  });
  await page.goto(address + path);
  return page;
}

async function open(page, ...paths) {
  await page.evaluate(() => document.body.classList.remove("opened"));
  await page.setInputFiles("#files", paths.map((path) => join(root, path)));
  await page.waitForFunction(() => document.getElementById("cancel").hidden && document.body.classList.contains("opened"), null, { timeout: 120_000 });
}

/** Drops files as a file manager does: the browser sees only the data. */
async function drop(page, ...paths) {
  const files = paths.map((path) => ({ name: basename(path), data: readFileSync(join(root, path)).toString("base64") }));
  await page.evaluate((files) => {
    const data = new DataTransfer();
    for (const { name, data: text } of files) {
      data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
    }
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, files);
  await page.waitForFunction(() => document.getElementById("cancel").hidden && document.body.classList.contains("opened"), null, { timeout: 120_000 });
}

async function convert(page, format, extra = async () => {}) {
  await page.selectOption("#to", format);
  await extra();
  await page.click("#go");
  await page.waitForSelector("#go:not([disabled])", { timeout: 120_000 });
  const button = page.locator("#download");
  if ((await button.count()) === 0) throw new Error(await page.locator("#result").innerText());
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** Waits until something holds, for as long as a busy machine may take. */
async function until(what, holds) {
  for (let round = 0; round < 100; round += 1) {
    if (await holds()) return;
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Error(`never happened: ${what}`);
}

/** The files in a zip archive whose files are stored. */
function unzip(bytes) {
  const files = {};
  let at = 0;
  while (bytes.readUInt32LE(at) === 0x04034b50) {
    const [size, path] = [bytes.readUInt32LE(at + 18), bytes.readUInt16LE(at + 26)];
    const name = bytes.toString("utf8", at + 30, at + 30 + path);
    files[name] = bytes.subarray(at + 30 + path, at + 30 + path + size);
    at += 30 + path + size;
  }
  return files;
}

const tests = {
  async "nothing is loaded but the page until a file is opened"() {
    const page = await visit();
    const first = page.requests.filter((url) => !url.startsWith("data:"));
    assert.deepEqual(first.filter((url) => !url.startsWith(address)), []);
    assert.ok(!first.some((url) => url.endsWith(".wasm")) && first.length <= 5, first.join(" "));
    return page;
  },

  async "a dropped model is described, drawn and played"() {
    const page = await visit({ reducedMotion: "reduce" });
    await drop(page, "examples/creature.pfobj", "examples/creature.png");
    const facts = await page.locator("#facts").innerText();
    assert.match(facts, /16,503 vertices, 5,501 triangles, 26 joints, 3 clips/);
    assert.match(facts, /creature\.png[\s\S]*found/);
    assert.match(await page.locator("#problems").innerText(), /valid/);
    await page.waitForFunction(() => Number(document.getElementById("canvas").dataset.drawn) > 0);
    const colours = () =>
      page.evaluate(() => {
        const canvas = document.getElementById("canvas");
        const copy = document.createElement("canvas");
        [copy.width, copy.height] = [64, 64];
        const context = copy.getContext("2d");
        context.drawImage(canvas, 0, 0, 64, 64);
        return [...context.getImageData(0, 0, 64, 64).data];
      });
    const filled = (pixels) => pixels.filter((alpha, i) => i % 4 === 3 && alpha > 0).length;
    // The creature fills a good part of the picture.
    const first = await colours();
    assert.ok(filled(first) > 100, `${filled(first)} of 4096 pixels`);
    await page.waitForTimeout(500);
    assert.deepEqual(await colours(), first, "it moves, although less motion was asked for");
    await page.click("#play");
    await until("it plays", async () => !isDeepStrictEqual(await colours(), first));
    await page.click("#play");
    await page.selectOption("#clip", { label: "idle" });
    await until("the first picture again", async () => isDeepStrictEqual(await colours(), first));
    await page.selectOption("#clip", { label: "walk" });
    await page.locator("#time").evaluate((input) => {
      input.value = "0.4";
      input.dispatchEvent(new Event("input"));
    });
    await until("another pose", async () => !isDeepStrictEqual(await colours(), first));
    await page.check("#skeleton");
    await page.selectOption("#joint", { index: 3 });
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(pictures, "weights.png"), fullPage: true });
    // The canvas works with the keyboard.
    const before = await colours();
    await page.focus("#canvas");
    for (const key of ["ArrowLeft", "ArrowUp", "+"]) await page.keyboard.press(key);
    await until("the keys turn the model", async () => !isDeepStrictEqual(await colours(), before));
    // A click on a joint shows its weights.
    await page.selectOption("#joint", "-1");
    await page.check("#names");
    await page.waitForSelector(".names span");
    const names = page.locator(".names span");
    assert.equal(await names.count(), 26);
    const head = await names.filter({ hasText: /^head$/ }).first().evaluate((span) => {
      const [x, y] = span.style.translate.split(" ").map(Number.parseFloat);
      return { x, y };
    });
    await page.locator("#canvas").click({ position: head });
    assert.equal(await page.locator("#joint option:checked").innerText(), "head");
    const [picture] = await Promise.all([page.waitForEvent("download"), page.click("#picture")]);
    assert.equal(picture.suggestedFilename(), "creature.pfobj.png");
    assert.equal(readFileSync(await picture.path()).toString("latin1", 1, 4), "PNG");
    return page;
  },

  async "morph targets have sliders"() {
    const page = await visit({ reducedMotion: "reduce" });
    await open(page, "examples/scene.glb");
    await page.locator("#view summary").click();
    const hash = () => page.locator("#canvas").evaluate((canvas) => canvas.toDataURL());
    await page.waitForFunction(() => Number(document.getElementById("canvas").dataset.drawn) > 0);
    const before = await hash();
    await page.locator("#morph-0").evaluate((slider) => {
      slider.value = slider.value === "1" ? "0" : "1";
      slider.dispatchEvent(new Event("input"));
    });
    await until("the slider moves the model", async () => (await hash()) !== before);
    return page;
  },

  async "a clip becomes a GIF"() {
    const page = await visit();
    await open(page, "examples/creature.glb");
    await page.selectOption("#clip", { label: "walk" });
    const [download] = await Promise.all([page.waitForEvent("download", { timeout: 120_000 }), page.click("#gif")]);
    assert.equal(download.suggestedFilename(), "creature.glb.gif");
    const bytes = readFileSync(await download.path());
    writeFileSync(join(pictures, "walk.gif"), bytes);
    // The browser's own decoder reads it back.
    const found = await page.evaluate(async (text) => {
      const data = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      const decoder = new ImageDecoder({ data, type: "image/gif" });
      await decoder.tracks.ready;
      const count = decoder.tracks.selectedTrack.frameCount;
      const hashes = [];
      let colours = 0;
      for (const frameIndex of [0, count >> 1, count - 1]) {
        const { image } = await decoder.decode({ frameIndex });
        const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        const pixels = new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
        colours = new Set(pixels).size;
        hashes.push(pixels.reduce((sum, pixel) => (Math.imul(sum, 31) + pixel) | 0, 0));
      }
      return { count, colours, different: new Set(hashes).size, duration: (await decoder.decode({ frameIndex: 0 })).image.duration };
    }, bytes.toString("base64"));
    assert.deepEqual({ ...found, colours: found.colours > 50 }, { count: 20, colours: true, different: 3, duration: 50_000 });
    return page;
  },

  async "a lost context comes back"() {
    const page = await visit({ reducedMotion: "reduce" });
    await open(page, "examples/creature.glb");
    await page.waitForFunction(() => Number(document.getElementById("canvas").dataset.drawn) > 0);
    const picture = () => page.locator("#canvas").evaluate((canvas) => canvas.toDataURL());
    await page.waitForTimeout(500);
    const before = await picture();
    await page.evaluate(() => {
      globalThis.lose = document.getElementById("canvas").getContext("webgl2").getExtension("WEBGL_lose_context");
      globalThis.lose.loseContext();
    });
    await page.waitForFunction(() => /context was lost/.test(document.getElementById("view").innerText));
    await page.evaluate(() => globalThis.lose.restoreContext());
    await page.waitForFunction(() => !/context was lost/.test(document.getElementById("view").innerText));
    await until("the same picture", async () => (await picture()) === before);
    return page;
  },

  async "the last file that was opened is shown, however fast"() {
    const page = await visit();
    const paths = ["examples/creature.pfobj", "examples/creature.apg", "examples/art/reed.glb"];
    await page.setInputFiles("#files", join(root, paths[0]));
    await page.setInputFiles("#files", join(root, paths[1]));
    await open(page, paths[2]);
    await page.waitForFunction(() => /reed\.glb/.test(document.getElementById("facts").innerText));
    await page.waitForTimeout(1500);
    assert.match(await page.locator("#facts").innerText(), /3 joints/);
    assert.equal(await page.locator("#fault").innerText(), "");
    assert.equal(await page.locator("#status").innerText(), "");
    return page;
  },

  async "a conversion can be cancelled"() {
    const page = await visit();
    await open(page, "examples/creature.pfobj");
    await page.evaluate(() => {
      document.getElementById("go").click();
      const status = document.getElementById("status");
      const observer = new MutationObserver(() => {
        if (!/import/.test(status.textContent)) return;
        observer.disconnect();
        document.getElementById("cancel").click();
      });
      observer.observe(status, { childList: true });
    });
    await page.waitForFunction(() => /Cancelled. Nothing was made/.test(document.getElementById("result").innerText));
    // And the next one works.
    assert.ok((await convert(page, "gltf")).bytes.length > 100_000);
    return page;
  },

  async "conversions are the command line's, to the byte"() {
    const page = await visit();
    symlinkSync(join(root, "examples"), join(folder, "examples"));
    let count = 0;
    for (const [path, ...beside] of [["examples/creature.glb"], ["examples/creature.obj", "examples/creature.mtl", "examples/creature.png"], ["examples/scene.glb"]]) {
      await open(page, path, ...beside);
      const formats = await page.locator("#to option").evaluateAll((options) => options.map((option) => option.value));
      assert.ok(formats.length >= 8);
      for (const format of formats) {
        const { name, bytes } = await convert(page, format);
        const main = name.replace(/\.zip$/, "");
        rmSync(join(folder, "out"), { recursive: true, force: true });
        mkdirSync(join(folder, "out"));
        const native = await run(["convert", path, `out/${main}`, "--no-verify"], folder);
        assert.equal(native.code, 0, native.stderr);
        const expected = made(join(folder, "out"));
        const given = name.endsWith(".zip") ? unzip(bytes) : { [name]: bytes };
        assert.deepEqual(Object.keys(given).sort(), Object.keys(expected).sort());
        for (const [file, content] of Object.entries(expected)) {
          // The last bit of its angles is the system's: `identical.mjs` compares the models.
          if (format === "fbx") assert.ok(Math.abs(content.length - given[file].length) < content.length / 100);
          else assert.ok(Buffer.compare(content, given[file]) === 0, `${path} to ${format}: other bytes in ${file}`);
        }
        if (format !== "fbx") count += 1;
      }
    }
    console.log(`   ${count} downloads with the command line's bytes`);
    assert.ok(count >= 24);
    return page;
  },

  async "options are made from the settings and take part"() {
    const page = await visit();
    await open(page, "examples/creature.glb");
    const { bytes } = await convert(page, "gltf", async () => {
      await page.locator("#convert summary").last().click();
      await page.fill("#option-scale", "2");
      await page.check("#option-mirror_x");
    });
    const options = ["--scale", "2", "--mirror-x", "--no-verify"];
    const native = await run(["convert", "examples/creature.glb", join(folder, "creature.glb"), ...options], root);
    assert.equal(native.code, 0, native.stderr);
    const expected = readFileSync(join(folder, "creature.glb"));
    assert.ok(Buffer.compare(expected, bytes) === 0, `other bytes, ${bytes.length} instead of ${expected.length}`);
    // A wrong value is a sentence.
    await page.fill("#option-fps", "-1");
    await page.click("#go");
    await page.waitForFunction(() => /fps: expected a number above 0/.test(document.getElementById("result").innerText));
    return page;
  },

  async "a damaged file is shown with its line"() {
    const page = await visit();
    await open(page, "examples/broken.pfobj");
    const problems = await page.locator("#problems").innerText();
    assert.match(problems, /invalid/);
    assert.match(problems, /broken\.pfobj:838:84/);
    assert.equal(await page.locator("#problems mark").first().innerText(), "0,000000");
    assert.ok(await page.locator("#problems pre").first().evaluate((pre) => {
      const [mark, box] = [pre.querySelector("mark").getBoundingClientRect(), pre.getBoundingClientRect()];
      return mark.left >= box.left && mark.right <= box.right;
    }), "the place is out of sight");
    assert.match(await page.locator("#fault").innerText(), /listed below/);
    await page.locator("#problems li button").first().click();
    await page.waitForFunction(() => /number/.test(document.querySelector("#problems li button + div:not([hidden])")?.textContent ?? ""));
    await page.screenshot({ path: join(pictures, "broken.png"), fullPage: true });
    // The page goes on.
    await open(page, "examples/creature.glb");
    assert.match(await page.locator("#facts").innerText(), /26 joints/);
    return page;
  },

  async "two models are compared"() {
    const page = await visit();
    await open(page, "examples/creature.glb");
    await page.setInputFiles("#second", join(root, "examples/creature.apg"));
    await page.waitForFunction(() => /Worst deviation/.test(document.getElementById("comparison").innerText), null, { timeout: 120_000 });
    assert.match(await page.locator("#comparison").innerText(), /Worst deviation: [\d.]+ % of the size/);
    await page.click("#worst");
    const time = (id) => page.locator(id).inputValue();
    assert.ok(Number(await time("#time")) > 0);
    assert.equal(await time("#time"), await time("#second-time"));
    await page.waitForFunction(() => Number(document.getElementById("second-canvas").dataset.drawn) > 1);
    // Coloured by how far it is: the picture changes, and has red in it where it is farthest.
    const red = () =>
      page.locator("#second-canvas").evaluate((canvas) => {
        const copy = document.createElement("canvas");
        [copy.width, copy.height] = [canvas.width, canvas.height];
        const context = copy.getContext("2d");
        context.drawImage(canvas, 0, 0);
        const pixels = context.getImageData(0, 0, copy.width, copy.height).data;
        let count = 0;
        for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3] > 0 && pixels[i] > 120 && pixels[i + 2] < 60) count += 1;
        return count;
      });
    assert.equal(await red(), 0);
    await page.check("#deviation");
    await until("red where it is farthest", async () => (await red()) > 20);
    await page.screenshot({ path: join(pictures, "two.png"), fullPage: true });
    // Another model takes the place of both.
    await open(page, "examples/art/reed.glb");
    assert.equal(await page.locator("#second-canvas").count(), 0);
    return page;
  },

  async "the example of the package shows a PFOBJ in three.js"() {
    const readme = readFileSync(join(root, "web/package/README.md"), "utf8");
    const example = readme.split("```js").map((part) => part.split("```")[0]).find((part) => part.includes("three"));
    assert.ok(example.trim().split("\n").length <= 32, "the example is too long");
    const there = join(page_folder, "example");
    mkdirSync(there, { recursive: true });
    // As a user's bundler does; the canvas keeps its picture, so that it can be looked at.
    writeFileSync(join(there, "example.js"), example.replace("antialias: true", "antialias: true, preserveDrawingBuffer: true"));
    const alias = { "@ligament/wasm": join(root, "target/web/package/index.js"), three: join(root, "web/node_modules/three/build/three.module.js") };
    await build({ entryPoints: [join(there, "example.js")], bundle: true, format: "esm", alias, external: ["node:fs/promises"], outfile: join(there, "bundle.js") });
    mkdirSync(join(there, "core"), { recursive: true });
    copyFileSync(join(page_folder, "ligament_bg.wasm"), join(there, "core/ligament_bg.wasm"));
    copyFileSync(join(root, "examples/creature.pfobj"), join(there, "creature.pfobj"));
    writeFileSync(join(there, "index.html"), `<!doctype html><html lang="en"><link rel="icon" href="data:,"><body><script type="module" src="bundle.js"></script>`);
    const page = await visit({}, "example/");
    const filled = () =>
      page.evaluate(() => {
        const canvas = document.querySelector("canvas");
        if (!canvas) return 0;
        const copy = document.createElement("canvas");
        [copy.width, copy.height] = [64, 64];
        const context = copy.getContext("2d");
        context.drawImage(canvas, 0, 0, 64, 64);
        const pixels = context.getImageData(0, 0, 64, 64).data;
        return pixels.filter((value, i) => i % 4 === 1 && value > 20).length;
      });
    let most = 0;
    for (let round = 0; round < 60 && most < 120; round += 1) {
      most = await filled();
      await page.waitForTimeout(500);
    }
    assert.ok(most >= 120, `${most} of 4096 pixels; ${page.faults}`);
    await page.screenshot({ path: join(pictures, "three.png") });
    rmSync(there, { recursive: true });
    return page;
  },

  async "a file that is too large is refused before it is read"() {
    const page = await visit();
    await page.evaluate(() => {
      const input = document.getElementById("files");
      const file = new File(["x"], "huge.glb");
      Object.defineProperty(file, "size", { value: 2 ** 31 });
      file.arrayBuffer = () => Promise.reject(new Error("it was read"));
      Object.defineProperty(input, "files", { value: [file] });
      input.dispatchEvent(new Event("change"));
    });
    await page.waitForFunction(() => document.getElementById("fault").textContent !== "");
    assert.match(await page.locator("#fault").innerText(), /“huge.glb” has 2147.5 MB/);
    return page;
  },

  async "an address names a file of the same server only"() {
    writeFileSync(join(page_folder, "reed.glb"), readFileSync(join(root, "examples/art/reed.glb")));
    const page = await visit({}, "?url=reed.glb");
    await page.waitForFunction(() => /3 joints/.test(document.getElementById("facts").innerText));
    rmSync(join(page_folder, "reed.glb"));
    await page.goto(`${address}?url=https://example.org/model.glb`);
    await page.waitForFunction(() => /another server/.test(document.getElementById("fault").textContent));
    return page;
  },

  async "without WebGL2 everything but the picture works"() {
    const context = await browser.newContext();
    const page = await context.newPage();
    page.requests = [];
    page.faults = [];
    await page.addInitScript(() => {
      const get = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind === "webgl2" ? null : get.call(this, kind, ...rest);
      };
    });
    await page.goto(address);
    await open(page, "examples/art/reed.glb");
    assert.match(await page.locator("#view").innerText(), /no WebGL2/);
    assert.match(await page.locator("#facts").innerText(), /3 joints/);
    return page;
  },

  async "it is accessible, at every width, dark and light"() {
    let page;
    for (const [name, width, colorScheme] of [["phone", 360, "light"], ["tablet", 768, "dark"], ["desktop", 1280, "light"]]) {
      page = await visit({ viewport: { width, height: 960 }, colorScheme, reducedMotion: "reduce" });
      await open(page, "examples/creature.glb");
      await convert(page, "pfobj");
      await page.waitForFunction(() => Number(document.getElementById("canvas").dataset.drawn) > 0);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${name}: the page is ${wide} pixels wide`);
      await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
      if (process.env.UPDATE_PAGES && name === "desktop") {
        await page.evaluate(() => scrollTo(0, 0));
        await page.screenshot({ path: join(root, "docs/pictures/web.png") });
      }
      // The page allows no other scripts, so it is given to the page by the browser itself.
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      const told = violations.map((one) => `${one.id}: ${one.help}: ${one.nodes.map((node) => node.html).slice(0, 3).join(" ")}`);
      assert.deepEqual(told, [], name);
    }
    return page;
  },
};

let failed = 0;
try {
  const only = process.argv[2];
  for (const [name, test] of Object.entries(tests)) {
    if (only && !name.includes(only)) continue;
    try {
      const page = await test();
      const elsewhere = page.requests.filter((url) => !url.startsWith(address) && !/^(data|blob):/.test(url));
      assert.deepEqual(elsewhere, [], "requests to other servers");
      assert.deepEqual(page.faults, [], "errors in the page");
      await page.context().close();
      console.log(`ok: ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED: ${name}: ${error.stack}`);
    }
  }
} finally {
  await browser.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${Object.keys(tests).length} tests, ${failed} failed, ${((Date.now() - begun) / 1000).toFixed(0)} s, ${asked.length} requests, all to the page's own server`);
process.exit(failed > 0 ? 1 : 0);
