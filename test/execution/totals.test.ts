// What is named and frozen when venue and ledger differ while something of ours is still to show.

import { expect, test } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import type { Balance } from "../../src/domain/balance.ts";
import { Money } from "../../src/domain/money/money.ts";
import { compareTotals, fillMovements, type Mover } from "../../src/execution/totals.ts";
import { FILL as A_FILL, ORDER } from "./life.ts";

const money = (text: string): Money => {
  const [amount = "", asset = ""] = text.split(" ");
  return Money.of(amount, asset as Asset);
};
const mover = (id: string, booked: boolean, ...changes: readonly string[]): Mover => ({
  id,
  booked,
  movements: changes.map((text) => ({ least: money(text), most: money(text) })),
});

/** What is unexplained. */
function seen(venue: readonly string[], ledger: readonly string[], ...movers: readonly Mover[]): readonly string[] {
  const rows = venue.map(money).map((available): Balance => {
    const { asset } = available;
    return { asset, available, pending: Money.zero(asset) };
  });
  const held = new Map(ledger.map(money).map((amount) => [amount.asset, amount]));
  const { unexplained } = compareTotals(rows, (asset) => held.get(asset), movers, held.keys());
  return unexplained.map((rest) => `${rest} ${rest.asset}`);
}

const MINT = mover("M-1", false, "112000 VCHF");
const FILL = mover("P-1", true, "100 GBP", "-101 VGBP");

test("coins of a mint in flight are not what is unexplained when somebody else moved another asset", () => {
  const ledger = ["0 VCHF", "1100 GBP", "899 VGBP"];
  // The fill is shown, and is not shown yet.
  expect(seen(["112000 VCHF", "1600 GBP", "899 VGBP"], ledger, MINT, FILL)).toEqual(["500 GBP"]);
  expect(seen(["112000 VCHF", "1500 GBP", "1000 VGBP"], ledger, MINT, FILL)).toEqual(["500 GBP"]);
  // Nothing of ours touches what came.
  expect(seen(["112000 VCHF", "1100 GBP", "899 VGBP", "7 USDC"], ledger, MINT, FILL)).toEqual(["7 USDC"]);
  expect(seen(["111000 VCHF", "1600 GBP", "899 VGBP"], ledger, MINT, FILL)).toEqual(["-1000 VCHF", "500 GBP"]);
});

test("where a doubt shows on one side only it is that side which differs, and something always does", () => {
  const ledger = ["1000 VCHF", "1000 CHF", "10 BTC"];
  const doubt = mover("P-2", false, "-100 VCHF", "99 CHF");
  expect(seen(["900 VCHF", "1000 CHF"], ledger.slice(0, 2), doubt)).toEqual(["-100 VCHF"]);
  const withFee = mover("P-3", false, "-100 VCHF", "99 CHF", "-1 BTC");
  expect(seen(["900 VCHF", "1099 CHF", "10 BTC"], ledger, withFee)).toEqual(["-100 VCHF", "99 CHF"]);
});

test("a pending amount below nothing is named as much as an available one", () => {
  const row = (available: string, pending: string): Balance => {
    const asset = "CHF" as Asset;
    return { asset, available: Money.of(available, asset), pending: Money.of(pending, asset) };
  };
  const rows = [row("5", "-1"), row("-1", "5"), row("5", "0")];
  expect(rows.map((one) => compareTotals([one], () => money("4 CHF"), [], []).negative.length)).toEqual([1, 1, 0]);
});

test("a fee in what was bought is off it once: where the whole order came, or where it is off already", () => {
  const moved = (bought: string) =>
    fillMovements(ORDER, { ...A_FILL, bought: money(bought), fee: money("1 VCHF") }).map(({ least }) => String(least));
  expect([moved("100 VCHF"), moved("99 VCHF")]).toEqual([
    ["99", "-100.05"],
    ["99", "-100.05"],
  ]);
});
