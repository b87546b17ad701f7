import { expect, it } from "vitest";
import { overfitting } from "../../../backtest/search/overfit.ts";

/** Twelve sets over 160 periods from a generator that is easily written elsewhere; the fourth has an edge. */
function sets(edge: number): Float64Array[] {
  let x = 12_345;
  const next = (): number => {
    x = Number((BigInt(x) * 1_103_515_245n + 12_345n) % 2_147_483_648n);
    return x / 2_147_483_648 - 0.5;
  };
  return Array.from({ length: 12 }, (_, set) =>
    Float64Array.from({ length: 160 }, () => next() + next() + next() + next() + (set === 3 ? edge : 0)),
  );
}

it.each([
  [0, 55 / 70],
  [0.2, 7 / 70],
  [0.6, 0],
])("with an edge of %d the chance of overfitting is that of a program in Python over all 70 halves", (edge, chance) => {
  expect(overfitting(sets(edge))).toEqual({ kind: "known", value: chance });
});

it("is not known with fewer than ten sets or eight blocks", () => {
  const few = { kind: "n/a" };
  expect(overfitting(sets(0).slice(0, 9))).toMatchObject(few);
  expect(overfitting(sets(0).map((one) => one.subarray(0, 159)))).toMatchObject(few);
});
