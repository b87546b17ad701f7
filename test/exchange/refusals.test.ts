// What refuses an order, a mint or a rail: the interface's table, body by body and status by status. Everything that the
// table does not name leaves the outcome unknown.

import { expect, test } from "vitest";
import { millis } from "../../src/domain/time.ts";
import { classifyMoney } from "../../src/exchange/classify.ts";
import { addOrder } from "../../src/exchange/endpoint/add-order.ts";
import { addPaymentRail } from "../../src/exchange/endpoint/add-payment-rail.ts";
import type { MoneyEndpoint } from "../../src/exchange/endpoint/endpoint.ts";
import { mintTokens } from "../../src/exchange/endpoint/mint-tokens.ts";
import type { Observation } from "../../src/exchange/wire/http-attempt.ts";
import { isNamedRefusal } from "../support/refusal-oracle.ts";
import { mint, order, rail } from "../support/wire.ts";

const endpoints: readonly MoneyEndpoint<unknown>[] = [addOrder(order), mintTokens(mint), addPaymentRail(rail)];
const STATUSES = [200, 400, 403, 404, 401, 408, 409, 422, 429, 500, 502, 504];

const flat = (code: unknown, status?: unknown) => ({ code, status, message: "" });
const nested = (code: unknown, status?: unknown) => ({ error: { code, status, message: "" } });
const envelope = (code: string, order: object | null) => ({ result: "error", order, error: { code, message: "" } });
const killed = { clordid: order.clientOrderId, ordid: "9002", ordstatus: "Rejected", bought: "0", sold: "0" };

/** A body, and where it refuses: `order 200` and so on; nothing means nowhere. */
const BODIES: readonly (readonly [object, string])[] = [
  // Named codes.
  [flat("bad_request", 400), "order 400, mint 400, rail 400"],
  [nested("bad_request", 400), "order 200, mint 200, rail 200, order 400, mint 400, rail 400"],
  [flat("unknown_symbol", 400), "order 400"],
  [flat("invalid order", 400), "order 400"],
  [flat("min_amount_below_threshold", 400), "mint 400"],
  [nested("min_amount_below_threshold"), "mint 200, mint 400"],
  [flat("kyb_required", 403), "order 403, mint 403, rail 403"],
  [nested("agreement_missing"), "order 200, mint 200, rail 200, order 403, mint 403, rail 403"],
  [flat("external_wallet_not_whitelisted", 403), "mint 403, rail 403"],
  // Order errors.
  [envelope("fok_not_fillable", killed), "order 200, order 400"],
  [envelope("non_marketable_fok_limit_price", killed), "order 200, order 400"],
  [envelope("limit_too_far_from_market_price", null), "order 200, order 400"],
  [{ ...envelope("fok_not_fillable", killed), result: "ok" }, "order 200, order 400"],
  // Another status or code inside.
  [flat("bad_gateway", 502), ""],
  [nested("bad_gateway", 502), ""],
  [flat("bad_request", 502), ""],
  [nested("bad_request", "502"), ""],
  [{ ...nested("bad_request"), status: 500 }, ""],
  [{ ...nested("bad_request"), code: "bad_gateway" }, ""],
  [{ ...nested("bad_request"), status: { code: 400 } }, ""],
  [{ ...nested("fok_not_fillable", 502), order: killed }, ""],
  // Codes that the interface does not name.
  [flat("internal_error", 500), ""],
  [flat("insufficient_funds", 400), ""],
  [flat("0"), ""],
  [envelope("insufficient_funds", killed), ""],
  [envelope("service_unavailable", killed), ""],
  [flat("not_found", 404), ""],
  // Codes that are also said of requests that landed.
  [flat("signature_failure", 401), ""],
  [flat("invalid_nonce", 400), ""],
  [flat("rate_limited", 429), ""],
  [flat("invalid_request_limit", 400), ""],
  // No code.
  [{}, ""],
  [{ error: "bad_request" }, ""],
  [{ error: { message: "bad request", status: 400 } }, ""],
  [{ result: "error", order: killed }, ""],
  [{ ...nested("bad_request"), result: "processing" }, ""],
  // Something happened, or may have.
  [envelope("fok_not_fillable", { ...killed, ordstatus: "Filled" }), ""],
  [envelope("fok_not_fillable", { ...killed, bought: "100" }), ""],
  [envelope("fok_not_fillable", { ...killed, ordstatus: "PartiallyFilled" }), ""],
  [envelope("fok_not_fillable", { ...killed, clordid: "T-another" }), ""],
  [{ ...flat("min_amount_below_threshold", 400), requestid: "mint-1" }, ""],
  [{ ...flat("min_amount_below_threshold", 400), spent: "120000" }, ""],
  [{ ...nested("external_wallet_not_whitelisted"), railid: "r-1" }, "mint 200, mint 403"],
  // Rails have a status of their own.
  [{ railid: "r-1", status: "rejected", reason: "invalid party" }, "rail 200"],
  [{ status: "rejected", reason: "invalid party" }, "rail 200"],
  [{ status: "rejected" }, ""],
  [{ railid: "r-1", status: "rejected", reason: "x", result: "processing" }, ""],
  [{ status: "rejected", reason: "x", error: { code: "bad_gateway" } }, ""],
];

