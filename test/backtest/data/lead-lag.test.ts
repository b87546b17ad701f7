import { expect, test } from "vitest";
import { memorySource } from "../../../backtest/data/source.ts";
import { leadsOf, leadText, type Named } from "../../../backtest/data/survey/lead-lag.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { createRandom } from "../../../src/domain/random.ts";

const ROWS = 600;
const walk = ((random) => {
  let price = 1;
  return Array.from({ length: ROWS + 200 }, () => {
    price *= 1 + 0.0002 * random.normal();
    return price;
  });
})(createRandom(5));

/** The walk once a second, so many seconds early. */
function quotes(name: string, earlyS: number, symbol = "GBP/CHF", noise = 0): Named {
  const random = createRandom(9).fork(name);
  const mid = Float64Array.from(
    { length: ROWS },
    (_, i) => (walk[i + 100 + earlyS] as number) * (1 + noise * random.normal()),
  );
  const columns = [Float64Array.from({ length: ROWS }, (_, i) => i * 1_000), mid, mid, mid, mid];
  return { name, source: memorySource({ kind: "quotes", symbol: symbol as PairSymbol }, columns) };
}

/** Bars of four seconds; `isEarly`: stamped as if each began when it ends. */
function bars(name: string, isEarly: boolean): Named {
  const rows = ROWS / 4;
  const close = Float64Array.from({ length: rows }, (_, i) => walk[i * 4 + 104] as number);
  const time = Float64Array.from({ length: rows }, (_, i) => i * 4_000 - (isEarly ? 4_000 : 0));
  const columns = [time, close, close, close, close, close];
  return { name, source: memorySource({ kind: "bars", symbol: "GBP/CHF" as PairSymbol, intervalMs: 4_000 }, columns) };
}

test("a feed that shows the same moves earlier is ahead by that much, whichever comes first", () => {
  const found = { ahead: "early", behind: "usual", ms: 7_000 };
  expect(leadsOf([quotes("usual", 0), quotes("early", 7)])).toEqual([expect.objectContaining(found)]);
  expect(leadsOf([quotes("early", 7, "GBP/CHF", 0.00005), quotes("usual", 0)])).toEqual([
    expect.objectContaining(found),
  ]);
  const [lead] = leadsOf([quotes("early", 7), quotes("usual", 0)]);
  expect(lead && leadText(lead)).toMatch(
    /^early is 7 s ahead of usual: .*correlation 1\.00 there, -?0\.\d\d at the same time/,
  );
});

test("feeds of one time are not ahead of each other, nor are those of other pairs or other moves", () => {
  expect(leadsOf([quotes("a", 0, "GBP/CHF", 0.00005), quotes("b", 0, "GBP/CHF", 0.00005)])).toEqual([]);
  expect(leadsOf([quotes("a", 7), quotes("b", 0, "USD/CHF")])).toEqual([]);
  expect(leadsOf([quotes("a", 0, "GBP/CHF", 0.1), quotes("b", 7, "GBP/CHF", 0.1)])).toEqual([]);
});

test("bars that are stamped a bar early are ahead", () => {
  expect(leadsOf([quotes("q", 0), bars("bars", false)])).toEqual([]);
  expect(leadsOf([quotes("q", 0), bars("bars", true)])).toEqual([
    expect.objectContaining({ ahead: "bars", ms: 4_000 }),
  ]);
});
