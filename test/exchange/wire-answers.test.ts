// Statuses and bodies, on real sockets, each named after its row: what an order makes of it, and what must never follow.

import { describe, expect, test } from "vitest";
import { Price } from "../../src/domain/money/money.ts";
import type { OutgoingOrder } from "../../src/exchange/port.ts";
import { always } from "../support/fault-server.ts";
import {
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
} from "../support/wire.ts";

/** What an order becomes when the venue answers with this. */
async function answered(status: number, body: unknown, sent: OutgoingOrder = order, headers = {}) {
  let outcome: unknown;
  const script = always((line) => line.answer(status, typeof body === "string" ? body : JSON.stringify(body), headers));
  await playing(script, {}, async ({ venue, exchange, budget }) => {
    outcome = { ...(await exchange.addOrder(sent, paying())), end: budget.ends[0] };
    expect(venue.requests()).toHaveLength(1);
  });
  return outcome;
}

const envelope = (changes: object): object => ({ ...filledEnvelope, ...changes });
const filled = (changes: object): object => envelope({ order: { ...filledOrder, ...changes } });
const without = (field: string): object =>
  envelope({ order: Object.fromEntries(Object.entries(filledOrder).filter(([name]) => name !== field)) });
const fok = { code: "non_marketable_fok_limit_price", message: "order could not be filled" };
const stopped = { kind: "doubt", failure: { code: "contradiction" }, halt: true };

