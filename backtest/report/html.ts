// Markup with every value escaped: a template that cannot be given raw text by accident.

import { printable } from "../../src/domain/outside-text.ts";

export type Html = { readonly markup: string };

type Value = Html | string | number | readonly Html[];

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Texts are shown as text whatever they hold: markup, control and right-to-left characters included. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return {
    markup: parts.map((part, index) => (index === 0 ? part : markupOf(values[index - 1] as Value) + part)).join(""),
  };
}

export const NOTHING: Html = { markup: "" };

/** For a data block: nothing in it can end the element or start another. */
export function jsonBlock(value: unknown): Html {
  return {
    markup: JSON.stringify(value)
      .replaceAll("<", "\\u003c")
      .replaceAll("\u2028", "\\u2028")
      .replaceAll("\u2029", "\\u2029"),
  };
}

function markupOf(value: Value): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return printable(value, 2_000).replace(/[&<>"']/g, (one) => ESCAPES[one] ?? one);
  return "markup" in value ? value.markup : value.map(({ markup }) => markup).join("");
}
