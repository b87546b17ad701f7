// Every call of the interface on a real socket: what is sent, and both shapes of what comes back, the contract's and the
// observed ones.

import { describe, expect, test } from "vitest";
import { Money } from "../../src/domain/money/money.ts";
import type { Reading } from "../../src/exchange/port.ts";
import { always, type SeenRequest } from "../support/fault-server.ts";
import {
  CHF,
  codeOf,
  filledEnvelope,
  filledOrder,
  mint,
  mintReceipt,
  order,
  paying,
  playing,
  rail,
  railReceipt,
  reading,
  VCHF,
  type Wired,
} from "../support/wire.ts";

type Ask<T> = (exchange: Wired["exchange"]) => Promise<T>;

async function asked<T>(body: unknown, ask: Ask<T>, status = 200): Promise<{ got: T; request: SeenRequest }> {
  let result: { got: T; request: SeenRequest } | undefined;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  await playing(
    always((line) => line.answer(status, text)),
    {},
    async ({ venue, exchange }) => {
      const got = await ask(exchange);
      result = { got, request: venue.requests()[0] ?? expect.fail("nothing was sent") };
    },
  );
  return result ?? expect.fail("nothing came back");
}

async function readFrom<T>(body: unknown, ask: Ask<Reading<T>>): Promise<T> {
  const { got } = await asked(body, ask);
  if (got.kind !== "read") throw new Error(JSON.stringify(got));
  return got.value;
}

async function problemOf(body: unknown, ask: Ask<Reading<unknown>>): Promise<string> {
  const { got } = await asked(body, ask);
  return got.kind === "failed" ? `${got.failure.code}: ${got.failure.message}` : got.kind;
}

