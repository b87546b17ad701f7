// What an answer says, judged without a network, each test named after its row: what a request that moves money makes of
// it, and what must never follow. Which codes refuse is the table of refusals.test.ts.

import { describe, expect, test } from "vitest";
import { Price } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import { classifyMoney, classifyRead } from "../../src/exchange/classify.ts";
import { addOrder } from "../../src/exchange/endpoint/add-order.ts";
import { addPaymentRail } from "../../src/exchange/endpoint/add-payment-rail.ts";
import type { MoneyEndpoint } from "../../src/exchange/endpoint/endpoint.ts";
import { mintTokens } from "../../src/exchange/endpoint/mint-tokens.ts";
import { queryTrades } from "../../src/exchange/endpoint/query-trades.ts";
import { presets } from "../../src/exchange/profile.ts";
import type { Observation } from "../../src/exchange/wire/http-attempt.ts";
import { filledEnvelope, filledOrder, mint, mintReceipt, order, rail, railReceipt } from "../support/wire.ts";

function answer(status: number, body: unknown): Observation {
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const rest = { contentType: undefined, at: undefined, receivedAt: millis(0), retryAfterMs: undefined };
  return { kind: "answer", answer: { status, body: bytes, ...rest } };
}

const answered = (status: number, body: unknown, sent = order) => classifyMoney(answer(status, body), addOrder(sent));
const minted = (status: number, body: unknown) => classifyMoney(answer(status, body), mintTokens(mint));
const railed = (status: number, body: unknown) => classifyMoney(answer(status, body), addPaymentRail(rail));
const envelope = (changes: object): object => ({ ...filledEnvelope, ...changes });
const filled = (changes: object): object => envelope({ order: { ...filledOrder, ...changes } });
const error = (code: string) => ({ code, status: 400, message: "" });

const fok = { code: "non_marketable_fok_limit_price", message: "order could not be filled" };
const killed = { ...filledOrder, ordstatus: "Rejected", bought: "0", sold: "0.00" };
const stopped = { kind: "doubt", failure: { code: "contradiction" }, halt: true };
const unknown = { kind: "doubt", halt: false };
const accepted = { kind: "accepted" };

const KINDS: readonly [string, MoneyEndpoint<unknown>, object][] = [
  ["order", addOrder(order), filledEnvelope],
  ["mint", mintTokens(mint), mintReceipt],
  ["rail", addPaymentRail(rail), railReceipt],
];

describe.each(KINDS)("%s", (_, endpoint, good) => {
  const verdict = (status: number, body: unknown): string => {
    const made = classifyMoney(answer(status, body), endpoint);
    return made.kind === "doubt" && made.halt ? "doubt and halt" : made.kind;
  };

  test("a named code refuses with its own status, or in the error object of a 200; every other status is doubt", () => {
    for (const [code, own] of [
      ["bad_request", 400],
      ["kyb_required", 403],
    ] as const)
      for (let status = 200; status < 600; status++) {
        const body = { code, status: own, message: "" };
        expect(verdict(status, body), `${status} ${code}`).toBe(status === own ? "rejected" : "doubt");
        const isNamed = status === own || status === 200;
        expect(verdict(status, { error: body }), `${status} ${code}`).toBe(isNamed ? "rejected" : "doubt");
      }
  });

  test("an error next to what happened is doubt and halt", () => {
    for (const code of ["some_code", "bad_request"])
      expect(verdict(200, { ...good, error: error(code) })).toBe("doubt and halt");
  });

  test("a code that elsewhere means success is doubt, never a rejection", () => {
    for (const code of [0, "0", "000", 200, "200", "OK", "success"])
      for (const status of [200, 400, 403])
        for (const body of [{ code, message: "done" }, { error: { code, message: null } }])
          expect(verdict(status, body), `${status} ${code}`).toBe("doubt");
  });

  test("only an absent error, null and an object of nulls are no error", () => {
    for (const clean of [{}, { error: null }, { error: {} }, { error: { code: null, message: null } }])
      expect(verdict(200, { ...good, ...clean }), JSON.stringify(clean)).toBe("accepted");
    for (const wrong of [
      "",
      false,
      true,
      0,
      1,
      "no",
      [],
      ["no"],
      { code: "" },
      { code: null, message: "" },
      { code: [] },
    ])
      expect(verdict(200, { ...good, error: wrong }), JSON.stringify(wrong)).toMatch(/^doubt/);
  });

  test("H03 a result that is no word for success is doubt, whatever stands beside it", () => {
    for (const result of ["ok", "success"]) expect(verdict(200, { ...good, result })).toBe("accepted");
    for (const result of ["error", "pending", "failure", "OK!", "", 0, []])
      expect(verdict(200, { ...good, result }), JSON.stringify(result)).toMatch(/^doubt/);
  });

  test("a body that says nothing is doubt", () => {
    for (const body of ["", "{", "[]", "null", "<html>", '{"a":1,"a":1}', "{}"])
      expect(verdict(200, body)).toBe("doubt");
  });
});

