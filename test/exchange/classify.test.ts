// The table of verdicts on a request that moves money, row by row, without a network: order, mint and rail alike.

import { describe, expect, test } from "vitest";
import { millis } from "../../src/domain/time.ts";
import { classifyMoney, classifyRead } from "../../src/exchange/classify.ts";
import { addOrder } from "../../src/exchange/endpoint/add-order.ts";
import { addPaymentRail } from "../../src/exchange/endpoint/add-payment-rail.ts";
import type { MoneyEndpoint } from "../../src/exchange/endpoint/endpoint.ts";
import { mintTokens } from "../../src/exchange/endpoint/mint-tokens.ts";
import { queryTrades } from "../../src/exchange/endpoint/query-trades.ts";
import { presets } from "../../src/exchange/profile.ts";
import type { Observation } from "../../src/exchange/wire/http-attempt.ts";
import { filledEnvelope, mint, mintReceipt, order, rail, railReceipt } from "../support/wire.ts";

const answer = (status: number, body: unknown): Observation => ({
  kind: "answer",
  answer: {
    status,
    contentType: undefined,
    body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
    at: undefined,
    receivedAt: millis(0),
    retryAfterMs: undefined,
  },
});
const broken = (code: string): Observation => ({ kind: "broken", code, message: "", status: undefined });
const error = (code: string) => ({ code, status: 400, message: "" });

const kinds: readonly [string, MoneyEndpoint<unknown>, object][] = [
  ["order", addOrder(order), filledEnvelope],
  ["mint", mintTokens(mint), mintReceipt],
  ["rail", addPaymentRail(rail), railReceipt],
];

describe.each(kinds)("%s", (_, endpoint, good) => {
  const verdict = (observation: Observation) => {
    const made = classifyMoney(observation, endpoint);
    return made.kind === "doubt" && made.halt ? "doubt and halt" : made.kind;
  };

  test("a named code is a rejection with its own status, or in the error object of a 200, and doubt with every other", () => {
    for (const [code, own] of [
      ["bad_request", 400],
      ["kyb_required", 403],
    ] as const)
      for (let status = 200; status < 600; status++) {
        const body = { code, status: own, message: "" };
        expect(verdict(answer(status, body)), `${status} ${code}`).toBe(status === own ? "rejected" : "doubt");
        const isNamed = status === own || status === 200;
        expect(verdict(answer(status, { error: body })), `${status} ${code}`).toBe(isNamed ? "rejected" : "doubt");
      }
  });

  test("two answers are doubt and halt", () => {
    expect(verdict(broken("two-answers"))).toBe("doubt and halt");
  });

  test("200 with an error and with what happened is doubt and halt", () => {
    for (const code of ["some_code", "bad_request"])
      expect(verdict(answer(200, { ...good, error: error(code) }))).toBe("doubt and halt");
  });

  test("a code that elsewhere means success is doubt, never a rejection", () => {
    for (const code of [0, "0", "000", 200, "200", "OK", "success"])
      for (const status of [200, 400, 403])
        for (const body of [{ code, message: "done" }, { error: { code, message: null } }])
          expect(verdict(answer(status, body)), `${status} ${code}`).toBe("doubt");
  });

  test("only an absent error, null and an object of nulls are no error", () => {
    for (const clean of [{}, { error: null }, { error: {} }, { error: { code: null, message: null } }])
      expect(verdict(answer(200, { ...good, ...clean })), JSON.stringify(clean)).toBe("accepted");
    for (const unclean of [
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
      expect(verdict(answer(200, { ...good, error: unclean })), JSON.stringify(unclean)).toMatch(/^doubt/);
  });

  test("a result that is no word for success is doubt, whatever stands beside it", () => {
    for (const result of ["ok", "success"]) expect(verdict(answer(200, { ...good, result }))).toBe("accepted");
    for (const result of ["error", "pending", "failure", "", 0, []])
      expect(verdict(answer(200, { ...good, result })), JSON.stringify(result)).toMatch(/^doubt/);
  });

  test("200 with a body that says nothing is doubt", () => {
    for (const body of ["", "{", "[]", "null", "<html>", '{"a":1,"a":1}'])
      expect(verdict(answer(200, body))).toBe("doubt");
    expect(verdict(answer(200, "{}"))).toBe("doubt");
  });
});

test("an order with an unfilled error is rejected under any word of refusal, in doubt under another one, and stops only where something moved", () => {
  const verdict = (answered: object) => {
    const body = { result: "error", order: answered, error: error("fok_not_fillable") };
    const made = classifyMoney(answer(200, body), addOrder(order));
    return made.kind === "doubt" && made.halt ? "doubt and halt" : made.kind;
  };
  const killed = { ...filledEnvelope.order, ordstatus: "Rejected", bought: "0", sold: "0.00" };
  for (const change of [
    {},
    ...["REJECTED", undefined, "Failed", "Canceled", "expired", "unfilled"].map((ordstatus) => ({ ordstatus })),
    { bought: undefined, sold: undefined },
  ])
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

test("a mint with an error and any id of its own, be it only of its transaction, is doubt and halt", () => {
  for (const id of [{ txid: "0xfeed" }, { requestid: "mint-1" }]) {
    const body = { ...id, error: error("bad_request") };
    const made = classifyMoney(answer(200, body), mintTokens(mint));
    expect([made.kind, "halt" in made && made.halt], JSON.stringify(id)).toEqual(["doubt", true]);
  }
});

test("a rail that comes back rejected under a status other than 200, without an error code, is doubt", () => {
  const body = { railid: "r-1", status: "rejected" };
  const verdict = (status: number) => classifyMoney(answer(status, body), addPaymentRail(rail)).kind;
  expect([200, 400, 403].map(verdict)).toEqual(["rejected", "doubt", "doubt"]);
});

test("the fee of a mint is in the currency that is named for it, and else in that of what was spent", () => {
  const fee = (change: object) => {
    const body = { ...mintReceipt, ...change };
    const made = classifyMoney(answer(200, body), mintTokens(mint));
    return made.kind === "accepted" ? made.value.fee.asset : made.kind;
  };
  expect([fee({}), fee({ fee_currency: "VCHF" })]).toEqual(["CHF", "VCHF"]);
});

const trades = queryTrades(presets.contract);

test("a list beside anything that speaks against it is not read: an empty one would pass for proof of nothing", () => {
  const verdict = (body: object) => classifyRead(answer(200, body), trades.answer).kind;
  for (const error of [
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
    expect(verdict({ trades: [], error }), JSON.stringify(error)).toBe("failed");
  for (const result of ["error", "failure", "pending", "", {}]) expect(verdict({ trades: [], result })).toBe("failed");
  for (const code of ["internal_error", 500, "", {}]) expect(verdict({ trades: [], code })).toBe("failed");
  for (const good of [
    {},
    { error: null },
    { error: { code: null } },
    { result: "ok" },
    { result: "success" },
    { code: 0 },
  ])
    expect(verdict({ trades: [], ...good }), JSON.stringify(good)).toBe("read");
});
