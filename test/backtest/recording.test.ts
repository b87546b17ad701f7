import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sha256Of } from "../../backtest/data/digest.ts";
import { memorySource, type QuoteSource } from "../../backtest/data/source.ts";
import { computeFigures } from "../../backtest/metric/figures.ts";
import { asQuotedBy, type Recording, recordedFeeds, recordedOver, whyCopied } from "../../backtest/recording.ts";
import { runReport } from "../../backtest/report/run-report.ts";
import { openRecording } from "../../src/app/paper/open-recording.ts";
import { referencesOf, spanOf } from "../../src/cli/research/plan.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { Quantity } from "../../src/domain/money/money.ts";
import { unwrap } from "../../src/domain/result.ts";
import { millis } from "../../src/domain/time.ts";
import type { QuoteColumns } from "../../src/market/column.ts";
import { emptyTop, type Market } from "../../src/simulator/market/market.ts";
import { syntheticMarket } from "../../src/simulator/market/synthetic.ts";
import { prepareBuiltIn } from "../../src/strategy/built-in.ts";
import { prepareStrategy } from "../../src/strategy/prepare.ts";
import { defineStrategy } from "../../src/strategy/strategy.ts";
import { LIMITS } from "../bot/bench.ts";
import { START } from "../support/lockstep.ts";
import { writeColumns } from "../support/write-columns.ts";
import { backtestOf } from "./stage.ts";

const T0 = Date.UTC(2026, 0, 5);
const MINUTE = 60_000;
const SPAN = { from: millis(T0), to: millis(T0 + 3 * MINUTE) };

/** Opens 1, 2, 3, 4; closes 1.5, 2.5, 3.5, 4.5. */
function barsOf(symbol: string, role: Recording["role"]): Recording {
  const rows = [0, 1, 2, 3];
  const column = (of: (i: number) => number): Float64Array => Float64Array.from(rows, of);
  const columns = [(i: number) => T0 + i * MINUTE, (i: number) => i + 1, (i: number) => i + 2].map(column);
  const [time, open, high] = columns as [Float64Array, Float64Array, Float64Array];
  const rest = [column(() => 0.5), column((i) => i + 1.5), column(() => Number.NaN)];
  const subject = { kind: "bars", symbol: symbol as PairSymbol, intervalMs: MINUTE } as const;
  const source = memorySource(subject, [time, open, high, ...rest]);
  return { name: "file", role, source, halfSpreadBps: 10, digest: "" };
}

/** 1.3 francs for a pound, where the synthetic one costs about 1.06. */
function ratesEvery(
  stepMs: number,
  lengthMs: number,
  start: number = START,
  [symbol, price]: readonly [string, number] = ["GBP/CHF", 1.3],
): Recording {
  const rows = Array.from({ length: lengthMs / stepMs + 1 }, (_, row) => row);
  const column = (of: (row: number) => number): Float64Array => Float64Array.from(rows, of);
  const prices = [price - 1e-4, price + 1e-4].map((side) => column((row) => side + (row % 7) * 1e-6));
  const sizes = [column(() => Number.NaN), column(() => Number.NaN)];
  const columns = [column((row) => start + row * stepMs), ...prices, ...sizes];
  const source = memorySource({ kind: "quotes", symbol: symbol as PairSymbol }, columns);
  return { name: "rates.csv", role: "reference", source, halfSpreadBps: 0, digest: "" };
}

function told(recording: Recording): unknown[] {
  const [feed, ...others] = recordedFeeds([recording], SPAN);
  expect(others).toEqual([]);
  const rows: unknown[] = [];
  for (let prices = feed?.take() ?? []; prices.length > 0; prices = feed?.take() ?? []) rows.push(...prices);
  return rows;
}

it("a bar that is a reference is its close, half a spread to either side, told when it closes and before the end", () => {
  // 1.5 and 2.5 with 10 bp: the bar that opens at the last minute of the span closes at its end.
  const quote = { kind: "quote", symbol: "GBP/CHF", source: "file" };
  expect(told(barsOf("GBP/CHF", "reference"))).toMatchObject([
    { ...quote, bid: 1.5 * 0.999, ask: 1.5 * 1.001, receivedAt: T0 + MINUTE },
    { ...quote, bid: 2.5 * 0.999, ask: 2.5 * 1.001, receivedAt: T0 + 2 * MINUTE },
  ]);
});

