import { linearRegression } from "simple-statistics";
import { expect, test } from "vitest";
import {
  arrivalCost,
  edgeCaptured,
  impact,
  markout,
  profitPerRequest,
  slotsUsed,
} from "../../../backtest/metric/execution.ts";
import { SlotCounter } from "../../../backtest/record/run-recorder.ts";
import { createRandom } from "../../../src/domain/random.ts";
import { millis } from "../../../src/domain/time.ts";
import { CHF, DAY, HOUR, type SmallFill, smallRun, T0 } from "./small-run.ts";

const TWELVE = Array.from({ length: 12 });

test("profit per request divides what trading added by every request, whatever it was for", () => {
  const counter = new SlotCounter(millis(T0), { paceMs: 1_000 });
  counter.add(millis(T0), "quote", 30);
  counter.add(millis(T0 + HOUR), "order", 8);
  counter.add(millis(T0 + HOUR), "confirmation", 2);
  const books = {
    opening: [{ asset: CHF, amount: "100", rate: "1" }],
    closing: [{ asset: CHF, amount: "110", rate: "1" }],
  };
  const run = smallRun({ slots: counter.finish(), books });
  expect(profitPerRequest(run)).toEqual({ kind: "known", value: 0.25 });
  expect(slotsUsed(run)).toMatchObject({
    value: { total: 40, byClass: { quote: 30, order: 8, confirmation: 2, balance: 0 }, utilisation: 40 / 86_400 },
  });
  // Closed currency markets: for an hour nothing of it had a worth.
  const late = smallRun({
    slots: counter.finish(),
    books,
    equity: [
      [T0, Number.NaN],
      [T0 + HOUR, 100],
      [T0 + DAY, 110],
    ],
  });
  expect(profitPerRequest(late)).toEqual({ kind: "known", value: 1 });
  const uncounted = smallRun({ books });
  expect(profitPerRequest(uncounted)).toEqual({ kind: "n/a", reason: "requests were not counted" });
  const idle = smallRun({ books, slots: new SlotCounter(millis(T0), { paceMs: 1_000 }).finish() });
  expect(profitPerRequest(idle)).toEqual({ kind: "n/a", reason: "there are no requests" });
});

test("edge that was killed counts as seen and not had", () => {
  const fills = TWELVE.map((): SmallFill => ({ base: "100", quote: "99.9", touch: 0.9992, fair: 1 }));
  const run = smallRun({
    fills,
    unfilled: [{ end: "unfilled-depth", side: "sell", touch: 1.0064, fair: 1, quantity: 150 }],
  });
  // captured 12 * (1 - 0.999) * 100 = 1.2; quoted 12 * 0.0008 * 100 + 0.0064 * 150 = 0.96 + 0.96 = 1.92;
  // worth 12 * 99.9 = 1198.8; 1.2 / 1198.8 = 10.01 bp
  expect(edgeCaptured(run)).toEqual({
    kind: "known",
    value: {
      share: expect.closeTo(0.625, 9),
      captured: expect.closeTo(1.2, 9),
      quoted: expect.closeTo(1.92, 9),
      capturedBps: expect.closeTo((1.2 / 1_198.8) * 10_000, 9),
    },
  });
});

test("a fill without a fair value has no edge, and ten with one are needed", () => {
  const fills: SmallFill[] = TWELVE.map((_, row) => ({
    base: "100",
    quote: "99.9",
    touch: 1,
    ...(row < 9 ? { fair: 1 } : {}),
  }));
  expect(edgeCaptured(smallRun({ fills }))).toEqual({
    kind: "n/a",
    reason: "needs at least 10 fills with a fair value, was 9",
  });
});

test("markout is where the price went, our way positive, weighted by worth", () => {
  const fills: SmallFill[] = TWELVE.map((_, row) => {
    const at = T0 + row * HOUR;
    // ten small buys at 1.0 and two sells ten times as large at 1.0
    return row < 10 ? { at, base: "100", quote: "100" } : { at, side: "sell", base: "1000", quote: "1000" };
  });
  const prices = fills.flatMap(({ at = 0 }) => [
    [at + 900, "VCHF/CHF", 1.0001] as const,
    [at + 9_000, "VCHF/CHF", 1.0002] as const,
    [at + 59_000, "VCHF/CHF", 1.0004] as const,
  ]);
  const found = markout(smallRun({ fills, prices }).fills);
  // buys gain 1 bp on 1000 in all, sells lose 1 bp on 2000: (1 - 2) / 3 = -1/3 bp; then twice and four times that
  expect(found.map(({ seconds }) => seconds)).toEqual([1, 10, 60, 600, 3_600, 14_400, 86_400]);
  const means = found.map(({ bps }) => (bps.kind === "known" ? bps.value.mean : NaN));
  for (const [row, factor] of [1, 2, 4].entries()) expect(means[row]).toBeCloseTo(-factor / 3, 6);
  // an hour each: ten of 100 are 4/3 above the mean, two of 1000 are 2/3 below; sqrt(12/11 * sum of (worth * distance)^2) / 3000
  const squares = 10 * (100 * (4 / 3)) ** 2 + 2 * (1_000 * (2 / 3)) ** 2;
  expect(found[0]?.bps).toMatchObject({
    value: { standardError: expect.closeTo(Math.sqrt((12 / 11) * squares) / 3_000, 6), fills: 12, clusters: 12 },
  });
});

test("cost against arrival is what fills paid beyond the price on show, weighted by worth", () => {
  // Ten buys of 100 at 1.0002 where 1 was shown; two sells of 1,000 at 1.0001 where 1 was: 2 bp on 1,000.2, -1 bp on 2,000.2.
  const fills = TWELVE.map(
    (_, row): SmallFill =>
      row < 10 ? { base: "100", quote: "100.02", touch: 1 } : { side: "sell", base: "1000", quote: "1000.1", touch: 1 },
  );
  const found = arrivalCost(smallRun({ fills }).fills);
  const mean = (2 * 1_000.2 - 2_000.2) / 3_000.4;
  expect(found).toMatchObject({ value: { fills: 12, mean: expect.closeTo(mean, 6) } });
});

test("impact is the slope of the move after a fill on its size", () => {
  // 0.8 bp for each 10,000, half a spread of 3 bp, sizes of 1,000 to 30,000
  const random = createRandom(5);
  const sizes = Array.from({ length: 60 }, (_, row) => 1_000 + 500 * row);
  const fills = sizes.map((size, row): SmallFill => {
    return { at: T0 + row * HOUR, base: String(size), quote: String(size), touch: 1 };
  });
  const moved = sizes.map((size) => 1 + (0.8 * (size / 10_000) - 3 + 0.05 * random.normal()) / 10_000);
  const prices = moved.map((mid, row) => [T0 + row * HOUR + 900, "VCHF/CHF", mid] as const);
  const found = impact(smallRun({ fills, prices }).fills);
  const { m } = linearRegression(sizes.map((size, row) => [size, ((moved[row] as number) - 1) * 10_000]));
  expect(found).toMatchObject({ value: { mean: expect.closeTo(m * 10_000, 6), fills: 60, clusters: 60 } });
  if (found.kind === "known")
    expect(Math.abs(found.value.mean - 0.8)).toBeLessThan(3 * (found.value.standardError ?? 0));
});
