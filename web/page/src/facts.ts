// What is in the model.

import type { Facts } from "@ligament/wasm";
import { bytes, counted, make, percent, table } from "./dom.js";
import type { Format } from "./protocol.js";

interface Named {
  name: string;
}

const name = (item: Named, index: number) => item.name || `(no name, ${index})`;

export function showFacts(section: HTMLElement, facts: Facts, formats: Format[]): void {
  const format = formats.find((known) => known.id === facts.format)?.name ?? facts.format;
  const { counts } = facts;
  const rows: [string, string][] = [
    ["Format", facts.dialect ? `${format}, ${facts.dialect}` : format],
    ["File", `${facts.file}, ${bytes(facts.bytes)}`],
    ["Content", [
      counted(counts.vertices, "vertex", "vertices"),
      counted(counts.triangles, "triangle"),
      counted(counts.joints, "joint"),
      counted(counts.clips, "clip"),
      counted(counts.nodes, "node"),
    ].join(", ")],
  ];
  if (facts.bounds) rows.push(["Size", facts.bounds.size.map((n) => Number(n.toPrecision(4))).join(" × ")]);
  const reading = facts["reading"] as { relative: number } | null;
  if (reading) rows.push(["Read with", `a deviation of up to ${percent(reading.relative)} from the file`]);
  for (const [key, text] of Object.entries((facts["about"] as Record<string, string>) ?? {})) rows.push([key, text]);
  const body = rows.map(([key, text]) => make("tr", {}, make("th", { scope: "row" }, key), make("td", {}, text)));

  const clips = facts.clips.map((clip, index) => [
    name(clip, index),
    `${clip.seconds.toFixed(3)} s`,
    clip.fps ? `${clip.fps} fps` : "–",
    Number(clip["keys"] ?? 0),
  ]);
  const materials = ((facts["materials"] as (Named & { kinds: string[] })[]) ?? []).map((material, index) => [
    name(material, index),
    material.kinds.join(", "),
  ]);
  const images = facts.images.map((image, index) => [
    image.file ?? name(image, index),
    image.width ? `${image.width} × ${image.height}` : "–",
    image.file === undefined ? "embedded" : (image as { found?: boolean }).found ? "found" : "missing",
  ]);
  const missing = facts.images.filter((image) => image.file !== undefined && !(image as { found?: boolean }).found);
  const part = (title: string, columns: string[], rows: (string | number)[][]) =>
    rows.length > 0 ? [make("h3", {}, title), table(title, columns, rows)] : [];
  section.replaceChildren(
    make("h2", { id: "facts-title" }, "What is in it"),
    make("table", {}, make("tbody", {}, ...body)),
    ...part("Clips", ["clip", "length", "rate", "keys"], clips),
    ...part("Materials", ["material", "kind"], materials),
    ...part("Images", ["image", "pixels", "where"], images),
  );
  if (missing.length > 0) {
    section.append(make("p", { class: "warning" }, `${counted(missing.length, "texture")} missing: open the model together with its folder.`));
  }
}
