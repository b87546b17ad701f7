// Socket I/O: reads a request from a socket, and delivers an answer, a reset, or nothing.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../../domain/time.ts";
import { type ApiRequest, BODY_BYTES_MAX, type Reply } from "./request.ts";
import type { Delivery } from "./service.ts";

const DISCARDED_BYTES_MAX = 16 * BODY_BYTES_MAX;

/** The arrival time is taken before the body is read: that is when the request reached the service. */
export async function receive(incoming: IncomingMessage, clock: Clock): Promise<ApiRequest> {
  const arrivedAt = clock.now();
  const arrivedMono = clock.monotonic();
  // A target that is not a URL (`//`) is treated as a path that does not exist.
  const url = URL.parse(incoming.url ?? "/", "http://simulator") ?? new URL("http://simulator");
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(incoming.headers))
    headers[name] = Array.isArray(value) ? value.join(",") : value;
  const body = await readBody(incoming);
  const method = incoming.method ?? "GET";
  return { method, path: url.pathname, query: url.searchParams, headers, body, arrivedAt, arrivedMono };
}

/** Undefined when the body is too large; the rest is read and discarded, so that the client receives the answer. */
function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_BYTES_MAX) chunks.push(chunk);
      else if (size > DISCARDED_BYTES_MAX) incoming.destroy();
    });
    incoming.on("end", () => resolve(size > BODY_BYTES_MAX ? undefined : Buffer.concat(chunks)));
    incoming.on("error", reject);
    incoming.on("close", () => reject(new Error("the client went away")));
  });
}

export function deliver(response: ServerResponse, delivery: Delivery): void {
  if (delivery.kind === "sent") sendReply(response, delivery.reply);
  else if (delivery.kind === "reset") response.socket?.resetAndDestroy();
}

export function sendReply(response: ServerResponse, { status, headers, body }: Reply): void {
  // The date header comes from our clock, not from Node.
  response.sendDate = false;
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  response.end(body);
}
