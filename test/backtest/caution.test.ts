// What recorded prices leave open in a strategy's favour is said before any figure that rests on it.

import { describe, expect, it } from "vitest";
import { assumptionsOf, settingsOf } from "../../backtest/assumption.ts";
import { cautionsOf, syntheticPairs } from "../../backtest/caution.ts";
import { memorySource } from "../../backtest/data/source.ts";
import { ClosedTimes } from "../../backtest/holes.ts";
import { computeFigures } from "../../backtest/metric/figures.ts";
import { type Recording, recordedOver } from "../../backtest/recording.ts";
import { renderJson } from "../../backtest/report/export.ts";
import { runReport } from "../../backtest/report/run-report.ts";
import { figureCautions } from "../../backtest/report/run-text.ts";
import { runBacktest } from "../../backtest/run-backtest.ts";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { unwrap } from "../../src/domain/result.ts";
import { millis } from "../../src/domain/time.ts";
import { DEMO_MARKET, SCENARIOS } from "../../src/simulator/market/parameters.ts";
import { syntheticMarket } from "../../src/simulator/market/synthetic.ts";
import { prepareStrategy } from "../../src/strategy/prepare.ts";
import { START } from "../support/lockstep.ts";
import { shownRun } from "../support/report-text.ts";
import { backtestOf, MINUTE, optionsOf, pegArbitrage } from "./stage.ts";

const ROWS = 4;
const SPAN = { from: START, to: millis(START + ROWS * MINUTE) };

type Shape = { readonly role?: Recording["role"]; readonly halfSpreadBps?: number; readonly intervalMs?: number };

function column(of: (row: number) => number): Float64Array {
  return Float64Array.from({ length: ROWS + 1 }, (_, row) => of(row));
}

