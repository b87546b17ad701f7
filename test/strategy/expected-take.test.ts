import { describe, expect, it } from "vitest";
import { createRandom } from "../../src/domain/random.ts";
import { expectedTake } from "../../src/strategy/hidden-price.ts";

/** Two draws, by Box and Muller. */
function normal(random: { next(): number }): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

describe("the expected take", () => {
  it("of a price that is known is its edge, or nothing below what is wanted", () => {
    expect([expectedTake(7, 6, 0), expectedTake(6, 6, 0), expectedTake(5.9, 6, 0)]).toEqual([7, 6, 0]);
  });

  it("never takes an edge below zero, whatever is wanted", () => {
    expect(expectedTake(-1, -5, 0)).toBe(0);
    expect(expectedTake(-30, -50, 2)).toBeLessThan(1e-6);
  });

  it("grows with the edge and with what is not known of it, while the edge is short of what is wanted", () => {
    expect(expectedTake(5, 6, 1)).toBeGreaterThan(expectedTake(4, 6, 1));
    expect(expectedTake(4, 6, 2)).toBeGreaterThan(expectedTake(4, 6, 1));
  });

  it.each([
    [4, 6, 2],
    [8, 6, 3],
    [-2, 1, 4],
  ])(
    "is the mean over prices drawn at random: edge %d, wanted %d, deviation %d (seed 5)",
    (edge, wanted, deviation) => {
      const random = createRandom(5);
      const draws = 40_000;
      let sum = 0;
      for (let draw = 0; draw < draws; draw++) {
        const found = edge + deviation * normal(random);
        if (found >= wanted) sum += found;
      }
      expect(expectedTake(edge, wanted, deviation)).toBeCloseTo(sum / draws, 1);
    },
  );
});