describe.concurrent("public calls", () => {
  test("assets: the contract's symbol and name, and the observed chains", async () => {
    const contract = { assets: [{ symbol: "VCHF", name: "VNX Swiss Franc" }] };
    const { got, request } = await asked(contract, (exchange) => exchange.assets(reading));
    expect(request).toMatchObject({ method: "GET", path: "/api/v1/client/assets", body: "" });
    expect(request.headers).not.toHaveProperty("x-app-nonce");
    expect(got).toMatchObject({
      kind: "read",
      value: [{ asset: "VCHF", name: "VNX Swiss Franc", blockchains: undefined }],
    });
    const observed = {
      assets: [
        {
          asset: "VGBP",
          blockchains: [
            { blockchain: "ETH", isactive: true },
            { blockchain: "SOL", isactive: false },
          ],
        },
      ],
    };
    expect(await readFrom(observed, (exchange) => exchange.assets(reading))).toEqual([
      {
        asset: "VGBP",
        name: undefined,
        blockchains: [
          { blockchain: "ETH", active: true },
          { blockchain: "SOL", active: false },
        ],
      },
    ]);
  });

  test("assets: a row that cannot be read is left out by name, the others stay", async () => {
    const body = { assets: [{ symbol: "VCHF" }, { symbol: "<b>" }, { name: "nameless" }, 7] };
    const { got } = await asked(body, (exchange) => exchange.assets(reading));
    expect(got.kind === "read" && got.value.map((row) => row.asset)).toEqual(["VCHF"]);
    expect(got.kind === "read" && got.problems?.map((problem) => problem.slice(0, 12))).toEqual([
      "[1].symbol i",
      "[2].symbol m",
      "[3] must be ",
    ]);
  });

  test("tradingPairs: grids as seen, price decimals 6 where none are given", async () => {
    const body = { pairs: [{ pair: "VCHF/USDC", status: "online", min_order_size: "30", qty_decimals: 5 }] };
    const { got, request } = await asked(body, (exchange) => exchange.pairs(reading));
    expect(request).toMatchObject({ method: "GET", path: "/api/v1/client/tradingPairs" });
    expect(JSON.parse(JSON.stringify(got))).toMatchObject({
      value: [
        {
          symbol: "VCHF/USDC",
          base: "VCHF",
          quote: "USDC",
          status: "online",
          quantityDecimals: 5,
          priceDecimals: 6,
          quantityMin: "30",
        },
      ],
    });
    const number =
      '{"pairs":[{"pair":"VCHF/CHF","status":"halted","min_order_size":0.1,"qty_decimals":"2","price_decimals":4}]}';
    expect(JSON.parse(JSON.stringify(await readFrom(number, (exchange) => exchange.pairs(reading))))).toMatchObject([
      { status: "halted", quantityMin: "0.1", quantityDecimals: 2, priceDecimals: 4 },
    ]);
  });

  test("tradingPairs: a pair without its minimum or decimals is left out, never given a default", async () => {
    const pair = { pair: "VCHF/CHF", status: "online", min_order_size: "1", qty_decimals: 2 };
    for (const field of Object.keys(pair)) {
      const { got } = await asked({ pairs: [{ ...pair, [field]: null }] }, (exchange) => exchange.pairs(reading));
      expect(got, field).toMatchObject({ kind: "read", value: [], problems: [expect.stringContaining(field)] });
    }
  });

  test("quotes: top of book as numbers or texts; a row that is not a quote is not one", async () => {
    const rows = [
      { symbol: "VCHF/USDC", b: [1.1, 5000], a: ["1.102", "2500.5"] },
      { pair: "VCHF/USDC", status: "online", min_order_size: 30, qty_decimals: 5 },
      { symbol: "VGBP/USDC", b: [], a: [1.3, 10] },
      { symbol: "VCHF/CHF", b: [1], a: [1.001, null] },
    ];
    const { got, request } = await asked({ quotes: rows }, (exchange) => exchange.quotes(reading));
    expect(request).toMatchObject({ method: "GET", path: "/api/v1/client/quotes" });
    expect(got).toMatchObject({
      kind: "read",
      value: [
        { symbol: "VCHF/USDC", bid: 1.1, ask: 1.102, bidSize: 5000, askSize: 2500.5, source: "venue", at: undefined },
        { symbol: "VCHF/CHF", bid: 1, ask: 1.001, bidSize: undefined, askSize: undefined },
      ],
    });
    expect(got.kind === "read" && got.problems).toHaveLength(2);
  });

  test("quotes: a venue that has none says so with 403 or 404, and that is not a dead key", async () => {
    for (const status of [403, 404]) {
      const { got } = await asked(
        { code: "nope", status, message: "" },
        (exchange) => exchange.quotes(reading),
        status,
      );
      expect(got).toMatchObject({
        kind: "failed",
        failure: { code: "not-available" },
      });
    }
  });
});