const sale = { bought: "98.9999", bought_currency: "CHF", sold: "100", sold_currency: "VCHF" };

test.each<[row: string, body: unknown, expected: object]>([
  [
    "H01 a named error keeps the venue's code to the letter",
    envelope({ result: "error", order: null, error: fok }),
    { kind: "rejected", failure: { code: "unfilled", venueCode: fok.code } },
  ],
  [
    "H01 another error is doubt",
    envelope({ order: null, error: { code: "Brand_New 7", message: null } }),
    { ...unknown, failure: { code: "unknown-code", venueCode: "Brand_New 7" } },
  ],
  ["H03 an error without a code", envelope({ order: null, error: { code: null, message: "?" } }), unknown],
  ["H02 an error and Filled", envelope({ error: fok }), stopped],
  ["H02 Rejected, and amounts", filled({ ordstatus: "Rejected" }), stopped],
  ["H02 the same with an error", envelope({ order: { ...filledOrder, ordstatus: "Rejected" }, error: fok }), stopped],
  ["H05 no order", envelope({ order: undefined }), stopped],
  ["H05 no fee currency: a fee of 0 is that in every one", filled({ fee_currency: null }), accepted],
  ["H06 unknown fields", { ...filled({ venue_mood: "good" }), server: 7 }, accepted],
  ["H08 another coin", filled({ bought_currency: "VGBP" }), stopped],
  ["H08 the other way round", filled({ bought_currency: "CHF", sold_currency: "VCHF" }), stopped],
  // 100 x 1.01 = 101; one unit of the sixth digit of the price is 100 x 0.000001 = 0.0001.
  ["H09 the limit to its last digit", filled({ sold: "101.0001" }), accepted],
  ["H09 less than was ordered", filled({ bought: "99.99999" }), stopped],
  ["H09 more than was ordered", filled({ bought: "100.00001" }), stopped],
  ["H09 a fee in the base", filled({ bought: "99.9", fee: "0.1", fee_currency: "VCHF" }), accepted],
  ["H10 a negative fee", filled({ fee: "-0.01" }), stopped],
  // 5 % of 100.5 is 5.025.
  ["H10 a fee of 5 %", filled({ fee: "5.025" }), accepted],
  ["H10 a fee over 5 %", filled({ fee: "5.026" }), stopped],
  ["H10 a fee in a third currency", filled({ fee: "0.01", fee_currency: "USDC" }), stopped],
  ["N17 the answer of another order", filled({ clordid: "T-abcdefgh-2" }), stopped],
  ["V17 control characters in an id", filled({ ordid: "9001\u{202e}" }), unknown],
])("%s", (_, body, expected) => {
  expect(answered(200, body)).toMatchObject(expected);
});

test("H04 an unknown ordstatus is doubt, a word alone stops nothing, and the message shows the value", () => {
  for (const ordstatus of ["New", "PartiallyFilled", "Filled?", "Done", "Canceled"]) {
    const outcome = answered(200, filled({ ordstatus }));
    expect(outcome).toMatchObject(unknown);
    expect(JSON.stringify(outcome)).toContain(ordstatus);
  }
});

