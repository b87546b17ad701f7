// What is remembered of fills: all of them, for good and to the last digit.

import { expect, it } from "vitest";
import { type Trade, Trades } from "../../../src/books/accounts/trades.ts";
import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import { Money } from "../../../src/domain/money/money.ts";
import type { ClientOrderId, Fill } from "../../../src/domain/order.ts";
import { millis } from "../../../src/domain/time.ts";

const FILLS = 3_000;

function fillOf(count: number, tradeId: string | undefined): Fill {
  return {
    clientOrderId: `T-trades00-${count}` as ClientOrderId,
    orderId: `O${count}`,
    tradeId,
    symbol: "VCHF/CHF" as PairSymbol,
    side: "buy",
    bought: Money.of(`${count}.000000000000000001`, "VCHF" as Asset),
    sold: Money.of(`${count}`, "CHF" as Asset),
    fee: Money.of("0.01", "CHF" as Asset),
    at: millis(count),
  };
}

function problemOf(trades: Trades, fill: Fill): string | undefined {
  return trades.contradiction(fill, trades.find(fill.clientOrderId));
}

/** Every third is named by history at once, the rest not. */
function booked(): Trades {
  const trades = new Trades();
  for (let count = 1; count <= FILLS; count++) trades.add(fillOf(count, count % 3 === 0 ? `V\n${count}` : undefined));
  return trades;
}

it("a fill is known however many came after it, and contradicted by other amounts or another trade", () => {
  const trades = booked();
  for (const count of [1, 3, FILLS - 1, FILLS]) {
    expect(trades.find(fillOf(count, undefined).clientOrderId)?.id).toBe(`T-trades00-${count}`);
    expect(problemOf(trades, fillOf(count, count % 3 === 0 ? `V\n${count}` : "V0"))).toBeUndefined();
    const other = { ...fillOf(count, undefined), sold: Money.of("0.5", "CHF" as Asset) };
    expect(problemOf(trades, other)).toBe(
      `fill of T-trades00-${count} must be ${count}.000000000000000001 VCHF for ${count} CHF, fee 0.01 CHF as booked, was ${count}.000000000000000001 VCHF for 0.5 CHF, fee 0.01 CHF`,
    );
  }
  expect(problemOf(trades, fillOf(3, "V9"))).toContain("must be trade V\n3");
  expect(trades.find(fillOf(FILLS + 1, undefined).clientOrderId)).toBeUndefined();
  expect(problemOf(trades, fillOf(FILLS + 1, undefined))).toBeUndefined();
});

it("history names an old fill late: from then on the trade is its own", () => {
  const trades = booked();
  trades.name(trades.find(fillOf(1, undefined).clientOrderId) as Trade, "V1");
  expect(problemOf(trades, fillOf(1, "V2"))).toContain("must be trade V1, was V2");
  expect(problemOf(trades, fillOf(2, "V1"))).toBe(
    "trade V1 must belong to T-trades00-1, was reported for T-trades00-2",
  );
  expect(problemOf(trades, fillOf(FILLS + 1, "V1"))).toContain("trade V1 must belong to T-trades00-1");
});

it("comes back from its text, whatever the venue's ids are", () => {
  const saved = booked().save();
  const trades = new Trades(saved);
  expect(trades.save()).toBe(saved);
  expect(problemOf(trades, fillOf(3, "V9"))).toContain("must be trade V\n3");
  expect(problemOf(trades, fillOf(FILLS + 1, "V\n3"))).toContain("must belong to T-trades00-3");
});
