// A form made from the rows of settings.

import { make } from "./dom.js";
import type { Setting } from "./protocol.js";

/** A setting's field, and the value that was chosen; `undefined` is the default. */
interface Field {
  element: HTMLElement;
  value: () => unknown;
  set: (value: unknown) => void;
}

/** Settings that mean nothing here: there is no file to replace, and no disk to read others from. */
const LEFT_OUT = ["keep_existing", "clips_from", "reorder_joints"];

/** `max_error` is *Max error*. */
function title(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function field(setting: Setting): Field {
  const id = `option-${setting.name}`;
  const help = `${id}-help`;
  const described = { id, "aria-describedby": help };
  const label = make("label", { for: id }, title(setting.name));
  const hint = make("small", { id: help }, `${setting.help}.`);
  const option = (...inner: HTMLElement[]) => make("div", { class: "option" }, ...inner, hint);
  switch (setting.kind) {
    case "flag": {
      const box = make("input", { ...described, type: "checkbox", checked: setting.default === true });
      label.prepend(box, " ");
      return { element: option(label), value: () => (box.checked === (setting.default === true) ? undefined : box.checked), set: (value) => void (box.checked = value === true) };
    }
    case "word": {
      const usual = setting.choices.find((choice) => choice.id === setting.default);
      const first = make("option", { value: "" }, usual ? `${usual.id}: ${usual.help} (default)` : "default");
      const others = setting.choices.filter((choice) => choice !== usual);
      const items = others.map((choice) => make("option", { value: choice.id }, `${choice.id}: ${choice.help}`));
      const select = make("select", described, first, ...items);
      return { element: option(label, select), value: () => select.value || undefined, set: (value) => void (select.value = value === setting.default ? "" : String(value)) };
    }
    case "texts": {
      const input = make("input", { ...described, type: "text", placeholder: "one, or several with ; between" });
      const texts = () => input.value.split(";").map((text) => text.trim());
      const value = () => {
        const given = texts().filter((text) => text !== "");
        return given.length > 0 ? given : undefined;
      };
      const set = (value: unknown) => void (input.value = Array.isArray(value) ? value.join("; ") : String(value));
      return { element: option(label, input), value, set };
    }
    default: {
      const usual = setting.default === null ? "default" : String(setting.default);
      const input = make("input", { ...described, type: "number", placeholder: usual, step: "any" });
      if (setting.minimum !== null) input.min = String(setting.minimum);
      return { element: option(label, input), value: () => (input.value === "" ? undefined : Number(input.value)), set: (value) => void (input.value = String(value)) };
    }
  }
}

export interface Form {
  element: HTMLElement;
  /** The values that are not the defaults. */
  values: () => Record<string, unknown>;
  /** Sets one; returns whether there is such a setting. */
  set: (name: string, value: unknown) => boolean;
}

/** The form of a conversion: the settings for reading its input, and for writing its output. */
export function form(reading: Setting[], writing: Setting[]): Form {
  const rows = new Map([...reading, ...writing].map((setting) => [setting.name, setting]));
  LEFT_OUT.forEach((name) => rows.delete(name));
  const fields = [...rows.values()].map((setting) => ({ setting, ...field(setting) }));
  const group = (heading: string, isGeneral: boolean) => {
    const own = fields.filter(({ setting }) => setting.general === isGeneral);
    if (own.length === 0) return null;
    const grid = make("div", { class: "options" }, ...own.map(({ element }) => element));
    return make("details", {}, make("summary", {}, `${heading} (${own.length})`), grid);
  };
  const element = make("div", {}, group("Options of these formats", false), group("Options of every format", true));
  const values = () => {
    const given = fields.map(({ setting, value }) => [setting.name, value()]);
    return Object.fromEntries(given.filter(([, value]) => value !== undefined));
  };
  const set = (name: string, value: unknown) => {
    const found = fields.find(({ setting }) => setting.name === name);
    found?.set(value);
    return found !== undefined;
  };
  return { element, values, set };
}