describe.concurrent("balances", () => {
  const balances: Ask<Reading<readonly { asset: string; available: Money; pending: Money | undefined }[]>> = (
    exchange,
  ) => exchange.balances(reading);

  test("the contract's and the observed names; a missing pending is unknown", async () => {
    const contract = {
      balances: [
        { asset: "VCHF", available: "0", pending: "0" },
        { asset: "GBP", available: "12.50", pending: "1" },
      ],
    };
    const { got, request } = await asked(contract, balances);
    expect(request).toMatchObject({ method: "POST", path: "/api/v1/private/accountBalance", body: "" });
    expect(request.headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect(got).toMatchObject({ nonce: 1_001 });
    expect(got.kind === "read" && got.value.map((row) => `${row.asset} ${row.available} ${row.pending}`)).toEqual([
      "VCHF 0 0",
      "GBP 12.5 1",
    ]);
    const observed = '{"Balances":[{"Asset":"VCHF","available_balance":1000.000000000000000001}]}';
    const [row] = await readFrom(observed, balances);
    expect(`${row?.available} ${row?.pending}`).toBe("1000.000000000000000001 undefined");
  });

  test("an amount that is missing or unreadable fails the reading, by its place", async () => {
    expect(await problemOf({ balances: [{ asset: "CHF" }] }, balances)).toBe(
      "unreadable: balances[0].available must be a decimal, was missing",
    );
    for (const available of ["", "1,0", "NaN", "1e3", "+1", ".5", "00", "1.0000000000000000001", null, [], true])
      expect(await problemOf({ balances: [{ asset: "CHF", available }] }, balances), String(available)).toContain(
        "unreadable: balances[0].available",
      );
    expect(await problemOf({ balances: [{ asset: "CHF", available: "1", pending: "?" }] }, balances)).toContain(
      "pending",
    );
  });

  test("V07 a negative balance is read, so that it can be shown", async () => {
    const [row] = await readFrom({ balances: [{ asset: "CHF", available: "-0.01", pending: "0" }] }, balances);
    expect(row?.available.isNegative()).toBe(true);
  });

  test("V10 an asset of an unknown name is shown as a problem and nothing else is lost", async () => {
    const body = {
      balances: [
        { asset: "x-coin", available: "1" },
        { asset: "CHF", available: "2" },
      ],
    };
    const { got } = await asked(body, balances);
    expect(got).toMatchObject({
      kind: "read",
      value: [{ asset: "CHF" }],
      problems: [expect.stringContaining("balances[0]")],
    });
  });

  test("an asset listed twice, or a field in two spellings that differ, fails the reading", async () => {
    const twice = {
      balances: [
        { asset: "CHF", available: "1" },
        { asset: "CHF", available: "2" },
      ],
    };
    expect(await problemOf(twice, balances)).toContain("twice");
    expect(await problemOf('{"balances":[{"asset":"CHF","available":"1","Available":"2"}]}', balances)).toContain(
      "spellings",
    );
    expect(await readFrom('{"balances":[{"asset":"CHF","available":"1","Available":"1"}]}', balances)).toHaveLength(1);
  });

  test("case and underscores of a key do not matter", async () => {
    const [row] = await readFrom('{"BALANCES":[{"Asset":"CHF","availableBalance":"3","PendingBalance":1}]}', balances);
    expect(`${row?.available} ${row?.pending}`).toBe("3 1");
  });

  test("the contract's name beats another name for the same thing", async () => {
    const [row] = await readFrom({ balances: [{ available_balance: "9", asset: "CHF", available: "1" }] }, balances);
    expect(String(row?.available)).toBe("1");
  });
});

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
          status: "Settled",
        },
        { tradeId: "2" },
      ],
    });
  });

  test("queryTrades: one trade that cannot be read fails the reading, for it decides about money", async () => {
    for (const field of [
      "ordid",
      "symbol",
      "bought",
      "bought_currency",
      "sold",
      "sold_currency",
      "fee",
      "fee_currency",
    ])
      expect(await problemOf({ trades: [trade, { ...trade, [field]: null }] }, trades)).toContain(`trades[1].${field}`);
    expect(await problemOf({ trades: [{ ...trade, side: "Sell" }] }, trades)).toContain("agree");
    expect(await problemOf({ trades: [{ ...trade, bought_currency: "USDC" }] }, trades)).toContain("agree");
  });

  test("an answer without its list is not an empty list", async () => {
    for (const body of [{}, { trades: null }, { trades: {} }, { result: "ok" }])
      expect(await problemOf(body, trades)).toContain("trades must be a list");
  });
});

