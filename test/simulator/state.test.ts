import { describe, expect, test } from "vitest";
import { createVenue } from "../../src/simulator/core/venue.ts";
import { applyChange, changesBetween } from "../../src/simulator/state-change.ts";
import { at, balance, createStage, KEY, order, place, refusalOf, type Stage, VCHF, value } from "./stage.ts";

/** Saved as JSON text and loaded again, with the same market. */
function restarted({ venue, market }: Stage, settings = {}): Stage {
  return { market, venue: createVenue({ market, settings, state: JSON.parse(JSON.stringify(venue.save())) }) };
}

describe("after a restart from its saved state", () => {
  test("what was taken from a size is still taken", () => {
    const stage = createStage();
    place(stage, order("buy", "1500", "1.001"));
    const after = restarted(stage);
    expect(place(after, order("buy", "500.00001", "1.001")).error?.code).toBe("fok_not_fillable");
    expect(place(after, order("buy", "500", "1.001")).status).toBe("Filled");
  });

  test("an order that was executing executes, once, and its outcome can be asked for", () => {
    const stage = createStage();
    stage.venue.setFaults({ executionDelay: { chance: 1, minMs: 2_000, maxMs: 2_000 } });
    const receipt = value(stage.venue.placeOrder(KEY, order("buy", "100", "1.001"), at(0)));
    const after = restarted(restarted(stage));
    expect(balance(after, VCHF, at(2_000))).toBe("10100 0");
    expect(receipt.kind === "executing" && after.venue.outcome(receipt.orderId, at(2_000))?.status).toBe("Filled");
    expect(balance(restarted(after), VCHF, at(9_000))).toBe("10100 0");
  });

  test("a pair that was off the list comes back at its time, and faults stay as they were set", () => {
    const stage = createStage();
    stage.venue.setFaults({ delistChance: 1, delistMs: 5_000 });
    stage.venue.placeOrder(KEY, order("buy", "1", "1.001"), at(0));
    stage.venue.setFaults({ delistChance: 0 });
    const after = restarted(stage);
    const attempt = (ms: number) => refusalOf(after.venue.placeOrder(KEY, order("buy", "1", "1.001"), at(ms)));
    expect(attempt(4_999)).toBe("400 unknown_symbol");
    expect(attempt(5_000)).toBe("ok");
    expect(after.venue.faults()).toEqual(stage.venue.faults());
  });

  test("a clordid that was used is known", () => {
    const settings = { duplicateClientOrderId: "refuse" } as const;
    const stage = createStage(settings);
    place(stage, order("buy", "1", "1.001", "same"));
    expect(place(restarted(stage, settings), order("buy", "1", "1.001", "same")).error?.code).toBe("duplicate_clordid");
  });

  test("a mint settles at its time, and a held one waits", () => {
    const stage = createStage();
    const form = { asset: "VCHF", blockchain: "ETH", quantity: "120000" };
    const { requestId } = value(stage.venue.mintTokens(KEY, form, at(0)));
    const { settlesAt } = value(stage.venue.mintTokens(KEY, { ...form, quantity: "130000" }, at(0)));
    value(stage.venue.hold(requestId, true, at(0)));
    const after = restarted(stage);
    const takes = settlesAt - at(0).settlement;
    expect(balance(after, VCHF, at(takes - 1))).toBe("10000 250000");
    expect(balance(after, VCHF, at(takes))).toBe("140000 120000");
  });

  test("a trade has its id", () => {
    const stage = createStage();
    const { orderId } = place(stage, order("buy", "1", "1.001"));
    const state = JSON.parse(JSON.stringify(stage.venue.save()));
    const venue = createVenue({ market: stage.market, state });
    expect(value(venue.trades(KEY, at(0))).map(({ tradeId }) => tradeId)).toEqual([`T${orderId}`]);
  });
});

test("changes make the next state of the last one, also where a list grew shorter or a name is gone", () => {
  const row = { id: "1" };
  const before = { rows: [row, { id: "2" }, { id: "3" }], byId: { a: 1, b: 2 }, at: undefined };
  const after = { rows: [row, { id: "3" }], byId: { b: 3 }, at: 5 };
  const state = structuredClone(before);
  const changes = changesBetween(before, after);
  for (const change of JSON.parse(JSON.stringify(changes))) applyChange(state, change);
  expect(state).toEqual(after);
  expect(changesBetween(after, { ...after })).toEqual([]);
});
