// Nothing grows without end: what is over is forgotten, what is open is limited and refused by name.

import { describe, expect, test } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import { Quantity } from "../../src/domain/money/money.ts";
import { at, balance, createStage, GBP, KEY, refusalOf, value } from "./stage.ts";

const MINT = { asset: "VGBP", blockchain: "ETH", quantity: "100000" };
const HOUR = 3_600_000;
const RAIL = {
  railtype: "StablecoinToFiat",
  sender: { partyname: { name: "Zürich Handels AG" }, address: { country: "CH" }, partytype: "company" },
  bankaccount: { destination: "CH9300762011623852957" },
  instructions: { asset: "VCHF", currency: "CHF", blockchain: "ETH" },
};
const REJECTED = { ...RAIL, bankaccount: { destination: "nowhere" } };

/** The state as text: what is forgotten is not in it any more. */
function saved(venue: ReturnType<typeof createStage>["venue"]): string {
  return JSON.stringify(venue.save().accounts);
}

describe("what is over", () => {
  test("settled mints are forgotten, the newest and those on their way are kept and still settle", () => {
    const stage = createStage({ historyRetainedMax: 4 });
    const { venue } = stage;
    venue.credit(KEY, GBP, Quantity.of("10000000"), at(0));
    const held = value(venue.mintTokens(KEY, MINT, at(0)));
    venue.hold(held.requestId, true, at(0));
    const ids = Array.from({ length: 20 }, (_, i) => value(venue.mintTokens(KEY, MINT, at(i * 24 * HOUR))).requestId);
    const state = saved(venue);
    expect(state).toContain(held.requestId);
    expect(state).toContain(ids[19]);
    expect(ids.filter((id) => state.includes(id)).length).toBeLessThan(8);
    expect(refusalOf(venue.hold(held.requestId, false, at(30 * 24 * HOUR)))).toBe("ok");
    expect(balance(stage, "VGBP" as Asset, at(30 * 24 * HOUR))).toBe("2100000 0");
  });

  test("rejected rails and settled payments are forgotten, a rail that works never is", () => {
    const { venue } = createStage({ historyRetainedMax: 4 });
    const { railId } = value(venue.addPaymentRail(KEY, RAIL, at(0)));
    const rejected = Array.from({ length: 20 }, () => value(venue.addPaymentRail(KEY, REJECTED, at(0))).railId);
    const paid = Array.from({ length: 20 }, (_, i) => value(venue.pay(railId, Quantity.of("1"), at(i * 24 * HOUR))));
    const state = saved(venue);
    expect(state).toContain(railId);
    expect(rejected.filter((id) => state.includes(id)).length).toBeLessThan(9);
    expect(paid.filter(({ paymentId }) => state.includes(paymentId)).length).toBeLessThan(9);
  });
});
