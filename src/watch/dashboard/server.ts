// What a running bot answers over HTTP: the page and its live data, whether it lives and is ready, its metrics, and the control
// API. What it shows and what it does come in as functions; it knows nothing of the bot.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type Exposure, exposureProblem, needsTokenToLook } from "../../domain/exposure.ts";
import { invariant } from "../../domain/invariant.ts";
import { isLoopback } from "../../domain/loopback.ts";
import { printable } from "../../domain/outside-text.ts";
import type { Timers } from "../../domain/time.ts";
import { apiDocument } from "./api/document.ts";
import { type ApiParts, OPERATIONS } from "./api/operations.ts";
import { CONNECTIONS_MAX, createCrowd } from "./crowd.ts";
import { createGatekeeper, type Gatekeeper } from "./gatekeeper.ts";
import { lasting } from "./lasting.ts";
import type { ReadModel } from "./model/read-model.ts";
import { oneByOne } from "./one-by-one.ts";
import { answerAtOther } from "./other-loopback.ts";
import { createPace } from "./pace.ts";
import { pageFiles } from "./page-files.ts";
import { HEADERS, json, plain, type Reply, send } from "./reply.ts";
import { type Stream, startStream } from "./stream.ts";

export type ServerParts = Exposure &
  Pick<ApiParts, "halt" | "heartbeat" | "resume" | "approve" | "decline" | "plans"> & {
    /** 0 takes a free one. */
    readonly port: number;
    readonly token: string;
    readonly version: string;
    readonly model: ReadModel;
    readonly timers: Timers;
    /** Why the bot is not ready to trade; none when it is. */
    readonly unready: () => readonly string[];
    readonly metrics: () => Promise<{ readonly type: string; readonly text: string }>;
    /** Somebody gave a token that is not the bot's. */
    readonly denied: (path: string) => void;
    /** What kept something from being shown. */
    readonly trouble: (error: unknown) => void;
    readonly patience?: Patience;
  };

/** Who keeps a connection and does nothing with it is sent away, also where nobody else wants its place. */
export type Patience = {
  /** How long a whole request may take to arrive. */
  readonly silentMsMax: number;
  /** Without a byte either way: who asks and does not read the answer would keep a connection for ever. */
  readonly stalledMsMax: number;
  /** How often is looked for the silent: with Node's 30 s, a few idle connections would keep the switch busy for long. */
  readonly lookEveryMs: number;
};

const PATIENCE: Patience = { silentMsMax: 5_000, stalledMsMax: 10_000, lookEveryMs: 1_000 };

/** Metrics are the same for all who ask within this time. */
const METRICS_MS = 250;

export type DashboardServer = {
  readonly url: string;
  readonly port: number;
  /** What a person should know before trusting the page. */
  readonly warning: string | undefined;
  close(): Promise<void>;
};

export async function startServer(parts: ServerParts): Promise<DashboardServer> {
  const problem = exposureProblem(parts);
  invariant(problem === undefined, problem ?? "");
  const server = createListener(parts);
  server.maxConnections = CONNECTIONS_MAX;
  server.timeout = (parts.patience ?? PATIENCE).stalledMsMax;
  const port = await listen(server, parts);
  const scheme = parts.tls === undefined ? "http" : "https";
  const gatekeeper = createGatekeeper({ ...parts, scheme, port }, parts.token);
  const files = pageFiles();
  const stream = startStream({ ...parts, build: files.get("/")?.headers?.["x-page-build"] ?? "" });
  const metrics = lasting(parts.metrics, METRICS_MS, parts.timers);
  const routes = routesOf({ ...parts, metrics: metrics.get }, files, stream);
  const crowd = createCrowd();
  const pace = createPace(parts.timers);
  const answering = new WeakSet<Socket>();
  server.on("connection", crowd.enter);
  server.on(parts.tls === undefined ? "connection" : "secureConnection", oneByOne);
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // One that asks on before it has its answer.
    if (answering.has(socket)) {
      socket.destroy();
      return;
    }
    answering.add(socket);
    response.once("close", () => answering.delete(socket));
    const isTrusted = gatekeeper.authorise(request.headers) === undefined;
    crowd.move(socket, isTrusted ? "trusted" : "asked");
    const watch = (): void => {
      if (show(stream, request, response, isTrusted)) crowd.leave(socket);
    };
    const respond = (): void => {
      answer({ parts, gatekeeper, routes }, request)
        .catch((error) => {
          parts.trouble(error);
          return plain(500, "failed: the bot's log says why");
        })
        .then((reply) => (reply === WATCH ? watch() : send(request, response, reply)))
        .catch((error) => {
          parts.trouble(error);
          response.destroy();
        });
    };
    if (isTrusted) respond();
    else pace.when(() => !socket.destroyed, respond);
  });
  const other = await answerAtOther(server);
  const name = parts.names?.[0] ?? (parts.host.includes(":") ? `[${parts.host}]` : parts.host);
  return {
    url: `${scheme}://${name}:${port}/`,
    port,
    warning: other.warning,
    async close() {
      stream.close();
      metrics.close();
      pace.close();
      other.close();
      await close(server);
    },
  };
}

