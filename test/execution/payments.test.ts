// Payments on a rail to a bank: what the accounts hear of them.

import { expect, test } from "vitest";
import { Accounts } from "../../src/bot/accounts/accounts.ts";
import { Money } from "../../src/domain/money/money.ts";
import type { RailIntent } from "../../src/domain/rail.ts";
import { millis } from "../../src/domain/time.ts";
import { Payments } from "../../src/execution/payments.ts";
import { CHF, VCHF } from "./life.ts";

const RAIL: RailIntent = {
  type: "StablecoinToFiat",
  sender: { name: "Zürich Handels AG", country: "CH", type: "company" },
  destination: "CH93",
  memo: undefined,
  asset: VCHF,
  currency: CHF,
  blockchain: "ETH",
  known: [],
};

function lived(...statuses: readonly string[]): readonly string[] {
  const payments = new Payments();
  const accounts = new Accounts(0);
  accounts.adopt([Money.of("1000", VCHF)]);
  for (const status of statuses) {
    const row = { railId: "a", paymentId: "p1", status, amount: Money.of("400", VCHF), at: undefined };
    for (const { id, report } of payments.see([row], () => ({ id: "L-1", request: RAIL }), millis(0)).events)
      expect(accounts.move(id, report, millis(0))).toBeUndefined();
  }
  return [String(accounts.held(VCHF)), String(accounts.inFlight(CHF))];
}

test("a payment to a bank is in flight until it has settled", () => {
  expect(lived("pending", "pending")).toEqual(["600", "400"]);
  expect(lived("pending", "settled", "settled")).toEqual(["600", "0"]);
});

test("a payment that is rejected leaves nothing in flight: its coins are owned once", () => {
  expect(lived("pending", "Rejected", "rejected")).toEqual(["1000", "0"]);
  expect(lived("rejected", "rejected")).toEqual(["1000", "0"]);
});

test("a payment to our account whose amount is told later is booked then, once", () => {
  const payments = new Payments();
  const accounts = new Accounts(0);
  const request: RailIntent = { ...RAIL, type: "FiatToStablecoin", toAccount: true };
  const rows = [
    { status: "pending", amount: undefined },
    { status: "pending", amount: Money.of("400", VCHF) },
    { status: "settled", amount: Money.of("400", VCHF) },
    { status: "settled", amount: Money.of("400", VCHF) },
  ];
  for (const row of rows)
    for (const { id, report } of payments.see(
      [{ railId: "a", paymentId: "p1", at: undefined, ...row }],
      () => ({ id: "L-1", request }),
      millis(0),
    ).events)
      expect(accounts.move(id, report, millis(0))).toBeUndefined();
  expect([String(accounts.held(VCHF)), String(accounts.inFlight(VCHF))]).toEqual(["400", "0"]);
});
