// A page as one file: it contains everything, loads nothing, and its own policy forbids loading. Every value in its
// markup is escaped: a template cannot receive raw text by accident.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { printable } from "../../src/domain/sanitise.ts";
import { CHART_MODULES, chartLibrary, chartModule, chartStyle } from "../../src/watch/chart/assets.ts";
import type { Chart } from "./chart/spec.ts";

export type Html = { readonly markup: string };

type Value = Html | string | number | readonly Html[];

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Texts are shown as text whatever they contain, including markup, control and right-to-left characters. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return {
    markup: parts.map((part, index) => (index === 0 ? part : markupOf(values[index - 1] as Value) + part)).join(""),
  };
}

export const NOTHING: Html = { markup: "" };

/** JSON for a data block, escaped so that it can neither end the element nor start another. */
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

export type Document = {
  readonly title: string;
  readonly body: Html;
  /** Drawn where the body has placeholders for them. */
  readonly charts: readonly Chart[];
  /** Script modules that only some pages need, and their data. */
  readonly modules?: readonly PageModule[];
  readonly data?: unknown;
};

export function renderDocument({ title, body, charts, modules = [], data }: Document): string {
  const { script, style } = pageAssets(modules);
  const policy = `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; img-src data:; base-uri 'none'; form-action 'none'`;
  const block =
    data === undefined ? NOTHING : html`<script type="application/json" id="data">${jsonBlock(data)}</script>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
${html`<title>${title}</title>`.markup}
<style>${style}</style>
</head>
<body>
<noscript><p class="note">Charts are drawn by the page's own script, and scripts are switched off here: their frames stay empty, the tables have all figures.</p></noscript>
${body.markup}
${block.markup}<script type="application/json" id="charts">${jsonBlock(charts).markup}</script>
<script>${script}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** Each module follows those it imports; all of them follow the chart modules. */
const MODULES = ["bar-charts", "main"] as const;

/** Modules of some pages only, after all others. */
export type PageModule = "parameter-map";

function pageAssets(more: readonly PageModule[]): { readonly script: string; readonly style: string } {
  return {
    script: `${chartLibrary()}(() => {\n${joined(more)}})();\n`,
    style: `${chartStyle()}\n${ours("page.css")}`,
  };
}

function ours(name: string): string {
  return readFileSync(new URL(`./page/${name}`, import.meta.url), "utf8");
}

/** All modules share one scope: their names are distinct in the sources, so imports and exports can be removed. */
function joined(more: readonly PageModule[]): string {
  const sources = [...CHART_MODULES.map(chartModule), ...[...MODULES, ...more].map((name) => ours(`${name}.js`))];
  return sources.map((text) => text.replace(/^import [^;]*;\n/gm, "").replace(/^export /gm, "")).join("\n");
}
