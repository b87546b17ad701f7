import { describe, expect, it } from "vitest";
import { memorySource } from "../../../backtest/data/source.ts";
import { createVolatility, sketch, survey } from "../../../backtest/data/survey/survey.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { createRandom } from "../../../src/domain/random.ts";
import { GBPCHF, T0 } from "./stage.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Quotes at these times, 2 bp wide around 1.25 unless said otherwise. */
function quotesAt(times: readonly number[], mid: (i: number) => number = () => 1.25, symbol = GBPCHF) {
  const column = (of: (i: number) => number) => Float64Array.from(times, (_, i) => of(i));
  const columns = [Float64Array.from(times), column((i) => mid(i) * 0.9999), column((i) => mid(i) * 1.0001)];
  const sizes = [column((i) => (i === 0 ? Number.NaN : 100)), column(() => 300)];
  return memorySource({ kind: "quotes", symbol }, [...columns, ...sizes], { crossed: 3 });
}

/** Hourly bars of the weeks, open from `open` on Sunday for 120 hours; hours of the week counted from Sunday 00:00. */
function weeks(count: number, open: number) {
  const sunday = T0 - DAY;
  const times = Array.from({ length: count }, (_, week) =>
    Array.from({ length: 120 }, (_, hour) => sunday + week * 7 * DAY + (open + hour) * HOUR),
  ).flat();
  const ones = Float64Array.from(times, (_, i) => 1 + (i % 2) / 100);
  const columns = [Float64Array.from(times), ones, ones, ones, ones, ones];
  return memorySource({ kind: "bars", symbol: GBPCHF, intervalMs: HOUR }, columns);
}

describe("a survey", () => {
  it("tells extent, steps, spread, sizes and what was left out", () => {
    const seen = survey(quotesAt([T0, T0 + 1_000, T0 + 2_000, T0 + 4_000]));
    expect(seen).toMatchObject({
      symbol: "GBP/CHF",
      kind: "quotes",
      rows: 4,
      from: "2026-01-05T00:00:00.000Z",
      to: "2026-01-05T00:00:04.000Z",
      stepMs: { median: 1_000, max: 2_000 },
      size: { median: 200, unknownShare: 0.25 },
      stillMs: 4_000,
      leftOut: { crossed: 3 },
    });
    expect(seen.spreadBps?.median).toBeCloseTo(2, 6);
    expect(seen.volatilityPerYear).toBeUndefined();
  });

  it("tells of bars the first open, the last close, the lowest low and the highest high", () => {
    const columns = [
      [T0, T0 + MINUTE],
      [1.1, 1.2],
      [1.4, 1.3],
      [0.9, 1],
      [1.2, 1.15],
      [5, 5],
    ];
    const bars = memorySource(
      { kind: "bars", symbol: GBPCHF, intervalMs: MINUTE },
      columns.map((column) => Float64Array.from(column)),
    );
    expect(survey(bars).price).toEqual({ first: 1.1, last: 1.15, min: 0.9, max: 1.4 });
  });

  it("counts gaps, lists the longest first, and knows weekends", () => {
    const friday = T0 + 4 * DAY + 22 * HOUR;
    const quick = Array.from({ length: 8 }, (_, i) => T0 + i * 250);
    const times = [...quick, T0 + 2_000, T0 + HOUR, T0 + HOUR + 1_000, T0 + 3 * HOUR, friday, friday + 48 * HOUR];
    const { gaps } = survey(quotesAt(times));
    expect(gaps).toMatchObject({ count: 3, weekends: 1, reopened: { "Sun 22:00": 1 } });
    expect(gaps.longest[0]).toEqual({
      from: "2026-01-05T03:00:00.000Z",
      to: "2026-01-09T22:00:00.000Z",
      ms: 115 * HOUR,
    });
    expect(gaps.longest[1]?.ms).toBe(2 * HOUR - 1_000);
  });

  it("takes for a weekend only what is as long, and of a pair that rests on the currency markets", () => {
    const friday = T0 + 4 * DAY + 22 * HOUR;
    const over = (hours: number, symbol: string) => {
      const begin = friday + ((48 - hours) / 48) * 14 * HOUR;
      const end = begin + hours * HOUR;
      const { gaps } = survey(quotesAt([begin - 2_000, begin - 1_000, begin, end], () => 1.25, symbol as PairSymbol));
      return [gaps.count, gaps.weekends];
    };
    expect(["GBP/CHF", "VGBP/VCHF", "USDC/CHF"].map((symbol) => over(48, symbol))).toEqual(Array(3).fill([0, 1]));
    expect(["VCHF/CHF", "USDC/USD", "BTC/CHF"].map((symbol) => over(48, symbol))).toEqual(Array(3).fill([1, 0]));
    // An outage around Saturday noon.
    expect(over(2, "GBP/CHF")).toEqual([1, 0]);
    expect(over(37, "GBP/CHF")).toEqual([0, 1]);
  });

  it("says nothing of steps where there is one row", () => {
    const seen = survey(quotesAt([T0]));
    expect(seen).toMatchObject({ rows: 1, gaps: { limitMs: MINUTE, count: 0 } });
    expect(seen.stepMs).toBeUndefined();
  });

  it("remarks when weeks begin at another hour than the markets", () => {
    expect(survey(weeks(6, 22)).remarks).toEqual([]);
    expect(survey(weeks(6, 21)).remarks).toEqual([]);
    expect(survey(weeks(6, 24)).remarks).toEqual([
      "weeks begin at Mon 00:00 (5) UTC, currency markets open at Sun 21:00 or 22:00: is the declared zone right?",
    ]);
  });

  it("does not take a weekend for a price that stands still", () => {
    const friday = T0 + 4 * DAY + 21 * HOUR;
    const times = [0, 1, 2].map((i) => friday + i * MINUTE);
    const all = [...times, ...times.map((time) => time + 48 * HOUR)];
    expect(survey(quotesAt(all))).toMatchObject({ stillMs: 2 * MINUTE, remarks: [] });
  });

  it("has a median size also where the sizes of a regular sample are unknown", () => {
    const count = 40_000;
    const column = (of: (i: number) => number) => Float64Array.from({ length: count }, (_, i) => of(i));
    const sizes = [column((i) => (i % 2 === 0 ? Number.NaN : 5)), column(() => 5)];
    const columns = [column((i) => T0 + i), column(() => 1), column(() => 1.1), ...sizes];
    const seen = survey(memorySource({ kind: "quotes", symbol: GBPCHF }, columns));
    expect(seen.size).toEqual({ median: 5, unknownShare: 0.5 });
  });

  it("remarks when a coin is nowhere near one of its currency, and by what its prices would be divided", () => {
    const remarks = (mid: (i: number) => number, symbol = "VCHF/CHF" as PairSymbol) =>
      survey(quotesAt([T0, T0 + 1_000, T0 + 2_000], mid, symbol)).remarks;
    expect(remarks((i) => 100 + i / 10)).toEqual([
      "the price stands between 100 and 100.2 all the time, where a coin is issued and redeemed at 1 of its currency: if the file has them in another unit, pegbot data import with --price-per 100 divides them",
    ]);
    expect(remarks(() => 0.0001)).toEqual([expect.stringMatching(/ at 0\.0001 all the time, .* --price-per 0\.0001 /)]);
    expect(remarks(() => 0.93)).toEqual([]);
    expect(remarks((i) => (i === 1 ? 1 : 100))).toEqual([]);
    expect(remarks(() => 100, GBPCHF)).toEqual([]);
  });

  it("remarks when the price stands still while rows go on", () => {
    const times = Array.from({ length: 200 }, (_, i) => T0 + i * MINUTE);
    expect(survey(quotesAt(times)).remarks).toEqual(["the price stands still for up to 199 minutes while rows go on"]);
    expect(survey(quotesAt(times, (i) => 1 + i / 1e4)).remarks).toEqual([]);
  });
});