describe.concurrent("mint, rails, payments, addresses", () => {
  test("mintTokens: three fields, and a receipt", async () => {
    const { got, request } = await asked(mintReceipt, (exchange) => exchange.mintTokens(mint, paying()));
    expect(request).toMatchObject({
      path: "/api/v1/private/mintTokens",
      body: "asset=VCHF&blockchain=ETH&quantity=120000",
    });
    expect(got).toMatchObject({
      kind: "accepted",
      value: {
        requestId: "mint-1",
        transactionId: "0xfeed",
        fee: Money.of("12.5", CHF),
        spent: Money.of("120012.5", CHF),
      },
    });
  });

  test("querySupplyChanges: by asset; ids, status and reason", async () => {
    const rows = [
      {
        requestid: "mint-1",
        txid: "0xfeed",
        asset: "VCHF",
        blockchain: "ETH",
        quantity: "120000",
        status: "held",
        reason: "Travel Rule",
        timestamp: "2026-11-15T10:00:00Z",
      },
      { txid: "0xbeef", status: "settled" },
    ];
    for (const name of ["supplychanges", "supply_changes", "supplyChanges", "changes"]) {
      const { got, request } = await asked({ [name]: rows }, (exchange) => exchange.supplyChanges(VCHF, reading));
      expect(request).toMatchObject({ path: "/api/v1/private/querySupplyChanges", body: "asset=VCHF" });
      expect(JSON.parse(JSON.stringify(got))).toMatchObject({
        value: [
          { requestId: "mint-1", transactionId: "0xfeed", quantity: "120000", status: "held", reason: "Travel Rule" },
          { transactionId: "0xbeef", asset: "VCHF", status: "settled" },
        ],
      });
    }
    expect(
      await problemOf({ changes: [{ status: "settled" }] }, (exchange) => exchange.supplyChanges(VCHF, reading)),
    ).toContain("requestid");
  });

  test("addPaymentRail: JSON with wallet on the way in, with bankaccount on the way out", async () => {
    const { got, request } = await asked(railReceipt, (exchange) =>
      exchange.addPaymentRail({ ...rail, memo: "m" }, paying()),
    );
    expect(got).toMatchObject({ kind: "accepted", value: { railId: railReceipt.railid, status: "pending" } });
    expect(request.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(request.body)).toEqual({
      railtype: "FiatToStablecoin",
      sender: { partyname: { name: "Zürich AG" }, address: { country: "CH" }, partytype: "company" },
      wallet: { destination: rail.destination, memo: "m" },
      instructions: { asset: "VCHF", currency: "CHF", blockchain: "ETH" },
    });
    const off = { ...rail, type: "StablecoinToFiat", destination: "CH9300762011623852957" } as const;
    const { request: second } = await asked(railReceipt, (exchange) => exchange.addPaymentRail(off, paying()));
    expect(JSON.parse(second.body)).toMatchObject({ bankaccount: { destination: "CH9300762011623852957" } });
    expect(JSON.parse(second.body)).not.toHaveProperty("wallet");
  });

  test("queryPaymentRails: an empty body, by railid", async () => {
    const { got, request } = await asked({ rails: [railReceipt] }, (exchange) => exchange.rails(reading));
    expect(request).toMatchObject({ path: "/api/v1/private/queryPaymentRails", body: "" });
    expect(got).toMatchObject({ value: [{ railId: railReceipt.railid, status: "pending", reason: undefined }] });
    expect(await problemOf({ rails: [{ status: "pending" }] }, (exchange) => exchange.rails(reading))).toContain(
      "rails[0].railid",
    );
  });

  test("queryPayments: an amount with its currency, or none", async () => {
    const rows = [
      {
        railid: "r",
        paymentid: 5,
        status: "settled",
        amount: "100.25",
        currency: "CHF",
        timestamp: "2026-11-15T10:00:00Z",
      },
      { railid: "r", status: "pending" },
    ];
    const { got, request } = await asked({ payments: rows }, (exchange) => exchange.payments(reading));
    expect(request).toMatchObject({ path: "/api/v1/private/queryPayments" });
    expect(got).toMatchObject({ value: [{ paymentId: "5", amount: Money.of("100.25", CHF) }, { amount: undefined }] });
    expect(
      await problemOf({ payments: [{ status: "x", amount: "1" }] }, (exchange) => exchange.payments(reading)),
    ).toContain("currency");
  });

  test("withdrawAddresses: label to the letter, chain and state", async () => {
    const rows = [
      { label: "Cold Wallet A", blockchain: "ETH", address: "0xabc", state: "Confirmed" },
      { label: "cold wallet a", chain: "SOL", status: "Pending", asset: "VCHF" },
      { label: "no chain" },
    ];
    const { got, request } = await asked({ addresses: rows }, (exchange) => exchange.withdrawAddresses(reading));
    expect(request).toMatchObject({ path: "/api/v1/private/withdrawAddresses" });
    expect(got).toMatchObject({
      value: [
        { label: "Cold Wallet A", blockchain: "ETH", address: "0xabc", status: "Confirmed" },
        { label: "cold wallet a", blockchain: "SOL", status: "Pending", asset: "VCHF" },
      ],
      problems: [expect.stringContaining("blockchain")],
    });
  });

  test("depositAddress: asset and chain in, an address out, or not available", async () => {
    const ask: Ask<Reading<string>> = (exchange) => exchange.depositAddress(VCHF, "ETH", reading);
    const { got, request } = await asked({ address: "0x123" }, ask);
    expect(request).toMatchObject({ path: "/api/v1/private/depositAddress", body: "asset=VCHF&blockchain=ETH" });
    expect(got).toMatchObject({ kind: "read", value: "0x123" });
    const { got: none } = await asked("", ask, 403);
    expect(codeOf(none)).toBe("not-available");
  });
});

