// An answer as a value, the files of the page as answers, and the writer: the headers keep other sites from reading, framing or running any of it.

import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { redacted } from "../../domain/redact.ts";
import { printableJson } from "../../domain/sanitise.ts";

import { chartLibrary, chartStyle } from "../chart/assets.ts";

export type Reply = {
  readonly status: number;
  readonly type: string;
  readonly text: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
};

export function plain(status: number, text: string): Reply {
  return { status, type: "text/plain; charset=utf-8", text: `${redacted(text)}\n` };
}

/** Values are unchanged; characters that could move a cursor are written as JSON escapes. */
export function json(status: number, value: unknown): Reply {
  return {
    status,
    type: "application/json; charset=utf-8",
    text: `${printableJson(redacted(JSON.stringify(value)))}\n`,
  };
}

const HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

export function send(request: IncomingMessage, response: ServerResponse, { status, type, text, headers }: Reply): void {
  // The unread rest of a body would be parsed as the next request.
  if (!request.complete) response.setHeader("connection", "close");
  response.writeHead(status, {
    ...HEADERS,
    ...headers,
    "content-type": type,
    "content-length": Buffer.byteLength(text),
  });
  response.end(request.method === "HEAD" ? undefined : text);
}

// The files of the page by address: read once at the start and served unchanged.

const MODULES = ["app", "charts", "dialog", "explain", "format", "main", "tables", "top"] as const;

/** From a checkout the types are stripped; the package has them compiled. */
const EXTENSION = import.meta.url.endsWith(".ts") ? "ts" : "js";

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
    ["/uplot.css", STYLE, chartStyle()],
    ["/page/page.css", STYLE, ours("page.css")],
    ["/page/preact.js", SCRIPT, readFileSync(fileURLToPath(import.meta.resolve("htm/preact/standalone")), "utf8")],
    ...MODULES.map((name): [string, string, string] => [`/page/${name}.${EXTENSION}`, SCRIPT, scriptOf(name)]),
  ];
  // The page asks the bot for its build; after an update it asks to be reloaded.
  const build = hash("sha256", texts.map(([, , text]) => text).join("\0")).slice(0, 16);
  const page = ours("index.html").replace("{{build}}", build).replace("{{main}}", `/page/main.${EXTENSION}`);
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

function scriptOf(name: (typeof MODULES)[number]): string {
  const text = ours(`${name}.${EXTENSION}`);
  return EXTENSION === "ts" ? process.getBuiltinModule("node:module").stripTypeScriptTypes(text) : text;
}

function ours(name: string): string {
  return readFileSync(new URL(`./page/${name}`, import.meta.url), "utf8");
}
