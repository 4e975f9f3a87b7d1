// What is wrong with the file, and where.

import type { Diagnostic, Validation } from "@ligament/wasm";
import { counted, make } from "./dom.js";
import type { Session } from "./session.js";

/** More would take long to show, and longer to read. */
const MOST = 200;
/** Lines before and after the one that is meant. */
const AROUND = 2;
/** Longer lines are shown around the column. */
const WIDTH = 160;

export function showProblems(section: HTMLElement, found: Validation, files: Map<string, Uint8Array>, session: Session): void {
  const worst = { error: 0, warning: 1, note: 2 };
  const sorted = [...found.diagnostics].sort((a, b) => worst[a.severity] - worst[b.severity]);
  const tally = [counted(found.errors, "error"), counted(found.warnings, "warning"), counted(found.notes, "note")];
  const verdict = found.ok ? "valid" : found.exit === "unsupported" ? "not supported" : "invalid";
  const items = sorted.slice(0, MOST).map((diagnostic) => item(diagnostic, files, session));
  section.replaceChildren(
    make("h2", { id: "problems-title" }, "Is it sound?"),
    make("p", {}, make("strong", { class: found.ok ? "" : "error" }, verdict), `: ${tally.join(", ")}`),
    make("ul", { class: "plain" }, ...items),
  );
  const more = sorted.length - items.length + found.omitted;
  if (more > 0) section.append(make("p", { class: "soft" }, `and ${more.toLocaleString("en")} more`));
}

export function item(found: Diagnostic, files: Map<string, Uint8Array>, session: Session): HTMLElement {
  const place = found.line ? `${found.file}:${found.line}:${found.column}` : found.field ? `${found.file}, ${found.field}` : found.file;
  const text = found.line ? lines(files.get(found.file), found.line, found.column ?? 1) : null;
  return make(
    "li",
    {},
    make("span", { class: found.severity }, found.severity),
    `: ${found.message} `,
    code(found.code, session),
    make("div", { class: "soft" }, place),
    text,
    found.help ? make("div", {}, `→ ${found.help}`) : null,
  );
}

/** A code that explains itself when it is pressed. */
export function code(id: string, session: Session): HTMLElement {
  const button = make("button", { type: "button", class: "code", "aria-expanded": "false", "aria-label": `explain ${id}` }, id);
  const text = make("div", { class: "soft", hidden: true });
  button.addEventListener("click", async () => {
    if (text.childNodes.length === 0) {
      const about = await session.call("explain", { code: id });
      text.append(about ? `${about.title}. ${about.explanation} ${about.fix}` : "There is no explanation.");
    }
    text.hidden = !text.hidden;
    button.setAttribute("aria-expanded", String(!text.hidden));
  });
  return make("span", {}, button, text);
}

/** The lines around a place in a text file, with a mark at the place. */
function lines(bytes: Uint8Array | undefined, line: number, column: number): HTMLElement | null {
  if (!bytes) return null;
  const starts = [0];
  let at = 0;
  // Only as far as needed: files may have millions of lines.
  while (starts.length < line + AROUND + 1) {
    at = bytes.indexOf(10, at) + 1;
    if (at === 0) break;
    starts.push(at);
  }
  if (starts.length < line) return null;
  const pre = make("pre", { tabindex: 0, "aria-label": `line ${line}` });
  for (let n = Math.max(1, line - AROUND); n <= Math.min(starts.length, line + AROUND); n += 1) {
    const slice = bytes.subarray(starts[n - 1], starts[n] ?? undefined);
    let text = new TextDecoder().decode(slice.subarray(0, 1 << 20)).replace(/\r?\n?$/, "");
    let column0 = [...text].length === text.length ? column - 1 : [...text].slice(0, column - 1).join("").length;
    if (text.length > WIDTH) {
      const from = n === line ? Math.max(0, column0 - WIDTH / 2) : 0;
      text = (from > 0 ? "…" : "") + text.slice(from, from + WIDTH) + (from + WIDTH < text.length ? "…" : "");
      column0 -= from - (from > 0 ? 1 : 0);
    }
    pre.append(`${String(n).padStart(7)} | `);
    if (n === line) {
      const rest = text.slice(column0);
      const word = rest.match(/^[^\s/;<>"]+/)?.[0] ?? rest.slice(0, 1);
      pre.append(text.slice(0, column0), make("mark", {}, word || " "), rest.slice(word.length), "\n");
    } else {
      pre.append(text, "\n");
    }
  }
  // A long line begins where the place can be seen, once it has a width.
  const mark = pre.querySelector("mark");
  const sizes = new ResizeObserver(() => {
    if (!mark || pre.clientWidth === 0) return;
    pre.scrollLeft = mark.offsetLeft + mark.offsetWidth - pre.clientWidth * 0.75;
    sizes.disconnect();
  });
  sizes.observe(pre);
  return pre;
}
