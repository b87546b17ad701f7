// What a backtest costs beside a hand-written loop over the same columns, through the public strategy API, with gate, slot
// line, protocol, journal in memory and trace hash on. W1: a cross of two averages on a million minute bars, ordered at
// the close, filled at the next open. W2: an order when one of two million quotes is more than 5 bp from its average. W3:
// the quotes of W2 with an edge that none of them has. Ratios are medians of interleaved pairs in one process per work, which is
// started, and paced, as that of the `backtest` command is. `npm run bench backtest cost`: what an order of W2 costs, as a table.

import { execFileSync } from "node:child_process";
import { loadavg } from "node:os";
import { barFeed, quotesOf, sourceFeed } from "../backtest/replay/feed.ts";
import type { ReplaySettings } from "../backtest/replay/replay.ts";
import { pollDefaults } from "../src/bot/effects/poll-schedule.ts";
import { createRandom } from "../src/domain/random.ts";
import { unwrap } from "../src/domain/result.ts";
import { millis } from "../src/domain/time.ts";
import { type BarColumns, createColumn, createQuoteColumns, type QuoteColumns } from "../src/market/column.ts";
import { prepareStrategy } from "../src/strategy/prepare.ts";
import { defineStrategy, ema, sma, z } from "../src/strategy/strategy.ts";
import {
  DATA_START,
  HISTORY_ROWS,
  type RecordedRun,
  recordedRun,
  SYMBOL,
} from "../test/backtest/replay/recorded-run.ts";
import { runRaces } from "./apart.ts";
import { printOrderCost } from "./order-cost.ts";

const BARS = 1_000_000;
const QUOTES = 2_000_000;
const MINUTE = 60_000;
const PAIRS = Number(process.argv[3] ?? 7);
const SEED = 7;
const EDGE = 5 / 1e4;
const LENGTH = 1_000;
/** Reached are 0.30 to 0.36: every tick looks at equity, whose marks move with each price. */
const LEAST = 0.25;

/** Quotes come by themselves; balances are read after fills. What else is polled is polled seldom, and said so. */
const CADENCE = { balancesMs: 86_400_000, historiesMs: 86_400_000 };
const AGENDA = { ...pollDefaults, ...CADENCE, quotesMs: Number.POSITIVE_INFINITY, pairsMs: Number.POSITIVE_INFINITY };
/** How often time passes for the bot: on bars seldom, on quotes often enough to look for each trade in the history. */
const BAR_TICK_MS = 3_600_000;
const QUOTE_TICK_MS = 10_000;

/** Both loops of a pair run in it. */
const PROCESS = "started by the launcher, paced as that of `backtest`";

function settingsOf(tickMs: number): Partial<ReplaySettings> {
  return { tickMs, sampleMs: 3_600_000, polls: AGENDA };
}

type Trades = { readonly orders: number; readonly worth: number };
type Work = {
  readonly title: string;
  readonly rows: number;
  /** Of the loop's speed, at least; W1 and W2 are printed only. */
  readonly least?: number;
  readonly tickMs: number;
  readonly hand: () => Trades;
  readonly ours: () => RecordedRun;
};

const crossing = defineStrategy({
  name: "crossing",
  params: z.object({}),
  wakes: ["bar"],
  state: () => ({ fast: sma(20), slow: sma(50), isLong: false, bars: 0 }),
  decide({ bar, state, buy, sell }) {
    const fast = state.fast.next(bar.close);
    const slow = state.slow.next(bar.close);
    state.bars++;
    if (state.bars < 50 || fast === undefined || slow === undefined || fast > slow === state.isLong) return undefined;
    state.isLong = fast > slow;
    const size = "100";
    // Far enough to be sure of the next open, near enough for the collar.
    if (state.isLong) return buy(bar.symbol, { limit: bar.close * 1.001, size, reason: "crossed above" });
    return sell(bar.symbol, { limit: bar.close * 0.999, size, reason: "crossed below" });
  },
});

