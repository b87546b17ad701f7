// Rows that go through the engine in one run are the rows that arrive one by one: the same journal to the last letter, with
// other feeds between them, chunks of any size, bad rows and rows of one time.

import { describe, expect, it } from "vitest";
import type { QuoteSource } from "../../../backtest/data/source.ts";
import { barFeed, type Feed, polledFeed, quotesOf, sourceFeed } from "../../../backtest/replay/feed.ts";
import { pollDefaults } from "../../../src/bot/effects/poll-schedule.ts";
import { createRandom, type Random } from "../../../src/domain/random.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { type Millis, millis } from "../../../src/domain/time.ts";
import { type BarColumns, createColumn, createQuoteColumns, type QuoteColumns } from "../../../src/market/column.ts";
import { createReferenceFeed, DEFAULT_REFERENCES } from "../../../src/simulator/market/reference.ts";
import { syntheticMarket } from "../../../src/simulator/market/synthetic.ts";
import { prepareStrategy, type Strategy } from "../../../src/strategy/prepare.ts";
import { defineStrategy, ema, z } from "../../../src/strategy/strategy.ts";
import { DATA_START, type RecordedRun, recordedRun, SYMBOL } from "./recorded-run.ts";

const ROWS = 4_000;
const BARS = 600;
const MINUTE = 60_000;
const settings = {
  tickMs: 5_000,
  polls: { ...pollDefaults, quotesMs: 7_000, balancesMs: 20_000 },
};

/** Wakes on everything that a feed can bring, and orders both ways. */
const busy = defineStrategy({
  name: "busy",
  params: z.object({}),
  wakes: ["quote", "reference", "bar"],
  state: () => ({ average: ema(20), asked: 0, bars: 0, orders: 0 }),
  decide({ wake, quote, bar, state, buy, sell, now, openOrders }) {
    state.asked++;
    if (wake === "reference") return undefined;
    if (bar !== undefined) state.bars++;
    const price = bar?.close ?? quote?.mid;
    if (quote === undefined || price === undefined || quote.symbol !== SYMBOL) return undefined;
    const average = state.average.next(price);
    if (Math.abs(price - average) < 0.0004 || openOrders.length > 0) return [];
    state.orders++;
    const ask = { size: "10", reason: `away from ${average} at ${now}` };
    return price < average
      ? buy(quote.symbol, { ...ask, limit: quote.ask * 1.0005 })
      : sell(quote.symbol, { ...ask, limit: quote.bid * 0.9995 });
  },
});

/** There is always an order under way. */
const eager = defineStrategy({
  name: "eager",
  params: z.object({}),
  decide: ({ quote, buy, openOrders }) =>
    openOrders.length > 0 ? [] : buy(quote.symbol, { limit: quote.ask * 1.0005, size: "10", reason: "again" }),
});

/** Orders nothing, and knows how old everything was that it saw. */
const watching = defineStrategy({
  name: "watching",
  params: z.object({}),
  state: () => ({ asked: 0, agesMs: 0, times: 0 }),
  decide({ quote, state, now }) {
    state.asked++;
    state.agesMs += quote.ageMs;
    state.times += now - DATA_START;
  },
});

const strategy = (): Strategy => unwrap(prepareStrategy(busy, {}));

/** Bars alone go another way through the engine; it sees everything of them that there is to see. */
const onBars = defineStrategy({
  name: "on-bars",
  params: z.object({}),
  wakes: ["bar"],
  state: () => ({ average: ema(20), asked: 0, seen: 0 }),
  decide({ wake, bar, quote, fair, state, buy, sell, now, openOrders }) {
    if (wake !== "bar" || quote === undefined) throw new Error("a bar must come with its close as a quote");
    state.asked++;
    state.seen += bar.open + bar.high - bar.low + (bar.volume ?? 1) + quote.bid + quote.ageMs + (fair ?? 0.5);
    const average = state.average.next(bar.close);
    if (state.asked === 560) throw new Error("once, and the bot goes on");
    if (openOrders.length > 0) return null;
    if (Math.abs(bar.close - average) < 0.0004) return state.asked % 7 === 0 ? [] : undefined;
    const ask = { size: "10", reason: `away from ${average} at ${now}` };
    return bar.close < average
      ? buy(bar.symbol, { ...ask, limit: bar.close * 1.0005 })
      : sell(bar.symbol, { ...ask, limit: bar.close * 0.9995 });
  },
});