describe.concurrent("200", () => {
  test("H01 an error object with a named code is a rejection, with any other doubt; the venue's code is kept to the letter", async () => {
    expect(await answered(200, envelope({ result: "error", order: null, error: fok }))).toMatchObject({
      kind: "rejected",
      failure: { code: "unfilled", venueCode: "non_marketable_fok_limit_price" },
    });
    const killed = { ...filledOrder, ordstatus: "Rejected", bought: "0", sold: "0.00" };
    expect(await answered(200, envelope({ order: killed, error: fok }))).toMatchObject({ kind: "rejected" });
    expect(await answered(200, envelope({ order: null, error: { code: "Brand_New 7", message: null } }))).toMatchObject(
      {
        kind: "doubt",
        failure: { code: "unknown-code", venueCode: "Brand_New 7" },
      },
    );
  });

  test("H02 an error together with Filled, or with amounts, is doubt and stops new orders", async () => {
    expect(await answered(200, envelope({ error: fok }))).toMatchObject(stopped);
    expect(await answered(200, filled({ ordstatus: "Rejected" }))).toMatchObject(stopped);
    const moved = { order: { ...filledOrder, ordstatus: "Rejected" }, error: fok };
    expect(await answered(200, envelope(moved))).toMatchObject(stopped);
  });

  test("H03 a result that is not ok, without an error, is doubt", async () => {
    for (const result of ["error", "pending", "OK!", null])
      expect(await answered(200, envelope({ result }))).toMatchObject({ kind: "doubt", failure: { code: "unclear" } });
    expect(
      (await answered(200, envelope({ order: null, error: { code: null, message: "?" } }))) as object,
    ).toMatchObject({
      kind: "doubt",
      failure: { code: "rejected" },
    });
  });

  test("H04 an unknown ordstatus is doubt, a word alone stops nothing, and the message shows the value", async () => {
    for (const ordstatus of ["New", "PartiallyFilled", "Filled?", "Done", "Canceled"]) {
      const outcome = await answered(200, filled({ ordstatus }));
      expect(outcome).toMatchObject({ kind: "doubt", halt: false });
      expect(JSON.stringify(outcome)).toContain(ordstatus);
    }
  });

  test("H05 a missing field is doubt and never a zero", async () => {
    // A fee of 0 is that in every currency.
    expect(await answered(200, without("fee_currency"))).toMatchObject({ kind: "accepted" });
    for (const field of Object.keys(filledOrder).filter((one) => one !== "fee_currency")) {
      expect(await answered(200, without(field)), field).toMatchObject({ kind: "doubt" });
      expect(await answered(200, filled({ [field]: null })), field).toMatchObject({ kind: "doubt" });
      expect(await answered(200, filled({ [field]: "" })), field).toMatchObject({ kind: "doubt" });
    }
    expect(await answered(200, envelope({ order: undefined }))).toMatchObject(stopped);
  });

  test("H06 unknown fields are accepted", async () => {
    const script = always((line) => line.json(200, { ...filled({ venue_mood: "good" }), server: 7 }));
    await playing(script, {}, async ({ exchange }) => {
      expect((await exchange.addOrder(order, paying())).kind).toBe("accepted");
    });
  });

  test("H07 money as a number is taken by its own digits, and refused when they are not a plain decimal", async () => {
    const number = JSON.stringify(filledEnvelope).replace('"sold":"100.5"', '"sold":100.50');
    expect(await answered(200, number)).toMatchObject({ kind: "accepted" });
    for (const text of ["1e400", '["100.5"]', "{}", "true", '"NaN"', '"100,5"', '" 100.5"']) {
      const body = JSON.stringify(filledEnvelope).replace('"sold":"100.5"', `"sold":${text}`);
      expect(await answered(200, body), text).toMatchObject({ kind: "doubt", failure: { code: "unreadable" } });
    }
  });

  test("H08 currencies that do not fit symbol and side stop new orders", async () => {
    expect(await answered(200, filled({ bought_currency: "VGBP" }))).toMatchObject(stopped);
    expect(await answered(200, filled({ bought_currency: "CHF", sold_currency: "VCHF" }))).toMatchObject(stopped);
  });

  test("H09 a worse price or another quantity stops new orders, and both figures show", async () => {
    // 100 x 1.01 = 101; one unit of the sixth digit of the price is 100 x 0.000001 = 0.0001.
    expect(await answered(200, filled({ sold: "101.0001" }))).toMatchObject({ kind: "accepted" });
    const worse = await answered(200, filled({ sold: "101.0002" }));
    expect(worse).toMatchObject(stopped);
    expect(JSON.stringify(worse)).toMatch(/101\D.*101\.0002/);
    expect(await answered(200, filled({ bought: "99.99999" }))).toMatchObject(stopped);
    expect(await answered(200, filled({ bought: "100.00001" }))).toMatchObject(stopped);
    expect(await answered(200, filled({ bought: "99.9", fee: "0.1", fee_currency: "VCHF" }))).toMatchObject({
      kind: "accepted",
    });
    const sale: OutgoingOrder = { ...order, side: "sell", limit: Price.of("0.99") };
    const sold = { bought: "98.9999", bought_currency: "CHF", sold: "100", sold_currency: "VCHF" };
    expect(await answered(200, filled(sold), sale)).toMatchObject({ kind: "accepted" });
    expect(await answered(200, filled({ ...sold, bought: "98.9998" }), sale)).toMatchObject(stopped);
  });

  test("H10 a fee below zero, over 5 % or in a third currency stops new orders", async () => {
    expect(await answered(200, filled({ fee: "-0.01" }))).toMatchObject(stopped);
    // 5 % of 100.5 is 5.025.
    expect(await answered(200, filled({ fee: "5.025" }))).toMatchObject({ kind: "accepted" });
    expect(await answered(200, filled({ fee: "5.026" }))).toMatchObject(stopped);
    expect(await answered(200, filled({ fee: "0.01", fee_currency: "USDC" }))).toMatchObject(stopped);
  });

  test("H11 a timestamp without zone, impossible or missing is not a time, and changes nothing else", async () => {
    for (const timestamp of ["2026-11-15 10:00:00", "2026-11-15T10:00:00", "2026-02-30T10:00:00Z", 179473680, null]) {
      const outcome = await answered(200, envelope({ timestamp }));
      expect(outcome, String(timestamp)).toMatchObject({ kind: "accepted", value: { at: undefined } });
    }
    for (const timestamp of [filledEnvelope.timestamp, 1794736800, "1794736800000"])
      expect(await answered(200, envelope({ timestamp }))).toMatchObject({ value: { at: Date.UTC(2026, 10, 15, 10) } });
  });

  test("H25 a maintenance page with 200 is doubt", async () => {
    const page = "<html><h1>Back soon</h1></html>";
    expect(await answered(200, page)).toMatchObject({ kind: "doubt", failure: { code: "html" }, halt: false });
  });

  test("V17 control characters and long texts in messages arrive escaped and cut", async () => {
    const message = `\u{1b}[2J\u{202e}${"x".repeat(1_000_000)}`;
    const outcome = await answered(200, envelope({ order: null, error: { code: "bad_request", message } }));
    expect(outcome).toMatchObject({ kind: "rejected" });
    expect(JSON.stringify(outcome).length).toBeLessThan(1_000);
    expect(JSON.stringify(outcome)).not.toMatch(/\\u001b|\u{202e}/u);
    expect(await answered(200, filled({ ordid: "9001\u{202e}" }))).toMatchObject({ kind: "doubt" });
  });
});

