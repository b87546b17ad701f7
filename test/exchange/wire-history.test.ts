// Orders and trades on a real socket: what is sent, and both shapes of what comes back.

import { describe, expect, test } from "vitest";
import type { Reading } from "../../src/exchange/port.ts";
import { type Ask, asked, problemOf, readFrom } from "../support/asking.ts";
import { filledEnvelope, filledOrder, order, paying, reading } from "../support/wire.ts";

describe.concurrent("orders and trades", () => {
  const orders: Ask<Reading<unknown>> = (exchange) => exchange.orders(reading);
  const trades: Ask<Reading<unknown>> = (exchange) => exchange.trades(reading);
  const trade = {
    tradeid: "t-1",
    ...filledOrder,
    symbol: "VCHF/CHF",
    side: "Buy",
    timestamp: "2026-11-15T10:00:00Z",
    status: "Settled",
  };

  test("addOrder: exactly the eight fields of the interface, as a form", async () => {
    const { got, request } = await asked(filledEnvelope, (exchange) => exchange.addOrder(order, paying()));
    expect(got.kind).toBe("accepted");
    expect(request).toMatchObject({ method: "POST", path: "/api/v1/private/addOrder" });
    expect(Object.fromEntries(new URLSearchParams(request.body))).toEqual({
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      clordid: order.clientOrderId,
      symbol: "VCHF/CHF",
      side: "Buy",
      ordtype: "Limit",
      timeinforce: "FOK",
      orderqty: "100",
      price: "1.01",
    });
  });

  test("addOrder: success in every observed form", async () => {
    const { clordid, ordid, ordstatus, ...legs } = filledOrder;
    const forms = [
      { result: "success", order: filledOrder, error: null },
      { result: "ok", order: filledOrder },
      { result: "ok", order: { ...filledOrder, ordid: 123456789012345 }, error: { code: null, message: null } },
      {
        result: "ok",
        order: {
          ...{ clordid, ordid, ordstatus, bought: "100", boughtCurrency: "VCHF", sold: "100.5", soldCurrency: "CHF" },
          ...{ fee: "0", feeCurrency: "CHF" },
        },
      },
      { result: "ok", order: { clOrdId: clordid, OrdId: ordid, ordStatus: ordstatus, ...legs }, error: {} },
    ];
    for (const form of forms) {
      const { got } = await asked(form, (exchange) => exchange.addOrder(order, paying()));
      expect(got).toMatchObject({
        kind: "accepted",
        value: { orderId: String("OrdId" in form.order ? ordid : form.order.ordid) },
      });
    }
  });

  test("queryOrders: ids, status and what else is there; integers are kept as opaque text", async () => {
    const body = {
      orders: [
        {
          clordid: "a-1",
          ordid: 9007199254740993n.toString(),
          ordstatus: "Filled",
          symbol: "VCHF/CHF",
          side: "Sell",
          orderqty: 5,
          price: "1.5",
          timestamp: "2026-11-15T10:00:00.250Z",
        },
        { OrdId: 17, ordStatus: "Rejected" },
      ],
    };
    const { got, request } = await asked(body, orders);
    expect(request).toMatchObject({ method: "POST", path: "/api/v1/private/queryOrders", body: "" });
    expect(JSON.parse(JSON.stringify(got))).toMatchObject({
      value: [
        {
          clientOrderId: "a-1",
          orderId: "9007199254740993",
          status: "Filled",
          symbol: "VCHF/CHF",
          side: "sell",
          quantity: "5",
          limit: "1.5",
          at: Date.UTC(2026, 10, 15, 10, 0, 0, 250),
        },
        { orderId: "17", status: "Rejected" },
      ],
    });
    expect(await readFrom('{"orders":[{"ordid":9007199254740993}]}', orders)).toMatchObject([
      { orderId: "9007199254740993" },
    ]);
    expect(await problemOf({ orders: [{ ordstatus: "Filled" }] }, orders)).toContain(
      "orders[0] must have clordid or ordid",
    );
  });

  test("queryTrades: legs and fee in full, also of trades that are not ours", async () => {
    const { clordid: _, ...foreign } = { ...trade, tradeid: 2 };
    const { got, request } = await asked({ trades: [trade, foreign] }, trades);
    expect(request).toMatchObject({ method: "POST", path: "/api/v1/private/queryTrades" });
    expect(JSON.parse(JSON.stringify(got))).toMatchObject({
      value: [
        {
          tradeId: "t-1",
          clientOrderId: order.clientOrderId,
          orderId: "9001",
          symbol: "VCHF/CHF",
          side: "buy",
          bought: { asset: "VCHF", amount: "100" },
          sold: { asset: "CHF", amount: "100.5" },
          fee: { asset: "CHF", amount: "0" },
          status: "Filled",
        },
        { tradeId: "2" },
      ],
    });
  });

  test("queryTrades: one trade that cannot be read fails the reading, for it decides about money", async () => {
    const without = (...fields: string[]) => {
      const row = { ...trade, fee: "0.01", ...Object.fromEntries(fields.map((field) => [field, null])) };
      return problemOf({ trades: [trade, row] }, trades);
    };
    expect(await without("clordid", "ordid")).toContain("trades[1] must have clordid or ordid");
    expect(await without("symbol", "side")).toContain("trades[1] must name its pair");
    for (const field of ["bought", "sold"])
      expect(await without(field)).toContain("trades[1] must say bought and sold");
    expect(await without("bought_currency", "sold_currency", "side")).toContain("trades[1] must say bought_currency");
    expect(await without("fee")).toContain("venue.profile.feeMissing: zero");
    expect(await without("fee_currency")).toContain("venue.profile.feeCurrencyMissing");
    expect(await problemOf({ trades: [{ ...trade, side: "Sell" }] }, trades)).toContain("agree");
    for (const field of ["bought_currency", "sold_currency"])
      expect(await problemOf({ trades: [{ ...trade, [field]: "USDC" }] }, trades)).toContain("agree");
  });

  test("an answer without its list is not an empty list", async () => {
    for (const body of [{}, { trades: null }, { trades: {} }, { result: "ok" }])
      expect(await problemOf(body, trades)).toContain("trades must be a list");
  });
});
