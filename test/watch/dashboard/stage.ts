// A server with nothing behind it but what a test puts there, and how tests ask it.

import { type OutgoingHttpHeaders, request } from "node:http";
import { OWNER } from "../../../src/app/key/control-token.ts";
import { systemTimers } from "../../../src/app/system/system-timers.ts";
import { bearerDigest, digestOf } from "../../../src/domain/bearer-token.ts";
import { ok } from "../../../src/domain/result.ts";
import { millis } from "../../../src/domain/time.ts";
import { FRESH } from "../../../src/risk/trading-state.ts";
import { openHistory } from "../../../src/watch/dashboard/history.ts";
import { createPageModel, historyColumns } from "../../../src/watch/dashboard/model.ts";
import type { ServerParts } from "../../../src/watch/dashboard/server.ts";
import { judged } from "../../../src/watch/status/status-board.ts";
import type { ShownFill, Status } from "../../../src/watch/status.ts";

export const TOKEN = "5".repeat(64);
export const T0 = millis(Date.UTC(2026, 10, 15, 8, 0, 0));

export function statusAt(changes: Partial<Status> = {}): Status {
  return judged({
    at: T0,
    startedAt: millis(T0 - 60_000),
    version: "0.1.0",
    pid: 4711,
    mode: "paper",
    environment: "paper",
    market: "demo market: prices built to be earned from",
    venue: "127.0.0.1:8700",
    strategy: "peg-arbitrage",
    unready: [],
    phase: { kind: "trading", text: "trading" },
    standing: { state: "ACTIVE", reason: "", wayOut: "", by: "bot", since: T0, also: [] },
    equity: { currency: "CHF", now: "428139.631", today: "-35.189", realised: "1.2", turnover: "11424.3", orders: 4 },
    holdings: [
      {
        asset: "VCHF",
        held: "102500",
        available: "100000",
        reserved: "2500",
        pending: undefined,
        inFlight: "0",
        mayCome: "0",
        floor: "1025",
        band: { low: "50000", target: "80000", high: "120000" },
        value: "102500",
      },
    ],
    quotes: [{ symbol: "VCHF/CHF", bid: 0.999, ask: 0.9996, ageMs: 900, fair: 1, noFair: undefined }],
    decisions: [
      {
        at: T0,
        clientOrderId: "T-1",
        symbol: "VCHF/CHF",
        side: "buy",
        size: "2500",
        limit: "0.99909",
        reason: "ask 0.99900 is 10.0 bp under fair 1.00000",
        outcome: "confirmed",
        note: "",
        times: 1,
        trail: [],
      },
    ],
    counts: { approved: 1, refused: 3, fills: 1, roundTrips: 0 },
    open: [
      {
        id: "T-2",
        kind: "order",
        state: "doubt",
        what: "buy 1 VCHF/CHF at 1",
        isDoubt: true,
        since: T0,
        venueWord: undefined,
      },
    ],
    limits: [
      {
        key: "drawdown",
        rule: "RC06",
        name: "loss from the peak",
        unit: "CHF",
        used: 10,
        limit: 100,
        usedBps: 1_000,
      },
    ],
    feeds: [{ name: "venue", kind: "venue", ageMs: 900, trouble: undefined }],
    budget: { slots: 93, usedBps: 9_400, spacingMs: 1_000, waiting: [], rateLimited: 0, skewMs: 300 },
    journal: { path: "data/pegbot.db", records: 51 },
    notes: [],
    ...changes,
  });
}

export function modelWith(status: () => Status = statusAt, fills: readonly ShownFill[] = []): ServerParts["model"] {
  const pairs = [{ symbol: "VCHF/CHF", parBandBps: 50 }];
  return createPageModel({
    ...{ boot: "boot-1", pairs, status, history: openHistory(undefined, historyColumns(pairs)) },
    fills: () => fills,
    settlements: () => [],
  });
}

export function partsWith(changes: Partial<ServerParts> = {}): ServerParts {
  return {
    host: "127.0.0.1",
    port: 0,
    holderOf: (authorization) => (bearerDigest(authorization) === digestOf(TOKEN) ? OWNER : undefined),
    version: "0.1.0",
    model: modelWith(),
    timers: systemTimers,
    unready: () => [],
    metrics: async () => ({ type: "text/plain; version=0.0.4; charset=utf-8", text: "pegbot_fills_total 3\n" }),
    denied: () => undefined,
    trouble: () => undefined,
    halt: () => undefined,
    heartbeat: async () => ok(T0),
    resume: async (reason) => ok({ ...FRESH, reason }),
    approve: async ({ by }) => ok({ by, ready: true, text: "the running bot carries it out" }),
    decline: async ({ by }) => ok({ by, text: "it is not carried out" }),
    plans: async () => ok({ at: T0, plans: [] }),
    propose: async () =>
      ok({ id: "R-1", digest: "d", content: "{}", expiresAt: T0, persons: 1, next: "a person approves it" }),
    ...changes,
  };
}

export type Asked = { readonly method?: string; readonly headers?: OutgoingHttpHeaders; readonly body?: string };
export type Answered = { readonly status: number; readonly text: string; readonly headers: Record<string, unknown> };

export function askAt(
  port: number,
  path: string,
  { method = "GET", headers = {}, body }: Asked = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

export const authorised = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
