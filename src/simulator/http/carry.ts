// Socket I/O: reads a request from a socket, and delivers an answer normally, slowly, truncated, or not at all.

import type { IncomingMessage, ServerResponse } from "node:http";
import { pause } from "../../domain/pause.ts";
import type { Clock, Timers } from "../../domain/time.ts";
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

export async function deliver(response: ServerResponse, delivery: Delivery, timers: Timers): Promise<void> {
  switch (delivery.kind) {
    case "silence":
      return;
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "sent": {
      const { reply, bytesPerSecond, cutAt } = delivery;
      if (cutAt !== undefined) return sendCut(response, reply, cutAt);
      if (bytesPerSecond !== undefined) return sendSlowly(response, reply, bytesPerSecond, timers);
      sendReply(response, reply);
    }
  }
}

export function sendReply(response: ServerResponse, reply: Reply): void {
  begin(response, reply, Buffer.byteLength(reply.body));
  response.end(reply.body);
}

/** Announces the whole length, sends a part, and closes the connection. */
function sendCut(response: ServerResponse, reply: Reply, cutAt: number): void {
  begin(response, reply, Buffer.byteLength(reply.body));
  response.write(reply.body.slice(0, cutAt), () => response.socket?.destroy());
}

const DRIP_INTERVAL_MS = 50;

async function sendSlowly(response: ServerResponse, reply: Reply, perSecond: number, timers: Timers): Promise<void> {
  const bytes = Buffer.from(reply.body);
  begin(response, reply, bytes.length);
  response.flushHeaders();
  const step = Math.max(1, Math.floor((perSecond * DRIP_INTERVAL_MS) / 1_000));
  const intervalMs = Math.max(DRIP_INTERVAL_MS, Math.ceil(1_000 / perSecond));
  for (let sent = 0; sent < bytes.length && !response.destroyed; sent += step) {
    await pause(timers, intervalMs);
    response.write(bytes.subarray(sent, sent + step));
  }
  response.end();
}

function begin(response: ServerResponse, reply: Reply, length: number): void {
  // The date header comes from our clock, not from Node.
  response.sendDate = false;
  response.writeHead(reply.status, { ...reply.headers, "content-length": length });
}