const verdict = (endpoint: MoneyEndpoint<unknown>, status: number, text: string, further?: readonly string[]) => {
  const answer = { status, contentType: undefined, at: undefined, receivedAt: millis(0), retryAfterMs: undefined };
  const seen: Observation = { kind: "answer", answer: { ...answer, body: Buffer.from(text) } };
  return classifyMoney(seen, endpoint, further);
};

test.each(BODIES)("%j refuses: %s", (body, where) => {
  const text = JSON.stringify(body);
  for (const endpoint of endpoints)
    for (const status of STATUSES) {
      const at = `${endpoint.kind} ${status}`;
      const isNamed = where.split(", ").includes(at);
      expect(verdict(endpoint, status, text).kind, at).toBe(isNamed ? "rejected" : "doubt");
      // The oracle of the fuzzer agrees with the table, but for what an order says of another one.
      if (!text.includes("T-another")) expect(isNamedRefusal(endpoint.kind, status, text), at).toBe(isNamed);
    }
});

test("a code that the profile names refuses with 400, 403 and 404, and in the error object of a 200", () => {
  for (const endpoint of endpoints) {
    const kindOf = (status: number, body: object) =>
      verdict(endpoint, status, JSON.stringify(body), ["Insufficient-Funds"]).kind;
    for (const status of STATUSES) {
      const isTaken = [400, 403, 404].includes(status);
      expect(kindOf(status, flat("insufficient_funds")), String(status)).toBe(isTaken ? "rejected" : "doubt");
      expect(kindOf(status, flat("insufficient_funds", 502)), String(status)).toBe("doubt");
      expect(kindOf(status, flat("limit_reached")), String(status)).toBe("doubt");
      const inside = isTaken || status === 200;
      expect(kindOf(status, nested("insufficient_funds")), String(status)).toBe(inside ? "rejected" : "doubt");
    }
  }
});

test("an unknown outcome names the code, and the switch that would make it a refusal", () => {
  const made = verdict(endpoints[0] as MoneyEndpoint<unknown>, 400, JSON.stringify(flat("insufficient_funds", 400)));
  expect(made).toMatchObject({
    kind: "doubt",
    halt: false,
    failure: {
      code: "unknown-code",
      venueCode: "insufficient_funds",
      message: "insufficient_funds (not a refusal that the interface names; venue.profile.refusals can name it)",
    },
  });
});

test("a rate limit or a stale nonce with another status inside is neither: it would be released too early", () => {
  const codeOf = (status: number, body: object) => {
    const made = verdict(endpoints[0] as MoneyEndpoint<unknown>, status, JSON.stringify(body));
    return made.kind === "doubt" ? made.failure.code : made.kind;
  };
  expect(codeOf(400, flat("invalid_request_limit", 400))).toBe("rate-limited");
  expect(codeOf(200, flat("rate_limited", 429))).toBe("rate-limited");
  expect(codeOf(200, flat("rate_limited", 502))).toBe("unclear");
  expect(codeOf(429, flat("rate_limited", 429))).toBe("rate-limited");
  expect(codeOf(429, flat("bad_gateway", 502))).toBe("unclear");
  expect(codeOf(400, flat("invalid_nonce", 500))).toBe("unclear");
  expect(codeOf(502, flat("rate_limited", 429))).toBe("venue-down");
});
