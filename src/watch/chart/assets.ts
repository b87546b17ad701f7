// The files that a page needs to draw charts: the library with its licence, our modules and their style. They are read
// from their install location at each call.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** In import order: each module comes after the modules that it imports. */
export const CHART_MODULES = ["theme", "format", "shapes", "frame", "time-chart"] as const;

const LIBRARY = new URL("..", import.meta.resolve("uplot/dist/uPlot.iife.min.js"));

/** A classic script that defines the global `uPlot`. */
export function chartLibrary(): string {
  return `/*\n${library("LICENSE")}*/\n${library("dist/uPlot.iife.min.js")}\n`;
}

export function chartModule(name: (typeof CHART_MODULES)[number]): string {
  return ours(`${name}.js`);
}

export function chartStyle(): string {
  return `${library("dist/uPlot.min.css")}\n${ours("chart.css")}`;
}

function library(path: string): string {
  return readFileSync(fileURLToPath(new URL(path, LIBRARY)), "utf8");
}

function ours(name: string): string {
  return readFileSync(new URL(`./page/${name}`, import.meta.url), "utf8");
}