it("the rate of a currency pair in bars is the open of the bar that is going on", () => {
  const market = recordedOver(syntheticMarket(1), [barsOf("GBP/CHF", "reference")]);
  const rateAt = (at: number): number | undefined => market.rate("GBP" as never, "CHF" as never, millis(at));
  expect([rateAt(T0), rateAt(T0 + MINUTE - 1), rateAt(T0 + MINUTE)]).toEqual([1, 1, 2]);
});

it("a recorded rate of currencies is the world's: all other rates, and the venue's pairs across it, keep their distance", () => {
  const plain = syntheticMarket(1);
  const at = millis(T0 + MINUTE + 17);
  // The open of the second bar: 2 CHF for a pound, where the synthetic one costs about 1.06.
  const market = recordedOver(syntheticMarket(1), [barsOf("GBP/CHF", "reference")]);
  const rate = (of: Market, pair: string): number => of.rate(...(pair.split("/") as [never, never]), at) ?? Number.NaN;
  const mid = (of: Market, symbol: string): number => {
    const top = emptyTop();
    expect(of.read(symbol as PairSymbol, at, top)).toBe(true);
    return (top.bid + top.ask) / 2;
  };
  const leap = 2 / rate(plain, "GBP/CHF");
  expect([rate(market, "GBP/CHF"), rate(market, "CHF/GBP")]).toEqual([2, 0.5]);
  for (const pair of ["GBP/USD", "GBP/BTC", "VGBP/VCHF"])
    expect(rate(market, pair) / rate(plain, pair), pair).toBeCloseTo(leap, 12);
  for (const pair of ["VGBP/VCHF", "VGBP/USDC"])
    expect(mid(market, pair) / mid(plain, pair), pair).toBeCloseTo(leap, 12);
  // A coin against its own currency, and what no pound is in, stay as they were to the bit.
  for (const pair of ["VGBP/GBP", "VCHF/CHF", "USDC/CHF", "VCHF/BTC"]) expect(mid(market, pair)).toBe(mid(plain, pair));
  for (const pair of ["USD/CHF", "BTC/USD"]) expect(rate(market, pair)).toBe(rate(plain, pair));
});

it("of two recorded rates the third follows; one that leads nowhere near the franc is placed by its quote", () => {
  const at = millis(T0);
  const rates = (symbols: readonly string[], pairs: readonly string[]): (number | undefined)[] => {
    const market = recordedOver(
      syntheticMarket(1),
      symbols.map((symbol) => barsOf(symbol, "reference")),
    );
    return pairs.map((pair) => market.rate(...(pair.split("/") as [never, never]), at));
  };
  // All opens are 1.
  expect(rates(["GBP/CHF", "USD/CHF"], ["GBP/USD", "USD/GBP"])).toEqual([1, 1]);
  const dollar = syntheticMarket(1).rate("USD" as never, "CHF" as never, at);
  expect(rates(["GBP/USD"], ["GBP/CHF", "USD/CHF"])).toEqual([dollar, dollar]);
});

it("the venue's recorded price of two coins is the world's rate of what they stand for, where no rate was recorded", () => {
  const at = millis(T0 + MINUTE + 17);
  const plain = syntheticMarket(1);
  const rate = (of: Market, pair: string): number => of.rate(...(pair.split("/") as [never, never]), at) ?? Number.NaN;
  const mid = (of: Market, symbol: string): number => {
    const top = emptyTop();
    expect(of.read(symbol as PairSymbol, at, top)).toBe(true);
    return (top.bid + top.ask) / 2;
  };
  const on = (...recordings: Recording[]): Market => recordedOver(syntheticMarket(1), recordings);
  // The open of the second bar: 2.
  const market = on(barsOf("VGBP/VCHF", "venue"));
  expect([mid(market, "VGBP/VCHF"), rate(market, "GBP/CHF")]).toEqual([2, 2]);
  const leap = 2 / rate(plain, "GBP/CHF");
  expect(mid(market, "VGBP/USDC") / mid(plain, "VGBP/USDC")).toBeCloseTo(leap, 12);
  for (const pair of ["VGBP/GBP", "VCHF/CHF", "USDC/CHF"]) expect(mid(market, pair)).toBe(mid(plain, pair));
  // A rate that was recorded says more, in whatever order they come.
  const slow = { ...barsOf("GBP/CHF", "reference"), source: ratesEvery(1_000, MINUTE, T0).source };
  for (const both of [on(slow, barsOf("VGBP/VCHF", "venue")), on(barsOf("VGBP/VCHF", "venue"), slow)])
    expect([mid(both, "VGBP/VCHF"), rate(both, "GBP/CHF").toFixed(3)]).toEqual([2, "1.300"]);
  // Of a coin and its own currency nothing follows.
  expect(rate(on(barsOf("VGBP/GBP", "venue")), "GBP/CHF")).toBe(rate(plain, "GBP/CHF"));
});