const returning = defineStrategy({
  name: "returning",
  params: z.object({ edge: z.number() }),
  state: () => ({ average: ema(LENGTH), nextAt: 0 }),
  decide({ quote, now, state, params, buy, sell }) {
    const { bid, ask } = quote;
    const average = state.average.next((bid + ask) / 2);
    if (ask < average * (1 - params.edge) && now >= state.nextAt) {
      state.nextAt = now + 1_000;
      return buy(quote.symbol, { limit: ask, size: "100", reason: "below the average" });
    }
    if (bid > average * (1 + params.edge) && now >= state.nextAt) {
      state.nextAt = now + 1_000;
      return sell(quote.symbol, { limit: bid, size: "100", reason: "above the average" });
    }
    return undefined;
  },
});

function makeBars(): BarColumns {
  const random = createRandom(SEED);
  const column = () => createColumn(BARS, "private");
  const [time, open, high, low, close, volume] = [column(), column(), column(), column(), column(), column()];
  let price = 1;
  for (let i = 0; i < BARS; i++) {
    time[i] = DATA_START + i * MINUTE;
    open[i] = price;
    price += (1 - price) * 0.005 + random.normal() * 0.0001;
    close[i] = price;
    high[i] = Math.max(open[i] as number, price);
    low[i] = Math.min(open[i] as number, price);
    volume[i] = 1_000;
  }
  return { symbol: SYMBOL, length: BARS, intervalMs: MINUTE, time, open, high, low, close, volume };
}

function makeQuotes(): QuoteColumns {
  const random = createRandom(SEED);
  const made = createQuoteColumns(SYMBOL, QUOTES);
  let mid = 1;
  let time: number = DATA_START;
  for (let i = 0; i < QUOTES; i++) {
    mid += (1 - mid) * 0.001 + random.normal() * 0.00003;
    time += Math.round(random.next() * 400);
    made.time[i] = time;
    const ticks = Math.round(mid * 1e6);
    made.bid[i] = (ticks - 50) / 1e6;
    made.ask[i] = (ticks + 50) / 1e6;
    made.bidSize[i] = 10_000;
    made.askSize[i] = 10_000;
  }
  return made;
}

function crossedByHand({ length, open, close }: BarColumns): Trades {
  let fast = 0;
  let slow = 0;
  let cash = 0;
  let held = 0;
  let isLong = false;
  let orders = 0;
  for (let i = 0; i < length - 1; i++) {
    const price = close[i] as number;
    fast += price - (i >= 20 ? (close[i - 20] as number) : 0);
    slow += price - (i >= 50 ? (close[i - 50] as number) : 0);
    if (i < 49) continue;
    const isAbove = fast / 20 > slow / 50;
    if (isAbove === isLong) continue;
    isLong = isAbove;
    orders++;
    const size = isLong ? 100 : -100;
    cash -= size * (open[i + 1] as number);
    held += size;
  }
  return { orders, worth: cash + held };
}

function returnedByHand({ length, time, bid, ask }: QuoteColumns, edge: number): Trades {
  const weight = 2 / (LENGTH + 1);
  let average = ((bid[0] as number) + (ask[0] as number)) / 2;
  let nextAt = 0;
  let cash = 0;
  let held = 0;
  let orders = 0;
  for (let i = 1; i < length; i++) {
    const buyAt = ask[i] as number;
    const sellAt = bid[i] as number;
    average += weight * ((sellAt + buyAt) / 2 - average);
    const side = buyAt < average * (1 - edge) ? 100 : sellAt > average * (1 + edge) ? -100 : 0;
    if (side === 0 || (time[i] as number) < nextAt) continue;
    nextAt = (time[i] as number) + 1_000;
    orders++;
    cash -= side * (side > 0 ? buyAt : sellAt);
    held += side;
  }
  return { orders, worth: cash + held };
}

const WORKS: Readonly<Record<string, () => Work>> = {
  W1() {
    const bars = makeBars();
    const market = quotesOf(bars, "open");
    const source = { symbol: SYMBOL, intervalMs: MINUTE, chunks: () => [bars] };
    return {
      title: "averages of 20 and 50 crossing on minute bars, filled at the next open",
      rows: BARS,
      tickMs: BAR_TICK_MS,
      hand: () => crossedByHand(bars),
      ours: () =>
        recordedRun({
          from: DATA_START,
          to: millis(DATA_START + BARS * MINUTE - 1),
          market,
          feeds: [barFeed(source)],
          strategy: unwrap(prepareStrategy(crossing, {})),
          seed: SEED,
          tail: true,
          settings: settingsOf(BAR_TICK_MS),
        }),
    };
  },
  W2: () => quoteWork("quotes more than 5 bp from their average, Fill-or-Kill at the touch", EDGE),
  W3: () => quoteWork("the same quotes when none is far enough for an order", 1, LEAST),
};

