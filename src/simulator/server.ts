// The service on a loopback socket: it combines venue, writer, checks, faults and portal, and connects them to
// node:http. Clock and timers are injected, so that the same server runs on a system clock or a virtual one.

import { readFileSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { parse } from "yaml";
import { bearerDigest, digestOf } from "../domain/bearer-token.ts";
import { isLoopback } from "../domain/loopback.ts";
import { createRandom } from "../domain/random.ts";
import { err, ok, type Result } from "../domain/result.ts";
import type { Clock } from "../domain/time.ts";
import { FaultPlan, faultsSchema } from "./fault.ts";
import { acceptanceOf, acceptByDefault } from "./http/acceptance.ts";
import { Admission } from "./http/admission.ts";
import { API_PREFIX } from "./http/endpoint.ts";
import { type ApiRequest, BODY_BYTES_MAX, errorReply, json, type Reply } from "./http/request.ts";
import { RequestLog } from "./http/request-log.ts";
import { type Delivery, Service } from "./http/service.ts";
import { type Network, type OpenVenue, openVenue, type SimulatorOptions } from "./open-venue.ts";
import { answerPortal, doPortal, PORTAL_PREFIX, type PortalAnswer } from "./portal.ts";
import type { VenueWriter } from "./venue-writer.ts";

// An `import` of node:http also loads its WebSocket, which adds a tenth of a second to the start.
const { createServer } = process.getBuiltinModule("node:http");

export interface SimulatorServer {
  /** Without a path, for example http://127.0.0.1:8700 */
  readonly url: string;
  /** Ends in /api/v1/. */
  readonly baseUrl: string;
  readonly portalUrl: string;
  readonly writer: VenueWriter;
  /** A POST to the portal, without HTTP. */
  act(route: string, body: unknown): Promise<PortalAnswer>;
  close(): Promise<void>;
}

/** An idle connection is closed, even when a fault suppressed its answer. */
const IDLE_MS_MAX = 120_000;

export async function createSimulatorServer(options: SimulatorOptions): Promise<SimulatorServer> {
  const host = options.host ?? "127.0.0.1";
  if (!isLoopback(host)) throw new RangeError(`the simulator listens on loopback only, was ${host}`);
  const opened = openVenue(options);
  const { handler, act } = createHandler(options, opened);
  const server = createServer({ keepAliveTimeout: 30_000 }, (incoming, response) => {
    void handle(incoming, response, options, handler);
  });
  server.setTimeout(IDLE_MS_MAX);
  await listen(server, options.port ?? 0, host).catch(async (error) => {
    await opened.close();
    throw error;
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    await opened.close();
  };
  let closing: Promise<void> | undefined;
  return {
    url,
    baseUrl: `${url}${API_PREFIX}/`,
    portalUrl: url + PORTAL_PREFIX,
    writer: opened.writer,
    act,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** Without the token the answer reveals only that it is missing. */
const UNAUTHORISED = {
  status: 401,
  code: "unauthorized",
  message:
    "this portal needs `Authorization: Bearer TOKEN`: of a paper bot's simulator it is in the .token file next to the journal",
} as const;

type Way = Awaited<ReturnType<Network["carry"]>>;
type Handler = (request: ApiRequest, response: ServerResponse, back: Way | undefined) => Promise<void>;

function createHandler(
  options: SimulatorOptions,
  opened: OpenVenue,
): { readonly handler: Handler; readonly act: SimulatorServer["act"] } {
  const { clock, timers, strict, accept: wanted } = options;
  const { writer, gate, profile, references } = opened;
  const faults = new FaultPlan(createRandom(options.seed ?? 1).fork("faults"));
  faults.set(faultsSchema.parse(options.faults ?? { rules: [] }).rules);
  const log = new RequestLog();
  const accept = acceptanceOf(strict ? [profile] : (wanted ?? acceptByDefault(profile)));
  const admission = new Admission(writer.venue, gate, { accept, answers: profile.answers });
  const service = new Service({ writer, admission, faults, log, clock, timers, profile });
  const portal = { writer, faults, log };
  const portalDigest = options.portalToken && digestOf(options.portalToken);
  return { handler: answer, act: (route, body) => doPortal(route, body, portal) };

  async function answer(request: ApiRequest, response: ServerResponse, back: Way | undefined): Promise<void> {
    if (isApi(request)) {
      const delivery = await service.answer(request);
      await writer.synced();
      await back?.(delivery.kind);
      return deliver(response, delivery);
    }
    const dated = { date: new Date(clock.now()).toUTCString() };
    const reply = await besideApi(request);
    await writer.synced();
    sendReply(response, { ...reply, headers: { ...reply.headers, ...dated } });
  }

  async function besideApi(request: ApiRequest): Promise<Reply> {
    const local = ourOwnHost(request.headers.host);
    if (!local.ok) return errorReply({ status: 403, code: "forbidden_host", message: local.error }, "contract");
    if (request.path.startsWith(PORTAL_PREFIX))
      return !portalDigest || bearerDigest(request.headers.authorization) === portalDigest
        ? answerPortal(request, portal)
        : errorReply(UNAUTHORISED, "contract");
    if (request.path === "/openapi.json") return json(openapiDocument());
    const feed = references[request.path];
    if (feed !== undefined) return json({ feed: feed.name, rates: feed.read(clock.now()).map(rateOf) });
    return errorReply({ status: 404, code: "not_found", message: "no such path" }, "contract");
  }
}

function rateOf({ symbol, bid, ask, at }: { symbol: string; bid: number; ask: number; at: number }): unknown {
  return { symbol, bid, ask, timestamp: new Date(at).toISOString() };
}

async function handle(
  incoming: IncomingMessage,
  response: ServerResponse,
  { clock, profile, network }: SimulatorOptions,
  handler: Handler,
): Promise<void> {
  try {
    const request = await receive(incoming, clock);
    if (network === undefined || !isApi(request)) return await handler(request, response, undefined);
    const back = await network.carry();
    await handler({ ...request, arrivedAt: clock.now(), arrivedMono: clock.monotonic() }, response, back);
  } catch (cause) {
    if (response.headersSent || response.destroyed) return void response.destroy();
    const message = cause instanceof Error ? cause.message : String(cause);
    const answers = typeof profile === "object" ? profile.answers : (profile ?? "contract");
    sendReply(response, errorReply({ status: 500, code: "internal_error", message }, answers));
  }
}

function isApi({ path }: ApiRequest): boolean {
  return path.startsWith(`${API_PREFIX}/`);
}

/** A page that reaches the server under another name (DNS rebinding) must not control the portal. */
function ourOwnHost(host: string | undefined): Result<void> {
  const name = host === undefined ? undefined : /^\[?([^\]]*?)\]?(?::[0-9]+)?$/.exec(host)?.[1];
  return name !== undefined && isLoopback(name) ? ok(undefined) : err("this part is for loopback addresses only");
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

// Socket I/O: reads a request from a socket, and delivers an answer, a reset, or nothing.

const DISCARDED_BYTES_MAX = 16 * BODY_BYTES_MAX;

/** The arrival time is taken before the body is read: that is when the request reached the service. */
async function receive(incoming: IncomingMessage, clock: Clock): Promise<ApiRequest> {
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

function deliver(response: ServerResponse, delivery: Delivery): void {
  if (delivery.kind === "sent") sendReply(response, delivery.reply);
  else if (delivery.kind === "reset") response.socket?.resetAndDestroy();
}

function sendReply(response: ServerResponse, { status, headers, body }: Reply): void {
  // The date header comes from our clock, not from Node.
  response.sendDate = false;
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  response.end(body);
}

// The description of the service from docs/openapi.yaml.

let document: unknown;

/** Read once, at the first request. */
export function openapiDocument(): unknown {
  document ??= parse(readFileSync(new URL("../../docs/openapi.yaml", import.meta.url), "utf8"));
  return document;
}
