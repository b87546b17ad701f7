// What a running bot answers over HTTP: the page and its live data, whether it lives and is ready, its metrics, and the control
// API. What it shows and what it does come in as functions; it knows nothing of the bot.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { tokenCheck } from "../../domain/bearer-token.ts";
import { type Exposure, exposureProblem, needsTokenToLook } from "../../domain/exposure.ts";
import { invariant } from "../../domain/invariant.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Timers } from "../../domain/time.ts";
import { type ApiParts, apiDocument, OPERATIONS, operate } from "./api.ts";
import { type Listener, type ListenerParts, openListener } from "./listener.ts";
import type { ReadModel } from "./model/read-model.ts";
import { pageFiles } from "./page-files.ts";
import { HEADERS, json, plain, type Reply, send } from "./reply.ts";
import { type Stream, startStream } from "./stream.ts";

export type ServerParts = Exposure &
  ListenerParts &
  Pick<ApiParts, "halt" | "heartbeat" | "resume" | "approve" | "decline" | "plans"> & {
    readonly token: string;
    readonly version: string;
    readonly model: ReadModel;
    readonly timers: Timers;
    /** Why the bot is not ready to trade; none when it is. */
    readonly unready: () => readonly string[];
    readonly metrics: () => Promise<{ readonly type: string; readonly text: string }>;
    /** A request had a token that is not the bot's. */
    readonly denied: (path: string) => void;
  };

/** Metrics are the same for all scrapes within this time. */
const METRICS_MS = 250;
/** Answers without the token in a second, all together: a page has some thirty files, and 16 pages report once a second. */
const ANONYMOUS_A_SECOND_MAX = 300;

export type DashboardServer = Pick<Listener, "port" | "warning" | "close"> & { readonly url: string };

export async function startServer(parts: ServerParts): Promise<DashboardServer> {
  const problem = exposureProblem(parts);
  invariant(problem === undefined, problem ?? "");
  const files = pageFiles();
  const stream = startStream({ ...parts, build: files.get("/")?.headers?.["x-page-build"] ?? "" });
  const metrics = renewed(parts.metrics, METRICS_MS, parts.timers);
  const anonymous = renewed(() => ({ answered: 0 }), 1_000, parts.timers);
  const routes = routesOf({ ...parts, metrics: metrics.get }, files, stream);
  const scheme = parts.tls === undefined ? "http" : "https";
  const answering = new WeakSet<Socket>();
  const listener = await openListener(parts, (port, admit) => {
    const gatekeeper = createGatekeeper({ ...parts, scheme, port }, parts.token);
    return (request, response) => {
      const { socket } = request;
      // A connection that asks on before it has its answer.
      if (answering.has(socket)) return void socket.destroy();
      answering.add(socket);
      response.once("close", () => answering.delete(socket));
      const isTrusted = gatekeeper.authorise(request.headers) === undefined;
      if (isTrusted) admit(socket);
      else if (++anonymous.get().answered > ANONYMOUS_A_SECOND_MAX) return send(request, response, BUSY);
      const watch = (): void => {
        if (show(stream, request, response, isTrusted)) admit(socket);
      };
      answer(parts, gatekeeper, routes, request)
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
  }).catch((error) => {
    stream.close();
    throw error;
  });
  const { port, warning } = listener;
  const name = parts.names?.[0] ?? (parts.host.includes(":") ? `[${parts.host}]` : parts.host);
  return {
    url: `${scheme}://${name}:${port}/`,
    port,
    warning,
    async close() {
      stream.close();
      metrics.close();
      anonymous.close();
      await listener.close();
    },
  };
}

const BUSY: Reply = { ...plain(503, "too many requests without the token"), headers: { "retry-after": "1" } };

/** A value that is made once for all who ask within a time. */
function renewed<T>(make: () => T, forMs: number, timers: Timers) {
  let made: { readonly value: T } | undefined;
  let cancel = (): void => undefined;
  return {
    get(): T {
      if (made === undefined) {
        made = { value: make() };
        cancel = timers.after(forMs, () => {
          made = undefined;
        });
      }
      return made.value;
    },
    close: () => cancel(),
  };
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
    ...OPERATIONS.map(({ path, method, operation }): [string, Route] => [
      path,
      { method, access: "control", act: (request) => operate(operation, parts, request) },
    ]),
  ]);
}

async function answer(
  parts: ServerParts,
  gatekeeper: Gatekeeper,
  routes: ReadonlyMap<string, Route>,
  request: IncomingMessage,
): Promise<Reply | typeof WATCH> {
  const denied = gatekeeper.admit(request.headers);
  if (denied !== undefined) return plain(denied.status, denied.message);
  const path = (request.url ?? "").split("?")[0] ?? "";
  const route = routes.get(path);
  // Without the token nothing below /api is distinguishable.
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

// Who may ask what of the running bot. A page of any site can make a browser send requests to this machine, so the address
// that was asked for and the page that asks are checked before anything else; an action also needs the token.

type Denial = { readonly status: 401 | 403; readonly message: string };

type Gatekeeper = {
  /** The request came to us by a name that is ours, and from none but our own page. */
  admit(headers: IncomingHttpHeaders): Denial | undefined;
  /** Forwarded by a proxy: then the request does not come from this machine. */
  isHandedOn(headers: IncomingHttpHeaders): boolean;
  /** It carries the token. */
  authorise(headers: IncomingHttpHeaders): Denial | undefined;
};

type Address = {
  readonly scheme: "http" | "https";
  readonly host: string;
  /** As it is listened on: `localhost:8788` is another program. */
  readonly port: number;
  /** By which other machines ask for it; none on loopback. */
  readonly names?: readonly string[] | undefined;
};

/** What proxies add to a request by default. */
const HANDED_ON = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
] as const;

/** A browser leaves out the port that the scheme implies. */
const IMPLIED_PORT = { http: 80, https: 443 } as const;

export function createGatekeeper({ scheme, host, port, names = [] }: Address, token: string): Gatekeeper {
  const all = [...new Set([bracketed(host), "127.0.0.1", "localhost", "[::1]", ...names.map(lower)])];
  const isImplied = port === IMPLIED_PORT[scheme];
  const hosts = new Set(all.flatMap((name) => (isImplied ? [name, `${name}:${port}`] : [`${name}:${port}`])));
  const origins = new Set([...hosts].map((name) => `${scheme}://${name}`));
  const flawOf = tokenCheck(token);
  return {
    admit(headers) {
      if (!hosts.has(lower(headers.host ?? "")))
        return { status: 403, message: "host must be a name of this machine with this port" };
      if (headers.origin !== undefined && !origins.has(lower(headers.origin)))
        return { status: 403, message: "origin must be the bot's own page" };
      // What another site's page asks for without an origin (an image, a script); a link that a person follows is none.
      const site = headers["sec-fetch-site"];
      const isOurs = site === undefined || site === "same-origin" || site === "none";
      if (!isOurs && headers["sec-fetch-mode"] !== "navigate")
        return { status: 403, message: "origin must be the bot's own page" };
      return undefined;
    },
    isHandedOn: (headers) => HANDED_ON.some((name) => headers[name] !== undefined),
    authorise({ authorization }) {
      const flaw = flawOf(authorization);
      if (flaw === undefined) return undefined;
      const what = flaw === "missing" ? "a bearer token is needed" : "the token is wrong";
      return { status: 401, message: `${what}: it is in the .token file next to the journal` };
    },
  };
}

function lower(name: string): string {
  return name.toLowerCase();
}

function bracketed(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}
