// A fill that a person states is believed up to 5 % better than the limit, and with a fee up to the limit of fees.

import { expect, test } from "vitest";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import type { OrderRequest, Side } from "../../src/domain/order.ts";
import { impliedPrice, statedProblem } from "../../src/execution/stated-fill.ts";

const orderOf = (side: Side): OrderRequest => ({
  symbol: "VGBP/GBP" as PairSymbol,
  side,
  quantity: Quantity.of("2500"),
  limit: Price.of("1.002"),
});

/** `"100 CHF"` as money. */
function money(text: string): Money {
  const [amount, asset] = text.split(" ") as [string, Asset];
  return Money.of(amount, asset);
}

/** 2500 VGBP at 1.002 are 2505 GBP; 5 % better is 1.0521 for a sell (2630.25 GBP), 0.9519 for a buy (2379.75 GBP). */
function problem(side: Side, pounds: string, fee = "0 GBP", feeBpsMax: number | undefined = 20): string | undefined {
  const [coins, paid] = [money("2500 VGBP"), money(`${pounds} GBP`)];
  const fill = { bought: side === "buy" ? coins : paid, sold: side === "buy" ? paid : coins, fee: money(fee) };
  return statedProblem(orderOf(side), fill, feeBpsMax);
}

test("a price up to 5 % better than the limit is believed, a slipped decimal point is not", () => {
  for (const pounds of ["2505", "2630.25"]) expect(problem("sell", pounds), pounds).toBeUndefined();
  expect(problem("sell", "2630.26")).toContain("received must be at most 2630.25");
  expect(problem("sell", "99999")).toBe(
    "received must be at most 2630.25 (1.0521, 5 % better than the limit 1.002), was 99999, a price of 39.9996",
  );
  for (const pounds of ["2505", "2379.75"]) expect(problem("buy", pounds), pounds).toBeUndefined();
  expect(problem("buy", "2379.74")).toContain("paid must be at least 2379.75");
  expect(problem("buy", "250.5")).toBe(
    "paid must be at least 2379.75 (0.9519, 5 % better than the limit 1.002), was 250.5, a price of 0.1002",
  );
  expect(problem("buy", "0")).toContain("was 0, a price of 0");
});

test("a fee is believed up to the limit of fees, in either asset", () => {
  // 20 bp of 2505 GBP are 5.01, of 2500 VGBP 5.
  for (const fee of ["5.01 GBP", "5 VGBP", "0 CHF"]) expect(problem("sell", "2505", fee), fee).toBeUndefined();
  expect(problem("sell", "2505", "5.02 GBP")).toBe(
    "fee must be at most 5.01 GBP (risk.feeBpsMax, 20 bp of 2505), was 5.02",
  );
  expect(problem("buy", "2505", "5.001 VGBP")).toContain("fee must be at most 5 VGBP");
  const dear = { bought: money("2505 GBP"), sold: money("2500 VGBP"), fee: money("900 GBP") };
  expect(statedProblem(orderOf("sell"), dear, undefined), "no limit is set").toBeUndefined();
});

test("the price that amounts come to is that of one unit of what was ordered", () => {
  const fill = { bought: money("2501 GBP"), sold: money("2500 VGBP"), fee: money("0 GBP") };
  expect(impliedPrice(orderOf("sell"), fill)).toBe("1.0004");
  const third = { ...fill, bought: money("1 GBP") };
  expect(impliedPrice({ ...orderOf("sell"), quantity: Quantity.of("3") }, third), "eight decimals").toBe("0.33333334");
});
