// A venue that only looks at its watch: it writes down when each request arrived, with which nonce and from whom, refuses
// what comes too early or with an old nonce, and can take its time in both directions.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { mintReceipt, railReceipt } from "../../support/wire.ts";

export type Arrival = {
  /** Milliseconds of this process's monotonic clock. */
  readonly at: number;
  /** The same moment by the wall clock, which is the venue's time. */
  readonly wall: number;
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
  /** Requests for which this holds are never answered. */
  readonly ignore?: (what: string) => boolean;
};

export async function listenForArrivals({ spacingMs, delayMs, ignore }: ArrivalSettings): Promise<ArrivalServer> {
  const arrivals: Arrival[] = [];
  let lastNonce = 0;
  const server = createServer(async (request, response) => {
    if (delayMs !== undefined) await sleep(delayMs());
    const at = performance.now();
    const header = request.headers["x-app-nonce"];
    const nonce = header === undefined ? undefined : Number(header);
    const early = at - (arrivals.at(-1)?.at ?? Number.NEGATIVE_INFINITY) < spacingMs;
    const stale = nonce !== undefined && nonce <= lastNonce;
    const status = early ? 429 : stale ? 401 : 200;
    const what = request.url ?? "";
    if (nonce !== undefined) lastNonce = Math.max(lastNonce, nonce);
    arrivals.push({ at, wall: Date.now(), nonce, from: request.headers["user-agent"] ?? "nobody", what, status });
    if (ignore?.(what)) return;
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
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answerOf(what: string): unknown {
  const name = what.split("/").at(-1) ?? "";
  if (name === "mintTokens") return mintReceipt;
  if (name === "addPaymentRail") return railReceipt;
  const list = { queryTrades: "trades", queryOrders: "orders", accountBalance: "balances" }[name] ?? name;
  return { [list]: [] };
}

export function gapsOf(arrivals: readonly Arrival[]): readonly number[] {
  return arrivals.slice(1).map((arrival, i) => arrival.at - (arrivals[i]?.at ?? 0));
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
    if (before === undefined || Number(arrival.nonce) > Number(before.nonce)) return [];
    return [`${arrival.nonce} from ${arrival.from} after ${before.nonce} from ${before.from}`];
  });
}
