// A venue that only looks at its watch: it writes down when each request arrived, with which nonce and from whom, refuses
// what comes too early or with an old nonce, and can take its time in both directions.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { mintReceipt, railReceipt } from "../../support/wire.ts";

export type Arrival = {
  /** Milliseconds of this process's monotonic clock. */
  readonly at: number;
  /** The same, unless this process stood still meanwhile: then it may have come at any moment since this one. */
  readonly notBefore: number;
  readonly nonce: number | undefined;
  readonly from: string;
  readonly what: string;
  readonly status: number;
};

export type ArrivalServer = {
  readonly port: number;
  readonly arrivals: readonly Arrival[];
  close(): Promise<void>;
};

export type ArrivalSettings = {
  readonly spacingMs: number;
  /** Drawn anew for each direction of each request. */
  readonly delayMs?: () => number;
};

export async function listenForArrivals({ spacingMs, delayMs }: ArrivalSettings): Promise<ArrivalServer> {
  const arrivals: Arrival[] = [];
  let highest: Arrival | undefined;
  const stalls = watchStalls();
  const server = createServer(async (request, response) => {
    const heardFrom = stalls.notBefore();
    const wayMs = delayMs?.() ?? 0;
    if (wayMs > 0) await sleep(wayMs);
    const at = performance.now();
    const notBefore = at - heardFrom - wayMs < STALL_MS ? at : heardFrom + wayMs;
    const header = request.headers["x-app-nonce"];
    const nonce = header === undefined ? undefined : Number(header);
    const early = at - (arrivals.at(-1)?.notBefore ?? Number.NEGATIVE_INFINITY) < spacingMs;
    const what = request.url ?? "";
    const seen = { at, notBefore, nonce, from: request.headers["user-agent"] ?? "nobody", what };
    const stale = isStale(seen, highest);
    const status = early ? 429 : stale ? 401 : 200;
    const arrival = { ...seen, status };
    if (nonce !== undefined && nonce > (highest?.nonce ?? 0)) highest = arrival;
    arrivals.push(arrival);
    if (delayMs !== undefined) await sleep(delayMs());
    const answer = status === 200 ? answerOf(what) : { code: status, status: "refused", message: "refused" };
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    arrivals,
    close: () =>
      new Promise((resolve) => {
        stalls.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answerOf(what: string): unknown {
  const name = what.split("/").at(-1) ?? "";
  if (name === "mintTokens") return mintReceipt;
  if (name === "addPaymentRail") return railReceipt;
  return { [name === "accountBalance" ? "balances" : name]: [] };
}

/** A watch that stood still for longer cannot tell when something came, nor what came first. */
const STALL_MS = 50;

/** Knows since when this process may have left a request in its socket: a busy machine gives it no turn for a second at times. */
function watchStalls(): { notBefore(): number; close(): void } {
  let turnAt = performance.now();
  let stall = { from: turnAt, until: turnAt };
  const look = (): void => {
    const now = performance.now();
    if (now - turnAt > STALL_MS) stall = { from: turnAt, until: now };
    turnAt = now;
  };
  const looking = setInterval(look, 10);
  return {
    notBefore() {
      look();
      // What had come during the stall is read in the turns that follow it.
      return turnAt - stall.until <= STALL_MS ? stall.from : turnAt;
    },
    close: () => clearInterval(looking),
  };
}

/** The longest that each two may have been apart: what is less than the spacing was sent too early for certain. */
export function gapsOf(arrivals: readonly Arrival[]): readonly number[] {
  return arrivals.slice(1).map((arrival, i) => arrival.at - (arrivals[i]?.notBefore ?? 0));
}

/** Arrivals per possible arrival: 1 is one request every `spacingMs`. */
export function utilisationOf(arrivals: readonly Arrival[], spacingMs: number): number {
  const first = arrivals[0]?.at ?? 0;
  const last = arrivals.at(-1)?.at ?? 0;
  return ((arrivals.length - 1) * spacingMs) / (last - first);
}

/** Nonces that did not rise, in order of arrival; none is what we want. */
export function nonceFaults(arrivals: readonly Arrival[]): readonly string[] {
  const signed = arrivals.filter((arrival) => arrival.nonce !== undefined);
  return signed.flatMap((arrival, i) => {
    const before = signed[i - 1];
    if (before === undefined || !isStale(arrival, before)) return [];
    return [`${arrival.nonce} from ${arrival.from} after ${before.nonce} from ${before.from}`];
  });
}

/** Of two that lay in their sockets while this process stood still, either may have come first. */
function isStale({ nonce, notBefore }: Omit<Arrival, "status">, before: Arrival | undefined): boolean {
  if (nonce === undefined || before?.nonce === undefined) return false;
  return nonce <= before.nonce && notBefore >= before.at;
}
