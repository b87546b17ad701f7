// Script and style of the page, as they go into the file: the chart library with its licence, and our own modules joined
// into one. Read once, from where they are installed.

import { readFileSync } from "node:fs";
import { CHART_MODULES, chartLibrary, chartModule, chartStyle } from "../../src/watch/chart/assets.ts";

export type Assets = { readonly script: string; readonly style: string };

/** Each after those it imports, and all after those of every chart. */
const MODULES = ["bar-charts", "main"] as const;

/** For some pages only, after all others. */
export type PageModule = "parameter-map";

const read = new Map<string, Assets>();

export function pageAssets(more: readonly PageModule[] = []): Assets {
  const known = read.get(more.join());
  if (known !== undefined) return known;
  const made = {
    script: `${chartLibrary()}(() => {\n${joined(more)}})();\n`,
    style: `${chartStyle()}\n${ours("page.css")}`,
  };
  read.set(more.join(), made);
  return made;
}

function ours(name: string): string {
  return readFileSync(new URL(`./page/${name}`, import.meta.url), "utf8");
}

/** One scope for all: names are told apart in the sources, so imports and exports can go. */
function joined(more: readonly PageModule[]): string {
  const sources = [...CHART_MODULES.map(chartModule), ...[...MODULES, ...more].map((name) => ours(`${name}.js`))];
  return sources.map((text) => text.replace(/^import [^;]*;\n/gm, "").replace(/^export /gm, "")).join("\n");
}
