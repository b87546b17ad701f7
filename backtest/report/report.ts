// A report as plain data: what terminal and page draw, each in its own way. The page is one offline file: the report, one
// script and a policy that lets it load nothing.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { printable } from "../../src/domain/sanitise.ts";
import { CHART_MODULES, chartLibrary, chartModule, chartStyle } from "../../src/watch/chart/assets.ts";
import type { Chart } from "./chart/spec.ts";
import type { Group, Line } from "./figure-lines.ts";

export type Report = {
  readonly title: string;
  readonly facts: readonly string[];
  /** How it ended, if not as it should. */
  readonly stopped?: string | undefined;
  readonly banner?: string | undefined;
  /** To read before the figures. */
  readonly notes: readonly string[];
  readonly parts: readonly Part[];
  readonly footer: string;
};

export type Part =
  | { readonly kind: "tiles"; readonly lines: readonly Line[] }
  | { readonly kind: "charts"; readonly title: string; readonly charts: readonly Chart[] }
  | { readonly kind: "figures"; readonly title: string; readonly groups: readonly Group[] }
  | Table
  | { readonly kind: "settings"; readonly title: string; readonly rows: readonly Setting[] }
  | { readonly kind: "calendar"; readonly title: string; readonly maps: readonly HeatMap[]; readonly missing?: string }
  | { readonly kind: "map"; readonly title: string; readonly map: ParameterMap };

export type Table = {
  readonly kind: "table";
  readonly title: string;
  readonly notes?: readonly string[];
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  /** Rows on a terminal; none if absent. */
  readonly shown?: number;
  /** The page lets the reader change the second column, and works the rest out anew. */
  readonly year?: YearData;
};

/** One row a kind, quiet days first; `overs` and `less` by seed. */
export type YearData = {
  readonly rows: readonly {
    readonly rate: number;
    readonly days: number;
    readonly overs: readonly (number | null)[];
    readonly less?: readonly (number | null)[];
    readonly held: number;
  }[];
  readonly yearDays: number;
  /** Student's t for this many seeds. */
  readonly t: number;
};

export type Column = {
  readonly title: string;
  readonly align: "left" | "right";
  /** On the page alone. */
  readonly isMore: boolean;
};

export type Setting = { readonly name: string; readonly value: string };

/** `shade`: its colour, and how much of it in percent. */
type HeatCell = {
  readonly text: string;
  readonly shade: readonly ["gain" | "loss", number];
  readonly more: string;
};

export type HeatMap = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly name: string; readonly cells: readonly (HeatCell | null)[] }[];
};

/** The data of a heat map of any two parameters of a search, chosen on the page. */
export type ParameterMap = {
  readonly axes: readonly { readonly name: string; readonly labels: readonly string[] }[];
  readonly figures: readonly MapFigure[];
  /** For each parameter set, the index of its value on each axis. */
  readonly places: readonly (readonly number[])[];
};

export type MapFigure = {
  readonly label: string;
  readonly unit: "money" | "percent" | "ratio" | "count";
  /** Lower is better. */
  readonly isCost: boolean;
  readonly values: readonly (number | null)[];
};

/** `>` before a title aligns it to the right, `+` keeps the column to the page. */
export function columnsOf(...titles: readonly string[]): readonly Column[] {
  return titles.map((title) => ({
    title: title.replace(/^[+>]+/, ""),
    align: /^\+?>/.test(title) ? "right" : "left",
    isMore: title.startsWith("+"),
  }));
}

const TEXT_MAX = 2_000;

export function reportPage(report: Report): string {
  const script = `${chartLibrary()}(() => {\n${joined()}})();\n`;
  const style = `${chartStyle()}\n${ours("page.css")}`;
  const policy = `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; img-src data:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${escaped(printable(report.title, TEXT_MAX))}</title>
<style>${style}</style>
</head>
<body>
<noscript>This page is drawn by its own script, and scripts are switched off here. The data block below has the whole report.</noscript>
<script type="application/json" id="report">${dataOf(report)}</script>
<script>${script}</script>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** Texts are shown as text whatever they contain, and can neither end the element nor start another. */
function dataOf(report: Report): string {
  return JSON.stringify(report, (_, value: unknown) => (typeof value === "string" ? printable(value, TEXT_MAX) : value))
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function ours(name: string): string {
  return readFileSync(new URL(`./page/${name}`, import.meta.url), "utf8");
}

/** All modules share one scope: their names are distinct in the sources, so imports and exports can be removed. */
function joined(): string {
  const sources = [...CHART_MODULES.map(chartModule), ours("report.js")];
  return sources.map((text) => text.replace(/^import [^;]*;\n/gm, "").replace(/^export /gm, "")).join("\n");
}
