// `market fit` is the inverse of the market: on prices of known parameters each is found within its interval.

import { expect, test } from "vitest";
import { fitOf } from "../../../backtest/data/fit.ts";
import type { QuoteArrays, QuoteSource } from "../../../backtest/data/source.ts";
import { syntheticBlocks } from "../../../backtest/data/synthetic.ts";
import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import { millis } from "../../../src/domain/time.ts";
import { SCENARIOS } from "../../../src/simulator/market/parameters.ts";
import { syntheticMarket } from "../../../src/simulator/market/synthetic.ts";

const { calibrated: parameters } = SCENARIOS;
const MINUTE = 60_000;
const from = Date.UTC(2026, 0, 5);
const to = from + 30 * 24 * 60 * MINUTE;
const KNOWN: Readonly<Record<string, number | undefined>> = {
  "pairs.VCHF/CHF.halfSpreadBps": parameters.pairs["VCHF/CHF"]?.halfSpreadBps,
  "pairs.VCHF/CHF.depth": parameters.pairs["VCHF/CHF"]?.depth,
  "pegs.VCHF.deviationBps": parameters.pegs.VCHF?.deviationBps,
  "pegs.VCHF.halfLifeMs": parameters.pegs.VCHF?.halfLifeMs,
  "pairs.VGBP/VCHF.halfSpreadBps": parameters.pairs["VGBP/VCHF"]?.halfSpreadBps,
  "pairs.VGBP/VCHF.depth": parameters.pairs["VGBP/VCHF"]?.depth,
  "references.GBP.volatilityPerYear": parameters.references.GBP?.volatilityPerYear,
};

function recordingOf(symbol: string, blocks: Iterable<{ columns: QuoteArrays; count: number }>): QuoteSource {
  function* chunks() {
    for (const { columns, count: length } of blocks) {
      const [time, bid, ask, bidSize, askSize] = columns;
      yield { length, time, bid, ask, bidSize, askSize };
    }
  }
  return { kind: "quotes", symbol, chunks } as unknown as QuoteSource;
}

function ratesOf(seed: number): QuoteSource {
  const market = syntheticMarket(seed, parameters);
  const time = Float64Array.from({ length: (to - from) / MINUTE }, (_, i) => from + i * MINUTE);
  const [GBP, CHF] = ["GBP", "CHF"] as Asset[] as [Asset, Asset];
  const mid = time.map((at) => market.rate(GBP, CHF, millis(at)) as number);
  const none = time.map(() => Number.NaN);
  return recordingOf("GBP/CHF", [{ columns: [time, mid, mid, none, none] as QuoteArrays, count: time.length }]);
}

test("95 % of intervals hold what a market of known parameters was made with, over five recordings of 30 days", () => {
  const missed: string[] = [];
  let count = 0;
  for (const seed of [601, 602, 603, 604, 605]) {
    const span = { seed, parameters, from: millis(from), to: millis(to), intervalMs: MINUTE };
    const own = ["VCHF/CHF", "VGBP/VCHF"].map((symbol) =>
      recordingOf(symbol, syntheticBlocks(symbol as PairSymbol, span) as Iterable<never>),
    );
    const fit = fitOf([...own, ratesOf(seed)]);
    count += fit.parameters.length;
    for (const { name, low, high } of fit.parameters) {
      const known = KNOWN[name] as number;
      if (!(known >= low && known <= high)) missed.push(`${seed} ${name}: ${known}, ${low} to ${high}`);
    }
    expect(fit.laws.filter(({ fits }) => !fits).length, `seed ${seed}`).toBeLessThanOrEqual(1);
  }
  expect(count).toBeGreaterThanOrEqual(33);
  expect(missed.length, missed.join(", ")).toBeLessThanOrEqual(3);
});

test("a law that does not fit is named", () => {
  const span = { seed: 601, parameters, from: millis(from), to: millis(to), intervalMs: MINUTE };
  const blocks = [...syntheticBlocks("VCHF/CHF" as PairSymbol, span)].map(({ columns, count }) => {
    const [time, bid, ask, , askSize] = columns.map((column) => column.slice()) as QuoteArrays;
    // A size from a menu of two.
    const menu = time.map((at) => (Math.floor(at / 3_600_000) % 2 === 0 ? 5_000 : 20_000));
    return { columns: [time, bid, ask, menu, askSize.map(() => 0)] as unknown as QuoteArrays, count };
  });
  const { laws } = fitOf([recordingOf("VCHF/CHF", blocks)]);
  expect(laws).toContainEqual(expect.objectContaining({ what: "pairs.VCHF/CHF.depth", fits: false }));
});