function createListener({ tls, patience = PATIENCE }: ServerParts): Server {
  const { silentMsMax, lookEveryMs } = patience;
  const limits = {
    requestTimeout: silentMsMax,
    headersTimeout: silentMsMax,
    keepAliveTimeout: silentMsMax,
    connectionsCheckingInterval: lookEveryMs,
  };
  // An `import` of node:http also makes the WebSocket that it hands out, a tenth of a second; TLS is loaded only where it is spoken.
  return tls === undefined
    ? process.getBuiltinModule("node:http").createServer(limits)
    : process
        .getBuiltinModule("node:https")
        .createServer({ ...limits, ...tls, minVersion: "TLSv1.2", handshakeTimeout: silentMsMax });
}

/** The answer is the stream itself. */
const WATCH = Symbol("watch");

type Route = {
  readonly method: "GET" | "POST";
  /** `read`: for every user of this machine; from elsewhere with the token, as `control` always. */
  readonly access: "open" | "read" | "control";
  readonly act: (request: IncomingMessage) => Reply | typeof WATCH | Promise<Reply>;
};

function routesOf(parts: ServerParts, files: ReadonlyMap<string, Reply>, stream: Stream): ReadonlyMap<string, Route> {
  const open = (act: Route["act"]): Route => ({ method: "GET", access: "open", act });
  const read = (act: Route["act"]): Route => ({ method: "GET", access: "read", act });
  const document = json(200, apiDocument(parts.version));
  return new Map<string, Route>([
    ...Array.from(files, ([path, reply]): [string, Route] => [path, open(() => reply)]),
    ["/openapi.json", open(() => document)],
    ["/healthz", open(() => plain(200, "alive"))],
    ["/readyz", read(() => ready(parts))],
    ["/metrics", read(() => metrics(parts))],
    ["/stream", read(() => WATCH)],
    ["/heard", read((request) => heard(stream, request))],
    ...OPERATIONS.map(({ path, method, act }): [string, Route] => [
      path,
      { method, access: "control", act: (request) => act(parts, request) },
    ]),
  ]);
}

type Desk = {
  readonly parts: ServerParts;
  readonly gatekeeper: Gatekeeper;
  readonly routes: ReadonlyMap<string, Route>;
};

async function answer({ parts, gatekeeper, routes }: Desk, request: IncomingMessage): Promise<Reply | typeof WATCH> {
  const denied = gatekeeper.admit(request.headers);
  if (denied !== undefined) return plain(denied.status, denied.message);
  const path = (request.url ?? "").split("?")[0] ?? "";
  const route = routes.get(path);
  // Whoever has no token learns nothing about what there is below /api.
  if (needsToken(route, path, needsTokenToLook(parts) || gatekeeper.isHandedOn(request.headers))) {
    const refused = gatekeeper.authorise(request.headers);
    if (refused !== undefined && request.headers.authorization !== undefined) parts.denied(path);
    if (refused !== undefined) return { ...json(401, { error: refused.message }), headers: CHALLENGE };
  }
  if (route === undefined) return plain(404, "there is nothing here");
  const method = request.method === "HEAD" ? "GET" : request.method;
  if (method !== route.method)
    return { ...plain(405, `method must be ${route.method}`), headers: { allow: route.method } };
  // Who has the token may wait for the journal, however long that takes.
  if (route.access === "control") request.socket.setTimeout(0);
  return route.act(request);
}

function needsToken(route: Route | undefined, path: string, reachable: boolean): boolean {
  if (path.startsWith("/api/")) return true;
  return route === undefined ? reachable : route.access === "control" || (route.access === "read" && reachable);
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

/** The page chose the name when it began to watch. */
function viewerOf({ url = "" }: IncomingMessage): string | undefined {
  return /[?&]viewer=([0-9a-z]{8,64})(?:&|$)/.exec(url)?.[1];
}

function heard(stream: Stream, request: IncomingMessage): Reply {
  const name = viewerOf(request);
  if (name === undefined) return plain(400, "viewer must be the name by which /stream was asked for");
  stream.heard(name);
  return plain(200, "heard");
}

/** Whether it is watched now. */
function show(stream: Stream, request: IncomingMessage, response: ServerResponse, isTrusted: boolean): boolean {
  if (request.method === "HEAD") {
    send(request, response, { status: 200, type: "text/event-stream", text: "" });
    return false;
  }
  // Written before joining: what joins is written to at once.
  response.writeHead(200, { ...HEADERS, "content-type": "text/event-stream; charset=utf-8" });
  const isWatched = stream.join(response, isTrusted, viewerOf(request));
  if (!isWatched) response.end(`event: full\ndata: ${JSON.stringify({ isKnown: isTrusted })}\n\n`);
  return isWatched;
}

function listen(server: Server, { host, port, trouble }: ServerParts): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      // A connection that cannot be taken is no reason to stop the bot.
      server.on("error", trouble);
      const { address, port: taken } = server.address() as AddressInfo;
      // `localhost` is what the machine's own list of names says it is.
      invariant(
        isLoopback(address) === isLoopback(host),
        `the server must listen on a loopback address, was ${address}`,
      );
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
