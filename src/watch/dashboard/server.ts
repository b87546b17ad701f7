// The HTTP server of a running bot: the page and its live data, liveness and readiness, metrics, and the control API.
// Data and actions come in as functions; the server does not depend on the bot.

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { SCOPES, type Scope, type TokenHolder } from "../../domain/bearer-token.ts";
import { type Exposure, exposureProblem, needsTokenToLook } from "../../domain/exposure.ts";
import { invariant } from "../../domain/invariant.ts";
import { redacted } from "../../domain/redact.ts";
import { err, type Result } from "../../domain/result.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Timers } from "../../domain/time.ts";
import type { Owner } from "../../operation/owner.ts";
import { propose } from "../../operation/propose.ts";
import { OPERATIONS } from "../../operation/table.ts";
import { ADDRESSES, apiDocument, operate } from "./api.ts";
import { docsOf } from "./docs.ts";
import { type Listener, type ListenerParts, openListener } from "./listener.ts";
import type { PageModel } from "./model.ts";
import { json, pageFiles, plain, type Reply, send } from "./reply.ts";

export type ServerParts = Exposure &
  ListenerParts &
  Omit<Owner, "model"> & {
    /** The holder of the token that a request carries. */
    readonly holderOf: (authorization: string | undefined) => TokenHolder | undefined;
    readonly version: string;
    readonly model: PageModel;
    readonly timers: Timers;
    /** Why the bot is not ready to trade; empty when it is. */
    readonly unready: () => readonly string[];
    readonly metrics: () => Promise<{ readonly type: string; readonly text: string }>;
    /** Reports a request with a wrong token. */
    readonly denied: (path: string) => void;
  };

/** Scrapes within this time get the same metrics. */
const METRICS_MS = 250;
/** A page asks once a second. */
const DATA_MS = 900;
const JSON_TYPE = "application/json; charset=utf-8";
/**
 * The number of answers a second to all clients without the token: a page has a dozen files, and asks
 * once a second.
 */
const ANONYMOUS_A_SECOND_MAX = 300;

export type DashboardServer = Pick<Listener, "port" | "warning" | "renew" | "close"> & { readonly url: string };

export async function startServer(parts: ServerParts): Promise<DashboardServer> {
  const problem = exposureProblem(parts);
  invariant(problem === undefined, problem ?? "");
  const files = pageFiles();
  const metrics = renewed(parts.metrics, METRICS_MS, parts.timers);
  const anonymous = renewed(() => ({ answered: 0 }), 1_000, parts.timers);
  const build = files.get("/")?.headers?.["x-page-build"] ?? "";
  // One text for all pages that ask within the second.
  const data = renewed(() => redacted(parts.model.data(build)), DATA_MS, parts.timers);
  const routes = routesOf({ ...parts, metrics: metrics.get }, files, data.get);
  const scheme = parts.tls === undefined ? "http" : "https";
  const answering = new WeakSet<Socket>();
  const listener = await openListener(parts, (port, admit) => {
    const gatekeeper = createGatekeeper({ ...parts, scheme, port });
    return (request, response) => {
      const { socket } = request;
      // The connection sent another request before it received its answer.
      if (answering.has(socket)) return void socket.destroy();
      answering.add(socket);
      response.once("close", () => answering.delete(socket));
      const isTrusted = (): boolean => parts.holderOf(request.headers.authorization) !== undefined;
      if (isTrusted()) admit(socket);
      else if (++anonymous.get().answered > ANONYMOUS_A_SECOND_MAX) return send(request, response, BUSY);
      answer(parts, gatekeeper, routes, request)
        .catch((error) => {
          parts.trouble(error);
          return plain(500, "failed: the bot's log says why");
        })
        .then((reply) => send(request, response, reply))
        .catch((error) => {
          parts.trouble(error);
          response.destroy();
        });
    };
  });
  const { port, warning, renew } = listener;
  const name = parts.names?.[0] ?? (parts.host.includes(":") ? `[${parts.host}]` : parts.host);
  return {
    url: `${scheme}://${name}:${port}/`,
    ...{ port, warning, renew },
    async close() {
      metrics.close();
      data.close();
      anonymous.close();
      await listener.close();
    },
  };
}

