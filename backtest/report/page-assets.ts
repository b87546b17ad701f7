// Script and style of the page, as they go into the file: the chart library with its licence, and our own modules joined
// into one. Read once, from where they are installed.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export type Assets = { readonly script: string; readonly style: string };

/** Each after those it imports. */
const MODULES = ["theme", "format", "frame", "time-chart", "bar-charts", "lane-charts", "main"] as const;

let read: Assets | undefined;

export function pageAssets(): Assets {
  read ??= {
    script: `/*\n${library("uplot/LICENSE")}*/\n${library("uplot/dist/uPlot.iife.min.js")}\n(() => {\n${joined()}})();\n`,
    style: `${library("uplot/dist/uPlot.min.css")}\n${ours("page.css")}`,
  };
  return read;
}

function library(path: "uplot/LICENSE" | "uplot/dist/uPlot.iife.min.js" | "uplot/dist/uPlot.min.css"): string {
  return readFileSync(fileURLToPath(new URL(path.slice("uplot/".length), LIBRARY)), "utf8");
}

const LIBRARY = new URL("..", import.meta.resolve("uplot/dist/uPlot.iife.min.js"));

function ours(name: string): string {
  return readFileSync(new URL(`./page/${name}`, import.meta.url), "utf8");
}

/** One scope for all: names are told apart in the sources, so imports and exports can go. */
function joined(): string {
  return MODULES.map((name) =>
    ours(`${name}.js`)
      .replace(/^import [^;]*;\n/gm, "")
      .replace(/^export /gm, ""),
  ).join("\n");
}