const ways = {
  "quotes and bars": { made: strategy, tickMs: 5_000 },
  "bars alone": { made: () => unwrap(prepareStrategy(onBars, {})), tickMs: 5_000 },
  "bars alone, in long runs": { made: () => unwrap(prepareStrategy(onBars, {})), tickMs: 3_600_000 },
};

/** Without its rows: one at a time. */
function oneByOne(feed: Feed): Feed {
  return {
    get nextAt() {
      return feed.nextAt;
    },
    take: () => feed.take(),
    ...(feed.tellsTime === undefined ? {} : { tellsTime: feed.tellsTime }),
  };
}

function someQuotes(random: Random): QuoteColumns {
  const made = createQuoteColumns(SYMBOL, ROWS);
  let ticks = 1_000_000;
  let time: number = DATA_START;
  for (let i = 0; i < ROWS; i++) {
    ticks += Math.round((1_000_000 - ticks) * 0.01 + random.normal() * 100);
    time += random.next() < 0.2 ? 0 : Math.round(random.next() * 600);
    const isBad = random.next() < 0.002;
    made.time[i] = time;
    made.bid[i] = (ticks - 20) / 1e6;
    made.ask[i] = isBad ? (random.next() < 0.5 ? Number.NaN : 0.5) : (ticks + 20) / 1e6;
    made.bidSize[i] = random.next() < 0.1 ? Number.NaN : 10_000;
    made.askSize[i] = 10_000;
  }
  return made;
}

/** In chunks of one memory, as a file is read. */
function chunked(columns: QuoteColumns, size: number): QuoteSource {
  const { symbol, length: rows, time } = columns;
  return {
    kind: "quotes",
    symbol,
    rows,
    firstAt: millis(time[0] as number),
    lastAt: millis(time[rows - 1] as number),
    leftOut: {},
    *chunks() {
      const chunk = createQuoteColumns(symbol, size);
      for (let from = 0; from < rows; from += size) {
        const length = Math.min(size, rows - from);
        for (const name of ["time", "bid", "ask", "bidSize", "askSize"] as const)
          chunk[name].set(columns[name].subarray(from, from + length));
        yield { ...chunk, length };
      }
    },
  };
}

function someBars(random: Random): BarColumns {
  const column = () => createColumn(BARS, "private");
  const [time, open, high, low, close, volume] = [column(), column(), column(), column(), column(), column()];
  let price = 1;
  for (let i = 0; i < BARS; i++) {
    time[i] = DATA_START + i * MINUTE;
    open[i] = i % 83 === 82 ? Number.POSITIVE_INFINITY : price;
    price += (1 - price) * 0.05 + random.normal() * 0.0003;
    close[i] = i % 97 === 96 ? Number.NaN : price;
    high[i] = Math.max(open[i] as number, price);
    low[i] = Math.min(open[i] as number, price);
    volume[i] = i % 3 === 0 ? Number.NaN : 100;
  }
  return { symbol: SYMBOL, length: BARS, intervalMs: MINUTE, time, open, high, low, close, volume };
}

function comparable({ hash, journalHash, lines, orders, fills, slots, tradingCore }: RecordedRun): unknown {
  return { hash, journalHash, lines, orders, fills, slots, state: tradingCore.strategy.state };
}

