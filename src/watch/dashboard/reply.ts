// An answer as a value, and its writer: the headers keep other sites from reading, framing or running any of it.

import type { IncomingMessage, ServerResponse } from "node:http";
import { redacted } from "../../domain/redact.ts";
import { printableJson } from "../../domain/sanitise.ts";

export type Reply = {
  readonly status: number;
  readonly type: string;
  readonly text: string;
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

export const HEADERS: Readonly<Record<string, string>> = {
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