describe.concurrent("errors of reads", () => {
  const history: Ask<Reading<unknown>> = (exchange) => exchange.orders(reading);
  const failing = async (status: number, body: unknown): Promise<unknown> => (await asked(body, history, status)).got;

  test("every row of the interface's table, flat and nested", async () => {
    for (const [status, code, ours] of [
      [400, "bad_request", "bad-request"],
      [400, "unknown_symbol", "unknown-symbol"],
      [400, "invalid_order", "invalid-order"],
      [400, "min_amount_below_threshold", "below-minimum"],
      [401, "signature_failure", "unauthorized"],
      [403, "kyb_required", "kyb-required"],
      [403, "agreement_missing", "agreement-missing"],
      [403, "external_wallet_not_whitelisted", "not-whitelisted"],
      [429, "rate_limited", "rate-limited"],
    ] as const) {
      const body = { code, status, message: "words" };
      const failure = { code: ours, status, venueCode: code, message: `${code}: words` };
      expect(await failing(status, body)).toEqual({ kind: "failed", failure });
      expect(await failing(status, { error: body })).toEqual({ kind: "failed", failure });
    }
  });

  test("OBSERVED the twins of 401 and 429 are told by their codes, and the budget hears of a rate", async () => {
    const twins = [
      [400, { code: "invalid_nonce", message: "" }, "unauthorized", false],
      [400, { code: "invalid_request_limit", message: "" }, "rate-limited", true],
      [403, { code: "forbidden", message: "Rate limit exceeded" }, "rate-limited", true],
      [403, { message: "too many requests" }, "rate-limited", true],
      [403, { code: "forbidden", message: "your corporate account" }, "unknown-code", false],
    ] as const;
    for (const [status, body, code, rateLimited] of twins)
      await playing(
        always((line) => line.json(status, body)),
        {},
        async ({ exchange, budget }) => {
          expect(codeOf(await exchange.orders(reading)), code).toBe(code);
          expect(budget.ends).toMatchObject([{ kind: "answered", rateLimited }]);
          const outcome = await exchange.addOrder(order, paying());
          expect(outcome.kind).toBe(code === "unknown-code" ? "rejected" : "doubt");
        },
      );
  });

  test("OBSERVED order errors keep their codes", async () => {
    for (const [code, ours] of [
      ["limit_too_far_from_market_price", "price-out-of-band"],
      ["non_marketable_fok_limit_price", "not-fillable"],
    ] as const) {
      const body = { result: "error", order: null, error: { code, message: "" } };
      const { got } = await asked(body, (exchange) => exchange.addOrder(order, paying()));
      expect(got).toMatchObject({ kind: "rejected", failure: { code: ours, venueCode: code } });
    }
  });

  test("OBSERVED a 403 on one history call says forbidden, not a dead key", async () => {
    expect(await failing(403, "")).toMatchObject({ kind: "failed", failure: { code: "forbidden" } });
  });

  test("an error inside a 200 fails a read, nested or flat", async () => {
    expect(await failing(200, { orders: [], error: { code: "invalid_nonce", message: "" } })).toMatchObject({
      failure: { code: "unauthorized" },
    });
    expect(await failing(200, { code: "kyb_required", status: 403, message: "" })).toMatchObject({
      failure: { code: "kyb-required" },
    });
    expect(await failing(200, { orders: [], code: 0, message: "ok", error: { code: null } })).toMatchObject({
      kind: "read",
    });
  });
});