test("H05 a missing field is doubt and never a zero", () => {
  for (const field of Object.keys(filledOrder).filter((one) => one !== "fee_currency"))
    for (const absent of [undefined, null, ""])
      expect(answered(200, filled({ [field]: absent })), field).toMatchObject({ kind: "doubt" });
});

test("H07 money as a number is taken by its own digits, and refused when they are not a plain decimal", () => {
  const withSold = (text: string) => JSON.stringify(filledEnvelope).replace('"sold":"100.5"', `"sold":${text}`);
  expect(answered(200, withSold("100.50"))).toMatchObject(accepted);
  for (const text of ["1e400", '["100.5"]', "{}", "true", '"NaN"', '"100,5"', '" 100.5"'])
    expect(answered(200, withSold(text)), text).toMatchObject({ kind: "doubt", failure: { code: "unreadable" } });
});

test("H09 a worse price stops new orders on either side, and both figures show", () => {
  const worse = answered(200, filled({ sold: "101.0002" }));
  expect(worse).toMatchObject(stopped);
  expect(JSON.stringify(worse)).toMatch(/101\D.*101\.0002/);
  const sold = { ...order, side: "sell", limit: Price.of("0.99") } as const;
  expect(answered(200, filled(sale), sold)).toMatchObject(accepted);
  expect(answered(200, filled({ ...sale, bought: "98.9998" }), sold)).toMatchObject(stopped);
});

test("H11 a timestamp without zone, impossible or missing is not a time, and changes nothing else", () => {
  for (const timestamp of ["2026-11-15 10:00:00", "2026-11-15T10:00:00", "2026-02-30T10:00:00Z", 179473680, null])
    expect(answered(200, envelope({ timestamp }))).toMatchObject({ kind: "accepted", value: { at: undefined } });
  for (const timestamp of [filledEnvelope.timestamp, 1794736800, "1794736800000"])
    expect(answered(200, envelope({ timestamp }))).toMatchObject({ value: { at: Date.UTC(2026, 10, 15, 10) } });
});

test("V17 control characters and long texts in messages arrive escaped and cut", () => {
  const message = `\u{1b}[2J\u{202e}${"x".repeat(1_000_000)}`;
  const outcome = answered(200, envelope({ order: null, error: { code: "bad_request", message } }));
  expect(outcome).toMatchObject({ kind: "rejected" });
  expect(JSON.stringify(outcome).length).toBeLessThan(1_000);
  expect(JSON.stringify(outcome)).not.toMatch(/\\u001b|\u{202e}/u);
});

test("H15 H16 H24 a 400, 401 or 403 without the documented body is doubt, by its status alone", () => {
  const bodies = ["", "<html>Forbidden</html>", "{}", '{"fehler":"nein"}', '{"message":"invalid order"}', "[]"];
  for (const [status, code] of [
    [400, "bad-request"],
    [401, "unauthorized"],
    [403, "forbidden"],
    [500, "venue-down"],
  ] as const)
    for (const body of bodies) expect(answered(status, body), body).toMatchObject({ ...unknown, failure: { code } });
});

test("an unfilled order is rejected under any word of refusal, in doubt under another one, and stops only where something moved", () => {
  const verdict = (row: object) => {
    const made = answered(200, { result: "error", order: row, error: error("fok_not_fillable") });
    return made.kind === "doubt" && made.halt ? "doubt and halt" : made.kind;
  };
  const words = ["REJECTED", undefined, "Failed", "Canceled", "expired", "unfilled"];
  for (const change of [{}, { bought: undefined, sold: undefined }, ...words.map((ordstatus) => ({ ordstatus }))])
    expect(verdict({ ...killed, ...change }), JSON.stringify(change)).toBe("rejected");
  for (const ordstatus of ["PartiallyFilled", "New", "Done"])
    expect(verdict({ ...killed, ordstatus }), ordstatus).toBe("doubt");
  for (const change of [
    { ordstatus: "filled" },
    { bought: "0.01" },
    { sold: "0.01" },
    { bought: undefined, sold: "100.5" },
    { clordid: "T-another" },
  ])
    expect(verdict({ ...killed, ...change }), JSON.stringify(change)).toBe("doubt and halt");
});

