import { expect, it } from "vitest";
import { holesIn } from "../../backtest/data/gaps.ts";
import { memorySource, type QuoteSource } from "../../backtest/data/source.ts";
import { sourceTrack } from "../../backtest/data/source-track.ts";
import { ClosedTimes } from "../../backtest/holes.ts";
import { computeFigures } from "../../backtest/metric/figures.ts";
import { backtestTerms } from "../../backtest/options.ts";
import { MARKOUT_SECONDS } from "../../backtest/record/run-record.ts";
import type { Recording } from "../../backtest/recording.ts";
import { priceCharts } from "../../backtest/report/chart/price.ts";
import { renderJson } from "../../backtest/report/export.ts";
import { runReport } from "../../backtest/report/run-report.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { createRandom } from "../../src/domain/random.ts";
import { unwrap } from "../../src/domain/result.ts";
import { millis } from "../../src/domain/time.ts";
import { prepareStrategy } from "../../src/strategy/prepare.ts";
import { defineStrategy } from "../../src/strategy/strategy.ts";
import { START } from "../support/lockstep.ts";
import { backtestOf, MINUTE } from "./stage.ts";

const SECOND = 1_000;
const VCHF = "VCHF/CHF" as PairSymbol;
/** An order there and its answer: what was filled before a hole is known this soon in it. */
const WAY_MS = 500;

function quotesAt(times: readonly number[], symbol = VCHF): QuoteSource {
  const column = (value: number): Float64Array => new Float64Array(times.length).fill(value);
  const columns = [Float64Array.from(times), column(0.9989), column(0.9991), column(1e6), column(1e6)];
  return memorySource({ kind: "quotes", symbol }, columns) as QuoteSource;
}

function barsAt(times: readonly number[]): Recording["source"] {
  const column = (value: number): Float64Array => new Float64Array(times.length).fill(value);
  const [price, volume] = [column(0.999), column(Number.NaN)];
  const columns = [Float64Array.from(times), price, price, price, price, volume];
  return memorySource({ kind: "bars", symbol: VCHF, intervalMs: MINUTE }, columns);
}

function recordingOf(source: Recording["source"], role: Recording["role"] = "venue"): Recording {
  return { name: "file.csv", role, source, halfSpreadBps: 1, digest: "" };
}

function every(stepMs: number, from: number, to: number): number[] {
  return Array.from({ length: Math.ceil((to - from) / stepMs) }, (_, i) => START + from + i * stepMs);
}

const buying = unwrap(
  prepareStrategy(
    defineStrategy({
      name: "buying",
      wakes: ["quote", "bar"],
      decide({ openOrders, fills, buy, quote, bar }) {
        const { symbol, price } = bar ? { symbol: bar.symbol, price: bar.close } : { symbol: VCHF, price: quote?.ask };
        if ((quote ?? bar)?.symbol !== VCHF || price === undefined || openOrders.length > 0) return undefined;
        return buy(symbol, { limit: price * 1.001, size: 10 + (fills.length % 7), reason: "a test" });
      },
    }),
    {},
  ),
);

it("in a hole of recorded quotes nothing is filled, and terminal, report and JSON say where it is and what was wanted there", () => {
  // Ten minutes of seconds without the four in the middle: the last price stands for the usual second.
  const times = [...every(SECOND, 0, 3 * MINUTE), ...every(SECOND, 7 * MINUTE, 10 * MINUTE)];
  const from = START + 3 * MINUTE;
  const to = START + 7 * MINUTE;
  const { record } = backtestOf(buying, 9 * MINUTE, { recordings: [recordingOf(quotesAt(times))] });
  const filledIn = (first: number, end: number): number =>
    record.fills.time.filter((at) => at >= first && at < end).length;
  expect(filledIn(START, from)).toBeGreaterThan(20);
  expect(filledIn(from + WAY_MS, to)).toBe(0);
  expect(filledIn(to, START + 9 * MINUTE)).toBeGreaterThan(10);
  const [hole] = record.holes ?? [];
  expect(hole).toMatchObject({ symbol: VCHF, limitMs: MINUTE, count: 1, totalMs: 4 * MINUTE, longest: { from, to } });
  const there = record.unfilled.time.filter((at) => at >= from && at < to).length;
  expect(hole?.turnedAway).toBe(there);
  expect(there).toBeGreaterThan(0);
  // Nor is there a price that a fill could be compared with, of whatever other fill, or after the end.
  const { time, mids } = record.fills;
  for (const [place, seconds] of MARKOUT_SECONDS.entries()) {
    const after = [...time].map((at) => at + seconds * SECOND);
    const isKnown = after.map((at) => (at < from || at >= to) && at <= START + 9 * MINUTE);
    if (seconds <= 60) expect(new Set(isKnown).size).toBe(2);
    expect([...(mids[place] as Float64Array)]).toEqual(isKnown.map((one) => (one ? 0.999 : Number.NaN)));
  }
  const text = `VCHF/CHF was closed once, for 4 min (2026-06-01 12:03 to 2026-06-01 12:07)`;
  const figures = computeFigures(record);
  expect(runReport(record, figures).notes.join()).toContain(`holes in file.csv: ${text}`);
  expect(renderJson(record, figures)).toMatchObject({ holes: [{ count: 1, totalMs: 4 * MINUTE }] });
  for (const { drawn } of priceCharts(record)) {
    if (drawn?.kind !== "time") throw new Error("a chart over time must be drawn");
    const breaks = drawn.time.filter((_, row) => drawn.lines[0]?.values[row] === null);
    expect(breaks).toEqual([expect.closeTo((from + to) / 2_000, -2)]);
    expect(drawn.time).toEqual([...drawn.time].sort((a, b) => a - b));
  }
});

