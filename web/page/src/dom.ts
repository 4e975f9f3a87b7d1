// Elements, made in one line.

type Content = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | EventListener>;

/** An element with attributes (functions are listeners) and content. */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...content: Content[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (typeof value === "boolean") element.toggleAttribute(key, value);
    else element.setAttribute(key, String(value));
  }
  for (const item of content) if (item) element.append(item);
  return element;
}

/** The element with an id, which the page has. */
export function get<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element as T;
}

/** A table with a heading for screen readers. */
export function table(caption: string, columns: string[], rows: (string | number)[][]): HTMLElement {
  const head = make("tr", {}, ...columns.map((name) => make("th", { scope: "col" }, name)));
  const cell = (value: string | number) =>
    make("td", typeof value === "number" ? { class: "number" } : {}, typeof value === "number" ? value.toLocaleString("en") : value);
  const body = rows.map((row) => make("tr", {}, ...row.map(cell)));
  const label = { class: "scroll", tabindex: 0, role: "region", "aria-label": caption };
  return make("div", label, make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
}

export function bytes(count: number): string {
  if (count < 1000) return `${count} bytes`;
  if (count < 1e6) return `${(count / 1e3).toFixed(1)} kB`;
  return `${(count / 1e6).toFixed(1)} MB`;
}

/** A part of the model's size, as the command line shows it. */
export function percent(relative: number): string {
  if (relative === 0) return "0";
  return `${Number((relative * 100).toPrecision(relative < 1e-6 ? 1 : 2))} %`;
}

/** `one vertex`, `2 vertices`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
