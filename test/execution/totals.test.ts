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

test("what agrees with a doubt beside it is the ledger's own doing only where that is booked", () => {
  const ledger = new Map(["1000 VCHF", "1000 CHF", "1100 GBP", "899 VGBP"].map(money).map((one) => [one.asset, one]));
  const rowsOf = (...texts: readonly string[]): readonly Balance[] =>
    texts.map(money).map((available) => ({ asset: available.asset, available, pending: Money.zero(available.asset) }));
  const doubt = mover("P-2", false, "-100 VCHF", "99 CHF");
  const compared = (rows: readonly Balance[]) => {
    const { moved, landed, unexplained, unknown, unlisted } = compareTotals(
      rows,
      (asset) => ledger.get(asset),
      [FILL, doubt],
      ledger.keys(),
    );
    const ids = (movers: readonly Mover[]) => movers.map(({ id }) => id);
    return [ids(moved), ids(landed), unexplained.map(String), unknown, unlisted];
  };
  const others = rowsOf("1100 GBP", "899 VGBP");
  expect(compared([...rowsOf("1000 VCHF", "1000 CHF"), ...others])).toEqual([["P-1"], [], [], [], []]);
  expect(compared([...rowsOf("900 VCHF", "1099 CHF"), ...others])).toEqual([["P-1"], ["P-2"], [], [], []]);
  // Of one side nothing is known: the other shows it.
  const [vchf] = rowsOf("900 VCHF") as [Balance];
  const unsaid = { ...vchf, pending: undefined };
  expect(compared([unsaid, ...rowsOf("1099 CHF"), ...others])).toEqual([["P-1"], ["P-2"], [], ["VCHF"], []]);
});

test("what is listed without a pending amount is not said, and only what is not listed at all is missing", () => {
  const held = (asset: Asset): Money => Money.of("5", asset);
  const [chf, eur, vchf] = ["CHF", "EUR", "VCHF"] as unknown as [Asset, Asset, Asset];
  const rows: readonly Balance[] = [
    { asset: chf, available: held(chf), pending: undefined },
    { asset: eur, available: held(eur), pending: Money.zero(eur) },
  ];
  const { unknown, unlisted } = compareTotals(rows, held, [], [chf, eur, vchf]);
  expect([unknown.toSorted(), unlisted]).toEqual([[chf, vchf], [vchf]]);
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

test("a fee in what was sold, or in neither, is paid besides", () => {
  const texts = (order: typeof ORDER, fill: typeof A_FILL) =>
    fillMovements(order, fill).map(({ least }) => `${least} ${least.asset}`);
  const sold = { ...A_FILL, side: "sell", bought: money("100.05 CHF"), sold: money("100 VCHF") } as const;
  expect(texts({ ...ORDER, side: "sell" }, { ...sold, fee: money("1 VCHF") })).toEqual(["100.05 CHF", "-101 VCHF"]);
  expect(texts(ORDER, { ...A_FILL, fee: money("1 CHF") })).toEqual(["100 VCHF", "-101.05 CHF"]);
  expect(texts(ORDER, { ...A_FILL, fee: money("1 EUR") })).toEqual(["100 VCHF", "-100.05 CHF", "-1 EUR"]);
});