const BUSY: Reply = { ...plain(503, "too many requests without the token"), headers: { "retry-after": "1" } };

/** A value that is computed once for all calls within `forMs`. */
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

type Route = {
  readonly method: "GET" | "POST";
  /** `read`: open to every user of this machine; other machines need a token. `control` always needs one. */
  readonly access: "open" | "read" | "control";
  readonly scope?: Scope;
  /** `token`: the name of its holder. */
  readonly act: (request: IncomingMessage, token: string, scope: Scope) => Reply | Promise<Reply>;
};

function routesOf(
  parts: ServerParts,
  files: ReadonlyMap<string, Reply>,
  data: () => string,
): ReadonlyMap<string, Route> {
  const open = (act: Route["act"]): Route => ({ method: "GET", access: "open", act });
  const read = (act: Route["act"]): Route => ({ method: "GET", access: "read", act });
  const document = json(200, apiDocument(parts.version));
  const agentsTurn = inTurn(parts.timers);
  return new Map<string, Route>([
    ...Array.from(files, ([path, reply]): [string, Route] => [path, open(() => reply)]),
    ["/openapi.json", open(() => document)],
    ["/healthz", open(() => plain(200, "alive"))],
    ["/readyz", read(() => ready(parts))],
    ["/metrics", read(() => metrics(parts))],
    ["/data", read(() => ({ status: 200, type: JSON_TYPE, text: data() }))],
    ["/history", read(({ url = "" }) => json(200, parts.model.rows(new URLSearchParams(url.split("?")[1]))))],
    [
      "/mcp",
      {
        method: "POST",
        access: "control",
        scope: "read",
        act: (...asked) => agentsTurn()?.then(() => agents(parts, ...asked)) ?? AGENTS_BUSY,
      },
    ],
    ...ADDRESSES.map(({ path, method, scope, operation }): [string, Route] => [
      path,
      { method, access: "control", scope, act: (request, token) => operate(operation, parts, token, request) },
    ]),
  ]);
}

const docs = docsOf();

function docsRoute(path: string): Route | undefined {
  const reply = docs(path);
  return reply && { method: "GET", access: "open", act: () => reply };
}

async function answer(
  parts: ServerParts,
  gatekeeper: Gatekeeper,
  routes: ReadonlyMap<string, Route>,
  request: IncomingMessage,
): Promise<Reply> {
  const denied = gatekeeper.admit(request.headers) ?? (needsTokenToLook(parts) ? undefined : handedOn(request.headers));
  if (denied !== undefined) return plain(denied.status, denied.message);
  const path = (request.url ?? "").split("?")[0] ?? "";
  const route = routes.get(path) ?? docsRoute(path);
  const { authorization } = request.headers;
  const holder = parts.holderOf(authorization);
  // Without a token, existing and missing paths below /api look the same.
  if (needsToken(route, path, needsTokenToLook(parts))) {
    if (holder === undefined && authorization !== undefined) parts.denied(path);
    const what = authorization === undefined ? "a bearer token is needed" : "the token is wrong";
    if (holder === undefined) return { ...json(401, { error: `${what}: ${OWNERS}` }), headers: CHALLENGE };
    const needed = route?.scope ?? "read";
    if (SCOPES.indexOf(holder.scope) < SCOPES.indexOf(needed))
      return json(403, { error: `the token of ${holder.name} has the scope ${holder.scope}, this needs ${needed}` });
  }
  if (route === undefined) return plain(404, "there is nothing here");
  const method = request.method === "HEAD" ? "GET" : request.method;
  if (method !== route.method)
    return { ...plain(405, `method must be ${route.method}`), headers: { allow: route.method } };
  // A client with the token may wait for the journal for as long as that takes.
  if (route.access === "control") request.socket.setTimeout(0);
  return route.act(request, holder?.name ?? "", holder?.scope ?? "read");
}

