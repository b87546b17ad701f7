// What a backtest takes for granted about the venue and the way to it, with defaults; every one of them stands in the
// report's assumptions.

import type { PollSettings } from "../src/bot/effects/poll-schedule.ts";
import { pacingDefaults } from "../src/exchange/budget/pacing.ts";
import type { SlotPolicy } from "../src/exchange/budget/scheduler.ts";
import type { Limits } from "../src/risk/limits.ts";
import type { LatencySettings } from "../src/simulator/latency.ts";

export type BacktestTerms = {
  /** One way, the median; there and back are drawn anew for each request. */
  readonly latencyMs: number;
  /** From a decision to when its order may ask for a slot; nothing else waits for it. */
  readonly decisionMs: number;
  /** From an answer to the next request. */
  readonly paceMs: number;
  /** Between two reads of the venue's quotes; 0 spends every slot on them that nothing better wants. */
  readonly quotesMs: number;
  /** What decides who gets a slot: as the bot does, or another way to compare it with. */
  readonly slotPolicy: SlotPolicy;
  /** Of the quote leg, the venue's. */
  readonly feeBps: number;
  /** A trade is listed in the history at most so long after it happened. */
  readonly publicationMs: number;
};

export const backtestTerms: BacktestTerms = {
  latencyMs: 25,
  decisionMs: 0,
  paceMs: pacingDefaults.spacingMs,
  quotesMs: 0,
  slotPolicy: "worth",
  feeBps: 0,
  publicationMs: 0,
};

export function latencyOf({ latencyMs }: BacktestTerms): LatencySettings {
  return { medianMs: latencyMs, sigma: 0.4, minMs: Math.min(5, latencyMs), maxMs: Math.max(2_000, 10 * latencyMs) };
}

/** How often the bot does what it does by the clock. */
type Cadence = {
  readonly tickMs: number;
  readonly polls: PollSettings;
  /** Between two looks at a synthetic reference feed. */
  readonly referencesMs: number;
};

/** A live feed is asked so often. */
const REFERENCES_MS = 1_000;
/** What is due is noticed when something happens: with fewer ticks quotes would be read later than they are wanted. */
const TICKS_PER_QUOTE = 6;

/**
 * Who reads quotes seldom has less to look after in between: whatever else goes by the clock slows down with them. References
 * are looked at twice at least in the time for which they are believed.
 */
export function cadenceOf(
  live: Pick<Cadence, "tickMs" | "polls">,
  { quotesMs }: BacktestTerms,
  { referenceAgeMsMax }: Pick<Limits, "referenceAgeMsMax">,
): Cadence {
  const { polls } = live;
  return {
    tickMs: Math.max(live.tickMs, Math.floor(quotesMs / TICKS_PER_QUOTE)),
    polls: {
      ...polls,
      quotesMs,
      balancesMs: Math.max(polls.balancesMs, 6 * quotesMs),
      historiesMs: Math.max(polls.historiesMs, 60 * quotesMs),
    },
    referencesMs: Math.max(REFERENCES_MS, Math.min(quotesMs, Math.floor(referenceAgeMsMax / 2))),
  };
}

// What recorded prices are in a backtest: the venue's own, seen only when a slot is spent on them, or a free reference feed.

export const ROLES = ["venue", "reference"] as const;

export type Role = (typeof ROLES)[number];
