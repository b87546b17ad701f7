// The interface's table of errors and the twins that were observed, as reads and orders meet them on a real socket.

import { describe, expect, test } from "vitest";
import type { Reading } from "../../src/exchange/port.ts";
import { type Ask, asked } from "../support/asking.ts";
import { always } from "../support/fault-server.ts";
import { codeOf, order, paying, playing, reading } from "../support/wire.ts";

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
      [403, { code: "forbidden", message: "your corporate account" }, "forbidden", false],
    ] as const;
    for (const [status, body, code, rateLimited] of twins)
      await playing(
        always((line) => line.json(status, body)),
        {},
        async ({ exchange, budget }) => {
          expect(codeOf(await exchange.orders(reading)), code).toBe(code);
          expect(budget.ends).toMatchObject([{ kind: "answered", rateLimited }]);
          const outcome = await exchange.addOrder(order, paying());
          expect(outcome.kind).toBe("doubt");
        },
      );
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
