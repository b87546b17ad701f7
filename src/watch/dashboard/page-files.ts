// The files of the page by address: read once at the start and served unchanged. Addresses mirror the folders below
// src, so that modules import each other in the same way on disk and in the browser.

import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { CHART_MODULES, chartLibrary, chartModule, chartStyle } from "../chart/assets.ts";
import type { Reply } from "./reply.ts";

const MODULES = [
  "background",
  "budget",
  "charts",
  "dom",
  "format",
  "inventory",
  "lists",
  "main",
  "series",
  "state",
  "stream",
  "switch",
  "tape",
  "top",
] as const;

const SCRIPT = "text/javascript; charset=utf-8";
const STYLE = "text/css; charset=utf-8";

/** Only our own files, nothing inline; no text can become markup or script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

export function pageFiles(): ReadonlyMap<string, Reply> {
  const texts: [string, string, string][] = [
    ["/uplot.js", SCRIPT, chartLibrary()],
    ["/chart/page/chart.css", STYLE, chartStyle()],
    ["/dashboard/page/page.css", STYLE, ours("page.css")],
    ...CHART_MODULES.map((name): [string, string, string] => [`/chart/page/${name}.js`, SCRIPT, chartModule(name)]),
    ...MODULES.map((name): [string, string, string] => [`/dashboard/page/${name}.js`, SCRIPT, ours(`${name}.js`)]),
  ];
  // The page asks the bot for its build; after an update it asks to be reloaded.
  const build = hash("sha256", texts.map(([, , text]) => text).join("\0")).slice(0, 16);
  const page = ours("index.html").replace("{{build}}", build);
  return new Map([
    [
      "/",
      {
        status: 200,
        type: "text/html; charset=utf-8",
        text: page,
        headers: { "content-security-policy": POLICY, "x-page-build": build },
      },
    ],
    ...texts.map(([path, type, text]): [string, Reply] => [path, { status: 200, type, text }]),
  ]);
}

function ours(name: string): string {
  return readFileSync(new URL(`./page/${name}`, import.meta.url), "utf8");
}
