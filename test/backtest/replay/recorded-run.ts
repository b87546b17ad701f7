// A backtest over recorded columns with everything on: gate, slot line, protocol, journal in memory, trace. For the tests of
// the replay and for its benchmark.

import type { Feed } from "../../../backtest/replay/feed.ts";
import { NO_JOURNAL, type ReplaySettings, replay } from "../../../backtest/replay/replay.ts";
import { createCore } from "../../../src/bot/core.ts";
import type { Engine } from "../../../src/bot/engine.ts";
import { pipelineDefaults } from "../../../src/bot/pipeline-settings.ts";
import { createTrace } from "../../../src/bot/trace/trace.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { createIds } from "../../../src/domain/ids.ts";
import { createRandom } from "../../../src/domain/random.ts";
import { type Millis, millis } from "../../../src/domain/time.ts";
import { DEFAULT_SETTINGS } from "../../../src/execution/parameters.ts";
import type { QuoteColumns } from "../../../src/market/column.ts";
import type { Limits } from "../../../src/risk/limits.ts";
import { paperLimits } from "../../../src/risk/paper-limits.ts";
import { createVenue } from "../../../src/simulator/core/venue.ts";
import { createLatency } from "../../../src/simulator/latency.ts";
import { syntheticMarket } from "../../../src/simulator/market/synthetic.ts";
import { setUp } from "../../../src/simulator/stage.ts";
import { VenueLine } from "../../../src/simulator/venue-line.ts";
import type { Strategy } from "../../../src/strategy/prepare.ts";
import { opening } from "../../journal/samples.ts";
import { MemoryJournal } from "../../support/memory-journal.ts";
import { recordedMarket } from "../../support/recorded-market.ts";

export const SYMBOL = "VCHF/CHF" as PairSymbol;
/** The venue shows so many rows of a history: more than can happen between two looks at it. */
export const HISTORY_ROWS = 50;
const WRITER = "recorded";
/** Nothing is signed: any name will do. */
const KEY = "the-key-of-the-recorded-run";
const FUNDS = { CHF: "10000000", VCHF: "10000000" };
const OFF = "off: a recorded run" as const;

/** Every rule is at work but those that would stop a strategy for being busy. */
const LIMITS: Limits = {
  ...paperLimits,
  depegLossBpsMax: "off: a test of few assets",
  issuerLossBpsMax: "off: a test of few assets",
  issuerEndBps: 6_000,
  ordersPerMinuteMax: OFF,
  ordersPerDayMax: 10_000_000,
  assetExposureMax: OFF,
  grossExposureMax: OFF,
  turnoverPerHourMax: OFF,
  turnoverPerDayMax: OFF,
  feesPerDayMax: OFF,
  rejectsPerSymbolMax: OFF,
  rejectsMax: OFF,
  lossesMax: OFF,
  adverseBpsMax: OFF,
  duplicateWindowMs: OFF,
  offsetWindowMs: OFF,
};

export type RecordedParts = {
  readonly from: Millis;
  readonly to: Millis;
  /** What the venue deals at. */
  readonly market: QuoteColumns;
  readonly feeds: readonly Feed[];
  readonly strategy: Strategy;
  readonly seed: number;
  readonly settings?: Partial<ReplaySettings>;
  readonly keep?: boolean;
  /** As backtests have it: no text of the records, so no hash of them. */
  readonly tail?: boolean;
};

export type RecordedRun = {
  readonly tradingCore: Engine;
  readonly hash: string;
  readonly journalHash: string | undefined;
  readonly lines: readonly string[];
  readonly orders: number;
  readonly fills: number;
  readonly slots: number;
  /** When the last of them was spent. */
  readonly lastSlotAt: number;
  readonly refusal: string | undefined;
};

export function recordedRun({ from, to, seed, keep = false, ...parts }: RecordedParts): RecordedRun {
  const market = recordedMarket([parts.market], syntheticMarket(seed));
  const retained = { historyRetainedMax: HISTORY_ROWS, postingsRetainedMax: HISTORY_ROWS };
  const venue = createVenue({ market, settings: { seed, historyPageMax: HISTORY_ROWS, ...retained } });
  setUp(venue, KEY, new Map(Object.entries(FUNDS)), { venue: from, settlement: from });
  const trace = createTrace({ keep });
  const ids = createIds("T", WRITER);
  const chained = parts.tail ? undefined : new MemoryJournal(opening, WRITER, { keep: false });
  const journal = chained ?? NO_JOURNAL;
  const counts = { orders: 0, fills: 0, slots: 0, lastSlotAt: 0 };
  const { tradingCore, refusal } = replay({
    from,
    to,
    makeCore: (strategy) =>
      createCore(strategy, {
        limits: LIMITS,
        par: new Map([[SYMBOL, { bandBps: 100 }]]),
        ids,
        writer: WRITER,
        settings: DEFAULT_SETTINGS,
      }),
    strategy: parts.strategy,
    venue: { line: new VenueLine(venue, createLatency(createRandom(seed).fork("network"))), key: KEY },
    feeds: parts.feeds,
    journal,
    identity: { codeVersion: "0.0.0", configDigest: "none" },
    settings: { ...pipelineDefaults, firstQuotesMsMax: 0, sampleMs: 3_600_000, ...parts.settings },
    watch: {
      step(step) {
        trace.take(step);
        const { event } = step;
        if (event.kind === "report" && event.report.kind === "filled" && !event.report.confirmed) counts.fills++;
      },
      turn: ({ sends }) => {
        counts.orders += sends.length;
      },
      slot: (at) => {
        counts.slots++;
        counts.lastSlotAt = at;
      },
    },
  });
  const hash = trace.digest(tradingCore.books.accounts);
  return { tradingCore, refusal, hash, journalHash: chained?.head().value.hash, lines: trace.lines, ...counts };
}

/** Where the data begins. */
export const DATA_START = millis(Date.UTC(2026, 5, 1));
