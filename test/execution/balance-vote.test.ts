import { describe, expect, test } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import type { Balance } from "../../src/domain/balance.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import {
  balanceVote,
  leftOver,
  likeliest,
  type OpenDoubt,
  orderMovements,
  subsetsOf,
} from "../../src/execution/balance-vote.ts";
import { CHF, ID, ORDER, VCHF } from "./life.ts";

/** The books: 1,000 CHF and 50 VCHF. */
const held = (asset: Asset) =>
  asset === CHF ? Money.of("1000", CHF) : asset === VCHF ? Money.of("50", VCHF) : undefined;
const doubtOf = (id: string, side: "buy" | "sell" = "buy"): OpenDoubt => ({
  id,
  movements: orderMovements({ ...ORDER, side }, 500),
});
const BUY = doubtOf(ID);
const told = (chf: string, vchf: string): Balance[] => [
  { asset: CHF, available: Money.of(chf, CHF), pending: Money.zero(CHF) },
  { asset: VCHF, available: Money.of("0", VCHF), pending: Money.of(vchf, VCHF) },
];
const vote = (chf: string, vchf: string, doubts: readonly OpenDoubt[] = [BUY]) =>
  balanceVote(ID, doubts, told(chf, vchf), held);

describe("the balances", () => {
  test("say that it did not happen when they equal the ledger to the last digit, pending included", () => {
    expect(vote("1000", "50")).toEqual({ kind: "absent" });
  });

  test("say that it happened when both legs moved, at the limit or better and with a fee on either side", () => {
    // 100 at 1.001 is 100.10; 5 % better is 95.095; a fee of 5 % makes it 105.105, or leaves 95 VCHF.
    expect(vote("899.90", "150")).toEqual({ kind: "landed" });
    expect(vote("904.905", "150")).toEqual({ kind: "landed" });
    expect(vote("894.895", "145")).toEqual({ kind: "landed" });
  });

  test("say the same of a sale, which brings at least its limit less a fee, or costs the fee in what was sold", () => {
    const sale = [doubtOf(ID, "sell")];
    // 40 held besides. 100 at 1.001 is 100.10; a fee of 5 % leaves 95.095, or takes 105; 5 % better is 105.105.
    const books = (asset: Asset) => held(asset)?.plus(Money.of(asset === VCHF ? "90" : "0", asset));
    const kind = (chf: string, vchf: string) => balanceVote(ID, sale, told(chf, vchf), books).kind;
    expect([kind("1100.10", "40"), kind("1095.095", "40"), kind("1105.105", "35")]).toEqual(
      Array.from({ length: 3 }, () => "landed"),
    );
    for (const [chf, vchf] of [
      ["1095.094", "40"],
      ["1105.106", "40"],
      ["1100.10", "34.999"],
      ["1100.10", "40.001"],
      ["899.90", "240"],
    ] as const)
      expect(kind(chf, vchf)).toBe("unexplained");
  });

  test("have the last digit of a product on either side, whichever way the venue rounds it", () => {
    // 1.1 units of the last of 18 decimals; 5 % better than its limit it is 1.045 to buy, and 1.155 to sell.
    const tiny = { ...ORDER, quantity: Quantity.of("0.000000000000000001"), limit: Price.of("1.1") };
    const quoteLeg = (side: "buy" | "sell") => orderMovements({ ...tiny, side }, 0)[1];
    const units = (text: string) => Money.of(`0.00000000000000000${text}`, CHF);
    expect(quoteLeg("buy")).toEqual({ least: units("2").negated(), most: units("1").negated() });
    expect(quoteLeg("sell")).toEqual({ least: units("1"), most: units("2") });
  });

  test("explain nothing when one leg moved alone, or by an amount that no price gives", () => {
    for (const [chf, vchf] of [
      ["899.90", "50"],
      ["1000", "150"],
      ["999.99", "50"],
      ["904.906", "150"],
      ["894.894", "150"],
      ["899.90", "150.01"],
    ] as const)
      expect(vote(chf, vchf).kind).toBe("unexplained");
    expect(vote("999.99", "50")).toMatchObject({ reason: expect.stringContaining("ledger by -0.01 CHF") });
  });

  test("differ by what is left beside coins in flight that the venue counts already", () => {
    const coins = Money.of("8266.5", VCHF);
    const mint = { id: "M-1", movements: [{ least: coins, most: coins }] };
    const reason = "balances differ from the ledger by 7703 CHF, which no open request explains";
    expect(vote("8703", "8316.5", [BUY, mint])).toEqual({ kind: "unexplained", reason });
    expect(vote("8703", "50", [BUY, mint])).toEqual({ kind: "unexplained", reason });
  });

  test("have no vote when two doubts explain them equally well", () => {
    expect(vote("899.90", "150", [BUY, doubtOf("other")])).toEqual({
      kind: "none",
      reason: "the balances are explained in more than one way",
    });
    expect(vote("1000", "50", [BUY, doubtOf("other")])).toEqual({ kind: "absent" });
    expect(vote("799.80", "250", [BUY, doubtOf("other")])).toEqual({ kind: "landed" });
  });

  test("tell a buy from a sell that is in doubt beside it", () => {
    const doubts = [BUY, doubtOf("sale", "sell")];
    expect(vote("899.90", "150", doubts)).toEqual({ kind: "landed" });
    expect(balanceVote("sale", doubts, told("899.90", "150"), held)).toEqual({ kind: "absent" });
    // A buy and a sale of the same size may also cancel out: then nobody knows.
    expect(vote("1000", "50", doubts).kind).toBe("none");
  });

  test("have no vote where an amount is unknown: an asset that is not listed, or a pending part that is not told", () => {
    const [chf, vchf] = told("1000", "50") as [Balance, Balance];
    expect(balanceVote(ID, [BUY], [chf], held)).toEqual({
      kind: "none",
      reason: "the venue's total of VCHF is unknown",
    });
    expect(balanceVote(ID, [BUY], [{ ...chf, pending: undefined }, vchf], held).kind).toBe("none");
    expect(balanceVote(ID, [BUY], [chf, vchf], () => undefined)).toEqual({
      kind: "none",
      reason: "the ledger of VCHF is unknown",
    });
  });

  test("have no vote over more than eight doubts", () => {
    const many = Array.from({ length: 9 }, (_, index) => doubtOf(`d${index}`));
    expect(balanceVote("d0", many, told("1000", "50"), held).kind).toBe("none");
    expect(balanceVote("d0", many.slice(0, 8), told("1000", "50"), held)).toEqual({ kind: "absent" });
    // All of them happened: each bought 100 VCHF for 100.10 CHF.
    const all = (vchf: string, chf: string) => [Money.of(vchf, VCHF), Money.of(chf, CHF).negated()];
    expect(likeliest(many.slice(0, 8), all("800", "800.80"))).toEqual(many.slice(0, 8));
    expect(likeliest(many, all("900", "900.90"))).toEqual([]);
  });

  test("leave over what is beyond the nearest amount that would be explained", () => {
    const changed = (chf: string, vchf: string) =>
      leftOver(subsetsOf([BUY]), [Money.of(chf, CHF).negated(), Money.of(vchf, VCHF)]).map(
        (rest) => `${rest} ${rest.asset}`,
      );
    // It takes 95.095 to 105.105 CHF, and brings 95 to 100 VCHF.
    expect(changed("110", "100")).toEqual(["-4.895 CHF"]);
    expect(changed("90", "100")).toEqual(["5.095 CHF"]);
    expect(changed("100.10", "107")).toEqual(["7 VCHF"]);
    expect(changed("100.10", "94")).toEqual(["-1 VCHF"]);
  });

  test("cannot be asked about a request that is not among the doubts", () => {
    expect(() => balanceVote("other", [BUY], told("1000", "50"), held)).toThrow("other must be among the doubts");
  });
});
