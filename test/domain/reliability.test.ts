// The judgement of fill chances: figures worked out by hand, and one market through the bot (`npm run campaign blind` has six).

import { expect, it } from "vitest";
import { askedText, Reliability, reliabilityText } from "../../src/domain/reliability.ts";
import { trial } from "../support/blind-truths.ts";

it("counts fills against chances by decile, and gains against what was expected", () => {
  const judge = new Reliability();
  expect(judge.figures()).toBeUndefined();
  // 400 orders at 25 %, 120 filled; 100 at 75 %, 80 filled.
  for (let n = 0; n < 500; n++) {
    const chance = n < 400 ? 0.25 : 0.75;
    judge.judged({ chance, gain: chance * 2 }, n < 120 || n >= 420 ? 3 : undefined);
  }
  const again = new Reliability(JSON.parse(JSON.stringify(judge.save())));
  expect(again.figures()).toEqual(judge.figures());
  expect(judge.figures()).toMatchObject({
    ...{ orders: 500, filled: 200, expected: 175 },
    // From 120/400 at 0.25 to 80/100 at 0.75.
    slope: expect.closeTo((0.8 - 0.3) / 0.5, 9),
    // 20 too many, of a standard error of sqrt(400 * 0.25 * 0.75); the other decile has too few orders.
    worst: expect.closeTo(20 / Math.sqrt(75), 9),
    gainExpected: expect.closeTo(0.7, 9),
    gained: expect.closeTo(1.2, 9),
    // 3 or nothing: 3 * sqrt(0.4 * 0.6 / 500)
    gainedError: expect.closeTo(3 * Math.sqrt(0.24 / 500), 9),
  });
});

it("says with which chance a limit fills, and how far chances held", () => {
  expect(askedText({ bid: undefined, ask: { limit: 0.9995, chance: 0.416 } })).toBe(
    "buys at 0.99950 or better with 42 %",
  );
  const judge = new Reliability();
  for (let n = 0; n < 4; n++) judge.judged({ chance: 0.5, gain: 1 }, n === 0 ? 2 : undefined);
  expect(reliabilityText(judge.figures() as never, "CHF")).toBe(
    "4 blind orders: 25.0 % filled where 50.0 % were expected; an order gained 0.500 (+-0.433) CHF of 1.000 expected",
  );
});

it("two days of a market: chances hold, and an order gains more than at even times (seed 31)", () => {
  const run = { truth: "inside: narrow", seed: 31, days: 2 } as const;
  const [taught, fixed] = [trial({ ...run, choice: "taught" }), trial({ ...run, choice: "in turn" })];
  expect(taught.orders).toBeGreaterThan(150);
  expect(taught.slope).toBeGreaterThan(0.8);
  expect(taught.slope).toBeLessThan(1.2);
  expect(Math.abs(taught.filled / taught.expected - 1)).toBeLessThan(0.15);
  expect(taught.gained).toBeGreaterThan(fixed.gained);
});
