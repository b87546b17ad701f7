// Lists of venues that speak otherwise than our simulator, as they might come: each row is read for what it says, or refused with the
// switch of the profile that decides it. None is read wrongly.

import { describe, expect, test } from "vitest";
import type { Contact } from "../../src/cli/contact/check.ts";
import { checkShapes } from "../../src/cli/contact/venue.ts";
import type { Asset } from "../../src/domain/asset.ts";
import { Quantity } from "../../src/domain/money/money.ts";
import { mintTokens } from "../../src/exchange/endpoint/mint-tokens.ts";
import { objection } from "../../src/exchange/endpoint/venue-error.ts";
import { type Unread, unreadText } from "../../src/exchange/port.ts";
import { type Profile, presets } from "../../src/exchange/profile.ts";
import { type ListName, listEndpoint, recogniseShape } from "../../src/exchange/shape.ts";
import { read } from "../../src/exchange/wire/decoder.ts";
import { type Json, parseJson } from "../../src/exchange/wire/json.ts";

type Switches = Partial<Profile>;

function jsonOf(body: unknown): Json {
  const json = parseJson(Buffer.from(JSON.stringify(body)));
  if (!json.ok) throw new Error(json.error);
  return json.value;
}

/** What the client makes of it, as plain JSON, or the sentence with which it refuses. */
function readAs(list: ListName, body: unknown, switches: Switches = {}): unknown {
  const parts = { profile: { ...presets.contract, ...switches }, priceDecimals: 6 };
  const problems: Unread[] = [];
  const got = read(listEndpoint(list, parts).answer, jsonOf(body), problems);
  if (!got.ok) {
    expect(recogniseShape(list, jsonOf(body), parts).unreadable).toContain(got.error);
    return got.error;
  }
  return (problems[0] && unreadText(problems[0])) ?? JSON.parse(JSON.stringify(got.value));
}

const row = { symbol: "VCHF/USDC", side: "Buy", clordid: "c1", ordid: 7, status: "Filled", time: 1_763_460_000 };
const legs = { bought: "100", bought_currency: "VCHF", sold: "110", sold_currency: "USDC" };
const paid = { fee: "0.1", fee_currency: "USDC" };
const sized = { ...row, ...paid, quantity: "100" };
const fill = {
  ...{ clientOrderId: "c1", orderId: "7", symbol: "VCHF/USDC", side: "buy", status: "Filled", at: 1_763_460_000_000 },
  ...{ bought: { asset: "VCHF", amount: "100" }, sold: { asset: "USDC", amount: "110" } },
  fee: { asset: "USDC", amount: "0.1" },
};

const MEANT = /venue\.profile\.fields says which field is meant/;

