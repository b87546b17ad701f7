// Quotes in columns and the same quotes as events, one by one: whatever a backtest runs through is what live would have done.

import { describe, expect, it } from "vitest";
import { barFeed } from "../../../backtest/replay/feed.ts";
import type { Accounts } from "../../../src/bot/accounts/accounts.ts";
import type { Engine } from "../../../src/bot/engine/engine.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import type { Event, QuoteEvent } from "../../../src/domain/event.ts";
import { createRandom, type Random } from "../../../src/domain/random.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { isRecorded, type Step } from "../../../src/domain/step.ts";
import { type Millis, millis } from "../../../src/domain/time.ts";
import { type BarColumns, createQuoteColumns, type QuoteColumns } from "../../../src/market/column.ts";
import { defineStrategy, ema } from "../../../src/strategy/strategy.ts";
import type { View } from "../../../src/strategy/view.ts";
import { fillAtLimit, strategyBench } from "../../support/strategy-bench.ts";

const SEED = 20_261_115;
const SYMBOLS = ["VCHF/CHF", "VGBP/GBP"] as PairSymbol[];
const CHUNKS = 130;
const BAR_MS = 10_000;
// In the evening, so that a day ends: its equity is marked at a quote.
const START = Date.UTC(2026, 0, 5, 21);

/** Trades, answers nothing in every way there is, and throws now and then. */
const moody = defineStrategy({
  name: "moody",
  state: () => ({ average: ema(50), count: 0, ages: 0, sizes: 0, fairs: 0 }),
  decide({ quote, fair, state, now, buy, sell }) {
    const average = state.average.next(quote.mid);
    state.ages += quote.ageMs + (now % 1_000);
    state.sizes += (quote.bidSize ?? 0.25) + (quote.askSize ?? 0.5);
    state.fairs += fair ?? 0.125;
    if (++state.count % 7_001 === 0) throw new Error("moody");
    if (state.count % 97 === 0) return [];
    if (state.count % 89 === 0) return false;
    const { symbol, bid, ask } = quote;
    if (ask < average * 0.9995) return buy(symbol, { limit: ask, size: 100, reason: "low" });
    return bid > average * 1.0005 ? sell(symbol, { limit: bid, size: 100, reason: "high" }) : undefined;
  },
});

function newEngine(views: "reused" | "fresh"): Engine {
  const balances = { CHF: "90000", VCHF: "90000" };
  return strategyBench(moody, { symbols: SYMBOLS, balances, settings: { views } }).engine;
}

/** Prices around par, a few that are none, and times that at times stand still, jump or go back. */
function randomColumns(random: Random, symbol: PairSymbol, start: number): QuoteColumns {
  const made = createQuoteColumns(symbol, 1 + Math.floor(random.next() * 120));
  let time = start;
  for (let i = 0; i < made.length; i++) {
    const draw = random.next();
    const mid = 1 + (random.next() - 0.5) * (draw < 0.05 ? 0.02 : 0.0012);
    time += draw < 0.01 ? 60_000 : draw < 0.03 ? -500 : Math.floor(random.next() * 900);
    made.time[i] = time;
    made.bid[i] = draw > 0.99 ? mid + 0.01 : mid - 0.0001;
    made.ask[i] = draw > 0.98 && draw <= 0.99 ? Number.NaN : mid + 0.0001;
    made.bidSize[i] = draw < 0.5 ? Number.NaN : 1_000;
    made.askSize[i] = draw < 0.4 ? Number.NaN : 2_000;
  }
  return made;
}

function eventAt({ symbol, time, bid, ask, bidSize, askSize }: QuoteColumns, row: number): QuoteEvent {
  const known = (size: number | undefined) => (Number.isNaN(size) ? undefined : size);
  const prices = { bid: bid[row] as number, ask: ask[row] as number };
  const sizes = { bidSize: known(bidSize[row]), askSize: known(askSize[row]) };
  return {
    kind: "quote",
    symbol,
    ...prices,
    ...sizes,
    source: "venue",
    at: undefined,
    receivedAt: millis(time[row] as number),
  };
}

function byEvents(engine: Engine, quotes: QuoteColumns, steps: string[]): void {
  for (let row = 0; row < quotes.length; row++) {
    const step = engine.process(eventAt(quotes, row));
    if (isRecorded(step)) steps.push(JSON.stringify(step));
  }
}