test("M02 a mint receipt without its request id or an amount is doubt; with an error and any id it halts", () => {
  for (const field of ["requestid", "fee", "spent", "spent_currency"])
    expect(minted(200, { ...mintReceipt, [field]: null }), field).toMatchObject(unknown);
  expect(minted(200, { ...mintReceipt, txid: null })).toMatchObject({
    kind: "accepted",
    value: { requestId: "mint-1", transactionId: undefined },
  });
  for (const id of [{ txid: "0xfeed" }, { requestid: "mint-1" }])
    expect(minted(200, { ...id, error: error("bad_request") })).toMatchObject(stopped);
});

test("the fee of a mint is in the currency that is named for it, and else in that of what was spent", () => {
  const fee = (change: object) => {
    const made = minted(200, { ...mintReceipt, ...change });
    return made.kind === "accepted" ? made.value.fee.asset : made.kind;
  };
  expect([fee({}), fee({ fee_currency: "VCHF" })]).toEqual(["CHF", "VCHF"]);
});

test("M08 a rejected rail is a rejection with its reason, under 200 alone; an unknown word is doubt and shown", () => {
  const rejected = railed(200, { ...railReceipt, status: "Rejected", reason: "party data missing" });
  expect(rejected).toMatchObject({ kind: "rejected", failure: { code: "rejected" } });
  expect(JSON.stringify(rejected)).toContain("party data missing");
  for (const status of [400, 403]) expect(railed(status, { railid: "r-1", status: "rejected" })).toMatchObject(unknown);
  const approved = railed(200, { ...railReceipt, status: "approved" });
  expect(approved).toMatchObject(unknown);
  expect(JSON.stringify(approved)).toContain("approved");
});

describe("a read", () => {
  const history = (status: number, body: unknown) =>
    classifyRead(answer(status, body), queryTrades(presets.contract).answer);

  test("fails by every row of the interface's table, flat and nested", () => {
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
      expect(history(status, body)).toEqual({ kind: "failed", failure });
      expect(history(status, { error: body })).toEqual({ kind: "failed", failure });
    }
  });

  test("OBSERVED meets the twins of 401 and 429 by their codes; money is in doubt under them", () => {
    for (const [status, body, code] of [
      [400, { code: "invalid_nonce", message: "" }, "unauthorized"],
      [400, { code: "invalid_request_limit", message: "" }, "rate-limited"],
      [403, { code: "forbidden", message: "Rate limit exceeded" }, "rate-limited"],
      [403, { message: "too many requests" }, "rate-limited"],
      [403, { code: "forbidden", message: "your corporate account" }, "forbidden"],
      [200, { trades: [], error: { code: "invalid_nonce", message: "" } }, "unauthorized"],
    ] as const) {
      expect(history(status, body)).toMatchObject({ kind: "failed", failure: { code } });
      expect(answered(status, body).kind).toBe("doubt");
    }
  });

  test("of a list beside anything that speaks against it fails: an empty one would pass for proof of nothing", () => {
    const verdict = (body: object) => history(200, { trades: [], ...body }).kind;
    for (const wrong of [
      "",
      "no",
      false,
      true,
      0,
      1,
      [],
      ["no"],
      { code: "x" },
      { code: "" },
      { code: [] },
      { message: "no" },
    ])
      expect(verdict({ error: wrong }), JSON.stringify(wrong)).toBe("failed");
    for (const result of ["error", "failure", "pending", "", {}]) expect(verdict({ result })).toBe("failed");
    for (const code of ["internal_error", 500, "", {}]) expect(verdict({ code })).toBe("failed");
    for (const good of [
      {},
      { error: null },
      { error: { code: null } },
      { result: "ok" },
      { result: "success" },
      { code: 0 },
    ])
      expect(verdict(good), JSON.stringify(good)).toBe("read");
  });
});
