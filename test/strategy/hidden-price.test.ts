// What outcomes of orders teach about hidden prices, in the words of a person who would read the numbers.

import { describe, expect, it } from "vitest";
import { HiddenPrice, type SavedHiddenPrice } from "../../src/strategy/hidden-price.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const T0 = Date.UTC(2026, 0, 5);

/** At a fair value of 1. */
function outcome(side: "buy" | "sell", price: number, at = T0, size = 1_000) {
  return { side, price, size, fair: 1, at };
}

/** A fill at this price, of an order that asked for 5 bp where the price was as good. */
function fill(side: "buy" | "sell", price: number, at = T0, size = 1_000) {
  return {
    ...outcome(side, price, at, size),
    limit: side === "buy" ? Math.max(price, 0.9995) : Math.min(price, 1.0005),
  };
}

describe("what outcomes teach about a hidden price", () => {
  it("is the assumption before the first: as far above fair value as below, and no lower end for marks", () => {
    const pair = new HiddenPrice();
    const { bid, ask } = pair.view(2, T0);
    expect(ask.price - 2).toBeCloseTo(2 - bid.price, 6);
    expect(ask.price).toBeGreaterThan(2 * (1 + 4e-4));
    expect(ask.price).toBeLessThan(2 * (1 + 8e-4));
    expect([ask.ageMs, ask.sizeMax, pair.low(2, T0), pair.save()]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("a fill shows the price that was paid, and something of the other side", () => {
    const pair = new HiddenPrice();
    const before = pair.view(1, T0);
    pair.filled(fill("buy", 0.9985));
    const { bid, ask } = pair.view(1, T0);
    expect(Math.abs(ask.price - 0.9985)).toBeLessThan(0.0003);
    expect(ask.high - ask.low).toBeLessThan((before.ask.high - before.ask.low) / 2);
    expect(bid.price).toBeLessThan(before.bid.price - 0.0005);
    expect(ask.chance(0.9995, 1_000)).toBeGreaterThan(0.9);
    expect(bid.chance(1.0005, 1_000)).toBeLessThan(0.05);
    // 15 bp of one unit, 3 % of the orders being refused.
    expect(ask.gain(0.9995, 1_000)).toBeCloseTo(0.97 * 0.0015, 3);
  });

  it("an unfilled order makes its price unlikely, and one refusal does not undo a fill", () => {
    const pair = new HiddenPrice();
    const unsure = pair.view(1, T0).ask.chance(0.9994, 1_000);
    pair.unfilled(outcome("buy", 0.9994), false);
    expect(pair.view(1, T0).ask.chance(0.9994, 1_000)).toBeLessThan(unsure / 2);
    pair.filled(fill("buy", 0.9985, T0 + HOUR));
    pair.unfilled(outcome("buy", 0.9994, T0 + HOUR), false);
    expect(pair.view(1, T0 + HOUR).ask.price).toBeLessThan(0.9994);
    // Outside the band only the price can be the reason.
    pair.unfilled(outcome("buy", 0.9994, T0 + HOUR), true);
    expect(pair.view(1, T0 + HOUR).ask.price).toBeGreaterThan(0.9993);
  });

  it("fades: an hour later the interval is wider, and after a week it is nearly the assumption", () => {
    const pair = new HiddenPrice();
    const { ask: first } = pair.view(1, T0);
    pair.filled(fill("buy", 0.9985));
    const [now = 0, minutes = 0, hour = 0, week = 0] = [0, 10 * MINUTE, HOUR, 7 * 24 * HOUR].map((ms) => {
      const { low, high } = pair.view(1, T0 + ms).ask;
      return high - low;
    });
    expect(minutes).toBeGreaterThan(1.5 * now);
    expect(hour).toBeGreaterThan(minutes);
    expect(week).toBeCloseTo(first.high - first.low, 4);
    expect(pair.view(1, T0 + HOUR).ask.ageMs).toBe(HOUR);
  });

  it("learns how far prices stray: after many far fills a far price is expected again", () => {
    const [calm, wild] = [new HiddenPrice(), new HiddenPrice()];
    for (let hour = 0; hour < 48; hour++) {
      const at = T0 + hour * HOUR;
      calm.unfilled(outcome("buy", 0.9994, at), false);
      if (hour % 4 === 0) wild.filled(fill(hour % 8 === 0 ? "buy" : "sell", hour % 8 === 0 ? 0.9985 : 1.0015, at));
    }
    const later = T0 + 54 * HOUR;
    const [far, near] = [wild, calm].map((pair) => pair.view(1, later).ask.chance(0.9994, 1_000));
    expect(far).toBeGreaterThan(4 * (near ?? 1));
  });

  it("orders unfilled for their size move the believed size and not the price, so that no mark falls", () => {
    for (const before of [true, false]) {
      const pair = new HiddenPrice();
      if (before) pair.filled(fill("sell", 0.9995));
      const [low, { bid }] = [pair.low(1, T0), pair.view(1, T0)];
      for (const size of [30_000, 20_000, 10_000]) pair.unfilled(outcome("sell", 0.998, T0, size), false);
      expect([pair.low(1, T0), pair.view(1, T0).bid.price]).toEqual([low, bid.price]);
      expect(pair.view(1, T0).bid.sizeMax).toBe(5_000);
      // A size that has filled before says something about the price.
      pair.unfilled(outcome("sell", before ? 0.9995 : 0.998, T0, before ? 1_000 : 4_000), !before);
      expect(pair.view(1, T0).bid.price).toBeLessThan(bid.price);
    }
  });

  it("a size that is not filled at a price that usually is was too large, for an hour", () => {
    const pair = new HiddenPrice();
    pair.filled(fill("buy", 0.9985));
    pair.unfilled(outcome("buy", 0.9995, T0 + 1_000, 8_000), false);
    const { ask, bid } = pair.view(1, T0 + 2_000);
    expect([ask.sizeMax, bid.sizeMax]).toEqual([4_000, undefined]);
    expect([ask.chance(0.9995, 8_000), ask.gain(0.9995, 8_000)]).toEqual([0, 0]);
    expect(ask.chance(0.9995, 4_000)).toBeGreaterThan(0.5);
    pair.filled(fill("buy", 0.9985, T0 + 3_000, 8_000));
    expect(pair.view(1, T0 + 4_000).ask.sizeMax).toBeUndefined();
    pair.unfilled(outcome("buy", 0.9995, T0 + 5_000, 16_000), false);
    expect(pair.view(1, T0 + 6_000).ask.sizeMax).toBe(8_000);
    expect(pair.view(1, T0 + 2 * HOUR).ask.sizeMax).toBeUndefined();
  });

  it("the lower end of a mark follows fair value, or the last one without it", () => {
    const pair = new HiddenPrice();
    pair.filled({ ...outcome("sell", 1.998), fair: 2 });
    const low = pair.low(2, T0) ?? 0;
    expect(low).toBeCloseTo(pair.view(2, T0).bid.low, 5);
    expect(pair.low(4, T0)).toBeCloseTo(2 * low, 9);
    expect(pair.low(Number.NaN, T0)).toBe(low);
  });

  it("a fill far beyond anything expected is learnt from, and leaves no number that is none", () => {
    const collapsed = new HiddenPrice();
    collapsed.filled(outcome("buy", 0.9));
    const used = new HiddenPrice();
    for (let n = 0; n < 200; n++) used.filled(outcome("buy", 1.0005, T0 + n * 1_000));
    used.filled(outcome("buy", 0.96, T0 + 200_000));
    for (const pair of [collapsed, used]) {
      expect(pair.save()?.moments.flat().every(Number.isFinite)).toBe(true);
      const { ask } = pair.view(1, T0 + 200_000);
      expect(ask.price).toBeLessThan(0.98);
      expect(ask.gain(0.9995, 1_000)).toBeGreaterThan(0.02);
      expect(pair.low(1, T0 + 200_000)).toBeLessThan(0.98);
    }
  });

  it("comes back from JSON to the last digit, whenever it is asked", () => {
    const pair = new HiddenPrice();
    for (let n = 0; n < 200; n++) {
      const at = T0 + n * 7 * MINUTE;
      if (n % 3 === 0) pair.filled(fill("buy", 0.999 + n * 1e-6, at));
      else pair.unfilled(outcome(n % 2 === 0 ? "sell" : "buy", n % 2 === 0 ? 1.0006 : 0.9994, at), n % 5 === 0);
    }
    const again = new HiddenPrice(JSON.parse(JSON.stringify(pair.save())) as SavedHiddenPrice);
    for (const one of [pair, again]) one.unfilled(outcome("sell", 1.0007, T0 + 24 * HOUR), false);
    expect(again.save()).toEqual(pair.save());
    expect(again.low(1, T0 + 25 * HOUR)).toBe(pair.low(1, T0 + 25 * HOUR));
  });
});
