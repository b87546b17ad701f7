// Script and style of the page, as they go into the file: the chart library with its licence, and our own modules joined
// into one. Read once, from where they are installed.

import { readFileSync } from "node:fs";
import { CHART_MODULES, chartLibrary, chartModule, chartStyle } from "../../src/chart/assets.ts";

export type Assets = { readonly script: string; readonly style: string };

/** Each after those it imports, and all after those of every chart. */
const MODULES = ["bar-charts", "main"] as const;

let read: Assets | undefined;

export function pageAssets(): Assets {
  read ??= {
    script: `${chartLibrary()}(() => {\n${joined()}})();\n`,
    style: `${chartStyle()}\n${ours("page.css")}`,
  };
  return read;
}

function ours(name: string): string {
  return readFileSync(new URL(`./page/${name}`, import.meta.url), "utf8");
}

/** One scope for all: names are told apart in the sources, so imports and exports can go. */
function joined(): string {
  const sources = [...CHART_MODULES.map(chartModule), ...MODULES.map((name) => ours(`${name}.js`))];
  return sources.map((text) => text.replace(/^import [^;]*;\n/gm, "").replace(/^export /gm, "")).join("\n");
}