describe("trades", () => {
  test.each<[string, unknown]>([
    ["under results", { results: [{ ...row, ...legs, ...paid }] }],
    ["bare", [{ ...row, ...legs, ...paid }]],
    ["under a name of its own", { fills: [{ ...row, ...legs, ...paid }], total: 1 }],
    [
      "in PascalCase, with numbers",
      [
        {
          ...{ ClOrdId: "c1", OrdId: 7, Pair: "VCHF-USDC", Side: "BUY", ExecutedQty: 100, ExecPrice: 1.1 },
          ...{ Fee: 0.1, FeeCurrency: "USDC", OrdStatus: "FILLED", Time: "1763460000" },
        },
      ],
    ],
    ["with the pair under instrument", [{ ...row, ...legs, ...paid, symbol: null, instrument: "VCHF/USDC" }]],
    ["with no pair, but its side and currencies", [{ ...row, ...legs, ...paid, symbol: null }]],
    ["with a total", [{ ...sized, price: "1.1", quoteQty: "110" }]],
    ["at a time of another zone", [{ ...row, ...legs, ...paid, time: "2025-11-18T12:00:00.000+02:00" }]],
  ])("%s are read", (_, body) => {
    // A product confirms and states nothing.
    const [{ isProduct, ...got }] = readAs("trades", body) as [Record<string, unknown>];
    expect(got).toEqual(fill);
    const text = JSON.stringify(body);
    expect(isProduct === true).toBe(/price/i.test(text) && !/bought|quoteQty/.test(text));
  });

  test.each<[string, unknown, RegExp, Switches]>([
    [
      "under one of two names of its own",
      { fills: [{ ...row, ...legs, ...paid }], other: [] },
      /if fills or other is meant/,
      { fields: { fills: "trades" } },
    ],
    [
      "whose executed quantity differs from the ordered one",
      [{ ...row, ...paid, orderqty: "120", filled_qty: "100", price: "1.1" }],
      MEANT,
      { fields: { orderqty: "ignored" } },
    ],
    [
      "with an amount",
      [{ ...row, ...paid, amount: "100", price: "1.1" }],
      /has no quantity: .*fields/,
      { fields: { amount: "quantity" } },
    ],
    [
      "with a reference",
      [{ ...row, ...legs, ...paid, clordid: null, ordid: null, ref: "c1", no: 7 }],
      /clordid or ordid/,
      { fields: { ref: "clordid", no: "ordid" } },
    ],
    ["without a fee", [{ ...row, ...legs }], /feeMissing: zero/, { feeMissing: "zero" }],
  ])("%s are refused with the switch, and read with it", (_, body, why, switches) => {
    expect(readAs("trades", body)).toMatch(why);
    const zero = switches.feeMissing === "zero" ? { fee: { asset: "USDC", amount: "0" } } : {};
    expect(readAs("trades", body, switches)).toMatchObject([{ ...fill, ...zero }]);
  });

  test.each<[string, unknown, RegExp]>([
    ["a limit alone", [{ ...sized, limit_price: "1.2" }], /has no price/],
    ["a side that is neither", [{ ...row, ...legs, ...paid, side: "Bid" }], /side must be Buy or Sell/],
    ["legs that contradict the side", [{ ...row, ...legs, ...paid, side: "Sell" }], /agree with its symbol and side/],
    ["a map instead of a list", { trades: { t1: { ...row, ...legs, ...paid } } }, /must be a list, was an object/],
    ["two lists", { trades: [], rows: [] }, /must have one list, had trades and rows/],
  ])("with %s are refused by name", (_, body, why) => {
    expect(readAs("trades", body)).toMatch(why);
  });

  test("a status under state is not overlooked: a rejected one is no trade", () => {
    const { status: _, ...stateless } = row;
    expect(readAs("trades", [{ ...stateless, ...legs, ...paid, state: "REJECTED" }])).toEqual([
      { ...fill, status: "Rejected" },
    ]);
    const done = [{ ...stateless, ...legs, ...paid, state: "done" }];
    expect(readAs("trades", done)).toEqual([{ ...fill, status: "done" }]);
    expect(recogniseShape("trades", jsonOf(done), { profile: presets.contract, priceDecimals: 6 }).unreadable).toEqual([
      'status "done" has no meaning here: name it in venue.profile.statuses',
    ]);
    expect(readAs("trades", done, { statuses: { done: "Filled" } })).toEqual([fill]);
  });
});

test.each([
  { success: false, data: [] },
  { ok: false, trades: [] },
  { trades: [], errors: ["the database is away"] },
  { result: "failed", trades: [] },
])("an empty list next to a failure is a failure: %j", (body) => {
  const against = read(objection, jsonOf(body));
  expect(against.ok && against.value).toBeTruthy();
  const good = read(
    objection,
    jsonOf({ success: true, ok: true, status: 200, code: 0, result: "OK", errors: [], data: [] }),
  );
  expect(good).toEqual({ ok: true, value: undefined });
});

test("a receipt next to a failure is no success", () => {
  const mint = mintTokens({ asset: "VCHF" as Asset, blockchain: "ETH", quantity: Quantity.of("100000") });
  const receipt = { requestid: "r", fee: "0", spent: "100000", spent_currency: "CHF" };
  expect(read(mint.answer, jsonOf(receipt))).toMatchObject({ value: { kind: "accepted" } });
  expect(read(mint.answer, jsonOf({ ...receipt, success: false }))).toMatchObject({ value: { kind: "contradiction" } });
  expect(read(mint.answer, jsonOf({ ok: false }))).toMatchObject({ value: { kind: "unclear" } });
});

