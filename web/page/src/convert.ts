// The conversion: its options, its losses, its proof, and what it made.

import type { Conversion, Loss } from "@ligament/wasm";
import { bytes, counted, get, make, percent } from "./dom.js";
import { download } from "./files.js";
import { type Form, form } from "./options.js";
import { code, item } from "./problems.js";
import type { Format } from "./protocol.js";
import { Cancelled, Failed, Session } from "./session.js";
import { zip } from "./zip.js";

/** The model that is open. */
export interface Current {
  path: string;
  format: string;
  files: Map<string, Uint8Array>;
  formats: Format[];
  session: Session;
}

/** Shows long work; returns what ends the display. */
export type Work = (what: string, cancel?: () => void) => { stage: (stage: string) => void; done: () => void };

export function showConvert(section: HTMLElement, current: Current, work: Work): void {
  const written = current.formats.filter((format) => format.write);
  const stay = current.formats.find((format) => format.id === current.format && !format.write);
  const target = make("select", { id: "to" }, ...written.map((format) => make("option", { value: format.id }, format.name)));
  target.value = written.find((format) => format.id !== current.format)?.id ?? "";
  const dialect = make("select", { id: "dialect" });
  const go = make("button", { type: "button", class: "primary", id: "go" }, "Convert");
  const options = make("div", {});
  const result = make("div", { id: "result" });
  let chosen: Form | undefined;

  const choose = () => {
    const format = written.find((format) => format.id === target.value);
    if (!format) return;
    const dialects = format.dialects.filter((one) => one.write);
    const label = (one: (typeof dialects)[number]) => `${one.id}: ${one.summary}${one.default ? " (default)" : ""}`;
    // Named even if it is the default: the word for a format may also be that of another dialect.
    dialect.replaceChildren(...dialects.map((one) => make("option", { value: one.id }, label(one))));
    dialect.value = dialects.find((one) => one.default)?.id ?? "";
    dialectRow.hidden = dialects.length < 2;
    const source = current.formats.find((format) => format.id === current.format);
    chosen = form(source?.read_options ?? [], format.write_options);
    options.replaceChildren(chosen.element);
  };
  const dialectRow = make("p", {}, make("label", { for: "dialect" }, "Dialect "), dialect);
  target.addEventListener("change", choose);
  go.addEventListener("click", () => {
    const format = written.find((format) => format.id === target.value);
    if (format) void run({ current, format, dialect: dialect.value, options: chosen?.values() ?? {}, result, go, work, again });
  });
  /** Sets what avoids a loss, and converts again. */
  const again = (remedy: Remedy) => {
    if (remedy.setting === "dialect") dialect.value = String(remedy.value);
    else if (!chosen?.set(remedy.setting, remedy.value)) return;
    go.click();
  };
  section.replaceChildren(
    make("h2", { id: "convert-title" }, "Convert"),
    make("p", {}, make("label", { for: "to" }, "To "), target, " ", go),
    dialectRow,
    options,
    result,
  );
  if (stay) section.append(make("p", { class: "soft" }, `${stay.name} is only read.`));
  choose();
}

/** A setting that avoids a loss, at least in part. */
interface Remedy {
  setting: string;
  value: unknown;
  effect: string;
}

interface Job {
  current: Current;
  format: Format;
  dialect: string;
  options: Record<string, unknown>;
  result: HTMLElement;
  go: HTMLButtonElement;
  work: Work;
  again: (remedy: Remedy) => void;
}

