// Every call on a real socket: what is sent, and the contract's and the observed shapes of what comes back. Amounts of a
// reading are shown as JSON has them.

import { describe, expect, test } from "vitest";
import { type Outcome, type Reading, unreadText } from "../../src/exchange/port.ts";
import { always } from "../support/fault-server.ts";
import {
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

type Ask = (exchange: Wired["exchange"]) => Promise<Reading<unknown> | Outcome<unknown>>;

async function asked(ask: Ask, body: unknown, status = 200) {
  let made: { got: Awaited<ReturnType<Ask>>; method: string; path: string; sent: string; headers: object } | undefined;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  await playing(
    always((line) => line.answer(status, text)),
    {},
    async ({ venue, exchange }) => {
      const got = await ask(exchange);
      const { method, path, body: sent, headers } = venue.requests()[0] ?? expect.fail("nothing was sent");
      made = { got, method, path: path.replace("/api/v1", ""), sent, headers };
    },
  );
  return made ?? expect.fail("nothing came back");
}

/** Of the value, or of what is wrong with the list or its first row. */
async function shown(ask: Ask, body: unknown): Promise<unknown> {
  const { got } = await asked(ask, body);
  if (got.kind === "failed") return `${got.failure.code}: ${got.failure.message}`;
  if (got.kind === "read" && got.problems?.[0] !== undefined) return unreadText(got.problems[0]);
  return "value" in got ? JSON.parse(JSON.stringify(got.value)) : got;
}

const assets: Ask = (exchange) => exchange.assets(reading);
const pairs: Ask = (exchange) => exchange.pairs(reading);
const quotes: Ask = (exchange) => exchange.quotes(reading);
const balances: Ask = (exchange) => exchange.balances(reading);
const orders: Ask = (exchange) => exchange.orders(reading);
const trades: Ask = (exchange) => exchange.trades(reading);
const changes: Ask = (exchange) => exchange.supplyChanges(VCHF, reading);
const rails: Ask = (exchange) => exchange.rails(reading);
const added: Ask = (exchange) => exchange.addOrder(order, paying());
const offRamp = { ...rail, type: "StablecoinToFiat", destination: "CH9300762011623852957" } as const;

test.each<[string, Ask, unknown, object]>([
  ["assets", assets, { assets: [] }, { method: "GET", path: "/client/assets", sent: "" }],
  ["pairs", pairs, { pairs: [] }, { method: "GET", path: "/client/tradingPairs", sent: "" }],
  ["balances", balances, { balances: [] }, { method: "POST", path: "/private/accountBalance", sent: "" }],
  ["orders", orders, { orders: [] }, { method: "POST", path: "/private/queryOrders", sent: "" }],
  ["trades", trades, { trades: [] }, { method: "POST", path: "/private/queryTrades", sent: "" }],
  ["rails", rails, { rails: [] }, { method: "POST", path: "/private/queryPaymentRails", sent: "" }],
  ["supply changes", changes, { changes: [] }, { path: "/private/querySupplyChanges", sent: "asset=VCHF" }],
  [
    "a mint",
    (exchange) => exchange.mintTokens(mint, paying()),
    mintReceipt,
    { path: "/private/mintTokens", sent: "asset=VCHF&blockchain=ETH&quantity=120000" },
  ],
])("%s are asked for as the interface says", async (_, ask, body, request) => {
  const made = await asked(ask, body);
  expect(made).toMatchObject(request);
  const isSigned = made.path.startsWith("/private/");
  expect("x-app-nonce" in made.headers).toBe(isSigned);
  if (isSigned) expect(made.headers).toMatchObject({ "content-type": "application/x-www-form-urlencoded" });
});

test("addOrder: exactly the eight fields of the interface, as a form", async () => {
  const { got, path, sent } = await asked(added, filledEnvelope);
  expect([got.kind, path]).toEqual(["accepted", "/private/addOrder"]);
  expect(Object.fromEntries(new URLSearchParams(sent))).toEqual({
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    ...{ clordid: order.clientOrderId, symbol: "VCHF/CHF", side: "Buy", ordtype: "Limit", timeinforce: "FOK" },
    ...{ orderqty: "100", price: "1.01" },
  });
});

test("addPaymentRail: JSON with wallet on the way in, with bankaccount on the way out", async () => {
  const on = await asked((exchange) => exchange.addPaymentRail({ ...rail, memo: "m" }, paying()), railReceipt);
  expect(on.got).toMatchObject({ kind: "accepted", value: { railId: railReceipt.railid, status: "pending" } });
  expect(on.headers).toMatchObject({ "content-type": "application/json" });
  const sender = { partyname: { name: "Zürich AG" }, address: { country: "CH" }, partytype: "company" };
  const instructions = { asset: "VCHF", currency: "CHF", blockchain: "ETH" };
  const wallet = { destination: rail.destination, memo: "m" };
  expect(JSON.parse(on.sent)).toEqual({ railtype: "FiatToStablecoin", sender, wallet, instructions });
  const off = await asked((exchange) => exchange.addPaymentRail(offRamp, paying()), railReceipt);
  const bankaccount = { destination: offRamp.destination };
  expect(JSON.parse(off.sent)).toEqual({ railtype: "StablecoinToFiat", sender, bankaccount, instructions });
});

describe("not sent: no nonce, no record, no byte", () => {
  test("a mint to a wallet while no field is named for it; it goes out under the named one", async () => {
    const toWallet: Ask = (exchange) => exchange.mintTokens({ ...mint, destination: "0xabc" }, paying());
    const script = always((line) => line.json(200, mintReceipt));
    await playing(script, {}, async ({ venue, exchange }) => {
      const reason = expect.stringContaining("venue.profile.mintDestination");
      expect(await toWallet(exchange)).toMatchObject({ kind: "not-sent", reason });
      expect(venue.lines).toHaveLength(0);
    });
    await playing(script, { profile: { mintDestination: "wallet_to" } }, async ({ venue, exchange }) => {
      expect(await toWallet(exchange)).toMatchObject({ kind: "accepted" });
      expect(venue.requests()[0]?.body).toBe("asset=VCHF&blockchain=ETH&quantity=120000&wallet_to=0xabc");
    });
  });

  test("what says nothing, or would be left out", async () => {
    await playing(
      always((line) => line.json(200, mintReceipt)),
      {},
      async ({ venue, exchange }) => {
        const want = paying();
        for (const sent of [
          exchange.mintTokens({ ...mint, blockchain: "" }, want),
          exchange.mintTokens({ ...mint, blockchain: "ETH\n" }, want),
          exchange.addPaymentRail({ ...rail, destination: " " }, want),
          exchange.addPaymentRail({ ...rail, sender: { ...rail.sender, name: "" } }, want),
          exchange.addPaymentRail({ ...offRamp, memo: "invoice 7" }, want),
        ])
          expect(await sent).toMatchObject({ kind: "not-sent", code: "invalid" });
        expect(want.records).toEqual([]);
        expect(venue.lines).toHaveLength(0);
      },
    );
  });
});

const pair = { pair: "VCHF/USDC", status: "online", min_order_size: "30", qty_decimals: 5 };
const trade = { tradeid: "t-1", ...filledOrder, symbol: "VCHF/CHF", side: "Buy", status: "Settled" };
const { clordid, ordid, ordstatus, ...legs } = filledOrder;
const change = { requestid: "mint-1", txid: "0xfeed", quantity: "120000", status: "held", reason: "Travel Rule" };
const read = {
  asset: { asset: "VGBP", blockchains: [{ blockchain: "ETH", active: true }] },
  pair: { symbol: "VCHF/USDC", base: "VCHF", quote: "USDC", status: "online", quantityDecimals: 5, quantityMin: "30" },
  trade: {
    ...{ tradeId: "t-1", clientOrderId: clordid, orderId: "9001", symbol: "VCHF/CHF", side: "buy", status: "Filled" },
    ...{ bought: { asset: "VCHF", amount: "100" }, sold: { asset: "CHF", amount: "100.5" } },
    fee: { asset: "CHF", amount: "0" },
  },
  change: { requestId: "mint-1", transactionId: "0xfeed", quantity: "120000", status: "held", reason: "Travel Rule" },
};

test.each<[string, Ask, unknown, unknown]>([
  [
    "the contract's assets",
    assets,
    { assets: [{ symbol: "VCHF", name: "Franc" }] },
    [{ asset: "VCHF", name: "Franc" }],
  ],
  [
    "the observed assets",
    assets,
    { assets: [{ asset: "VGBP", blockchains: [{ blockchain: "ETH", isactive: true }] }] },
    [read.asset],
  ],
  ["pairs without price decimals, which are 6", pairs, { pairs: [pair] }, [{ ...read.pair, priceDecimals: 6 }]],
  [
    "pairs in numbers and texts",
    pairs,
    '{"pairs":[{"pair":"VCHF/CHF","status":"halted","min_order_size":0.1,"qty_decimals":"2","price_decimals":4}]}',
    [{ status: "halted", quantityMin: "0.1", quantityDecimals: 2, priceDecimals: 4 }],
  ],
  [
    "the contract's balances",
    balances,
    { balances: [{ asset: "GBP", available: "12.50", pending: "1" }] },
    [{ asset: "GBP", available: { amount: "12.5" }, pending: { amount: "1" } }],
  ],
  [
    "the observed balances, with all their digits",
    balances,
    '{"Balances":[{"Asset":"VCHF","available_balance":1000.000000000000000001}]}',
    [{ asset: "VCHF", available: { amount: "1000.000000000000000001" } }],
  ],
  [
    "V07 a negative balance",
    balances,
    { balances: [{ asset: "CHF", available: "-0.01" }] },
    [{ available: { amount: "-0.01" } }],
  ],
  [
    "an order with all its fields",
    orders,
    {
      orders: [
        {
          ...{ clordid: "a-1", ordid: "17", ordstatus: "Filled", symbol: "VCHF/CHF", side: "Sell" },
          ...{ orderqty: 5, price: "1.5", timestamp: "2026-11-15T10:00:00.250Z" },
        },
      ],
    },
    [
      {
        ...{ clientOrderId: "a-1", orderId: "17", status: "Filled", symbol: "VCHF/CHF", side: "sell" },
        ...{ quantity: "5", limit: "1.5", at: Date.UTC(2026, 10, 15, 10, 0, 0, 250) },
      },
    ],
  ],
  [
    "an order by its venue id alone, to the last digit",
    orders,
    '{"orders":[{"OrdId":9007199254740993,"ordStatus":"Rejected"}]}',
    [{ orderId: "9007199254740993", status: "Rejected" }],
  ],
  ["a trade", trades, { trades: [trade] }, [read.trade]],
  ["a trade that is not ours", trades, { trades: [{ ...trade, clordid: null }] }, [{ orderId: "9001" }]],
  ...["supplychanges", "changes"].map((name): [string, Ask, unknown, unknown] => [
    `mints under ${name}`,
    changes,
    { [name]: [change] },
    [read.change],
  ]),
  ["a rail", rails, { rails: [railReceipt] }, [{ railId: railReceipt.railid, status: "pending" }]],
  ...[
    { result: "success", order: filledOrder, error: null },
    { result: "ok", order: filledOrder },
    { result: "ok", order: { ...filledOrder, ordid: 9001 }, error: { code: null, message: null } },
    {
      result: "ok",
      order: {
        ...{ clordid, ordid, ordstatus, bought: "100", boughtCurrency: "VCHF", sold: "100.5", soldCurrency: "CHF" },
        ...{ fee: "0", feeCurrency: "CHF" },
      },
    },
    { result: "ok", order: { clOrdId: clordid, OrdId: ordid, ordStatus: ordstatus, ...legs }, error: {} },
  ].map((form): [string, Ask, unknown, unknown] => [
    `a fill as ${JSON.stringify(form)}`,
    added,
    form,
    { orderId: "9001" },
  ]),
])("%s: read", async (_, ask, body, expected) => {
  expect(await shown(ask, body)).toMatchObject(expected as object);
});

const without = (...fields: string[]) => ({
  trades: [trade, { ...trade, fee: "0.01", ...Object.fromEntries(fields.map((field) => [field, null])) }],
});

test.each<[string, Ask, unknown, string]>([
  ...Object.keys(pair).map((field): [string, Ask, unknown, string] => [
    `a pair without ${field}`,
    pairs,
    { pairs: [{ ...pair, [field]: null }] },
    field === "pair" ? "pair" : field,
  ]),
  ...["", "1,0", "NaN", "1e400", "+1", ".5", "00", "1.0000000000000000001", null, [], true].map(
    (available): [string, Ask, unknown, string] => [
      `a balance of ${JSON.stringify(available)}`,
      balances,
      { balances: [{ asset: "CHF", available }] },
      "unreadable: balances[0].available",
    ],
  ),
  ["a pending of ?", balances, { balances: [{ asset: "CHF", available: "1", pending: "?" }] }, "pending"],
  [
    "an asset twice",
    balances,
    {
      balances: [
        { asset: "CHF", available: "1" },
        { asset: "CHF", available: "2" },
      ],
    },
    "twice",
  ],
  ["V10 an asset of an unknown name", balances, { balances: [{ asset: "x-coin", available: "1" }] }, "balances[0]"],
  ["an order without an id", orders, { orders: [{ ordstatus: "Filled" }] }, "orders[0] must have clordid or ordid"],
  ["a trade without an id", trades, without("clordid", "ordid"), "trades[1] must have clordid or ordid"],
  ["a trade without a leg", trades, without("sold"), "trades[1] must say bought and sold"],
  [
    "a trade without currencies and side",
    trades,
    without("bought_currency", "sold_currency", "side"),
    "trades[1] must say bought_currency",
  ],
  ["a trade without a fee", trades, without("fee"), "venue.profile.feeMissing: zero"],
  ["a fee without a currency", trades, without("fee_currency"), "venue.profile.feeCurrencyMissing"],
  ...[{}, { trades: null }, { trades: {} }, { result: "ok" }].map((body): [string, Ask, unknown, string] => [
    `no list of trades in ${JSON.stringify(body)}`,
    trades,
    body,
    "trades must be a list",
  ]),
  ["a mint without an id", changes, { changes: [{ status: "settled" }] }, "requestid"],
  ["a rail without an id", rails, { rails: [{ status: "pending" }] }, "rails[0].railid"],
])("%s: refused by name", async (_, ask, body, why) => {
  expect(await shown(ask, body)).toContain(why);
});

test("quotes: a venue that has none says so with 403 or 404, and that is not a dead key", async () => {
  for (const status of [403, 404])
    expect((await asked(quotes, { code: "nope", status, message: "" }, status)).got).toMatchObject({
      kind: "failed",
      failure: { code: "not-available" },
    });
});