test.each<[ListName, string, unknown, unknown]>([
  [
    "orders",
    "an id of its own next to ours",
    [{ id: "o9", clordid: "c1", state: "Filled" }],
    [{ clientOrderId: "c1", orderId: "o9", status: "Filled" }],
  ],
  [
    "supplyChanges",
    "a redemption under kind",
    [{ requestid: "r", quantity: "5", status: "settled", kind: "Redeemed" }],
    [],
  ],
  [
    "supplyChanges",
    "what paid under currency",
    [{ requestid: "r", quantity: "5", status: "settled", currency: "CHF" }],
    [{ requestId: "r", asset: "VCHF", quantity: "5", status: "settled" }],
  ],
  ["rails", "its id under id, its status under state", [{ id: "x", state: "HELD" }], [{ railId: "x", status: "HELD" }]],
  [
    "payments",
    "a fee under fee_amount",
    [{ railid: "x", state: "settled", received: "8", currency: "CHF", fee_amount: 1 }],
    [{ railId: "x", status: "settled", amount: { asset: "CHF", amount: "9" }, fee: { asset: "CHF", amount: "1" } }],
  ],
  [
    "pairs",
    "a flag for its status, and steps",
    [{ symbol: "VCHF/USDC", enabled: true, min_qty: 30, step_size: "0.00100", tick_size: "1" }],
    [
      {
        symbol: "VCHF/USDC",
        base: "VCHF",
        quote: "USDC",
        status: "online",
        quantityMin: "30",
        quantityDecimals: 3,
        priceDecimals: 0,
      },
    ],
  ],
  [
    "pairs",
    "a step that is no power of ten",
    [{ symbol: "VCHF/USDC", enabled: true, min_qty: 30, step_size: "0.05" }],
    /step_size must be a power of ten/,
  ],
])("%s with %s", (list, _, body, expected) => {
  const got = readAs(list, body);
  if (expected instanceof RegExp) expect(got).toMatch(expected);
  else expect(got).toEqual(expected);
});

test("a payment with an amount below its fee is not booked", () => {
  const row = { railid: "r", paymentid: "p", status: "settled", amount: "100", currency: "CHF", fee: "100.5" };
  expect(readAs("payments", [row], { paymentAmounts: "gross" })).toMatchObject([{ odd: expect.any(String) }]);
});

describe("a row that cannot be read is named by what is missing and by what is there", () => {
  const unreadIn = (list: ListName, body: unknown, switches: Switches = {}): readonly Unread[] => {
    const problems: Unread[] = [];
    read(
      listEndpoint(list, { profile: { ...presets.contract, ...switches }, priceDecimals: 6 }).answer,
      jsonOf(body),
      problems,
    );
    return problems;
  };

  test("values are masked, and the line proposes each field that no name here reads and that would do", () => {
    const { symbol: _, ...rest } = { ...row, ...paid, price: "1.1", lastShares: "100", note: "Zürich 7", sum: 110 };
    const [one] = unreadIn("trades", [{ ...rest, symbol: "VCHF/USDC" }]);
    expect(one).toMatchObject({
      problem: expect.stringContaining("has no quantity"),
      keys: { clordid: '"x0"', ordid: "0", lastShares: '"000"', note: '"xxxxxx 0"', time: "0000000000" },
      lines: ["profile: { fields: { lastShares: quantity } }", "profile: { fields: { sum: quantity } }"],
      words: expect.arrayContaining(["c1", "7", "100"]),
    });
    expect(
      unreadIn("trades", [{ ...row, ...paid, price: "1.1", lastShares: "100" }], {
        fields: { lastShares: "quantity" },
      }),
    ).toEqual([]);
  });

  test("the others of its list are read, and its digest does not hang on the order of keys", () => {
    const portal = { conversion: "k-9", from: "CHF" };
    const rows = [{ ...row, ...legs, ...paid }, portal];
    expect(readAs("trades", rows.slice(0, 1))).toEqual([fill]);
    const [one] = unreadIn("trades", rows);
    const [same] = unreadIn("trades", { trades: [{ from: "CHF", conversion: "k-9" }] });
    const [other] = unreadIn("trades", [{ ...portal, from: "GBP" }]);
    expect(one?.digest).toBe(same?.digest);
    expect(one?.digest).not.toBe(other?.digest);
  });

  test("over a thousand of them are an unreadable list", () => {
    expect(readAs("trades", Array(1_001).fill({ conversion: "k-9" }))).toMatch(/over 1000 rows/);
  });
});

const declared = { "VCHF/USDC": { quantityMin: Quantity.of("30"), quantityDecimals: 5 } };

