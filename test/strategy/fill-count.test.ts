import { describe, expect, it } from "vitest";
import { NOTHING_COUNTED, newFills } from "../../src/strategy/fill-count.ts";
import type { FillView } from "../../src/strategy/strategy.ts";

const SYMBOL = "VCHF/CHF";

function fill(at: number, quantity: number, side: "buy" | "sell" = "buy", symbol = SYMBOL): FillView {
  return {
    id: `T-${at}`,
    symbol,
    side,
    quantity,
    price: 1,
    fee: 0,
    feeAsset: "CHF",
    reason: "r",
    decidedAt: at - 1,
    at,
  };
}

describe("counting fills", () => {
  it("leaves out what was filled before the first look", () => {
    const count = { ...NOTHING_COUNTED };
    expect(newFills(count, [fill(10, 5)], SYMBOL)).toEqual({ buy: 0, sell: 0 });
    expect(newFills(count, [fill(10, 5), fill(11, 7)], SYMBOL)).toEqual({ buy: 7, sell: 0 });
  });

  it("counts the very first fill of a bot that had none", () => {
    const count = { ...NOTHING_COUNTED };
    newFills(count, [], SYMBOL);
    expect(newFills(count, [fill(3, 5)], SYMBOL).buy).toBe(5);
    expect(newFills(count, [fill(3, 5)], SYMBOL).buy).toBe(0);
  });

  it("counts two fills of one moment, also when the second comes later", () => {
    const count = { at: 0, here: 0 };
    expect(newFills(count, [fill(10, 5)], SYMBOL).buy).toBe(5);
    expect(newFills(count, [fill(10, 5), fill(10, 5)], SYMBOL).buy).toBe(5);
    expect(newFills(count, [fill(10, 5), fill(10, 5)], SYMBOL).buy).toBe(0);
  });

  it("counts by side, and leaves other pairs out", () => {
    const count = { at: 0, here: 0 };
    const fills = [fill(1, 5), fill(2, 3, "sell"), fill(3, 100, "buy", "VGBP/GBP")];
    expect(newFills(count, fills, SYMBOL)).toEqual({ buy: 5, sell: 3 });
  });

  it("counts only orders of the times that it is told, and no other one a second time when that is told later", () => {
    const count = { at: 0, here: 0 };
    const fills = [fill(10, 5), fill(20, 7), fill(30, 3)];
    expect(newFills(count, fills, SYMBOL, [9, 29]).buy).toBe(8);
    expect(newFills(count, fills, SYMBOL, [9, 19, 29]).buy).toBe(0);
  });

  it("counts nothing twice when the list is cut to the newest, or comes back shorter after a restart", () => {
    const count = { at: 0, here: 0 };
    newFills(count, [fill(1, 5), fill(2, 5), fill(3, 5)], SYMBOL);
    expect(newFills(count, [fill(3, 5), fill(4, 2)], SYMBOL).buy).toBe(2);
    expect(newFills(count, [fill(1, 5)], SYMBOL).buy).toBe(0);
    expect(newFills(count, [fill(1, 5), fill(4, 2), fill(5, 1)], SYMBOL).buy).toBe(1);
  });
});
