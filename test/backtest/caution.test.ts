// What recorded prices leave open in a strategy's favour is said before any figure that rests on it.

import { describe, expect, it } from "vitest";
import { assumptionsOf } from "../../backtest/assumption.ts";
import { cautionsOf } from "../../backtest/caution.ts";
import { memorySource } from "../../backtest/data/source.ts";
import { computeFigures } from "../../backtest/figures.ts";
import type { Recording } from "../../backtest/recording.ts";
import { renderJson } from "../../backtest/report/render-json.ts";
import { renderReport } from "../../backtest/report/render-report.ts";
import { renderTable } from "../../backtest/report/render-table.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { millis } from "../../src/domain/time.ts";
import { START } from "../support/lockstep.ts";
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
  return cautionsOf({ recordings, ...SPAN });
}

const sized = (): number => 500;
const unsized = (): number => Number.NaN;

describe("cautions", () => {
  it("say of the venue's bars that they fill any size, and at no spread where none was declared", () => {
    expect(cautions(bars("VCHF/CHF"))).toEqual([
      expect.stringMatching(/^VCHF\/CHF: no spread, any size: .*--half-spread-bps says what it is$/),
    ]);
    expect(cautions(bars("VCHF/CHF", { halfSpreadBps: 2 }))).toEqual([
      expect.stringMatching(/^VCHF\/CHF: any size: a bar has no size on show/),
    ]);
    expect(cautions(bars("GBP/CHF", { role: "reference" }))).toEqual([]);
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
    expect(cautions(quotes("GBP/CHF", unsized, 1e-3, "reference"))).toEqual([]);
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
    expect(cautions(par, reference("GBP/CHF"))).toEqual([expect.stringContaining("any size")]);
  });
});

it("the head of table and page, JSON and assumptions say what a run's prices leave open", () => {
  const recordings = [quotes("VCHF/CHF", unsized)];
  const { record } = backtestOf(pegArbitrage(), 4_000, { recordings, traded: ["VCHF/CHF" as PairSymbol] });
  const figures = computeFigures(record);
  const text = "VCHF/CHF: any size: no size was recorded, so every order is filled however large it is";
  expect(renderTable(record, figures).indexOf(text)).toBe(3);
  expect(renderReport(record, figures).split('class="tiles"')[0]).toContain(text);
  expect(renderJson(record, figures)).toMatchObject({ settings: { cautions: [text] } });
  const rows = assumptionsOf(optionsOf(pegArbitrage(), 4_000, { recordings }));
  expect(rows.find(({ name }) => name === "venue prices")?.value).toContain("each price until the next, any size;");
});
