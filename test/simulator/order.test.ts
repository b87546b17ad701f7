import { describe, expect, test } from "vitest";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { Quantity } from "../../src/domain/money/money.ts";
import { admit, at, balance, CHF, createStage, KEY, order, place, refusalOf, VCHF, VCHF_CHF, value } from "./stage.ts";

describe("a Fill-or-Kill order", () => {
  test("buys all of it at the dealer's ask when the limit equals the ask", () => {
    const stage = createStage();
    const row = place(stage, order("buy", "100", "1.001"));
    expect(row.status).toBe("Filled");
    expect(`${row.bought} ${row.bought.asset} for ${row.sold} ${row.sold.asset}`).toBe("100 VCHF for 100.1 CHF");
    expect(balance(stage, CHF)).toBe("999899.9 0"); // 1,000,000 - 100 x 1.001
    expect(balance(stage, VCHF)).toBe("10100 0");
  });

  test("is killed one tick short of the price, on either side, and moves nothing", () => {
    const stage = createStage();
    for (const request of [order("buy", "100", "1.000999"), order("sell", "100", "0.999001")]) {
      const row = place(stage, request);
      expect(row.status).toBe("Rejected");
      expect(row.error?.code).toBe("fok_not_fillable");
      expect(`${row.bought} ${row.sold} ${row.fee}`).toBe("0 0 0");
    }
    expect(balance(stage, CHF)).toBe("1000000 0");
    expect(balance(stage, VCHF)).toBe("10000 0");
  });

  test("finds only what others left of a size, until the market draws the next one", () => {
    const stage = createStage();
    expect(place(stage, order("buy", "1500", "1.001")).status).toBe("Filled");
    expect(place(stage, order("buy", "500.00001", "1.001")).error?.code).toBe("fok_not_fillable");
    expect(place(stage, order("buy", "500", "1.001")).status).toBe("Filled");
    expect(place(stage, order("sell", "1000", "0.999")).status).toBe("Filled");
    expect(place(stage, order("buy", "2000", "1.001"), 5_000).status).toBe("Filled");
  });

  test("is refused outside the price band and read at its edge", () => {
    const stage = createStage({ priceBandBps: 100 });
    expect(place(stage, order("buy", "10", "1.01101")).status).toBe("Filled"); // 1.001 x 1.01
    expect(place(stage, order("buy", "10", "1.011011")).error?.code).toBe("limit_too_far_from_market_price");
    expect(place(stage, order("buy", "10", "0.99099")).error?.code).toBe("fok_not_fillable"); // 1.001 x 0.99
    expect(place(stage, order("buy", "10", "0.990989")).error?.code).toBe("limit_too_far_from_market_price");
    expect(place(stage, order("sell", "10", "0.98901")).status).toBe("Filled"); // 0.999 x 0.99
    expect(place(stage, order("sell", "10", "0.989009")).error?.code).toBe("limit_too_far_from_market_price");
  });

  test("must lie on the pair's grid", () => {
    const stage = createStage();
    expect(place(stage, order("buy", "10.00001", "1.001")).status).toBe("Filled");
    expect(place(stage, order("buy", "10.000001", "1.001")).error?.message).toMatch(/decimals/);
    expect(place(stage, order("buy", "10", "1.0010001")).error?.message).toMatch(/decimals/);
  });

  test("must be covered at its limit to the last digit", () => {
    const stage = createStage();
    const poor = "key-of-the-poor";
    admit(stage.venue, poor);
    stage.venue.credit(poor, CHF, Quantity.of("100.0999"), at(0));
    const errorOf = (request: ReturnType<typeof order>): string | undefined =>
      value(stage.venue.placeOrder(poor, request, at(0))).error?.message;
    expect(errorOf(order("buy", "100", "1.001"))).toMatch(/more than is available/); // 100.1
    stage.venue.credit(poor, CHF, Quantity.of("0.0001"), at(0));
    expect(errorOf(order("buy", "100", "1.001001"))).toMatch(/more than is available/); // 100.1001 at the limit
    expect(errorOf(order("buy", "100", "1.001"))).toBeUndefined();
    expect(balance(stage, CHF, at(0), poor)).toBe("0 0");
    expect(errorOf(order("sell", "100.00001", "0.999"))).toMatch(/more than is available/);
    expect(errorOf(order("sell", "100", "0.999"))).toBeUndefined();
  });

  test("pays the pair's fee beside its legs, in the quote currency, rounded up", () => {
    const stage = createStage();
    stage.venue.setPair(VCHF_CHF, { feeBps: 12.5 });
    const buy = place(stage, order("buy", "100", "1.001"));
    expect(`${buy.bought} ${buy.sold} ${buy.fee} ${buy.fee.asset}`).toBe("100 100.1 0.125125 CHF"); // 100.1 x 0.00125
    expect(balance(stage, CHF)).toBe("999899.774875 0");
    const sell = place(stage, order("sell", "33.33333", "0.999"));
    expect(`${sell.bought} ${sell.fee}`).toBe("33.29999667 0.041625"); // 0.0416249958... up to 8 decimals
    expect(balance(stage, CHF)).toBe("999933.03324667 0");
  });

  test("may repeat a clordid by default and may not when that is switched off", () => {
    const allowed = createStage();
    const refused = createStage({ duplicateClientOrderId: "refuse" });
    for (const stage of [allowed, refused])
      expect(place(stage, order("buy", "10", "1.001", "same")).status).toBe("Filled");
    expect(place(allowed, order("buy", "10", "1.001", "same")).status).toBe("Filled");
    expect(place(refused, order("buy", "10", "1.001", "same")).error?.code).toBe("duplicate_clordid");
  });
});

