// A bot on which nothing happens, as a scrape sees it; tests change what they are about.

import { millis, mono } from "../../src/domain/time.ts";
import type { Known, Look } from "../../src/watch/metrics/gauges.ts";
import type { Metrics } from "../../src/watch/metrics/metrics.ts";
import { judged } from "../../src/watch/status/status-board.ts";
import type { ShownSubmission, Status } from "../../src/watch/status.ts";

export const AT = Date.UTC(2026, 10, 15, 8);

export const KNOWN: Known = {
  build: { version: "0.1.0", mode: "paper", environment: "paper" },
  symbols: ["VCHF/CHF", "VGBP/GBP"],
  par: new Set(["VCHF/CHF"]),
  feeds: ["venue", "simulator-a"],
  currency: "CHF",
};

export function quietStatus(change: Partial<Status> = {}): Status {
  return judged({
    at: millis(AT),
    startedAt: millis(AT - 60_000),
    version: "0.1.0",
    pid: 1,
    mode: "paper",
    environment: "paper",
    venue: "127.0.0.1:1",
    strategy: "peg-arbitrage",
    unready: [],
    phase: { kind: "reading", text: "reading" },
    standing: { state: "ACTIVE", reason: "", wayOut: "", by: "bot", since: millis(0), also: [] },
    equity: { currency: "CHF", now: undefined, today: undefined, realised: "0", turnover: "0", orders: 0 },
    holdings: [],
    quotes: [],
    decisions: [],
    counts: { approved: 0, refused: 0, fills: 0, roundTrips: 0 },
    open: [],
    limits: [],
    feeds: [],
    budget: undefined,
    journal: { path: "pegbot.db", records: undefined },
    notes: [],
    treasury: { plans: [], awaited: [] },
    ...change,
  });
}

export function quietLook(change: Partial<Status> = {}, rest: Partial<Omit<Look, "status">> = {}): Look {
  const vitals = {
    memory: { residentBytes: 0, heapBytes: 0 },
    lag: { p50Ms: 0, p99Ms: 0, maxMs: 0 },
    journalBytes: undefined,
  };
  return { status: quietStatus(change), vitals, now: mono(0), ...rest };
}

/** A plan to approve, a payment that has not come for five hours, and rails that are frozen. */
export const WAITING: NonNullable<Status["treasury"]> = {
  plans: [
    {
      id: "R-1",
      at: millis(AT),
      expiresAt: millis(AT + 600_000),
      by: "bot",
      persons: 2,
      approvedBy: ["anna"],
      steps: ["mint VCHF on ETH, 120000 CHF for 120000 VCHF"],
    },
  ],
  awaited: [{ id: "expected:L-1:1", rail: "L-1", pays: "5000 VGBP", since: millis(AT - 18_000_000) }],
  railsFrozen: "the venue's whitelist has changed",
};

export const HELD_PAYMENT: NonNullable<NonNullable<Status["treasury"]>["held"]>[number] = {
  id: "payment:9334",
  venueId: "9334",
  amount: "5000 VCHF",
  since: millis(AT - 120_000),
};

export function submission(kind: string, state: string, secondsAgo: number): ShownSubmission {
  const isAsked = state === "escalated";
  return {
    id: `${kind}-${state}`,
    kind,
    state,
    what: kind,
    isDoubt: isAsked || state === "unknown",
    since: millis(AT - secondsAgo * 1_000),
    venueWord: undefined,
    decide: isAsked ? `pegbot resolve ${kind}` : undefined,
  };
}

/** Every sample of a scrape by its name and labels. */
export async function scraped(metrics: Metrics, look: Look = quietLook()): Promise<ReadonlyMap<string, number>> {
  const { text } = await metrics.scrape(look);
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(samples.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}