it("a recorded bitcoin moves what is traded for it, and no currency", () => {
  const at = millis(T0 + MINUTE + 17);
  const plain = syntheticMarket(1);
  const rate = (of: Market, pair: string): number => of.rate(...(pair.split("/") as [never, never]), at) ?? Number.NaN;
  const mid = (of: Market): number => {
    const top = emptyTop();
    expect(of.read("VCHF/BTC" as PairSymbol, at, top)).toBe(true);
    return (top.bid + top.ask) / 2;
  };
  for (const [symbol, role, bitcoin] of [
    ["BTC/USD", "reference", 2],
    ["VCHF/BTC", "venue", undefined],
  ] as const) {
    const market = recordedOver(syntheticMarket(1), [barsOf(symbol, role)]);
    for (const pair of ["USD/CHF", "GBP/CHF", "GBP/USD"]) expect(rate(market, pair), pair).toBe(rate(plain, pair));
    // 2 dollars, or half a franc.
    const dollars = bitcoin ?? 0.5 / rate(plain, "USD/CHF");
    expect(rate(market, "BTC/USD")).toBeCloseTo(dollars, 9);
    const moved = mid(plain) * (rate(plain, "BTC/USD") / dollars);
    expect(mid(market) / (role === "venue" ? 2 : moved)).toBeCloseTo(1, 9);
  }
});

it("a run on the venue's prices of two coins says what their rate follows, and finds no edge in a walk beside it", () => {
  const venue = { ...ratesEvery(1_000, 3 * MINUTE), name: "coins.csv", role: "venue" } as const;
  const source = { ...(venue.source as QuoteSource), symbol: "VGBP/VCHF" as PairSymbol };
  const { record } = backtestOf(unwrap(prepareBuiltIn("reference-taker", {})), 3 * MINUTE, {
    recordings: [{ ...venue, source }],
  });
  expect(record.settings.data).toContain(
    "no GBP/CHF was recorded: references follow VGBP/VCHF, which is fair by construction",
  );
  // 1.3 beside a synthetic pound of 1.06 was implausible, and no pound had a price.
  expect(record.refusals).not.toHaveProperty("RC01");
});

it("one file under two names is one source", () => {
  const one = { name: "a.columns", role: "reference", digest: "same" } as const;
  expect(whyCopied([one, { ...one, digest: "other" }, { ...one, name: "b.columns" }])).toContain(
    "a.columns and b.columns",
  );
  expect(whyCopied([one, { ...one, digest: "other" }, { ...one, role: "venue" }])).toBeUndefined();
});

it("references price USDC as on paper, unless its prices were recorded", () => {
  const funds = { CHF: "100000", VCHF: "100000", USDC: "100000" };
  const buying = defineStrategy({
    name: "buying",
    decide: ({ quote, fair, openOrders, buy }) => {
      if (quote.symbol !== "USDC/CHF" || fair === undefined || openOrders.length > 0) return undefined;
      return buy(quote.symbol, { limit: quote.ask * 1.001, size: 100, reason: "USDC has a price" });
    },
  });
  const { record } = backtestOf(unwrap(prepareStrategy(buying, {})), MINUTE, {
    funds,
    references: referencesOf([]),
  });
  expect(record.fills.length).toBeGreaterThan(0);
  expect(record.refusals).not.toHaveProperty("RC05");
  const priced = (...symbols: string[]): boolean =>
    referencesOf(
      symbols.map((symbol) => ({ source: { ...ratesEvery(1_000, 1_000).source, symbol: symbol as PairSymbol } })),
    ).every((feed) => feed.symbols.includes("USDC/CHF" as PairSymbol));
  expect([priced(), priced("GBP/CHF"), priced("VCHF/USDC")]).toEqual([true, true, false]);
});

