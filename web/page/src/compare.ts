// Two models side by side: how far the second is from the first.

import { counted, get, make, percent, table } from "./dom.js";
import { chosen, read } from "./files.js";
import type { Current, Work } from "./convert.js";
import { Cancelled, Session } from "./session.js";

interface Difference {
  feature: string;
  first: string;
  second: string;
}

export function showCompare(section: HTMLElement, current: Current, work: Work): void {
  const input = make("input", { type: "file", id: "second", multiple: true, hidden: true });
  const open = make("button", { type: "button", id: "open-second" }, "Compare with…");
  const result = make("div", { id: "comparison", tabindex: -1 });
  open.addEventListener("click", () => input.click());
  input.addEventListener("change", async () => {
    if (!input.files?.length) return;
    let session: Session | undefined;
    const shown = work("comparing", () => session?.end());
    try {
      const second = new Map([...(await read(chosen(input.files)))].map(([path, bytes]) => [`second/${path}`, bytes]));
      const with_ = await Session.with(new Map([...current.files, ...second]));
      session = with_.session;
      const path = with_.opened.models.find((model) => second.has(model));
      if (!path) throw new Error("There is no model among these files.");
      const a = await session.call("load", { path: current.path }, shown.stage);
      const b = await session.call("load", { path }, shown.stage);
      shown.stage("posing both");
      const found = await session.call("compare", { first: a.index, second: b.index });
      const worst = found.worst;
      const differences = (found["differences"] as Difference[]).filter((difference) => difference.feature !== "extras");
      const where = worst?.["clip"] ? `clip “${worst["clip"]}” at ${Number(worst["time"]).toFixed(3)} s` : "at rest";
      result.replaceChildren(
        make("h3", {}, path.slice("second/".length)),
        make("p", {}, worst ? `Worst deviation: ${percent(worst.relative)} of the size, ${where}.` : "There is nothing to compare."),
        differences.length > 0
          ? table("differences", ["what", "first", "second"], differences.map((one) => [one.feature, one.first, one.second]))
          : make("p", {}, "No other differences."),
        make("p", { class: "soft" }, `${counted(Number(found["points"]), "vertex", "vertices")} in ${counted(Number(found["poses"]), "pose")}`),
      );
    } catch (error) {
      result.replaceChildren(make("p", { class: "error" }, error instanceof Cancelled ? "Cancelled." : String((error as Error).message)));
    } finally {
      session?.end();
      input.value = "";
      shown.done();
      get("comparison").focus();
    }
  });
  section.replaceChildren(make("h2", { id: "compare-title" }, "Compare"), make("p", {}, open, input), result);
}