describe.concurrent("other statuses", () => {
  const error = (status: number, code: string, message = "no") => ({ code, status, message });

  test("H12 a documented 400 is a rejection, flat or nested", async () => {
    for (const body of [error(400, "bad_request"), { error: error(400, "bad_request") }])
      expect(await answered(400, body)).toMatchObject({
        kind: "rejected",
        failure: { code: "bad-request", status: 400 },
      });
  });

  test("H13 an unknown symbol has a code of its own", async () => {
    for (const code of ["unknown_symbol", "unknown symbol", "Unknown-Symbol"])
      expect(await answered(400, error(400, code))).toMatchObject({
        kind: "rejected",
        failure: { code: "unknown-symbol" },
      });
  });

  test("H14 a 401 on a read says unauthorized, once", async () => {
    const script = always((line) => line.json(401, error(401, "signature_failure")));
    await playing(script, {}, async ({ venue, exchange }) => {
      expect(codeOf(await exchange.balances(reading))).toBe("unauthorized");
      expect(venue.requests()).toHaveLength(1);
    });
  });

  test("H15 H16 a 401 on money is doubt, with any body", async () => {
    for (const body of [error(401, "signature_failure"), error(401, "min_amount_below_threshold"), "", "<html>", "{}"])
      expect(await answered(401, body)).toMatchObject({ kind: "doubt", halt: false });
    expect(await answered(401, "")).toMatchObject({ failure: { code: "unauthorized" } });
  });

  test("H18 H19 403 with a documented body is a rejection by its code", async () => {
    for (const [code, ours] of [
      ["kyb_required", "kyb-required"],
      ["agreement_missing", "agreement-missing"],
    ] as const)
      expect(await answered(403, error(403, code))).toMatchObject({
        kind: "rejected",
        failure: { code: ours, venueCode: code },
      });
  });

  test("H20 a 429 is doubt for money, and the budget hears of it", async () => {
    for (const body of [error(429, "rate_limited"), ""])
      expect(await answered(429, body)).toMatchObject({
        kind: "doubt",
        failure: { code: "rate-limited" },
        end: { kind: "answered", rateLimited: true },
      });
  });

  test("H22 500, 502, 503 and 504 are doubt, also with a documented body", async () => {
    for (const status of [500, 502, 503, 504, 599])
      for (const body of [error(status, "bad_request"), error(status, "boom"), ""])
        expect(await answered(status, body)).toMatchObject({ kind: "doubt", halt: false });
  });

  test("H23 Retry-After is read as seconds or as a date, and the budget hears of it as it stands", async () => {
    const date = "Sun, 15 Nov 2026 10:00:00 GMT";
    for (const [text, expected] of [
      ["3", 3_000],
      ["0", 0],
      ["31536000", 31_536_000_000],
      ["Sun, 15 Nov 2026 10:00:07 GMT", 7_000],
      ["Sun, 15 Nov 2026 09:00:00 GMT", undefined],
      ["soon", undefined],
      ["-5", undefined],
      ["1e9", undefined],
    ] as const)
      expect(await answered(503, "", order, { date, "retry-after": text }), text).toMatchObject({
        end: {
          kind: "answered",
          rateLimited: false,
          retryAfter: expected === undefined ? undefined : { ms: expected, status: 503, call: "addOrder" },
        },
      });
  });

  test("Retry-After of any other status pauses nothing", async () => {
    for (const status of [200, 301, 400, 401, 403, 404, 500, 502])
      expect(await answered(status, "", order, { "retry-after": "60" }), String(status)).not.toMatchObject({
        end: { retryAfter: expect.anything() },
      });
    expect(await answered(429, "", order, { "retry-after": "60" })).toMatchObject({
      end: { retryAfter: { ms: 60_000 } },
    });
  });

  test("H24 a 400 or 403 without the documented body is doubt, by its status alone", async () => {
    for (const body of ["", "<html>Forbidden</html>", "{}", '{"fehler":"nein"}', '{"message":"invalid order"}', "[]"]) {
      expect(await answered(400, body), body).toMatchObject({ kind: "doubt", failure: { code: "bad-request" } });
      expect(await answered(403, body), body).toMatchObject({ kind: "doubt", failure: { code: "forbidden" } });
    }
  });

  test("statuses that the interface does not know are doubt, also with a documented body", async () => {
    for (const status of [404, 405, 409, 410, 422, 451])
      expect(await answered(status, error(status, "bad_request"))).toMatchObject({ kind: "doubt", halt: false });
  });
});

