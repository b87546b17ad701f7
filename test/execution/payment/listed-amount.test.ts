import { expect, test } from "vitest";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money } from "../../../src/domain/money/money.ts";
import { otherAmount } from "../../../src/execution/payment/listed-amount.ts";
import { CHF, VCHF } from "../life.ts";

const RAIL = { asset: VCHF, currency: CHF };
const GBP = "GBP" as Asset;
const OUT = { spent: Money.of("3000", VCHF), comes: Money.of("3000", CHF) };
const IN = { spent: Money.zero(CHF), comes: Money.of("3000", VCHF) };

test.each([
  ["the coins that were given", OUT, Money.of("3000", VCHF), undefined],
  ["fewer coins: the rest is held again", OUT, Money.of("2000", VCHF), "1000"],
  ["more coins: they are held no longer", OUT, Money.of("3000.01", VCHF), "-0.01"],
  ["what arrives at the bank, less a fee", OUT, Money.of("2999", CHF), undefined],
  ["more than can arrive at the bank", OUT, Money.of("3001", CHF), "-1"],
  ["too little for a fee", OUT, Money.of("2000", CHF), "1000"],
  ["the fiat that was given from outside", IN, Money.of("3000", CHF), undefined],
  ["less fiat from outside", IN, Money.of("2500", CHF), "-500"],
  ["coins that come, less a fee", IN, Money.of("2999", VCHF), undefined],
  ["more coins that come", IN, Money.of("3001", VCHF), "1"],
])("of a booked payment the list may say %s", (_what, booked, listed, change) => {
  expect(otherAmount(listed, RAIL, booked)?.change?.toString()).toBe(change);
});

test.each([
  ["fewer coins that were given", OUT, Money.of("2000", VCHF), ["2000 VCHF", "2000 CHF"]],
  ["more coins that were given", OUT, Money.of("3000.01", VCHF), ["3000.01 VCHF", "3000.01 CHF"]],
  ["coins of which as little is off as a fee", OUT, Money.of("2950", VCHF), undefined],
  ["what arrives at the bank, whatever left for it", OUT, Money.of("2000", CHF), undefined],
  ["nothing", OUT, Money.of("0", VCHF), undefined],
  ["less fiat from outside", IN, Money.of("2500", CHF), ["0 CHF", "2500 VCHF"]],
  ["more coins that come", IN, Money.of("3001", VCHF), ["0 CHF", "3001 VCHF"]],
])(
  "of a booked payment the list may say %s, and be followed where that tells the coins",
  (_what, booked, listed, as) => {
    const booking = otherAmount(listed, RAIL, booked)?.booking;
    expect(booking && [booking.spent, booking.comes].map((one) => `${one} ${one.asset}`)).toEqual(as);
  },
);

test("another currency is another amount, by what nobody can say", () => {
  const other = otherAmount(Money.of("3000", GBP), RAIL, OUT);
  expect(other).toEqual({ text: "it is listed with 3000 GBP, and booked with 3000 VCHF", change: undefined });
});

test("what is not listed or not booked cannot differ", () => {
  expect([otherAmount(undefined, RAIL, OUT), otherAmount(Money.of("1", CHF), RAIL, undefined)]).toEqual([
    undefined,
    undefined,
  ]);
});