function byColumns(engine: Engine, quotes: QuoteColumns, steps: string[]): void {
  for (let row = 0; row < quotes.length; row++) {
    row = engine.run(quotes, row, quotes.length);
    if (row < quotes.length) steps.push(JSON.stringify(engine.step));
  }
}

/** Looks at all that there is, and orders by what it has seen. */
const curious = defineStrategy({
  name: "curious",
  wakes: ["quote", "reference", "bar", "timer", "report", "balances"],
  state: () => ({ sum: 0, count: 0, last: "" }),
  decide({ quote, quoteOf, fair, fairOf, balances, fills, openOrders, bar, wake, now, state, buy, sell }) {
    const other = quoteOf("VGBP/GBP");
    const parts = [
      quote?.mid,
      quote?.ageMs,
      quote?.bidSize,
      other?.bid,
      other?.ageMs,
      other?.askSize,
      fair,
      bar?.close,
    ];
    for (const part of [...parts, fairOf("VGBP/GBP"), fills.length, openOrders.length, balances[0]?.spendable])
      state.sum += part === undefined || Number.isNaN(part) ? 0.125 : part % 1_000;
    state.last = `${wake} ${quote?.symbol} ${now}`;
    if (++state.count % 501 === 0) return [];
    if (state.count % 43 !== 0 || quote === undefined) return undefined;
    const terms = { size: 50 + (state.count % 7), reason: "curious" };
    const bought = buy(quote.symbol, { limit: quote.ask, ...terms });
    return state.count % 2 === 0 ? bought : [sell(quote.symbol, { limit: quote.bid, ...terms }), bought];
  },
});

function curiousEngine(views: "reused" | "fresh", lookEveryMs: number): Engine {
  // With pounds equity moves with their rate, and is unknown while that is stale.
  const pounds = lookEveryMs < 1_000 ? {} : { GBP: "90000", VGBP: "90000" };
  const balances = { CHF: "90000", VCHF: "90000", ...pounds };
  return strategyBench(curious, { symbols: SYMBOLS, balances, settings: { views, lookEveryMs } }).engine;
}

/** The same for every engine: what it is about is taken from the first. */
function otherEvent(random: Random, { context }: Engine): (now: Millis) => Event {
  const open = [...(context.accounts as Accounts).open.values()][0]?.intent;
  const [draw, price] = [random.next(), 1.1 + random.next() * 0.01];
  if (open !== undefined && draw < 0.4) {
    const { clientOrderId } = open;
    const filled = { kind: "filled", fill: fillAtLimit(open), confirmed: true } as const;
    const report = draw < 0.3 ? filled : ({ kind: "not-sent", reason: "late" } as const);
    return (receivedAt) => ({ kind: "report", clientOrderId, report, receivedAt });
  }
  if (draw < 0.5) return (receivedAt) => ({ kind: "timer", receivedAt: millis(receivedAt + 100) });
  if (draw < 0.6) {
    const prices = { open: price, high: price, low: price, close: price, volume: undefined };
    return (receivedAt) => ({ kind: "bar", symbol: SYMBOLS[0] as PairSymbol, ...prices, receivedAt });
  }
  return reference("VCHF/CHF", 1 + price / 1e5, draw < 0.8 ? "a" : "b");
}

function resumed(receivedAt: Millis): Event {
  return { kind: "control", control: { kind: "resume", reason: "on", by: "me" }, receivedAt };
}

function reference(symbol: string, mid: number, source: string): (now: Millis) => QuoteEvent {
  const prices = { bid: mid, ask: mid, bidSize: undefined, askSize: undefined };
  return (receivedAt) => ({
    kind: "quote",
    symbol: symbol as PairSymbol,
    ...prices,
    source,
    at: undefined,
    receivedAt,
  });
}