function bars(symbol: string, { role = "venue", halfSpreadBps = 0, intervalMs = MINUTE }: Shape = {}): Recording {
  const time = column((row) => START + row * intervalMs);
  const price = column(() => 1);
  const subject = { kind: "bars", symbol: symbol as PairSymbol, intervalMs } as const;
  const source = memorySource(subject, [time, price, price, price, price, column(() => 100)]);
  return { name: `${symbol} bars`, role, source, halfSpreadBps, digest: symbol };
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

/** Quotes with these mids, one after the other. */
function standing(...mids: readonly number[]): Recording {
  const recording = quotes("VCHF/CHF", sized);
  const time = column((row) => START + row * 1_000);
  const side = (times: number) => column((row) => (mids[row % mids.length] as number) * times);
  const source = memorySource(recording.source, [time, side(0.9999), side(1.0001), column(sized), column(sized)]);
  return { ...recording, source };
}

const sized = (): number => 500;
const unsized = (): number => Number.NaN;

describe("cautions", () => {
  it("say that a coin is off its par in every row, that it has no fair value then", () => {
    const said = (...mids: number[]) => cautions(standing(...mids));
    for (const mids of [[100, 100.5], [0.97]]) {
      expect(said(...mids)).toHaveLength(1);
      expect(said(...mids)[0]).toContain("no fair value in the whole run");
    }
    expect([said(0.97, 1.03), said(0.97, 0.997), said(1)]).toEqual([[], [], []]);
  });

  it("say that nothing ever wakes a strategy that waits for bars where there are none", () => {
    const strategy = unwrap(prepareStrategy({ name: "cross", wakes: ["bar", "report"], decide: () => undefined }, {}));
    const on = (...recordings: Recording[]) => cautionsOf({ ...optionsOf(strategy, MINUTE), recordings, ...SPAN });
    const told =
      'nothing will ever wake strategy cross, which wakes at bar and report alone: bars come only in backtests on recorded bars of the venue, and a report is of an order, and it never gets to make one; wakes: ["quote"] is the usual one (docs/STRATEGY.md)';
    expect(on()).toContain(told);
    expect(on(bars("VCHF/CHF", { role: "reference" }))).toContain(told);
    expect(on(bars("VCHF/CHF"))).not.toContain(told);
  });

  it("say that few orders are sent where a decision may be too old at its slot", () => {
    const options = optionsOf(pegArbitrage(), MINUTE);
    const waiting = (decisionMs: number) => cautionsOf({ ...options, terms: { ...options.terms, decisionMs } });
    expect(waiting(options.limits.decisionAgeMsMax - options.terms.paceMs)).toEqual([]);
    expect(waiting(10_000)).toEqual([
      expect.stringMatching(/^few orders or none are sent: with --decision 10\S* .*\(decisionAgeMsMax: \d+ ms\)/),
    ]);
  });

  it("say of the venue's bars that they fill any size, and at no spread where none was declared", () => {
    expect(cautions(bars("VCHF/CHF"))).toEqual([
      expect.stringMatching(/^VCHF\/CHF: no spread, any size: .*--half-spread-bps says what it is$/),
    ]);
    expect(cautions(bars("VCHF/CHF", { halfSpreadBps: 2 }))).toEqual([
      expect.stringMatching(/^VCHF\/CHF: any size: a bar has no size on show/),
    ]);
    expect(cautions(bars("BTC/CHF", { role: "reference" }))).toEqual([
      expect.stringMatching(/^BTC\/CHF: rows of .* apart, and a reference is believed for .* \(referenceAgeMsMax\)/),
    ]);
  });

  it("say of the venue's quotes where rows have no size, or one price for both sides", () => {
    expect(cautions(quotes("VCHF/CHF", sized))).toEqual([]);
    expect(cautions(quotes("VCHF/CHF", unsized))).toEqual([
      expect.stringMatching(/^VCHF\/CHF: any size: no size was recorded, so every order is filled/),
    ]);
    // One row of five.
    expect(cautions(quotes("VCHF/CHF", (row) => (row === 2 ? Number.NaN : 500)))).toEqual([
      expect.stringContaining("any size at times: 20.0 % of the rows"),
    ]);
    expect(cautions(quotes("VCHF/CHF", sized, 0))).toEqual([expect.stringMatching(/^VCHF\/CHF: no spread: a row has/)]);
    expect(cautions(quotes("BTC/CHF", unsized, 1e-3, "reference"))).toEqual([]);
  });

  it("name the file that makes a run shorter than the others are", () => {
    const from = (begin: number, rows: number, name: string): Recording => {
      const time = Float64Array.from({ length: rows }, (_, row) => START + begin + row * 1_000);
      const price = time.map(() => 1);
      const source = memorySource({ kind: "quotes", symbol: "BTC/CHF" as PairSymbol }, [time, ...Array(4).fill(price)]);
      return { name, role: "reference", source, halfSpreadBps: 0, digest: name };
    };
    const { limits, references, terms, funds } = optionsOf(pegArbitrage(), MINUTE);
    const said = (span: { from: number; to: number }, ...recordings: Recording[]) =>
      cautionsOf({
        strategy: pegArbitrage(),
        recordings,
        references,
        limits,
        funds,
        terms,
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

  it("name prices that move while the venue's bars stand still", () => {
    const own = bars("VGBP/VCHF", { halfSpreadBps: 2, intervalMs: 15 * MINUTE });
    const frozen = (...others: Recording[]) => cautions(own, ...others).filter((text) => text.includes("stand still"));
    const reference = (symbol: string) => quotes(symbol, unsized, 1e-3, "reference");
    expect(frozen(reference("GBP/CHF"))).toEqual([
      expect.stringMatching(/^VGBP\/VCHF: its bars stand still for 15 min while GBP\/CHF quotes told finer prices/),
    ]);
    expect(frozen(bars("CHF/GBP", { role: "reference" }))).toHaveLength(1);
    // Two that together say what one pound is in francs.
    expect(frozen(reference("GBP/USD"), reference("USD/CHF"))).toEqual([
      expect.stringContaining("GBP/USD quotes, USD/CHF quotes"),
    ]);
    expect(frozen()).toEqual([]);
    expect(frozen(reference("GBP/USD"))).toEqual([]);
    expect(frozen(bars("GBP/CHF", { role: "reference", intervalMs: 15 * MINUTE }))).toEqual([]);
    // A coin in its own currency is fair at par, whatever the currency does.
    const par = bars("VCHF/CHF", { halfSpreadBps: 2 });
    expect(cautions(par, reference("USD/CHF"))).toEqual([expect.stringContaining("any size")]);
  });
});

describe("recorded references of one pair", () => {
  const named = (name: string): Recording => ({ ...quotes("GBP/CHF", unsized, 1e-3, "reference"), name, digest: name });

  it("stand alone where they are as many as a fair value needs, and else say that synthetic feeds count too", () => {
    const { references, limits: usual, terms, funds } = optionsOf(pegArbitrage(), MINUTE);
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
    expect([syntheticPairs(one).has(pounds), cautionsOf({ strategy: pegArbitrage(), ...one, terms, ...SPAN })]).toEqual(
      [false, []],
    );
  });

  it("of what is held leave nothing synthetic beside them on its way, where they are as many as it needs", () => {
    const { references, limits: usual } = optionsOf(pegArbitrage(), MINUTE);
    const limits = { ...usual, referenceSourcesMin: 2 };
    const bitcoin = (digest: string): Recording => ({ ...quotes("BTC/CHF", unsized, 1e-3, "reference"), digest });
    const told = (funds: Record<string, string>, ...recordings: Recording[]): readonly string[] => {
      const wanted = syntheticPairs({ recordings, references, limits, funds });
      return [...new Set(references.flatMap(({ symbols }) => symbols))].filter((symbol) => wanted.has(symbol));
    };
    expect(told({ CHF: "1", GBP: "1" })).toEqual(["GBP/CHF", "USDC/CHF"]);
    expect(told({ CHF: "1", BTC: "1" })).toEqual(["GBP/CHF", "USD/CHF", "BTC/USD", "USDC/CHF"]);
    expect(told({ BTC: "1" }, bitcoin("a"))).toEqual(["GBP/CHF", "USD/CHF", "BTC/USD", "USDC/CHF"]);
    expect(told({ BTC: "1" }, bitcoin("a"), bitcoin("b"))).toEqual(["GBP/CHF", "USDC/CHF"]);
  });

  it("count alike, whichever comes last by name", () => {
    const at = millis(START + 500);
    const rated = (mid: number): Recording => {
      const { source, ...rest } = quotes("GBP/CHF", unsized, 1e-3, "reference");
      const columns = [column((row) => START + row * 1_000), column(() => mid - 0.001), column(() => mid + 0.001)];
      const sizes = [column(unsized), column(unsized)];
      return {
        ...rest,
        digest: `${mid}`,
        source: memorySource({ kind: "quotes", symbol: source.symbol }, [...columns, ...sizes]),
      };
    };
    const rate = (...mids: number[]): number | undefined =>
      recordedOver(syntheticMarket(1), mids.map(rated)).rate("GBP" as Asset, "CHF" as Asset, at);
    expect([rate(1.2, 1.4), rate(1.4, 1.2)]).toEqual([expect.closeTo(1.3, 12), expect.closeTo(1.3, 12)]);
    expect(rate(1.4, 1.2, 1.25)).toBeCloseTo(1.25, 12);
  });

  it("close the pair only while all of them are silent", () => {
    const minutes = (...at: number[]): Recording => {
      const time = Float64Array.from(at, (minute) => START + minute * MINUTE);
      const flat = (value: number): Float64Array => new Float64Array(at.length).fill(value);
      const columns = [time, flat(1.2), flat(1.201), flat(Number.NaN), flat(Number.NaN)];
      const source = memorySource({ kind: "quotes", symbol: "GBP/CHF" as PairSymbol }, columns);
      return { ...named(`from ${at[4]}`), source };
    };
    // Holes from 4 to 10 and from 7 to 20 minutes: steps are a minute, and three of them no hole.
    const one = minutes(0, 1, 2, 3, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21);
    const other = minutes(0, 1, 2, 3, 4, 5, 6, 20, 21);
    const closed = new ClosedTimes([one, other], { from: START, to: millis(START + 21 * MINUTE) });
    const none = { time: new Float64Array(), symbol: [], length: 0 } as never;
    expect(closed.finish(none)).toMatchObject([
      { name: "from 10 and from 4", count: 1, longest: { from: START + 7 * MINUTE, to: START + 10 * MINUTE } },
    ]);
    const market = recordedOver(syntheticMarket(1), [one, other], (track, name) => closed.over(track, name));
    const isOpen = (minute: number): boolean =>
      market.rate("GBP" as Asset, "CHF" as Asset, millis(START + minute * MINUTE)) !== undefined;
    expect([3, 6, 8, 10, 15].map(isOpen)).toEqual([true, true, false, true, true]);
  });
});

it("the venue's prices of a pair must not come from two files", () => {
  const [one, other] = ["a.csv", "b.csv"].map((name) => ({ ...quotes("VCHF/CHF", sized), name }));
  const result = runBacktest(optionsOf(pegArbitrage(), MINUTE, { recordings: [one as Recording, other as Recording] }));
  expect(result).toMatchObject({
    error: "the venue's prices of VCHF/CHF must be in one file, were in a.csv and b.csv",
  });
});

it("the head of table and page, JSON and assumptions say what a run's prices leave open", () => {
  const recordings = [quotes("VCHF/CHF", unsized)];
  const { record } = backtestOf(pegArbitrage(), 4_000, { recordings, traded: ["VCHF/CHF" as PairSymbol] });
  const figures = computeFigures(record);
  const text = "VCHF/CHF: any size: no size was recorded, so every order is filled however large it is";
  expect(runReport(record, figures).notes[0]).toBe(text);
  expect(renderJson(record, figures)).toMatchObject({ settings: { cautions: [text] } });
  const rows = assumptionsOf(optionsOf(pegArbitrage(), 4_000, { recordings }));
  expect(rows.find(({ name }) => name === "venue prices")?.value).toContain("each price until the next, any size;");
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
  expect(table).toMatch(/Sharpe +3\.01 +too good to be taken at its word/);
});
