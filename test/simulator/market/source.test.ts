import { describe, expect, test } from "vitest";
import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import { millis } from "../../../src/domain/time.ts";
import { createQuoteColumns } from "../../../src/market/column.ts";
import { emptyTop, type Market } from "../../../src/simulator/market/market.ts";
import { createReferenceFeed, DEFAULT_REFERENCES } from "../../../src/simulator/market/reference.ts";
import { syntheticMarket } from "../../../src/simulator/market/synthetic.ts";
import { recordedMarket } from "../../support/recorded-market.ts";

const SYMBOL = "VCHF/CHF" as PairSymbol;
const START = Date.UTC(2026, 5, 1);

function shown(market: Market, symbol: PairSymbol, at: number): string {
  const top = emptyTop();
  return market.read(symbol, millis(at), top) ? `${top.bid} ${top.ask} ${top.bidSize} ${top.askSize}` : "none";
}

describe("recorded columns as a market", () => {
  const columns = createQuoteColumns(SYMBOL, 2);
  columns.time.set([1_000, 2_000]);
  columns.bid.set([0.99, 0.98]);
  columns.ask.set([1.01, 1.02]);
  columns.bidSize.set([5, 6]);
  columns.askSize.set([7, Number.NaN]);
  const market = recordedMarket([columns], syntheticMarket(1));

  test("show the last row at or before the time, and nothing before the first", () => {
    expect([999, 1_000, 1_999, 2_000].map((at) => shown(market, SYMBOL, at))).toEqual([
      "none",
      "0.99 1.01 5 7",
      "0.99 1.01 5 7",
      `0.98 1.02 6 ${Number.MAX_SAFE_INTEGER}`,
    ]);
    expect(shown(market, SYMBOL, 1_500)).toBe("0.99 1.01 5 7");
  });

  test("leave other pairs and rates to the fallback, and give the rates they know", () => {
    expect(shown(market, "USDC/CHF" as PairSymbol, START)).toBe(
      shown(syntheticMarket(1), "USDC/CHF" as PairSymbol, START),
    );
    expect(market.rate("VCHF" as Asset, "CHF" as Asset, millis(1_000))).toBe(1);
    expect(market.rate("GBP" as Asset, "CHF" as Asset, millis(START))).toBe(
      syntheticMarket(1).rate("GBP" as Asset, "CHF" as Asset, millis(START)),
    );
  });
});

describe("a reference feed", () => {
  const market = syntheticMarket(8);
  const [fast, slow] = DEFAULT_REFERENCES.map((parameters) => createReferenceFeed(market, 8, parameters));
  const midOf = (feed: typeof fast, at: number): number => {
    const row = feed?.read(millis(at)).find(({ symbol }) => symbol === "GBP/CHF");
    return row === undefined ? Number.NaN : (row.bid + row.ask) / 2;
  };

  test("shows the fair mid as it was, late by its delay, within its noise", () => {
    for (let i = 0; i < 200; i++) {
      const at = START + i * 10_007;
      const row = slow?.read(millis(at))[0];
      expect(at - (row?.at ?? 0)).toBeGreaterThanOrEqual(600);
      expect(at - (row?.at ?? 0)).toBeLessThan(1_600);
      const fair = market.rate("GBP" as Asset, "CHF" as Asset, millis(row?.at ?? 0)) ?? 0;
      expect(Math.abs(midOf(slow, at) / fair - 1)).toBeLessThan(5 * 0.5e-4);
    }
  });
});
