// The options of a backtest: everything that its result depends on.

import type { PriceRules } from "../src/bot/core.ts";
import type { PollSettings } from "../src/bot/effects/poll-schedule.ts";
import type { PairSymbol } from "../src/domain/asset.ts";
import type { Step } from "../src/domain/step.ts";
import type { Millis } from "../src/domain/time.ts";
import { pacingDefaults } from "../src/exchange/budget/pacing.ts";
import type { Settings } from "../src/execution/parameters.ts";
import type { FairSettings } from "../src/market/pricing.ts";
import type { Limits } from "../src/risk/limits.ts";
import type { AddressRow } from "../src/simulator/core/record.ts";
import type { LatencySettings } from "../src/simulator/latency.ts";
import type { Market } from "../src/simulator/market/market.ts";
import type { MarketParameters } from "../src/simulator/market/parameters.ts";
import type { ReferenceFeedParameters } from "../src/simulator/market/reference.ts";
import type { Strategy } from "../src/strategy/prepare.ts";
import type { Rebalancer } from "../src/treasury/rebalancer/rebalancer.ts";
import type { Recording } from "./recording.ts";

export type BacktestOptions = {
  readonly strategy: Strategy;
  readonly limits: Limits;
  /**
   * Only these of the allowed pairs are traded; all by default. The others are still quoted, and value the holdings.
   */
  readonly traded?: readonly PairSymbol[];
  readonly par: FairSettings["par"];
  /** Other price rules, as in the running bot. */
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
  /** The rebalancer, for the process of this name; none if absent. */
  readonly rebalancer?: (writer: string) => Rebalancer;
  /** Wallets that are whitelisted and confirmed at the venue from the start; none by default. */
  readonly whitelist?: readonly AddressRow[];
  /**
   * Replaces the synthetic market: a check changes the future this way. Recorded prices are changed in their columns.
   */
  readonly bend?: (market: Market) => Market;
  readonly watch?: BacktestWatcher;
};

/** The delay until a requested payment is made in full: a person's bank takes some hours, coins are sent at once. */
export const PAYERS = { onRampMs: 4 * 3_600_000, offRampMs: 0 };

type BacktestWatcher = {
  /** Called from time to time with the virtual time reached. */
  readonly reached?: (at: Millis) => void;
  readonly step?: (step: Step) => void;
};

// Assumptions about the venue and the connection to it, with defaults; all of them appear in the report.

export type BacktestTerms = {
  /** Median one-way latency; both ways are drawn separately for each request. */
  readonly latencyMs: number;
  /** Delay from a decision until its order may ask for a slot; nothing else waits for it. */
  readonly decisionMs: number;
  /** From an answer to the next request. */
  readonly paceMs: number;
  /** Interval between reads of the venue's quotes; 0 spends every slot on them that nothing better wants. */
  readonly quotesMs: number;
  /** The venue's fee on the quote leg. */
  readonly feeBps: number;
  /** The longest delay until a trade appears in the history. */
  readonly publicationMs: number;
};

export const backtestTerms: BacktestTerms = {
  latencyMs: 25,
  decisionMs: 0,
  paceMs: pacingDefaults.spacingMs,
  quotesMs: 0,
  feeBps: 0,
  publicationMs: 0,
};

export function latencyOf({ terms: { latencyMs }, market: { venue } }: LatencyParts): LatencySettings {
  const { slowShare, slowMinMs, slowMaxMs } = venue;
  const [minMs, maxMs] = [Math.min(5, latencyMs), Math.max(2_000, 10 * latencyMs)];
  return { medianMs: latencyMs, sigma: 0.4, minMs, maxMs, slowShare, slowMinMs, slowMaxMs };
}

type LatencyParts = Pick<BacktestOptions, "terms" | "market">;

/** Intervals of the bot's periodic work. */
type Cadence = {
  readonly tickMs: number;
  readonly polls: PollSettings;
  /** Interval between polls of a synthetic reference feed. */
  readonly referencesMs: number;
};

/** Poll interval of a live feed. */
const REFERENCES_MS = 1_000;
/** Due reads are noticed at events: with fewer ticks quotes would be read later than wanted. */
const TICKS_PER_QUOTE = 6;

/**
 * A bot that reads quotes rarely has less to do in between, so all other periodic work slows down with them. References
 * are polled at least twice within their maximum age.
 */
export function cadenceOf(
  live: Pick<Cadence, "tickMs" | "polls">,
  { quotesMs }: BacktestTerms,
  { referenceAgeMsMax }: Pick<Limits, "referenceAgeMsMax">,
  { venue: { quotesShown } }: Pick<MarketParameters, "venue">,
): Cadence {
  const { polls } = live;
  return {
    tickMs: Math.max(live.tickMs, Math.floor(quotesMs / TICKS_PER_QUOTE)),
    polls: {
      ...polls,
      quotesMs: quotesShown ? quotesMs : undefined,
      balancesMs: Math.max(polls.balancesMs, 6 * quotesMs),
      historiesMs: Math.max(polls.historiesMs, 60 * quotesMs),
    },
    referencesMs: Math.max(REFERENCES_MS, Math.min(quotesMs, Math.floor(referenceAgeMsMax / 2))),
  };
}

// The role of recorded prices in a backtest: the venue's own, visible only when a slot is spent on them, or a free
// reference feed.

export const ROLES = ["venue", "reference"] as const;

export type Role = Recording["role"];