it("an account that opens with BTC, or trades a pair of it, has a price of it over the dollar", () => {
  const limits = {
    ...LIMITS,
    symbols: ["VCHF/CHF", "VCHF/BTC"],
    orderQuantityMax: { "VCHF/CHF": Quantity.of("1000"), "VCHF/BTC": Quantity.of("1000") },
  };
  const buying = (symbol: string) =>
    defineStrategy({
      name: "buying",
      decide: ({ quote, openOrders, buy }) => {
        if (quote.symbol !== symbol || openOrders.length > 0) return undefined;
        return buy(quote.symbol, { limit: quote.ask * 1.0001, size: 100, reason: "BTC has a price" });
      },
    });
  const run = (symbol: string, changes: object) => {
    const funds = { CHF: "100000", VCHF: "100000", BTC: "1", ETH: "1" };
    return backtestOf(unwrap(prepareStrategy(buying(symbol), {})), MINUTE, { funds, ...changes }).record;
  };
  for (const record of [run("VCHF/CHF", {}), run("VCHF/BTC", { limits })]) {
    expect(record.fills.length).toBeGreaterThan(0);
    expect(record.refusals).not.toHaveProperty("RC05");
    expect(record.refusals).not.toHaveProperty("RC08");
  }
});

it("on paper too: a recorded rate is played for the venue's pairs across it, and follows a pair of coins", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-rate-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const at = millis(T0 + 1_000 * MINUTE);
  const text = `time,bid,ask\n${T0},1.99,2.01\n${T0 + MINUTE},1.99,2.01\n`;
  const opened = (name: string): Promise<Market> => {
    const path = join(folder, name);
    writeColumns(path, text);
    return openRecording({ path, sha256: sha256Of(path), startedAt: at }, 1);
  };
  const top = emptyTop();
  expect((await opened("GBP-CHF.columns")).read("VGBP/VCHF" as PairSymbol, at, top)).toBe(true);
  expect((top.bid + top.ask) / 2).toBeCloseTo(2, 1);
  expect((await opened("VGBP-VCHF.columns")).rate("GBP" as never, "CHF" as never, at)).toBe(2);
});

it("a run on a recorded rate far from the synthetic one trades the pairs of its coin at fair values that fit the venue's", () => {
  const { record } = backtestOf(unwrap(prepareBuiltIn("peg-arbitrage", {})), 10 * MINUTE, {
    recordings: [ratesEvery(1_000, 10 * MINUTE)],
  });
  expect(new Set(record.fills.symbol)).toContain("VGBP/GBP");
  expect(record.refusals).not.toHaveProperty("RC01");
  expect(record.settings.cautions?.join()).not.toContain("a reference is believed for");
});

it("a recorded rate that the references quote the other way round is told as they do, and the run is the same", () => {
  const straight = ratesEvery(1_000, 2 * MINUTE);
  const [columns] = [...(straight.source as QuoteSource).chunks()];
  const { time, bid, ask, bidSize, askSize } = columns as QuoteColumns;
  const over = [time, ask.map((price) => 1 / price), bid.map((price) => 1 / price), bidSize, askSize];
  const source = memorySource({ kind: "quotes", symbol: "CHF/GBP" as PairSymbol }, over);
  const [one, other] = [straight, { ...straight, source }].map(
    (recording) =>
      backtestOf(unwrap(prepareBuiltIn("peg-arbitrage", {})), 2 * MINUTE, { recordings: [recording] }).record,
  );
  expect(one?.fills.length).toBeGreaterThan(0);
  expect(other?.fills.id).toEqual(one?.fills.id);
  expect(other?.refusals).toEqual(one?.refusals);
  const references = [{ symbols: ["GBP/CHF" as PairSymbol] }];
  // The first close, 1.5 and half a spread of 10 bp to either side, when its bar closes.
  const [first] = told(asQuotedBy(references, barsOf("CHF/GBP", "reference")));
  expect(first).toMatchObject({
    symbol: "GBP/CHF",
    bid: 1 / (1.5 * 1.001),
    ask: 1 / (1.5 * 0.999),
    receivedAt: T0 + MINUTE,
  });
  for (const kept of [barsOf("GBP/CHF", "reference"), barsOf("CHF/USD", "reference"), barsOf("VCHF/CHF", "venue")])
    expect(asQuotedBy(references, kept)).toBe(kept);
});

it("a recorded reference that is hardly ever believed is named, with the reason, in table and report", () => {
  const { record } = backtestOf(unwrap(prepareBuiltIn("peg-arbitrage", {})), 5 * MINUTE, {
    recordings: [ratesEvery(2 * MINUTE, 6 * MINUTE)],
  });
  const figures = computeFigures(record);
  const text =
    /GBP\/CHF: rows of rates.csv are 2 min apart, and a reference is believed for 10 s \(referenceAgeMsMax\)/;
  expect(runReport(record, figures).notes.join("\n")).toMatch(text);
});

