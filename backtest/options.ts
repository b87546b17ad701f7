// What a backtest is asked to be: everything that its result depends on.

import type { PriceRules } from "../src/bot/core.ts";
import type { PollSettings } from "../src/bot/effects/poll-schedule.ts";
import type { PairSymbol } from "../src/domain/asset.ts";
import type { Step } from "../src/domain/step.ts";
import type { Millis } from "../src/domain/time.ts";
import { pacingDefaults } from "../src/exchange/budget/pacing.ts";
import type { SlotPolicy } from "../src/exchange/budget/scheduler.ts";
import type { Settings } from "../src/execution/parameters.ts";
import type { FairSettings } from "../src/market/pricing.ts";
import type { Limits } from "../src/risk/limits.ts";
import type { LatencySettings } from "../src/simulator/latency.ts";
import type { Market } from "../src/simulator/market/market.ts";
import type { MarketParameters } from "../src/simulator/market/parameters.ts";
import type { ReferenceFeedParameters } from "../src/simulator/market/reference.ts";
import type { AddressText } from "../src/simulator/operation.ts";
import type { Strategy } from "../src/strategy/prepare.ts";
import type { Rebalancer } from "../src/treasury/rebalancer/rebalancer.ts";
import type { Recording } from "./recording.ts";

export type BacktestOptions = {
  readonly strategy: Strategy;
  readonly limits: Limits;
  /** Of the pairs that the limits allow only these are traded; all, unless told. The others are quoted, and value what is held. */
  readonly traded?: readonly PairSymbol[];
  readonly par: FairSettings["par"];
  /** What else prices are judged by, as the running bot does. */
  readonly prices?: PriceRules;
  readonly protocol: Settings;
  /** Decimal text by asset. */
  readonly funds: Readonly<Record<string, string>>;
  readonly seed: number;
  readonly from: Millis;
  readonly to: Millis;
  readonly market: MarketParameters;
  readonly references: readonly ReferenceFeedParameters[];
  readonly recordings: readonly Recording[];
  readonly terms: BacktestTerms;
  readonly codeVersion: string;
  /** The rebalancer, for the process of this name; absent: none. */
  readonly rebalancer?: (writer: string) => Rebalancer;
  /** Wallets that the venue has whitelisted and confirmed from the start; none unless told. */
  readonly whitelist?: readonly AddressText[];
  /** Pairs whose prices belong into the record also where the run does not trade them. */
  readonly shown?: readonly PairSymbol[];
  /** Fresh ones show a strategy that keeps its view, and cost time. */
  readonly views?: "reused" | "fresh";
  /** Another synthetic market in its place: how a check changes the future. What is recorded it changes in the columns. */
  readonly bend?: (market: Market) => Market;
  readonly watch?: BacktestWatcher;
};

/** How long it takes until a payment that was asked for is made, in full: a person's bank takes some hours, coins are sent at once. */
export const PAYERS = { onRampMs: 4 * 3_600_000, offRampMs: 0 };

type BacktestWatcher = {
  /** Now and then: virtual time has come so far. */
  readonly reached?: (at: Millis) => void;
  readonly step?: (step: Step) => void;
};

// What a backtest takes for granted about the venue and the way to it, with defaults; every one of them stands in the
// report's assumptions.

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

export type Role = Recording["role"];