/** Fresh views take no short cut, so they are the measure for the loop that columns and events share. */
function runAll() {
  const random = createRandom(SEED);
  const sides = (["fresh", "reused"] as const).flatMap((views) =>
    [byEvents, byColumns].map((drive) => ({ drive, engine: newEngine(views), steps: [] as string[] })),
  );
  let halts = 0;
  for (let i = 0; i < CHUNKS; i++) {
    const now = Math.max(START, sides[0]?.engine.now ?? 0);
    const quotes = randomColumns(random, SYMBOLS[i % 3 === 0 ? 1 : 0] as PairSymbol, now);
    for (const { drive, engine, steps } of sides) drive(engine, quotes, steps);
    if (sides[0]?.engine.context.counters.state !== "HALTED") continue;
    halts++;
    for (const { engine } of sides) engine.process(resumed(engine.now));
  }
  return { sides, halts };
}

describe(`random quotes in columns (seed ${SEED})`, () => {
  it("give the steps and the state of the same quotes as events, with reused views as with fresh ones", () => {
    const { sides, halts } = runAll();
    const [measure, ...others] = sides.map(({ engine, steps }) => ({ steps, saved: unwrap(engine.save()) }));
    for (const other of others) expect(other).toEqual(measure);
    expect(measure?.steps.length).toBeGreaterThan(CHUNKS / 4);
    expect(halts).toBeGreaterThan(0);
  });

  it("do so between fills, timers, bars, references and balances, however often equity is looked at", () => {
    let approved = 0;
    for (const lookEveryMs of [0, 1, 700, 10_000, 1e12]) {
      const random = createRandom(SEED + lookEveryMs);
      const sides = (["fresh", "reused"] as const).flatMap((views) =>
        [byEvents, byColumns].map((drive) => ({
          drive,
          engine: curiousEngine(views, lookEveryMs),
          steps: [] as string[],
        })),
      );
      const [first] = sides as [(typeof sides)[number]];
      for (let i = 0; i < 60; i++) {
        const quotes = randomColumns(
          random,
          SYMBOLS[random.integer(0, 1)] as PairSymbol,
          Math.max(START, first.engine.now),
        );
        if (random.next() < 0.1) quotes.time[random.integer(0, quotes.length - 1)] = Number.NaN;
        const others = Array.from({ length: random.integer(0, 3) }, () => otherEvent(random, first.engine));
        const price = 1.1 + random.next() * 0.002;
        const told = random.next() < 0.8 ? ["a", "b"].map((source) => reference("GBP/CHF", price, source)) : [];
        const isStopped = first.engine.context.counters.state === "HALTED";
        for (const { drive, engine, steps } of sides) {
          if (isStopped) engine.process(resumed(engine.now));
          const tell = (event: (now: Millis) => Event) => steps.push(JSON.stringify(engine.process(event(engine.now))));
          told.forEach(tell);
          drive(engine, quotes, steps);
          others.forEach(tell);
        }
      }
      const [measure, ...rest] = sides.map(({ engine, steps }) => ({ steps, saved: unwrap(engine.save()) }));
      for (const other of rest) expect(other, `looks every ${lookEveryMs} ms`).toEqual(measure);
      approved += measure?.steps.filter((step) => step.includes("approved")).length ?? 0;
    }
    expect(approved).toBeGreaterThan(50);
  });

  it("open the day at the same quote, though equity by par alone is not looked at in between", () => {
    const midnight = Date.UTC(2026, 0, 6);
    const quotes = createQuoteColumns(SYMBOLS[0] as PairSymbol, 4_000);
    for (let row = 0; row < quotes.length; row++) {
      quotes.time[row] = midnight - 1_000_000 + row * 500;
      quotes.bid[row] = 0.9999;
      quotes.ask[row] = 1.0001;
    }
    // A day is no multiple of 700 ms: it opens at the first quote of the interval after midnight.
    for (const [lookEveryMs, openedMs] of [
      [10_000, 0],
      [700, 500],
    ] as const) {
      const sides = [byEvents, byColumns].map((drive) => {
        const balances = { CHF: "90000", VCHF: "90000" };
        const options = {
          symbols: [SYMBOLS[0] as string],
          balances,
          settings: { views: "reused", lookEveryMs },
        } as const;
        const { engine } = strategyBench({ name: "still", decide: () => undefined }, options);
        const steps: string[] = [];
        drive(engine, quotes, steps);
        return { steps, saved: unwrap(engine.save()) };
      });
      expect(sides[1]).toEqual(sides[0]);
      const opened = (sides[0]?.steps ?? []).map((step) => JSON.parse(step).at - midnight);
      expect([lookEveryMs, opened]).toEqual([lookEveryMs, [-1_000_000, openedMs]]);
    }
  });

  it("end at the row whose step is not quiet, and go on after it", () => {
    const seen: number[] = [];
    const decide = ({ quote, buy }: View) => {
      seen.push(quote?.ask ?? 0);
      return quote?.ask === 0.999 ? buy("VCHF/CHF", { limit: 0.999, size: 100, reason: "low" }) : undefined;
    };
    const options = { symbols: ["VCHF/CHF"], balances: { CHF: "9000" }, settings: { views: "reused" } } as const;
    const { engine } = strategyBench({ name: "waiting", decide }, options);
    const quotes = createQuoteColumns("VCHF/CHF" as PairSymbol, 5);
    quotes.ask.set([1, 1.0001, 1.0002, 0.999, 1.0003]);
    quotes.bid.fill(0.9985);
    quotes.time.set([1, 2, 3, 4, 5].map((second) => START + second * 1_000));
    expect(engine.run(quotes, 0, 5)).toBe(3);
    expect(engine.step.decisions).toHaveLength(1);
    expect(engine.step.event).toMatchObject({ ask: 0.999, receivedAt: START + 4_000 });
    expect(engine.run(quotes, 4, 5)).toBe(5);
    expect(seen).toEqual([1, 1.0001, 1.0002, 0.999, 1.0003]);
  });

  it("as bars mark equity and stop at a loss where the same bars as events do", () => {
    const random = createRandom(SEED);
    const symbol = SYMBOLS[0] as PairSymbol;
    const options = {
      symbols: SYMBOLS,
      balances: { CHF: "9000", GBP: "9000" },
      settings: { views: "reused" },
    } as const;
    const still = { name: "still", wakes: ["bar"], decide: () => undefined };
    const sides = [oneByOne, together].map((drive) => {
      const { engine } = strategyBench(still, options);
      return { drive, engine, steps: [] as string[] };
    });
    const start = Date.UTC(2026, 0, 5, 23, 50);
    let price = 1.1;
    for (let i = 0; i < 100; i++) {
      // References a second before a bar, when no look is due: what they did to equity is seen at the bar.
      price *= i === 90 ? 0.8 : 1 + (random.next() - 0.45) / 1e3;
      const at = start + i * 3 * BAR_MS;
      const told = ["a", "b"].map((source) => reference("GBP/CHF", price, source)(millis(at + BAR_MS - 1_000)));
      const bars = flatBars(symbol, at, 3);
      for (const { drive, engine, steps } of sides) {
        for (const event of told) take(engine.process(event), steps);
        drive(engine, bars, steps);
      }
    }
    const [measure, other] = sides.map(({ engine, steps }) => ({ steps, saved: unwrap(engine.save()) }));
    expect(other).toEqual(measure);
    const marks = measure?.steps.map((step) => JSON.parse(step)).filter(({ mark }) => mark !== undefined) ?? [];
    expect(marks.filter(({ event }) => event.kind === "quote" && event.source === "venue").length).toBeGreaterThan(10);
    expect(sides[1]?.engine.context.counters.state).toBe("HALTED");
  });

  it("are as old as the venue says where that is older, as events with reused views too", () => {
    const ages: unknown[] = [];
    const engine = reusedEngine({ name: "aging", decide: ({ quote }: View) => void ages.push(quote?.ageMs) });
    const quotes = someQuotes(3);
    for (const [row, at] of [-700, 50, undefined].entries()) {
      const event = eventAt(quotes, row);
      engine.process({ ...event, at: at === undefined ? undefined : millis(event.receivedAt + at) });
    }
    engine.process({ ...eventAt(quotes, 2), at: millis(START - 1_000) });
    expect(ages).toEqual([700, 0, 0, 3_000]);
  });

  it("leave their last sizes behind when their owner writes others into them", () => {
    const seen: unknown[] = [];
    const decide = ({ wake, quoteOf }: View) => {
      if (wake === "timer") seen.push(quoteOf("VCHF/CHF")?.bidSize, quoteOf("VCHF/CHF")?.askSize);
    };
    const engine = reusedEngine({ name: "later", wakes: ["quote", "timer"], decide });
    const quotes = someQuotes(3);
    quotes.bidSize.set([1, 2, 3]);
    quotes.askSize.set([4, 5, Number.NaN]);
    engine.run(quotes, 0, 2);
    engine.process({ kind: "timer", receivedAt: engine.now });
    engine.run(quotes, 2, 3);
    quotes.bidSize.fill(9);
    quotes.askSize.fill(9);
    engine.process({ kind: "timer", receivedAt: engine.now });
    expect(seen).toEqual([2, 5, 3, undefined]);
  });

  it("close the view behind them, with all that was taken out of it", () => {
    const kept: View[] = [];
    const quotesKept: (View["quote"] | undefined)[] = [];
    const engine = reusedEngine({
      name: "keeping",
      decide(view: View) {
        kept.push(view);
        quotesKept.push(view.quote, view.quoteOf("VCHF/CHF"));
      },
    });
    engine.run(someQuotes(3), 0, 3);
    expect(kept).toHaveLength(3);
    const [view] = kept;
    const reads = [
      () => view?.now,
      () => view?.fair,
      () => view?.wake,
      () => view?.bar,
      () => view?.balances,
      () => view?.quoteOf("VCHF/CHF"),
      () => view?.fairOf("VCHF/CHF"),
      ...quotesKept.flatMap((quote) => [
        () => quote?.bid,
        () => quote?.symbol,
        () => quote?.bidSize,
        () => quote?.ageMs,
      ]),
    ];
    for (const read of reads) expect(read).toThrow("a view is valid only while decide runs");
  });

  it("halt a strategy whose error reads the view when it is read itself", () => {
    let view: View | undefined;
    let reads = 0;
    class Reading extends Error {
      override get message(): string {
        reads++;
        return `${view?.now}`;
      }
    }
    const engine = reusedEngine({
      name: "reading",
      decide(now: View) {
        if (view !== undefined) throw new Reading();
        view = now;
      },
    });
    expect(engine.run(someQuotes(3), 0, 3)).toBe(1);
    expect(engine.step.commands).toMatchObject([
      { cause: "strategy", reason: "strategy stopped: decide of reading threw: an error that threw when it was read" },
    ]);
    expect(reads).toBeGreaterThan(0);
    expect(engine.run(someQuotes(3), 0, 3)).toBe(3);
  });
});