describe.concurrent("mint and rail", () => {
  async function minted(status: number, body: unknown) {
    let outcome: unknown;
    await playing(
      always((line) => line.json(status, body)),
      {},
      async ({ exchange }) => {
        outcome = await exchange.mintTokens(mint, paying());
      },
    );
    return outcome;
  }
  async function railed(status: number, body: unknown) {
    let outcome: unknown;
    await playing(
      always((line) => line.json(status, body)),
      {},
      async ({ exchange }) => {
        outcome = await exchange.addPaymentRail(rail, paying());
      },
    );
    return outcome;
  }

  test("M02 a mint receipt without its request id, or without an amount, is doubt", async () => {
    for (const field of ["requestid", "fee", "spent", "spent_currency"])
      expect(await minted(200, { ...mintReceipt, [field]: null }), field).toMatchObject({ kind: "doubt", halt: false });
    expect(await minted(200, { ...mintReceipt, txid: null })).toMatchObject({
      kind: "accepted",
      value: { requestId: "mint-1", transactionId: undefined },
    });
    expect(await minted(200, { ...mintReceipt, error: { code: "held", message: "?" } })).toMatchObject(stopped);
  });

  test("M06 a mint below the minimum is a rejection", async () => {
    const body = { code: "min_amount_below_threshold", status: 400, message: "below 100000 GBP" };
    expect(await minted(400, body)).toMatchObject({ kind: "rejected", failure: { code: "below-minimum" } });
    expect(await minted(200, { error: body })).toMatchObject({ kind: "rejected", failure: { code: "below-minimum" } });
    const wallet = { code: "external_wallet_not_whitelisted", status: 403, message: "" };
    expect(await minted(403, wallet)).toMatchObject({ kind: "rejected", failure: { code: "not-whitelisted" } });
  });

  test("M08 a rail that comes back rejected is a rejection with its reason", async () => {
    const outcome = await railed(200, { ...railReceipt, status: "rejected", reason: "party data missing" });
    expect(outcome).toMatchObject({ kind: "rejected", failure: { code: "rejected" } });
    expect(JSON.stringify(outcome)).toContain("party data missing");
    expect(await railed(200, { ...railReceipt, status: "Rejected" })).toMatchObject({ kind: "rejected" });
  });

  test("a rail under a word that nobody knows is doubt, with the word", async () => {
    const outcome = await railed(200, { ...railReceipt, status: "approved" });
    expect(outcome).toMatchObject({ kind: "doubt", halt: false });
    expect(JSON.stringify(outcome)).toContain("approved");
  });

  test("a 401 or a 5xx on a mint or a rail is doubt", async () => {
    for (const status of [401, 429, 500, 503]) {
      expect(await minted(status, { code: "x", status, message: "" })).toMatchObject({ kind: "doubt" });
      expect(await railed(status, { code: "x", status, message: "" })).toMatchObject({ kind: "doubt" });
    }
  });
});