async function run(job: Job): Promise<void> {
  const { current, format, dialect, options, result, go, work } = job;
  const name = current.path.slice(current.path.lastIndexOf("/") + 1);
  const stem = name.includes(".") ? name.slice(0, name.lastIndexOf(".")) : name;
  // A dialect that is an extension of the format, such as `gltf`, is also that of the file.
  const extension = format.extensions.includes(dialect) ? dialect : usual(format);
  const output = `${stem}.${extension}`;
  const all = { ...options, to: format.id, ...(dialect ? { dialect } : {}) };
  go.disabled = true;
  result.replaceChildren();
  // A worker of its own, so that the view goes on, and that cancelling is ending it.
  let session: Session | undefined;
  let isCancelled = false;
  const shown = work(`converting to ${output}`, () => {
    isCancelled = true;
    session?.end();
  });
  try {
    session = (await Session.with(current.files)).session;
    if (isCancelled) throw new Cancelled("cancelled");
    const { report, files } = await session.call("convert", { path: current.path, output, options: all }, shown.stage);
    show(job, report, files, output);
  } catch (error) {
    if (error instanceof Cancelled) result.replaceChildren(make("p", {}, "Cancelled. Nothing was made."));
    else {
      const found = error instanceof Failed ? (error.report?.diagnostics ?? []) : [];
      const items = found.filter((one) => one.severity === "error").map((one) => item(one, current.files, current.session));
      const why = items.length > 0 ? make("ul", { class: "plain" }, ...items) : make("p", {}, String((error as Error).message));
      result.replaceChildren(make("p", { class: "error" }, "Not converted. Nothing was made."), why);
    }
  } finally {
    session?.end();
    shown.done();
    go.disabled = false;
    result.setAttribute("tabindex", "-1");
    get("result").focus();
  }
}

/** How large an approximation is. */
function extent({ size, unit }: Loss): string {
  // A size that is not finite has no number in JSON.
  if (typeof size !== "number" || unit === undefined) return "";
  return unit === "of the model's size" ? ` (${percent(size)} of the size)` : ` (${Number(size.toPrecision(3))} ${unit})`;
}

function avoid(remedy: Remedy, again: (remedy: Remedy) => void): HTMLElement {
  const name = remedy.setting.replaceAll("_", " ");
  const value = remedy.value === true ? "" : ` ${Array.isArray(remedy.value) ? remedy.value.join(", ") : remedy.value}`;
  const button = make("button", { type: "button", class: "code" }, `Convert with ${name}${value}`);
  button.addEventListener("click", () => again(remedy));
  return make("div", {}, "→ ", button, ` ${remedy.effect}`);
}

/** The extension of the format's default dialect, if it has one of its own. */
function usual(format: Format): string {
  const first = format.dialects.find((dialect) => dialect.default)?.id;
  return first && format.extensions.includes(first) ? first : (format.extensions[0] ?? format.id);
}

function show({ result, current, again }: Job, report: Conversion, files: Record<string, Uint8Array>, output: string): void {
  const names = Object.keys(files);
  const total = names.reduce((sum, name) => sum + (files[name]?.length ?? 0), 0);
  const button = make("button", { type: "button", class: "primary", id: "download" });
  const main = files[output];
  if (names.length === 1 && main) {
    button.textContent = `Download ${output} (${bytes(total)})`;
    button.addEventListener("click", () => download(output, main));
  } else {
    const archive = `${output}.zip`;
    button.textContent = `Download ${archive} (${names.length} files, ${bytes(total)})`;
    button.addEventListener("click", () => download(archive, zip(files)));
  }
  const worst = report.comparison?.worst;
  const proof = worst
    ? `Proof: no vertex is farther than ${percent(worst.relative)} of the model's size from where it should be, in ${counted(
        Number(report.comparison?.["poses"] ?? 0),
        "pose",
      )}.`
    : "Not proven.";
  const losses = report.losses.map((loss) =>
    make(
      "li",
      {},
      make("strong", {}, loss.kind),
      `: ${loss.object}: ${loss.message}${extent(loss)} `,
      code(loss.code, current.session),
      loss.remedy ? avoid(loss.remedy as Remedy, again) : null,
    ),
  );
  const lost =
    losses.length === 0
      ? make("p", {}, "Nothing was lost.")
      : make("ul", { class: "plain", id: "losses" }, ...losses);
  result.replaceChildren(
    make("h3", {}, report.output),
    make("p", { id: "proof" }, proof),
    losses.length > 0 ? make("h3", {}, counted(losses.length, "loss", "losses")) : "",
    lost,
    make("p", {}, button),
  );
}
