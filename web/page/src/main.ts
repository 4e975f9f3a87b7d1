// The page: what is opened goes through a worker and into the sections.

import { type Current, showConvert } from "./convert.js";
import { showCompare } from "./compare.js";
import { get, make } from "./dom.js";
import { showFacts } from "./facts.js";
import { type Opened, chosen, dropped, named, read } from "./files.js";
import { showProblems } from "./problems.js";
import type { Format, Surfaces } from "./protocol.js";
import { Cancelled, Failed, Session } from "./session.js";

let session: Session | undefined;
/** Ends what is shown of the model before. */
let leave = () => {};

/** How often something was opened or chosen: what was begun before the last time is no longer wanted. */
let turn = 0;

/** Everything that is being done; the last begun is shown. */
const works: { text: string; cancel: (() => void) | undefined }[] = [];

/** Shows that something is being done, and a way to stop it. */
function work(what: string, cancel?: () => void) {
  const own = { text: `${what}…`, cancel };
  const show = () => {
    const last = works.at(-1);
    get("status").textContent = last?.text ?? "";
    const button = get<HTMLButtonElement>("cancel");
    button.hidden = !last?.cancel;
    button.onclick = () => last?.cancel?.();
  };
  works.push(own);
  show();
  return {
    stage: (stage: string) => {
      own.text = `${what}: ${stage}…`;
      show();
    },
    done: () => {
      works.splice(works.indexOf(own), 1);
      show();
    },
  };
}

function complain(error: unknown): void {
  // What is wrong with the file is listed with its places.
  const isListed = error instanceof Failed && error.report?.exit === "invalid";
  get("fault").textContent = isListed ? "The file cannot be read. What is wrong is listed below." : error instanceof Error ? error.message : String(error);
}

/** Opens files: finds the models among them, and shows the first. */
async function open(reading: Promise<Opened | undefined>): Promise<void> {
  get("fault").replaceChildren();
  try {
    const files = await reading;
    if (!files || files.size === 0) return;
    const mine = ++turn;
    leave();
    leave = () => {};
    session?.end();
    session = undefined;
    get("model-parts").hidden = true;
    const loading = work("loading the converter");
    const started = await Session.with(files).finally(loading.done);
    if (mine !== turn) {
      started.session.end();
      return;
    }
    session = started.session;
    const { models, formats } = started.opened;
    const select = get<HTMLSelectElement>("model");
    select.replaceChildren(...models.map((path) => make("option", { value: path }, path)));
    get("which").hidden = models.length < 2;
    select.onchange = () => void show(files, select.value, formats as unknown as Format[]);
    document.body.classList.add("opened");
    await show(files, models[0] as string, formats as unknown as Format[]);
  } catch (error) {
    complain(error);
  }
}

/** Shows one of the models. */
async function show(files: Opened, path: string, formats: Format[]): Promise<void> {
  get("fault").replaceChildren();
  leave();
  leave = () => {};
  const there = session;
  if (!there) return;
  const mine = ++turn;
  const isOld = () => mine !== turn;
  const shown = work(`reading ${path}`, () => there.end());
  try {
    const validation = await there.call("validate", { path }, shown.stage);
    if (isOld()) return;
    showProblems(get("problems"), validation, files, there);
    let surfaces: Surfaces | undefined;
    try {
      surfaces = await there.call("load", { path }, shown.stage);
    } catch (error) {
      if (error instanceof Cancelled) throw error;
      complain(error);
    }
    if (isOld()) return;
    get("model-parts").hidden = false;
    for (const id of ["facts", "convert", "compare", "view"]) get(id).hidden = !surfaces;
    if (surfaces) {
      const current: Current = { path, format: surfaces.facts.format, files, formats, session: there };
      showFacts(get("facts"), surfaces.facts, formats);
      showConvert(get("convert"), current, work);
      // Drawing is loaded when there is something to draw.
      const { showView } = await import("./view/view.js");
      const view = await showView(get("view"), surfaces, there);
      if (isOld()) {
        view.end();
        return;
      }
      const leaveSecond = showCompare(get("compare"), current, view, work);
      const { index } = surfaces;
      leave = () => {
        view.end();
        leaveSecond();
        // Its worker may be gone, and the memory with it.
        there.call("free", { index }).catch(() => {});
      };
    }
    document.title = `${path} – ligament`;
  } catch (error) {
    if (isOld()) return;
    if (error instanceof Cancelled) get("fault").textContent = "Cancelled. Open the model again to go on.";
    else complain(error);
  } finally {
    shown.done();
  }
}

function choose(button: string, input: string): void {
  const field = get<HTMLInputElement>(input);
  get(button).addEventListener("click", () => field.click());
  field.addEventListener("change", () => {
    // The list empties with the field.
    const found = field.files ? chosen(field.files) : [];
    field.value = "";
    void open(read(found));
  });
}

function drop(): void {
  let depth = 0;
  const over = (change: number) => {
    depth = Math.max(0, depth + change);
    document.body.classList.toggle("over", depth > 0);
  };
  document.addEventListener("dragenter", () => over(1));
  document.addEventListener("dragleave", () => over(-1));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    over(-depth);
    if (event.dataTransfer) void open(dropped(event.dataTransfer).then(read));
  });
}

function theme(): void {
  const page = document.documentElement;
  get("theme").addEventListener("click", () => {
    const isDark = (page.dataset["theme"] ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    page.dataset["theme"] = isDark ? "light" : "dark";
  });
}

choose("open", "files");
choose("open-folder", "folder");
drop();
theme();
get("known").textContent = "glTF, FBX, COLLADA, OBJ, PFOBJ, BogleEngine, QMSH, APG, AMO. Nothing is uploaded: the work is done in this tab.";
if (new URLSearchParams(location.search).has("url")) void open(named(location.search));
