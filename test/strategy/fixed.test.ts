// Numbers in the reasons of orders must read as the runtime would have written them.

import { describe, expect, it } from "vitest";
import { createRandom } from "../../src/domain/random.ts";
import { fiveDecimals, oneDecimal } from "../../src/strategy/fixed.ts";

const SEED = 20_261_115;

describe(`numbers in the reason of an order (seed ${SEED})`, () => {
  it("have the decimals that toFixed gives them", () => {
    const random = createRandom(SEED);
    const odd = [0, -0, -0.04, 0.05, 0.15, 0.25, 99.95, 999.95, 0.999995, 1e9, 1e21, 1e-9, -1, 0.1 + 0.2];
    const none = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const drawn = Array.from({ length: 5_000 }, (_, i) => {
      const value = random.next() * 10 ** (i % 8);
      return [value, -value, Math.round(value * 20) / 20, Math.round(value * 2e5) / 2e5];
    }).flat();
    for (const value of [...odd, ...none, ...drawn]) {
      expect(oneDecimal(value)).toBe(value.toFixed(1));
      expect(fiveDecimals(value)).toBe(value.toFixed(5));
    }
  });
});
