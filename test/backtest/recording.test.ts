import { expect, it } from "vitest";
import { memorySource } from "../../backtest/data/source.ts";
import { type Recording, recordedFeeds, recordedOver, whyCopied } from "../../backtest/recording.ts";
import { spanOf } from "../../src/cli/research/plan.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { unwrap } from "../../src/domain/result.ts";
import { millis } from "../../src/domain/time.ts";
import { emptyTop, type Market } from "../../src/simulator/market/market.ts";
import { syntheticMarket } from "../../src/simulator/market/synthetic.ts";
import { prepareStrategy } from "../../src/strategy/prepare.ts";
import { defineStrategy } from "../../src/strategy/strategy.ts";
import { LIMITS } from "../bot/bench.ts";
import { START } from "../support/lockstep.ts";
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

it("one file under two names is one source", () => {
  const one = { name: "a.columns", role: "reference", digest: "same" } as const;
  expect(whyCopied([one, { ...one, digest: "other" }, { ...one, name: "b.columns" }])).toContain(
    "a.columns and b.columns",
  );
  expect(whyCopied([one, { ...one, digest: "other" }, { ...one, role: "venue" }])).toBeUndefined();
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

it("a run covers its data, and a named beginning leaves the end where it was", () => {
  const data = [{ source: { firstAt: millis(0), lastAt: millis(20_000), symbol: "VCHF/CHF" }, role: "venue" }] as never;
  expect(spanOf({}, data)).toEqual({ from: 0, to: 20_000 });
  expect(spanOf({ from: millis(4_000) }, data)).toEqual({ from: 4_000, to: 20_000 });
  expect(spanOf({ from: millis(9_000), days: 1 }, [])).toEqual({ from: 9_000, to: 86_409_000 });
});