it("a run that begins in a hole opens with what it had before its first fill: that one and its fee are in its profit", () => {
  // Samples lie 7 s apart by then, the first fill comes sooner.
  const times = [...every(SECOND, 0, 2 * SECOND), ...every(SECOND, 175 * MINUTE, 180 * MINUTE)];
  const once = defineStrategy({
    name: "once",
    decide: ({ openOrders, fills, buy, quote }) =>
      quote?.symbol !== VCHF || openOrders.length + fills.length > 0
        ? undefined
        : buy(VCHF, { limit: 1, size: 1_000, reason: "a test" }),
  });
  const { record } = backtestOf(unwrap(prepareStrategy(once, {})), 178 * MINUTE, {
    from: millis(START + MINUTE),
    to: millis(START + 179 * MINUTE),
    funds: { CHF: "100000", VCHF: "100000" },
    recordings: [recordingOf(quotesAt(times))],
    terms: { ...backtestTerms, quotesMs: 8_000, feeBps: 20 },
  });
  expect(record.fills.length).toBe(1);
  // What it earns from its first order on took the time from there.
  expect([...record.samples.time.slice(0, 2)]).toEqual([record.fills.decidedAt[0], record.fills.time[0]]);
  expect(record.books.opening?.map(({ asset, amount }) => [asset, amount])).toEqual([
    ["VCHF", "100000"],
    ["CHF", "100000"],
  ]);
  // 1,000 bought at 0.9991 count at the bid of 0.9989, and 20 bp of 999.1 are the fee: 0.2 + 1.9982.
  const { netProfit, profitOverHolding, totalReturn } = computeFigures(record);
  for (const figure of [netProfit, profitOverHolding])
    expect(figure.kind === "known" ? figure.value.toNumber() : undefined).toBeCloseTo(-2.1982, 9);
  expect(totalReturn.kind === "known" ? totalReturn.value : undefined).toBeCloseTo(-2.1982 / 199_890, 12);
});

it("what is proposed in a hole all the same is refused, and counted", () => {
  const stubborn = defineStrategy({
    name: "stubborn",
    decide: ({ openOrders, buy }) =>
      openOrders.length > 0 ? undefined : buy(VCHF, { limit: 1, size: 10, reason: "a test" }),
  });
  const times = [...every(SECOND, 0, MINUTE), ...every(SECOND, 3 * MINUTE, 4 * MINUTE)];
  const recordings = [recordingOf(quotesAt(times))];
  const { record } = backtestOf(unwrap(prepareStrategy(stubborn, {})), 3 * MINUTE, { recordings });
  expect(record.holes?.[0]?.refused).toBeGreaterThan(10);
});

it("an order that was decided on the last bar before a hole meets no price", () => {
  const times = [...every(MINUTE, 0, 5 * MINUTE), ...every(MINUTE, 8 * MINUTE, 12 * MINUTE)];
  const recordings = [recordingOf(barsAt(times))];
  const { record } = backtestOf(buying, 11 * MINUTE, { recordings });
  const inHole = (at: number): boolean => at >= START + 5 * MINUTE + WAY_MS && at < START + 8 * MINUTE;
  expect(record.fills.length).toBeGreaterThan(3);
  expect(record.fills.time.filter(inHole).length).toBe(0);
  expect(record.holes).toMatchObject([{ count: 1, totalMs: 3 * MINUTE, limitMs: MINUTE }]);
  expect(record.holes?.[0]?.turnedAway).toBeGreaterThan(0);
});

it("a market that is only slow is none: up to a minute, and up to three of its steps where they are longer", () => {
  const slow = [START, ...every(SECOND, MINUTE, 2 * MINUTE)];
  expect(holesIn(quotesAt(slow)).from.length).toBe(0);
  const hours = [0, 1, 2, 5, 6].map((hour) => START + hour * 60 * MINUTE);
  expect(holesIn(quotesAt(hours)).from.length).toBe(0);
  expect(holesIn(quotesAt([...hours, START + 10 * 60 * MINUTE])).from.length).toBe(1);
  const { record } = backtestOf(buying, MINUTE, { recordings: [recordingOf(quotesAt(slow))] });
  expect(record.holes).toEqual([]);
  const track = sourceTrack(quotesAt(slow));
  const span = { from: START, to: millis(START + MINUTE) };
  expect(new ClosedTimes([recordingOf(quotesAt(slow))], span).over(track, "file.csv")).toBe(track);
});

it("finds every hole, wherever chunks end", () => {
  const seed = 11;
  const random = createRandom(seed);
  for (let round = 0; round < 20; round++) {
    const times: number[] = [START];
    const rows = 2 + Math.floor(random.next() * 300);
    for (let i = 1; i < rows; i++) {
      const step = random.next() < 0.05 ? 50 * SECOND + random.next() * 30 * SECOND : random.next() * 4 * SECOND;
      times.push((times[i - 1] as number) + Math.floor(step));
    }
    const whole = quotesAt(times);
    const size = 1 + Math.floor(random.next() * 40);
    const cut: QuoteSource = {
      ...whole,
      *chunks() {
        for (let row = 0; row < rows; row += size) yield* quotesAt(times.slice(row, row + size)).chunks();
      },
    };
    const found = holesIn(cut);
    const expected = times.filter((at, i) => i > 0 && at - (times[i - 1] as number) > found.limitMs);
    expect([...found.to], `seed ${seed}, round ${round}`).toEqual(expected);
    expect(holesIn(whole)).toEqual(found);
  }
});
