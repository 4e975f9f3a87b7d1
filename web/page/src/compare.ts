// Two models side by side: how far the second is from the first.

import type { Pose } from "@ligament/wasm";
import { counted, get, make, percent, table } from "./dom.js";
import { chosen, read } from "./files.js";
import type { Current, Work } from "./convert.js";
import { Cancelled, Session } from "./session.js";
import type { Colour, Shown } from "./view/view.js";

interface Difference {
  feature: string;
  first: string;
  second: string;
}

/** How far each vertex of the second pose is from its counterpart in the first, as a part of the worst distance. */
function deviations(pairs: Uint32Array, first: Pose, second: Pose, worst: number): Float32Array[] {
  const joined = (pose: Pose) => {
    const all = new Float32Array(pose.parts.reduce((sum, part) => sum + part.positions.length, 0));
    let at = 0;
    for (const { positions } of pose.parts) {
      all.set(positions, at);
      at += positions.length;
    }
    return all;
  };
  const [a, b] = [joined(first), joined(second)];
  const values = new Float32Array(b.length / 3);
  for (let i = 0; i < pairs.length; i += 2) {
    const [from, to] = [pairs[i] ?? 0, pairs[i + 1] ?? 0];
    const side = (k: number) => (a[3 * from + k] ?? 0) - (b[3 * to + k] ?? 0);
    const far = worst > 0 ? Math.hypot(side(0), side(1), side(2)) / worst : 0;
    values[to] = Math.max(values[to] ?? 0, far);
  }
  let at = 0;
  return second.parts.map(({ positions }) => values.slice(at, (at += positions.length / 3)));
}

/** Fills the section; returns what ends the view of the second model. */
export function showCompare(section: HTMLElement, current: Current, first: Shown, work: Work): () => void {
  let leave = () => {};
  const input = make("input", { type: "file", id: "second", multiple: true, hidden: true });
  const open = make("button", { type: "button", id: "open-second" }, "Compare with…");
  const result = make("div", { id: "comparison", tabindex: -1 });
  open.addEventListener("click", () => input.click());
  input.addEventListener("change", async () => {
    if (!input.files?.length) return;
    leave();
    let session: Session | undefined;
    let isShown = false;
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
      // Clips may have other names in the second model.
      const pairs = found["clips"] as { first: string; second: string }[];
      const differences = (found["differences"] as Difference[]).filter((difference) => difference.feature !== "extras");
      const where = worst?.["clip"] ? `clip “${worst["clip"]}” at ${Number(worst["time"]).toFixed(3)} s` : "at rest";
      const picture = make("div", { id: "second-view" });
      const { showView } = await import("./view/view.js");
      const second_ = await showView(picture, b, session, "second-");
      const there = session;
      leave = () => {
        second_.end();
        there.end();
      };
      isShown = true;
      // Both views at the place where the models differ most.
      const show = make("button", { type: "button", id: "worst" }, "Show both there");
      show.addEventListener("click", () => {
        const [clip, seconds] = [(worst?.["clip"] as string | null) ?? null, Number(worst?.["time"] ?? 0)];
        first.at(clip, seconds);
        second_.at(pairs.find((pair) => pair.first === clip)?.second ?? clip, seconds);
      });
      const vertices = await session.call("pairs", { first: a.index, second: b.index });
      const partner = (clip: string | null) => {
        const name = pairs.find((pair) => pair.second === clip)?.first;
        const index = a.facts.clips.findIndex((known) => known.name === name);
        return index >= 0 ? index : null;
      };
      const far = make("input", { type: "checkbox", id: "deviation" });
      far.addEventListener("change", () => {
        const by: Colour = async (pose, clip, seconds) => {
          const other = await there.call("pose", { index: a.index, clip: partner(clip), seconds, morphs: undefined });
          return deviations(vertices, other, pose, worst?.distance ?? 0);
        };
        second_.colour(far.checked ? by : undefined);
      });
      const key = worst ? `Deviation: blue is near, red as far as ${percent(worst.relative)} of the size` : "Deviation";
      result.replaceChildren(
        picture,
        make("p", {}, make("label", {}, far, ` ${key}`)),
        make("p", {}, worst ? `Worst deviation: ${percent(worst.relative)} of the size, ${where}.` : "There is nothing to compare.", " ", worst ? show : null),
        differences.length > 0
          ? table("differences", ["what", "first", "second"], differences.map((one) => [one.feature, one.first, one.second]))
          : make("p", {}, "No other differences."),
        make("p", { class: "soft" }, `${counted(Number(found["points"]), "vertex", "vertices")} in ${counted(Number(found["poses"]), "pose")}`),
      );
    } catch (error) {
      result.replaceChildren(make("p", { class: "error" }, error instanceof Cancelled ? "Cancelled." : String((error as Error).message)));
    } finally {
      if (!isShown) session?.end();
      input.value = "";
      shown.done();
      get("comparison").focus();
    }
  });
  section.replaceChildren(make("h2", { id: "compare-title" }, "Compare"), make("p", {}, open, input), result);
  return () => leave();
}
