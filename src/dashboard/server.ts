// What a running bot answers over HTTP, on this machine only: whether it lives, whether it is ready and why not, its
// metrics, and the switch. What it shows and what it does come in as functions; it knows nothing of the bot.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { invariant } from "../domain/invariant.ts";
import { isLoopback } from "../domain/loopback.ts";
import { printable } from "../domain/outside-text.ts";
import { readJson } from "./body.ts";
import { createGatekeeper, type Gatekeeper } from "./gatekeeper.ts";

export type ServerParts = {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly token: string;
  /** Why the bot is not ready to trade; none when it is. */
  readonly unready: () => readonly string[];
  readonly metrics: () => Promise<{ readonly type: string; readonly text: string }>;
  /** Stops everything for good; what it gives back could not be done. */
  readonly halt: (reason: string, by: string) => string | undefined;
};

export type DashboardServer = { readonly url: string; readonly port: number; close(): Promise<void> };

const CONNECTIONS_MAX = 64;
const PATIENCE_MS = 5_000;
const CHECK_EVERY_MS = 1_000;
const REASON_MAX = 200;

export async function startServer(parts: ServerParts): Promise<DashboardServer> {
  invariant(isLoopback(parts.host), `server.host must be a loopback address, was ${parts.host}`);
  const server = createServer({
    requestTimeout: PATIENCE_MS,
    headersTimeout: PATIENCE_MS,
    keepAliveTimeout: PATIENCE_MS,
    // Patience is looked at only this often: with Node's 30 s, a few idle connections would keep the switch busy for long.
    connectionsCheckingInterval: CHECK_EVERY_MS,
  });
  server.maxConnections = CONNECTIONS_MAX;
  const port = await listen(server, parts);
  const gatekeeper = createGatekeeper(parts.host, port, parts.token);
  server.on("request", (request, response) => {
    answer(parts, gatekeeper, request).then(
      (reply) => send(request, response, reply),
      () => send(request, response, plain(500, "failed")),
    );
  });
  return {
    url: `http://${parts.host.includes(":") ? `[${parts.host}]` : parts.host}:${port}/`,
    port,
    close: () => close(server),
  };
}

type Reply = {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
};

type Route = { readonly method: "GET" | "POST"; readonly open: boolean; readonly act: Act };
type Act = (parts: ServerParts, request: IncomingMessage) => Reply | Promise<Reply>;

const ROUTES: ReadonlyMap<string, Route> = new Map([
  ["/healthz", { method: "GET", open: true, act: () => plain(200, "alive") }],
  ["/readyz", { method: "GET", open: true, act: ready }],
  ["/metrics", { method: "GET", open: true, act: metrics }],
  ["/api/halt", { method: "POST", open: false, act: halt }],
]);

async function answer(parts: ServerParts, gatekeeper: Gatekeeper, request: IncomingMessage): Promise<Reply> {
  const denied = gatekeeper.admit(request.headers);
  if (denied !== undefined) return plain(denied.status, denied.message);
  const path = (request.url ?? "").split("?")[0] ?? "";
  const route = ROUTES.get(path);
  // Whoever has no token learns nothing about what there is below /api.
  if (route?.open !== true && path.startsWith("/api/")) {
    const refused = gatekeeper.authorise(request.headers);
    if (refused !== undefined) return { ...json(401, { error: refused.message }), headers: CHALLENGE };
  }
  if (route === undefined) return plain(404, "there is nothing here");
  const method = request.method === "HEAD" ? "GET" : request.method;
  if (method !== route.method)
    return { ...plain(405, `method must be ${route.method}`), headers: { allow: route.method } };
  return route.act(parts, request);
}

const CHALLENGE = { "www-authenticate": 'Bearer realm="pegbot"' };

function ready({ unready }: ServerParts): Reply {
  const reasons = unready();
  return reasons.length === 0
    ? plain(200, "ready")
    : plain(503, ["not ready", ...reasons.map((reason) => printable(reason))].join("\n"));
}

async function metrics(parts: ServerParts): Promise<Reply> {
  const { type, text } = await parts.metrics();
  return { status: 200, type, text };
}

const haltSchema = z.strictObject({ reason: z.string().trim().min(1).max(REASON_MAX) });

async function halt(parts: ServerParts, request: IncomingMessage): Promise<Reply> {
  const body = await readJson(request);
  if (!body.ok) return json(body.error.status, { error: body.error.message });
  const wish = haltSchema.safeParse(body.value);
  if (!wish.success)
    return json(400, { error: `body must be {"reason": "..."} with 1 to ${REASON_MAX} characters and nothing else` });
  const reason = printable(wish.data.reason, REASON_MAX);
  const problem = parts.halt(reason, "api");
  return problem === undefined
    ? json(200, { state: "KILLED", reason })
    : json(500, { state: "KILLED", error: problem });
}

function plain(status: number, text: string): Reply {
  return { status, type: "text/plain; charset=utf-8", text: `${text}\n` };
}

function json(status: number, value: unknown): Reply {
  return { status, type: "application/json; charset=utf-8", text: `${JSON.stringify(value)}\n` };
}

const HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

function send(request: IncomingMessage, response: ServerResponse, { status, type, text, headers }: Reply): void {
  // A body that was not read to its end would be taken for the next request.
  if (!request.complete) response.setHeader("connection", "close");
  response.writeHead(status, {
    ...HEADERS,
    ...headers,
    "content-type": type,
    "content-length": Buffer.byteLength(text),
  });
  response.end(request.method === "HEAD" ? undefined : text);
}

function listen(server: Server, { host, port }: ServerParts): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const { address, port: taken } = server.address() as AddressInfo;
      invariant(isLoopback(address), `the server must listen on a loopback address, was ${address}`);
      resolve(taken);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