/** At most one request of all agents in this time; others wait, so that the bot keeps its processor. */
const [AGENTS_MS, AGENTS_MAX] = [50, 100];
const AGENTS_BUSY = json(429, { error: "100 requests of agents wait already: ask again when they are answered" });

/** Resolves one caller after the other, with that time between them. */
function inTurn(timers: Timers): () => Promise<void> | undefined {
  let next = Promise.resolve();
  let waiting = 0;
  return () => {
    if (waiting >= AGENTS_MAX) return undefined;
    waiting += 1;
    const mine = next;
    next = mine.then(() => new Promise((resolve) => void timers.after(AGENTS_MS, resolve)));
    return mine.finally(() => {
      waiting -= 1;
    });
  };
}

/** The library is loaded with the first agent that comes. */
async function agents(parts: ServerParts, request: IncomingMessage, token: string, scope: Scope): Promise<Reply> {
  const { answerAgent } = await import("../agent/http.ts");
  const asker = { by: `agent:${token}`, token };
  const mayPropose = SCOPES.indexOf(scope) >= SCOPES.indexOf(propose.scope);
  const ask = async (name: string, input: unknown): Promise<Result<unknown>> =>
    OPERATIONS.find((one) => one.name === name)?.act(parts, input, asker) ?? err(`there is no operation ${name}`);
  return answerAgent({ version: parts.version, mayPropose, ask }, request);
}

function needsToken(route: Route | undefined, path: string, reachable: boolean): boolean {
  if (path.startsWith("/api/")) return true;
  return route === undefined ? reachable : route.access === "control" || (route.access === "read" && reachable);
}

const OWNERS = "the owner's is in the .token file next to the journal";
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

// Access control of the running bot. A page of any site can make a browser send requests to this machine, so the
// requested address and the requesting page are checked before anything else; an action also needs the token.

type Denial = { readonly status: 403; readonly message: string };

type Gatekeeper = {
  /** The request was addressed to one of our names and comes from no page but our own. */
  admit(headers: IncomingHttpHeaders): Denial | undefined;
};

type Address = {
  readonly scheme: "http" | "https";
  readonly host: string;
  /** The port that the server listens on: another port of `localhost` is another program. */
  readonly port: number;
  /** The names by which other machines address the bot; none on loopback. */
  readonly names?: readonly string[] | undefined;
};

/** Headers by which a proxy says that it forwards the request, which then does not come from this machine. */
const HANDED_ON = /^(forwarded|via|x-real-ip|(x|cf)-.*(forwarded|connecting|client)-.*)$/;

function handedOn(headers: IncomingHttpHeaders): Denial | undefined {
  if (!Object.keys(headers).some((name) => HANDED_ON.test(name))) return undefined;
  return { status: 403, message: "a proxy forwards this: set server.reads to token, so that each reader needs one" };
}

/** A browser leaves out the port that the scheme implies. */
const IMPLIED_PORT = { http: 80, https: 443 } as const;

function createGatekeeper({ scheme, host, port, names = [] }: Address): Gatekeeper {
  const all = [...new Set([bracketed(host), "127.0.0.1", "localhost", "[::1]", ...names.map(lower)])];
  const isImplied = port === IMPLIED_PORT[scheme];
  const hosts = new Set(all.flatMap((name) => (isImplied ? [name, `${name}:${port}`] : [`${name}:${port}`])));
  const origins = new Set([...hosts].map((name) => `${scheme}://${name}`));
  return {
    admit(headers) {
      if (!hosts.has(lower(headers.host ?? "")))
        return { status: 403, message: "host must be a name of this machine with this port" };
      if (headers.origin !== undefined && !origins.has(lower(headers.origin)))
        return { status: 403, message: "origin must be the bot's own page" };
      // Requests of another site's page without an origin (an image, a script). A link that a person follows is
      // allowed.
      const site = headers["sec-fetch-site"];
      const isOurs = site === undefined || site === "same-origin" || site === "none";
      if (!isOurs && headers["sec-fetch-mode"] !== "navigate")
        return { status: 403, message: "origin must be the bot's own page" };
      return undefined;
    },
  };
}

function lower(name: string): string {
  return name.toLowerCase();
}

function bracketed(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}