describe.each([424_242])("with seed %i", (seed) => {
  const market = syntheticMarket(seed);
  const reference = (): Feed =>
    polledFeed(createReferenceFeed(market, seed, unwrapped(DEFAULT_REFERENCES[0])), new Set(["GBP/CHF"]), {
      from: DATA_START,
      everyMs: 1_000,
    });

  it.each(["venue", "recorded"])("quotes of the source %s run as they arrive", (source) => {
    const random = createRandom(seed);
    const quotes = someQuotes(random);
    const to = millis((quotes.time[ROWS - 1] as number) + 5_000);
    const run = (feed: Feed): RecordedRun =>
      recordedRun({
        from: DATA_START,
        to,
        market: quotes,
        feeds: [reference(), feed],
        strategy: strategy(),
        seed,
        settings,
        keep: true,
      });
    const expected = run(oneByOne(sourceFeed(source, chunked(quotes, ROWS))));
    expect(expected.refusal).toBeUndefined();
    expect(expected.fills).toBeGreaterThan(source === "venue" ? 20 : 0);
    for (const size of [ROWS, 333, 1]) {
      const feed = sourceFeed(source, chunked(quotes, size));
      expect(comparable(run(feed))).toEqual(comparable(expected));
      expect(feed.nextAt).toBe(Number.POSITIVE_INFINITY);
    }
  });

  it("ticks come between rows as they come between events", () => {
    const quotes = someQuotes(createRandom(seed));
    const run = (feed: Feed): RecordedRun =>
      recordedRun({
        from: DATA_START,
        to: millis((quotes.time[ROWS - 1] as number) + 5_000),
        market: quotes,
        feeds: [feed],
        strategy: strategy(),
        seed,
        settings: { tickMs: 700, polls: { ...settings.polls, quotesMs: Number.POSITIVE_INFINITY } },
        keep: true,
      });
    const expected = run(oneByOne(sourceFeed("venue", chunked(quotes, ROWS))));
    expect(expected.fills).toBeGreaterThan(20);
    expect(comparable(run(sourceFeed("venue", chunked(quotes, 333))))).toEqual(comparable(expected));
  });

  it.each(Object.entries(ways))(
    "bars run as they close, and what is ordered on one meets the next open: with %s",
    (_name, { made, tickMs }) => {
      const bars = someBars(createRandom(seed));
      const source = { symbol: SYMBOL, intervalMs: MINUTE, chunks: () => [bars] };
      // What is ordered on the last bar would meet no open: the run ends before it closes.
      const to: Millis = millis(DATA_START + BARS * MINUTE - 1);
      const run = (feed: Feed): RecordedRun =>
        recordedRun({
          from: DATA_START,
          to,
          market: quotesOf(bars, "open"),
          feeds: tickMs > MINUTE ? [feed] : [feed, reference()],
          strategy: made(),
          seed,
          settings: {
            tickMs,
            polls: { ...settings.polls, quotesMs: Number.POSITIVE_INFINITY, balancesMs: 4 * tickMs },
          },
          keep: true,
        });
      const expected = run(oneByOne(barFeed(source)));
      expect(expected.fills).toBeGreaterThan(20);
      expect(comparable(run(barFeed(source)))).toEqual(comparable(expected));
      const fills = expected.lines.filter((line) => line.includes(" answered #"));
      for (const line of fills) {
        const [at, , , side, , first, , second] = line.split(" ");
        const paid = Number(side === "buy" ? second : first);
        const open = bars.open[Math.floor((Number(at) - DATA_START) / MINUTE)] as number;
        // Never stamped before the bar whose open it met. Ten units at the open, on the venue's grid of six decimals.
        expect(Math.abs(paid - 10 * open)).toBeLessThan(10 * 1.01e-6);
      }
    },
  );
});