test.each<[string, unknown]>([
  ["texts", { pairs: ["VCHF/USDC"] }],
  ["a map", { pairs: { "VCHF/USDC": { note: 1 } } }],
])("pairs as %s are tradable with what venue.instruments declares, and the message has its lines", (_, body) => {
  const parts = { profile: presets.contract, priceDecimals: 6 };
  const problems: Unread[] = [];
  expect(read(listEndpoint("pairs", parts).answer, jsonOf(body), problems)).toEqual({ ok: true, value: [] });
  expect(problems[0]?.lines).toEqual(["profile: { pairStatusMissing: online }"]);
  const online = { ...parts, profile: { ...presets.contract, pairStatusMissing: "online" } } as const;
  read(listEndpoint("pairs", online).answer, jsonOf(body), problems);
  expect(problems[1]?.lines).toEqual([
    "instruments: { VCHF/USDC: { quantityMin: SMALLEST, quantityDecimals: DECIMALS } }",
  ]);
  expect(read(listEndpoint("pairs", { ...parts, instruments: declared }).answer, jsonOf(body))).toMatchObject({
    value: [{ symbol: "VCHF/USDC", status: "online", quantityDecimals: 5, priceDecimals: 6 }],
  });
});

test.each<[string, unknown]>([
  ["under quotes", { quotes: { "VCHF/USDC": { bid: 1.1, ask: "1.2" } } }],
  ["with dashes", { prices: { "VCHF-USDC": { bid: 1.1, ask: "1.2" } } }],
])("quotes as a map by symbol %s are read", (_, body) => {
  const got = read(listEndpoint("quotes", { profile: presets.contract, priceDecimals: 6 }).answer, jsonOf(body));
  expect(got).toMatchObject({ value: [{ symbol: "VCHF/USDC", bid: 1.1, ask: 1.2 }] });
});

test("a pair that its venue switched off is not tradable, whatever the profile says of pairs without a status", () => {
  const off = [{ symbol: "VCHF/USDC", active: false, min_qty: 30, qty_decimals: 5 }];
  expect(readAs("pairs", off, { pairStatusMissing: "online" })).toMatchObject([{ status: "inactive" }]);
});

describe("a row with amounts next to its sizes", () => {
  const sizes = { ...row, quantity: "100", fee: "0.01", fee_currency: "USDC" };

  test("states no leg where its total may have the fee in it, and states one that is the product to the last digit", () => {
    // 100 x 0.99 is 99, and with the fee 99.01.
    const [within] = readAs("trades", [{ ...sizes, price: "0.99", total: "99.01" }]) as [Record<string, unknown>];
    const [exact] = readAs("trades", [{ ...sizes, price: "0.99", total: "99" }]) as [Record<string, unknown>];
    const [alone] = readAs("trades", [{ ...sizes, total: "99.01" }]) as [Record<string, unknown>];
    expect([within.isProduct, exact.isProduct, alone.isProduct]).toEqual([true, false, true]);
  });

  test.each([
    ["bought", { bought: "90" }],
    ["sold", { sold: "99.9" }],
  ])("is refused by name where one leg is stated otherwise: %s", (name, leg) => {
    expect(readAs("trades", [{ ...sizes, price: "0.99", ...leg }])).toMatch(new RegExp(`must say ${name} once`));
  });
});

test("a payment that states only what arrived does not say what left", () => {
  const paid = { railid: "R", paymentid: "P", status: "settled", received: "99", received_currency: "CHF" };
  expect(readAs("payments", [paid])).toMatchObject([{ isNet: true }]);
  const [both] = readAs("payments", [{ ...paid, amount: "100", currency: "CHF" }]) as [Record<string, unknown>];
  expect(both.isNet).toBeUndefined();
});

test.each<[rows: number, step: number, warned: readonly RegExp[]]>([
  [49, -1, []],
  [50, -1, [/exactly 50 rows, which may be a page of more/]],
  [51, 1, [/the oldest row comes first/]],
])("doctor warns of a list of %i rows at steps of %i s as it may be cut off", (count, step, warned) => {
  const listed = Array.from({ length: count }, (_, i) => ({ clordid: `c${i}`, time: row.time + i * step }));
  const shape = recogniseShape("orders", jsonOf(listed), { profile: presets.contract, priceDecimals: 6 });
  const causes = checkShapes({ shapes: [shape] } as unknown as Contact)
    .filter(({ verdict }) => verdict === "warning")
    .map(({ cause }) => cause);
  expect(causes).toEqual(warned.map((one) => expect.stringMatching(one)));
});
