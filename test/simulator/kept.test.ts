// What the venue keeps from one call to the next, and when it must not: listings, sizes, balances, delays.

import { expect, test } from "vitest";
import { Quantity } from "../../src/domain/money/money.ts";
import { createRandom } from "../../src/domain/random.ts";
import { createLatency } from "../../src/simulator/latency.ts";
import { admit, at, balance, CHF, createStage, KEY, order, place, VCHF, VCHF_CHF } from "./stage.ts";

const OTHER = "key-of-another";

test("balances that lag are not kept for those who do not", () => {
  const stage = createStage();
  expect(balance(stage, CHF, at(0))).toBe("1000000 0");
  place(stage, order("buy", "10", "1.001"), 1_000);
  stage.venue.setFaults({ balanceLagMs: 500 });
  expect(balance(stage, CHF, at(1_100))).toBe("1000000 0");
  stage.venue.setFaults({ balanceLagMs: 0 });
  expect(balance(stage, CHF, at(1_200))).toBe("999989.99 0");
  stage.venue.setFaults({ balanceLagMs: 500 });
  expect(balance(stage, CHF, at(1_300))).toBe("1000000 0");
  expect(balance(stage, CHF, at(1_500))).toBe("999989.99 0");
});

test("two accounts that trade a pair in turn move each their own money", () => {
  const stage = createStage();
  admit(stage.venue, OTHER);
  stage.venue.credit(OTHER, CHF, Quantity.of("100"), at(0));
  for (const key of [KEY, OTHER, KEY, OTHER]) stage.venue.placeOrder(key, order("buy", "10", "1.001"), at(0));
  expect(balance(stage, CHF, at(0))).toBe("999979.98 0");
  expect(balance(stage, VCHF, at(0), OTHER)).toBe("20 0");
  expect(balance(stage, CHF, at(0), OTHER)).toBe("79.98 0");
});

test("a size that was good is looked at again when the pair has changed", () => {
  const stage = createStage();
  const size = "10.12345";
  const errorOf = (ms: number) => place(stage, order("buy", size, "1.001"), ms).error?.message;
  expect([errorOf(0), errorOf(1)]).toEqual([undefined, undefined]);
  stage.venue.setPair(VCHF_CHF, { quantityDecimals: 4 });
  expect(errorOf(2)).toMatch(/decimals/);
  stage.venue.setPair(VCHF_CHF, { quantityDecimals: 5, quantityMin: Quantity.of("20") });
  expect(errorOf(3)).toMatch(/at least 20/);
  stage.venue.setPair(VCHF_CHF, { quantityMin: Quantity.of("1") });
  expect(errorOf(4)).toBeUndefined();
});

test("the dealer's size is that of the quote, also when it stands still or its grid changes", () => {
  const stage = createStage();
  stage.market.push(VCHF_CHF, { bid: 0.999, ask: 1.001, bidSize: 10.00001, askSize: 10.00001 });
  const errorOf = (side: "buy" | "sell", size: string, ms: number) =>
    place(stage, order(side, size, side === "buy" ? "1.001" : "0.999"), ms).error?.message;
  expect(errorOf("buy", "10.00002", 0)).toBe("orderqty 10.00002 is more than the 10.00001 at 1.001");
  expect(errorOf("sell", "10.00002", 0)).toBe("orderqty 10.00002 is more than the 10.00001 at 0.999");
  stage.venue.setPair(VCHF_CHF, { quantityDecimals: 2 });
  expect(errorOf("buy", "10.01", 1)).toBe("orderqty 10.01 is more than the 10 at 1.001");
  stage.market.push(VCHF_CHF, { bid: 0.999, ask: 1.001, bidSize: 10, askSize: 11 });
  expect(errorOf("buy", "11", 2)).toBeUndefined();
  expect(errorOf("buy", "1", 3)).toBe("orderqty 1 is more than the 0 at 1.001");
});

test("delays are those of the seed's stream, one after the other, within their bounds", () => {
  const settings = { medianMs: 25, sigma: 1, minMs: 10, maxMs: 60 };
  const latency = createLatency(createRandom(7).fork("network"), settings);
  const random = createRandom(7).fork("network");
  const drawn = () => {
    const ms = Math.min(60, Math.max(10, 25 * Math.exp(random.normal())));
    return Math.round(ms * 1_024) / 1_024;
  };
  for (let i = 0; i < 200; i++) expect(latency()).toEqual({ thereMs: drawn(), backMs: drawn() });
});