it("rows that come just after a bar told the venue's time are stamped no earlier than it", () => {
  const random = createRandom(1);
  const quotes = someQuotes(random);
  const bars = someBars(random);
  const run = (made: (feed: Feed) => Feed): RecordedRun =>
    recordedRun({
      from: DATA_START,
      to: millis(quotes.time[ROWS - 1] as number),
      market: quotesOf(bars, "open"),
      feeds: [
        made(barFeed({ symbol: SYMBOL, intervalMs: MINUTE, chunks: () => [bars] })),
        made(sourceFeed("venue", chunked(quotes, ROWS))),
      ],
      strategy: unwrap(prepareStrategy(watching, {})),
      seed: 1,
      settings: { ...settings, polls: { ...settings.polls, quotesMs: Number.POSITIVE_INFINITY } },
    });
  const expected = run(oneByOne).tradingCore.strategy.state as { asked: number };
  expect(expected.asked).toBeGreaterThan(ROWS / 2);
  expect(run((feed) => feed).tradingCore.strategy.state).toEqual(expected);
});

it("an order that is on its way when a run ends is waited for, and one that waits is not sent: none is left open", () => {
  const quotes = someQuotes(createRandom(1));
  for (let ms = 0; ms < 1_000; ms += 40) {
    const to = millis(DATA_START + 30_000 + ms);
    const { tradingCore, orders, lastSlotAt } = recordedRun({
      from: DATA_START,
      to,
      market: quotes,
      feeds: [sourceFeed("venue", chunked(quotes, ROWS))],
      strategy: unwrap(prepareStrategy(eager, {})),
      seed: 1,
      settings,
    });
    const open = Array.from(tradingCore.executor.open(), ({ state }) => state.kind);
    expect(open.filter((kind) => kind === "intended" || kind === "sending")).toEqual([]);
    expect(orders).toBeGreaterThan(5);
    expect(lastSlotAt).toBeLessThanOrEqual(to);
  }
});

it.each([oneByOne, (feed: Feed) => feed])(
  "what is due to be read is asked for when a price comes, before the next tick",
  (made) => {
    const quotes = someQuotes(createRandom(1));
    const { slots } = recordedRun({
      from: DATA_START,
      to: millis(DATA_START + 58_000),
      market: quotes,
      feeds: [made(sourceFeed("venue", chunked(quotes, ROWS)))],
      strategy: unwrap(prepareStrategy(watching, {})),
      seed: 1,
      settings: {
        tickMs: 60_000,
        polls: { ...pollDefaults, quotesMs: Number.POSITIVE_INFINITY, balancesMs: 5_000 },
      },
    });
    // Eleven times the balances, and what a start reads.
    expect(slots).toBeGreaterThan(11);
  },
);

it("a bar's close is a price when the bar closes, its open when it begins, each with half the spread to either side", () => {
  const bars = { ...someBars(createRandom(1)), length: 1 };
  const [open, close] = [bars.open[0] as number, bars.close[0] as number];
  const first = ({ time, bid, ask, bidSize }: QuoteColumns) => [time[0], bid[0], ask[0], bidSize[0]];
  expect(first(quotesOf(bars, "open"))).toEqual([DATA_START, open, open, Number.NaN]);
  expect(first(quotesOf(bars, "open", 10))).toEqual([DATA_START, open * (1 - 1e-3), open * (1 + 1e-3), Number.NaN]);
  const closed = [close * (1 - 1e-3), close * (1 + 1e-3)] as const;
  expect(first(quotesOf(bars, "close", 10))).toEqual([DATA_START + MINUTE, ...closed, Number.NaN]);
  const feed = barFeed({ symbol: SYMBOL, intervalMs: MINUTE, chunks: () => [bars] }, { halfSpreadBps: 10 });
  expect(feed.nextAt).toBe(DATA_START + MINUTE);
  const [bid, ask] = closed;
  const receivedAt = DATA_START + MINUTE;
  expect(feed.take()).toMatchObject([{ kind: "quote", source: "venue", bid, ask, receivedAt }]);
  expect(feed.take()).toMatchObject([{ kind: "bar", open, close, volume: undefined, receivedAt }]);
  expect([feed.nextAt, feed.take()]).toEqual([Number.POSITIVE_INFINITY, []]);
});

function unwrapped<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("there must be one");
  return value;
}