it("a bar of the venue is its close, half a spread to either side, then the bar, both when it closes; it deals at the open", () => {
  const venue = barsOf("VCHF/CHF", "venue");
  expect(told(venue).slice(0, 3)).toMatchObject([
    { kind: "quote", source: "venue", bid: 1.5 * 0.999, ask: 1.5 * 1.001, receivedAt: T0 + MINUTE },
    { kind: "bar", open: 1, close: 1.5, receivedAt: T0 + MINUTE },
    { kind: "quote", source: "venue", bid: 2.5 * 0.999, receivedAt: T0 + 2 * MINUTE },
  ]);
  const top = emptyTop();
  recordedOver(syntheticMarket(1), [venue]).read("VCHF/CHF" as PairSymbol, millis(T0 + MINUTE), top);
  expect([top.bid, top.ask]).toEqual([2 * 0.999, 2 * 1.001]);
});

it("nobody is told a bar before it has closed, nor of a fill at an open before that bar began", () => {
  const rows = Array.from({ length: 61 }, (_, row) => row);
  const column = (of: (row: number) => number): Float64Array => Float64Array.from(rows, of);
  const open = column((row) => 0.998 + row * 1e-5);
  const rest = [column(() => 1), column(() => 0.997), column(() => 0.999), column(() => Number.NaN)];
  const subject = { kind: "bars", symbol: "VCHF/CHF" as PairSymbol, intervalMs: MINUTE } as const;
  const source = memorySource(subject, [column((row) => START + row * MINUTE), open, ...rest]);
  const nows: number[] = [];
  const onBars = defineStrategy({
    name: "on-bars",
    wakes: ["bar"],
    decide({ now, bar, buy }) {
      nows.push(now);
      return bar && buy(bar.symbol, { limit: 1, size: 10 + (nows.length % 7), reason: "a bar closed" });
    },
  });
  const { record } = backtestOf(unwrap(prepareStrategy(onBars, {})), 60 * MINUTE, {
    recordings: [{ name: "bars.csv", role: "venue", source, halfSpreadBps: 0, digest: "" }],
    limits: { ...LIMITS, adverseBpsMax: "off: each bar opens below the last close" },
  });
  // One for each minute, at its very end: the answers that tell the venue's time are cut to whole seconds.
  expect(nows.length).toBeGreaterThan(50);
  expect(new Set(nows.map((now) => (now - START) % MINUTE))).toEqual(new Set([0]));
  expect(record.fills.length).toBeGreaterThan(50);
  for (let fill = 0; fill < record.fills.length; fill++) {
    const paid = Number(record.fills.sold[fill]) / Number(record.fills.bought[fill]);
    const row = Math.round((paid - 0.998) / 1e-5);
    expect(record.fills.time[fill], `fill ${fill}`).toBeGreaterThanOrEqual(START + row * MINUTE);
  }
});

it("a journal's part ends with the journal, whether its beginning was named or not", () => {
  const journal = { from: millis(1_000), to: millis(9_000) };
  expect(spanOf({}, [], journal)).toEqual(journal);
  expect(spanOf({ from: millis(4_000) }, [], journal)).toEqual({ from: 4_000, to: 9_000 });
  expect(spanOf({ from: millis(4_000), to: millis(5_000) }, [], journal)).toEqual({ from: 4_000, to: 5_000 });
  // Beside recorded prices the time of both: net profits of two different ends are not side by side.
  const data = [{ source: { firstAt: millis(0), lastAt: millis(20_000), symbol: "VCHF/CHF" }, role: "venue" }] as never;
  expect(spanOf({}, data, journal)).toEqual(journal);
  expect(spanOf({}, data, undefined)).toEqual({ from: 0, to: 20_000 });
  // A named beginning leaves the end where it was.
  expect(spanOf({ from: millis(4_000) }, data, undefined)).toEqual({ from: 4_000, to: 20_000 });
  expect(spanOf({}, data, { from: millis(5_000), to: millis(90_000) })).toEqual({ from: 5_000, to: 20_000 });
  expect(spanOf({}, data, { from: millis(50_000), to: millis(90_000) })).toEqual({ from: 0, to: 20_000 });
  // After its end there is nothing to end with; that it has nothing there is said later.
  expect(spanOf({ from: millis(9_000), days: 1 }, [], journal)).toEqual({ from: 9_000, to: 86_409_000 });
});