describe("volatility", () => {
  it("is that of the walk, whether its steps are even or not", () => {
    const seed = 3;
    const random = createRandom(seed);
    const volatility = createVolatility(365 * DAY);
    const perHour = 0.1 * Math.sqrt(HOUR / (365.25 * DAY));
    let log = 0;
    for (let hour = 0; hour < 365 * 24; hour++) {
      log += perHour * random.normal();
      // Every third hour is missing: the step over it is twice as long.
      if (hour % 3 !== 0) volatility.add(T0 + hour * HOUR, Math.exp(log));
    }
    expect(volatility.perYear(), `seed ${seed}`).toBeCloseTo(0.1, 2);
  });

  it("of a price that doubles and halves every hour is the logarithm of 2 times the root of the hours of a year", () => {
    const volatility = createVolatility(100 * DAY);
    for (let hour = 0; hour < 100; hour++) volatility.add(T0 + hour * HOUR, hour % 2 === 0 ? 1 : 2);
    // ln 2 per step, 8766 steps a year.
    expect(volatility.perYear()).toBeCloseTo(Math.LN2 * Math.sqrt(8_766), 6);
  });
});

it("a sketch has the lowest and highest price per column, and nothing where there is none", () => {
  const { low, high } = sketch(
    quotesAt([T0, T0 + 1, T0 + 2, T0 + 10], (i) => i + 1),
    5,
  );
  // Columns of 2 ms: the rows of 0 and 1, that of 2, none, none, the last.
  expect([...low].map((value) => Math.round(value * 1e6) / 1e6)).toEqual([1, 3, Number.NaN, Number.NaN, 4]);
  expect([...high].map((value) => Math.round(value * 1e6) / 1e6)).toEqual([2, 3, Number.NaN, Number.NaN, 4]);
});