function quoteWork(title: string, edge: number, least?: number): Work {
  const quotes = makeQuotes();
  return {
    title,
    rows: QUOTES,
    ...(least === undefined ? {} : { least }),
    tickMs: QUOTE_TICK_MS,
    hand: () => returnedByHand(quotes, edge),
    ours: () =>
      recordedRun({
        from: DATA_START,
        to: millis((quotes.time[QUOTES - 1] as number) + 1_000),
        market: quotes,
        feeds: [sourceFeed("venue", { chunks: () => [quotes] })],
        strategy: unwrap(prepareStrategy(returning, { edge })),
        seed: SEED,
        tail: true,
        settings: settingsOf(QUOTE_TICK_MS),
      }),
  };
}

function timed<T>(run: () => T): { readonly ms: number; readonly value: T } {
  const from = process.cpuUsage();
  const value = run();
  return { ms: process.cpuUsage(from).user / 1e3, value };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] as number;
}

/** Milliseconds of processor time, of each pair in its order: how far they lie apart is how far the ratio can be trusted. */
function times(values: readonly number[]): Record<"min" | "median" | "max", number> & { readonly each: number[] } {
  const shown = (ms: number): number => Number(ms.toFixed(1));
  return {
    min: shown(Math.min(...values)),
    median: shown(median(values)),
    max: shown(Math.max(...values)),
    each: values.map(shown),
  };
}

/** Whether the least ratio was reached, where there is one. */
function race(name: string, work: Work): boolean {
  const pairs: { readonly hand: number; readonly ours: number }[] = [];
  const hashes = new Set<string>();
  let last: RecordedRun | undefined;
  let trades: Trades | undefined;
  for (let pair = -1; pair < PAIRS; pair++) {
    const hand = timed(work.hand);
    const ours = timed(work.ours);
    trades = hand.value;
    last = ours.value;
    hashes.add(last.hash);
    // The first pair warms up.
    if (pair >= 0) pairs.push({ hand: hand.ms, ours: ours.ms });
  }
  if (last === undefined || trades === undefined || hashes.size !== 1)
    throw new Error("the same run must have the same hash");
  if (last.refusal !== undefined) throw new Error(last.refusal);
  // A bot that stopped is fast.
  const { state, reason } = last.tradingCore.books.counters.tradingState;
  if (state !== "ACTIVE") throw new Error(`${name} must stay active to the end, was ${state}: ${reason}`);
  const hands = pairs.map(({ hand }) => hand);
  const own = pairs.map(({ ours }) => ours);
  const ratio = median(pairs.map(({ hand, ours }) => hand / ours));
  const perSecond = (ms: number): number => Math.round((work.rows / ms) * 1e3);
  const result = {
    work: name,
    title: work.title,
    rows: work.rows,
    pairs: PAIRS,
    ratio: Number(ratio.toFixed(4)),
    ratioMin: work.least,
    rowsPerSecond: perSecond(median(own)),
    handRowsPerSecond: perSecond(median(hands)),
    /** The hand loop takes so little that it is still being compiled in its first calls: those may take three times as long. */
    handMs: times(hands),
    oursMs: times(own),
    orders: last.orders,
    fills: last.fills,
    slots: last.slots,
    handOrders: trades.orders,
    traceHash: last.hash,
    peakMiB: Math.round(process.resourceUsage().maxRSS / 1_024),
    /** Processes that wanted a core meanwhile: with more than there are cores the figures are those of a busy machine. */
    load: Number((loadavg()[0] as number).toFixed(1)),
    settings: { ...CADENCE, tickMs: work.tickMs, historyRows: HISTORY_ROWS, quotes: "a free feed", process: PROCESS },
    date: execFileSync("date", ["-u", "+%FT%TZ"]).toString().trim(),
    commit: execFileSync("git", ["rev-parse", "--short", "HEAD"]).toString().trim(),
  };
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  return ratio >= (work.least ?? 0);
}

if (process.argv[2] === "cost") {
  await printOrderCost((WORKS.W2 as () => Work)().ours);
} else
  runRaces(import.meta.url, Object.keys(WORKS), (name) => {
    return race(name, (WORKS[name] as () => Work)());
  });
