// What recorded prices leave open in a strategy's favour is said before any figure that rests on it.

import { describe, expect, it } from "vitest";
import { settingsOf } from "../../backtest/assumption.ts";
import { cautionsOf, syntheticPairs } from "../../backtest/caution.ts";
import { memorySource } from "../../backtest/data/source.ts";
import { computeFigures } from "../../backtest/metric/figures.ts";
import type { Recording } from "../../backtest/recording.ts";
import { renderJson } from "../../backtest/report/export.ts";
import { runReport } from "../../backtest/report/run-report.ts";
import { figureCautions } from "../../backtest/report/run-text.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { millis } from "../../src/domain/time.ts";
import { DEMO_MARKET, SCENARIOS } from "../../src/simulator/market/parameters.ts";
import { START } from "../support/lockstep.ts";
import { shownRun } from "../support/report-text.ts";
import { backtestOf, MINUTE, optionsOf, pegArbitrage } from "./stage.ts";

const ROWS = 4;
const SPAN = { from: START, to: millis(START + ROWS * MINUTE) };

function column(of: (row: number) => number): Float64Array {
  return Float64Array.from({ length: ROWS + 1 }, (_, row) => of(row));
}

function quotes(symbol: string, sizeOf: (row: number) => number, spread = 1e-3, role: Recording["role"] = "venue") {
  const time = column((row) => START + row * 1_000);
  const sides = [column(() => 1 - spread), column(() => 1 + spread), column(sizeOf), column(sizeOf)];
  const source = memorySource({ kind: "quotes", symbol: symbol as PairSymbol }, [time, ...sides]);
  return { name: `${symbol} quotes`, role, source, halfSpreadBps: 0, digest: symbol } satisfies Recording;
}

function cautions(...recordings: Recording[]): readonly string[] {
  const { limits, ...options } = optionsOf(pegArbitrage(), MINUTE);
  return cautionsOf({ ...options, recordings, limits: { ...limits, referenceSourcesMin: 2 }, ...SPAN });
}

const sized = (): number => 500;
const unsized = (): number => Number.NaN;

describe("cautions", () => {
  it("name the file that makes a run shorter than the others are", () => {
    const from = (begin: number, rows: number, name: string): Recording => {
      const time = Float64Array.from({ length: rows }, (_, row) => START + begin + row * 1_000);
      const price = time.map(() => 1);
      const source = memorySource({ kind: "quotes", symbol: "BTC/CHF" as PairSymbol }, [time, ...Array(4).fill(price)]);
      return { name, role: "reference", source, halfSpreadBps: 0, digest: name };
    };
    const { limits, references, funds } = optionsOf(pegArbitrage(), MINUTE);
    const said = (span: { from: number; to: number }, ...recordings: Recording[]) =>
      cautionsOf({
        strategy: pegArbitrage(),
        recordings,
        references,
        limits,
        funds,
        from: millis(START + span.from),
        to: millis(START + span.to),
      });
    const [long, cut, late] = [from(0, 7_200, "long"), from(0, 600, "cut"), from(MINUTE + 1_000, 7_139, "late")];
    const lost =
      "ends at 2026-06-01 12:09:59 UTC, and the run with it: 1 h 50 min of what the others have are not in it";
    expect(said({ from: 0, to: 599_000 }, long, cut)).toEqual([
      `BTC/CHF: cut ${lost}. Without this file it would end at 2026-06-01 13:59:59 UTC`,
    ]);
    // The next in length is no longer for it, and of two that are as short none helps alone.
    expect(said({ from: 0, to: 599_000 }, long, cut, from(0, 3_600, "next"))).toEqual([
      `BTC/CHF: cut ${lost}. Without this file it would end at 2026-06-01 12:59:59 UTC`,
    ]);
    expect(said({ from: 0, to: 599_000 }, long, cut, from(0, 600, "too"))).toEqual([
      ...[`BTC/CHF: cut ${lost}`, `BTC/CHF: too ${lost}`],
    ]);
    expect(said({ from: MINUTE + 1_000, to: 7_199_000 }, long, late)).toEqual([
      expect.stringMatching(/^BTC\/CHF: late begins at 2026-06-01 12:01:01 UTC, and the run with it: 1 min 1 s of/),
    ]);
    // A part that was asked for, and recordings of one time that end a moment apart.
    expect(said({ from: 0, to: 500_000 }, long, cut)).toEqual([]);
    expect(said({ from: 0, to: 7_199_000 }, long, from(0, 7_210, "longer"))).toEqual([]);
  });
});