function flatBars(symbol: PairSymbol, start: number, length: number): BarColumns {
  const column = (value: number): Float64Array => new Float64Array(length).fill(value);
  const time = column(start).map((at, row) => at + row * BAR_MS);
  const prices = { open: column(1), high: column(1), low: column(1), close: column(1), volume: column(1) };
  return { symbol, length, intervalMs: BAR_MS, time, ...prices };
}

function together(engine: Engine, bars: BarColumns, steps: string[]): void {
  const feed = barFeed({ symbol: bars.symbol, intervalMs: BAR_MS, chunks: () => [bars] });
  while (feed.nextAt < Number.POSITIVE_INFINITY) take(feed.run(engine, Number.POSITIVE_INFINITY, 0), steps);
}

function oneByOne(engine: Engine, bars: BarColumns, steps: string[]): void {
  const feed = barFeed({ symbol: bars.symbol, intervalMs: BAR_MS, chunks: () => [bars] });
  while (feed.nextAt < Number.POSITIVE_INFINITY) for (const event of feed.take()) take(engine.process(event), steps);
}

function take(step: Step | undefined, steps: string[]): void {
  if (step !== undefined && isRecorded(step)) steps.push(JSON.stringify(step));
}

function reusedEngine(strategy: unknown): Engine {
  const options = { symbols: ["VCHF/CHF"], balances: { CHF: "9000" }, settings: { views: "reused" } } as const;
  const { engine } = strategyBench({ state: () => ({}), ...(strategy as object) }, options);
  return engine;
}

function someQuotes(length: number): QuoteColumns {
  const quotes = createQuoteColumns("VCHF/CHF" as PairSymbol, length);
  quotes.bid.fill(0.9985);
  quotes.ask.fill(1.0001);
  quotes.time.set(Array.from(quotes.time, (_, i) => START + i * 1_000));
  return quotes;
}
