import { describe, expect, test } from "vitest";
import type { VenueFaults } from "../../src/simulator/core/settings.ts";
import {
  at,
  balance,
  CHF,
  createStage,
  KEY,
  order,
  place,
  refusalOf,
  type Stage,
  VCHF,
  VCHF_CHF,
  value,
} from "./stage.ts";

function faulty(faults: Partial<VenueFaults>): Stage {
  const stage = createStage();
  stage.venue.setFaults(faults);
  return stage;
}

const SURELY = { chance: 1, minMs: 2_000, maxMs: 2_000 };

describe("by fault", () => {
  test("an order executes late, at the price of that moment, and its outcome can be asked for", () => {
    const stage = faulty({ executionDelay: SURELY });
    const receipt = value(stage.venue.placeOrder(KEY, order("buy", "100", "1.002"), at(0)));
    if (receipt.kind !== "executing") throw new Error("must be executing");
    expect(receipt.executesAt).toBe(at(2_000).venue);
    expect(balance(stage, VCHF, at(1_999))).toBe("10000 0");
    expect(stage.venue.outcome(receipt.orderId, at(1_999))).toBeUndefined();
    expect(value(stage.venue.orders(KEY, at(1_999)))).toEqual([]);
    stage.market.push(VCHF_CHF, { bid: 1, ask: 1.0015, bidSize: 1_000, askSize: 1_000 });
    const row = stage.venue.outcome(receipt.orderId, at(5_000));
    expect(`${row?.status} ${row?.sold} ${row?.at}`).toBe(`Filled 100.15 ${at(2_000).venue}`);
    expect(balance(stage, VCHF, at(5_000))).toBe("10100 0");
  });

  test("late orders execute in the order of their times, each only once", () => {
    const stage = faulty({ executionDelay: { chance: 1, minMs: 10, maxMs: 5_000 } });
    for (let i = 0; i < 20; i++) stage.venue.placeOrder(KEY, order("buy", "10", "1.001", `late-${i}`), at(i));
    stage.venue.setFaults({ executionDelay: { chance: 0, minMs: 0, maxMs: 0 } });
    const rows = value(stage.venue.orders(KEY, at(10_000)));
    expect(rows.length).toBe(20);
    const times = rows.map((row) => row.at);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    stage.venue.advance(at(20_000));
    expect(balance(stage, VCHF, at(20_000))).toBe("10200 0");
  });

  test("histories publish late while the money has moved", () => {
    const stage = faulty({ publicationDelay: SURELY });
    place(stage, order("buy", "100", "1.001"));
    expect(balance(stage, VCHF)).toBe("10100 0");
    const shown = (ms: number): number[] => [
      value(stage.venue.orders(KEY, at(ms))).length,
      value(stage.venue.trades(KEY, at(ms))).length,
    ];
    expect(shown(1_999)).toEqual([0, 0]);
    expect(shown(2_000)).toEqual([1, 1]);
  });

  test("balances show what was true a while ago", () => {
    const stage = faulty({ balanceLagMs: 3_000 });
    place(stage, order("buy", "100", "1.001"), 10_000);
    place(stage, order("buy", "50", "1.001"), 11_000);
    expect(balance(stage, VCHF, at(12_999))).toBe("10000 0");
    expect(balance(stage, CHF, at(12_999))).toBe("1000000 0");
    expect(balance(stage, VCHF, at(13_000))).toBe("10100 0");
    expect(balance(stage, VCHF, at(14_000))).toBe("10150 0");
    stage.venue.setFaults({ balanceLagMs: 60_000 });
    expect(balance(stage, VCHF, at(14_000))).toBe("0 0");
  });

  test("the answer has a status that nobody knows, while the history has the true one", () => {
    const stage = faulty({ unknownStatusChance: 1 });
    expect(place(stage, order("buy", "100", "1.001")).status).toBe("PendingReview");
    expect(value(stage.venue.orders(KEY, at(0)))[0]?.status).toBe("Filled");
    expect(value(stage.venue.trades(KEY, at(0)))[0]?.status).toBe("Filled");
  });

  test("a pair goes off the list and comes back", () => {
    const stage = faulty({ delistChance: 1, delistMs: 5_000 });
    const attempt = (ms: number) => refusalOf(stage.venue.placeOrder(KEY, order("buy", "10", "1.001"), at(ms)));
    expect(attempt(0)).toBe("400 unknown_symbol");
    stage.venue.setFaults({ delistChance: 0 });
    expect(attempt(4_999)).toBe("400 unknown_symbol");
    expect(stage.venue.pairs().find(({ symbol }) => symbol === VCHF_CHF)?.status).toBe("offline");
    expect(attempt(5_000)).toBe("ok");
  });

  test("a pair's quantity grid becomes coarser, and comes back", () => {
    const stage = faulty({ precisionChance: 1 });
    expect(place(stage, order("buy", "10.00001", "1.001")).error?.message).toMatch(/decimals/);
    expect(stage.venue.pairs().find(({ symbol }) => symbol === VCHF_CHF)?.quantityDecimals).toBe(4);
    expect(place(stage, order("buy", "10.00001", "1.001")).status).toBe("Filled");
  });

  test("somebody else trades on the account", () => {
    const stage = faulty({ secondWriterChance: 1 });
    place(stage, order("buy", "100", "1.001", "mine"));
    const trades = value(stage.venue.trades(KEY, at(0)));
    expect(trades.map((row) => row.clientOrderId)).toEqual(["portal-1", "mine"]);
    expect(trades[0]?.quantity.toString()).toBe("0.1");
    expect(balance(stage, VCHF)).not.toBe("10100 0");
  });

  test("switching one fault on does not change the draws of another", () => {
    const draws = (faults: Partial<VenueFaults>): string => {
      const stage = faulty({ publicationDelay: { chance: 0.5, minMs: 1, maxMs: 9_999 }, ...faults });
      for (let i = 0; i < 30; i++) place(stage, order("buy", "1", "1.001"));
      return value(stage.venue.orders(KEY, at(60_000)))
        .map((row) => row.publishedAt)
        .join();
    };
    expect(draws({ unknownStatusChance: 0.5 })).toBe(draws({}));
  });
});
