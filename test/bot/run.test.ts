// Quotes in columns and the same quotes as events, one by one: whatever a backtest runs through is what live would have done.

import { describe, expect, it } from "vitest";
import type { Engine } from "../../src/bot/engine.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";
import type { Event, QuoteEvent } from "../../src/domain/event.ts";
import { createRandom, type Random } from "../../src/domain/random.ts";
import { unwrap } from "../../src/domain/result.ts";
import { isRecorded } from "../../src/domain/step.ts";
import { millis } from "../../src/domain/time.ts";
import { createQuoteColumns, type QuoteColumns } from "../../src/market/column.ts";
import { defineStrategy, ema } from "../../src/strategy/strategy.ts";
import type { View } from "../../src/strategy/view.ts";
import { strategyBench } from "../support/strategy-bench.ts";

const SEED = 20_261_115;
const SYMBOLS = ["VCHF/CHF", "VGBP/GBP"] as PairSymbol[];
const CHUNKS = 400;
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
    if (sides[0]?.engine.context.books.state !== "HALTED") continue;
    halts++;
    const receivedAt = sides[0].engine.now;
    const resume: Event = { kind: "control", control: { kind: "resume", reason: "on", by: "me" }, receivedAt };
    for (const { engine } of sides) engine.process(resume);
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

  it("leave their last sizes behind when their owner writes others into them", () => {
    const seen: unknown[] = [];
    const decide = ({ wake, quoteOf }: View) => {
      if (wake === "timer") seen.push(quoteOf("VCHF/CHF")?.bidSize, quoteOf("VCHF/CHF")?.askSize);
    };
    const engine = reusedEngine({ name: "later", wakes: ["quote", "timer"], decide });
    const quotes = someQuotes(3);
    quotes.bidSize.set([1, 2, 3]);
    quotes.askSize.set([4, 5, Number.NaN]);
    engine.run(quotes, 0, 3);
    quotes.bidSize.fill(9);
    quotes.askSize.fill(9);
    engine.process({ kind: "timer", receivedAt: engine.now });
    expect(seen).toEqual([3, undefined]);
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
      { reason: "strategy stopped: decide of reading threw: an error that threw when it was read" },
    ]);
    expect(reads).toBeGreaterThan(0);
    expect(engine.run(someQuotes(3), 0, 3)).toBe(3);
  });
});

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