describe("recorded references of one pair", () => {
  const named = (name: string): Recording => ({ ...quotes("GBP/CHF", unsized, 1e-3, "reference"), name, digest: name });

  it("stand alone where they are as many as a fair value needs, and else say that synthetic feeds count too", () => {
    const { references, limits: usual, funds } = optionsOf(pegArbitrage(), MINUTE);
    const limits = { ...usual, referenceSourcesMin: 2 };
    const pounds = "GBP/CHF" as PairSymbol;
    const isTold = (...recordings: Recording[]): boolean =>
      syntheticPairs({ recordings, references, limits, funds }).has(pounds);
    expect([isTold(), isTold(named("a")), isTold(named("a"), named("b"))]).toEqual([true, true, false]);
    // What feeds quote the other way round is the same pair.
    const turned = quotes("CHF/GBP", unsized, 1e-3, "reference");
    expect(isTold(named("a"), turned)).toBe(false);
    const text = /^GBP\/CHF: 1 source recorded, where a fair value needs 2 \(referenceSourcesMin\): synthetic feeds/;
    expect(cautions(named("a"))).toEqual([expect.stringMatching(text)]);
    expect(cautions(named("a"), named("b"))).toEqual([]);
    const one = { recordings: [named("a")], references, funds, limits: { ...limits, referenceSourcesMin: 1 } };
    expect([syntheticPairs(one).has(pounds), cautionsOf({ strategy: pegArbitrage(), ...one, ...SPAN })]).toEqual([
      false,
      [],
    ]);
  });
});

describe("the banner of synthetic prices", () => {
  const bannerOf = (changes: Parameters<typeof optionsOf>[2]) =>
    settingsOf(optionsOf(pegArbitrage(), MINUTE, changes)).banner;

  it("names scenario, seed and what is assumed, and is first in table, page and JSON", () => {
    expect(bannerOf({ market: DEMO_MARKET, seed: 7 })).toMatch(
      /^synthetic prices: scenario demo, seed 7\. .* no result follows from it$/,
    );
    expect(bannerOf({ market: SCENARIOS.calibrated })).toMatch(
      /^synthetic prices: scenario calibrated, seed 1\. .*assumed/,
    );
    expect(bannerOf({ market: { ...SCENARIOS.calm, depthSigma: 1 } })).toContain(
      "scenario calm, with parameters changed,",
    );
    const { record } = backtestOf(pegArbitrage(), MINUTE, { market: DEMO_MARKET });
    const figures = computeFigures(record);
    expect(runReport(record, figures).banner).toContain("scenario demo, seed 1");
    expect(renderJson(record, figures)).toMatchObject({ settings: { banner: expect.stringContaining("demo") } });
  });

  it("is absent where only recorded prices are traded", () => {
    const recordings = [quotes("VCHF/CHF", sized)];
    expect(bannerOf({ recordings, traded: ["VCHF/CHF" as PairSymbol], ...SPAN })).toBeUndefined();
  });
});

it("a Sharpe ratio above 3 has a caution at the head and in its line", () => {
  const figuresOf = (sharpe: number) => {
    const { record } = backtestOf(pegArbitrage(), MINUTE);
    const figures = { ...computeFigures(record), sharpe: { kind: "known", value: sharpe } as const };
    return { head: figureCautions(figures), table: shownRun(record, figures).join("\n") };
  };
  expect(figuresOf(3).head).toEqual([]);
  const { head, table } = figuresOf(3.01);
  expect(head).toEqual([expect.stringMatching(/^Sharpe is 3\.01: above 3 it tells of the prices/)]);
  expect(table).toContain(head[0]);
  expect(table).toMatch(/Sharpe +3\.01 .*too good to be taken at its word/);
});