describe("histories", () => {
  test("show killed orders, or hide them when the switch says so; trades show fills only", () => {
    for (const killedOrdersListed of [true, false]) {
      const stage = createStage({ killedOrdersListed });
      place(stage, order("buy", "10", "1.001", "filled"));
      place(stage, order("buy", "10", "1", "killed"));
      const ids = value(stage.venue.orders(KEY, at(0))).map((row) => row.clientOrderId);
      expect(ids).toEqual(killedOrdersListed ? ["killed", "filled"] : ["filled"]);
      const [trade, ...others] = value(stage.venue.trades(KEY, at(0)));
      expect(others).toEqual([]);
      expect(`${trade?.clientOrderId} ${trade?.price} ${trade?.bought} ${trade?.sold}`).toBe("filled 1.001 10 10.01");
    }
  });
});

describe("quotes", () => {
  test("are on the pair's grid, asks rounded up and bids down, sizes down", () => {
    const stage = createStage();
    stage.market.push(VCHF_CHF, { bid: 0.99900049, ask: 1.00100051, bidSize: 10.000019, askSize: 20.000011 });
    const quote = value(stage.venue.quotes(at(0))).find(({ symbol }) => symbol === VCHF_CHF);
    expect(`${quote?.bid} ${quote?.bidSize} ${quote?.ask} ${quote?.askSize}`).toBe("0.999 10.00001 1.001001 20.00001");
  });

  test("leave out a pair without a price or off the list, and are hidden by a switch", () => {
    const stage = createStage();
    const symbols = (): string[] => value(stage.venue.quotes(at(0))).map(({ symbol }) => symbol);
    expect(symbols()).toContain("VCHF/CHF");
    stage.market.withdraw(VCHF_CHF);
    stage.venue.setPair("USDC/CHF" as PairSymbol, { status: "offline" });
    expect(symbols()).not.toContain("VCHF/CHF");
    expect(symbols()).not.toContain("USDC/CHF");
    expect(refusalOf(createStage({ quotesShown: false }).venue.quotes(at(0)))).toBe("404 not_available");
  });
});
